"""The timeline of the players' knowledge in a game with known cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from symkripke.engines import Engine, Mark
from symkripke.errors import InputError
from symkripke.model import Scene
from symkripke.play.moment import Moment

_LOOKS = 5
"""The number of moments of a game that are examined."""


@dataclass(frozen=True)
class Knower:
    """The possible knowledge of a player in the course of a game.

    Attributes:
        player: the player.
        answer_since: the turn since which the player could know the answer to the game's question
            (0: since the deal); None: never, or the game has no such question.
        known: the number of things or cells of the note sheet that the player could fill in, for
            some turns.
    """

    player: str
    answer_since: int | None
    known: Mapping[int, int]


@dataclass(frozen=True)
class WhoKnew:
    """The possible knowledge of all players, by turn.

    Attributes:
        knowers: the knowledge of each player.
        things: the number of things to locate, or else the number of cells to fill in; 0 if the
            note sheet changes with each round.
        what: the words for that: "pieces located".
        asks: whether the game has a single question.
        early: for games with a new question in each round, the turns after which only some players
            could know the answer, with these players.
    """

    knowers: tuple[Knower, ...]
    things: int
    what: str
    asks: bool
    early: Mapping[int, tuple[str, ...]]


def knowledge_timeline(
    moment: Moment[Any, Any],
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> WhoKnew:
    """Return the timeline of the players' knowledge.

    Args:
        moment: the last moment of a fully known game.
        tell: a function called with the numbers of finished players and of all players.

    Raises:
        InputError: the moment belongs to the record of one seat.
        BudgetExceeded: the budget of the engine ran out.
    """
    if not isinstance(moment.state, Scene):
        raise InputError("the record of one seat does not show what others knew")
    asked, game, setup = moment.engine, moment.game, moment.setup
    players = setup.players
    changes = bool(game.answer)  # the question changes with each event
    asks = not changes and all(
        game.knows_answer(setup, moment.structure, player) is not None for player in players
    )
    layout = moment.layout
    are_places = not layout.describes and all(
        len({getattr(layout.cells[row, column], "fluent", None) for column in layout.columns}) == 1
        for row in layout.rows
    )
    knowers = []
    for number, player in enumerate(players, 1):
        since = _since(moment, player, asked) if asks else None
        turns = () if changes else _turns(moment)
        known = {turn: _known(moment.at(turn), player, asked, are_places) for turn in turns}
        knowers.append(Knower(player, since, known))
        tell(number, len(players))
    things = 0 if changes else len(layout.rows if are_places else layout.things)
    what = f"{layout.held_as[1]} known" if layout.describes else "cells of the note sheet known"
    what = "pieces located" if are_places else what
    early = _early(moment, asked) if changes else {}
    return WhoKnew(tuple(knowers), things, what, asks, early)


def _turns(moment: Moment[Any, Any]) -> tuple[int, ...]:
    """Return turns at even intervals, including the deal and the last turn."""
    last = moment.turns[-1]
    return tuple(sorted({round(last * look / (_LOOKS - 1)) for look in range(_LOOKS)}))


def _known(moment: Moment[Any, Any], player: str, asked: Engine, are_places: bool) -> int:
    """Return the number of things that the player can locate, or of cells that they can fill."""
    marks = moment.marks(player, asked)
    layout = moment.layout
    if are_places:
        return len({row for (row, _), cell in layout.cells.items() if marks[cell] is Mark.YES})
    return sum(all(marks[cell] is not Mark.OPEN for cell in cells) for cells in layout.things)


def _since(moment: Moment[Any, Any], player: str, asked: Engine) -> int | None:
    """Return the turn since which the player could know the answer; None if there is none."""

    def knows(events: int) -> bool:
        then = moment.after(events)
        formula = moment.game.knows_answer(moment.setup, then.structure, player)
        return formula is not None and bool(asked.holds(then.state, formula))

    least, most = 0, moment.events
    if not knows(most):
        return None
    while least < most:
        middle = (least + most) // 2
        if knows(middle):
            most = middle
        else:
            least = middle + 1
    return moment.turns[least]


def _early(moment: Moment[Any, Any], asked: Engine) -> dict[int, tuple[str, ...]]:
    """Return the turns after which only some players could know the answer, and these players."""
    early = {}
    for events in range(1, moment.events + 1):
        then = moment.after(events)
        knows = {}
        for player in moment.setup.players:
            formula = moment.game.knows_answer(moment.setup, then.structure, player)
            if formula is not None:
                knows[player] = bool(asked.holds(then.state, formula))
        if any(knows.values()) and not all(knows.values()):
            early[then.turn] = tuple(player for player, so in knows.items() if so)
    return early
