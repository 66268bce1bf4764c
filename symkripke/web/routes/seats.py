"""Seats of people: each has an address that nobody can guess, and shows only its own view."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from symkripke.errors import BudgetExceeded
from symkripke.web.pages import SEAT, Handler, Server, go, moment, number, query, text
from symkripke.web.views import hosting, knowing
from symkripke.web.views.mistakes import Mistake

_AT_ONCE = 12
_ROUNDS = 100
_LONGEST = 500


async def host(server: Server, request: Request) -> Response:
    """Return the host's page of a running game with people: links for seats, no hidden cards."""
    place = server.place(request, for_host=True)
    page = await server.work.quick(place.name, hosting.host_page, place.log)
    links = {seat.name: server.seat_address(place.name, seat.name) for seat in page.seats}
    return server.page(
        request,
        "host.html",
        name=server.address(place.name),
        version=place.version,
        view=page,
        links=links,
        urls={name: server.shared_url(request, link) for name, link in links.items()},
        is_local=server.settings.is_local,
    )


async def seat(
    server: Server, request: Request, problem: Mistake | None = None, typed: str = ""
) -> Response:
    """Return the page of a seat, with the mistake in a rejected move if there is one."""
    place = server.place(request)
    at = moment(request)
    view = partial(hosting.seat_page, place.log, place.who, at)
    seat_page, show, waits = await server.shown(
        request, place, knowing.SHOWS, view, lambda page: page.is_over
    )
    return server.page(
        request,
        "seat.html",
        422 if problem else 200,
        view=seat_page,
        version=place.version,
        base=place.base,
        show=show,
        waits=waits,
        problem=problem,
        typed=typed,
        is_live=at is None,
        table=f"/t/{server.address(place.name)}" if seat_page.is_over else "",
    )


async def choose(server: Server, request: Request) -> Response:
    """Make a person's move, and let minds play until a person must choose."""
    place = server.place(request)
    form = await server.form(request)
    action, typed = text(form, "move"), text(form, "text")[:_LONGEST]
    # A field "c0" has the number of a choice, a field "n0" a number that is itself the choice.
    choices = [
        text(form, f"n{part}").strip()[:_LONGEST] or number(text(form, f"c{part}"), 0, 100_000)
        for part in range(12)
    ]
    chosen = tuple(choice for choice in choices if choice is not None)
    move = -1 if action == "usual" else number(action, 0, 10_000)
    seen = text(form, "seen")
    async with server.work.changing(place.name):
        problem = await server.work.quick(
            place.name, hosting.choose, place.log, place.who, move, chosen, typed, seen
        )
        if problem is None:
            await play_on(server, place.name, place.log)
    if problem is not None:
        return await seat(server, request, problem, typed)
    return go(f"{place.base}{query(show=request.query_params.get('show'))}")


async def play_on(server: Server, name: str, log: str) -> None:
    """Let minds play until a person must choose, or the game is over."""
    for _ in range(_ROUNDS):
        try:
            if not await server.work.quick(name, hosting.go_on, log, _AT_ONCE):
                return
        except BudgetExceeded:
            return  # the page has a button to try again


async def goes_on(server: Server, request: Request) -> Response:
    """Let minds continue to play after they have stopped."""
    place = server.place(request)
    await server.form(request)
    async with server.work.changing(place.name):
        await play_on(server, place.name, place.log)
    return go(place.base)


async def resign(server: Server, request: Request) -> Response:
    """Let a person resign, which ends the game for everybody."""
    place = server.place(request)
    await server.form(request)
    async with server.work.changing(place.name):
        await server.work.quick(place.name, hosting.resign, place.log, place.who)
    return go(place.base)


async def back(server: Server, request: Request) -> Response:
    """Redirect a browser that opens or reloads the address to which a form is sent."""
    return go(server.place(request).base)


async def changes(server: Server, request: Request) -> Response:
    """Return the version of a table, so that open pages can notice changes."""
    return PlainTextResponse(server.place(request).version)


async def words(server: Server, request: Request) -> Response:
    """Return the completions of a typed move."""
    place = server.place(request)
    typed = request.query_params.get("text", "")[:_LONGEST]
    completions = await server.work.quick(
        place.name, hosting.completions, place.log, place.who, typed
    )
    return JSONResponse(completions)


ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", SEAT, seat),
    ("POST", f"{SEAT}/choose", choose),
    ("POST", f"{SEAT}/go-on", goes_on),
    ("POST", f"{SEAT}/resign", resign),
    *(("GET", f"{SEAT}/{form}", back) for form in ("choose", "go-on", "resign")),
    ("GET", f"{SEAT}/changes", changes),
    ("GET", f"{SEAT}/words", words),
)
