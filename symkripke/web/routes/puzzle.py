"""Puzzles, and problems that the host enters."""

from __future__ import annotations

import re
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from symkripke.errors import InputError
from symkripke.files import read_text, write_whole
from symkripke.web.pages import Handler, Server, go, number, text
from symkripke.web.tables import NoTable
from symkripke.web.views import puzzling

_STEPS = 10_000
_LONGEST = 20_000
_FILES = 1_000


async def listed(server: Server, request: Request) -> Response:
    """Return the page of all puzzles, with a form for the host's own problem."""
    listing = await server.work.long("puzzles", puzzling.listed)
    return server.page(request, "puzzles.html", listing=listing, problem="", typed="")


async def puzzle(server: Server, request: Request) -> Response:
    """Return the page of a puzzle after a number of steps."""
    name = request.path_params["name"]
    stated = await server.work.quick("puzzles", puzzling.stated, name)
    return await _page(server, request, stated, "")


async def bring(server: Server, request: Request) -> Response:
    """Save the text of a problem, and redirect to its page."""
    server.access.need_host(request)
    form = await server.form(request)
    typed = text(form, "text").replace("\r\n", "\n")[:_LONGEST]
    if not typed:
        raise InputError("expected the text of a problem")
    try:
        await server.work.long("problems", puzzling.checked, f"{typed}\n")
    except InputError as error:
        listing = await server.work.long("puzzles", puzzling.listed)
        return server.page(
            request, "puzzles.html", 422, listing=listing, problem=str(error), typed=typed
        )
    folder = server.settings.data / "problems"
    folder.mkdir(exist_ok=True)
    name = sha256(typed.encode()).hexdigest()[:32]
    if len(list(folder.glob("*.skp"))) >= _FILES:
        raise InputError(f"there are {_FILES} problems already: delete some from {folder}")
    write_whole(folder / f"{name}.skp", f"{typed}\n")
    return go(f"/problems/{name}")


async def back(server: Server, request: Request) -> Response:
    """Redirect a browser that opens or reloads the address to which problems are sent."""
    return go("/puzzles")


async def problem(server: Server, request: Request) -> Response:
    """Return the page of the host's own problem after a number of steps."""
    name = request.path_params["name"]
    path = server.settings.data / "problems" / f"{name}.skp"
    if not re.fullmatch("[0-9a-f]{32}", name) or not path.is_file():
        raise NoTable("there is no such problem")
    typed = read_text(path)
    stated = puzzling.Stated(name, "Your own problem", "", None, "", None, typed)
    return await _page(server, request, stated, typed)


async def _page(server: Server, request: Request, stated: puzzling.Stated, typed: str) -> Response:
    given = request.query_params
    size = number(given.get("n", ""), 0, 1_000_000)
    step = number(given.get("step", ""), 0, _STEPS) or 0
    page = await server.work.long(
        f"puzzle {stated.name}", puzzling.going, stated.name, typed, size, step, "why" in given
    )
    return server.page(
        request,
        "puzzle.html",
        stated=stated,
        view=page,
        n=size,
        guess=given.get("guess", ""),
        why="why" in given,
    )


ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/puzzles", listed),
    ("GET", "/puzzles/{name}", puzzle),
    ("GET", "/problems", back),
    ("POST", "/problems", bring),
    ("GET", "/problems/{name}", problem),
)
