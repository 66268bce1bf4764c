"""Measures of Kwartet for studies: questions, and their success."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from symkripke.play import Table, TableEvent
from symkripke.play.measure import Figure, Measure, Value
from symkripke_games.kwartet.rules import Happening, Question, Setup


class _Questions:
    """A count of each player's questions, questions that won the card, and laid-down groups."""

    def __init__(self, table: Table[Setup, Happening]) -> None:
        self._players = table.setup.players
        self._asked: Counter[str] = Counter()
        self._given: Counter[str] = Counter()
        self._down: Counter[str] = Counter()

    def after(self, step: TableEvent[Happening]) -> None:
        """Count a question, or the groups laid down in the opening."""
        public = step.outcome.public
        if isinstance(public, Question):
            self._asked[public.player] += 1
            self._given[public.player] += public.given
            self._down[public.player] += public.down
        else:
            self._down.update(public.down.values())

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Return the counts by seat."""
        return {
            "asked": [self._asked[player] for player in self._players],
            "given": [self._given[player] for player in self._players],
            "groups": [self._down[player] for player in self._players],
        }


MEASURES = (
    Measure(
        "questions",
        "the number of questions of each player, of those that won the card, and of "
        "groups laid down",
        ("asked", "given", "groups"),
        {
            "given": Figure("questions that won the card", "given", "asked", "share"),
            "groups": Figure("groups laid down in a game", "groups"),
            "questions": Figure("questions asked in a game", "asked"),
        },
        _Questions,
    ),
)
"""The measures of the game."""
