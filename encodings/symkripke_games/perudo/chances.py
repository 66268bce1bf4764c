"""Exact distributions of the number of dice that count as a face, as numbers of throws.

Each distribution is a short tuple, whose entry k is the number (or the weight) of throws in which k
dice count as the face. For unknown dice, this is a binomial distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb

from symkripke_games.perudo.bidding import ACE, Manner

Counts = tuple[int, ...]
"""A distribution: entry k is the number of throws in which k dice count as the face."""

Bounds = tuple[tuple[int, int], ...]
"""Faces in ascending order, each with the least number of dice that count as it."""


@lru_cache(maxsize=1 << 12)
def free(number: int, manner: Manner, face: int) -> Counts:
    """Return the counts for `number` unknown dice: weighted binomial coefficients."""
    hits = len(manner.counts_as(face))
    misses = manner.faces - hits
    return tuple(comb(number, k) * hits**k * misses ** (number - k) for k in range(number + 1))


@lru_cache(maxsize=1 << 14)
def given(number: int, manner: Manner, bounds: Bounds, face: int) -> Counts:
    """Return the counts for `number` dice that are believed to meet these bounds.

    For each number of aces, each other face needs the dice that are missing from its bound. All
    ways to distribute the remaining dice are counted face by face.
    """
    least = dict(bounds)
    counts = [0] * (number + 1)
    for aces in range(least.get(ACE, 0), number + 1):
        others, helped = number - aces, aces if manner.wild else 0
        ways = [1, *[0] * others]
        unbound = 0
        for other in range(2, manner.faces + 1):
            if other == face:
                continue
            if least.get(other, 0) - helped <= 0:
                unbound += 1
                continue
            ways = _placed(ways, [int(k >= least[other] - helped) for k in range(others + 1)])
        ways = _placed(ways, [unbound**k for k in range(others + 1)])
        whole = comb(number, aces)
        if face == ACE:
            counts[aces] += whole * ways[others]
            continue
        for shown in range(max(0, least.get(face, 0) - helped), others + 1):
            counts[shown + helped] += whole * comb(others, shown) * ways[others - shown]
    return tuple(counts)


def _placed(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """Return the number of rows of dice of each length that interleave rows from two sets."""
    return [
        sum(comb(k, j) * left[j] * right[k - j] for j in range(k + 1)) for k in range(len(left))
    ]


def mixed(trust: Fraction, true: Counts, free: Counts) -> Counts:
    """Return the counts given that a statement is true with probability `trust` (Jeffrey's rule).

    Source: R. C. Jeffrey, The Logic of Decision, 1965 (chapter 11, probability kinematics).

    Args:
        trust: the probability that the statement is true.
        true: the throws in which the statement is true.
        free: all throws.
    """
    so, whole = sum(true), sum(free)
    if so in (0, whole):  # the statement is impossible or certain, so nothing is learned
        return free
    yes = trust.numerator * (whole - so)
    no = (trust.denominator - trust.numerator) * so
    return tuple(yes * t + no * (f - t) for t, f in zip(true, free, strict=True))


@lru_cache(maxsize=1 << 14)
def together(parts: tuple[Counts, ...]) -> Counts:
    """Return the distribution of the sum of independent parts."""
    counts: Counts = (1,)
    for part in parts:
        longer = [0] * (len(counts) + len(part) - 1)
        for k, ways in enumerate(counts):
            for j, more in enumerate(part):
                longer[k + j] += ways * more
        counts = tuple(longer)
    return counts


@lru_cache(maxsize=1 << 15)
def atleast(counts: Counts, least: int) -> Fraction:
    """Return the probability that at least `least` dice count as the face."""
    return Fraction(sum(counts[max(0, least) :]), sum(counts))


def exactly(counts: Counts, number: int) -> Fraction:
    """Return the probability that exactly `number` dice count as the face."""
    return Fraction(counts[number] if 0 <= number < len(counts) else 0, sum(counts))
