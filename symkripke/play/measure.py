"""Measures: quantities of each game of a run, in addition to its winner and its length."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

Value = int | float | None
"""A quantity of one seat in one game; None: there is nothing to count."""


@dataclass(frozen=True)
class Figure:
    """A number in a report about many games.

    Attributes:
        title: the meaning of the figure, in words.
        of: the quantity whose mean over the seats with a value is the figure.
        per: another quantity. If given, the figure is the sum of `of` divided by the sum of `per`.
        unit: the unit ("turns", "bits"); "share" for a share from 0 to 1.
    """

    title: str
    of: str
    per: str | None = None
    unit: str = ""


class Watch(Protocol):
    """An observer of one game."""

    def after(self, step: Any) -> None:
        """Record the last event of the table, a `TableEvent`."""

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Return each quantity by seat. Called once, after the end of the game."""


@dataclass(frozen=True)
class Measure:
    """A measurement of every game of a run.

    The same game must always give the same values: they must not depend on the clock or on chance.

    Attributes:
        name: the name in experiments.
        summary: the meaning, in one line.
        quantities: the names of its quantities, which consist of letters, digits and _.
        figures: the figures of a report, by their names in experiments.
        watch: returns the observer of a game, given its `Table` before the first event.
    """

    name: str
    summary: str
    quantities: tuple[str, ...]
    figures: Mapping[str, Figure]
    watch: Callable[[Any], Watch]


class _AtTheEnd:
    """An observer of the last position of a game."""

    def __init__(self, quantities: Callable[[Any], Mapping[str, Value]], table: Any) -> None:
        self._quantities = quantities
        self._table = table

    def after(self, step: Any) -> None:
        """Do nothing, because only the last position matters."""

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Return each quantity for every seat."""
        seats = len(self._table.setup.players)
        return {name: [v] * seats for name, v in self._quantities(self._table.state).items()}


def at_the_end(
    name: str,
    summary: str,
    figures: Mapping[str, Figure],
    quantities: Callable[[Any], Mapping[str, Value]],
) -> Measure:
    """Return the measure of the last position, in quantities that all players share.

    Args:
        name: the name in experiments.
        summary: the meaning, in one line.
        figures: the figures of a report, one for each quantity.
        quantities: returns the quantities of a position, by name.
    """
    return Measure(
        name,
        summary,
        tuple(figure.of for figure in figures.values()),
        figures,
        partial(_AtTheEnd, quantities),
    )
