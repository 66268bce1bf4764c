"""Measures of Cluedo for studies: accusations, possible solutions, and knowledge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from symkripke.play import Table, TableEvent
from symkripke.play.measure import Figure, Measure, Value
from symkripke.play.mutual_knowledge import MUTUAL_KNOWLEDGE
from symkripke.play.price import price
from symkripke_games.cluedo.rules import Accusation, Happening, Setup, Suggestion


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


TURNS = (3, 6, 9, 12, 18, 24)
"""The turns after which the possible solutions are counted."""


class _Solutions:
    """A count of the solutions that each player considers possible, in its own way of reasoning."""

    def __init__(self, table: Table[Setup, Happening]) -> None:
        self._table = table
        self._left: dict[int, list[int]] = {}

    def after(self, step: TableEvent[Happening]) -> None:
        """Count the possible solutions after a counted turn. The last event of a turn counts."""
        if step.turn in TURNS:
            self._left[step.turn] = [each.open for each in self._table.assess().values()]

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Return both counts by seat: one solution is left after a right accusation."""
        seats, last = len(self._table.setup.players), self._table.steps[-1].turn
        over = [1 if self._table.state.winners else None] * seats
        values: dict[str, Sequence[Value]] = {}
        for turn in TURNS:
            goes_on = turn < last
            values[f"left_{turn}"] = self._left[turn] if goes_on else over
            values[f"open_{turn}"] = self._left[turn] if goes_on else [None] * seats
        return values


def _parties(public: Happening) -> tuple[str, str | None] | None:
    """Return the asker and the shower of a suggestion; None for another event."""
    return (public.player, public.shower) if isinstance(public, Suggestion) else None


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
    Measure(
        "solutions",
        "the number of solutions that each player considers possible, after fixed turns",
        tuple(f"{name}_{turn}" for turn in TURNS for name in ("left", "open")),
        {
            f"{name}-{turn}": Figure(
                f"possible solutions after turn {turn}, {which}", f"{name}_{turn}"
            )
            for name, which in (
                ("left", "with one in games that are over"),
                ("open", "in games that then continue"),
            )
            for turn in TURNS
        },
        _Solutions,
    ),
    MUTUAL_KNOWLEDGE,
    price(_parties),
)
"""The measures of the game."""
