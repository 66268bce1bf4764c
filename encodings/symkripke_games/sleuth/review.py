"""The review of a game of Sleuth: questions compared with the best ones, and declarations.

The value of a question is its exact expected information about the hidden gem, in bits
(`symkripke_games.sleuth.questions`). It is compared with the best question that the asker's cards
allowed. The result of a question is the drop in the entropy of the hidden gem for the asker.
"""

from __future__ import annotations

from collections.abc import Iterator

from symkripke.play.hands import at
from symkripke.play.review import Annotation, ReviewedEvent, SolvingReviewer, Transition
from symkripke_games.sleuth.gems import HIDDEN
from symkripke_games.sleuth.rules import Declaration, Happening, Question
from symkripke_games.sleuth.setup import Setup

Step = Transition[Setup, Happening]


class SleuthReviewer(SolvingReviewer[Setup, Happening]):
    """A reviewer that adds the value of each question and the certainty of each declaration."""

    goal = "the hidden gem"
    solved_by = "declared"
    best_asked = "the best question that the cards allowed"
    question = Question

    def annotate(self, event: ReviewedEvent, step: Step) -> Iterator[Annotation]:
        """Yield remarks on weak questions, lucky answers, and made or missed declarations."""
        public = step.public
        if isinstance(public, Question):
            yield from self.on_question(event)
        elif isinstance(public, Declaration):
            said = at(public.gem, HIDDEN)
            yield from self.on_guess(step, said, right=public.right)
        if self.past.ends_turn(event.number):  # some players may have missed a declaration
            for player, level in event.after.items():
                if self.is_certain(level) and player not in step.after.state.out:
                    yield from self.on_missed(event, player)
