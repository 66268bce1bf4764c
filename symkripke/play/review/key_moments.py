"""The key moments of a review: the greatest luck, the biggest mistake, and the first knowledge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import log2

from symkripke.explain.text import percent
from symkripke.play.review.records import FAULT, LUCK, NEWS, Appraisal, ReviewedEvent
from symkripke.play.review.reviewer import number
from symkripke.play.review.telling import Review

_KNOWN = ("first", "known")
"""The kinds of annotations for the fact that a player can now know the answer."""


@dataclass(frozen=True)
class KeyMoment:
    """A key moment of a game.

    Attributes:
        sort: LUCK, FAULT or NEWS.
        event: the number of the event, from 1.
        turn: its turn.
        player: the player who moved; empty if nobody did.
        words: a sentence without its full stop.
    """

    sort: str
    event: int
    turn: int
    player: str
    words: str


@dataclass(frozen=True)
class _Found:
    """An event with a sentence about it, and a score for the comparison with others of its sort."""

    score: float
    event: ReviewedEvent
    words: str


def key_moments(review: Review, most: int = 1) -> list[KeyMoment]:
    """Return the moments with the highest scores of each sort, in the order of the game.

    Args:
        review: the review.
        most: the maximum number of moments of each sort. The others have at least half of the
            highest score.
    """
    sorts = {LUCK: _luck(review), FAULT: _mistakes(review), NEWS: _knowledge(review)}
    moments = []
    for sort, found in sorts.items():
        best: dict[int, _Found] = {}
        for each in sorted(found, key=lambda each: -each.score):  # of equal scores, the first
            best.setdefault(each.event.number, each)
        ranked = list(best.values())[:most]
        for each in ranked:
            if 2 * each.score >= ranked[0].score:
                event = each.event
                moments.append(KeyMoment(sort, event.number, event.turn, event.player, each.words))
    return sorted(moments, key=lambda moment: moment.event)


def _luck(review: Review) -> Iterator[_Found]:
    """Yield the lucky and unlucky events, scored by the difference from the expected value."""
    for event in review.events:
        if review.measure.logarithmic:
            yield from _gained(review, event)
            continue
        said = {each.player: each for each in event.annotations if each.sort == LUCK}
        for each in said.values():
            if isinstance(chance := each.data.get("float"), float):
                happened = each.data.get("happened", True)
                yield _Found(1 - chance if happened else chance, event, each.words)
        move = event.appraisal
        if move is not None and move.unit == "chance" and move.brought == 1 and move.value < 1:
            words = f"{review.titles[event.player]} succeeded with a chance of {_worth(move)}"
            if event.player in said:
                words = said[event.player].words
            yield _Found(1 - move.value, event, words)


def _gained(review: Review, event: ReviewedEvent) -> Iterator[_Found]:
    """Yield each fall of a player's possibilities by more bits than expected."""
    move = event.appraisal
    for player, (then, now) in event.learned().items():
        if not 0 < now < then:
            continue
        expected = move.value if move and move.unit == "bits" and player == event.player else 0
        who, things = review.titles[player], review.measure.title
        cut = "halved" if then == 2 * now else "cut"
        words = f"Luck {cut} {who}'s {things} from {number(then)} to {number(now)}"
        if (gained := log2(then / now) - expected) > 0:
            yield _Found(gained, event, words)


def _mistakes(review: Review) -> Iterator[_Found]:
    """Yield the moves that were worth less than the best move."""
    for event in review.events:
        move = event.appraisal
        if move is not None and move.best_move and move.best > move.value:
            who, best = review.titles[event.player], _worth(move, best=True)
            is_chance = move.unit == "chance"
            says = f"had a chance of {best}" if is_chance else f"was worth {best}"
            words = f"{who}'s mistake: “{move.best_move}” {says}, and this move only {_worth(move)}"
            yield _Found(move.best - move.value, event, words)
    for event in review.events:
        for said in event.annotations:
            if said.sort == FAULT:
                yield _Found(0, event, said.words)


def _worth(move: Appraisal, *, best: bool = False) -> str:
    value = move.best if best else move.value
    return percent(Fraction(value)) if move.unit == "chance" else f"{value:.2f} {move.unit}"


def _knowledge(review: Review) -> Iterator[_Found]:
    """Yield the first event after which somebody could know the answer, or place all cards."""
    for event in review.events:
        for said in event.annotations:
            if said.kind in _KNOWN:
                yield _Found(0, event, said.words)
                return
    if review.measure.logarithmic:
        return
    for event in review.events:
        for player, (_, now) in event.learned().items():
            if now == 0:
                who, short = review.titles[player], review.measure.short
                words = f"{who} had 0 {short} from here on"
                if short.endswith(" not placed"):
                    words = f"{who} could place all {review.measure.title} from here on"
                yield _Found(0, event, words)
                return
