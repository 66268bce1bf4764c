"""The review of a game, and its file to share."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from symkripke.play.review.page import STYLE
from symkripke.web.access import Forbidden
from symkripke.web.pages import Handler, Server, go
from symkripke.web.routes.watch import people_play
from symkripke.web.views import reviewing

_ROUNDS = 40
"""So often a little more of a file is made for one request; each time takes seconds."""


async def review(server: Server, request: Request) -> Response:
    """The page of a review: who could have known what, and when; how good the moves were."""
    name = server.table(request)
    log = str(server.tables.log(name))
    if server.tables.notes(name).kind == "real":
        server.access.need_host(request)
    if await people_play(server, name):
        raise Forbidden("people are playing this game: the review comes at its end")
    # The first page says at once what is going on; its script asks for the rest.
    begun = "now" in request.query_params
    found = await server.work.long(name, reviewing.reviewed, log) if begun else None
    return server.page(request, "review.html", name=server.address(name), found=found)


async def sharing(server: Server, request: Request) -> Response:
    """The file to share is made, in parts; in the end there is a link to it."""
    name = server.table(request)
    server.access.need_host(request)
    found = await server.work.long(name, reviewing.sharing_so_far, str(server.tables.log(name)))
    return server.page(request, "sharing.html", name=server.address(name), found=found)


async def share(server: Server, request: Request) -> Response:
    """The game as one file, complete in itself, that can be sent to anybody."""
    name = server.table(request)
    log = str(server.tables.log(name))
    server.access.need_host(request)
    for _ in range(_ROUNDS):
        if html := await server.work.long(name, reviewing.shared, log):
            break
    else:
        return go(f"/t/{server.address(name)}/sharing")
    headers = {"Content-Disposition": f'attachment; filename="{name.partition("-")[0]}.html"'}
    return PlainTextResponse(html, headers=headers, media_type="text/html")


async def style(server: Server, request: Request) -> Response:
    """The CSS of reviews."""
    return PlainTextResponse(STYLE, media_type="text/css")


ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/t/{name}/review", review),
    ("GET", "/t/{name}/sharing", sharing),
    ("GET", "/t/{name}/share", share),
    ("GET", "/review.css", style),
)
