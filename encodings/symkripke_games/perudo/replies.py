"""Exact policies of players of a given depth, for all their throws at once.

`symkripke.play.depth` defines depth. In Perudo:

* Candidates: the least bid on each face, and the calls.
* Situations: all throws of the others. A player of depth k weighs them by the bids of the round.
  The likelihood of a throw is the probability that a player of depth k - 1 makes the bids with it.
  With probability `ODD`, a bidder makes a random move instead. A player of depth 0 gives equal
  weight to all throws, so bids give it no information. (A bid that is not a candidate gives no
  information to anybody.)
* Horizon: the answer of the next player.
* Evaluation: the probability that the player loses no die in this round. A call decides this. A
  doubted bid is met or not. If a bid is raised, all players in the round are equally likely to lose
  a die. At depth 0, each bid is assumed to be doubted, so the player is `odds`: it bids and doubts
  by its own dice and the odds of the others.

A player's move depends only on their own throw and on public information, and dice are independent.
The throws of the others therefore stay independent, and the averages are sums over the throws of
one player at a time. Only ties are broken at random.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import factorial, fsum, prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from symkripke.limits import look
from symkripke.play.player import SAME
from symkripke_games.perudo.bidding import Manner, Offer
from symkripke_games.perudo.chances import free
from symkripke_games.perudo.players.basic import Situation
from symkripke_games.perudo.rules import DUDO, Doubt, Raise, Round, least_moves
from symkripke_games.perudo.throws import Setup

Move = Raise | Doubt
Numbers: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]

ODD = 0.1
"""The probability, as assumed by players of depth 1 or more, that a bidder makes a random move."""


@dataclass(frozen=True)
class Spot:
    """The public part of a round, before a bid or a call.

    Attributes:
        dice: the number of dice of each player in the round, in turn order from the first bidder.
        manner: the rules of bids in the round.
        calza: whether calza can be called.
        bids: the bids of the round, in order.
        skipped: the number of players after the last bidder who are skipped, in order to value the
            moves of a player before their turn.
    """

    dice: tuple[int, ...]
    manner: Manner
    calza: bool
    bids: tuple[Offer, ...] = ()
    skipped: int = 0

    @classmethod
    def of(cls, situation: Situation, setup: Setup) -> Spot:
        """Return the spot in which the player of this situation moves, even out of turn."""
        now = situation.now
        players = cls.players(now, setup)
        bids = tuple(bid.offer for bid in situation.bids)
        skipped = (players.index(situation.me) - len(bids)) % len(players)
        dice = tuple(now.dice[player] for player in players)
        return cls(dice, situation.manner, setup.calza, bids, skipped)

    @staticmethod
    def players(now: Round, setup: Setup) -> list[str]:
        """Return the players in the round, in turn order from the first bidder."""
        return [player for player in (now.first, *setup.after(now.first)) if player in now.dice]

    @property
    def mover(self) -> int:
        """The index of the player to move, in turn order from the first bidder."""
        return (len(self.bids) + self.skipped) % len(self.dice)

    @property
    def others(self) -> list[int]:
        """The indices of the other players, in turn order after the mover."""
        seats = len(self.dice)
        return [(self.mover + turn) % seats for turn in range(1, seats)]

    @property
    def standing(self) -> Offer | None:
        """The last bid of the round; None before the first bid."""
        return self.bids[-1] if self.bids else None

    @property
    def options(self) -> tuple[Move, ...]:
        """The least bid on each face, and the calls."""
        free = self.dice[self.mover] == 1
        return least_moves(self.manner, self.standing, sum(self.dice), free, calza=self.calza)

    def after(self, offer: Offer) -> Spot:
        """Return the spot after this bid of the mover."""
        return Spot(self.dice, self.manner, self.calza, (*self.bids, offer), self.skipped)

    def before(self, bid: int) -> Spot:
        """Return the spot before the bid with this index."""
        return Spot(self.dice, self.manner, self.calza, self.bids[:bid])


class Throws:
    """All throws of a number of dice, ignoring the order of the dice.

    Attributes:
        place: the index of each throw, whose faces are in ascending order.
        shares: the probability of each throw, by index.
        counts: for each face, the number of dice that count as the face, by index of the throw.
    """

    def __init__(self, number: int, manner: Manner) -> None:
        """List all throws in the order of their faces; raise `BudgetExceeded` beyond a limit."""
        listed = []
        for throw in combinations_with_replacement(range(1, manner.faces + 1), number):
            look()
            listed.append(throw)
        orders = [
            factorial(number) // prod(factorial(throw.count(face)) for face in set(throw))
            for throw in listed
        ]
        self.place = {throw: place for place, throw in enumerate(listed)}
        self.shares: Numbers = np.array(orders, dtype=np.float64) / manner.faces**number
        self.counts: dict[int, Ints] = {
            face: np.array([manner.counted(throw, face) for throw in listed], dtype=np.int64)
            for face in range(1, manner.faces + 1)
        }


@lru_cache(maxsize=64)
def all_throws(number: int, manner: Manner) -> Throws:
    """Return the throws of `number` dice."""
    return Throws(number, manner)


@dataclass(frozen=True, eq=False)
class Policy:
    """The policy of the player to move: a decision for each throw.

    Attributes:
        options: the candidate moves.
        place: the index of each throw.
        chosen: an array [throws, options] of whether the option is one of the best moves, among
            which the player chooses at random.
    """

    options: tuple[Move, ...]
    place: Mapping[tuple[int, ...], int]
    chosen: npt.NDArray[np.bool_]

    def best(self, throw: tuple[int, ...]) -> list[Move]:
        """Return the best moves for a throw, whose faces are in ascending order."""
        row = self.chosen[self.place[throw]].tolist()
        return [option for option, taken in zip(self.options, row, strict=True) if taken]

    def made(self, likely: Numbers) -> Numbers:
        """Return the joint probability of each throw and option; `likely` weighs the throws."""
        shares: Numbers = (likely / self._taken)[:, np.newaxis] * self.chosen
        return shares

    @cached_property
    def _taken(self) -> npt.NDArray[np.uint8]:
        """The number of best moves for each throw."""
        numbers: npt.NDArray[np.uint8] = self.chosen.sum(axis=1, dtype=np.uint8)
        return numbers


def policy(spot: Spot, depth: int) -> Policy:
    """Return the policy of a player of this depth, for every throw."""
    if depth:
        return _thoughtful(spot, depth)
    # Only the last bid matters, so many spots share a cached policy.
    own = spot.dice[spot.mover]
    return _plain(own, sum(spot.dice) - own, spot.manner, spot.standing, spot.options)


@lru_cache(maxsize=1 << 14)
def _plain(
    own: int, unknown: int, manner: Manner, standing: Offer | None, options: tuple[Move, ...]
) -> Policy:
    """Return the policy of a player of depth 0."""

    def value(offer: Offer, option: Move) -> list[float]:
        ways = free(unknown, manner, offer.face)
        shown = [part / sum(ways) for part in ways]
        return [_by_shown(option, shown, offer.quantity - mine) for mine in range(own + 1)]

    return _policy(all_throws(own, manner), standing, options, value)


@lru_cache(maxsize=1 << 13)
def _thoughtful(spot: Spot, depth: int) -> Policy:
    """Return the policy of a player of depth 1 or more."""
    own = spot.dice[spot.mover]

    def value(offer: Offer, option: Move) -> list[float]:
        return _values(spot, depth, offer, option)

    return _policy(all_throws(own, spot.manner), spot.standing, spot.options, value)


def keeps(spot: Spot, depth: int, throw: Sequence[int], move: Move) -> float:
    """Return the probability that the player to move, with this throw, loses no die in this round.

    Args:
        spot: the public part of the round.
        depth: the depth of the player, 1 or more.
        throw: the player's dice.
        move: a legal move; a bid may be higher than necessary.
    """
    offer = _offer(spot.standing, move)
    return _values(spot, depth, offer, move)[spot.manner.counted(throw, offer.face)]


def doubts(spot: Spot, depth: int, offer: Offer) -> float:
    """Return the probability that the next player doubts a bid, for a bidder of this depth."""
    likely = weights(spot, spot.others[0], depth)
    reply = policy(spot.after(offer), depth - 1)
    share: float = reply.made(likely)[:, reply.options.index(Doubt(DUDO))].sum()
    return share


def _offer(standing: Offer | None, move: Move) -> Offer:
    """Return the bid of a move, or the standing bid if the move is a call."""
    if isinstance(move, Raise):
        return Offer(move.quantity, move.face)
    assert standing is not None
    return standing


def _values(spot: Spot, depth: int, offer: Offer, option: Move) -> list[float]:
    """Return the values of a move for each number of own dice that count as the offered face."""
    if isinstance(option, Raise):
        return _answered(spot, depth, offer)
    shown = _shown(spot, depth, spot.others, offer.face)
    own = spot.dice[spot.mover]
    return [_by_shown(option, shown, offer.quantity - mine) for mine in range(own + 1)]


def _policy(
    mine: Throws,
    standing: Offer | None,
    options: tuple[Move, ...],
    value: Callable[[Offer, Move], list[float]],
) -> Policy:
    """Return the policy that takes the options with the greatest value, for each throw.

    `value` returns the values of an option for each number of own dice that count as the face of an
    offer. The offer is the new bid, or the standing bid if the option is a call.
    """
    columns = []
    for option in options:
        offer = _offer(standing, option)
        columns.append(np.array(value(offer, option))[mine.counts[offer.face]])
    values = np.stack(columns, axis=1)
    chosen = values > values.max(axis=1, keepdims=True) - SAME
    # Prefer bids to calls with the same value.
    bids = np.array([isinstance(option, Raise) for option in options])
    bid = (chosen & bids).any(axis=1, keepdims=True)
    return Policy(options, mine.place, chosen & (bids | ~bid))


def _answered(spot: Spot, depth: int, offer: Offer) -> list[float]:
    """Return the value of a bid after the next answer, for each number of own dice that count."""
    safe, doubted = _answers(spot, depth, offer)
    shown = _shown(spot, depth, spot.others[1:], offer.face)
    return _survived(spot, offer, safe, doubted, shown)


def _answers(spot: Spot, depth: int, offer: Offer) -> tuple[float, list[float]]:
    """Return how a player of depth 1 or more expects the next player to answer a bid.

    Returns:
        The probability that the bidder loses no die and is not doubted; and, for each number of the
        next player's dice that count as the face, its joint probability with a doubt.
    """
    following = spot.others[0]
    reply = policy(spot.after(offer), depth - 1)
    counts = all_throws(spot.dice[following], spot.manner).counts[offer.face]
    likely = weights(spot, following, depth)
    # After calza, the bidder loses no die, whatever the dice show.
    safe = 0.0
    doubted: list[float] = []
    made = reply.made(likely)
    for number, (option, share) in enumerate(
        zip(reply.options, made.sum(axis=0).tolist(), strict=True)
    ):
        if isinstance(option, Raise):
            safe += share * (1 - 1 / len(spot.dice))
        elif option.kind == DUDO:
            doubted = np.bincount(counts, made[:, number], spot.dice[following] + 1).tolist()
        else:
            safe += share
    return safe, doubted


def _survived(
    spot: Spot, offer: Offer, safe: float, doubted: Sequence[float], shown: Sequence[float]
) -> list[float]:
    """Return the value of a bid for each number of own dice that count as the face.

    `safe` and `doubted` describe the answer of the next player, as in `_answers`. `shown` is the
    distribution of the dice of the players after the next one.
    """
    quantity = offer.quantity
    return [
        safe
        + sum(
            part * _atleast(shown, quantity - mine - theirs)
            for theirs, part in enumerate(doubted)
            if part
        )
        for mine in range(spot.dice[spot.mover] + 1)
    ]


# ---- several depths at once ----------------------------------------------------------------------

Shares: TypeAlias = Sequence[float]
"""The shares of the depths, from depth 0: how far a player reasons about another at each depth."""


def blended(spot: Spot, shares: Sequence[Shares]) -> Policy:
    """Return the policy of a player that reasons about each other player at several depths.

    The value of a move is the average of its values at all depths. Each player's dice and answer
    enter it separately, so the depths can have other shares for each player. If all shares are of
    one depth, this is the policy of a player of that depth.

    Args:
        spot: the public part of the round.
        shares: the shares of the depths, which add up to 1, for each player of `spot`.
    """
    own = spot.dice[spot.mover]

    def shown(players: Sequence[int], face: int) -> list[float]:
        chances = np.ones(1)
        for player in players:
            told, mixed = _told_by(spot, player), np.zeros(spot.dice[player] + 1)
            for depth, share in enumerate(shares[player]):
                if share:
                    mixed += share * _counted(told, player, depth, face)
            chances = np.convolve(chances, mixed)
        together: list[float] = chances.tolist()
        return together

    def value(offer: Offer, option: Move) -> list[float]:
        following, *rest = spot.others
        if isinstance(option, Doubt):
            dice = shown(spot.others, offer.face)
            return [_by_shown(option, dice, offer.quantity - mine) for mine in range(own + 1)]
        safe, doubted = 0.0, np.zeros(spot.dice[following] + 1)
        for depth, share in enumerate(shares[following]):
            if depth == 0:  # nobody is expected to think, so each bid is doubted
                doubted += share * _counted(spot, following, 0, offer.face)
            elif share:
                kept, parts = _answers(spot, depth, offer)
                safe += share * kept
                doubted += share * np.array(parts)
        return _survived(spot, offer, safe, doubted.tolist(), shown(rest, offer.face))

    return _policy(all_throws(own, spot.manner), spot.standing, spot.options, value)


# ---- the dice of the others ----------------------------------------------------------------------


def weights(spot: Spot, player: int, depth: int) -> Numbers:
    """Return the probability of each throw of a player, as seen by a player of this depth."""
    if depth == 0:
        return all_throws(spot.dice[player], spot.manner).shares
    return _weights(_told_by(spot, player), player, depth)


def _told_by(spot: Spot, player: int) -> Spot:
    """Return the spot after the player's last bid; later bids say nothing about their dice."""
    seats, made = len(spot.dice), len(spot.bids)
    return spot.before(made - (made - 1 - player) % seats if made > player else 0)


@lru_cache(maxsize=1 << 13)
def _weights(spot: Spot, player: int, depth: int) -> Numbers:
    """Return the weights for a spot that ends with the last bid of the player."""
    shares = all_throws(spot.dice[player], spot.manner).shares
    for number in range(player, len(spot.bids), len(spot.dice)):
        modelled = policy(spot.before(number), depth - 1)
        made = Raise(*spot.bids[number])
        if made in modelled.options:
            share = modelled.made(np.ones(len(shares)))[:, modelled.options.index(made)]
            shares = shares * ((1 - ODD) * share + ODD / len(modelled.options))
    total: float = shares.sum()
    return shares / total


def _shown(spot: Spot, depth: int, players: Sequence[int], face: int) -> list[float]:
    """Return the distribution of these players' dice that count as the face."""
    parts = tuple((_told_by(spot, player), player) for player in players)
    return _together(parts, depth, face)


@lru_cache(maxsize=1 << 14)
def _together(parts: tuple[tuple[Spot, int], ...], depth: int, face: int) -> list[float]:
    """Return the distribution for players, each with the spot that ends with their last bid."""
    chances = np.ones(1)
    for spot, player in parts:
        chances = np.convolve(chances, _counted(spot, player, depth, face))
    together: list[float] = chances.tolist()
    return together


@lru_cache(maxsize=1 << 13)
def _counted(spot: Spot, player: int, depth: int, face: int) -> Numbers:
    """Return the distribution of one player's dice that count as the face."""
    counts = all_throws(spot.dice[player], spot.manner).counts[face]
    sums: Numbers = np.bincount(counts, weights(spot, player, depth), spot.dice[player] + 1).astype(
        np.float64
    )
    return sums


def _atleast(shown: Sequence[float], needed: int) -> float:
    """Return the probability that at least `needed` dice count as the face."""
    return fsum(shown[max(0, needed) :])


def _by_shown(option: Move, shown: Sequence[float], needed: int) -> float:
    """Return the probability that a bid is met or a call is right, if it needs `needed` dice."""
    if isinstance(option, Raise):
        return _atleast(shown, needed)
    if option.kind == DUDO:
        return 1 - _atleast(shown, needed)
    return shown[needed] if 0 <= needed < len(shown) else 0.0
