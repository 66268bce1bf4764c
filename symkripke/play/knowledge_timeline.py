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
        answer_since: from which turn on it could know the answer to the game's question (0: from
            the deal on); None: never, or the game has no such question.
        known: for some turns, how much of the note sheet it could fill in.
    """

    player: str
    answer_since: int | None
    known: Mapping[int, int]


@dataclass(frozen=True)
class WhoKnew:
    """The possible knowledge of all players, by turn.

    Attributes:
        knowers: one a player.
        things: how many things there are to be placed, or else, how many cells to be filled in;
            0: the note sheet is another one in each round.
        are_places: whether each thing is in one place, so that things are counted, and not cells.
        asks: whether the game has one question for all of it.
        early: for games that ask a new question again and again: turns in which somebody could
            know the answer before all saw it, and who.
    """

    knowers: tuple[Knower, ...]
    things: int
    are_places: bool
    asks: bool
    early: Mapping[int, tuple[str, ...]]


def knowledge_timeline(
    moment: Moment[Any, Any],
    engine: Engine | None = None,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> WhoKnew:
    """Return the timeline of the players' knowledge.

    Args:
        moment: the last moment of a fully known game.
        engine: who answers; None: the moment's engine.
        tell: called with how many players are done, and of how many.

    Raises:
        InputError: it is the record of one seat.
        BudgetExceeded: the engine may not continue.
    """
    if not isinstance(moment.state, Scene):
        raise InputError("the record of one seat does not show what others knew")
    asked, game, setup = engine or moment.engine, moment.game, moment.setup
    players = setup.players
    changes = bool(game.answer)  # the question changes with each event
    asks = not changes and all(
        game.knows_answer(setup, moment.structure, player) is not None for player in players
    )
    layout = moment.layout
    are_places = all(
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
    things = 0 if changes else len(layout.rows if are_places else layout.cells)
    early = _early(moment, asked) if changes else {}
    return WhoKnew(tuple(knowers), things, are_places, asks, early)


def _turns(moment: Moment[Any, Any]) -> tuple[int, ...]:
    """Return some turns at even intervals, including the deal and the last one."""
    last = moment.turns[-1]
    return tuple(sorted({round(last * look / (_LOOKS - 1)) for look in range(_LOOKS)}))


def _known(moment: Moment[Any, Any], player: str, asked: Engine, are_places: bool) -> int:
    """Return the number of things that the player can locate, or of cells they can fill."""
    marks = moment.marks(player, asked)
    cells = moment.layout.cells
    if are_places:
        return len({row for (row, _), cell in cells.items() if marks[cell] is Mark.YES})
    return sum(marks[cell] is not Mark.OPEN for cell in cells.values())


def _since(moment: Moment[Any, Any], player: str, asked: Engine) -> int | None:
    """Return the first turn after which the player could know the answer, and from then on."""

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
