"""The review of a game of Sleuth: each question beside the best one, and the declarations.

The value of a question is its expected information about the hidden gem, in bits, exactly
(`symkripke_games.sleuth.questions`). The best question is the best of those that the asker's cards
allowed. What a question brought is by how much the asker's entropy of the hidden gem dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.explain.text import percent
from symkripke.play.hands import at
from symkripke.play.player import SAME
from symkripke.play.review import (
    FAULT,
    GOOD,
    LUCK,
    Annotation,
    Appraisal,
    Figures,
    Past,
    Position,
    ReviewedEvent,
    Reviewer,
    annotated,
)
from symkripke.play.review.reviewer import mean, number, unless_too_much
from symkripke.play.rules import Outcome
from symkripke.play.words import person
from symkripke_games.sleuth.gems import HIDDEN
from symkripke_games.sleuth.knowledge import asked_for
from symkripke_games.sleuth.players.asking import choices_of
from symkripke_games.sleuth.questions import Survey
from symkripke_games.sleuth.rules import Declaration, Happening, Question
from symkripke_games.sleuth.setup import Setup

Here = Position[Setup, Happening]

# A question is called weak if its value is less than this share of the best question's value.
_WEAK = 0.25

# An answer is called lucky if it brought at least so many bits more than expected.
_LUCKY = 1.5


class SleuthReviewer(Reviewer[Setup, Happening]):
    """Values each question, and tells whether each declaration was certain."""

    goal = "the hidden gem"

    def __init__(self, past: Past[Setup, Happening]) -> None:
        """Nobody has missed anything yet."""
        super().__init__(past)
        self._missed: dict[str, list[int]] = {}

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
            yield from self._question(event, public)
        elif isinstance(public, Declaration):
            yield from self._declaration(before, public)
        if self.past.ends_turn(event.number):
            yield from self._silence(event, after)

    def _question(self, event: ReviewedEvent, public: Question) -> Iterator[Annotation]:
        worth, asker = event.appraisal, self.past.titles[public.player]
        if worth is None or worth.best < SAME:
            return
        if worth.value < SAME:
            words = f"{asker}'s question could tell it nothing of the hidden gem"
            yield Annotation("weak", public.player, words, FAULT)
        elif worth.value < _WEAK * worth.best:
            share = worth.value / worth.best
            words = f"{asker}'s question could tell it {share:.0%} of what the best one could"
            yield Annotation("weak", public.player, words, FAULT)
        if worth.brought is not None and worth.brought > worth.value + _LUCKY:
            yield Annotation(
                "lucky answer", public.player, f"{asker} was lucky with the answer", LUCK
            )

    def _declaration(self, before: Here, public: Declaration) -> Iterator[Annotation]:
        who, player = self.past.titles[public.player], public.player
        if player not in self.past.seen:
            return
        if player in self.certain and public.right:
            if self.certain[player] == public.turn:
                words = f"{who} declared as soon as it could know the hidden gem"
                yield Annotation("certain", player, words, GOOD)
            return
        try:
            view = before.moment.perspective(player)
            chance = self.counting.probability(view, at(public.gem, HIDDEN))
        except (BudgetExceeded, Unsupported) as error:
            unless_too_much(error)
            return
        left = self.level(before, player)
        data = {"chance": str(chance), "float": float(chance), "gems": left}
        if not chance:
            words = f"{who} declared wrongly, and could have known that"
            yield Annotation("guess", player, words, FAULT, data)
            return
        ended = "was lucky" if public.right else "was wrong"
        words = (
            f"{who} guessed, with {number(left)} gems left, and {ended}: the chance was "
            f"{percent(chance)}"
        )
        yield Annotation("guess", player, words, LUCK, data)

    def _silence(self, event: ReviewedEvent, after: Here) -> Iterator[Annotation]:
        """The players who could have declared after a question, and did not."""
        for player, level in event.after.items():
            if not self.is_certain(level) or player in after.state.out:
                continue
            again = "again" if player in self._missed else "here"
            self._missed.setdefault(player, []).append(event.turn)
            words = f"{self.past.titles[player]} could have declared {again}, and did not"
            yield Annotation("missed", player, words, FAULT)

    def is_question(self, event: ReviewedEvent) -> bool:
        """Whether the event is a question."""
        return isinstance(self.past.outcomes[event.number - 1].public, Question)

    def figures(self, events: Sequence[ReviewedEvent]) -> Figures:
        """What each player's questions were worth, and what they told the others."""
        columns = {
            "certain": "could know the hidden gem from turn",
            "missed": "turns in which it could have declared, and did not",
            "questions": "questions before it could know the gem",
            "value": "bits that a question could be expected to tell it, on average",
            "best": "bits that the best question its cards allowed could, on average",
            "brought": "bits that a question did tell it, on average",
            "given": "bits that each other player learned from a question of it, on average",
            "left": "gems left at the end",
        }
        rows: dict[str, dict[str, str | int | float | None]] = {}
        for player in self.past.seen:
            mine = [event for event in events if event.player == player]
            worth = [event.appraisal for event in mine if event.appraisal is not None]
            rows[player] = {
                "certain": self.certain.get(player),
                "missed": len(self._missed.get(player, ())),
                "questions": len(worth),
                "value": mean([move.value for move in worth]),
                "best": mean([move.best for move in worth]),
                "brought": mean([move.brought for move in worth if move.brought is not None]),
                "given": self.given(mine, player),
                "left": events[-1].after[player] if events else None,
            }
        return Figures(columns, rows)

    def legend(self) -> Iterator[str]:
        """What bits are."""
        return self.legend_of_bits()

    def story(self, events: Sequence[ReviewedEvent], *, whole: bool) -> Iterator[str]:
        """Who could know the gem when, what was missed or risked, and the best question."""
        yield from self.solved()
        yield from self.who_knew(events)
        yield from self.missed(self._missed, "declared", events)
        for turn, said in annotated(events, "guess"):
            yield f"In turn {turn} {said.words}"
        yield from self.greatest_step(events)
        yield from self.askers(events)
