"""The review of a game of Sleuth: each question beside the best one, and the declarations.

The value of a question is its expected information about the hidden gem, in bits, exactly
(`symkripke_games.sleuth.questions`). The best question is the best of those that the asker's cards
allowed. What a question brought is by how much the asker's entropy of the hidden gem dropped.
"""

from __future__ import annotations

from collections.abc import Iterator

from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.play.hands import at
from symkripke.play.player import SAME
from symkripke.play.review import (
    Annotation,
    Appraisal,
    Position,
    ReviewedEvent,
    SolvingReviewer,
)
from symkripke.play.review.reviewer import unless_too_much
from symkripke.play.rules import Outcome
from symkripke.play.words import person
from symkripke_games.sleuth.gems import HIDDEN
from symkripke_games.sleuth.knowledge import asked_for
from symkripke_games.sleuth.players.asking import choices_of
from symkripke_games.sleuth.questions import Survey
from symkripke_games.sleuth.rules import Declaration, Happening, Question
from symkripke_games.sleuth.setup import Setup

Here = Position[Setup, Happening]


class SleuthReviewer(SolvingReviewer[Setup, Happening]):
    """Values each question, and tells whether each declaration was certain."""

    goal = "the hidden gem"
    solved_by = "declared"
    best_asked = "the best question its cards allowed"

    def appraise(self, before: Here, outcome: Outcome[Happening], after: Here) -> Appraisal | None:
        """A question, by its expected information about the hidden gem."""
        public = outcome.public
        if not isinstance(public, Question) or public.player in self.certain:
            return None
        view = before.view(public.player)
        try:
            survey = Survey(self.past.engine, view)
            if public.last:  # any question may be the last one
                told = survey.questions(self.past.setup.edition.questions)
            else:
                told = [choice.told for choice in choices_of(view, survey)]
            value = survey.question(public.asked, public.elements).gem
            left = Survey(self.past.engine, after.view(public.player)).uncertainty
        except (BudgetExceeded, Unsupported) as error:
            unless_too_much(error)
            return None
        best = max(told, key=lambda question: question.gem)
        better = sum(question.gem > value + SAME for question in told)
        words = f"ask {person(best.asked)} for {asked_for(self.past.setup.edition, best.elements)}"
        return Appraisal(
            "bits",
            value,
            max(value, best.gem),
            words if better else "",
            better,
            len(told),
            survey.uncertainty - left,
            ("question", "questions"),
        )

    def annotate(
        self, event: ReviewedEvent, before: Here, outcome: Outcome[Happening], after: Here
    ) -> Iterator[Annotation]:
        """Weak questions, lucky answers, declarations, and those that were missed."""
        public = outcome.public
        if isinstance(public, Question):
            yield from self.on_question(event)
        elif isinstance(public, Declaration):
            said = at(public.gem, HIDDEN)
            yield from self.on_guess(before, public.player, said, right=public.right)
        if self.past.ends_turn(event.number):
            yield from self._silence(event, after)

    def _silence(self, event: ReviewedEvent, after: Here) -> Iterator[Annotation]:
        """The players who could have declared after a question, and did not."""
        for player, level in event.after.items():
            if not self.is_certain(level) or player in after.state.out:
                continue
            yield from self.on_missed(event, player)

    def is_question(self, event: ReviewedEvent) -> bool:
        """Whether the event is a question."""
        return isinstance(self.past.outcomes[event.number - 1].public, Question)
