"""The review of a game of Cluedo: questions beside the best ones, shows, and accusations.

What a question could be expected to tell is what it tells of the solution, in bits, exactly
(`symkripke_games.cluedo.questions`); what it brought is by how much the entropy of the solution
dropped for its asker. An answer that makes another solution likelier may raise it.
"""

from __future__ import annotations

from collections.abc import Iterator

from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.explain.text import listed
from symkripke.play.dealing import location
from symkripke.play.player import SAME
from symkripke.play.review import (
    FAULT,
    GOOD,
    NEWS,
    Annotation,
    Appraisal,
    Position,
    ReviewedEvent,
    SolvingReviewer,
)
from symkripke.play.review.reviewer import unless_too_much
from symkripke.play.rules import Outcome
from symkripke_games.cluedo import knowledge
from symkripke_games.cluedo.players.informative import shown_before
from symkripke_games.cluedo.questions import Survey
from symkripke_games.cluedo.rules import (
    Accusation,
    Happening,
    Setup,
    Suggestion,
    Triple,
    shown,
)

Here = Position[Setup, Happening]


class CluedoReviewer(SolvingReviewer[Setup, Happening]):
    """Says of each question what it was worth, and of accusations whether they were sure."""

    goal = "the solution"
    solved_by = "accused"

    # ---- questions -------------------------------------------------------------------------------

    def appraise(self, before: Here, outcome: Outcome[Happening], after: Here) -> Appraisal | None:
        """A suggestion, by what it could be expected to tell its asker."""
        public = outcome.public
        if not isinstance(public, Suggestion) or public.player in self.certain:
            return None
        try:
            survey = Survey(self.past.engine, before.view(public.player))
        except (BudgetExceeded, Unsupported) as error:
            unless_too_much(error)
            return None
        gains = survey.gains
        value, best = gains[public.cards], max(gains.values())
        better = sum(gain > value + SAME for gain in gains.values())
        card = outcome.secret.get(shown(public.turn))
        left = survey.left(public.cards, public.shower, card)
        return Appraisal(
            "bits",
            value,
            best,
            self._asked(survey.best()[0]) if better else "",
            better,
            len(gains),
            survey.uncertainty - left,
            ("question", "questions"),
        )

    def _asked(self, cards: Triple) -> str:
        return ", ".join(knowledge.title(self.past.setup, card) for card in cards)

    # ---- what is said ----------------------------------------------------------------------------

    def annotate(
        self, event: ReviewedEvent, before: Here, outcome: Outcome[Happening], after: Here
    ) -> Iterator[Annotation]:
        """Weak questions, lucky answers, shows that told more than they had to, accusations."""
        public = outcome.public
        if isinstance(public, Suggestion):
            yield from self.on_question(event)
            yield from self._show(before, public, outcome)
        elif isinstance(public, Accusation):
            yield from self._accusation(before, public)
        if public.player in event.after and self.past.ends_turn(event.number):
            yield from self._silence(event, before, public)

    def _show(
        self, before: Here, public: Suggestion, outcome: Outcome[Happening]
    ) -> Iterator[Annotation]:
        """A new card was shown, where one would have done that the asker had seen before."""
        shower, card = public.shower, outcome.secret.get(shown(public.turn))
        if shower not in self.past.seen or shower is None or card is None:
            return
        view = before.view(shower)
        known = shown_before(view, public.player)
        held = {atom.fluent: atom.value for atom in view.perspective.seen if atom.value == shower}
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

    def _accusation(self, before: Here, public: Accusation) -> Iterator[Annotation]:
        """Whether it was certain; a guess may have been the last chance."""
        guesser, solution = public.player, knowledge.solution(*public.cards)
        for remark in self.on_guess(before, guesser, solution, right=public.right):
            yield remark
            if remark.kind != "guess" or remark.sort == FAULT:
                continue
            rivals = [
                other
                for knower, other in self.aware
                if knower == guesser and other not in before.state.out
            ]
            if rivals and remark.data["float"] < 1:
                told = listed([self.past.titles[rival] for rival in rivals])
                words = (
                    f"{self.past.titles[guesser]} could know that {told} could accuse next: it was "
                    "the last chance"
                )
                yield Annotation("last chance", guesser, words, NEWS, {"rivals": rivals})

    def _silence(
        self, event: ReviewedEvent, before: Here, public: Happening
    ) -> Iterator[Annotation]:
        """The turn ends, and its player could have accused."""
        player = public.player
        if isinstance(public, Accusation) or player in before.state.out:
            return
        if not self.is_certain(event.after[player]):
            return
        yield from self.on_missed(event, player)

    def is_question(self, event: ReviewedEvent) -> bool:
        """Whether the event is a question."""
        return isinstance(self.past.outcomes[event.number - 1].public, Suggestion)
