"""The review of a game: each player's possible knowledge over time, and the quality of moves.

    review(Record.read("game.jsonl"))

| module | content |
|---|---|
| records | the parts of a review, as data |
| reviewer | remarks on the events of every game, which games can extend (`Game.reviewer`) |
| solving | remarks for games whose players ask until one of them finds the solution |
| reviewing | the pass through the events |
| key_moments | the luck, the mistake and the knowledge that mattered most |
| telling | a review, and its description in lines of text |
| chart, page | a review as SVG, and as one HTML file |
"""

from symkripke.play.positions import Past, Position, Transition
from symkripke.play.review.key_moments import KeyMoment, key_moments
from symkripke.play.review.records import (
    FAULT,
    GOOD,
    LUCK,
    NEWS,
    SIGNS,
    Annotation,
    Appraisal,
    Column,
    Figures,
    Measure,
    ReviewedEvent,
    annotated,
    last,
    mean,
    total,
)
from symkripke.play.review.reviewer import Reviewer, number
from symkripke.play.review.reviewing import Reviewing, review
from symkripke.play.review.solving import SolvingReviewer
from symkripke.play.review.telling import Review, tell

__all__ = [
    "FAULT",
    "GOOD",
    "LUCK",
    "NEWS",
    "SIGNS",
    "Annotation",
    "Appraisal",
    "Column",
    "Figures",
    "KeyMoment",
    "Measure",
    "Past",
    "Position",
    "Review",
    "ReviewedEvent",
    "Reviewer",
    "Reviewing",
    "SolvingReviewer",
    "Transition",
    "annotated",
    "key_moments",
    "last",
    "mean",
    "number",
    "review",
    "tell",
    "total",
]
