"""Questions about a table, at any moment of it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from symkripke.errors import NoAnswerWithin
from symkripke.web.pages import Handler, Server, number
from symkripke.web.views import sources
from symkripke.web.views.asking import TAKES_LONGER, Asking, Effort

PARTS = 6
"""A longer search ends after so many calls, each of which may take `Settings.patience` seconds.

Each goes on with what the calls before have found. Between them others have their turn.
"""


@dataclass(frozen=True)
class Search:
    """A search that takes longer than usual.

    Attributes:
        state: "may begin"; "goes on", by the page itself; "stopped" by the person; "given up" after
            all its parts; "done", or not needed.
        part: which part comes next, or was the last.
    """

    state: Literal["may begin", "goes on", "stopped", "given up", "done"]
    part: int


_FIELDS = (
    "q",
    "fact",
    "not",
    "draw",
    *(f"x{number}" for number in range(3)),
    *(f"{name}{level}" for level in range(3) for name in ("who", "op")),
)


async def table(server: Server, request: Request) -> Response:
    """Ask about a table."""
    name = server.table(request)
    log = str(server.tables.log(name))
    if server.tables.notes(name).kind == "real":
        server.access.need_host(request)
    return await page(server, request, name, log, "", f"/t/{server.address(name)}")


async def page(
    server: Server, request: Request, name: str, log: str, seat: str, back: str
) -> Response:
    """The page of questions of a table or of a seat; `back` is where its moments are."""
    query = request.query_params
    given = {field: query.get(field, "")[:1000] for field in _FIELDS if query.get(field)}
    at = number(query.get("at", ""), 0, 1_000_000)
    is_asked = "q" in given or ("fact" in given and ("asked" in query or "predict" in query))
    waits = "predict" in query and not query.get("guess")
    # A longer search has several parts. Before the first, and after "Stop", nothing is searched.
    part = number(query.get("longer", ""), 1, PARTS) or 0
    begins, stops = "begins" in query, "stops" in query
    if is_asked and not waits and not begins and not stops:
        found = await _answered(server, name, log, seat, at, given, longer=part > 0)
    else:
        found = await server.work.quick(name, sources.menus_only, log, seat, at, given)
    return server.page(
        request,
        "ask.html",
        found=found,
        given=query,
        at=at,
        name=name,
        back=back,
        is_asked=is_asked,
        waits=waits,
        search=_search(found, part, begins=begins, stops=stops),
        parts=PARTS,
        seconds=f"{server.settings.patience:g}",
    )


def _search(found: Asking, part: int, *, begins: bool, stops: bool) -> Search:
    """Where a longer search stands."""
    if begins:
        return Search("goes on", 1)
    if stops:
        return Search("stopped", part)
    if not found.is_cut:
        return Search("done", part)
    if part == PARTS:
        return Search("given up", part)
    return Search("goes on", part + 1) if part else Search("may begin", 0)


async def _answered(
    server: Server,
    name: str,
    log: str,
    seat: str,
    at: int | None,
    given: dict[str, str],
    *,
    longer: bool,
) -> Asking:
    """The page with the answer.

    Nearly all answers are found with little work. The others, and pictures, are left to processes
    that nobody else waits for.
    """
    effort = Effort.LONGER if longer else Effort.USUAL
    found: Asking | None = None
    if not longer and "draw" not in given:
        little = Effort.LITTLE
        with suppress(NoAnswerWithin):
            found = await server.work.slow(name, sources.question, log, seat, at, given, little)
    if found is None or found.is_cut:
        with suppress(NoAnswerWithin):
            found = await server.work.long(name, sources.question, log, seat, at, given, effort)
    if found is None:
        found = await server.work.quick(name, sources.menus_only, log, seat, at, given)
        return replace(found, problem=TAKES_LONGER, cut=True)
    return found


async def words(server: Server, request: Request) -> Response:
    """The ways to go on with a formula that is typed."""
    name = server.table(request)
    log = str(server.tables.log(name))
    if server.tables.notes(name).kind != "watch":
        server.access.need_host(request)
    query = request.query_params
    at = number(query.get("at", ""), 0, 1_000_000)
    typed = query.get("text", "")[:1000]
    return JSONResponse(await server.work.quick(name, sources.completions, log, "", at, typed))


ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/t/{name}/ask", table),
    ("GET", "/t/{name}/ask/words", words),
)
