"""The review of a game of Cluedo: questions compared with the best ones, shows, and accusations.

The value of a question is its exact expected information about the solution, in bits
(`symkripke_games.cluedo.questions`). Its result is the drop in the entropy of the solution for the
asker. An answer can also raise the entropy.
"""

from __future__ import annotations

from collections.abc import Iterator

from symkripke.explain.text import listed
from symkripke.play import Advice
from symkripke.play.dealing import location
from symkripke.play.review import (
    FAULT,
    GOOD,
    NEWS,
    Annotation,
    ReviewedEvent,
    SolvingReviewer,
    Transition,
)
from symkripke_games.cluedo import knowledge
from symkripke_games.cluedo.advice import CluedoAdvisor
from symkripke_games.cluedo.players.informative import shown_before
from symkripke_games.cluedo.rules import Accusation, Happening, Setup, Suggestion, shown

Step = Transition[Setup, Happening]


class CluedoReviewer(SolvingReviewer[Setup, Happening]):
    """A reviewer that adds the value of each question and the certainty of each accusation."""

    goal = "the solution"
    solved_by = "accused"
    question = Suggestion

    def brought(self, step: Step, move: Advice) -> float:
        """Return the drop in the entropy of the solution, from the survey of the questions.

        Counting the solutions again, as other games do, would take 2.5 times as long for a whole
        review.
        """
        assert isinstance(self.advisor, CluedoAdvisor)
        assert isinstance(step.public, Suggestion)
        survey, card = self.advisor.survey, step.outcome.secret.get(shown(step.public.turn))
        return survey.uncertainty - survey.left(step.public.cards, step.public.shower, card)

    def annotate(self, event: ReviewedEvent, step: Step) -> Iterator[Annotation]:
        """Yield remarks on weak questions, lucky answers, careless shows, and accusations."""
        public = step.public
        player = public.player
        if isinstance(public, Suggestion):
            yield from self.on_question(event)
            yield from self._show(step, public)
        elif isinstance(public, Accusation):
            yield from self._accusation(step, public)
        if (
            player in event.after
            and self.past.ends_turn(event.number)
            and not isinstance(public, Accusation)
            and player not in step.before.state.out
            and self.is_certain(event.after[player])
        ):
            yield from self.on_missed(event, player)

    def _show(self, step: Step, public: Suggestion) -> Iterator[Annotation]:
        """Yield a remark if the shower could have shown a card that the asker had seen before."""
        shower, card = public.shower, step.outcome.secret.get(shown(public.turn))
        if shower not in self.past.seen or shower is None or card is None:
            return
        view = step.before.view(shower)
        known = shown_before(view, public.player)
        held = {atom.fluent for atom in view.perspective.seen if atom.value == shower}
        spare = [other for other in public.cards if other in known and location(other) in held]
        if not spare:
            return
        titles = self.past.titles
        new, old = (knowledge.title(self.past.setup, name) for name in (card, spare[0]))
        if card in known:
            words = f"{titles[shower]} showed a card that {titles[public.player]} had seen before"
            yield Annotation("old card", shower, words, GOOD)
        else:
            words = (
                f"{titles[shower]} showed {new}, and could have shown {old}, which "
                f"{titles[public.player]} had seen before"
            )
            yield Annotation("new card", shower, words, FAULT, {"shown": card, "spare": spare})

    def _accusation(self, step: Step, public: Accusation) -> Iterator[Annotation]:
        """Yield remarks on an accusation: its certainty, and whether it was the last chance."""
        guesser, solution = public.player, knowledge.solution(*public.cards)
        for remark in self.on_guess(step, solution, right=public.right):
            yield remark
            if remark.kind != "guess" or remark.sort == FAULT:
                continue
            rivals = [
                other
                for knower, other in self.aware
                if knower == guesser and other not in step.before.state.out
            ]
            if rivals and remark.data["float"] < 1:
                names = listed([self.past.titles[rival] for rival in rivals])
                words = (
                    f"{self.past.titles[guesser]} could know that {names} could accuse next: "
                    "it was the last chance"
                )
                yield Annotation("last chance", guesser, words, NEWS, {"rivals": rivals})
