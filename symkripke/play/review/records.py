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


@dataclass(frozen=True)
class Review:
    """A game that was looked back over.

    Attributes:
        game: its name, as in `symkripke play NAME`.
        title: as people write it.
        rules: the rule set.
        players: the players' names, in seat order.
        titles: what each player is called.
        minds: the kind of each player; empty: not known.
        seat: whose log it is; empty: all is known.
        seen: the players whose knowledge is reviewed.
        weighting: how worlds were weighed.
        turns: the first and the last turn that are reviewed.
        whole: whether that is all of the log.
        ending: how the game ended, or that it has not, in a sentence.
        winners: who won.
        notes: what of the log is not reviewed, and why; sentences.
        story: what happened, in a few sentences.
        legend: what the numbers and signs mean, in a few sentences.
        measure: what the chart counts.
        start: what it counts for each player before the first event that is reviewed.
        events: what happened.
        certain: for each player that could know the answer to the game's question, from which turn
            on (0: the deal).
        aware: for two players i and j, from which turn on i could know that j knows the answer.
        figures: numbers about each player.
    """

    game: str
    title: str
    rules: str
    players: tuple[str, ...]
    titles: Mapping[str, str]
    minds: tuple[str, ...]
    seat: str
    seen: tuple[str, ...]
    weighting: str
    turns: tuple[int, int]
    whole: bool
    ending: str
    winners: tuple[str, ...]
    notes: tuple[str, ...]
    story: tuple[str, ...]
    legend: tuple[str, ...]
    measure: Measure
    start: Mapping[str, float]
    events: tuple[ReviewedEvent, ...]
    certain: Mapping[str, int]
    aware: Mapping[tuple[str, str], int]
    figures: Figures

    def __str__(self) -> str:
        from symkripke.play.review.telling import tell

        return "\n".join("  " * line.indent + line.text for line in tell(self))

    @property
    def charted(self) -> tuple[str, ...]:
        """The players that have a line in the chart."""
        return tuple(self.start)

    def series(self, player: str) -> list[float]:
        """What the chart counts for a player: at the start, and after each event."""
        return [self.start[player], *(event.after[player] for event in self.events)]

    def data(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
        return {
            "game": self.game,
            "rules": self.rules,
            "players": list(self.players),
            "minds": list(self.minds),
            "seat": self.seat or None,
            "reviewed": list(self.seen),
            "weighting": self.weighting,
            "turns": list(self.turns),
            "whole": self.whole,
            "ending": self.ending,
            "winners": list(self.winners),
            "notes": list(self.notes),
            "story": list(self.story),
            "legend": list(self.legend),
            "measure": self.measure.words,
            "start": dict(self.start),
            "events": [_event_data(event) for event in self.events],
            "certain": dict(self.certain),
            "aware": [
                {"player": knower, "of": other, "turn": turn}
                for (knower, other), turn in self.aware.items()
            ],
            "figures": {
                "columns": dict(self.figures.columns),
                "rows": {player: dict(row) for player, row in self.figures.rows.items()},
            },
        }


def _event_data(event: ReviewedEvent) -> dict[str, Any]:
    worth = event.appraisal
    return {
        "number": event.number,
        "turn": event.turn,
        "player": event.player or None,
        "words": event.words,
        "after": dict(event.after),
        "move": None
        if worth is None
        else {
            "unit": worth.unit,
            "value": worth.value,
            "best": worth.best,
            "best_move": worth.best_move or None,
            "better": worth.better,
            "moves": worth.moves,
            "brought": worth.brought,
            "also": worth.also or None,
        },
        "annotations": [
            {
                "kind": said.kind,
                "player": said.player or None,
                "sort": said.sort,
                "words": said.words,
                "data": dict(said.data),
            }
            for said in event.annotations
        ],
    }


def annotated(events: Sequence[ReviewedEvent], kind: str) -> list[tuple[int, Annotation]]:
    """The annotations of that kind, each with its turn, in order."""
    return [
        (event.turn, said) for event in events for said in event.annotations if said.kind == kind
    ]
