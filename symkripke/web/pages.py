"""The templates of pages, and the object that every handler receives."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesParser
from email.policy import HTTP
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from importlib import resources
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.datastructures import ImmutableMultiDict
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from symkripke.drawing.cards import CARD_HEIGHT, CARD_WIDTH, Face, art, card, style
from symkripke.errors import InputError, LogError
from symkripke.files import check_writable
from symkripke.play.review import KeyMoment
from symkripke.play.words import person
from symkripke.web.access import Access, Forbidden
from symkripke.web.settings import Settings, is_loopback
from symkripke.web.tables import NoTable, Notes, Tables
from symkripke.web.views.caches import TableCache
from symkripke.web.views.sheets import Cell, Row
from symkripke.web.work import WorkerPools

T = TypeVar("T")
Handler = Callable[["Server", Request], Awaitable[Response]]
Fields = ImmutableMultiDict[str, str]
"""The fields of a form or of a query."""

SEAT = "/s/{name}/{who}/{token}"
"""The address of a seat; its token cannot be guessed."""

_BODY_SECONDS = 10.0
"""The time in seconds after which the server stops waiting for the body of a request."""


@dataclass
class Place:
    """The table or seat that the address of a request leads to.

    Attributes:
        tables: the tables of the server.
        name: the name of the table.
        log: the path of its log.
        version: a text that changes with the log.
        base: the address of the page.
        who: the player at the seat; empty for the address of a table.
    """

    tables: Tables
    name: str
    log: str
    version: str
    base: str
    who: str = ""

    @cached_property
    def notes(self) -> Notes:
        """The notes on the table."""
        return self.tables.notes(self.name)


@dataclass(frozen=True)
class Upload:
    """A form with a file: its other fields, the name of the file, and its text."""

    form: Fields
    name: str
    text: str


class Server:
    """The parts of the server that handlers use."""

    def __init__(self, settings: Settings) -> None:
        """Open the data folder."""
        self.settings = settings
        self.flags: TableCache[tuple[KeyMoment, ...]] = TableCache()
        """The events that the graph of a reviewed game marks, by table and version."""
        try:
            settings.data.mkdir(parents=True, exist_ok=True)
            self.tables = Tables(settings.data)
            self.access = Access(settings)
            check_writable(self.tables.new_log("new"))
        except (OSError, LogError) as error:
            problem = error.strerror if isinstance(error, OSError) else error
            raise InputError(
                f"cannot use the folder {settings.data}: {problem}. Choose a writable "
                "folder with --data"
            ) from None

    @cached_property
    def work(self) -> WorkerPools:
        """The worker processes, created on first use."""
        return WorkerPools(self.settings)

    @cached_property
    def _templates(self) -> Environment:
        environment = Environment(
            loader=PackageLoader("symkripke.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.globals |= {
            "static": static,
            "svg": Markup,
            "query": query,
            "row_of": row_of,
            "art": face_art,
            "card": whole_card,
            "person": person,
            "qr_code": qr_code,
        }
        return environment

    # ---- addresses -----------------------------------------------------------------------------

    def address(self, name: str) -> str:
        """Return the name of a table in links.

        Names of logs can be easy to guess. Links therefore contain a token if other machines can
        reach the server.
        """
        if self.settings.is_local:
            return name
        return f"{name}.{self.access.token('link of a table', name)}"

    def seat_address(self, name: str, who: str) -> str:
        """Return the address of a seat."""
        return SEAT.format(name=name, who=quote(who), token=self.access.token("seat", name, who))

    def shared_url(self, request: Request, address: str) -> str:
        """Return the full URL of an address, for other devices; empty if they cannot open it.

        It has the host name of the request, which other devices cannot use if it is this machine's
        own ("localhost").
        """
        host = request.headers.get("host", "")
        if self.settings.is_local or is_loopback(request.url.hostname or ""):
            return ""
        scheme = request.url.scheme
        if self.settings.behind_proxy:  # which encrypts the connection, unless it says otherwise
            scheme = "http" if request.headers.get("x-forwarded-proto") == "http" else "https"
        return f"{scheme}://{host}{address}"

    def place(self, request: Request, *, for_host: bool = False) -> Place:
        """Return the table or the seat of an address.

        Raises:
            NoTable: the table does not exist, or the link lacks its token.
            Forbidden: the token of a seat is wrong, or only the host may see the page. This
                includes all pages of a real table.
        """
        given, is_host = request.path_params, self.access.is_host(request)
        name, who = given["name"], given.get("who", "")
        if who:
            base = self.seat_address(name, who)
            if not self.access.opens(given["token"], "seat", name, who):
                raise Forbidden(
                    "this link does not lead to a seat. It may be incomplete: ask for it again"
                )
        else:
            name, _, token = name.partition(".")
            base = f"/t/{self.address(name)}"
            if not (is_host or self.access.opens(token, "link of a table", name)):
                raise NoTable(f"there is no table {given['name'][:80]!r}")
        log = str(self.tables.log(name))
        place = Place(self.tables, name, log, self.tables.version(name), base, who)
        if not (who or is_host) and (for_host or place.notes.kind == "real"):
            self.access.need_host(request)
        return place

    # ---- pages ---------------------------------------------------------------------------------

    async def shown(
        self,
        request: Request,
        place: Place,
        shows: tuple[str, ...],
        view: Callable[[str], T],
        is_over: Callable[[T], bool],
    ) -> tuple[T, str, bool]:
        """Return a view, its way to show knowledge, and whether a script loads that part later."""
        given = request.query_params
        show = chosen(given, shows)
        waits = self.work.waits(show, given)
        pool = self.work.quick if waits else self.work.showing(show)
        page = await pool(place.name, view, "" if waits else show)
        if show == "suggest" and is_over(page):  # no moves are left to suggest
            show, waits = shows[0], False
            page = await self.work.quick(place.name, view, show)
        return page, show, waits

    def filled(self, template: str, values: Mapping[str, Any]) -> str:
        """Return the text of a template, filled in with these values."""
        return self._templates.get_template(template).render(values)

    def page(
        self, request: Request, template: str, status: int = 200, **values: Any
    ) -> HTMLResponse:
        """Return a page from a template."""
        given = {
            "form_token": self.access.form_token(request),
            "is_host": self.access.is_host(request),
            "path": request.url.path,
            **values,
        }
        return HTMLResponse(self.filled(template, given), status)

    async def form(self, request: Request) -> Fields:
        """Return the fields of a form from our pages. Raise `Forbidden` for any other form.

        Our pages send URL-encoded forms only. In other formats, the sender could choose how text is
        decoded.
        """
        sent = await self._body(request, self.settings.body)
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/x-www-form-urlencoded":
            sent = b""
        try:
            fields = parse_qsl(sent.decode("latin-1"), keep_blank_values=True, max_num_fields=300)
        except ValueError as error:
            raise InputError(f"this form cannot be read: {error}") from None
        form = Fields(fields)
        self.access.check_form(request, text(form, "form_token"))
        return form

    async def upload(self, request: Request) -> Upload:
        """Return the form with one text file that the host has sent; check it as `form` does.

        Raises:
            InputError: the form is not complete, or the file is not text.
        """
        body = await self._body(request, self.settings.upload)
        kind = request.headers.get("content-type", "")
        head = f"Content-Type: {kind}\r\n\r\n".encode("latin-1", "replace")
        # The parser reads all parts of a body of another type as one, which has no name.
        parts = {
            str(part.get_param("name", "", "content-disposition")): part
            for part in BytesParser(policy=HTTP).parsebytes(head + body).walk()
            if not part.is_multipart()
        }
        texts = {name: _text_of(part) for name, part in parts.items() if name != "file"}
        form = Fields({name: value for name, value in texts.items() if name})
        self.access.check_form(request, text(form, "form_token"))
        file = parts.get("file")
        if file is None or not file.get_filename():
            raise InputError("choose the file of a log first")
        return Upload(form, str(file.get_filename())[:80], _text_of(file))

    async def _body(self, request: Request, most: int) -> bytes:
        """Return the body of a request. Raise `HTTPException` if it is too large or too slow."""
        body = bytearray()
        try:
            async with asyncio.timeout(_BODY_SECONDS):
                async for part in request.stream():
                    body += part
                    if len(body) > most:
                        raise HTTPException(413, f"Too much: at most {most} bytes", _CLOSE)
        except (TimeoutError, ClientDisconnect):
            raise HTTPException(408, "The request took too long to arrive", _CLOSE) from None
        return bytes(body)


def _text_of(part: Message) -> str:
    """Return the text of a part of a form, with the ends of lines that logs have."""
    content = part.get_payload(decode=True)
    try:
        decoded = content.decode("utf-8-sig") if isinstance(content, bytes) else ""
    except UnicodeDecodeError:
        raise InputError("expected a text file in UTF-8") from None
    return decoded.replace("\r\n", "\n")


_CLOSE = {"Connection": "close"}


def go(url: str) -> RedirectResponse:
    """Return the response to a form: a redirect to the page with the result."""
    return RedirectResponse(url, 303)


def text(fields: Fields, name: str) -> str:
    """Return the text of a field; empty if it is missing."""
    return fields.get(name, "").strip()


def number(text: str, least: int, most: int) -> int | None:
    """Return a number of a query, clamped to the limits; None if the text is not a number."""
    digits = text.strip()
    if not digits.isdecimal() or not digits.isascii() or len(digits) > 9:
        return None
    return min(max(int(digits), least), most)


def chosen(given: Mapping[str, str], shows: tuple[str, ...]) -> str:
    """Return the way to show knowledge that a query names; by default the first of `shows`."""
    show = given.get("show", "")
    return show if show in shows else shows[0]


def moment(request: Request) -> int | None:
    """Return the number of events after which a page shows a table; None for all events."""
    return number(request.query_params.get("at", ""), 0, 1_000_000)


def query(**values: object) -> str:
    """Return a query string without values that are None or empty."""
    parameters = {
        name: value for name, value in values.items() if value is not None and value not in ("", ())
    }
    return f"?{urlencode(parameters, doseq=True)}" if parameters else "?"


@lru_cache(256)
def qr_code(url: str) -> Markup:
    """Return a URL as a QR code, an SVG without inline styles."""
    import segno

    code = segno.make_qr(url, error="m")
    return Markup(code.svg_inline(svgclass="qr", lineclass=None, light="#fff", omitsize=True))


@cache
def static(name: str) -> str:
    """Return the address of a static file, which changes with its content."""
    if name == "cards.css":
        content = style().encode()
    else:
        content = resources.files("symkripke.web").joinpath("static", name).read_bytes()
    return f"/static/{name}?{sha256(content).hexdigest()[:10]}"


def face_art(face: Face, size: float) -> Markup:
    """Return the art of a card for a line of text; `size` is in pixels."""
    return Markup(art(face, size))


def whole_card(face: Face, height: float) -> Markup:
    """Return a card as an `svg` element; `height` is in pixels."""
    width = height * CARD_WIDTH / CARD_HEIGHT
    return Markup(
        f'<svg width="{width + 2:g}" height="{height + 2:g}" role="img" '
        f'aria-label="{escape(face.title)}">{card(face, 1, 1, height)}</svg>'
    )


def row_of(row: Row, seat: int | None = None, chosen: str = "") -> Markup:
    """Return the cells of a row of a note sheet.

    A sheet has hundreds of cells, most of which are equal. In a template they took a third of the
    time of a page. The pages stay small without optional tags.

    Args:
        row: the row.
        seat: the seat whose sheet it is; None: cells are not buttons that ask for their reason.
        chosen: the key of the cell whose reason is shown, as in `watching.CellReason`.
    """
    if seat is None:
        return Markup("").join(map(_cell, row.cells))
    start = f"{seat}.{row.number}"
    return Markup("").join(
        _button(cell, f"{start}.{column}", chosen == f"{start}.{column}")
        for column, cell in enumerate(row.cells)
    )


@lru_cache(4096)
def _cell(cell: Cell) -> Markup:
    shown = Markup('{}<span aria-hidden="true">{}</span><span class="unseen">{}</span>')
    return shown.format(_start(cell), cell.text, cell.says)


def _button(cell: Cell, key: str, is_chosen: bool) -> Markup:
    before, after = _button_parts(cell)
    # The key has digits and dots only.
    return Markup(f"{before}{key}{' aria-pressed=true' * is_chosen}{after}")


@lru_cache(4096)
def _button_parts(cell: Cell) -> tuple[str, str]:
    says = Markup("{}" if cell.says.isalpha() else '"{}"').format(cell.says)
    after = Markup(" aria-label={}>{}</button>").format(says, cell.text)
    return f"{_start(cell)}<button name=why value=", str(after)


def _start(cell: Cell) -> Markup:
    """Return the start tag of a cell; most cells are "no", and need no class."""
    look = cell.look.removeprefix("shade ")
    return Markup("<td>" if look == "no" else f'<td class="{look}">')
