"""A real table: begin its log, enter events, correct slips."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from symkripke.errors import InputError
from symkripke.web.pages import Handler, Server, go, number, query, text
from symkripke.web.routes.lobby import (
    form_page,
    names_in,
    new_table,
    offered,
    options_in,
    room,
)
from symkripke.web.tables import Notes
from symkripke.web.views import beginning, knowing, noting
from symkripke.web.views.mistakes import mistake
from symkripke.web.views.noting import Refused

_LONGEST = 2_000
"""The greatest number of characters that is read of an entry."""


async def page(
    server: Server, request: Request, refused: Refused | None = None, edit: int | None = None
) -> Response:
    """The page of a real table, with the refused entry if there is one."""
    name = server.table(request)
    log = str(server.tables.log(name))
    server.access.need_host(request)
    version = server.tables.version(name)
    given = request.query_params
    show = given.get("show", "")
    if show not in knowing.SHOWS:
        show = knowing.SHOWS[0]
    if edit is None:
        edit = number(given.get("edit", ""), 1, 1_000_000)
    waits = server.work.waits(show, given)
    do = server.work.quick if waits else server.work.showing(show)
    noted = await do(name, noting.noted, log, "" if waits else show)
    if noted.result and show == "suggest":  # there is nothing to suggest any more
        show, waits = knowing.SHOWS[0], False
        noted = await server.work.quick(name, noting.noted, log, show)
    if refused is None and noted.fault:
        refused = await server.work.long(name, noting.slip, log, "", None)
    return server.page(
        request,
        "notes.html",
        422 if refused is not None and refused.title else 200,
        name=server.address(name),
        version=version,
        notes=server.tables.notes(name),
        noted=noted,
        show=show,
        waits=waits,
        refused=refused,
        edit=edit if edit is not None and edit <= len(noted.events) else None,
    )


async def enter(server: Server, request: Request) -> Response:
    """Tell an event, or a part of one."""
    name, log = await _mine(server, request)
    form = await server.form(request)
    taps = [tap for tap in form.getlist("tap") if isinstance(tap, str)]
    # What is typed may still lie there from before, if something is tapped.
    by_text = text(form, "by") == "text" or not taps
    told = (text(form, "text") if by_text else ", ".join(taps))[:_LONGEST]
    async with server.work.alone(f"change {name}"):
        refused = await server.work.quick(name, noting.enter, log, told, text(form, "seen"))
    return await _answered(server, request, refused, None)


async def change(server: Server, request: Request) -> Response:
    """Replace an entry, or take it out."""
    name, log = await _mine(server, request)
    form = await server.form(request)
    entry = number(text(form, "number"), 1, 1_000_000) or 0
    told = "" if text(form, "remove") else text(form, "text")[:_LONGEST]
    async with server.work.alone(f"change {name}"):
        refused = await server.work.quick(name, noting.change, log, entry, told, text(form, "seen"))
    return await _answered(server, request, refused, entry)


async def undo(server: Server, request: Request) -> Response:
    """Take back what was told last."""
    name, log = await _mine(server, request)
    form = await server.form(request)
    async with server.work.alone(f"change {name}"):
        refused = await server.work.quick(name, noting.undo, log, text(form, "seen"))
    return await _answered(server, request, refused, None)


async def words(server: Server, request: Request) -> Response:
    """The ways to go on with what is being typed."""
    name, log = await _mine(server, request)
    typed = request.query_params.get("text", "")[:_LONGEST]
    return JSONResponse(await server.work.quick(name, noting.completions, log, typed))


async def _mine(server: Server, request: Request) -> tuple[str, str]:
    name = server.table(request)
    log = str(server.tables.log(name))
    server.access.need_host(request)
    return name, log


async def _answered(
    server: Server, request: Request, refused: Refused | None, entry: int | None
) -> Response:
    name = server.table(request)
    if refused is None:
        return go(f"/t/{server.address(name)}{query(show=request.query_params.get('show'))}")
    if refused.may_search:
        log = str(server.tables.log(name))
        found = await server.work.long(name, noting.slip, log, refused.text, entry)
        refused = found if found.title else refused
    return await page(server, request, refused, entry)


# ---- begin ---------------------------------------------------------------------------------------


async def new(server: Server, request: Request) -> Response:
    """The page that begins a real table: who plays, who you are, what you were dealt."""
    server.access.need_host(request)
    game = request.path_params["game"]
    given = request.query_params
    players = names_in(given)
    offer = await offered(server, request, given)
    dealt, problem, hand = None, "", given.get("hand", "")[:_LONGEST]
    if given.get("step") == "hand":
        taps = given.getlist("tap")
        typed = given.get("typed", "").strip() or ", ".join(taps)
        told = f"{hand}\n{typed}" if hand and typed else hand or typed
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
                told[:_LONGEST],
            )
            hand = hand if dealt.problem else told
        except InputError as error:
            problem = mistake(error).words
    told_now = {"offer": offer, "given": given, "dealt": dealt, "hand": hand}
    return form_page(server, request, "real.html", problem, **told_now)


def _at(players: Sequence[str], seat: str) -> str:
    """The name at a seat, which is given by its number from 0; raises `InputError` if none is."""
    found = number(seat or "0", 0, len(players))
    if found is None or found == len(players):
        raise InputError(f"expected the number of a seat, got {seat[:40]!r}")
    return players[found]


async def begin(server: Server, request: Request) -> Response:
    """Begin the log of a real table."""
    server.access.need_host(request)
    form = await server.form(request)
    room(server)
    game, players = request.path_params["game"], names_in(form)
    name = new_table(server, game, form)
    path = server.tables.new_log(name)
    async with server.work.alone(f"change {name}"):
        if not path.exists():
            await server.work.quick(
                name,
                beginning.begin_real,
                str(path),
                game,
                text(form, "rules"),
                players,
                _at(players, text(form, "first")),
                options_in(form),
                _at(players, text(form, "you")),
                text(form, "hand").replace("\r\n", "\n")[:_LONGEST],
            )
            server.tables.note(name, Notes("real"))
    return go(f"/t/{server.address(name)}")


ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/t/{name}/enter", enter),
    ("POST", "/t/{name}/edit", change),
    ("POST", "/t/{name}/undo", undo),
    ("GET", "/t/{name}/words", words),
    ("GET", "/real/{game}", new),
    ("POST", "/real/{game}", begin),
)
