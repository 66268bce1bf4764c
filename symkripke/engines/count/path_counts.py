"""Exact counts of paths over the states of a law of sums, in total and for each step.

The counts of a level are numpy integers if they fit, and Python integers otherwise. Of n
interchangeable fluents, a state leaves k_v for each value v. By symmetry, each of these fluents has
the value v with a probability equal to the mean of k_v / n.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from functools import cache, cached_property
from math import comb, isfinite, lgamma, prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from symkripke.engines.count.dynamic_programme import DynamicProgramme, Ints
from symkripke.engines.count.steps import FluentStep
from symkripke.errors import BudgetExceeded, TooManyNodes
from symkripke.limits import look
from symkripke.model import World

Floats: TypeAlias = NDArray[np.float64]

Value: TypeAlias = tuple[str, str]
"""A fluent, and one of its values."""

Counts: TypeAlias = NDArray[Any]
"""A number for each state, as numpy integers or Python integers."""


class PathCounts:
    """The counts of the worlds of one law of sums."""

    def __init__(self, programme: DynamicProgramme) -> None:
        """Create an object that computes its counts on demand."""
        self.programme = programme
        self.domains = programme.domains
        self._machine = programme.tuning.machine

    # ---- counts ---------------------------------------------------------------------------

    @cached_property
    def _fits(self) -> NDArray[np.bool_]:
        """For each last state, whether its `kept` numbers fit the interchangeable fluents."""
        kept, number = self.programme.kept, len(self.programme.interchangeable)
        right: NDArray[np.bool_] = kept.sum(axis=0) == number
        return right & (kept >= 0).all(axis=0)

    @cached_property
    def _floats(self) -> list[Floats]:
        """The approximate number, or weight, of the paths from each state on, for each level."""
        levels = [self._orders()]
        for level in reversed(self.programme.levels):
            look()
            below = np.append(levels[-1], 0.0)
            ways = (below[row] for row in level.steps)
            if level.factors is not None:
                ways = (way * factor for way, factor in zip(ways, level.factors, strict=True))
            levels.append(sum(ways, np.zeros(level.states)))
        return levels[::-1]

    def _orders(self) -> Floats:
        """Return the approximate number of arrangements of each last state."""
        number = len(self.programme.interchangeable)
        logs = np.array([lgamma(n + 1) for n in range(number + 1)])
        sums = logs[-1] - logs[np.clip(self.programme.kept, 0, number)].sum(axis=0)
        with np.errstate(over="ignore"):  # infinite numbers are never used
            return np.where(self._fits, np.exp(sums), 0.0)

    @cached_property
    def _onwards(self) -> list[Counts]:
        """The number of paths from each state on, for each level."""
        counts = [self._last()]
        for level in reversed(self.programme.levels):
            look()
            below = _with_dead_end(self._roomy(counts[-1], len(level.steps)))
            here = below[level.steps[0]]
            for row in level.steps[1:]:
                here += below[row]
            counts.append(here)
        return counts[::-1]

    def _last(self) -> Counts:
        """Return the number of arrangements of the interchangeable fluents in each last state."""
        number = len(self.programme.interchangeable)
        # No state has more arrangements than this maximum.
        kind = np.int64 if self._floats[-1].max(initial=0.0) < self._machine else object
        end: Counts = self._fits.astype(kind)
        # Value by value, choosing among the remaining fluents. No product exceeds the last one.
        left = np.full(len(end), number)
        for row in np.where(self._fits, self.programme.kept, 0):
            look()
            pairs, of = np.unique(left * (number + 1) + row, return_inverse=True)
            ways = [comb(*divmod(pair, number + 1)) for pair in pairs.tolist()]
            end *= np.array(ways, dtype=kind)[of]
            left -= row
        return end

    @cached_property
    def _downwards(self) -> list[Counts]:
        """The number of paths to each state, for each level."""
        counts: list[Counts] = [np.ones(int(self.programme.possible), dtype=np.int64)]
        for level, below in zip(self.programme.levels, self._onwards[1:], strict=True):
            look()
            counts.append(self._pushed(counts[-1], level.steps, len(below)))
        return counts

    def _wide(self, counts: Counts) -> Counts:
        """Return counts in a type that can hold products up to the number of worlds."""
        if self._walked * max(1, len(self.programme.interchangeable)) >= self._machine:
            return counts.astype(object)
        return counts

    def _roomy(self, counts: Counts, terms: int) -> Counts:
        """Return counts, converted to Python integers if a sum of `terms` of them may overflow."""
        if counts.dtype == object or float(counts.max(initial=0)) * terms < self._machine:
            return counts
        return counts.astype(object)

    def _pushed(self, ways: Counts, steps: Ints, states: int) -> Counts:
        """Return the number of paths to the states after these steps."""
        if ways.dtype != object and float(ways.sum(dtype=np.float64)) * len(steps) >= self._machine:
            ways = ways.astype(object)
        counts: Counts = np.zeros(states + 1, dtype=ways.dtype)
        for row in steps:
            np.add.at(counts, row, ways)
        return counts[:states]

    @cached_property
    def _walked(self) -> int:
        """The number of worlds, ignoring the unconstrained fluents."""
        return int(self._onwards[0].sum()) if self.programme.possible else 0

    @property
    def is_empty(self) -> bool:
        """True if there is no world. This also works for worlds with weights."""
        return not self._floats[0].any()

    @cached_property
    def total(self) -> int:
        """The number of worlds."""
        return self.over(self.programme.unconstrained)

    def over(self, names: Container[str]) -> int:
        """Return the number of worlds, ignoring unconstrained fluents that are not in `names`."""
        free = (name for name in self.programme.unconstrained if name in names)
        return self._walked * prod(len(self.domains[name]) for name in free)

    @cached_property
    def marginals(self) -> dict[Value, Fraction]:
        """The probability of each possible value of each fluent. There must be a world."""
        marginals = {
            (name, value): Fraction(1, len(left))
            for name, left in self.domains.items()
            for value in self.programme.values(name)
        }  # correct for fluents with one value and for unconstrained fluents
        for number, level in enumerate(self.programme.levels):
            look()
            ways = self._wide(self._downwards[number])
            below = _with_dead_end(self._wide(self._onwards[number + 1]))
            for value, row in zip(self.programme.values(level.fluent), level.steps, strict=True):
                part = int(ways @ below[row])
                marginals[level.fluent, value] = Fraction(part, self._walked)
        if self.programme.interchangeable:
            ends = self._wide(self._downwards[-1]) * self._onwards[-1]
            for place, row in enumerate(self.programme.kept):
                part = int((ends * np.where(self._fits, row, 0)).sum())
                share = Fraction(part, self._walked * len(self.programme.interchangeable))
                for name in self.programme.interchangeable:
                    marginals[name, self.programme.values(name)[place]] = share
        return marginals

    # ---- single worlds ----------------------------------------------------------------------

    def draw(self, number: int, chance: random.Random) -> Iterator[World]:
        """Yield `number` uniformly distributed random worlds. At least one world must exist."""
        exact = cache(lambda level, state: int(self._onwards[level][state]))
        values = self.programme.values
        for _ in range(number):
            look()
            rank = chance.randrange(self.total)
            world = {name: values(name)[0] for name in self.programme.fluents}
            for name in self.programme.unconstrained:
                rank, place = divmod(rank, len(self.domains[name]))
                world[name] = values(name)[place]
            state = 0
            for depth, level in enumerate(self.programme.levels, 1):
                for value, row in zip(values(level.fluent), level.steps, strict=True):
                    after = int(row[state])
                    size = exact(depth, after) if after < len(self._onwards[depth]) else 0
                    if rank < size:
                        world[level.fluent], state = value, after
                        break
                    rank -= size
            world.update(self._arranged(state, rank, exact(len(self.programme.levels), state)))
            yield world

    def _arranged(self, state: int, rank: int, ways: int) -> Iterator[Value]:
        """Yield the interchangeable fluents with their values in the arrangement with this rank."""
        kept = [int(number) for number in self.programme.kept[:, state]]
        names = self.programme.interchangeable
        for left, name in zip(range(len(names), 0, -1), names, strict=True):
            for place, value in enumerate(self.programme.values(name)):
                size = ways * kept[place] // left
                if rank < size:
                    kept[place] -= 1
                    ways = size
                    yield name, value
                    break
                rank -= size

    # ---- joint distributions ----------------------------------------------------------------

    def steps(self, names: Sequence[str]) -> list[FluentStep] | None:
        """Return the steps over these fluents; None if other fluents have levels.

        Return None, too, if the number of worlds overflows a floating-point number. The programme
        must walk over all fluents, with the levels in the order of `names`. There must be a world.
        """
        walked = {level.fluent: number for number, level in enumerate(self.programme.levels)}
        if not walked.keys() <= set(names) or not isfinite(self._floats[0].sum()):
            return None
        # Only states that lead to a world are kept.
        kept = [np.flatnonzero(here > 0) for here in self._floats]
        kept[-1] = np.zeros(min(1, len(kept[-1])), dtype=np.int64)  # one last state, for all worlds
        steps, here = [], 0
        for name in names:
            if name in walked:
                here = walked[name] + 1
                steps.append(self._step(here - 1, kept))
            else:
                values = self.programme.fluents[name].values
                steps.append(FluentStep.free(name, values, self.domains[name], len(kept[here])))
        return steps

    def _step(self, number: int, kept: Sequence[Ints]) -> FluentStep:
        """Return the transitions of a level between the `kept` states."""
        level = self.programme.levels[number]
        below = np.append(self._floats[number + 1], 0.0)
        place = np.zeros(len(below), dtype=np.int64)
        if number + 1 < len(self.programme.levels):
            place[kept[number + 1]] = np.arange(len(kept[number + 1]))
        steps = level.steps[:, kept[number]]
        places, source = np.nonzero(below[steps] > 0)
        return FluentStep(
            level.fluent,
            self.programme.fluents[level.fluent].values,
            len(kept[number]),
            len(kept[number + 1]),
            source,
            np.array(self.domains[level.fluent], dtype=np.int64)[places],
            place[steps[places, source]],
            None if level.factors is None else level.factors[:, kept[number]][places, source],
        )

    def distribution(
        self, asked: Mapping[str, Set[str]], limit: int
    ) -> dict[frozenset[Value], Fraction]:
        """Return, for each set of these values, the probability that exactly these are true.

        The programme must walk over all fluents. There must be a world.

        Raises:
            BudgetExceeded: there are more than `limit` sets.
            TooManyNodes: counting would take more steps than allowed.
        """
        pasts: list[frozenset[Value]] = [frozenset()]
        past, state = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
        ways: Counts = np.ones(1, dtype=np.int64)
        for level, below in zip(self.programme.levels, self._onwards[1:], strict=True):
            look()
            possible = np.append(below != 0, False)
            asked_values = asked.get(level.fluent, frozenset[str]())
            values = [v if v in asked_values else "" for v in self.programme.values(level.fluent)]
            kinds = sorted(set(values))
            said = np.array([kinds.index(value) for value in values], dtype=np.int64)
            steps = level.steps[:, state]
            places, rows = np.nonzero(possible[steps])
            keys = past[rows] * len(kinds) + said[places]
            heard, keys = np.unique(keys, return_inverse=True)
            pasts = [
                _more(pasts[key // len(kinds)], level.fluent, kinds[key % len(kinds)])
                for key in heard.tolist()
            ]
            _limited(len(pasts), limit)
            pairs, after = np.unique(
                keys.ravel() * len(possible) + steps[places, rows], return_inverse=True
            )
            if len(pairs) > self.programme.most:
                raise TooManyNodes(f"more than {self.programme.most:,} steps would be needed")
            ways = self._pushed(ways[rows], after.reshape(1, -1), len(pairs))
            past, state = pairs // len(possible), pairs % len(possible)
        parts = self._wide(ways) * self._onwards[-1][state]
        sums = self._pushed(parts, past.reshape(1, -1), len(pasts))
        shares = {
            true: Fraction(int(sums[number]), self._walked) for number, true in enumerate(pasts)
        }
        walked = {level.fluent for level in self.programme.levels}
        for name in asked.keys() - walked:
            wide: dict[frozenset[Value], Fraction] = {}
            for true, share in shares.items():
                for value in self.programme.values(name):
                    more = _more(true, name, value if value in asked[name] else "")
                    each = share / len(self.domains[name])
                    wide[more] = wide.get(more, Fraction(0)) + each
            _limited(len(wide), limit)
            shares = wide
        return shares

    def exclusive(self, asked: Mapping[str, Set[str]]) -> dict[frozenset[Value], Fraction] | None:
        """Return the result of `distribution` if a sum allows at most one open value to be true.

        Otherwise return None. An open value is an asked value that is possible but not certain.
        """
        possible = [
            (name, value)
            for name, values in asked.items()
            for value in self.programme.values(name)
            if value in values
        ]
        sure = frozenset(pair for pair in possible if len(self.domains[pair[0]]) == 1)
        unsure = [pair for pair in possible if pair not in sure]
        if not self.programme.excludes(unsure):
            return None
        shares = {sure | {value}: self.marginals[value] for value in unsure}
        shares[sure] = 1 - sum(shares.values(), start=Fraction(0))
        return {true: share for true, share in shares.items() if share}


def _with_dead_end(numbers: Counts) -> Counts:
    """Return numbers of states, with a zero appended for the impossible state."""
    return np.append(numbers, 0)


def _more(past: frozenset[Value], name: str, value: str) -> frozenset[Value]:
    """Return the set with this value added, or unchanged if `value` is ""."""
    return past | {(name, value)} if value else past


def _limited(number: int, limit: int) -> None:
    if number > limit:
        raise BudgetExceeded(f"there are {number:,} possibilities or more, more than {limit:,}")
