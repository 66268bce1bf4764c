"""The review of a game of Cluedo: questions beside the best ones, shows, and accusations.

What a question could be expected to tell is what it tells of the solution, in bits, exactly
(`symkripke_games.cluedo.questions`); what it brought is by how much the entropy of the solution
dropped for its asker. An answer that makes another solution likelier may raise it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.explain.text import listed, percent
from symkripke.play.dealing import location
from symkripke.play.player import SAME
from symkripke.play.review import (
    FAULT,
    GOOD,
    LUCK,
    NEWS,
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

# A question is said to be weak that could tell less than this share of what the best one could.
_WEAK = 0.25

# An answer is said to be lucky that brought so many bits more than was to be expected.
_LUCKY = 1.5


class CluedoReviewer(Reviewer[Setup, Happening]):
    """Says of each question what it was worth, and of accusations whether they were sure."""

    goal = "the solution"

    def __init__(self, past: Past[Setup, Happening]) -> None:
        """Nobody has missed anything yet."""
        super().__init__(past)
        self._missed: dict[str, list[int]] = {}

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
            yield from self._question(event, public)
            yield from self._show(before, public, outcome)
        elif isinstance(public, Accusation):
            yield from self._accusation(before, public, after)
        if public.player in event.after and self.past.ends_turn(event.number):
            yield from self._silence(event, before, public)

    def _question(self, event: ReviewedEvent, public: Suggestion) -> Iterator[Annotation]:
        worth, asker = event.appraisal, self.past.titles[public.player]
        if worth is None or worth.best < SAME:
            return
        if worth.value < SAME:
            yield Annotation(
                "weak", public.player, f"{asker}'s question could tell it nothing", FAULT
            )
        elif worth.value < _WEAK * worth.best:
            share = worth.value / worth.best
            words = f"{asker}'s question could tell it {share:.0%} of what the best one could"
            yield Annotation("weak", public.player, words, FAULT)
        if worth.brought is not None and worth.brought > worth.value + _LUCKY:
            words = f"{asker} was lucky with the answer"
            yield Annotation("lucky answer", public.player, words, LUCK)

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

    def _accusation(self, before: Here, public: Accusation, after: Here) -> Iterator[Annotation]:
        who, player = self.past.titles[public.player], public.player
        if player not in self.past.seen:
            return
        if player in self.certain and public.right:
            if self.certain[player] == public.turn:
                words = f"{who} accused as soon as it could know the solution"
                yield Annotation("certain", player, words, GOOD)
            return
        try:
            chance = self.counting.probability(
                before.moment.perspective(player), knowledge.solution(*public.cards)
            )
        except (BudgetExceeded, Unsupported) as error:
            unless_too_much(error)
            return
        left = self.level(before, player)
        data = {"chance": str(chance), "float": float(chance), "solutions": left}
        known = f"with {number(left)} solutions left"
        if public.right:
            words = f"{who} guessed, {known}, and was lucky: the chance was {percent(chance)}"
            yield Annotation("guess", player, words, LUCK, data)
        elif chance:
            words = f"{who} guessed, {known}, and was wrong: the chance was {percent(chance)}"
            yield Annotation("guess", player, words, LUCK, data)
        else:
            words = f"{who} accused wrongly, and could have known that"
            yield Annotation("guess", player, words, FAULT, data)
        rivals = [
            other
            for knower, other in self.aware
            if knower == player and other not in before.state.out
        ]
        if rivals and 0 < chance < 1:
            told = listed([self.past.titles[rival] for rival in rivals])
            words = f"{who} could know that {told} could accuse next: it was the last chance"
            yield Annotation("last chance", player, words, NEWS, {"rivals": rivals})

    def _silence(
        self, event: ReviewedEvent, before: Here, public: Happening
    ) -> Iterator[Annotation]:
        """The turn ends, and its player could have accused."""
        player = public.player
        if isinstance(public, Accusation) or player in before.state.out:
            return
        if not self.is_certain(event.after[player]):
            return
        again = "again" if player in self._missed else "here"
        self._missed.setdefault(player, []).append(event.turn)
        words = f"{self.past.titles[player]} could have accused {again}, and did not"
        yield Annotation("missed", player, words, FAULT)

    def is_question(self, event: ReviewedEvent) -> bool:
        """Whether the event is a question."""
        return isinstance(self.past.outcomes[event.number - 1].public, Suggestion)

    # ---- all of it -------------------------------------------------------------------------------

    def figures(self, events: Sequence[ReviewedEvent]) -> Figures:
        """What each player's questions were worth, and what they told the others."""
        columns = {
            "certain": "could know the solution from turn",
            "missed": "turns in which it could have accused, and did not",
            "questions": "questions before it could know the solution",
            "value": "bits that a question could be expected to tell it, on average",
            "best": "bits that the best question could, on average",
            "brought": "bits that a question did tell it, on average",
            "given": "bits that each other player learned from a question of it, on average",
            "left": "solutions left at the end",
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
        """Who could know the solution when, what was missed or risked, and the best question."""
        yield from self.solved()
        yield from self.who_knew(events)
        yield from self.missed(self._missed, "accused", events)
        for turn, said in annotated(events, "guess"):
            yield f"In turn {turn} {said.words}"
        yield from self.greatest_step(events)
        yield from self.askers(events)
