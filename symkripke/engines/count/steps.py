"""The worlds that an agent considers possible, fluent by fluent, without listing them.

The fluents come one after the other. Before each fluent there are a few *states*, which keep all
relevant information about the values so far. Each transition over the fluent has a value and leads
from one state to another. The paths from the first state to the last state are the worlds, so sums
over any number of worlds are computed with a few arrays for each fluent. (This is a Markov chain:
the share of a transition among all continuations of its state is the probability of its value
there.)

Numbers are floating-point numbers, computed by sums and products of non-negative numbers. Their
relative error is less than 1e-12. `Steps.worlds` is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from functools import cached_property
from math import prod
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from symkripke.engines.count.open_law import Group, OpenLaw
from symkripke.records import dataclass

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

Names: TypeAlias = tuple[str, ...]

Order: TypeAlias = Literal["given", "any"]
"""The order of fluents: "given" for the order of the names, "any" for one with few states."""


@dataclass(frozen=True, eq=False)
class FluentStep:
    """All transitions of one fluent. Several transitions may have the same states and value.

    Attributes:
        fluent: the fluent.
        values: its values.
        starts: the number of states before it.
        ends: the number of states after it.
        source: for each transition, the state that it leaves, from 0.
        value: for each transition, the index of its value in `values`.
        target: for each transition, the state that it leads to, from 0.
        weight: the weight of each transition; None if all are 1.
    """

    fluent: str
    values: Names
    starts: int
    ends: int
    source: Ints
    value: Ints
    target: Ints
    weight: Floats | None = None

    @classmethod
    def free(cls, fluent: str, values: Names, left: Sequence[int], states: int) -> FluentStep:
        """Return the step over a fluent that is independent of the others.

        `left` contains the indices of its possible values; `states` is the number of states.
        """
        value = np.repeat(np.array(left, dtype=np.int64), states)
        same = np.tile(np.arange(states), len(left))
        return cls(fluent, values, states, states, same, value, same)

    @property
    def reverse(self) -> FluentStep:
        """The step with sources and targets exchanged."""
        return replace(
            self, starts=self.ends, ends=self.starts, source=self.target, target=self.source
        )

    def only(self, value: str) -> FluentStep:
        """Return the step with only the transitions with this value."""
        kept = self.value == self.values.index(value)
        return replace(
            self,
            source=self.source[kept],
            value=self.value[kept],
            target=self.target[kept],
            weight=None if self.weight is None else self.weight[kept],
        )

    def weighed(self, numbers: Floats) -> Floats:
        """Return numbers, one per transition, multiplied by the weights of the transitions."""
        return numbers if self.weight is None else numbers * self.weight

    def forwards(self, ways: Floats) -> Floats:
        """Return the number of paths to each state after the step, from the numbers before it."""
        sums = np.bincount(self.target, self.weighed(ways[self.source]), self.ends)
        return sums.astype(np.float64, copy=False)

    def backwards(self, ways: Floats) -> Floats:
        """Return the number of paths from each state before the step, from the numbers after it."""
        sums = np.bincount(self.source, self.weighed(ways[self.target]), self.starts)
        return sums.astype(np.float64, copy=False)

    @cached_property
    def forward(self) -> Flow:
        """The flow of numbers from the states before the step to the states after it."""
        return Flow.of(self)

    @cached_property
    def backward(self) -> Flow:
        """The flow of numbers from the states after the step to the states before it."""
        return Flow.of(self.reverse)


@dataclass(frozen=True, eq=False)
class Flow:
    """A table that moves rows of numbers, one for each state, over a step.

    A row of zeros follows the rows of the states; missing transitions read it. So moving is one
    lookup of whole rows, which takes a fifth of the time of adding to selected rows.

    Attributes:
        value: for each row of `states`, the value of its transitions.
        states: for each new state, an old state, or the index of the row of zeros. An additional
            column produces the new row of zeros.
        weight: the weights of the transitions; None if all are 1.
    """

    value: tuple[str, ...]
    states: Ints
    weight: Floats | None
    _parts: dict[str, tuple[Flow, Flow]] = field(default_factory=dict)

    @classmethod
    def of(cls, step: FluentStep) -> Flow:
        """Return the flow from the states before the step to the states after it."""
        key = step.value * step.ends + step.target
        row = step.value
        if len(key) and np.bincount(key).max() > 1:  # several states lead to the same state
            order = np.argsort(key, kind="stable")
            starts = np.flatnonzero(np.diff(key[order], prepend=-1))
            many = np.diff(starts, append=len(key))
            rank = np.zeros_like(key)
            rank[order] = np.arange(len(key)) - np.repeat(starts, many)
            row = rank * len(step.values) + step.value
        rows = np.flatnonzero(np.bincount(row))
        row = np.searchsorted(rows, row)
        states = np.full((len(rows), step.ends + 1), step.starts, dtype=np.int64)
        states[row, step.target] = step.source
        weight = None
        if step.weight is not None:
            weight = np.zeros(states.shape)
            weight[row, step.target] = step.weight
        return cls(tuple(step.values[n % len(step.values)] for n in rows.tolist()), states, weight)

    def parted(self, value: str) -> tuple[Flow, Flow]:
        """Return the flow of the transitions with this value, and the flow of all others."""
        if value not in self._parts:
            own = [row for row, other in enumerate(self.value) if other == value]
            others = [row for row, other in enumerate(self.value) if other != value]
            self._parts[value] = self._some(own), self._some(others)
        return self._parts[value]

    def _some(self, rows: Sequence[int]) -> Flow:
        weight = None if self.weight is None else self.weight[rows]
        return Flow(tuple(self.value[row] for row in rows), self.states[rows], weight)

    def moved(self, here: Floats) -> Floats:
        """Return rows of numbers after moving them over the step.

        There is a row for each state, followed by a row of zeros.
        """
        taken: Floats = here.take(self.states, axis=0)
        if self.weight is not None:
            taken *= self.weight[:, :, np.newaxis]
        sums: Floats = taken.sum(axis=0)
        return sums


@dataclass(frozen=True, eq=False)
class Steps:
    """A step for each fluent, from one first state to one last state.

    Attributes:
        steps: the steps, in order.
        groups: groups of merged values. The first value of each group represents all of them.
        interchangeable: classes of fluents. Exchanging two fluents of one class changes nothing.
    """

    steps: Sequence[FluentStep]
    groups: Sequence[Group] = ()
    interchangeable: Sequence[Sequence[str]] = ()

    @cached_property
    def each(self) -> int:
        """The number of worlds that each path through the steps represents."""
        return prod(group.ways for group in self.groups)

    @cached_property
    def behind(self) -> list[Floats]:
        """The number of paths from each state on, before each step and after the last step."""
        ways = [np.ones(1)]
        for step in reversed(self.steps):
            ways.append(step.backwards(ways[-1]))
        return ways[::-1]

    @cached_property
    def before(self) -> list[Floats]:
        """The number of paths to each state, before each step and after the last step."""
        ways = [np.ones(1)]
        for step in self.steps:
            ways.append(step.forwards(ways[-1]))
        return ways

    @cached_property
    def total(self) -> float:
        """The number of paths from the first state to the last state, up to rounding."""
        return float(self.behind[0][0])

    @cached_property
    def worlds(self) -> int | None:
        """The exact number of worlds; None if their weights differ.

        Also None if a fluent without a step may have a merged value.
        """
        walked = {step.fluent for step in self.steps}
        if any(step.weight is not None for step in self.steps):
            return None
        if not all(group.fluents <= walked for group in self.groups):
            return None
        number = np.ones(1, dtype=object)
        for step in reversed(self.steps):
            here = np.zeros(step.starts, dtype=object)
            np.add.at(here, step.source, number[step.target])
            number = here
        return int(number[0]) * self.each

    def possible(self, law: OpenLaw) -> dict[str, list[int]]:
        """Return the domains of a law without values that no transition has."""
        possible = dict(law.domains)
        for step in self.steps:
            values = {step.values[number] for number in np.unique(step.value).tolist()}
            for group in self.groups:
                if group.values[0] in values and step.fluent in group.fluents:
                    values.update(group.values)
            possible[step.fluent] = [n for n in possible[step.fluent] if step.values[n] in values]
        return possible

    @cached_property
    def shares(self) -> list[Floats]:
        """The probability of each transition given its source state, for each step."""
        return [
            step.weighed(after[step.target]) / here[step.source]
            for step, here, after in zip(self.steps, self.behind, self.behind[1:], strict=False)
        ]

    @cached_property
    def marginals(self) -> dict[str, dict[str, float]]:
        """The probability of each possible value of each fluent."""
        marginals = {}
        for step, here, after in zip(self.steps, self.before, self.behind[1:], strict=False):
            ways = step.weighed(here[step.source] * after[step.target])
            sums = np.bincount(step.value, ways, len(step.values)) / self.total
            can = np.bincount(step.value, minlength=len(step.values)) > 0
            shares = {
                value: float(share)
                for value, share, possible in zip(step.values, sums, can, strict=True)
                if possible
            }
            for group in self.groups:
                first = group.values[0]
                if first in shares and step.fluent in group.fluents:
                    whole = shares[first] / sum(group.numbers)
                    shares.update(
                        (value, whole * number)
                        for value, number in zip(group.values, group.numbers, strict=True)
                    )
            marginals[step.fluent] = shares
        return marginals
