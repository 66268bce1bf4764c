"""What the answer to a question tells: sums over the deals.

Deals are counted step by step (`symkripke_games.sleuth.deals`), with one more number kept for each
state: how many of the gems that are asked for the player holds, of each class of gems that are
alike (where only a number is said: of all). This number is a column. The deals are counted forwards
and backwards with it, between the first and the last gem asked for. Joined at the hidden gem, the
two counts give the joint distribution of the answer and the hidden gem. The ways before and behind
that range are counted once for all questions, by the hidden gem.

Columns are numbered so that those which the gems so far can lead to come first: forwards the
classes count in the order of the steps, backwards in the opposite one. Only these columns are kept.
On average they are less than half, and where two counts are joined, there are few pairs of columns.

Tried and not kept: several questions beside each other in one matrix. It saves most of the calls,
but the time goes into the sums themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from operator import itemgetter

import numpy as np

from symkripke_games.sleuth.deals import Chain, Ints, Numbers, Sources
from symkripke_games.sleuth.gems import HIDDEN


def told(
    chain: Chain, player: str, count: Sequence[int], shows: bool, uncertainty: float
) -> tuple[float, float]:
    """What the player's answer tells of the deal, and of the hidden gem, in bits.

    Args:
        chain: the deals, with the player apart.
        player: who is asked.
        count: how many gems of each class are asked for, not zero throughout; the first gems of
            the class are taken.
        shows: whether the gems are shown, and not only their number said.
        uncertainty: the entropy of the hidden gem.
    """
    asked = _Asked(chain, count, shows)
    first, last = asked.first, asked.last
    forward = [_first_column(chain.before[first])]
    for number in range(first, last + 1):
        sources, shift = chain.steps[number].forward, asked.forward.get(number, 0)
        forward.append(_moved(sources, forward[-1], player, shift))
    spread = asked.choices(count)
    deal = entropy(chain.behind[last + 1] @ forward[-1][:-1] / chain.total, spread)
    if not asked.stands:  # the hidden gem is known
        return deal, 0.0
    backward = [_first_column(chain.behind[last + 1])]
    for number in range(last, first - 1, -1):
        sources, shift = chain.steps[number].backward, asked.backward.get(number, 0)
        backward.append(_moved(sources, backward[-1], player, shift))
    backward.reverse()
    turned = asked.turned
    before = np.empty((chain.before_hidden[first].shape[1], len(turned)))
    before[:, turned] = chain.before_hidden[first].T @ backward[0]
    behind = chain.behind_hidden[last + 1].T @ forward[-1]
    shares = np.empty((len(asked.stands), len(turned)))
    spreads = np.empty((len(asked.stands), len(turned)))
    for row, (number, _, choose) in enumerate(asked.stands):
        if number < first:
            shares[row] = before[chain.alike[chain.steps[number].gem]]
        elif number > last:
            shares[row] = behind[chain.alike[chain.steps[number].gem]]
        else:
            source, end = chain.steps[number].moves[HIDDEN]
            here, back = forward[number - first], backward[number + 1 - first]
            shares[row] = _joined(here.take(source, axis=0).T @ back.take(end, axis=0), turned)
        spreads[row] = spread if choose is count else asked.choices(choose)
    uncertain = _uncertain(shares / chain.total, spreads).sum(axis=1)
    together = float(
        sum(many * bits for (_, many, _), bits in zip(asked.stands, uncertain, strict=True))
    )
    return deal, min(max(uncertainty + deal - together, 0.0), uncertainty)


class _Asked:
    """A question as the sums see it.

    A column may stand for several equally likely answers.

    Attributes:
        first: the step over the first gem that is asked for.
        last: the step over the last one.
        forward: for each step over a gem that is asked for by how much the gem moves the column if
            the player holds it.
        backward: the same backwards.
        turned: for each column backwards the same column forwards.
        stands: the steps over gems that stand, as the hidden gem, for all of their kind: for how
            many, and how many gems of each class can be shown then. In each class these are one gem
            asked for and one other gem.
    """

    def __init__(self, chain: Chain, count: Sequence[int], shows: bool) -> None:
        """For one question."""
        self._count = count
        self._shows = shows
        steps: dict[int, Sequence[int]] = {}
        self.stands: list[tuple[int, int, Sequence[int]]] = []
        for kind, mine in enumerate(count):
            whole = chain.of_class[kind]
            if mine:
                steps[kind] = whole[:mine]
                if HIDDEN in chain.steps[whole[0]].moves:
                    # The hidden gem itself is not shown: one less to choose from.
                    less = [many - (other == kind) for other, many in enumerate(count)]
                    self.stands.append((whole[0], mine, less))
            if mine < len(whole) and HIDDEN in chain.steps[whole[-1]].moves:
                self.stands.append((whole[-1], len(whole) - mine, count))
        self.stands.sort(key=itemgetter(0))
        steps = dict(sorted(steps.items(), key=itemgetter(1)))
        self._kinds = tuple(steps)
        """The classes that are asked for, in the order of the steps."""
        told: Sequence[Sequence[int]] = list(steps.values())
        if not shows:
            told = [[step for some in told for step in some]]
        self.first, self.last = told[0][0], told[-1][-1]
        self.forward = _shifts(told)
        self.backward = _shifts(told[::-1])
        self.turned = _turned(tuple(len(some) + 1 for some in told))

    def choices(self, choose: Sequence[int]) -> Numbers:
        """In how many ways each column comes about, if so many of each class can be shown."""
        if not self._shows:
            return np.ones(len(self.turned))
        return _choices(tuple((choose[kind], self._count[kind]) for kind in self._kinds))


def _shifts(told: Sequence[Sequence[int]]) -> dict[int, int]:
    """For each step by how much it moves the column: the first of these classes counts ones."""
    found, stride = {}, 1
    for some in told:
        found.update(dict.fromkeys(some, stride))
        stride *= len(some) + 1
    return found


@lru_cache(maxsize=1_000)
def _turned(sizes: tuple[int, ...]) -> Ints:
    """For each number whose last digit counts ones the number whose first digit does."""
    found = np.zeros(1, dtype=np.int64)
    stride = 1
    strides = []
    for size in sizes:
        strides.append(stride)
        stride *= size
    for size, ones in zip(reversed(sizes), reversed(strides), strict=True):
        found = (np.arange(size)[:, np.newaxis] * ones + found).ravel()
    return found


def _first_column(values: Numbers) -> Numbers:
    """No gem that is asked for has come so far; the last row is zeros, as `Sources` has it."""
    return np.append(values, 0.0)[:, np.newaxis]


def _moved(sources: Sources, here: Numbers, player: str, shift: int) -> Numbers:
    """The columns moved over a step; by `shift` columns where the player has the gem."""
    if not shift or player not in sources.row:
        return sources.moved(here)
    width = here.shape[1]
    found = np.zeros((sources.states.shape[1], width + shift))
    found[:, :width] = sources.without(player).moved(here)
    found[:, shift:] += here.take(sources.states[sources.row[player]], axis=0)
    return found


def _joined(pairs: Numbers, turned: Ints) -> Numbers:
    """For each column the sum of what belongs to pairs of columns that add up to it."""
    forward, backward = pairs.shape
    both = np.arange(forward)[:, np.newaxis] + turned[:backward]
    # With weights the sums are floating-point numbers; the types of numpy do not say so.
    return np.bincount(both.ravel(), pairs.ravel(), len(turned)).astype(np.float64, copy=False)


@lru_cache(maxsize=1_000)
def _choices(pairs: tuple[tuple[int, int], ...]) -> Numbers:
    """For each column (a number of gems of each class), in how many ways they can be chosen.

    `pairs` holds for each class that is asked for how many gems can be chosen, and how many the
    question asks for.
    """
    found = np.ones(1)
    for number, most in pairs:
        found = np.outer([comb(number, many) for many in range(most + 1)], found).ravel()
    return found


def _uncertain(shares: Numbers, ways: Numbers) -> Numbers:
    """What each share adds to an entropy, in bits, divided evenly among so many cases."""
    some = (shares > 0) & (ways > 0)
    shares, ways = np.where(some, shares, 1.0), np.where(some, ways, 1.0)
    return np.where(some, -shares * np.log2(shares / ways), 0.0)


def entropy(shares: Numbers, ways: Numbers | float = 1.0) -> float:
    """In bits; each share is divided evenly among so many cases."""
    return float(_uncertain(shares, np.broadcast_to(ways, shares.shape)).sum())
