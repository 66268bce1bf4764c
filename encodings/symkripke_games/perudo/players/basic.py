"""Players that use only their own dice, and the base of all players.

A player sees its own dice and all public events. It compares the least legal bid on each face with
the calls. It calls if a call is more likely to be right than any of these bids is to be met.
Otherwise, it makes the bid that is most likely to be met, and breaks ties at random. Players differ
in the probabilities that they assign to bids.
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

    They are read from the deal, because bids and calls reveal nothing about a player's own dice to
    that player.
    """
    values: dict[str, str] = {atom.fluent: atom.value for atom in view.dealt.seen}
    number = now.dice.get(view.player, 0)
    return tuple([int(values[die_name(view.player, place + 1)]) for place in range(number)])


@dataclass(frozen=True)
class Situation:
    """The situation of a player in a round.

    Attributes:
        me: the player.
        now: the public facts of the round.
        manner: the rules of bids in the round.
        own: the player's dice.
        bids: the bids of the round.
    """

    me: str
    now: Round
    manner: Manner
    own: tuple[int, ...]
    bids: tuple[Bid, ...]

    @classmethod
    def of(cls, view: PerudoView) -> Situation:
        """Return the situation of the viewer."""
        now, bids, _ = latest_round(view)
        manner = Manner(view.setup.faces, now.wild, now.fixed)
        return cls(view.player, now, manner, own_dice(view, now), bids)

    @property
    def standing(self) -> Offer | None:
        """The last bid of the round; None before the first bid."""
        return self.bids[-1].offer if self.bids else None

    @cached_property
    def others(self) -> dict[str, int]:
        """The number of dice of each other player."""
        return {player: number for player, number in self.now.dice.items() if player != self.me}

    @cached_property
    def said(self) -> tuple[Said, ...]:
        """The claims of the bids of the round."""
        return tuple(
            Said(bid.player, bid.face, bid.claim.holds, bid.claim.trust)
            for bid in self.bids
            if bid.claim is not None and bid.claim.holds
        )

    @cached_property
    def believed(self) -> tuple[Said, ...]:
        """The believed claims: the most trusted claims that can be true together."""
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
    """The number of events before this round, and the player's dice in it."""

    def situation(self, view: PerudoView) -> Situation:
        """Return the situation of this player, whose dice are read once in each round."""
        now, bids, thrown = latest_round(view)
        if self._throw is None or self._throw[0] != thrown:
            self._throw = thrown, own_dice(view, now)
        manner = Manner(view.setup.faces, now.wild, now.fixed)
        return Situation(view.player, now, manner, self._throw[1], bids)

    def choose(self, view: PerudoView) -> Any:
        """Return a bid or a call."""
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
        """Return a random move of these."""
        options: list[Raise | Doubt] = [*bids, *calls]
        return self.chance.choice(options)

    def assess(self, view: PerudoView) -> Assessment:
        """Return whether the player's own dice or a call decide if the bid is met."""
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
    """A player that makes the move that is most likely to succeed."""

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
        """Return the probability that each bid is met and that each call is right."""
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
        """Return the move that is most likely to succeed; prefer bids to calls among equals."""
        prospects = self.prospects(self.situation(view), bids, calls)
        best: list[Raise | Doubt] = []
        most, whole = -1, 1
        for move, chance in prospects.items():
            # Compare integers, because comparing fractions is ten times slower.
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
        """Return a factory of players with the probability in `text`, as in `bluffer:0.3`.

        Raises:
            InputError: the text is not a valid probability.
        """
        return partial(cls, bluffs=probability(text))

    def move(self, view: PerudoView, bids: list[Raise], calls: list[Doubt]) -> Raise | Doubt:
        """Return the best move, or, for a bluff, the bid that the player's dice support least."""
        if bids and self.chance.randrange(self.bluffs.denominator) < self.bluffs.numerator:
            situation = self.situation(view)
            own = {move: situation.manner.counted(situation.own, move.face) for move in bids}
            least = min(own.values())
            return self.chance.choice([move for move in bids if own[move] == least])
        return super().move(view, bids, calls)
