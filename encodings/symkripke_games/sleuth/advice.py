"""Advice in words: which questions to ask, and when to declare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from symkripke.engines import Engine, counter
from symkripke.explain.text import percent
from symkripke.language import Atom
from symkripke.play import Advice, View
from symkripke.play.advisor import Advisor
from symkripke.play.dealing import location
from symkripke.play.player import SAME
from symkripke.play.words import person
from symkripke_games.sleuth.gems import HIDDEN, Elements
from symkripke_games.sleuth.knowledge import asked_for
from symkripke_games.sleuth.leads import best_leads, settles
from symkripke_games.sleuth.players.asking import choices_of, why
from symkripke_games.sleuth.players.basic import RandomAsker, row_of
from symkripke_games.sleuth.questions import Survey
from symkripke_games.sleuth.rules import (
    Ask,
    AskLast,
    Declaration,
    Declare,
    Happening,
    Question,
    Silent,
)
from symkripke_games.sleuth.setup import CLASSIC, Setup

SleuthView = View[Setup, Happening]


class SleuthAdvisor(Advisor[Setup, Happening]):
    """Advice on questions, and on declaring."""

    noun = ("question", "questions")

    def advise(
        self, view: SleuthView, engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        """Return the best moves for the viewer, best first.

        If the hidden gem is certain, advise to declare it. Otherwise, advise at most `number`
        questions that the question cards allow, ordered by their information about the hidden gem,
        then about all gems. Advise a last question only if it makes the hidden gem certain at once
        and no question with a card does. Return an empty list for a player who has declared.

        Raises:
            ImpossibleEvent: the viewer considers nothing possible.
        """
        kind = "ask" if view.decision is None else view.decision.kind
        if kind == "ask" and any(
            isinstance(done, Declaration) and done.player == view.player for done in view.record
        ):
            return []
        left = RandomAsker(engine, Random(0)).possible(view)
        many = f"{len(left)} gems may be hidden"
        if len(left) == 1:
            return [_declare(view, left[0], Fraction(1), "no other gem can be hidden")]
        if kind == "last":
            atoms = [Atom(location(gem), HIDDEN) for gem in left]
            marginals = counter(engine).marginals(view.perspective, atoms)
            shares = {gem: marginals[atom] for gem, atom in zip(left, atoms, strict=True)}
            reason = f"{many}; the chance that it is this one is"
            return [
                _declare(view, gem, shares[gem], f"{reason} {percent(shares[gem])}")
                for gem in sorted(left, key=lambda gem: -shares[gem])
            ]
        survey = Survey(engine, view)
        if kind == "declare":
            reason = f"{many}: a player who declares wrongly is out"
            silent = Advice("stay silent", 0.0, reason, {"silent": len(left)}, Silent(), "chance")
            later = _questions(view, survey, number - 1) if number > 1 else []
            return [
                silent,
                *(replace(ask, title=f"next turn: {ask.title}", move=None) for ask in later),
            ]
        last = _last(view, survey) if view.decision is not None else []
        return [*last, *_questions(view, survey, number)]

    def weigh(self, view: SleuthView, engine: Engine, event: Happening) -> Sequence[Advice]:
        """Return the questions that the cards allow, or all for a last question, best first."""
        assert isinstance(event, Question)
        survey = Survey(engine, view)
        questions = [choice.question for choice in choices_of(view, survey)]
        if event.last:
            questions = survey.questions(view.setup.edition.questions)
        ranked = [
            Advice(
                _asks(view, one.asked, one.elements),
                one.gem,
                move=AskLast(one.asked, one.elements)
                if event.card is None
                else Ask(one.asked, one.elements, event.card),
            )
            for one in questions
        ]
        return sorted(ranked, key=lambda advice: -round(advice.gain / SAME))


def _declare(view: SleuthView, gem: str, share: Fraction, reason: str) -> Advice:
    return Advice(
        f"declare the {view.setup.edition.titles[gem]}",
        float(share),
        reason,
        {"declare": gem, "right": str(share)},
        Declare(gem),
        "chance",
        "to be right",
    )


def _asks(view: SleuthView, asked: str, elements: Elements) -> str:
    return f"ask {person(asked)} for {asked_for(view.setup.edition, elements)}"


def _last(view: SleuthView, survey: Survey) -> list[Advice]:
    """Return a last question that makes the gem certain, unless a question with a card does."""
    sure = survey.uncertainty - SAME
    if view.setup.rules != CLASSIC or any(
        choice.question.gem >= sure for choice in choices_of(view, survey)
    ):
        return []
    return [
        Advice(
            f"{_asks(view, gem.asked, gem.elements)}, as a last question",
            gem.gem,
            "whatever the answer is, you will know the hidden gem",
            {"asked": gem.asked, "elements": list(gem.elements), "last": True},
            AskLast(gem.asked, gem.elements),
        )
        for gem in survey.decisive()
        if gem.gem >= sure
    ][:1]


def _questions(view: SleuthView, survey: Survey, number: int) -> list[Advice]:
    """Return the `number` most informative questions."""
    choices = choices_of(view, survey)
    choices.sort(
        key=lambda choice: (-round(choice.question.gem / SAME), -round(choice.question.deal / SAME))
    )
    leads = [lead for some in best_leads(view, survey) for lead in some]
    known = row_of(view) is not None
    advice = []
    for choice in choices[:number]:
        question = choice.question
        followed = next((lead for lead in leads if settles(view.setup, question, lead)), None)
        reason = why(view, question, "you")
        if followed is not None:
            reason += f"; {followed.reason(view.setup)}"
        with_card = ", with a free choice card" if known and choice.card == "free" else ""
        data: dict[str, Any] = {
            "asked": question.asked,
            "elements": list(question.elements),
            "card": choice.card if known else None,
            "gem": question.gem,
            "deal": question.deal,
            "uncertainty": survey.uncertainty,
            "open": list(question.open),
            "lead": None if followed is None else followed.gem,
        }
        title = f"{_asks(view, question.asked, question.elements)}{with_card}"
        move = Ask(question.asked, question.elements, choice.card) if known else None
        advice.append(Advice(title, question.gem, reason, data, move))
    return advice
