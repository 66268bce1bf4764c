"""The review of a game, and the shareable file of the game."""

from __future__ import annotations

from secrets import token_hex

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from symkripke.play.review.page import STYLE
from symkripke.web.access import Forbidden
from symkripke.web.pages import Fields, Handler, Server, go, number, text
from symkripke.web.routes.lobby import new_table
from symkripke.web.routes.watch import people_play
from symkripke.web.tables import Notes
from symkripke.web.views import hosting, reviewing

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
    if reviewed is not None and reviewed.html:
        server.flags.put((place.name, place.version), tuple(reviewed.flags))
    return server.page(
        request,
        "review.html",
        name=server.address(place.name),
        view=reviewed,
        once=token_hex(16),
    )


async def play_again(server: Server, request: Request) -> Response:
    """Begin a table from a position of a game: a person takes the seat to move."""
    place = server.place(request, for_host=True)
    form = await server.form(request)
    if await people_play(server, place):
        raise Forbidden("people are playing this game: play on from it when it is over")
    events = number(text(form, "events"), 0, 1_000_000) or 0
    start = await server.work.quick(place.name, hosting.branch, place.log, events)
    fields = Fields([*form.multi_items(), ("log", place.name)])
    notes = Notes("seats", start.title)
    name = await new_table(
        server, start.game, fields, notes, hosting.begin_again, place.log, events
    )
    return go(server.seat_address(name, start.player))


async def back(server: Server, request: Request) -> Response:
    """Redirect a browser that opens or reloads the address to which a form is sent."""
    return go(f"{server.place(request).base}/review")


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
    ("POST", "/t/{name}/again", play_again),
    ("GET", "/t/{name}/again", back),
    ("GET", "/t/{name}/sharing", sharing),
    ("GET", "/t/{name}/share", share),
    ("GET", "/review.css", style),
)
