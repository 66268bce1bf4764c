"""Players that choose their questions by information or by leads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from symkripke.engines import Engine
from symkripke.errors import UnknownName
from symkripke.play.player import SAME
from symkripke.play.words import person
from symkripke_games.sleuth.gems import FREE, Elements
from symkripke_games.sleuth.knowledge import asked_for
from symkripke_games.sleuth.leads import Lead, best_leads, settles
from symkripke_games.sleuth.players.basic import Asker, RandomAsker, SleuthView, asks, row_of
from symkripke_games.sleuth.rules import Ask, AskLast
from symkripke_games.sleuth.setup import CLASSIC

if TYPE_CHECKING:
    from symkripke_games.sleuth.questions import CandidateQuestion, Survey

MEASURES = ("gem", "deal")
"""The measures of a question: the information in its answer about the hidden gem or the deal."""


@dataclass(frozen=True)
class Choice:
    """A question that a player can ask, with the question card that it uses."""

    card: str
    question: CandidateQuestion


class Gainer(Asker):
    """Asks the question with the greatest exact expected information about the hidden gem."""

    def __init__(self, engine: Engine, chance: Random, measure: str = "gem") -> None:
        """Create a player that maximises information about the hidden "gem" or the "deal"."""
        super().__init__(engine, chance)
        self.measure = measure

    @classmethod
    def tuned(cls, text: str) -> Callable[[Engine, Random], Gainer]:
        """Return a factory of players with the measure in `text`, as in `gain:deal`.

        Raises:
            UnknownName: the measure is unknown.
        """
        if text not in MEASURES:
            raise UnknownName("measure of questions", text, MEASURES)
        return partial(cls, measure=text)

    def question(self, view: SleuthView) -> Ask | AskLast:
        """Return a decisive question, or else a most informative one, breaking ties at random."""
        survey = surveyed(self.engine, view)
        choices = choices_of(view, survey)
        return self.telling(view, survey, choices)

    def telling(self, view: SleuthView, survey: Survey, choices: Sequence[Choice]) -> Ask | AskLast:
        """Return the most informative choice, or a last question if only that is decisive."""
        sure = survey.uncertainty - SAME
        if max(choice.question.gem for choice in choices) < sure and view.setup.rules == CLASSIC:
            last = [question for question in survey.decisive() if question.gem >= sure]
            if last:
                question = self.chance.choice(last)
                reason = "whatever the answer is, I shall know the hidden gem"
                return AskLast(question.asked, question.elements, reason)
        most = max(map(self._value, choices))
        best = [choice for choice in choices if all_near(self._value(choice), most)]
        choice = self.chance.choice(best)
        return Ask(
            choice.question.asked, choice.question.elements, choice.card, why(view, choice.question)
        )

    def _value(self, choice: Choice) -> tuple[float, float]:
        """Return the information by the player's measure, then by the other measure."""
        gem, deal = choice.question.gem, choice.question.deal
        return (gem, deal) if self.measure == "gem" else (deal, gem)


class Follower(RandomAsker):
    """Asks about a gem that several others are known not to hold, if any; else asks at random."""

    def question(self, view: SleuthView) -> Ask:
        """Return a question that settles a best lead, or a random question without leads."""
        survey = surveyed(self.engine, view)
        followed = on_leads(view, survey, choices_of(view, survey))
        if not followed:
            return super().question(view)
        lead, choice = self.chance.choice(followed)
        return follow(view, lead, choice)


class StudyAgent(Gainer):
    """Asks the most informative question about a lead, as in the study; else plays like `gain`."""

    def question(self, view: SleuthView) -> Ask | AskLast:
        """Return the most informative question about the best leads, or of all without a lead."""
        survey = surveyed(self.engine, view)
        choices = choices_of(view, survey)
        followed = on_leads(view, survey, choices)
        if not followed:
            return self.telling(view, survey, choices)
        most = max(self._value(choice) for _, choice in followed)
        lead, choice = self.chance.choice(
            [pair for pair in followed if all_near(self._value(pair[1]), most)]
        )
        return follow(view, lead, choice)


# ---- the choices ---------------------------------------------------------------------------


def surveyed(engine: Engine, view: SleuthView) -> Survey:
    """Return the survey of all questions of a view; import numpy only when it is needed."""
    from symkripke_games.sleuth.questions import Survey

    return Survey(engine, view)


def choices_of(view: SleuthView, survey: Survey) -> list[Choice]:
    """Return the questions that the viewer's cards allow, each once.

    A question uses a free choice card only if the viewer has no exact card for it.
    """
    row = row_of(view)
    cards = view.setup.edition.cards if row is None else row
    by_elements: dict[Elements, str] = {}
    for card in sorted(set(cards), key=lambda card: (card == FREE, card)):
        for elements in asks(view.setup, card):
            by_elements.setdefault(elements, card)
    return [
        Choice(by_elements[question.elements], question)
        for question in survey.questions(by_elements)
    ]


def all_near(value: tuple[float, ...], most: tuple[float, ...]) -> bool:
    """Return whether two values are equal up to rounding."""
    return all(abs(mine - other) < SAME for mine, other in zip(value, most, strict=True))


def on_leads(
    view: SleuthView, survey: Survey, choices: Sequence[Choice]
) -> list[tuple[Lead, Choice]]:
    """Return the best leads that a question settles, each with such a question."""
    for leads in best_leads(view, survey):
        pairs = [
            (lead, choice)
            for lead in leads
            for choice in choices
            if settles(view.setup, choice.question, lead)
        ]
        if pairs:
            return pairs
    return []


def follow(view: SleuthView, lead: Lead, choice: Choice) -> Ask:
    """Return the move for this question, with the reason of the lead."""
    return Ask(
        choice.question.asked, choice.question.elements, choice.card, lead.reason(view.setup)
    )


def why(view: SleuthView, question: CandidateQuestion, who: str = "I") -> str:
    """Return the reason for a question, in words; `who` is the asker in the sentence."""
    what = f"{person(question.asked)}'s {asked_for(view.setup.edition, question.elements)}"
    if not question.open:
        return f"no question that {who} may ask gives new information; {who} know all of {what}"
    return (
        f"{who} know little about {what} ({len(question.open)} uncertain): the answer gives "
        f"{question.deal:.2f} bits on average, {question.gem:.2f} of them about the hidden gem"
    )
