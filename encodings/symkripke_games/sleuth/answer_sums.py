"""The information of an answer to a question: sums over the deals.

Deals are counted gem by gem (`symkripke.engines.count.steps`), with one more number kept for
each state: how many of the gems that are asked for the player holds, of each class of gems that are
alike (where only a number is said: of all). This number is a column. The deals are counted forwards
and backwards with it, between the first and the last gem asked for. Joined at the hidden gem, the
two counts give the joint distribution of the answer and the hidden gem. The ways before and behind
that range are counted once for all questions, by the hidden gem.

Columns are numbered so that those which the gems so far can lead to come first: forwards the
classes count in the order of the steps, backwards in the opposite one. Only these columns are kept.
On average they are less than half, and where two counts are joined, there are few pairs of columns.

Tried and rejected: several questions side by side in one matrix. It saves most of the calls, but
the time goes into the sums themselves.
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
        kind: for the location of each open gem the number of its class of gems that are alike.
        steps: the steps, to the last open gem.
        before: before each step, and after the last, how many ways lead to each state.
        behind: how many ways lead on from it.
        total: the total number of ways.
        hidden: of each step the ways by which its gem is hidden.
        of_kind: for each class of gems the numbers of the steps over them, in order.
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
        """Return whether the gem of that step may be hidden."""
        return len(self.hidden[number].value) > 0

    def kind_of(self, number: int) -> int:
        """Return the class of the gem of that step."""
        return self.kind[self.steps[number].fluent]

    @cached_property
    def before_hidden(self) -> list[Floats]:
        """The number of ways to each state before each step and after the last, by hidden gem.

        A column is a class of gems: its last gem is the hidden one, and came before. The last row
        is zeros, as `Flow` has it.
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
        """The sums over the paths that continue from each state to the hidden gem."""
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
        """Return whether the gem of that step may be hidden, and is the last one of its class."""
        return self.hides(number) and self.of_kind[self.kind_of(number)][-1] == number


# Less information than this is none: its three entropies are rounded.
_ROUNDING = 1e-12


def expected_information(
    deals: DealSums, player: str, count: Sequence[int], shows: bool, uncertainty: float
) -> tuple[float, float]:
    """Return the information of the player's answer about the deal and the hidden gem, in bits.

    Args:
        deals: the deals, with the player apart.
        player: the player who is asked.
        count: how many gems of each class are asked for, not zero throughout; the first gems of
            the class are taken.
        shows: whether the gems are shown, and not only their number said.
        uncertainty: the entropy of the hidden gem.
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
        """The classes that are asked for, in the order of the steps."""
        steps_of_answers: Sequence[Sequence[int]] = list(steps.values())
        if not shows:
            steps_of_answers = [[step for some in steps_of_answers for step in some]]
        self.first, self.last = steps_of_answers[0][0], steps_of_answers[-1][-1]
        self.forward = _shifts(steps_of_answers)
        self.backward = _shifts(steps_of_answers[::-1])
        self.turned = _turned(tuple(len(some) + 1 for some in steps_of_answers))

    def choices(self, choose: Sequence[int]) -> Floats:
        """Return the number of ways of each column if these numbers of each class can be shown."""
        if not self._shows:
            return np.ones(len(self.turned))
        return _choices(tuple((choose[kind], self._count[kind]) for kind in self._kinds))


def _shifts(answers: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the shift of the column for each step: the first of these classes counts ones."""
    shifts, stride = {}, 1
    for some in answers:
        shifts.update(dict.fromkeys(some, stride))
        stride *= len(some) + 1
    return shifts


@lru_cache(maxsize=1_000)
def _turned(sizes: tuple[int, ...]) -> Ints:
    """Return, for each number whose last digit counts ones, the number whose first digit does."""
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
    """No gem that is asked for has come so far; the last row is zeros, as `Flow` has it."""
    return np.append(values, 0.0)[:, np.newaxis]


def _moved(flow: Flow, here: Floats, player: str, shift: int) -> Floats:
    """Return the columns moved over a step; by `shift` columns where the player has the gem."""
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
    # With weights the sums are floating-point numbers; the types of numpy do not say so.
    return np.bincount(both.ravel(), pairs.ravel(), len(turned)).astype(np.float64, copy=False)


@lru_cache(maxsize=1_000)
def _choices(pairs: tuple[tuple[int, int], ...]) -> Floats:
    """Return the number of ways to choose the gems of each column (a number of each class).

    `pairs` holds for each class that is asked for how many gems can be chosen, and how many the
    question asks for.
    """
    ways = np.ones(1)
    for number, most in pairs:
        ways = np.outer([comb(number, many) for many in range(most + 1)], ways).ravel()
    return ways


def _uncertain(shares: Floats, ways: Floats) -> Floats:
    """Return the contribution of each share to an entropy in bits, split over equal cases."""
    some = (shares > 0) & (ways > 0)
    shares, ways = np.where(some, shares, 1.0), np.where(some, ways, 1.0)
    return np.where(some, -shares * np.log2(shares / ways), 0.0)


def entropy(shares: Floats, ways: Floats | float = 1.0) -> float:
    """Return the entropy in bits; each share is divided evenly among its ways."""
    return float(_uncertain(shares, np.broadcast_to(ways, shares.shape)).sum())
