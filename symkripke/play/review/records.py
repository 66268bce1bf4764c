"""What a review says, as data: events with what they told, moves beside the best ones, a story."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

GOOD, FAULT, LUCK, NEWS = "good", "fault", "luck", "news"
"""The kinds of annotation by what they say of somebody: it did well, it did badly, it was lucky or
unlucky, or it can know something new."""

SIGNS: Mapping[str, str] = {GOOD: "!", FAULT: "?", LUCK: "~", NEWS: "*"}
"""The sign of each kind, in ASCII, as in notes on games of chess."""

MEANINGS: Mapping[str, str] = {GOOD: "well done", FAULT: "a mistake", LUCK: "luck", NEWS: "news"}
"""What each kind is called."""


@dataclass(frozen=True)
class Measure:
    """What the chart of a review counts for each player, event after event.

    Attributes:
        title: what things are counted: "solutions".
        short: the same for a line about one event: "solutions left".
        words: all of it: "solutions that each player could still consider possible".
        logarithmic: whether the numbers are far apart, and fall by factors.
    """

    title: str
    short: str
    words: str
    logarithmic: bool = False


@dataclass(frozen=True)
class Appraisal:
    """What a move was worth before it was made, beside the best that there was.

    Attributes:
        unit: what it is measured in: "bits" of information, or the "chance" that it succeeds.
        value: what this move was worth.
        best: what the best one was worth.
        best_move: the best one in words; empty if this move is as good.
        better: how many moves there were that were worth more.
        moves: how many moves there were.
        brought: what came of it, in the same unit: bits that were in fact gained, or 1 for a
            success and 0 for none. None: it does not show.
        noun: what a move is called, one and several.
        aim: of what the chance is, in words: "of a yes".
        also: another way to reckon it, in words; empty: none.
    """

    unit: str
    value: float
    best: float
    best_move: str
    better: int
    moves: int
    brought: float | None = None
    noun: tuple[str, str] = ("move", "moves")
    aim: str = "of success"
    also: str = ""

    @property
    def is_best(self) -> bool:
        """Whether no move was worth more."""
        return not self.better


@dataclass(frozen=True)
class Annotation:
    """What is worth saying of an event.

    Attributes:
        kind: what of, as the game names it: "first", "missed", "guess", ...
        player: whom it is about.
        words: a sentence without its full stop.
        sort: GOOD, FAULT, LUCK or NEWS.
        data: the same and more as plain data.
    """

    kind: str
    player: str
    words: str
    sort: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ReviewedEvent:
    """An event, and what there is to say of it.

    Attributes:
        number: how many events have happened, this one included.
        turn: the turn.
        player: who moved; empty if nobody did.
        words: the event in words, as far as it is known.
        before: for each player whose knowledge is reviewed what the chart counts, before it.
        after: the same after it.
        appraisal: what the move was worth; None if that cannot be said.
        annotations: what else is worth saying.
    """

    number: int
    turn: int
    player: str
    words: str
    before: Mapping[str, float]
    after: Mapping[str, float]
    appraisal: Appraisal | None
    annotations: tuple[Annotation, ...]

    def learned(self) -> Mapping[str, tuple[float, float]]:
        """The players for whom the number has changed: what it was, and what it is."""
        return {
            player: (self.before[player], value)
            for player, value in self.after.items()
            if value != self.before[player]
        }


@dataclass(frozen=True)
class Figures:
    """Numbers about each player, as a table.

    Attributes:
        columns: the heading of each column, by a short name, with what it means.
        rows: for each player a cell for each column; None where there is nothing to say.
    """

    columns: Mapping[str, str]
    rows: Mapping[str, Mapping[str, str | int | float | None]]


def annotated(events: Sequence[ReviewedEvent], kind: str) -> list[tuple[int, Annotation]]:
    """The annotations of that kind, each with its turn, in order."""
    return [
        (event.turn, said) for event in events for said in event.annotations if said.kind == kind
    ]
