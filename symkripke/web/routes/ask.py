"""Questions about a table, at any moment of it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from symkripke.web.pages import Handler, Server, number
from symkripke.web.views import sources
from symkripke.web.views.asking import Asking, Effort

_FIELDS = (
    "q",
    "fact",
    "not",
    "draw",
    "longer",
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
    if is_asked and not waits:
        found = await _answered(server, name, log, seat, at, given)
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
    )


async def _answered(
    server: Server, name: str, log: str, seat: str, at: int | None, given: dict[str, str]
) -> Asking:
    """The page with the answer.

    Nearly all answers are found with little work. The others, and pictures, are left to processes
    that nobody else waits for.
    """
    if "longer" in given:
        return await server.work.long(name, sources.question, log, seat, at, given, Effort.LONGER)
    if "draw" not in given:
        little = Effort.LITTLE
        found = await server.work.slow(name, sources.question, log, seat, at, given, little)
        if not found.is_cut:
            return found
    return await server.work.long(name, sources.question, log, seat, at, given, Effort.USUAL)


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
