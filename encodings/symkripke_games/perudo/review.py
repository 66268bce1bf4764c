"""The review of a game of Perudo: the value of each bid and call, and the chance of its success.

The value of a move is the same as in advice (`symkripke_games.perudo.advice`): the probability that
the player loses no die in this round. It is compared with the least bid on each face and the calls.
The chance that a bid is met, or that a call is right, is counted exactly in two ways: from the
player's own dice alone, and under the assumption that the beliefs drawn from the bids are true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from symkripke.explain.text import listed, percent
from symkripke.play import Advice
from symkripke.play.review import (
    FAULT,
    GOOD,
    LUCK,
    NEWS,
    Annotation,
    Appraisal,
    Column,
    Measure,
    Past,
    Position,
    ReviewedEvent,
    Reviewer,
    Transition,
    annotated,
    last,
    mean,
    number,
    total,
)
from symkripke.play.words import number_of, times
from symkripke_games.perudo.advice import ALL, MINE
from symkripke_games.perudo.bidding import Manner
from symkripke_games.perudo.rules import DUDO, Bid, Call, Happening, State
from symkripke_games.perudo.throws import Setup
from symkripke_games.perudo.words import faces_in_words

Here = Position[Setup, Happening]
Step = Transition[Setup, Happening]

_HALF = Fraction(1, 2)

# A bid is called bold if it had at most this chance.
_BOLD = Fraction(1, 5)


class PerudoReviewer(Reviewer[Setup, Happening]):
    """A reviewer that adds the chance of success of each bid and call, and its result."""

    columns: Mapping[str, Column] = {
        "left": Column("dice left at the end", last),
        "bids": Column("bids"),
        "chance": Column("average chance that the bids are met", mean),
        "met": Column("bids that were met"),
        "doubted": Column("bids that were doubted"),
        "lost": Column("of these, not met"),
        "away": Column("bids not met that nobody doubted"),
        "calls": Column("calls", len, "right"),
        "right": Column("calls that were right"),
        "expected": Column("expected number of right calls", total, known=True),
        "better": Column("moves where a better one existed", known=True),
    }

    def __init__(self, past: Past[Setup, Happening]) -> None:
        """Create a reviewer of a game."""
        super().__init__(past)
        self._chances: dict[int, Mapping[str, Fraction]] = {}
        """For each event, the chances of its move, by the information on which they are based."""

    # ---- figures ---------------------------------------------------------------------------------

    @property
    def measure(self) -> Measure:
        """The measure of the dice left, which everybody sees."""
        return Measure("dice", "dice left", "dice that each player had left")

    @property
    def charted(self) -> tuple[str, ...]:
        """All players, because everybody sees the numbers of dice."""
        return tuple(self.past.setup.players)

    def level(self, at: Here, player: str) -> float:
        """Return the number of the player's dice; after a call, without a lost die."""
        assert isinstance(at.state, State)
        return at.state.now.dice.get(player, 0)

    # ---- bids and calls --------------------------------------------------------------------------

    def appraise(self, step: Step) -> Appraisal | None:
        """Return the appraisal, with the chance that the bid is met or that the call is right."""
        value = super().appraise(step)
        if value is None or self.mine is None:
            return None
        by_move = self.mine.data["chances"]
        chances = {name: Fraction(chance) for name, chance in by_move.items()}
        self._chances[step.after.number] = chances
        what = "met" if isinstance(step.public, Bid) else "right"
        also = f"that it is {what}: {percent(chances[MINE])}"
        if chances[ALL] != chances[MINE]:
            also += f", or {percent(chances[ALL])} if the bids are believed"
        return replace(value, also=also)

    def brought(self, step: Step, move: Advice) -> float | None:
        """Return 1 if the player lost no die in the round, else 0; None if this is unknown."""
        call = self._next_call(step.after.number)
        if call is None or call.verdict is None:
            return None
        return float(call.verdict.loser != step.player)

    def _next_call(self, event: int) -> Call | None:
        """Return the call that ends the round of this event; None without one."""
        later = (outcome.public for outcome in self.past.outcomes[event - 1 :])
        return next((public for public in later if isinstance(public, Call)), None)

    def _is_met(self, event: int, bid: Bid) -> bool | None:
        """Return whether a bid was met; None if the dice are unknown and were not shown later."""
        state = self.past.at(event).state
        assert isinstance(state, State)
        dice = state.throw
        if dice is None:
            if (call := self._next_call(event)) is None:
                return None
            dice = call.dice
        manner = Manner(self.past.setup.faces, state.now.wild, state.now.fixed)
        return sum(manner.counted(shown, bid.face) for shown in dice.values()) >= bid.quantity

    # ---- remarks ---------------------------------------------------------------------------------

    def annotate(self, event: ReviewedEvent, step: Step) -> Iterator[Annotation]:
        """Yield remarks on bold bids, bluffs, calls with their chances, and eliminations."""
        public = step.public
        if isinstance(public, Bid):
            yield from self._bid(event, public)
        elif isinstance(public, Call):
            yield from self._call(event, public)
            for player in sorted(step.after.state.out - step.before.state.out):
                yield Annotation("out", player, f"{self.past.titles[player]} is out", NEWS)

    def _bid(self, event: ReviewedEvent, public: Bid) -> Iterator[Annotation]:
        chances, called = self._chances.get(event.number), self._is_called(event.number)
        if chances is None:
            return
        who, met = self.past.titles[public.player], self._is_met(event.number, public)
        data = {name: str(share) for name, share in chances.items()}
        if met is False and called is False and chances[MINE] < _HALF:
            words = f"{who}'s bid was not met, and nobody doubted it"
            yield Annotation("got away", public.player, words, LUCK, data)
        elif met and called and chances[MINE] <= _BOLD:
            words = f"{who}'s bid was bold, and met"
            yield Annotation("bold", public.player, words, LUCK, data)
        if not chances[MINE]:
            words = f"{who} could know that this is not met: their own dice rule it out"
            yield Annotation("bluff", public.player, words, NEWS, data)

    def _is_called(self, event: int) -> bool | None:
        """Return whether the next event doubts the bid; None if there is no next event."""
        if event >= len(self.past.outcomes):
            return None
        following = self.past.event(event + 1)
        return isinstance(following, Call) and following.kind == DUDO

    def _call(self, event: ReviewedEvent, public: Call) -> Iterator[Annotation]:
        verdict = public.verdict
        if verdict is None:
            return
        titles = self.past.titles
        who, player = titles[public.player], public.player
        bid = faces_in_words(verdict.quantity, verdict.face)
        outcome = f"{bid} {_was(verdict.quantity)} bid, {verdict.count} {_was(verdict.count)} there"
        chances, worth = self._chances.get(event.number, {}), event.appraisal
        words = f"{who} called {'correctly' if verdict.right else 'wrongly'}: {outcome}"
        data = {"right": verdict.right, **{name: str(share) for name, share in chances.items()}}
        if worth is None:
            yield Annotation("call", player, words, NEWS, data)
            return
        sort = LUCK if verdict.right != worth.is_best else GOOD if verdict.right else FAULT
        words += f" (the chance was {percent(chances[MINE])})"
        yield Annotation("call", player, words, sort, data)

    # ---- all of it -------------------------------------------------------------------------------

    def facts(self, events: Sequence[ReviewedEvent]) -> Iterator[tuple[str, str, float]]:
        """Yield the inherited facts, and bids and calls with their chances and results."""
        yield from super().facts(events)
        for event in events:
            public, chances = self.past.event(event.number), self._chances.get(event.number)
            if isinstance(public, Bid):
                fate = self._is_met(event.number, public), self._is_called(event.number)
                yield event.player, "bids", 1
                yield event.player, "met", bool(fate[0])
                yield event.player, "away", fate == (False, False)
            if isinstance(public, Call) and (verdict := public.verdict) is not None:
                yield event.player, "right", verdict.right
                if public.kind == DUDO:
                    yield verdict.bidder, "doubted", 1
                    yield verdict.bidder, "lost", verdict.right
            if chances is not None:
                name = "chance" if isinstance(public, Bid) else "expected"
                yield event.player, name, float(chances[MINE])

    def legend(self) -> Iterator[str]:
        """Yield explanations of the chances, and of the criterion for better moves."""
        yield (
            "A move is better if it leaves a greater chance of losing no die in this "
            "round, given the player's own dice and the bids. The chance is the one that "
            "the player depth-1 computes, and hints use it to rank moves"
        )
        yield (
            "The chance that a bid is met, or that a call is right, is exact, given "
            "the player's own dice, which are all that they knew. If the bids are "
            "believed, as many as possible are assumed to be true (most trusted "
            "first)"
        )

    def story(self, events: Sequence[ReviewedEvent], *, whole: bool) -> Iterator[str]:
        """Yield the story of the game: rounds, eliminations, calls and the boldest bid."""
        titles = self.past.titles
        public = [self.past.event(event.number) for event in events]
        calls = [call for call in public if isinstance(call, Call)]
        rounds = len(calls)
        out = [f"{titles[said.player]} in turn {turn}" for turn, said in annotated(events, "out")]
        if rounds:
            words = f"There {'was' if rounds == 1 else 'were'} {number_of(rounds, 'round')}"
            yield words + (f"; these players went out: {listed(out)}" if out else "")
        yield from self._leaders(events)
        yield from self._losses(calls)
        rows: Mapping[str, Mapping[str, Any]] = self.figures(events).rows
        for player in self.past.seen:
            if (row := rows[player])["calls"]:
                yield (
                    f"{titles[player]} called {times(row['calls'])} and was "
                    f"{_right(row['right'], row['calls'])}; the expected "
                    f"number of right calls was {row['expected']:.1f}"
                )
        yield from self._boldest(events)

    def _losses(self, calls: Sequence[Call]) -> Iterator[str]:
        """Yield a sentence on the causes of each player's losses: wrong calls or doubted bids."""
        verdicts = [(call, call.verdict) for call in calls if call.verdict is not None]
        for player in self.past.setup.players:
            wrong = sum(call.player == player and not verdict.right for call, verdict in verdicts)
            caught = sum(
                verdict.bidder == player and verdict.right and call.kind == DUDO
                for call, verdict in verdicts
            )
            ways = {
                "a wrong call" if wrong == 1 else "wrong calls": wrong,
                "a bid that was doubted" if caught == 1 else "bids that were doubted": caught,
            }
            verdict = [(way, many) for way, many in ways.items() if many]
            if not verdict:
                continue
            if len(verdict) == 2:
                how = f": {listed([f'{many} by {way}' for way, many in verdict])}"
            else:
                how = f", {'all ' if wrong + caught > 1 else ''}by {verdict[0][0]}"
            dice = "1 die" if wrong + caught == 1 else f"{wrong + caught} dice"
            yield f"{self.past.titles[player]} lost {dice}{how}"

    def _leaders(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """Yield a sentence on the player who led after the most rounds."""
        after = [event.after for event in events if isinstance(self.past.event(event.number), Call)]
        led = {
            player: sum(
                dice[player] > max((n for p, n in dice.items() if p != player), default=0)
                for dice in after
            )
            for player in self.past.setup.players
        }
        most = max(led, key=led.__getitem__)
        if led[most]:
            yield (
                f"{self.past.titles[most]} led longest: they had more dice than any "
                "other player after "
                f"{number(led[most])} of {len(after)} rounds"
            )

    def _boldest(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """Yield a sentence on the undoubted bid that had the least chance of being met."""
        passed = [
            (self._chances[event.number][MINE], event, bid)
            for event in events
            if event.number in self._chances
            and isinstance(bid := self.past.event(event.number), Bid)
            and self._is_called(event.number) is False
        ]
        if not passed:
            return
        value, event, bid = min(passed, key=lambda found: found[0])
        met = self._is_met(event.number, bid)
        ended = "" if met is None else ", and it was met" if met else ", and it was not met"
        yield (
            f"The boldest bid that nobody doubted was {self.past.titles[event.player]}'s "
            f"{faces_in_words(bid.quantity, bid.face)} in turn {event.turn}: "
            f"the chance was {percent(value)}{ended}"
        )


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def _right(number: int, calls: int) -> str:
    if calls == 1:
        return "right" if number else "wrong"
    if number == calls:
        return "right each time"
    return f"right {times(number)}" if number else "never right"
