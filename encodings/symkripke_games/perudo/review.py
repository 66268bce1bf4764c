"""The review of a game of Perudo: how good each bid and call was, and the chance that it had.

A move is valued as advice values it: by the probability that the player loses no die in this round
(`symkripke_games.perudo.advice.worth`). It is compared with the least bid on each face and the
calls. Besides, the chance that a bid is met, or that a call is right, is counted exactly in two
ways: from the player's own dice alone, and as if the beliefs drawn from the bids were true, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.explain.text import listed, percent
from symkripke.play.player import SAME
from symkripke.play.review import (
    FAULT,
    GOOD,
    LUCK,
    NEWS,
    Annotation,
    Appraisal,
    Figures,
    Measure,
    Past,
    Position,
    ReviewedEvent,
    Reviewer,
)
from symkripke.play.review.reviewer import mean, number, unless_too_much
from symkripke.play.rules import Outcome
from symkripke.play.words import number_of
from symkripke_games.perudo.advice import AIM, ALL, MINE, successes, title, weighed, worth
from symkripke_games.perudo.bidding import Manner
from symkripke_games.perudo.replies import Move
from symkripke_games.perudo.rules import DUDO, Bid, Call, Doubt, Happening, Raise, State
from symkripke_games.perudo.throws import Setup
from symkripke_games.perudo.words import faces_in_words

Here = Position[Setup, Happening]

_HALF = Fraction(1, 2)

# A bid is called bold if it had at most this chance.
_BOLD = Fraction(1, 5)


class PerudoReviewer(Reviewer[Setup, Happening]):
    """Tells for each bid and call how probable its success was, and whether it succeeded."""

    ends_open = False

    def __init__(self, past: Past[Setup, Happening]) -> None:
        """No chance is counted yet."""
        super().__init__(past)
        self._chances: dict[int, Mapping[str, Fraction]] = {}
        """For each event the chances of the move, by the information that they are based on."""

    # ---- what is counted -------------------------------------------------------------------------

    @property
    def measure(self) -> Measure:
        """The dice that are left, which everybody sees."""
        return Measure("dice", "dice left", "dice that each player had left")

    @property
    def charted(self) -> tuple[str, ...]:
        """All players."""
        return tuple(self.past.setup.players)

    def level(self, at: Here, player: str) -> float:
        """How many dice the player has; after a call, without the die that it loses."""
        assert isinstance(at.state, State)
        return at.state.now.dice.get(player, 0)

    # ---- bids and calls --------------------------------------------------------------------------

    def appraise(self, before: Here, outcome: Outcome[Happening], after: Here) -> Appraisal | None:
        """A bid or a call, by the probability that its player loses no die in this round."""
        public = outcome.public
        if not isinstance(public, Bid | Call):
            return None
        view = before.view(public.player)
        try:
            if isinstance(public, Bid):
                move: Move = Raise(public.quantity, public.face)
            else:
                move = Doubt(public.kind)
            mine = successes(view, self.past.engine, [move])[move]
            values = weighed(view)
            value = values[move] if move in values else worth(view, move)
        except (BudgetExceeded, Unsupported) as error:
            unless_too_much(error)
            return None
        self._chances[before.number + 1] = mine
        best = max(values, key=values.__getitem__)
        better = sum(other > value + SAME for other in values.values())
        succeeds = "that it is met" if isinstance(public, Bid) else "that it is right"
        also = f"{succeeds}: {percent(mine[MINE])}"
        if mine[ALL] != mine[MINE]:
            also += f", or {percent(mine[ALL])} if the bids are believed"
        return Appraisal(
            "chance",
            value,
            max(value, values[best]),
            title(best).partition(":")[0] if better else "",
            better,
            len(values),
            self._kept(before.number, public.player),
            ("move", "moves"),
            AIM,
            also,
        )

    def _kept(self, event: int, player: str) -> float | None:
        """1 if the player lost no die in the round of that event, else 0; None: not known."""
        later = (outcome.public for outcome in self.past.outcomes[event:])
        call = next((public for public in later if isinstance(public, Call)), None)
        if call is None or call.verdict is None:
            return None
        return float(call.verdict.loser != player)

    def _is_met(self, event: int, bid: Bid) -> bool | None:
        """Whether a bid was met, by the dice that were shown later; None if they were not."""
        state = self.past.at(event).state
        assert isinstance(state, State)
        dice = state.throw
        if dice is None:
            later = (outcome.public for outcome in self.past.outcomes[event:])
            call = next((public for public in later if isinstance(public, Call)), None)
            if call is None:
                return None
            dice = call.dice
        manner = Manner(self.past.setup.faces, state.now.wild, state.now.fixed)
        return sum(manner.counted(shown, bid.face) for shown in dice.values()) >= bid.quantity

    # ---- what is said ----------------------------------------------------------------------------

    def annotate(
        self, event: ReviewedEvent, before: Here, outcome: Outcome[Happening], after: Here
    ) -> Iterator[Annotation]:
        """Bold bids, bluffs, calls with their chances, and who is out."""
        public = outcome.public
        if isinstance(public, Bid):
            yield from self._bid(event, public)
        elif isinstance(public, Call):
            yield from self._call(event, public)
            for player in sorted(after.state.out - before.state.out):
                yield Annotation("out", player, f"{self.past.titles[player]} is out", NEWS)

    def _bid(self, event: ReviewedEvent, public: Bid) -> Iterator[Annotation]:
        chances = self._chances.get(event.number)
        if chances is None:
            return
        who = self.past.titles[public.player]
        data = {name: str(share) for name, share in chances.items()}
        called = self._is_called(event.number)
        met = self._is_met(event.number, public)
        if met is False and called is False and chances[MINE] < _HALF:
            words = f"{who}'s bid was not met, and nobody doubted it"
            yield Annotation("got away", public.player, words, LUCK, data)
        elif met and called and chances[MINE] <= _BOLD:
            words = f"{who}'s bid was bold, and met"
            yield Annotation("bold", public.player, words, LUCK, data)
        if not chances[MINE]:
            words = f"{who} could know that this is not met: by its own dice it cannot be"
            yield Annotation("bluff", public.player, words, NEWS, data)

    def _is_called(self, event: int) -> bool | None:
        """Whether the event after that one doubts the bid; None if there is none."""
        if event >= len(self.past.outcomes):
            return None
        following = self.past.outcomes[event].public
        return isinstance(following, Call) and following.kind == DUDO

    def _call(self, event: ReviewedEvent, public: Call) -> Iterator[Annotation]:
        verdict = public.verdict
        if verdict is None:
            return
        titles = self.past.titles
        who, player = titles[public.player], public.player
        bid = faces_in_words(verdict.quantity, verdict.face)
        told = f"{bid} {_was(verdict.quantity)} bid, {verdict.count} {_was(verdict.count)} there"
        chances, worth = self._chances.get(event.number), event.appraisal
        if chances is None or worth is None:
            ended = "rightly" if verdict.right else "wrongly"
            yield Annotation("call", player, f"{who} called {ended}: {told}", NEWS)
            return
        chance = chances[MINE]
        by = f"the chance was {percent(chance)}"
        if verdict.right:
            sort = GOOD if worth.is_best else LUCK
            words = f"{who} called rightly: {told} ({by})"
        else:
            sort = LUCK if worth.is_best else FAULT
            words = f"{who} called wrongly: {told} ({by})"
        data = {"right": verdict.right, **{name: str(share) for name, share in chances.items()}}
        yield Annotation("call", player, words, sort, data)

    # ---- all of it -------------------------------------------------------------------------------

    def figures(self, events: Sequence[ReviewedEvent]) -> Figures:
        """The bids and calls of each player, and how often they succeeded."""
        columns = {
            "left": "dice left at the end",
            "bids": "bids",
            "chance": "chance that its bids are met, on average",
            "met": "bids that were met",
            "doubted": "bids that were doubted",
            "lost": "of these, not met",
            "away": "bids not met that nobody doubted",
            "calls": "calls",
            "right": "calls that were right",
            "expected": "right calls, by the chances",
            "better": "moves where another one was better",
        }
        rows: dict[str, dict[str, str | int | float | None]] = {}
        for player in self.past.setup.players:
            mine = [event for event in events if event.player == player]
            is_seen = player in self.past.seen
            bids = [event for event in mine if isinstance(self._public(event), Bid)]
            calls = [public for event in mine if isinstance(public := self._public(event), Call)]
            doubts = [
                public.verdict
                for event in events
                if isinstance(public := self._public(event), Call)
                and public.verdict is not None
                and public.verdict.bidder == player
                and public.kind == DUDO
            ]
            met = [
                is_met
                for event in bids
                if isinstance(bid := self._public(event), Bid)
                and (is_met := self._is_met(event.number, bid)) is not None
            ]
            moves = [event.appraisal for event in mine if event.appraisal is not None]
            rows[player] = {
                "left": events[-1].after[player] if events else None,
                "bids": len(bids),
                "chance": mean(
                    [
                        float(self._chances[event.number][MINE])
                        for event in bids
                        if event.number in self._chances
                    ]
                )
                if is_seen
                else None,
                "met": sum(met),
                "doubted": len(doubts),
                "lost": sum(verdict.right for verdict in doubts),
                "away": self._got_away(bids),
                "calls": len(calls),
                "right": sum(call.verdict is not None and call.verdict.right for call in calls),
                "expected": round(
                    sum(
                        float(self._chances[event.number][MINE])
                        for event in mine
                        if event.number in self._chances and isinstance(self._public(event), Call)
                    ),
                    2,
                )
                if is_seen
                else None,
                "better": sum(not move.is_best for move in moves) if is_seen else None,
            }
        return Figures(columns, rows)

    def _public(self, event: ReviewedEvent) -> Happening:
        return self.past.outcomes[event.number - 1].public

    def _got_away(self, bids: Sequence[ReviewedEvent]) -> int:
        """How many of these bids were not met, and not called."""
        return sum(
            isinstance(bid := self._public(event), Bid)
            and self._is_met(event.number, bid) is False
            and self._is_called(event.number) is False
            for event in bids
        )

    def legend(self) -> Iterator[str]:
        """What the chances are based on, and which move is better."""
        yield (
            "A move is better if it leaves a greater chance to lose no die in this round, by the "
            "player's own dice and the bids. It is computed as the player depth-1 does, and hints "
            "rank moves by it"
        )
        yield (
            "The chance that a bid is met, or that a call is right, is exact, by the player's own "
            "dice: that is all that it knew. If the bids are believed, each is taken for true as "
            "far as that can be (most trusted first)"
        )

    def story(self, events: Sequence[ReviewedEvent], *, whole: bool) -> Iterator[str]:
        """Rounds, who went out, who called well, and the boldest bid that was not doubted."""
        titles, rows = self.past.titles, self.figures(events).rows
        rounds = sum(isinstance(self._public(event), Call) for event in events)
        out = [
            f"{titles[said.player]} in turn {event.turn}"
            for event in events
            for said in event.annotations
            if said.kind == "out"
        ]
        if rounds:
            told = f"There {'was' if rounds == 1 else 'were'} {number_of(rounds, 'round')}"
            yield told + (f"; out went {listed(out)}" if out else "")
        yield from self._leaders(events)
        yield from self._losses(events)
        for player in self.past.seen:
            row = rows[player]
            if row["calls"]:
                yield (
                    f"{titles[player]} called {_times(int(row['calls']))} and was "
                    f"{_right(int(row['right'] or 0), int(row['calls']))}; the expected "
                    f"number of right calls was {row['expected']:.1f}"
                )
        yield from self._boldest(events)

    def _losses(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """By what each player lost its dice: by calls of its own, or by bids that were doubted."""
        calls = [
            public
            for event in events
            if isinstance(public := self._public(event), Call) and public.verdict is not None
        ]
        for player in self.past.setup.players:
            wrong = sum(
                call.player == player and not call.verdict.right
                for call in calls
                if call.verdict is not None
            )
            caught = sum(
                call.verdict.bidder == player and call.verdict.right and call.kind == DUDO
                for call in calls
                if call.verdict is not None
            )
            if not wrong + caught:
                continue
            by_calls = "a wrong call" if wrong == 1 else "wrong calls"
            by_bids = "a bid that was doubted" if caught == 1 else "bids that were doubted"
            if wrong and caught:
                ways = f": {wrong} by {by_calls} and {caught} by {by_bids}"
            elif wrong + caught == 1:
                ways = f", by {by_calls if wrong else by_bids}"
            else:
                ways = f", all by {by_calls if wrong else by_bids}"
            dice = "1 die" if wrong + caught == 1 else f"{wrong + caught} dice"
            yield f"{self.past.titles[player]} lost {dice}{ways}"

    def _leaders(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """Who had most dice after how many rounds."""
        after = [event.after for event in events if isinstance(self._public(event), Call)]
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
                f"{self.past.titles[most]} led longest: it had more dice than any other after "
                f"{number(led[most])} of {len(after)} rounds"
            )

    def _boldest(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """The bid with the least chance that nobody doubted."""
        passed = [
            (self._chances[event.number][MINE], event)
            for event in events
            if event.number in self._chances
            and isinstance(self._public(event), Bid)
            and self._is_called(event.number) is False
        ]
        if not passed:
            return
        value, event = min(passed, key=lambda pair: pair[0])
        bid = self._public(event)
        assert isinstance(bid, Bid)
        met = self._is_met(event.number, bid)
        ended = "" if met is None else ", and it was met" if met else ", and it was not met"
        yield (
            f"The boldest bid that nobody doubted was {self.past.titles[event.player]}'s "
            f"{faces_in_words(bid.quantity, bid.face)} in turn {event.turn}: "
            f"the chance was {percent(value)}{ended}"
        )


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def _times(number: int) -> str:
    return "once" if number == 1 else "twice" if number == 2 else f"{number} times"


def _right(number: int, calls: int) -> str:
    if calls == 1:
        return "right" if number else "wrong"
    if number == calls:
        return "right each time"
    return f"right {_times(number)}" if number else "never right"
