"""The page of a table, and the controls for watching a game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from symkripke.errors import NoAnswerWithin, OutOfWork, SymkripkeError
from symkripke.files import read_text
from symkripke.web.access import Forbidden
from symkripke.web.pages import Handler, Place, Server, chosen, go, moment, number, query, text
from symkripke.web.routes import notes, seats
from symkripke.web.views import hosting, watching
from symkripke.web.views.asking import TAKES_LONGER

_TO_THE_END = 1_000
_AT_ONCE = 40
"""The maximum number of events played in one call of a worker, so that no call takes long."""


async def people_play(server: Server, place: Place) -> bool:
    """Return whether people are playing at a table, so that hidden cards must not be shown yet."""
    is_seats = place.notes.kind == "seats"
    return is_seats and not await server.work.quick(place.name, hosting.is_over, place.log)


async def table(server: Server, request: Request) -> Response:
    """Return the page of a table of any kind."""
    place = server.place(request)
    if place.notes.kind == "real":
        return await notes.page(server, request)
    if await people_play(server, place):
        return await seats.host(server, request)
    given = request.query_params
    at = moment(request)
    show = chosen(given, watching.SHOWS)
    asked = tuple(who for who in (given.get("player", ""), given.get("beside", "")) if who)
    kept = {name: given.get(name) for name in ("player", "beside", "show", "eyes", "speed")}
    if show == watching.SHOWS[0]:
        del kept["show"]
    others = {**kept, "player": "{}", "at": at}
    pool = server.work.showing(show)
    is_quick = pool is server.work.quick
    wanted = watching.Wanted(
        asked,
        show,
        is_quick,
        given.get("eyes", "") == "1",
        query(at="{}", **kept).replace("%7B%7D", "{}"),
        f"{query(**others)}#mind".replace("%7B%7D", "{}"),
        server.flags.get((place.name, place.version)),
    )
    seen = await server.work.quick(place.name, watching.watched, place.log, at, wanted)
    if not is_quick:
        known = await pool(place.name, watching.knowledge, place.log, seen.at, seen.players, show)
        seen = replace(seen, known=known)
    reason, problem = await _reason(server, place, seen.at, given.get("why", ""))
    return server.page(
        request,
        "watch.html",
        name=server.address(place.name),
        version=place.version,
        notes=place.notes,
        seen=seen,
        is_reviewed=wanted.flags is not None,
        link=Markup(wanted.link),  # Of its characters, only "&" has a meaning in HTML.
        show=show,
        player=seen.players[0],
        beside=seen.players[1] if len(seen.players) > 1 else "",
        eyes=given.get("eyes", ""),
        is_live=at is None,
        speed=given.get("speed", ""),
        reason=reason,
        problem=problem,
    )


async def _reason(
    server: Server, place: Place, at: int, key: str
) -> tuple[watching.CellReason | None, str]:
    """Return the reason for a cell of a note sheet, or a message if there is none."""
    if not key:
        return None, ""
    try:
        reason = await server.work.slow(place.name, watching.cell_reason, place.log, at, key[:20])
    except (OutOfWork, NoAnswerWithin):
        return None, TAKES_LONGER
    except SymkripkeError as error:
        return None, str(error)
    return reason, ""


async def play(server: Server, request: Request) -> Response:
    """Play one or more events."""
    place = server.place(request, for_host=True)
    form = await server.form(request)
    most = number(text(form, "events"), 1, _TO_THE_END) or 1
    async with server.work.changing(place.name):
        while most > 0:
            now = min(most, _AT_ONCE)
            if await server.work.quick(place.name, watching.played, place.log, now) < now:
                break
            most -= now
    kept = {key: text(form, key) for key in ("player", "beside", "show", "eyes", "speed")}
    return go(f"{place.base}{query(**kept)}")


async def log(server: Server, request: Request) -> Response:
    """Return the log as a file, for the commands of the terminal."""
    place = server.place(request, for_host=True)
    if await people_play(server, place):
        raise Forbidden(
            "people are playing this game: its log, which shows all cards, is "
            "available when it is over"
        )
    headers = {"Content-Disposition": f'attachment; filename="{place.name}.jsonl"'}
    return PlainTextResponse(read_text(Path(place.log)), headers=headers)


_FORMS = ("play", "enter", "edit", "undo", "remove")

ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/t/{name}", table),
    ("POST", "/t/{name}/play", play),
    *(("GET", f"/t/{{name}}/{form}", seats.back) for form in _FORMS),
    ("GET", "/t/{name}/changes", seats.changes),
    ("GET", "/t/{name}/log", log),
)
