"""A measure of mutual knowledge: how deep it is, by turn, and whether it is common knowledge.

A fact is mutual knowledge of depth 1 if every player knows it, of depth 2 if every player knows
that every player knows it, and so on: `E[*] f`, `E[*] E[*] f`, ... It is common knowledge if it is
mutual knowledge of every depth: `C[*] f`. It is public if it follows from the public events alone,
so that an onlooker knows it, too. Public facts are common knowledge. The converse is false: a card
that its holder shows to each of the others in turn can become common knowledge of the players.

The facts are the answer to the question of the game, and the place of each card. The measure is for
games in which neither changes. Then no player forgets them, and their depths never decrease.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from symkripke.engines import Answer, engine
from symkripke.errors import BudgetExceeded
from symkripke.language import C, E, Formula, conjunction
from symkripke.limits import Budget
from symkripke.model import Scene, evaluate
from symkripke.play.measure import Figure, Measure, Value
from symkripke.play.odds import deal_fluents
from symkripke.play.session.entry import TableEvent
from symkripke.play.session.table import Table

TURNS = (6, 12, 18, 24)
"""The turns after which facts are counted."""

DEEPEST = 4
"""The greatest depth that is distinguished, because greater depths cost much more time."""

WORK = 100_000
"""The limit of the work for a question; see `symkripke.limits.Budget`. An undecided question counts
as false. Questions in Cluedo need less."""

COMMON, PUBLIC = DEEPEST + 1, DEEPEST + 2
"""The levels of common knowledge and of public facts. The other levels are depths."""

_LEVELS: Mapping[str, tuple[int, str]] = {
    "mutual1": (1, "mutual knowledge of depth 1"),
    "mutual2": (2, "mutual knowledge of depth 2"),
    "mutual3": (3, "mutual knowledge of depth 3"),
    "common": (COMMON, "common knowledge"),
    "public": (PUBLIC, "public"),
}
"""The counted levels by name, each with its meaning."""

_TIMES: Mapping[str, str] = {
    **{f"after{turn}": f"after turn {turn}, if the game continues" for turn in TURNS},
    "end": "before the last event",
}
"""The moments at which facts are counted, with their meanings."""


class _MutualKnowledge:
    """An observer of the level of each fact."""

    def __init__(self, table: Table[Any, Any]) -> None:
        self._table = table
        # The work for a question depends on earlier questions to the engine, so it serves one game.
        self._engine = engine("sat")
        structure, world = table.scene.structure, table.scene.world
        fluents = structure.vocabulary.fluents
        answers = table.game.answers(table.setup, structure, table.setup.players[0])
        self._answer = conjunction(
            answer for answer in answers if evaluate(structure.resolve(answer), world)
        )
        self._cards = [fluents[name].equals(world[name]) for name in deal_fluents(structure)]
        self._levels: dict[Formula, int] = dict.fromkeys([self._answer, *self._cards], 0)
        self._values: dict[str, Value] = dict.fromkeys(_QUANTITIES)
        self._values.update(cards=len(self._cards), deepest=0, undecided=0)
        self._turn = 0

    def after(self, step: TableEvent[Any]) -> None:
        """Find the level of the answer before the event; count facts if a counted turn is over."""
        level = self._raised(self._answer)
        for name, least in ("everybody", 1), ("commonly", COMMON):
            if level >= least and self._values[name] is None:
                self._values[name] = self._turn
        for turn in TURNS:
            if self._turn <= turn < step.turn:
                self._count(f"after{turn}")
        self._turn = step.turn

    def _count(self, time: str) -> None:
        """Count the facts of each level before the last event."""
        depths = [self._raised(card) for card in self._cards]
        for name, (level, _) in _LEVELS.items():
            self._values[f"{name}_{time}"] = sum(depth >= level for depth in depths)
            if time == "end":
                self._values[f"answer_{name}"] = int(self._levels[self._answer] >= level)
        deepest = self._values["deepest"] or 0
        self._values["deepest"] = max(deepest, *(each for each in depths if each <= DEEPEST), 0)

    def _raised(self, fact: Formula) -> int:
        """Return the level of a fact before the last event."""
        level = self._levels[fact] = self._level(self._table.scenes[-2], fact, self._levels[fact])
        return level

    def _level(self, scene: Scene, fact: Formula, level: int) -> int:
        """Return the level of a fact at a scene, if it had this level in the past."""
        players, known = self._table.setup.players, fact
        if level == PUBLIC:
            return PUBLIC
        for _ in range(level):
            known = E(players, known)
        # Whether a fact is public or common knowledge can take long to refute. Both imply the next
        # depth, so this is tested first.
        if level < DEEPEST and not self._holds(scene, known := E(players, known)):
            return level
        if self._is_true(lambda budget: self._engine.valid(scene.structure, fact, budget)):
            return PUBLIC
        if level == COMMON or self._holds(scene, C(players, fact)):
            return COMMON
        while level < DEEPEST and self._holds(scene, known):
            level, known = level + 1, E(players, known)
        return level

    def _holds(self, scene: Scene, formula: Formula) -> bool:
        return self._is_true(lambda budget: self._engine.holds(scene, formula, budget))

    def _is_true(self, ask: Callable[[Budget], Answer]) -> bool:
        """Return the answer to a question, or False if it takes too much work."""
        try:
            return bool(ask(Budget(work=WORK)))
        except BudgetExceeded:
            self._values["undecided"] = 1 + (self._values["undecided"] or 0)
            return False

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Return the counts, which are the same for all seats."""
        self._count("end")
        seats = len(self._table.setup.players)
        return {name: [value] * seats for name, value in self._values.items()}


_QUANTITIES = (
    "cards",
    "everybody",
    "commonly",
    "deepest",
    "undecided",
    *(f"answer_{name}" for name in _LEVELS),
    *(f"{name}_{time}" for time in _TIMES for name in _LEVELS),
)

MUTUAL_KNOWLEDGE = Measure(
    "mutual-knowledge",
    "how deep the mutual knowledge of the answer and of the places of cards is, and whether it is "
    "common knowledge",
    _QUANTITIES,
    {
        **{
            f"{name}-{time}": Figure(
                f"places of cards that are {meaning}, {when}", f"{name}_{time}", "cards", "share"
            )
            for time, when in _TIMES.items()
            for name, (_, meaning) in _LEVELS.items()
        },
        **{
            f"answer-{name}": Figure(
                f"games in which the answer is {meaning} before the last event",
                f"answer_{name}",
                unit="share",
            )
            for name, (_, meaning) in _LEVELS.items()
        },
        "everybody": Figure(
            "turn in which everybody could first know the answer, before the last event",
            "everybody",
            unit="turns",
        ),
        "commonly": Figure(
            "turn in which the answer was first common knowledge, before the last event",
            "commonly",
            unit="turns",
        ),
        "deepest": Figure(
            f"greatest depth (up to {DEEPEST}) of a place that was not common knowledge",
            "deepest",
        ),
        "undecided": Figure("questions of a game that took too much work", "undecided"),
    },
    _MutualKnowledge,
)
"""The measure."""
