"""The lobby, and new tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from secrets import token_hex
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from symkripke.errors import InputError
from symkripke.play.seats import player_id
from symkripke.play.strategies import HUMAN
from symkripke.play.words import person
from symkripke.web.access import Forbidden
from symkripke.web.pages import Fields, Handler, Server, go, number, text
from symkripke.web.routes import seats
from symkripke.web.tables import Listed, Notes, ago
from symkripke.web.views import beginning, hosting, uploading
from symkripke.web.views.beginning import Offer
from symkripke.web.views.demo import demo
from symkripke.web.views.mistakes import mistake

_PLAYERS = 24
"""The maximum number of players read from a form."""

_LONGEST_NAME = 30
"""The maximum length of a name, here and in the forms."""

_ONE_USE = ("form_token", "once")
"""Fields that belong to one page and one browser."""


_NEWEST = 12
"""The number of tables shown by default."""

_MOST = 1000


def _is_meant(find: str, table: Listed, titles: Mapping[str, str]) -> bool:
    """Return whether a table's title, game or players contain all words of a search."""
    about = (table.title, titles.get(table.game, table.game), *map(person, table.players))
    words = " ".join(about).casefold()
    return all(word in words for word in find.casefold().split())


async def lobby(server: Server, request: Request, problem: str = "") -> Response:
    """Return the lobby: all games, and the tables that match a search.

    `problem` describes the fault in an uploaded log.
    """
    given = request.query_params
    if "key" in given:
        if server.access.opens(given["key"], "key", "host"):
            request.session["host"] = True
        return go("/")
    if not server.access.is_host(request):
        return server.page(request, "closed.html")
    recorded = demo()
    games = await server.work.quick("lobby", beginning.games)
    titles = {game.name: game.title for game in games}
    tables = server.tables.all()
    find, shows_all = text(given, "find")[:80], "all" in given
    matching = [table for table in tables if _is_meant(find, table, titles)]
    most = _MOST if shows_all else _NEWEST
    return server.page(
        request,
        "lobby.html",
        422 if problem else 200,
        problem=problem,
        games=games,
        demo=recorded,
        once=token_hex(16),
        tables=matching[:most],
        number=len(tables),
        has_more=len(matching) > most,
        find=find,
        shows_all=shows_all,
        titles=titles,
        address=server.address,
        ago=partial(ago, now=time.time()),
    )


def options_in(given: Fields) -> dict[str, str]:
    """Return the options of the game: the non-empty fields whose names begin with `set.`."""
    return {
        name.removeprefix("set."): text(given, name)
        for name in given
        if name.startswith("set.") and text(given, name)
    }


async def new(server: Server, request: Request) -> Response:
    """Return the page with the choices for a new table."""
    server.access.need_host(request)
    given = request.query_params
    if "form_token" in given:  # sent without JavaScript: keep the token out of the address
        kept = [(key, value) for key, value in given.multi_items() if key not in _ONE_USE]
        return go(f"{request.url.path}?{urlencode(kept)}")
    offer = await offered(server, request, given)
    return form_page(server, request, "new.html", offer=offer, given=given)


async def offered(server: Server, request: Request, given: Fields) -> Offer:
    """Return the choices for a new table, with the input so far."""
    names = names_in(given)
    players = number(text(given, "players"), 1, _PLAYERS) or len(names) or None
    game, rules = request.path_params["game"], text(given, "rules")
    return await server.work.quick(
        "lobby", beginning.offer, game, rules, players, options_in(given), names
    )


def form_page(
    server: Server, request: Request, template: str, problem: str = "", **values: Any
) -> Response:
    """Return a page with a form that takes effect once, identified by a random value.

    A user who opens the page again gets a new value, and can begin another table. The problem of a
    rejected form is shown above the form, which keeps its input.
    """
    status = 422 if problem else 200
    return server.page(request, template, status, once=token_hex(16), problem=problem, **values)


def names_in(form: Fields) -> tuple[str, ...]:
    """Return the players' names in seat order; a seat without a name has an empty one."""
    seats = (f"name{seat}" for seat in range(_PLAYERS))
    return tuple(text(form, seat)[:_LONGEST_NAME] for seat in seats if seat in form)


async def begun(
    server: Server,
    request: Request,
    form: Fields,
    notes: Notes,
    task: Callable[..., object],
    *more: object,
) -> str:
    """Begin the table of a form, and return its name; `task` begins the log. See `new_table`."""
    game = request.path_params["game"]
    chosen = game, text(form, "rules"), names_in(form)
    return await new_table(server, game, form, notes, task, *chosen, *more)


async def new_table(
    server: Server,
    game: str,
    form: Fields,
    notes: Notes,
    task: Callable[..., object],
    *more: object,
) -> str:
    """Begin a table, and return its name. Raise `InputError` if there are too many.

    The name is derived from the fields of the form and a secret. A form that is sent twice
    therefore begins one table, and nobody can guess the name.
    """
    if len(server.tables.all()) >= server.settings.tables:
        raise InputError(f"there are {server.settings.tables} tables already: delete some")
    fields = [f"{key}={value}" for key, value in form.multi_items()]
    name = server.tables.name_from(game, server.access.token("table", game, *fields))
    path = server.tables.new_log(name)
    async with server.work.changing(name):
        if not path.exists():
            await server.work.quick(name, task, str(path), *more)
            server.tables.note(name, notes)
            if notes.kind == "seats":
                await seats.play_on(server, name, str(path))
    return name


async def begin(server: Server, request: Request) -> Response:
    """Begin a table at which programs or people play."""
    server.access.need_host(request)
    form = await server.form(request)
    try:
        return await _begin(server, request, form)
    except InputError as error:
        offer, problem = await offered(server, request, form), mistake(error).words
        return form_page(server, request, "new.html", problem, offer=offer, given=form)


async def tour(server: Server, request: Request) -> Response:
    """Return a step of the tour through the recorded game."""
    recorded = demo()
    step = number(text(request.query_params, "step"), 1, len(recorded.tour)) or 1
    return server.page(request, "tour.html", demo=recorded, step=step, once=token_hex(16))


async def start(server: Server, request: Request) -> Response:
    """Begin a table with the usual players; with the field `play`, a person has the first seat."""
    server.access.need_host(request)
    form = await server.form(request)
    offer = await offered(server, request, Fields())
    fields = [("once", text(form, "once")), ("rules", offer.chosen)]
    for seat, who in enumerate(offer.players):
        mind = HUMAN if seat == 0 and "play" in form else offer.usual
        fields += [(f"name{seat}", who), (f"mind{seat}", mind)]
    return await _begin(server, request, Fields(fields))


async def _begin(server: Server, request: Request, form: Fields) -> Response:
    players = names_in(form)
    minds = tuple(text(form, f"mind{seat}") for seat in range(len(players)))
    seed = text(form, "seed")
    if seed and (not seed.isdecimal() or len(seed) > 18):
        raise InputError(f"expected a whole number as the seed, got {seed[:40]!r}")
    people = [player_id(who) for who, mind in zip(players, minds, strict=True) if mind == HUMAN]
    notes = Notes("seats" if people else "watch", text(form, "title")[:80])
    more = options_in(form), minds, int(seed) if seed else None
    name = await begun(server, request, form, notes, hosting.begin, *more)
    if len(people) == 1:
        return go(server.seat_address(name, people[0]))
    return go(f"/t/{server.address(name)}")


async def upload(server: Server, request: Request) -> Response:
    """Begin a table with an uploaded log."""
    server.access.need_host(request)
    try:
        sent = await server.upload(request)
        log = await server.work.long("uploads", uploading.checked, sent.text, sent.name)
        fields = Fields([*sent.form.multi_items(), ("log", sent.text)])
        notes = Notes(log.kind)
        name = await new_table(server, log.game, fields, notes, uploading.keep, sent.text)
    except Forbidden:
        raise
    except InputError as error:
        return await lobby(server, request, str(error))
    return go(f"/t/{server.address(name)}")


async def first_page(server: Server, request: Request) -> Response:
    """Redirect requests for the address of a form to the first page."""
    return go("/")


async def remove(server: Server, request: Request) -> Response:
    """Delete a table."""
    server.access.need_host(request)
    await server.form(request)
    server.tables.remove(server.place(request).name)
    return go("/")


ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/", lobby),
    ("GET", "/tour", tour),
    ("GET", "/new/{game}", new),
    ("POST", "/new/{game}", begin),
    ("POST", "/start/{game}", start),
    ("GET", "/start/{game}", first_page),
    ("POST", "/upload", upload),
    ("GET", "/upload", first_page),
    ("POST", "/t/{name}/remove", remove),
)
