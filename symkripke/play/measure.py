"""A measure: something that is counted of every game of a run, besides who wins and how soon."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Value = int | float | None
"""A quantity of one seat in one game; None: there is nothing to count."""


@dataclass(frozen=True)
class Figure:
    """A number that a report prints of many games.

    Attributes:
        title: the meaning of the figure, in words.
        of: the quantity whose mean the figure is, over the seats that have a value.
        per: another quantity; then the figure is the sum of `of` divided by the sum of `per`.
        unit: its unit ("turns", "bits"); "share" for a share from 0 to 1.
    """

    title: str
    of: str
    per: str | None = None
    unit: str = ""


class Watch(Protocol):
    """Watches one game."""

    def after(self, step: Any) -> None:
        """Take the last event of the table, a `TableEvent`."""

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Return each quantity, by seat: asked for once, when the game is over."""


@dataclass(frozen=True)
class Measure:
    """Something that is measured of every game of a run.

    The same game must always give the same values: they may not depend on the clock, nor on
    chance.

    Attributes:
        name: its name in experiments.
        summary: its meaning, in one line.
        quantities: the names of its quantities: words of letters, digits and _.
        figures: the figures of a report, by their names in experiments.
        watch: begins to watch a game (a `Table`), before its first event.
    """

    name: str
    summary: str
    quantities: tuple[str, ...]
    figures: Mapping[str, Figure]
    watch: Callable[[Any], Watch]
