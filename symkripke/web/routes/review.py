"""The review of a game, and the shareable file of the game."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from symkripke.play.review.page import STYLE
from symkripke.web.access import Forbidden
from symkripke.web.pages import Handler, Server, go
from symkripke.web.routes.watch import people_play
from symkripke.web.views import reviewing

_ROUNDS = 40
"""The maximum number of rounds per request; each takes about a second."""


async def review(server: Server, request: Request) -> Response:
    """Return the page of a review: the knowledge of each player, and the quality of moves."""
    place = server.place(request)
    if await people_play(server, place):
        raise Forbidden("people are playing this game: the review is available when it is over")
    # The first page is shown at once; its script asks for the rest.
    begun = "now" in request.query_params
    reviewed = await server.work.long(place.name, reviewing.reviewed, place.log) if begun else None
    return server.page(request, "review.html", name=server.address(place.name), view=reviewed)


async def sharing(server: Server, request: Request) -> Response:
    """Create the shareable file, in parts, and finally return a link to it."""
    place = server.place(request, for_host=True)
    steps = await server.work.long(place.name, reviewing.sharing_so_far, place.log)
    return server.page(request, "sharing.html", name=server.address(place.name), view=steps)


async def share(server: Server, request: Request) -> Response:
    """Return the game as a self-contained HTML file."""
    place = server.place(request, for_host=True)
    for _ in range(_ROUNDS):
        if html := await server.work.long(place.name, reviewing.shared, place.log):
            break
    else:
        return go(f"{place.base}/sharing")
    headers = {"Content-Disposition": f'attachment; filename="{place.name.partition("-")[0]}.html"'}
    return PlainTextResponse(html, headers=headers, media_type="text/html")


async def style(server: Server, request: Request) -> Response:
    """Return the CSS of reviews."""
    return PlainTextResponse(STYLE, media_type="text/css")


ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/t/{name}/review", review),
    ("GET", "/t/{name}/sharing", sharing),
    ("GET", "/t/{name}/share", share),
    ("GET", "/review.css", style),
)
