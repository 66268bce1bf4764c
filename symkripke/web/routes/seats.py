"""Seats of people: each has an address that nobody can guess, and shows only its own view."""

from __future__ import annotations

import hmac

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from symkripke.errors import BudgetExceeded
from symkripke.web.access import Forbidden
from symkripke.web.pages import Handler, Server, go, number, query, text
from symkripke.web.routes import ask
from symkripke.web.views import hosting, knowing, sources
from symkripke.web.views.mistakes import Mistake

_AT_ONCE = 12
_ROUNDS = 100
_LONGEST = 500


def address(server: Server, name: str, who: str) -> str:
    """The address of a seat."""
    return f"/s/{name}/{who}/{server.access.token('seat', name, who)}"


def _seat(server: Server, request: Request) -> tuple[str, str, str]:
    """The table, the seat and the log of an address; raises `Forbidden` for a wrong token."""
    name, who = request.path_params["name"], request.path_params["who"]
    token = server.access.token("seat", name, who)
    if not hmac.compare_digest(token.encode(), request.path_params["token"].encode()):
        raise Forbidden(
            "this link leads to no seat. A link has to be complete: ask for it again, please"
        )
    return name, who, str(server.tables.log(name))


async def host(server: Server, request: Request) -> Response:
    """The page of a game with people, while it goes on: links for seats, nothing hidden."""
    server.access.need_host(request)
    name = server.table(request)
    version = server.tables.version(name)
    found = await server.work.quick(name, hosting.host_page, str(server.tables.log(name)))
    links = {seat.name: address(server, name, seat.name) for seat in found.seats}
    return server.page(
        request,
        "host.html",
        name=server.address(name),
        version=version,
        found=found,
        links=links,
        is_local=server.settings.is_local,
    )


async def seat(
    server: Server, request: Request, problem: Mistake | None = None, typed: str = ""
) -> Response:
    """The page of a seat; of a move that was refused, what is wrong with it."""
    name, who, log = _seat(server, request)
    version = server.tables.version(name)
    given = request.query_params
    show = given.get("show", "")
    if show not in knowing.SHOWS:
        show = knowing.SHOWS[0]
    at = number(given.get("at", ""), 0, 1_000_000)
    waits = server.work.waits(show, given)
    do = server.work.quick if waits else server.work.showing(show)
    found = await do(name, hosting.seat_page, log, who, at, "" if waits else show)
    if found.is_over and show == "suggest":  # there are no hints any more
        show, waits = knowing.SHOWS[0], False
        found = await server.work.quick(name, hosting.seat_page, log, who, at, show)
    return server.page(
        request,
        "seat.html",
        422 if problem else 200,
        found=found,
        version=version,
        base=address(server, name, who),
        show=show,
        waits=waits,
        problem=problem,
        typed=typed,
        is_live=at is None,
        table=f"/t/{server.address(name)}" if found.is_over else "",
    )


async def choose(server: Server, request: Request) -> Response:
    """Make a person's move; then minds play until a person must choose."""
    name, who, log = _seat(server, request)
    form = await server.form(request)
    action = text(form, "move")
    choices = [number(text(form, f"c{part}"), 0, 100_000) for part in range(12)]
    chosen = tuple(choice for choice in choices if choice is not None)
    typed = text(form, "text")[:_LONGEST]
    async with server.work.alone(f"change {name}"):
        problem = await server.work.quick(
            name,
            hosting.choose,
            log,
            who,
            -1 if action == "usual" else number(action, 0, 10_000),
            chosen,
            typed,
            text(form, "seen"),
        )
        if problem is None:
            await play_on(server, name, log)
    if problem is not None:
        return await seat(server, request, problem, typed)
    return go(f"{address(server, name, who)}{query(show=request.query_params.get('show'))}")


async def play_on(server: Server, name: str, log: str) -> None:
    """Let minds play until a person must choose, or the game is over."""
    for _ in range(_ROUNDS):
        try:
            if not await server.work.quick(name, hosting.go_on, log, _AT_ONCE):
                return
        except BudgetExceeded:
            return  # the page has a button to try again


async def goes_on(server: Server, request: Request) -> Response:
    """Let minds play on, where they have stopped."""
    name, who, log = _seat(server, request)
    await server.form(request)
    async with server.work.alone(f"change {name}"):
        await play_on(server, name, log)
    return go(address(server, name, who))


async def resign(server: Server, request: Request) -> Response:
    """Give up: the game ends for all."""
    name, who, log = _seat(server, request)
    await server.form(request)
    async with server.work.alone(f"change {name}"):
        await server.work.quick(name, hosting.resign, log, who)
    return go(address(server, name, who))


async def back(server: Server, request: Request) -> Response:
    """Where forms of a seat are sent: who opens that address, or reloads it, is led back."""
    name, who, _ = _seat(server, request)
    return go(address(server, name, who))


async def changes(server: Server, request: Request) -> Response:
    """Return the version of a table, for the page of a seat."""
    name, _, _ = _seat(server, request)
    return PlainTextResponse(server.tables.version(name))


async def words(server: Server, request: Request) -> Response:
    """The ways to go on with a move that is typed."""
    name, who, log = _seat(server, request)
    typed = request.query_params.get("text", "")[:_LONGEST]
    return JSONResponse(await server.work.quick(name, hosting.completions, log, who, typed))


async def question(server: Server, request: Request) -> Response:
    """Ask about what this seat has seen."""
    name, who, log = _seat(server, request)
    return await ask.page(server, request, name, log, who, address(server, name, who))


async def question_words(server: Server, request: Request) -> Response:
    """The ways to go on with a formula that is typed."""
    name, who, log = _seat(server, request)
    at = number(request.query_params.get("at", ""), 0, 1_000_000)
    typed = request.query_params.get("text", "")[:_LONGEST]
    found = await server.work.quick(name, sources.completions, log, who, at, typed)
    return JSONResponse(found)


_AT = "/s/{name}/{who}/{token}"

ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", _AT, seat),
    ("POST", f"{_AT}/choose", choose),
    ("POST", f"{_AT}/go-on", goes_on),
    ("POST", f"{_AT}/resign", resign),
    *(("GET", f"{_AT}/{form}", back) for form in ("choose", "go-on", "resign")),
    ("GET", f"{_AT}/changes", changes),
    ("GET", f"{_AT}/words", words),
    ("GET", f"{_AT}/ask", question),
    ("GET", f"{_AT}/ask/words", question_words),
)
