"""Simulated rounds, in which every player decides by their own dice and the odds of the others.

All rounds are simulated together, move by move, in arrays. In the arrays, the last axis stands for
the faces of a die, or for the moves: the least bid on each face, dudo, and calza.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import Random

import numpy as np
import numpy.typing as npt

from symkripke.play.player import SAME
from symkripke_games.perudo.bidding import Manner, Offer
from symkripke_games.perudo.chances import free
from symkripke_games.perudo.replies import Ints, Move, Numbers, Spot
from symkripke_games.perudo.rules import DUDO, Raise


def survivals(spot: Spot, own: tuple[int, ...], number: int, chance: Random) -> Mapping[Move, int]:
    """Return for each candidate the number of rounds in which the player loses no die.

    Args:
        spot: the public part of the round.
        own: the dice of the player to move.
        number: the number of throws of the others. Each candidate is tried with all of them.
        chance: the source of the throws, and of the choices between equal moves.
    """
    # The stream of a `RandomState` is the same in all versions of numpy.
    draws = np.random.RandomState(chance.getrandbits(32))
    manner, players = spot.manner, len(spot.dice)
    counts = np.empty((players, number, manner.faces), dtype=np.int64)
    for player, dice in enumerate(spot.dice):
        if player == spot.mover:
            counts[player] = [manner.counted(own, face) for face in range(1, manner.faces + 1)]
        else:
            thrown = draws.randint(1, manner.faces + 1, (number, dice))
            counts[player] = _counted(thrown, manner)
    survived, offers = {}, []
    for option in spot.options:
        if isinstance(option, Raise):
            offers.append(option)
        else:
            assert spot.standing is not None
            quantity, face = spot.standing
            shown = counts[:, :, face - 1].sum(axis=0)
            right = shown < quantity if option.kind == DUDO else shown == quantity
            survived[option] = int(right.sum())
    lost = _lost(spot, counts, offers, draws)
    return {
        option: number - int(lost[place].sum()) for place, option in enumerate(offers)
    } | survived


def _lost(
    spot: Spot, counts: Ints, offers: list[Raise], draws: np.random.RandomState
) -> npt.NDArray[np.bool_]:
    """Return an array [offers, throws] of whether the player loses a die after their bid."""
    manner, total, seats = spot.manner, sum(spot.dice), len(spot.dice)
    least = _least(manner, total)
    tables = [_odds(total - dice, total, manner) for dice in spot.dice]
    met, exact = (np.stack(parts) for parts in zip(*tables, strict=True))
    alone = np.array([dice == 1 for dice in spot.dice], dtype=np.int64)
    sums = counts.sum(axis=0)
    number, faces = len(sums), np.arange(manner.faces)
    lost = np.zeros(len(offers) * number, dtype=np.bool_)
    # The rounds that go on: their places in `lost`, their throws, bids and players to move.
    going = np.arange(len(lost))
    throw = np.tile(np.arange(number), len(offers))
    quantity = np.repeat([offer.quantity for offer in offers], number)
    face = np.repeat([offer.face - 1 for offer in offers], number)
    mover = np.full(len(lost), (spot.mover + 1) % seats)
    while len(going):
        own = counts[mover, throw]
        next_quantity = least[alone[mover], face, quantity]
        rows = np.arange(len(going))
        needed = np.clip(next_quantity - own, 0, total + 1)
        bids = np.where(next_quantity, met[mover[:, np.newaxis], faces, needed], -1)
        missing = np.clip(quantity - own[rows, face], -1, total + 1)
        dudo = 1 - met[mover, face, np.maximum(missing, 0)]
        calls = [dudo, exact[mover, face, missing]] if spot.calza else [dudo]
        values = np.column_stack([bids, *calls])
        best = values > values.max(axis=1, keepdims=True) - SAME
        # As in `replies`, players prefer bids to calls with the same value.
        best[:, manner.faces :] &= ~best[:, : manner.faces].any(axis=1, keepdims=True)
        chosen = (best * (1 - draws.random_sample(best.shape))).argmax(axis=1)
        ended = chosen >= manner.faces
        shown = sums[throw, face]
        bidder_loses = (chosen == manner.faces) & (shown < quantity)
        caller_loses = np.where(
            chosen == manner.faces, shown >= quantity, ended & (shown != quantity)
        )
        loser = np.where(bidder_loses, (mover - 1) % seats, mover)
        lost[going] = (bidder_loses | caller_loses) & (loser == spot.mover)
        on = ~ended
        quantity, face = next_quantity[rows, np.minimum(chosen, manner.faces - 1)][on], chosen[on]
        going, throw, mover = going[on], throw[on], (mover[on] + 1) % seats
    return lost.reshape(len(offers), number)


def _counted(thrown: Ints, manner: Manner) -> Ints:
    """Return the number of dice that count as each face, for each throw."""
    counts: Ints = (thrown[:, :, np.newaxis] == np.arange(1, manner.faces + 1)).sum(axis=1)
    if manner.wild:
        counts[:, 1:] += counts[:, :1]
    return counts


@lru_cache(maxsize=64)
def _least(manner: Manner, total: int) -> Ints:
    """Return the least legal quantities, or 0.

    The axes are: whether the bidder may change a fixed face, the face and the quantity of the
    standing bid, and the face of the new bid.
    """
    least = np.zeros((2, manner.faces, total + 1, manner.faces), dtype=np.int64)
    for free_face, face, quantity, new in np.ndindex(least.shape):
        standing = Offer(quantity, face + 1)
        legal = manner.least(standing, new + 1, free=bool(free_face)) if quantity else None
        if legal is not None and legal <= total:
            least[free_face, face, quantity, new] = legal
    return least


@lru_cache(maxsize=256)
def _odds(unknown: int, total: int, manner: Manner) -> tuple[Numbers, Numbers]:
    """Return the probabilities that unknown dice count as a face: at least k, and exactly k.

    The axes are the face and k, up to `total` + 1. The last k also stands for -1.
    """
    exact = np.zeros((manner.faces, total + 2))
    for face in range(manner.faces):
        ways = free(unknown, manner, face + 1)
        exact[face, : len(ways)] = [part / sum(ways) for part in ways]
    return exact[:, ::-1].cumsum(axis=1)[:, ::-1], exact
