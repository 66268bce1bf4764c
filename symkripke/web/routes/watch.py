"""The page of a table, and the controls for watching a game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from symkripke.files import read_text
from symkripke.web.access import Forbidden
from symkripke.web.pages import Handler, Place, Server, chosen, go, moment, number, query, text
from symkripke.web.routes import notes, seats
from symkripke.web.views import hosting, watching

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
    players = tuple(who for who in (given.get("player", ""), given.get("beside", "")) if who)
    show = chosen(given, watching.SHOWS)
    kept = query(player=given.get("player"), beside=given.get("beside"), show=given.get("show"))
    pool = server.work.showing(show)
    is_quick = pool is server.work.quick
    seen = await server.work.quick(
        place.name,
        watching.watched,
        place.log,
        at,
        players if is_quick else (),
        show,
        f"{place.base}{kept}{'' if kept == '?' else '&'}at={{}}",
    )
    if players and not is_quick:
        known = await pool(place.name, watching.knowledge, place.log, seen.at, players, show)
        seen = replace(seen, known=known)
    return server.page(
        request,
        "watch.html",
        name=server.address(place.name),
        version=place.version,
        notes=place.notes,
        seen=seen,
        show=show,
        player=given.get("player", ""),
        beside=given.get("beside", ""),
        is_live=at is None,
        speed=given.get("speed", ""),
    )


async def play(server: Server, request: Request) -> Response:
    """Play one event or more."""
    place = server.place(request, for_host=True)
    form = await server.form(request)
    most = number(text(form, "events"), 1, _TO_THE_END) or 1
    async with server.work.changing(place.name):
        while most > 0:
            now = min(most, _AT_ONCE)
            if await server.work.quick(place.name, watching.played, place.log, now) < now:
                break
            most -= now
    kept = {key: text(form, key) for key in ("player", "beside", "show", "speed")}
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
