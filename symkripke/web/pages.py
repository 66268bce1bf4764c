"""Filling in templates, and the object that every handler gets."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib import resources
from typing import Any
from urllib.parse import parse_qsl, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from symkripke.errors import InputError, LogError
from symkripke.files import check_writable
from symkripke.web.access import Access
from symkripke.web.settings import Settings
from symkripke.web.tables import NoTable, Tables
from symkripke.web.views.sheets import Cell
from symkripke.web.work import Work

Handler = Callable[["Server", Request], Awaitable[Response]]


class Server:
    """The parts of the server that handlers use."""

    def __init__(self, settings: Settings) -> None:
        """Open the data folder."""
        self.settings = settings
        try:
            settings.data.mkdir(parents=True, exist_ok=True)
            self.tables = Tables(settings.data)
            self.access = Access(settings)
            check_writable(self.tables.new_log("new"))
        except (OSError, LogError) as error:
            told = error.strerror if isinstance(error, OSError) else error
            raise InputError(
                f"cannot use the folder {settings.data}: {told}. Choose a folder with --data that "
                "you can write to"
            ) from None

    @cached_property
    def work(self) -> Work:
        """The other processes; made when the server runs."""
        return Work(self.settings)

    @cached_property
    def _templates(self) -> Environment:
        found = Environment(
            loader=PackageLoader("symkripke.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        found.globals["static"] = static
        found.globals["svg"] = Markup
        found.globals["query"] = query
        found.globals["row_of"] = row_of
        return found

    # ---- addresses -----------------------------------------------------------------------------

    def address(self, name: str) -> str:
        """What a table is called in links.

        Logs can have names that are easy to guess. So if others can reach the server, links have a
        token, too.
        """
        if self.settings.is_local:
            return name
        return f"{name}.{self.access.token('link of a table', name)}"

    def table(self, request: Request) -> str:
        """The table of an address; raises `NoTable` for a name that somebody may have guessed."""
        name, _, token = str(request.path_params["name"]).partition(".")
        if not (self.access.is_host(request) or self.access.opens_table(name, token)):
            raise NoTable(f"there is no table {request.path_params['name'][:80]!r}")
        return name

    # ---- pages ---------------------------------------------------------------------------------

    def filled(self, template: str, values: Mapping[str, Any]) -> str:
        """The text of a template."""
        return self._templates.get_template(template).render(values)

    def page(
        self, request: Request, template: str, status: int = 200, **values: Any
    ) -> HTMLResponse:
        """A page: a template that is filled in."""
        given = {
            "form_token": self.access.form_token(request),
            "is_host": self.access.is_host(request),
            "path": request.url.path,
            **values,
        }
        response = HTMLResponse(self.filled(template, given), status)
        self.access.remember(request, response)
        return response

    async def form(self, request: Request) -> FormData:
        """The fields of a form from our pages; raises `Forbidden` for any other form.

        Our pages send forms in one way only. In others the sender chooses how text is decoded.
        """
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        sent = await request.body() if kind == "application/x-www-form-urlencoded" else b""
        try:
            fields = parse_qsl(sent.decode("latin-1"), keep_blank_values=True, max_num_fields=300)
        except ValueError as error:
            raise InputError(f"this form cannot be read: {error}") from None
        form = FormData([(name, value) for name, value in fields])
        self.access.check_form(request, text(form, "form_token"))
        return form


def go(url: str) -> RedirectResponse:
    """The answer to a form: a redirect to the page with the result."""
    return RedirectResponse(url, 303)


def text(form: Mapping[str, Any] | FormData, name: str) -> str:
    """What is in a field; empty if there is nothing."""
    found = form.get(name, "")
    return found.strip() if isinstance(found, str) else ""


def number(text: str, least: int, most: int) -> int | None:
    """A number of a query; None if it is none, or not within the limits."""
    digits = text.strip()
    if not digits.isdecimal() or not digits.isascii() or len(digits) > 9:
        return None
    return min(max(int(digits), least), most)


def query(**values: object) -> str:
    """A query with these values; values that are None or empty are left out."""
    told = {
        name: value for name, value in values.items() if value is not None and value not in ("", ())
    }
    return f"?{urlencode(told, doseq=True)}" if told else "?"


def static(name: str) -> str:
    """The address of a file of ours; it changes when the file does."""
    if name not in _STAMPS:
        content = resources.files("symkripke.web").joinpath("static", name).read_bytes()
        _STAMPS[name] = sha256(content).hexdigest()[:10]
    return f"/static/{name}?{_STAMPS[name]}"


def row_of(cells: Iterable[Cell]) -> Markup:
    """The cells of a row of a note sheet.

    A sheet has hundreds of cells, most of which are alike. In a template they took a third of the
    time of a page.
    """
    return Markup("").join(map(_cell, cells))


@lru_cache(4096)
def _cell(cell: Cell) -> Markup:
    return Markup(
        '<td class="{}"><span aria-hidden="true">{}</span><span class="unseen">{}</span></td>'
    ).format(cell.look, cell.text, cell.says)


_STAMPS: dict[str, str] = {}
