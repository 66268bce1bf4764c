"""A game that is watched."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from symkripke.files import read_text
from symkripke.web.access import Forbidden
from symkripke.web.pages import Handler, Server, go, number, query, text
from symkripke.web.routes import notes, seats
from symkripke.web.views import hosting, watching

_TO_THE_END = 1_000
_AT_ONCE = 40
"""The number of events that are played for one request, so that no request takes long."""


async def people_play(server: Server, name: str) -> bool:
    """Return whether people are playing at a table, so that the rest is hidden until the end."""
    log = str(server.tables.log(name))
    is_seats = server.tables.notes(name).kind == "seats"
    return is_seats and not await server.work.quick(name, hosting.is_over, log)


async def table(server: Server, request: Request) -> Response:
    """The page of a table, whatever kind it is of."""
    name = server.table(request)
    log = server.tables.log(name)
    if server.tables.notes(name).kind == "real":
        return await notes.page(server, request)
    if await people_play(server, name):
        return await seats.host(server, request)
    version = server.tables.version(name)
    given = request.query_params
    at = number(given.get("at", ""), 0, 1_000_000)
    players = tuple(who for who in (given.get("player", ""), given.get("beside", "")) if who)
    show = given.get("show", "")
    if show not in watching.SHOWS:
        show = watching.SHOWS[0]
    kept = query(player=given.get("player"), beside=given.get("beside"), show=given.get("show"))
    do = server.work.showing(show)
    is_quick = do == server.work.quick
    seen = await server.work.quick(
        name,
        watching.watched,
        str(log),
        at,
        players if is_quick else (),
        show,
        f"/t/{server.address(name)}{kept}{'' if kept == '?' else '&'}at={{}}",
    )
    if players and not is_quick:
        known = await do(name, watching.knowledge, str(log), seen.at, players, show)
        seen = replace(seen, known=known)
    return server.page(
        request,
        "watch.html",
        name=server.address(name),
        version=version,
        notes=server.tables.notes(name),
        seen=seen,
        show=show,
        player=given.get("player", ""),
        beside=given.get("beside", ""),
        is_live=at is None,
        speed=given.get("speed", ""),
    )


async def play(server: Server, request: Request) -> Response:
    """Play one event more, or many."""
    name = server.table(request)
    log = str(server.tables.log(name))
    server.access.need_host(request)
    form = await server.form(request)
    most = number(text(form, "events"), 1, _TO_THE_END) or 1
    async with server.work.alone(f"change {name}"):
        while most > 0:
            now = min(most, _AT_ONCE)
            if await server.work.quick(name, watching.played, log, now) < now:
                break
            most -= now
    kept = {key: text(form, key) for key in ("player", "beside", "show", "speed")}
    return go(f"/t/{server.address(name)}{query(**kept)}")


async def back(server: Server, request: Request) -> Response:
    """Where forms of a table are sent: who opens that address, or reloads it, is led back."""
    return go(f"/t/{server.address(server.table(request))}")


async def changes(server: Server, request: Request) -> Response:
    """Return the version of a table, for a page that shows it."""
    return PlainTextResponse(server.tables.version(server.table(request)))


async def log(server: Server, request: Request) -> Response:
    """The log itself, for the commands of the terminal."""
    server.access.need_host(request)
    name = server.table(request)
    path = server.tables.log(name)
    if await people_play(server, name):
        raise Forbidden("people are playing: the log, which tells all, is given at the end")
    told = read_text(path)
    headers = {"Content-Disposition": f'attachment; filename="{name}.jsonl"'}
    return PlainTextResponse(told, headers=headers)


ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/t/{name}", table),
    ("POST", "/t/{name}/play", play),
    *(("GET", f"/t/{{name}}/{form}", back) for form in ("play", "enter", "edit", "undo", "remove")),
    ("GET", "/t/{name}/changes", changes),
    ("GET", "/t/{name}/log", log),
)
