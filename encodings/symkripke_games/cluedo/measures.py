"""Measures of Cluedo for studies: accusations, and the number of right accusations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from symkripke.play import Table, TableEvent
from symkripke.play.measure import Figure, Measure, Value
from symkripke_games.cluedo.rules import Accusation, Happening, Setup


class _Accusations:
    """A count of each player's accusations and right accusations."""

    def __init__(self, table: Table[Setup, Happening]) -> None:
        self._players = table.setup.players
        self._made: Counter[str] = Counter()
        self._right: Counter[str] = Counter()

    def after(self, step: TableEvent[Happening]) -> None:
        """Count an accusation."""
        public = step.outcome.public
        if isinstance(public, Accusation):
            self._made[public.player] += 1
            self._right[public.player] += public.right

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Return both counts by seat."""
        return {
            "accused": [self._made[player] for player in self._players],
            "rightly": [self._right[player] for player in self._players],
        }


MEASURES = (
    Measure(
        "accusations",
        "the number of accusations of each player, and of those that were right",
        ("accused", "rightly"),
        {
            "right-accusations": Figure(
                "accusations that were right", "rightly", "accused", "share"
            ),
            "accusations": Figure("accusations in a game", "accused"),
        },
        _Accusations,
    ),
)
"""The measures of the game."""
