"""The information in an answer to a question: sums over the deals.

Deals are counted gem by gem (`symkripke.engines.count.steps`), with an additional column number for
each state. The column encodes how many of the requested gems the asked player holds: the number in
each class of interchangeable gems, or the total if only a number is announced. The deals between
the first and the last requested gem are counted forwards and backwards with these columns. The two
counts, joined at the hidden gem, give the joint distribution of the answer and the hidden gem. The
ways before and after that range are counted once for all questions, by the hidden gem.

The columns that the gems so far can reach come first: forwards, the classes are digits in the order
of the steps, and backwards in the reverse order. Only the reachable columns are stored. On average,
these are less than half of all columns, so joining two counts involves few pairs of columns.

Several questions are not computed side by side in one matrix. This would save most of the calls,
but the sums themselves take the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from math import comb
from operator import itemgetter

import numpy as np

from symkripke.engines.count.steps import Floats, Flow, Ints, Steps
from symkripke_games.sleuth.gems import HIDDEN


class DealSums:
    """The deals, gem by gem, by the class of the hidden gem.

    Attributes:
        kind: the index of the class of interchangeable gems, for the location of each open gem.
        steps: the steps up to the last open gem.
        before: the number of ways to each state, before each step and after the last.
        behind: the number of ways on from each state, before each step and after the last.
        total: the total number of ways.
        hidden: for each step, the ways in which its gem is hidden.
        of_kind: for each class of gems, the indices of their steps, in order.
    """

    def __init__(self, steps: Steps, kind: Mapping[str, int]) -> None:
        """Compute the sums over these steps."""
        self.kind = kind
        self.before, self.behind, self.total = steps.before, steps.behind, steps.total
        self.of_kind: list[list[int]] = [[] for _ in set(kind.values())]
        for number, step in enumerate(steps.steps):
            if step.fluent in kind:
                self.of_kind[kind[step.fluent]].append(number)
        self.steps = steps.steps[: 1 + max(map(max, self.of_kind), default=-1)]
        self.hidden = [step.only(HIDDEN) for step in self.steps]

    def hides(self, number: int) -> bool:
        """Return whether the gem of this step may be hidden."""
        return len(self.hidden[number].value) > 0

    def kind_of(self, number: int) -> int:
        """Return the class of the gem of this step."""
        return self.kind[self.steps[number].fluent]

    @cached_property
    def before_hidden(self) -> list[Floats]:
        """The number of ways to each state in which a gem before it is hidden.

        There is one array before each step and one after the last. Each column stands for a class
        of gems whose last gem is hidden. The last row contains zeros, as `Flow` requires.
        """
        ways: list[Floats] = [np.zeros((2, len(self.of_kind)))]
        for number, step in enumerate(self.steps):
            here = step.forward.moved(ways[-1])
            if self._counts_hidden(number):
                here[:-1, self.kind_of(number)] += self.hidden[number].forwards(self.before[number])
            ways.append(here)
        return ways

    @cached_property
    def behind_hidden(self) -> list[Floats]:
        """The number of ways on from each state in which a gem after it is hidden.

        The arrays have the form of `before_hidden`.
        """
        levels: list[Floats] = [
            np.zeros((len(self.behind[len(self.steps)]) + 1, len(self.of_kind)))
        ]
        for number in reversed(range(len(self.steps))):
            here, ways = self.steps[number].backward.moved(levels[-1]), self.behind[number + 1]
            if self._counts_hidden(number):
                here[:-1, self.kind_of(number)] += self.hidden[number].backwards(ways)
            levels.append(here)
        return levels[::-1]

    def _counts_hidden(self, number: int) -> bool:
        """Return whether the gem of this step may be hidden and is the last gem of its class."""
        return self.hides(number) and self.of_kind[self.kind_of(number)][-1] == number


# Information below this bound counts as zero, because the three entropies have rounding errors.
_ROUNDING = 1e-12


def expected_information(
    deals: DealSums, player: str, count: Sequence[int], shows: bool, uncertainty: float
) -> tuple[float, float]:
    """Return the information in the answer about the deal and about the hidden gem, in bits.

    Args:
        deals: the deals, counted with this player separate from all others.
        player: the player who is asked.
        count: the number of requested gems in each class, at least one in total. The first gems of
            each class stand for them.
        shows: whether the gems are shown, rather than only their number announced.
        uncertainty: the entropy of the hidden gem, in bits.
    """
    asked = _Asked(deals, count, shows)
    first, last = asked.first, asked.last
    forward = [_first_column(deals.before[first])]
    for number in range(first, last + 1):
        flow, shift = deals.steps[number].forward, asked.forward.get(number, 0)
        forward.append(_moved(flow, forward[-1], player, shift))
    spread = asked.choices(count)
    deal = entropy(deals.behind[last + 1] @ forward[-1][:-1] / deals.total, spread)
    if not asked.stands:  # the hidden gem is known
        return deal, 0.0
    backward = [_first_column(deals.behind[last + 1])]
    for number in range(last, first - 1, -1):
        flow, shift = deals.steps[number].backward, asked.backward.get(number, 0)
        backward.append(_moved(flow, backward[-1], player, shift))
    backward.reverse()
    turned = asked.turned
    before = np.empty((deals.before_hidden[first].shape[1], len(turned)))
    before[:, turned] = deals.before_hidden[first].T @ backward[0]
    behind = deals.behind_hidden[last + 1].T @ forward[-1]
    shares = np.empty((len(asked.stands), len(turned)))
    spreads = np.empty((len(asked.stands), len(turned)))
    for row, (number, _, choose) in enumerate(asked.stands):
        if number < first:
            shares[row] = before[deals.kind_of(number)]
        elif number > last:
            shares[row] = behind[deals.kind_of(number)]
        else:
            hidden = deals.hidden[number]
            here = forward[number - first].take(hidden.source, axis=0).T
            back = backward[number + 1 - first].take(hidden.target, axis=0)
            shares[row] = _joined(hidden.weighed(here) @ back, turned)
        spreads[row] = spread if choose is count else asked.choices(choose)
    uncertain = _uncertain(shares / deals.total, spreads).sum(axis=1)
    together = float(
        sum(many * bits for (_, many, _), bits in zip(asked.stands, uncertain, strict=True))
    )
    gem = uncertainty + deal - together
    return deal, min(gem, uncertainty) if gem > _ROUNDING else 0.0


class _Asked:
    """A question in the form that the sums need.

    A column may stand for several equally likely answers.

    Attributes:
        first: the index of the step for the first requested gem.
        last: the index of the step for the last requested gem.
        forward: for each step of a requested gem, the shift of the column if the player holds the
            gem, when counting forwards.
        backward: the same shifts when counting backwards.
        turned: for each column number backwards, the column number forwards.
        stands: the gems that represent others of their class as the hidden gem: one requested gem
            and one other gem of each class. Each entry has the index of the step, the number of
            represented gems, and the number of gems of each class that can then be shown.
    """

    def __init__(self, deals: DealSums, count: Sequence[int], shows: bool) -> None:
        """Prepare the sums for one question."""
        self._count = count
        self._shows = shows
        steps: dict[int, Sequence[int]] = {}
        self.stands: list[tuple[int, int, Sequence[int]]] = []
        for kind, mine in enumerate(count):
            whole = deals.of_kind[kind]
            if mine:
                steps[kind] = whole[:mine]
                if deals.hides(whole[0]):
                    # The hidden gem itself is not shown, so there is one fewer to choose from.
                    less = [many - (other == kind) for other, many in enumerate(count)]
                    self.stands.append((whole[0], mine, less))
            if mine < len(whole) and deals.hides(whole[-1]):
                self.stands.append((whole[-1], len(whole) - mine, count))
        self.stands.sort(key=itemgetter(0))
        steps = dict(sorted(steps.items(), key=itemgetter(1)))
        self._kinds = tuple(steps)
        """The requested classes, in the order of the steps."""
        steps_of_answers: Sequence[Sequence[int]] = list(steps.values())
        if not shows:
            steps_of_answers = [[step for some in steps_of_answers for step in some]]
        self.first, self.last = steps_of_answers[0][0], steps_of_answers[-1][-1]
        self.forward = _shifts(steps_of_answers)
        self.backward = _shifts(steps_of_answers[::-1])
        self.turned = _turned(tuple(len(some) + 1 for some in steps_of_answers))

    def choices(self, choose: Sequence[int]) -> Floats:
        """Return the number of answers in each column if these numbers of gems can be shown."""
        if not self._shows:
            return np.ones(len(self.turned))
        return _choices(tuple((choose[kind], self._count[kind]) for kind in self._kinds))


def _shifts(answers: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the shift of the column for each step; the first class is the units digit."""
    shifts, stride = {}, 1
    for some in answers:
        shifts.update(dict.fromkeys(some, stride))
        stride *= len(some) + 1
    return shifts


@lru_cache(maxsize=1_000)
def _turned(sizes: tuple[int, ...]) -> Ints:
    """Return, for each column number with the last class as units digit, that with the first."""
    codes = np.zeros(1, dtype=np.int64)
    stride = 1
    strides = []
    for size in sizes:
        strides.append(stride)
        stride *= size
    for size, ones in zip(reversed(sizes), reversed(strides), strict=True):
        codes = (np.arange(size)[:, np.newaxis] * ones + codes).ravel()
    return codes


def _first_column(values: Floats) -> Floats:
    """Return these values as the only column, with a last row of zeros, as `Flow` requires."""
    return np.append(values, 0.0)[:, np.newaxis]


def _moved(flow: Flow, here: Floats, player: str, shift: int) -> Floats:
    """Return the columns after a step, shifted by `shift` where the player holds the gem."""
    if not shift:
        return flow.moved(here)
    own, others = flow.parted(player)
    width = here.shape[1]
    moved = np.zeros((flow.states.shape[1], width + shift))
    moved[:, :width] = others.moved(here)
    moved[:, shift:] += own.moved(here)
    return moved


def _joined(pairs: Floats, turned: Ints) -> Floats:
    """Return, for each column, the sum over the pairs of columns that add up to it."""
    forward, backward = pairs.shape
    both = np.arange(forward)[:, np.newaxis] + turned[:backward]
    # With weights, the sums are floats, but the type annotations of numpy do not say so.
    return np.bincount(both.ravel(), pairs.ravel(), len(turned)).astype(np.float64, copy=False)


@lru_cache(maxsize=1_000)
def _choices(pairs: tuple[tuple[int, int], ...]) -> Floats:
    """Return, for each column, the number of ways to choose its numbers of gems of each class.

    For each requested class, `pairs` holds the number of gems to choose from, and the number of
    requested gems.
    """
    ways = np.ones(1)
    for number, most in pairs:
        ways = np.outer([comb(number, many) for many in range(most + 1)], ways).ravel()
    return ways


def _uncertain(shares: Floats, ways: Floats) -> Floats:
    """Return the contribution of each share to an entropy in bits, split evenly among its ways."""
    some = (shares > 0) & (ways > 0)
    shares, ways = np.where(some, shares, 1.0), np.where(some, ways, 1.0)
    return np.where(some, -shares * np.log2(shares / ways), 0.0)


def entropy(shares: Floats, ways: Floats | float = 1.0) -> float:
    """Return the entropy in bits; each share is divided evenly among its ways."""
    return float(_uncertain(shares, np.broadcast_to(ways, shares.shape)).sum())
