"""Real tables: beginning a log, entering events, and correcting slips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Concatenate, ParamSpec

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from symkripke.errors import InputError
from symkripke.web.pages import Handler, Place, Server, go, number, query, text
from symkripke.web.routes.lobby import begun, form_page, names_in, offered, options_in
from symkripke.web.tables import Notes
from symkripke.web.views import beginning, knowing, noting
from symkripke.web.views.mistakes import mistake
from symkripke.web.views.noting import RejectedEntry

P = ParamSpec("P")

_LONGEST = 2_000
"""The maximum number of characters read from an entry."""


async def page(
    server: Server, request: Request, refused: RejectedEntry | None = None, edit: int | None = None
) -> Response:
    """Return the page of a real table, with the rejected entry if there is one."""
    place = server.place(request, for_host=True)
    view = partial(noting.noted, place.log)
    noted, show, waits = await server.shown(
        request, place, knowing.SHOWS, view, lambda page: bool(page.result)
    )
    if edit is None:
        edit = number(request.query_params.get("edit", ""), 1, 1_000_000)
    if refused is None and noted.fault:
        refused = await server.work.long(place.name, noting.slip, place.log, "", None)
    return server.page(
        request,
        "notes.html",
        422 if refused is not None and refused.title else 200,
        name=server.address(place.name),
        version=place.version,
        notes=place.notes,
        noted=noted,
        show=show,
        waits=waits,
        refused=refused,
        edit=edit if edit is not None and edit <= len(noted.events) else None,
    )


async def enter(server: Server, request: Request) -> Response:
    """Enter an event, or a part of an event."""
    place = server.place(request, for_host=True)
    form = await server.form(request)
    taps = form.getlist("tap")
    # The text field may still have old input when a button is pressed.
    by_text = text(form, "by") == "text" or not taps
    entry_text = (text(form, "text") if by_text else ", ".join(taps))[:_LONGEST]
    return await _changed(
        server, request, place, None, noting.enter, entry_text, text(form, "seen")
    )


async def change(server: Server, request: Request) -> Response:
    """Replace or remove an entry."""
    place = server.place(request, for_host=True)
    form = await server.form(request)
    entry = number(text(form, "number"), 1, 1_000_000) or 0
    entry_text = "" if text(form, "remove") else text(form, "text")[:_LONGEST]
    seen = text(form, "seen")
    return await _changed(server, request, place, entry, noting.change, entry, entry_text, seen)


async def undo(server: Server, request: Request) -> Response:
    """Undo the last entry."""
    place = server.place(request, for_host=True)
    form = await server.form(request)
    return await _changed(server, request, place, None, noting.undo, text(form, "seen"))


async def words(server: Server, request: Request) -> Response:
    """Return the completions of a typed text."""
    place = server.place(request, for_host=True)
    typed = request.query_params.get("text", "")[:_LONGEST]
    return JSONResponse(await server.work.quick(place.name, noting.completions, place.log, typed))


async def _changed(
    server: Server,
    request: Request,
    place: Place,
    entry: int | None,
    task: Callable[Concatenate[str, P], RejectedEntry | None],
    *args: P.args,
    **more: P.kwargs,
) -> Response:
    """Change the log. If the entry is rejected, show it with a possible earlier mistake."""
    async with server.work.changing(place.name):
        refused = await server.work.quick(place.name, task, place.log, *args, **more)
    if refused is None:
        return go(f"{place.base}{query(show=request.query_params.get('show'))}")
    if refused.may_search:
        rejected = await server.work.long(place.name, noting.slip, place.log, refused.text, entry)
        refused = rejected if rejected.title else refused
    return await page(server, request, refused, entry)


# ---- begin ---------------------------------------------------------------------------------------


async def new(server: Server, request: Request) -> Response:
    """Return the page that starts a real table: the players, your seat, your hand."""
    server.access.need_host(request)
    game = request.path_params["game"]
    given = request.query_params
    players = names_in(given)
    offer = await offered(server, request, given)
    dealt, problem, hand = None, "", given.get("hand", "")[:_LONGEST]
    if given.get("step") == "hand":
        taps = given.getlist("tap")
        typed = given.get("typed", "").strip() or ", ".join(taps)
        hand_text = f"{hand}\n{typed}" if hand and typed else hand or typed
        try:
            dealt = await server.work.quick(
                "lobby",
                beginning.dealt,
                game,
                offer.chosen,
                players,
                _at(players, given.get("first", "")),
                options_in(given),
                _at(players, given.get("you", "")),
                hand_text[:_LONGEST],
            )
            hand = hand if dealt.problem else hand_text
        except InputError as error:
            problem = mistake(error).words
    told_now = {"offer": offer, "given": given, "dealt": dealt, "hand": hand}
    return form_page(server, request, "real.html", problem, **told_now)


def _at(players: Sequence[str], seat: str) -> str:
    """Return the name at a seat, numbered from 0. Raise `InputError` if there is no such seat."""
    index = number(seat or "0", 0, len(players))
    if index is None or index == len(players):
        raise InputError(f"expected the number of a seat, got {seat[:40]!r}")
    return players[index]


async def begin(server: Server, request: Request) -> Response:
    """Begin the log of a real table."""
    server.access.need_host(request)
    form = await server.form(request)
    players = names_in(form)
    first, you = _at(players, text(form, "first")), _at(players, text(form, "you"))
    hand = text(form, "hand").replace("\r\n", "\n")[:_LONGEST]
    more = first, options_in(form), you, hand
    name = await begun(server, request, form, Notes("real"), beginning.begin_real, *more)
    return go(f"/t/{server.address(name)}")


ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/t/{name}/enter", enter),
    ("POST", "/t/{name}/edit", change),
    ("POST", "/t/{name}/undo", undo),
    ("GET", "/t/{name}/words", words),
    ("GET", "/real/{game}", new),
    ("POST", "/real/{game}", begin),
)
