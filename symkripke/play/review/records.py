"""The data of a review: events, annotations, values of moves, and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from symkripke.errors import check_name

GOOD, FAULT, LUCK, NEWS = "good", "fault", "luck", "news"
"""The sorts of annotations about a player: the player did well, did badly, was lucky or unlucky, or
can know something new."""

SIGNS: Mapping[str, str] = {GOOD: "!", FAULT: "?", LUCK: "~", NEWS: "*"}
"""The ASCII sign of each sort, as in annotations of chess games."""

MEANINGS: Mapping[str, str] = {GOOD: "well done", FAULT: "a mistake", LUCK: "luck", NEWS: "news"}
"""The title of each sort."""


Cell = str | int | float | None
"""A cell of a table of figures."""


@dataclass(frozen=True)
class Measure:
    """The quantity in the chart of a review, for each player after each event.

    Attributes:
        title: the things that are counted: "solutions".
        short: the things counted, for a line about one event: "solutions left".
        words: the full description: "solutions that each player could still consider possible".
        logarithmic: whether the scale is logarithmic, because the numbers fall by factors.
    """

    title: str
    short: str
    words: str
    logarithmic: bool = False


@dataclass(frozen=True)
class Appraisal:
    """The value of a move before it was made, and the value of the best move.

    Attributes:
        unit: the unit of the value: "bits" of information, the "chance" that the move succeeds, or
            a unit of the game.
        value: the value of this move.
        best: the value of the best move.
        best_move: the best move in words; empty if this move is as good.
        better: the number of moves with a greater value.
        moves: the number of moves that were compared.
        brought: the actual result in the same unit: the bits gained, or 1 for a success and 0 for a
            failure; None if it is not known.
        noun: the word for a move, singular and plural.
        aim: the words after "chance" that name its event: "of a yes".
        also: the value computed in another way, in words; empty: none.
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
        """True if no move had a greater value."""
        return not self.better


@dataclass(frozen=True)
class Annotation:
    """A remark on an event.

    Attributes:
        kind: the game's name for this kind of remark: "first", "missed", "guess", ...
        player: the player whom the remark is about.
        words: a sentence without its full stop.
        sort: GOOD, FAULT, LUCK or NEWS.
        data: the details of the remark as plain data: "float" is the chance of an event, if it has
            one, and "happened" says whether that event happened (by default, it did).
    """

    kind: str
    player: str
    words: str
    sort: str
    data: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_name("sort of annotation", self.sort, SIGNS)


@dataclass(frozen=True)
class ReviewedEvent:
    """An event with its appraisal and its annotations.

    Attributes:
        number: the number of events that have happened, including this event.
        turn: the turn.
        player: the player who moved; empty if nobody did.
        words: the known part of the event, in words.
        before: the number in the chart before the event, for each player whose knowledge is
            reviewed.
        after: the number in the chart after the event, for the same players.
        appraisal: the value of the move; None if it has none.
        annotations: the remarks on the event.
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
        """Return the old and the new number of each player whose number has changed."""
        return {
            player: (self.before[player], value)
            for player, value in self.after.items()
            if value != self.before[player]
        }


@dataclass(frozen=True)
class Figures:
    """Numbers about each player, as a table.

    Attributes:
        columns: the meanings of the columns, by short name.
        rows: the cells of each player, by column; None for an empty cell.
    """

    columns: Mapping[str, str]
    rows: Mapping[str, Mapping[str, Cell]]


def total(values: Sequence[float]) -> float:
    """Return the sum, rounded to the precision of a table."""
    return round(sum(values), 2)


def mean(values: Sequence[float]) -> float | None:
    """Return the mean; None for no values."""
    return sum(values) / len(values) if values else None


def counted(values: Sequence[float]) -> float | None:
    """Return the number of true values; None for no values."""
    return sum(values) if values else None


def last(values: Sequence[float]) -> float | None:
    """Return the last value; None for no values."""
    return values[-1] if values else None


@dataclass(frozen=True)
class Column:
    """A figure about each player, computed from facts about the player (`Reviewer.facts`).

    Attributes:
        words: the meaning of the figure.
        how: computes the figure from the values: `sum`, `len`, `total`, `mean` or `last`.
        of: the name of the facts; empty: the name of the column.
        known: whether only players whose knowledge is reviewed have the figure.
    """

    words: str
    how: Callable[[Sequence[float]], Cell] = sum
    of: str = ""
    known: bool = False


def annotated(events: Sequence[ReviewedEvent], kind: str) -> list[tuple[int, Annotation]]:
    """Return the annotations of a kind, each with its turn, in order."""
    return [
        (event.turn, said) for event in events for said in event.annotations if said.kind == kind
    ]
