"""The review of a game: who could have known what, and when; how good the moves were.

    review(Record.read("game.jsonl"))

| module | what it is |
|---|---|
| records | the parts of a review, as data |
| past | the game that is reviewed, position by position |
| reviewer | what every game says of its events; games add to it (`Game.reviewer`) |
| solving | what games say whose players ask until one of them finds what is hidden |
| reviewing | the way through the events |
| telling | a review, and how it is told in lines of text |
| chart, page | a review as SVG, and as one HTML file |
"""

from symkripke.play.review.past import Past, Position
from symkripke.play.review.records import (
    FAULT,
    GOOD,
    LUCK,
    NEWS,
    SIGNS,
    Annotation,
    Appraisal,
    Figures,
    Measure,
    ReviewedEvent,
    annotated,
)
from symkripke.play.review.reviewer import Reviewer
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
    "Figures",
    "Measure",
    "Past",
    "Position",
    "Review",
    "ReviewedEvent",
    "Reviewer",
    "Reviewing",
    "SolvingReviewer",
    "annotated",
    "review",
    "tell",
]
