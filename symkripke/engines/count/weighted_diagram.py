"""Weights of valuations, as diagrams with numbers at their leaves, stored in arrays by level.

Such a diagram (R. I. Bahar et al.: Algebraic decision diagrams and their applications, 1993) stores
the total weight of the histories that lead to each valuation of the relevant fluents. An event is
added by multiplication with the set of worlds that it allows. Variables that are no longer needed
are then summed out. Merely quantifying them out would count several histories as one.

The algorithm goes from the top, as a subset construction with multiplicities (M. Mohri:
Finite-state transducers in language and speech processing, 1997). A state of the result is a
weighted list of pairs; each pair consists of a state of the diagram and a part of the event's set.
A variable that is summed out leads from a list to one list, and a variable that is kept leads to
two lists. Equal lists are one state. A pass upwards then merges equivalent states. All states of a
level are processed together, with a few array operations.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from symkripke.engines.count.nodes import FALSE, Nodes
from symkripke.errors import TooManyNodes
from symkripke.limits import look, spend
from symkripke.records import dataclass

Ints: TypeAlias = NDArray[np.int64]

Numbers: TypeAlias = NDArray[Any]
"""Weights, as numpy integers, or as Python integers where those could overflow."""

# No state: the weight of all valuations from there on is 0.
_NONE = -1

# Sums of two numbers below this bound are exact as numpy integers.
_MACHINE = 1 << 61

# Rows per unit of work. They take about as long as making 50 nodes of a diagram.
_ROWS_A_UNIT = 20

# Bytes of a state and of a level, including the cached sums.
_STATE, _LEVEL = 64, 600

# Numbers with fewer bits, and sums of many of them, fit into a floating-point number.
_FLOAT_BITS = 900


@dataclass(frozen=True, eq=False)
class WeightedDiagram:
    """A diagram with a weight for each valuation of some variables.

    A *level* is an index into `variables`; its states are numbered from 0. The first level has one
    state. Variables that are neither here nor in `fixed` have no influence on the weight.

    Attributes:
        variables: the variables, in the order of the diagrams.
        sides: for each level, two arrays with the next state of each state: with the variable
            false, and with it true. The next state is -1 if all weights there are 0.
        ends: the weights of the last states; empty if every weight is 0.
        fixed: variables with the same value wherever the weight is not 0.
    """

    variables: tuple[int, ...] = ()
    sides: tuple[tuple[Ints, Ints], ...] = ()
    ends: tuple[int, ...] = (1,)
    fixed: Mapping[int, bool] = field(default_factory=dict)

    @cached_property
    def size(self) -> int:
        """The number of states."""
        return sum(len(low) for low, _ in self.sides) + len(self.ends)

    @cached_property
    def bytes(self) -> int:
        """The approximate size in bytes, including the data computed from it."""
        return _STATE * self.size + _LEVEL * (len(self.variables) + 1)

    # ---- one event more -------------------------------------------------------------------

    def after(
        self,
        event: Nodes,
        given: Mapping[int, bool],
        kept: Set[int],
        place_of: Mapping[int, int],
        most: int,
    ) -> WeightedDiagram:
        """Return the weights after an event, up to a common factor.

        Args:
            event: the valuations of old and new variables that the event allows.
            given: values of variables that are now known.
            kept: the variables to keep; all others are summed out.
            place_of: the index of each variable in the order.
            most: the maximum number of states and of rows.

        Raises:
            TooManyNodes: there would be more states or rows than `most`.
        """
        values = {**self.fixed, **given}
        variables, sides, ends = self._pass(event, values, kept, place_of, most)
        fixed = {variable: truth for variable, truth in values.items() if variable in kept}
        return _minimal(variables, sides, ends, fixed)

    def _pass(
        self,
        event: Nodes,
        values: Mapping[int, bool],
        kept: Set[int],
        place_of: Mapping[int, int],
        most: int,
    ) -> tuple[list[int], list[tuple[Ints, Ints]], list[int]]:
        """Return the kept variables, their states' sides, and the weights of the last states."""
        mine = {variable: level for level, variable in enumerate(self.variables)}
        its = {variable: level for level, variable in enumerate(event.variables)}
        lists = _Lists.start(event)
        variables: list[int] = []
        sides: list[tuple[Ints, Ints]] = []
        for variable in sorted(mine.keys() | its.keys(), key=place_of.__getitem__):
            look()
            value = values.get(variable)
            here = _Variable(self, event, mine.get(variable), its.get(variable))
            if value is None and variable in kept:
                variables.append(variable)
                lists, state = lists.split(here)
                sides.append(state)
            else:
                lists = lists.summed(here, value)
            spend(lists.rows // _ROWS_A_UNIT)
            if max(lists.rows, lists.number) > most:
                raise TooManyNodes(f"weights would need more than {most:,} states")
        return variables, sides, lists.values(self.ends)

    def part(
        self, fact: Nodes, given: Mapping[int, bool], place_of: Mapping[int, int], most: int
    ) -> Fraction:
        """Return the share of the total weight at worlds of a set with `given`.

        For the arguments, see `after`.
        """
        if not self.ends:
            return Fraction(0)
        values = {**self.fixed, **given}
        _, _, ends = self._pass(fact, values, frozenset(), place_of, most)
        free = len(set(fact.variables) - set(self.variables) - values.keys())
        return Fraction(sum(ends), self.total << free)

    # ---- counts ---------------------------------------------------------------------------

    @cached_property
    def _below(self) -> list[Numbers]:
        """The sum of all weights from each state on, for each level, with a final 0 for no state.

        Every state is reachable, so no sum is greater than the first. Its approximate value in
        floating-point numbers decides which integers are used.
        """
        if len(self.ends) and max(self.ends).bit_length() < _FLOAT_BITS:
            levels = self._sums(np.array([*self.ends, 0], dtype=np.float64))
            if levels[0][0] < _MACHINE:
                return self._sums(np.array([*self.ends, 0], dtype=np.int64))
        return self._sums(np.array([*self.ends, 0], dtype=object))

    def _sums(self, ends: Numbers) -> list[Numbers]:
        levels = [ends]
        for low, high in reversed(self.sides):
            look()
            levels.append(np.append(levels[-1][low] + levels[-1][high], ends[-1:]))
        return levels[::-1]

    @cached_property
    def total(self) -> int:
        """The sum of the weights of all valuations of `variables`."""
        return int(self._below[0][0]) if self.ends else 0

    @cached_property
    def marginals(self) -> dict[int, Fraction]:
        """The share of the weight where each variable is true. The total must not be zero."""
        marginals = {variable: Fraction(truth) for variable, truth in self.fixed.items()}
        above: Numbers = np.ones(1, dtype=self._below[0].dtype)
        for level, (variable, (low, high)) in enumerate(
            zip(self.variables, self.sides, strict=True)
        ):
            look()
            below = self._below[level + 1]
            # No product overflows, because it is at most the sum of all weights.
            marginals[variable] = Fraction(int((above * below[high]).sum()), self.total)
            ways: Numbers = np.zeros(len(below), dtype=below.dtype)
            np.add.at(ways, low, above)
            np.add.at(ways, high, above)
            above = ways[:-1]
        return marginals

    @cached_property
    def valuations(self) -> int:
        """The number of valuations of `variables` with a weight that is not 0."""
        return self.with_equal_weights.total

    @cached_property
    def with_equal_weights(self) -> WeightedDiagram:
        """The diagram with each non-zero weight replaced by 1."""
        return WeightedDiagram(self.variables, self.sides, (1,) * len(self.ends), self.fixed)

    def draw(
        self, number: int, chance: random.Random, variables: Iterable[int]
    ) -> Iterator[frozenset[int]]:
        """Yield `number` random valuations, drawn by weight, each as its true variables.

        The total weight must be positive. Variables of `variables` without a level are drawn, too.
        The result is the same on every machine.
        """
        free = [v for v in variables if v not in self.fixed and v not in self.variables]
        always = [variable for variable, truth in self.fixed.items() if truth]
        # Python lists and integers are faster than arrays for following one path at a time.
        below = [numbers.tolist() for numbers in self._below]
        sides = [(low.tolist(), high.tolist()) for low, high in self.sides]
        for _ in range(number):
            look()
            rank, rest = divmod(chance.randrange(self.total << len(free)), 1 << len(free))
            true = [*always, *(v for place, v in enumerate(free) if rest >> place & 1)]
            state = 0
            for variable, (low, high), counts in zip(self.variables, sides, below[1:], strict=True):
                with_it = counts[high[state]]
                if rank < with_it:
                    true.append(variable)
                    state = high[state]
                else:
                    rank -= with_it
                    state = low[state]
            yield frozenset(true)

    def paths(self) -> Iterator[tuple[frozenset[int], Fraction]]:
        """Yield the true variables and the share of each valuation with a non-zero weight."""
        always = frozenset(variable for variable, truth in self.fixed.items() if truth)
        stack = [(0, 0, always)] if self.ends else []
        while stack:
            look()
            level, state, true = stack.pop()
            if level == len(self.variables):
                yield true, Fraction(self.ends[state], self.total)
                continue
            low, high = (int(side[state]) for side in self.sides[level])
            if low != _NONE:
                stack.append((level + 1, low, true))
            if high != _NONE:
                stack.append((level + 1, high, true | {self.variables[level]}))


class _Variable(NamedTuple):
    """A variable of a pass, with its level in the diagram and in the event, or None if missing."""

    diagram: WeightedDiagram
    event: Nodes
    level: int | None
    its_level: int | None


@dataclass(frozen=True, eq=False)
class _Lists:
    """Weighted lists of pairs, as rows sorted by list and pair.

    Attributes:
        number: the number of lists; some may be empty.
        of: for each row, the index of its list.
        state: for each row, the state of the diagram.
        part: for each row, the part of the event's set.
        count: for each row, the multiplicity of the pair in the list.
    """

    number: int
    of: Ints
    state: Ints
    part: Ints
    count: Numbers

    @classmethod
    def start(cls, event: Nodes) -> _Lists:
        """Return one list with one pair, or an empty list if the event allows nothing."""
        parts = np.array([event.root] if event.root != FALSE else [], dtype=np.int64)
        zeros = np.zeros_like(parts)
        return cls(1, zeros, zeros, parts, np.ones_like(parts))

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.count)

    def split(self, variable: _Variable) -> tuple[_Lists, tuple[Ints, Ints]]:
        """Return the lists with a variable false and with it true, without duplicates.

        Also return, for each original list, the indices of its two new lists.
        """
        low, high = (self._through(variable, truth) for truth in (False, True))
        lists, state = low._joined(high, self.number, 2 * self.number)._merged()
        return lists, (state[: self.number], state[self.number :])

    def summed(self, variable: _Variable, value: bool | None) -> _Lists:
        """Return the lists summed over a variable, or restricted to `value` unless it is None."""
        if value is not None:
            there = self._through(variable, value)
            return there._joined(there._rows(np.zeros(0, dtype=np.int64)), 0, self.number)
        low, high = (self._through(variable, truth) for truth in (False, True))
        return low._joined(high, 0, self.number)

    def _rows(self, rows: NDArray[Any]) -> _Lists:
        return _Lists(
            self.number, self.of[rows], self.state[rows], self.part[rows], self.count[rows]
        )

    def _through(self, variable: _Variable, truth: bool) -> _Lists:
        """Return the lists after a variable with this truth value."""
        diagram, event, level, its_level = variable
        state, part = self.state, self.part
        if level is not None:
            state = diagram.sides[level][truth][state]
        if its_level is not None:
            side = event.high if truth else event.low
            part = np.where(event.level[part] == its_level, side[part], part)
        lists = _Lists(self.number, self.of, state, part, self.count)
        return lists._rows((state != _NONE) & (part != FALSE))

    def _joined(self, other: _Lists, moved: int, number: int) -> _Lists:
        """Return the lists of both operands merged, with indices of `other` shifted by `moved`.

        The result has `number` lists. The counts of equal pairs in a list are added up.
        """
        of, state, part, count = (
            np.concatenate(columns)
            for columns in (
                (self.of, other.of + moved),
                (self.state, other.state),
                (self.part, other.part),
                (self.count, other.count),
            )
        )
        if not len(of):
            return _Lists(number, of, state, part, count)
        states, parts = int(state.max()) + 1, int(part.max()) + 1
        if number * states * parts >= 1 << 62:
            order = np.lexsort((part, state, of))
            new = np.flatnonzero(
                (np.diff(of[order]) != 0)
                | (np.diff(state[order]) != 0)
                | (np.diff(part[order]) != 0)
            )
        else:
            key = (of * states + state) * parts + part
            order = np.argsort(key, kind="stable")
            new = np.flatnonzero(np.diff(key[order]))
        starts = np.concatenate([[0], new + 1])
        count = count[order]
        if len(starts) < len(order):
            if count.dtype != object and int(count.max()) >= _MACHINE // len(count):
                count = count.astype(object)
            count = np.add.reduceat(count, starts)
        first = order[starts]
        return _Lists(number, of[first], state[first], part[first], count)

    def _merged(self) -> tuple[_Lists, Ints]:
        """Return the distinct non-empty lists, and the new index of each list (-1 if empty)."""
        number = np.full(self.number, _NONE)
        if not len(self.of):
            return _Lists(0, self.of, self.state, self.part, self.count), number
        starts = np.concatenate([[0], np.flatnonzero(np.diff(self.of)) + 1])
        lengths = np.diff(np.append(starts, len(self.of)))
        first, same = self._alike(starts, lengths)
        number[self.of[starts]] = same
        rows = _ranges(starts[first], lengths[first])
        of = np.repeat(np.arange(len(first)), lengths[first])
        kept = self._rows(rows)
        return _Lists(len(first), of, kept.state, kept.part, kept.count), number

    def _alike(self, starts: Ints, lengths: Ints) -> tuple[Ints, Ints]:
        """Return the first list of each class of equal lists, and the class of each list.

        Fingerprints find candidates, which are then compared.
        """
        prints = np.add.reduceat(self._prints(), starts)
        _, first, same = np.unique(prints, return_index=True, return_inverse=True)
        same = same.ravel()
        leader = first[same]
        if (lengths[leader] == lengths).all():
            twin = _ranges(starts[leader], lengths)
            if (
                (self.state[twin] == self.state).all()
                and (self.part[twin] == self.part).all()
                and (self.count[twin] == self.count).all()
            ):
                return first, same
        return self._surely_alike(starts, lengths)

    def _prints(self) -> NDArray[np.uint64]:
        """Return a fingerprint of each row; a list's fingerprint is the sum over its rows."""
        mixed = self.state.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= self.part.astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(32)
        if self.count.dtype == object:
            low = np.array([count & 0xFFFFFFFFFFFFFFFF for count in self.count], dtype=np.uint64)
        else:
            low = self.count.astype(np.uint64)
        return mixed * (low + np.uint64(0x165667B19E3779F9))

    def _surely_alike(self, starts: Ints, lengths: Ints) -> tuple[Ints, Ints]:
        """Return the result of `_alike` without fingerprints, in case of a collision."""
        kinds: dict[tuple[Any, ...], int] = {}
        first, same = [], []
        for place, (start, length) in enumerate(zip(starts, lengths, strict=True)):
            rows = slice(start, start + length)
            columns = (self.state[rows], self.part[rows], self.count[rows])
            key = tuple(tuple(column.tolist()) for column in columns)
            if key not in kinds:
                first.append(place)
            same.append(kinds.setdefault(key, len(kinds)))
        return np.array(first, dtype=np.int64), np.array(same, dtype=np.int64)

    def values(self, ends: tuple[int, ...]) -> list[int]:
        """Return the weight of each list: the sum of the weights of its pairs."""
        values = [0] * self.number
        for number, state, count in zip(
            self.of.tolist(), self.state.tolist(), self.count.tolist(), strict=True
        ):
            values[number] += count * ends[state]
        return values


def _ranges(starts: Ints, lengths: Ints) -> Ints:
    """Return the indices of all rows in the blocks with these starts and lengths."""
    ends = np.cumsum(lengths)
    rows: Ints = np.arange(int(ends[-1])) + np.repeat(starts - (ends - lengths), lengths)
    return rows


def _minimal(
    variables: list[int], sides: list[tuple[Ints, Ints]], values: list[int], fixed: dict[int, bool]
) -> WeightedDiagram:
    """Return the minimal diagram: equivalent states merged, common factors divided out."""
    common = gcd(*values) or 1
    place: dict[int, int] = {}
    state = np.array(
        [place.setdefault(value, len(place)) if value else _NONE for value in values],
        dtype=np.int64,
    )
    ends = tuple(value // common for value in place)
    left: list[int] = []
    levels: list[tuple[Ints, Ints]] = []
    for variable, (low, high) in zip(reversed(variables), reversed(sides), strict=True):
        state = np.append(state, _NONE)  # for the index -1
        low, high = state[low], state[high]
        is_low, is_high = low != _NONE, high != _NONE
        if not is_low.any() or not is_high.any():
            if is_low.any() or is_high.any():
                fixed[variable] = bool(is_high.any())
            state = np.where(is_high, high, low)
            continue
        key = (low + 1) * (int(high.max()) + 2) + high + 1
        keys, first, same = np.unique(key, return_index=True, return_inverse=True)
        same = same.ravel()
        if keys[0] == 0:  # both sides have the weight 0
            first, same = first[1:], same - 1
        left.append(variable)
        levels.append((low[first], high[first]))
        state = same
    if not ends:
        return WeightedDiagram((), (), (), {})
    return WeightedDiagram(tuple(left[::-1]), tuple(levels[::-1]), ends, fixed)
