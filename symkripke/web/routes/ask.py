"""Questions about any moment of a table; at a seat, about the events that its player has seen."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from symkripke.errors import NoAnswerWithin
from symkripke.web.pages import SEAT, Handler, Place, Server, moment, number
from symkripke.web.views import sources
from symkripke.web.views.asking import GROUPS, OPERATORS, TAKES_LONGER, Asking, Effort

PARTS = 6
"""The maximum number of calls of a longer search, each of at most `Settings.seconds`.

Each call continues the work of the previous calls. Between calls, the worker can serve other
requests.
"""


@dataclass(frozen=True)
class Search:
    """A search that takes longer than usual.

    Attributes:
        state: "may begin"; "goes on" (the page continues it); "stopped" (by the person); "given up"
            (after all parts); or "done" (also if no search was needed).
        part: the number of the next part or, once the search has ended, of the last part.
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


async def page(server: Server, request: Request) -> Response:
    """Return the page of questions of a table or of a seat."""
    place = server.place(request)
    query = request.query_params
    given = {field: query.get(field, "")[:1000] for field in _FIELDS if query.get(field)}
    at = moment(request)
    is_asked = "q" in given or ("fact" in given and ("asked" in query or "predict" in query))
    waits = "predict" in query and not query.get("guess")
    # A longer search has several parts. Before the first, and after "Stop", nothing is searched.
    part = number(query.get("longer", ""), 1, PARTS) or 0
    begins, stops = "begins" in query, "stops" in query
    if is_asked and not waits and not begins and not stops:
        asking = await _answered(server, place, at, given, longer=part > 0)
    else:
        asking = await _menus(server, place, at, given)
    return server.page(
        request,
        "ask.html",
        view=asking,
        operators=OPERATORS,
        groups=GROUPS,
        given=query,
        at=at,
        back=place.base,
        is_asked=is_asked,
        waits=waits,
        search=_search(asking, part, begins=begins, stops=stops),
        parts=PARTS,
        seconds=f"{server.settings.seconds:g}",
    )


def _search(asking: Asking, part: int, *, begins: bool, stops: bool) -> Search:
    """Return the state of a longer search."""
    if begins:
        return Search("goes on", 1)
    if stops:
        return Search("stopped", part)
    if not asking.is_cut:
        return Search("done", part)
    if part == PARTS:
        return Search("given up", part)
    return Search("goes on", part + 1) if part else Search("may begin", 0)


async def _menus(server: Server, place: Place, at: int | None, given: dict[str, str]) -> Asking:
    """Return the data of the page without an answer."""
    ask = sources.menus_only
    return await server.work.quick(place.name, ask, place.log, place.who, at, given)


async def _answered(
    server: Server, place: Place, at: int | None, given: dict[str, str], *, longer: bool
) -> Asking:
    """Return the data of the page with the answer.

    Nearly all answers take little work. The others, and pictures, are computed by the workers for
    long calls, so that they do not delay short calls.
    """
    slow, long = (server.work.slow, Effort.LITTLE), (server.work.long, Effort.USUAL)
    tries = [long] if "draw" in given else [slow, long]
    asking: Asking | None = None
    for pool, effort in [(server.work.long, Effort.LONGER)] if longer else tries:
        if asking is None or asking.is_cut:
            ask = sources.question
            with suppress(NoAnswerWithin):
                asking = await pool(place.name, ask, place.log, place.who, at, given, effort)
    if asking is None:
        asking = await _menus(server, place, at, given)
        return replace(asking, problem=TAKES_LONGER, cut=True)
    return asking


async def words(server: Server, request: Request) -> Response:
    """Return the completions of a typed formula."""
    place = server.place(request)
    typed, at = request.query_params.get("text", "")[:1000], moment(request)
    ask = sources.completions
    return JSONResponse(await server.work.quick(place.name, ask, place.log, place.who, at, typed))


ROUTES: tuple[tuple[str, str, Handler], ...] = tuple(
    ("GET", f"{place}{path}", handler)
    for place in ("/t/{name}", SEAT)
    for path, handler in (("/ask", page), ("/ask/words", words))
)
