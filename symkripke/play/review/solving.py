"""The review of a game whose players ask questions until one of them finds the solution.

The value of a question is its expected information about the solution for its asker, in bits, as
computed by the game's advisor. The result of a question is the actual reduction of the asker's
entropy. A game defines which of its events are questions and guesses. The remarks, the figures and
the story are the same for all these games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log2

from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.explain.text import percent
from symkripke.language import Formula
from symkripke.play.player import SAME
from symkripke.play.positions import Past, Transition
from symkripke.play.review.records import (
    FAULT,
    GOOD,
    LUCK,
    Annotation,
    Appraisal,
    Column,
    ReviewedEvent,
    annotated,
    last,
    mean,
)
from symkripke.play.review.reviewer import Reviewer, number, unless_too_much
from symkripke.play.rules import PublicT, SetupT

# A question is called weak if its value is less than this share of the best question's value.
_WEAK = 0.25

# An answer is lucky if it brought at least this much more than expected, in bits.
_LUCKY = 1.5


class SolvingReviewer(Reviewer[SetupT, PublicT]):
    """A reviewer of the value of questions, the chances of guesses, and missed chances.

    Attributes:
        solved_by: the verb for a player's claim to know the answer: "accused".
        best_asked: the words for the question with which each question is compared.
        question: the class of the events in which players ask.
    """

    solved_by = "guessed"
    best_asked = "the best question"
    question: type

    def __init__(self, past: Past[SetupT, PublicT]) -> None:
        """Start without missed chances."""
        super().__init__(past)
        self._missed: set[str] = set()

    def appraise(self, step: Transition[SetupT, PublicT]) -> Appraisal | None:
        """Return the value of a question by a player who could not know the answer yet."""
        if step.player in self.certain or not isinstance(step.public, self.question):
            return None
        return super().appraise(step)

    # ---- remarks, for `annotate` -----------------------------------------------------------------

    def on_question(self, event: ReviewedEvent) -> Iterator[Annotation]:
        """Yield remarks on a weak question and on a lucky answer."""
        worth, player = event.appraisal, event.player
        if worth is None or worth.best < SAME:
            return
        asker = self.past.titles[player]
        if worth.value < SAME:
            words = f"{asker}'s question could tell them nothing about {self.goal}"
            yield Annotation("weak", player, words, FAULT)
        elif worth.value < _WEAK * worth.best:
            share = worth.value / worth.best
            words = (
                f"{asker}'s question had {share:.0%} of the expected information of the best one"
            )
            yield Annotation("weak", player, words, FAULT)
        if worth.brought is not None and worth.brought > worth.value + _LUCKY:
            yield Annotation("lucky answer", player, f"{asker} was lucky with the answer", LUCK)

    def on_guess(
        self, step: Transition[SetupT, PublicT], answer: Formula, *, right: bool
    ) -> Iterator[Annotation]:
        """Yield the remark on a guess: its certainty, or else its chance.

        `answer` is the player's claim, and `right` tells whether it was true.
        """
        player, before = step.player, step.before
        if player not in self.past.seen:
            return
        who, turn = self.past.titles[player], before.moment.turn
        if player in self.certain and right:
            if self.certain[player] == turn:
                words = f"{who} {self.solved_by} as soon as they could know {self.goal}"
                yield Annotation("certain", player, words, GOOD)
            return
        try:
            chance = self.counting.probability(before.moment.perspective(player), answer)
        except (BudgetExceeded, Unsupported) as error:
            unless_too_much(error)
            return
        left, things = self.level(before, player), self.past.game.question
        data = {"chance": str(chance), "float": float(chance), things: left}
        if not chance:
            words = f"{who} {self.solved_by} wrongly, and could have known that"
            yield Annotation("guess", player, words, FAULT, data)
            return
        ended = "was lucky" if right else "was wrong"
        words = (
            f"{who} guessed, with {number(left)} {things} left, and {ended}: the chance was "
            f"{percent(chance)}"
        )
        yield Annotation("guess", player, words, LUCK, data)

    def on_missed(self, event: ReviewedEvent, player: str) -> Iterator[Annotation]:
        """Yield the remark that the player missed the chance to end the game."""
        again = "again" if player in self._missed else "here"
        self._missed.add(player)
        words = f"{self.past.titles[player]} could have {self.solved_by} {again}, and did not"
        yield Annotation("missed", player, words, FAULT)

    # ---- the whole game --------------------------------------------------------------------------

    def is_question(self, event: ReviewedEvent) -> bool:
        """Return whether the event is a player's question."""
        return isinstance(self.past.event(event.number), self.question)

    @property
    def columns(self) -> Mapping[str, Column]:
        """The figures about each player's questions, and about the information given away."""
        return {
            "certain": Column(f"could know {self.goal} from turn", last, "turn"),
            "missed": Column(
                f"turns in which they could have {self.solved_by}, and did not", known=True
            ),
            "questions": Column(
                f"questions before they could know {self.goal}", len, "value", known=True
            ),
            "value": Column("expected information of a question (bits, average)", mean),
            "best": Column(f"expected information of {self.best_asked} (bits, average)", mean),
            "brought": Column("information gained by a question (bits, average)", mean),
            "given": Column(
                "information that each other player gained from a question (bits, average)",
                mean,
                known=True,
            ),
            "left": Column(f"{self.measure.short} at the end", last),
        }

    def facts(self, events: Sequence[ReviewedEvent]) -> Iterator[tuple[str, str, float]]:
        """Yield, in addition, the bits that each other player learned from a question.

        The bits count the excluded answers to the game's question, regardless of their probability.
        One bit excludes half of the remaining answers.
        """
        yield from super().facts(events)
        for event in events:
            if self.is_question(event):
                for other, then in event.before.items():
                    if other != event.player:
                        yield event.player, "given", log2(then / event.after[other])

    def legend(self) -> Iterator[str]:
        """Yield sentences that explain the bits."""
        things = self.measure.title
        yield (
            f"Bits measure the uncertainty about {self.goal}: one more bit means "
            f"twice as many equally probable {things}. The expected information of a "
            "question is an average over all answers, given everything that the "
            "asker could know. A surprising answer can increase the uncertainty"
        )
        yield (
            f"The information that others gained counts the {things} that they could "
            "exclude: excluding half of them is one bit"
        )

    def story(self, events: Sequence[ReviewedEvent], *, whole: bool) -> Iterator[str]:
        """Yield the story: knowledge of the answer, missed chances, risks, the best question."""
        yield from super().story(events, whole=whole)
        yield from self.missed(events)
        for turn, said in annotated(events, "guess"):
            yield f"In turn {turn} {said.words}"
        yield from self.greatest_step(events)
        yield from self.askers(events)

    # ---- parts of the story ----------------------------------------------------------------------

    def missed(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """Yield the sentences about missed wins, with their turns."""
        state = self.past.at(events[-1].number).state if events else None
        winner = state.winners[0] if state is not None and len(state.winners) == 1 else ""
        titles = self.past.titles
        turns: dict[str, list[int]] = {}
        for turn, said in annotated(events, "missed"):
            turns.setdefault(said.player, []).append(turn)
        for player, missed in turns.items():
            words = f"{titles[player]} could have {self.solved_by} in turn {missed[0]}"
            later = events[-1].turn - missed[0]
            if later:
                who = "it" if winner == player else titles.get(winner, "")
                end = f"{who} did" if who else "the end"
                words += f", {'one turn' if later == 1 else f'{later} turns'} before {end}"
            yield words + (f", and let {len(missed)} turns pass" if len(missed) > 1 else "")

    def greatest_step(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """Yield the sentence about the most informative question of the game."""
        steps = [
            (log2(then / now), event, player)
            for event in events
            if self.is_question(event)
            for player, (then, now) in event.learned().items()
        ]
        if not steps:
            return
        _, event, player = max(steps, key=lambda step: step[0])
        then, now = event.learned()[player]
        titles = self.past.titles
        whom = "them" if player == event.player else titles[player]
        yield (
            f"The biggest step came in turn {event.turn}: {titles[event.player]}'s question took "
            f"{whom} from {number(then)} {self.measure.title} to {number(now)}"
        )

    def askers(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """Yield sentences about the best and worst askers, and the player who revealed most."""
        rows, titles = self.figures(events).rows, self.past.titles
        shares = {
            player: float(row["value"] or 0) / float(row["best"])
            for player, row in rows.items()
            if row["best"]
        }
        if shares:
            most, least = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
            best = f"had {shares[most]:.0%} of the expected information of the best ones"
            if len(shares) == 1:
                yield f"{titles[most]}'s questions {best}"
            elif shares[most] - shares[least] < 0.005:
                yield f"All asked equally well: their questions {best}"
            else:
                yield f"{titles[most]} asked best: their questions {best}"
                yield f"{titles[least]} asked worst: {shares[least]:.0%}"
        given = {player: float(row["given"]) for player, row in rows.items() if row["given"]}
        if len(given) > 1:
            most = max(given, key=given.__getitem__)
            second = max(bits for player, bits in given.items() if player != most)
            if f"{given[most]:.2f}" == f"{second:.2f}":  # equal in the table
                return
            yield (
                f"{titles[most]}'s questions gave away the most to the others: "
                f"{given[most]:.2f} bits each, on "
                "average"
            )
