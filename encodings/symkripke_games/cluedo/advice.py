"""Questions worth asking, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from symkripke.engines import Engine
from symkripke.errors import InputError
from symkripke.play import Advice, View
from symkripke.play.words import person
from symkripke_games.cluedo import knowledge
from symkripke_games.cluedo.questions import Question, Reply, Survey
from symkripke_games.cluedo.rules import Happening, Setup


def advise(view: View[Setup, Happening], engine: Engine, number: int) -> Sequence[Advice]:
    """So many of the questions that tell the viewer most, the best first.

    Raises:
        InputError: `number` is negative.
        Unsupported: the engine has no chains.
    """
    if number < 0:
        raise InputError(f"expected a number of suggestions of 0 or more, got {number}")
    survey = Survey(engine, view)
    return [_told(view.setup, survey, question) for question in survey.ranked(number)]


def _told(setup: Setup, survey: Survey, question: Question) -> Advice:
    cards = ", ".join(knowledge.title(setup, card) for card in question.cards)
    return Advice(
        f"ask for {cards}",
        question.gain,
        _reason(setup, survey, question),
        {
            "cards": list(question.cards),
            "gain": question.gain,
            "uncertainty": survey.uncertainty,
            "replies": [_data(reply) for reply in question.replies],
        },
    )


def _reason(setup: Setup, survey: Survey, question: Question) -> str:
    """How many answers, and who is to be expected to show a card, the likeliest first."""
    number = len(question.replies)
    shows: dict[str | None, float] = defaultdict(float)
    for reply in question.replies:
        shows[reply.shower] += reply.probability
    likely = sorted(shows.items(), key=lambda pair: -round(pair[1], 9))
    told = [
        f"{person(who)} shows a card with {_percent(share)}"
        if who is not None
        else f"nobody shows one with {_percent(share)}"
        for who, share in likely
    ]
    left = max(0.0, survey.uncertainty - question.gain)
    return (
        f"{number} {'answer' if number == 1 else 'answers'} possible: {'; '.join(told)}. "
        f"Of {survey.uncertainty:.2f} bits that are unknown of the solution, {left:.2f} are left "
        "on average"
    )


def _percent(share: float) -> str:
    if 0 < share < 0.01:
        return "less than 1%"
    return "more than 99%" if 0.99 < share < 1 - 1e-9 else f"{share:.0%}"


def _data(reply: Reply) -> dict[str, Any]:
    return {
        "passes": list(reply.passes),
        "shower": reply.shower,
        "card": reply.card,
        "probability": reply.probability,
    }
