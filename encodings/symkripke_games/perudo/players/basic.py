"""Players that look at their own dice only, and the base of all players.

A player sees its own dice and all public events. It compares the least legal bid on each face with
the calls. It calls if a call is right with a greater probability than any of these bids is met;
otherwise it makes the bid that is most probably met, ties broken by chance. Players differ in the
probabilities that they give to bids.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from random import Random
from typing import Any

from symkripke.engines import Engine
from symkripke.play import Assessment, View
from symkripke.play.options import probability
from symkripke.play.player import EnginePlayer
from symkripke_games.perudo.bidding import Manner, Offer, Said, kept
from symkripke_games.perudo.chances import Bounds, Counts, atleast, exactly, free, together
from symkripke_games.perudo.rules import (
    DUDO,
    Bid,
    Call,
    Doubt,
    Happening,
    Raise,
    Rolled,
    Round,
    first_round,
)
from symkripke_games.perudo.throws import Setup, die_name

PerudoView = View[Setup, Happening]


def latest_round(view: PerudoView) -> tuple[Round, tuple[Bid, ...], int]:
    """Return the latest round, its bids, and the number of events before it."""
    bids, record = [], view.record
    for place in range(len(record), 0, -1):
        public = record[place - 1]
        if isinstance(public, Bid):
            bids.append(public)
        elif isinstance(public, Rolled):
            assert public.round is not None
            return public.round, tuple(reversed(bids)), place
    return first_round(view.setup), tuple(reversed(bids)), 0


def own_dice(view: PerudoView, now: Round) -> tuple[int, ...]:
    """Return the player's dice in this round.

    Later bids are not computed, because nobody learns anything from them about their own dice.
    """
    values: dict[str, str] = {atom.fluent: atom.value for atom in view.dealt.seen}
    number = now.dice.get(view.player, 0)
    return tuple([int(values[die_name(view.player, place + 1)]) for place in range(number)])


@dataclass(frozen=True)
class Situation:
    """The situation of a player in a round.

    Attributes:
        me: the player.
        now: what all know of the round.
        manner: how one may bid.
        own: its dice.
        bids: the bids of the round.
    """

    me: str
    now: Round
    manner: Manner
    own: tuple[int, ...]
    bids: tuple[Bid, ...]

    @classmethod
    def of(cls, view: PerudoView) -> Situation:
        """Return the situation of the player whose view it is."""
        now, bids, _ = latest_round(view)
        manner = Manner(view.setup.faces, now.wild, now.fixed)
        return cls(view.player, now, manner, own_dice(view, now), bids)

    @property
    def standing(self) -> Offer | None:
        """The last bid."""
        return self.bids[-1].offer if self.bids else None

    @cached_property
    def others(self) -> dict[str, int]:
        """The number of dice of each other player."""
        return {player: number for player, number in self.now.dice.items() if player != self.me}

    @cached_property
    def said(self) -> tuple[Said, ...]:
        """The claims that the bids were taken to make."""
        return tuple(
            Said(bid.player, bid.face, bid.claim.holds, bid.claim.trust)
            for bid in self.bids
            if bid.claim is not None and bid.claim.holds
        )

    @cached_property
    def believed(self) -> tuple[Said, ...]:
        """The claims that are believed: the most trusted ones that can be true together."""
        return kept(self.said, self.now.dice, self.manner)

    @cached_property
    def bounds(self) -> dict[str, Bounds]:
        """The least number of dice of each face, for each player with beliefs about their dice."""
        least: dict[str, dict[int, int]] = {}
        for claim in self.believed:
            mine = least.setdefault(claim.player, {})
            mine[claim.face] = max(mine.get(claim.face, 0), claim.holds)
        return {player: tuple(sorted(mine.items())) for player, mine in least.items()}


class Bidder(EnginePlayer):
    """The base of all players. Each player object sits at one table."""

    _throw: tuple[int, tuple[int, ...]] | None = None
    """Its dice of this round, and after how many events they were thrown."""

    def situation(self, view: PerudoView) -> Situation:
        """Return the situation of this player.

        The player reads its dice from its knowledge once a round.
        """
        now, bids, thrown = latest_round(view)
        if self._throw is None or self._throw[0] != thrown:
            self._throw = thrown, own_dice(view, now)
        manner = Manner(view.setup.faces, now.wild, now.fixed)
        return Situation(view.player, now, manner, self._throw[1], bids)

    def choose(self, view: PerudoView) -> Any:
        """Return a bid, or a call."""
        decision = view.decision
        assert decision is not None
        assert decision.options is not None
        bids: list[Raise] = []
        calls: list[Doubt] = []
        for move in decision.options:
            if isinstance(move, Raise):
                bids.append(move)
            else:
                calls.append(move)
        return self.move(view, bids, calls)

    def move(self, view: PerudoView, bids: list[Raise], calls: list[Doubt]) -> Raise | Doubt:
        """Return any of these, by chance."""
        options: list[Raise | Doubt] = [*bids, *calls]
        return self.chance.choice(options)

    def assess(self, view: PerudoView) -> Assessment:
        """Return whether the player knows by its own dice if the bid is met; nothing is located."""
        situation = self.situation(view)
        certain = bool(view.record) and isinstance(view.record[-1], Call)
        if situation.standing is not None and not certain:
            quantity, face = situation.standing
            own = situation.manner.counted(situation.own, face)
            certain = not own < quantity <= own + sum(situation.others.values())
        return Assessment(1 if certain else 2, {}, certain)


class RandomBidder(Bidder):
    """Chooses at random among the lowest bids and the calls."""


class Reckoner(Bidder):
    """Computes the probabilities that moves succeed, and makes the most probable move."""

    def of(self, situation: Situation, player: str, number: int, face: int) -> Counts:
        """Return the distribution of another player's dice that count as a face."""
        return free(number, situation.manner, face)

    def counts(self, situation: Situation, face: int) -> Counts:
        """Return the distribution of the number of all dice that count as a face."""
        own = situation.manner.counted(situation.own, face)
        others = [self.of(situation, p, n, face) for p, n in situation.others.items()]
        return together(((*[0] * own, 1), *others))

    def prospects(
        self, situation: Situation, bids: list[Raise], calls: list[Doubt]
    ) -> dict[Raise | Doubt, Fraction]:
        """Return the chance that a bid is met; that a call is right."""
        chances: dict[Raise | Doubt, Fraction] = {
            move: atleast(self.counts(situation, move.face), move.quantity) for move in bids
        }
        if situation.standing is not None and calls:
            quantity, face = situation.standing
            counts = self.counts(situation, face)
            for call in calls:
                chances[call] = (
                    1 - atleast(counts, quantity)
                    if call.kind == DUDO
                    else exactly(counts, quantity)
                )
        return chances

    def move(self, view: PerudoView, bids: list[Raise], calls: list[Doubt]) -> Raise | Doubt:
        """Return the move with the best prospects; a bid rather than a call."""
        prospects = self.prospects(self.situation(view), bids, calls)
        best: list[Raise | Doubt] = []
        most, whole = -1, 1
        for move, chance in prospects.items():
            # In whole numbers: fractions are compared ten times as slowly.
            part, parts = chance.as_integer_ratio()
            more = part * whole - most * parts
            if more > 0:
                best, most, whole = [move], part, parts
            elif not more:
                best.append(move)
        return self.chance.choice([move for move in best if isinstance(move, Raise)] or best)


class Odds(Reckoner):
    """Uses its own dice alone, as if all throws of the others were equally likely."""

    def counts(self, situation: Situation, face: int) -> Counts:
        """Return the distribution of dice that count as a face, with the others' dice uniform."""
        own = situation.manner.counted(situation.own, face)
        unknown = sum(situation.others.values())
        return (*[0] * own, *free(unknown, situation.manner, face))


class Bluffer(Odds):
    """Plays like `odds`, but sometimes bids against its own dice."""

    def __init__(self, engine: Engine, chance: Random, bluffs: Fraction = Fraction(1, 4)) -> None:
        """Create a player that bluffs with this probability."""
        super().__init__(engine, chance)
        self.bluffs = bluffs

    @classmethod
    def tuned(cls, text: str) -> Callable[[Engine, Random], Bluffer]:
        """Return players with that probability: `bluffer:0.3`; raise `InputError`."""
        return partial(cls, bluffs=probability(text))

    def move(self, view: PerudoView, bids: list[Raise], calls: list[Doubt]) -> Raise | Doubt:
        """Return the best move; or, for a bluff, the bid that its own dice support least."""
        if bids and self.chance.randrange(self.bluffs.denominator) < self.bluffs.numerator:
            situation = self.situation(view)
            own = {move: situation.manner.counted(situation.own, move.face) for move in bids}
            least = min(own.values())
            return self.chance.choice([move for move in bids if own[move] == least])
        return super().move(view, bids, calls)
