"""A review as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import log

from symkripke.explain.text import Line, listed, percent
from symkripke.play.review.records import MEANINGS, SIGNS, Appraisal, Review, ReviewedEvent
from symkripke.play.review.reviewer import number

TITLE, STORY, NOTE, EVENT, MOVE, COUNT = "title", "story", "note", "event", "move", "count"
"""The kinds of lines, besides those of annotations (GOOD, FAULT, LUCK, NEWS)."""


def tell(review: Review) -> Iterator[Line]:
    """All of a review but its chart and its figures: the story, then event by event."""
    yield from tell_story(review)
    yield Line(0, NOTE, "")
    yield from tell_events(review)
    yield Line(0, NOTE, "")
    yield from tell_legend(review)


def tell_story(review: Review) -> Iterator[Line]:
    """The title, the story, and what is not reviewed."""
    yield Line(0, TITLE, heading(review))
    for sentence in (review.ending, *review.story):
        yield Line(1, STORY, f"{sentence}.")
    for note in review.notes:
        yield Line(1, NOTE, f"{note}.")


def tell_legend(review: Review) -> Iterator[Line]:
    """What the numbers and signs mean."""
    used = {said.sort for event in review.events for said in event.annotations}
    for sentence in review.legend:
        yield Line(0, COUNT, f"{sentence}.")
    if used:
        told = ", ".join(
            f"{SIGNS[sort]} {means}" for sort, means in MEANINGS.items() if sort in used
        )
        yield Line(0, COUNT, f"Signs: {told}.")


def heading(review: Review) -> str:
    """What is reviewed: the game, its rules, who played, and which turns."""
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
    """Event by event: what happened, what the move was worth, what was learned and is to say."""
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
    """What a move was worth beside the best one, in words."""
    if move.unit == "bits":
        told = f"expected {move.value:.2f} bits"
        if move.brought is not None:
            told += f", brought {_signed(move.brought)}"
    else:
        told = f"chance {move.aim}: {_percent(move.value)}"
    if move.also:
        told += f" ({move.also})"
    one, several = move.noun
    if move.is_best:
        return f"{told}; no {one} was better" if move.moves > 1 else told
    best = f"{move.best:.2f}" if move.unit == "bits" else _percent(move.best)
    verb = "was" if move.better == 1 else "were"
    return (
        f"{told}; {move.better} of {move.moves} {several} {verb} better, the best: "
        f"{move.best_move} ({best})"
    )


def _signed(value: float) -> str:
    """A number of bits, without a sign where it is as good as none."""
    return f"{value:.2f}".replace("-0.00", "0.00")


def _percent(share: float) -> str:
    return percent(Fraction(share))


def changed(review: Review, event: ReviewedEvent) -> str:
    """For whom the number of the chart has changed: "Green 40 to 12, Plum 9 to 8"."""
    learned: Mapping[str, tuple[float, float]] = event.learned()
    told = [
        f"{review.titles[player]} {number(then)} to {number(now)}"
        for player, (then, now) in learned.items()
    ]
    return ", ".join(told)


def cell(value: str | int | float | None) -> str:
    """A figure as it stands in a table."""
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else f"{value}"


# ---- the chart, in words and in heights ------------------------------------------------------


def over_turns(review: Review, player: str) -> str:
    """What the chart counts for a player, as a sentence: at the start, and where it changed."""
    series = review.series(player)
    told = [f"{number(series[0])} at the start"]
    changes = [
        (event.turn, value)
        for event, then, value in zip(review.events, series, series[1:], strict=False)
        if value != then
    ]
    last_of_turn = dict(changes)
    told += [f"{number(value)} after turn {turn}" for turn, value in last_of_turn.items()]
    return ", ".join(told)


def scaled(review: Review, player: str, most: float, room: int, top: int) -> list[int]:
    """What the chart counts for a player, as at most `room` heights from 0 to `top`.

    If there are more events than room, each height stands for the last of several.
    """
    series = review.series(player)
    places = min(room, len(series))
    picked = [series[(place + 1) * len(series) // places - 1] for place in range(places)]
    return [round(share(review, value, most) * top) for value in picked]


def share(review: Review, value: float, most: float) -> float:
    """How high a value of the chart stands, from 0 to 1, of which `most` is the greatest."""
    if review.measure.logarithmic:
        return log(max(value, 1.0)) / log(most) if most > 1 else 0.0
    return value / most if most else 0.0
