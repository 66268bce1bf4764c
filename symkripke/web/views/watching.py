"""The page of a watched game: every player, at any turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import log as logarithm
from typing import Any

from symkripke.errors import check_name
from symkripke.language import Atom
from symkripke.model import Fixed, Scene, evaluate
from symkripke.play import Moment, News
from symkripke.play.news import news
from symkripke.play.strategies import considers
from symkripke.web.views.curve import curve
from symkripke.web.views.knowing import Knowledge, asks_a_question, knowledge_of
from symkripke.web.views.opened import EventSummary, OpenLog, Read, opened, replayed

SHOWS = ("sheet", "odds", "words", "others")
"""The ways to show a player's knowledge."""


@dataclass(frozen=True)
class Seated:
    """A player on the page of a watched game.

    Attributes:
        name: the player's name in the log.
        title: the player's name, as people write it.
        mind: the kind of player; empty if it is unknown.
        considers: the information that this kind of player uses.
        cards: the current hand.
        open: the number of answers that the player considers possible; None if it is unknown.
        share: this number as the length of a bar, from 0 to 100, on a logarithmic scale.
        status: "certain", "out", or what the player has won.
        learned: the cards that the player has located through the last event, in words.
    """

    name: str
    title: str
    mind: str
    considers: str
    cards: Sequence[str]
    open: int | None
    share: float
    status: str
    learned: str


@dataclass(frozen=True)
class Watched:
    """The data of the page of a watched game.

    Attributes:
        asks: whether the game asks a question, so that players can know who knows the answer.
        legend: the meanings of the short names of cards; empty if cards have their full names.
        has_long_hands: whether hands need more lines than usual.
    """

    title: str
    rules: str
    game: str
    seed: int | None
    at: int
    last: int
    turn: int
    is_over: bool
    result: str
    can_play: bool
    events: Sequence[EventSummary]
    seats: Sequence[Seated]
    elsewhere: Sequence[tuple[str, Sequence[str]]]
    question: str
    counted: str
    curve: str
    known: Sequence[Knowledge]
    asks: bool
    legend: str
    has_long_hands: bool

    @property
    def kinds(self) -> Sequence[tuple[str, str]]:
        """The kinds of players that take part, and the information that each uses."""
        return list({seat.mind: seat.considers for seat in self.seats if seat.mind}.items())


def watched(path: str, at: int | None, players: tuple[str, ...], show: str, link: str) -> Watched:
    """Return a game after the first `at` events.

    Args:
        path: the log.
        at: the number of events so far; None for the current moment.
        players: the players whose knowledge is shown, at most two.
        show: the way to show it, one of `SHOWS`.
        link: the link of each event on the curve, with `{}` for its number.
    """
    log = opened(path)
    moment = log.at(at)
    key = "watched", moment.events, log.moment.events, players, show, link
    page: Watched = log.kept.get_or_create(key, lambda: _watched(log, moment, players, show, link))
    return page


def knowledge(path: str, at: int, players: tuple[str, ...], show: str) -> list[Knowledge]:
    """Return the players' knowledge after the first `at` events. This may take several seconds.

    The log is replayed without players, so the process need not let programs choose moves.
    """
    log = replayed(path)
    moment = log.moment.after(min(at, log.moment.events))
    return _opened_up(log, moment, players, show)


def played(path: str, events: int) -> int:
    """Play at most `events` events; return the number played."""
    return opened(path).play(events)


def _watched(
    log: OpenLog, moment: Moment[Any, Any], players: Sequence[str], show: str, link: str
) -> Watched:
    held, elsewhere = held_now(moment)
    turns = [0, *log.moment.turns[1:]]
    lines: dict[str, list[int]] = {
        moment.layout.person(name): [
            log.assessed(number)[name].open for number in range(log.moment.events + 1)
        ]
        for name in log.assessed(0)
    }
    most = max((max(line) for line in lines.values()), default=1)
    return Watched(
        title=log.game.title,
        rules=log.setup.rules,
        game=log.game.name,
        seed=log.record.seed,
        at=moment.events,
        last=log.moment.events,
        turn=moment.turn,
        is_over=log.is_over and moment.events == log.moment.events,
        result=log.result,
        can_play=log.table is not None and not log.is_over,
        events=log.events,
        seats=[_seated(log, moment, name, held.get(name, ()), most) for name in log.setup.players],
        elsewhere=[(title, cards) for title, cards in elsewhere if cards],
        question=log.game.question,
        counted=log.game.counted,
        curve=curve(lines, turns, moment.events, log.game.question, link),
        known=_opened_up(log, moment, players, show),
        asks=asks_a_question(log.game),
        legend=moment.layout.legend if moment.layout.codes else "",
        has_long_hands=_has_long_hands(log.moment),
    )


def held_now(
    moment: Moment[Any, Any],
) -> tuple[dict[str, Sequence[str]], list[tuple[str, Sequence[str]]]]:
    """Return the cards of each player, and of each other place, at a moment; empty if unknown."""
    layout, state = moment.layout, moment.state
    if not isinstance(state, Scene):
        return {}, []
    if layout.contents is not None:
        names, value_now = moment.structure.vocabulary.plain, moment.structure.resolver.value
        said = layout.contents({name: value_now(name, state.world) for name in names})
        held: dict[str, Sequence[str]] = {
            column: (words,) if words else () for column, words in said.items()
        }
    else:
        held = {
            column: [
                layout.codes.get(row, title)
                for row, title in layout.rows.items()
                if evaluate(moment.structure.resolve(layout.cells[row, column]), state.world)
            ]
            for column in layout.columns
        }
    players = moment.setup.players
    rest = [(layout.columns[c], cards) for c, cards in held.items() if c not in players]
    return {c: cards for c, cards in held.items() if c in players}, rest


def _seated(
    log: OpenLog, moment: Moment[Any, Any], name: str, cards: Sequence[str], most: int
) -> Seated:
    assessment = log.assessed(moment.events).get(name)
    standing = log.game.standing(log.setup, log.position(moment), name)
    status = standing.note
    if not status and assessment is not None and assessment.certain:
        status = "certain"
    if standing.won:
        status = f"{status}, {standing.won}" if status else standing.won
    mind = log.minds[log.setup.players.index(name)] if log.minds else ""
    share = 0.0
    if assessment is not None:
        share = 100 * logarithm(max(1, assessment.open)) / logarithm(max(2, most))
    return Seated(
        name,
        moment.layout.person(name),
        mind,
        considers(log.game, mind) if mind else "",
        cards,
        None if assessment is None else assessment.open,
        share,
        status,
        _learned(log, moment, name),
    )


_FEW = 4

_MANY = 8
"""Hands are long if there are more cards than this per player."""


def _learned(log: OpenLog, moment: Moment[Any, Any], name: str) -> str:
    """Return the cards that a player has located through the last event, in words."""
    if moment.events == 0 or name not in log.assessed(moment.events):
        return ""
    before = log.assessed(moment.events - 1)[name].located
    now = log.assessed(moment.events)[name].located
    layout, versions = moment.layout, moment.structure.versions
    rows = list(layout.rows)
    places = [
        layout.places[atom]
        for fluent, value in now.items()
        if before.get(fluent) != value and not isinstance(versions.get(fluent), Fixed)
        if (atom := Atom(fluent, value)) in layout.places
    ]
    places.sort(key=lambda place: rows.index(place[0]))
    short = len(places) > _FEW
    return ", ".join(
        f"{layout.codes.get(row, layout.rows[row]) if short else without_code(layout.rows[row])} "
        f"({layout.columns[column]})"
        for row, column in places
    )


def without_code(title: str) -> str:
    """Return the title of a row without the short name in brackets."""
    return title.partition(" (")[0]


def _opened_up(
    log: Read, moment: Moment[Any, Any], players: Sequence[str], show: str
) -> list[Knowledge]:
    return [
        log.kept.get_or_create(
            ("knowledge", moment.events, name, show),
            partial(_knowledge, log, moment, name, show),
        )
        for name in dict.fromkeys(players)
    ]


def _knowledge(log: Read, moment: Moment[Any, Any], name: str, show: str) -> Knowledge:
    """Return a player's knowledge in the form to show."""
    check_name("player", name, moment.setup.players)
    before = moment.after(max(0, moment.events - 1))

    def last_news() -> News:
        then, now = log.marks(before, name), log.marks(moment, name)
        return news(moment, name, moment.events - before.events, then=then, now=now)

    return knowledge_of(moment, name, log.position(moment), show, last_news)


def _has_long_hands(moment: Moment[Any, Any]) -> bool:
    layout = moment.layout
    return not layout.codes and len(layout.rows) > _MANY * len(moment.setup.players)
