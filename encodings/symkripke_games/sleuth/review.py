"""The review of a game of Sleuth: each question compared with the best, and declarations.

The value of a question is its expected information about the hidden gem, in bits, exactly
(`symkripke_games.sleuth.questions`). The best question is the best of those that the asker's cards
allowed. What a question brought is by how much the asker's entropy of the hidden gem dropped.
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
    """Values each question, and tells whether each declaration was certain."""

    goal = "the hidden gem"
    solved_by = "declared"
    best_asked = "the best question that the cards allowed"
    question = Question

    def annotate(self, event: ReviewedEvent, step: Step) -> Iterator[Annotation]:
        """Weak questions, lucky answers, declarations, and those that were missed."""
        public = step.public
        if isinstance(public, Question):
            yield from self.on_question(event)
        elif isinstance(public, Declaration):
            said = at(public.gem, HIDDEN)
            yield from self.on_guess(step, said, right=public.right)
        if self.past.ends_turn(event.number):  # who could have declared after a question?
            for player, level in event.after.items():
                if self.is_certain(level) and player not in step.after.state.out:
                    yield from self.on_missed(event, player)
