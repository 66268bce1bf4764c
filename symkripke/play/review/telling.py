"""A review as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import log
from typing import Any

from symkripke.explain.text import Line, listed, percent
from symkripke.play.review.records import (
    MEANINGS,
    SIGNS,
    Appraisal,
    Figures,
    Measure,
    ReviewedEvent,
)
from symkripke.play.review.reviewer import number

TITLE, STORY, NOTE, EVENT, MOVE, COUNT = "title", "story", "note", "event", "move", "count"
"""The kinds of lines, besides the sorts of annotations (GOOD, FAULT, LUCK, NEWS)."""


@dataclass(frozen=True)
class Review:
    """The review of a game.

    Attributes:
        game: the name of the game, as in `symkripke play NAME`.
        title: the title of the game.
        rules: the rule set.
        players: the players' names, in seat order.
        titles: the title of each player.
        minds: the kind of each player; empty if unknown.
        seat: the owner of the log; empty if the truth is known.
        seen: the players whose knowledge is reviewed.
        weighting: the weighting of worlds.
        turns: the first and the last reviewed turn.
        whole: whether the review covers all turns of the log.
        ending: a sentence on how the game ended, or that it has not ended.
        winners: the winners.
        notes: sentences on the parts of the log that are not reviewed, with the reasons.
        story: the story of the game, in a few sentences.
        legend: the meaning of the numbers and signs, in a few sentences.
        measure: the quantity in the chart.
        start: the number in the chart for each player before the first reviewed event.
        events: the reviewed events.
        certain: the first turn at which a player could know the answer to the game's question (0:
            the deal), for each player who could.
        aware: for two players (i, j), the first turn at which i could know that j knows the answer.
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
        return "\n".join("  " * line.indent + line.text for line in tell(self))

    @property
    def charted(self) -> tuple[str, ...]:
        """The players with a line in the chart."""
        return tuple(self.start)

    def series(self, player: str) -> list[float]:
        """Return the numbers in the chart for a player: at the start, and after each event."""
        return [self.start[player], *(event.after[player] for event in self.events)]

    def data(self) -> dict[str, Any]:
        """Return the review as plain data, for JSON."""
        data = {name: getattr(self, name) for name in _PLAIN}
        return data | {
            "seat": self.seat or None,
            "reviewed": self.seen,
            "measure": self.measure.words,
            "events": [_event_data(event) for event in self.events],
            "aware": [
                {"player": knower, "of": other, "turn": turn}
                for (knower, other), turn in self.aware.items()
            ],
            "figures": asdict(self.figures),
        }


_PLAIN = (
    *("game", "rules", "players", "minds", "weighting", "turns", "whole", "ending", "winners"),
    *("notes", "story", "legend", "start", "certain"),
)
"""The parts of a review that are plain data."""


def _event_data(event: ReviewedEvent) -> dict[str, Any]:
    """Return an event as plain data, with None for empty strings."""
    data = asdict(event)
    del data["before"]
    worth = data["move"] = data.pop("appraisal")
    for part in (data, *data["annotations"], *([worth] if worth else ())):
        part |= {name: None for name in ("player", "best_move", "also") if part.get(name) == ""}
    return data


def tell(review: Review) -> Iterator[Line]:
    """Yield the lines of a review without its chart and figures: the story, then the events."""
    yield from tell_story(review)
    yield Line(0, NOTE, "")
    yield from tell_events(review)
    yield Line(0, NOTE, "")
    yield from tell_legend(review)


def tell_story(review: Review) -> Iterator[Line]:
    """Yield the title, the story, and notes on the unreviewed parts."""
    yield Line(0, TITLE, heading(review))
    for sentence in (review.ending, *review.story):
        yield Line(1, STORY, f"{sentence}.")
    for note in review.notes:
        yield Line(1, NOTE, f"{note}.")


def tell_legend(review: Review) -> Iterator[Line]:
    """Yield the key to the numbers and signs."""
    used = {said.sort for event in review.events for said in event.annotations}
    for sentence in review.legend:
        yield Line(0, COUNT, f"{sentence}.")
    if used:
        entries = ", ".join(
            f"{SIGNS[sort]} {means}" for sort, means in MEANINGS.items() if sort in used
        )
        yield Line(0, COUNT, f"Signs: {entries}.")


def heading(review: Review) -> str:
    """Return the heading: the game, its rules, the players, and the turns."""
    kinds = dict(zip(review.players, review.minds, strict=False))
    alike = len({*kinds.values()}) == 1
    who = listed(
        [
            review.titles[player] + (f" ({kinds[player]})" if player in kinds and not alike else "")
            for player in review.players
        ]
    )
    of_all = f" (all {review.minds[0]})" if alike and len(kinds) > 1 else ""
    first, last = review.turns
    part = "" if review.whole else f"; turn{'' if first == last else 's'} {_range(first, last)}"
    return f"{review.title}, {review.rules} rules: {who}{of_all}{part}"


def _range(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first} to {last}"


def tell_events(review: Review) -> Iterator[Line]:
    """Yield the lines of all events, with the values of moves, the news, and the remarks."""
    for event in review.events:
        where = f"turn {event.turn}: " if event.turn else ""
        yield Line(0, EVENT, f"{where}{event.words}")
        if event.appraisal is not None:
            yield Line(1, MOVE, worth(event.appraisal))
        if changes := changed(review, event):
            yield Line(1, COUNT, f"{review.measure.short}: {changes}")
        for said in event.annotations:
            yield Line(1, said.sort, f"{SIGNS[said.sort]} {said.words}")


def worth(move: Appraisal) -> str:
    """Return the value of a move and of the best move, in words."""
    is_chance = move.unit == "chance"
    if is_chance:
        words = f"chance {move.aim}: {_percent(move.value)}"
    else:
        words = f"expected {move.value:.2f} {move.unit}"
        if move.brought is not None:
            words += f", gained {_signed(move.brought)}"
    if move.also:
        words += f" ({move.also})"
    one, several = move.noun
    if move.is_best:
        return f"{words}; no {one} was better" if move.moves > 1 else words
    best = _percent(move.best) if is_chance else f"{move.best:.2f}"
    verb = "was" if move.better == 1 else "were"
    return (
        f"{words}; {move.better} of {move.moves} {several} {verb} better, the best: "
        f"{move.best_move} ({best})"
    )


def _signed(value: float) -> str:
    """Return a number with its sign, or without one if it rounds to zero."""
    return f"{value:.2f}".replace("-0.00", "0.00")


def _percent(share: float) -> str:
    return percent(Fraction(share))


def changed(review: Review, event: ReviewedEvent, to: str = "to") -> str:
    """Return the changed numbers in the chart: "Green 40 to 12, Plum 9 to 8"."""
    return ", ".join(
        f"{review.titles[player]} {number(then)} {to} {number(now)}"
        for player, (then, now) in event.learned().items()
    )


def cell(value: str | int | float | None) -> str:
    """Return a figure as a cell of a table."""
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else f"{value}"


# ---- the chart, in words and in heights ------------------------------------------------------


def over_turns(review: Review, player: str) -> str:
    """Return the numbers in the chart for a player as a sentence: the start, and each change."""
    series = review.series(player)
    parts = [f"{number(series[0])} at the start"]
    changes = [
        (event.turn, value)
        for event, then, value in zip(review.events, series, series[1:], strict=False)
        if value != then
    ]
    last_of_turn = dict(changes)
    parts += [f"{number(value)} after turn {turn}" for turn, value in last_of_turn.items()]
    return ", ".join(parts)


def scaled(review: Review, player: str, most: float, room: int, top: int) -> list[int]:
    """Return the numbers in the chart for a player as at most `room` heights from 0 to `top`.

    If there are more numbers than room, each height represents the last number of a group.
    """
    series = review.series(player)
    places = min(room, len(series))
    picked = [series[(place + 1) * len(series) // places - 1] for place in range(places)]
    return [round(share(review, value, most) * top) for value in picked]


def share(review: Review, value: float, most: float) -> float:
    """Return the height of a value in the chart, from 0 to 1, relative to `most`."""
    if review.measure.logarithmic:
        return log(max(value, 1.0)) / log(most) if most > 1 else 0.0
    return value / most if most else 0.0
