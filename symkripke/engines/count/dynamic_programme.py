"""The worlds of a law of sums, fluent by fluent, without a diagram.

Fluents get their values one after the other. Only one property of the values so far matters: for
each sum, the numbers that may still be added. They are a set of bits: the allowed numbers, shifted
by the contributions so far and cut to the possible contributions of the remaining fluents. Paths
with the same sets lead to the same *state*. A sum that is complete, or that cannot fail any more,
does not distinguish states. For a sum with weights, a state keeps the weights of the remaining
numbers, up to a common factor; the steps to the state have this factor as their weight. The states
of a level and their steps are arrays. (This is a dynamic programme: R. Bellman, 1957. As a diagram,
it is a multi-valued decision diagram: A. Srinivasan et al., Algorithms for discrete function
manipulation, 1990.)

Two measures keep the number of states small. The order is chosen for the question. And fluents need
no steps if no sum distinguishes them and each of their values has one sum with one allowed number,
as for cards that nobody has asked about and hands of known sizes. A state leaves k_v of these n
fluents for each value v, which can be distributed in n! / prod(k_v!) ways.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd, log, prod
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from symkripke import limits
from symkripke.engines.count.open_law import OpenLaw, narrowed
from symkripke.engines.count.sums import SumConstraint
from symkripke.engines.count.tuning import CountingTuning
from symkripke.errors import TooManyNodes
from symkripke.limits import look, spend
from symkripke.records import dataclass

Ints: TypeAlias = NDArray[np.int64]

Floats: TypeAlias = NDArray[np.float64]

Walk: TypeAlias = Literal["short", "all"] | tuple[str, ...]

Kind: TypeAlias = int | tuple[int, ...]
"""The state of a sum: the numbers that may still be added, as bits, or their weights."""

# Steps per unit of work. They take about as long as making 50 nodes of a diagram.
_STEPS_A_UNIT = 40

# Keys of states are below `_BROKEN`; a path that breaks a sum has a key of at least `_BROKEN`. A
# 64-bit key has room for `_SUMS` broken sums.
_BROKEN = 1 << 55
_SUMS = 127


@dataclass(frozen=True, eq=False)
class Level:
    """The steps over one fluent.

    Attributes:
        fluent: the fluent.
        steps: a row for each value of its domain, with the next state of each state. An impossible
            value leads to the index after the last state.
        states: the number of states before it.
        factors: the weight of each step; None if all are 1.
    """

    fluent: str
    steps: Ints
    states: int
    factors: Floats | None = None


class DynamicProgramme:
    """The states and steps of one law of sums.

    Attributes:
        fluents: all fluents.
        domains: for each fluent, the indices of the values that the bounds of the sums leave
            possible.
        possible: False if these bounds prove that there is no world.
        unconstrained: fluents with several values that are in no sum.
        levels: the steps, fluent by fluent. There is one state before the first level.
        ends: the number of states after the last level.
        interchangeable: fluents that no sum distinguishes; they come after all levels.
        kept: for each value and last state, the number of interchangeable fluents with that value.
        most: the maximum number of steps.
    """

    def __init__(
        self,
        law: OpenLaw,
        most: int,
        walk: Walk = "short",
        tuning: CountingTuning | None = None,
    ) -> None:
        """Create a programme for this law.

        With the walk "all", there are steps over interchangeable fluents, too. If the walk is a
        tuple of names, these fluents come first, in this order.

        Raises:
            TooManyNodes: there would be more than `most` steps.
            BudgetExceeded: the time limit is exceeded.
        """
        self._law = law
        self.fluents, self.domains, self.sums = law.fluents, law.domains, law.sums
        self.most = most
        self.tuning = tuning or CountingTuning()
        self.possible = law.possible
        spoken = {name for law_sum in self.sums for name in law_sum.parts}
        self.unconstrained = [
            name for name in self.fluents if len(self.domains[name]) > 1 and name not in spoken
        ]
        # In the benchmark `counts`, this makes deals of Sleuth 1.3 to 1.7 times as fast, with as
        # little as a twentieth of the states.
        self.interchangeable = self._largest(law.interchangeable) if walk == "short" else []
        walked = spoken - set(self.interchangeable)
        self.levels: list[Level] = []
        self.ends = 0
        order = [name for name in self.fluents if name in walked]
        if isinstance(walk, tuple):
            given = [name for name in walk if name in walked]
            self._build([*given, *(name for name in order if name not in given)])
        else:
            together = [[name] for name in order] if walk == "short" else law.interchangeable
            self._build(self._ordered(together))

    @property
    def states(self) -> int:
        """The number of states on all levels."""
        return sum(level.states for level in self.levels) + self.ends

    def values(self, name: str) -> tuple[str, ...]:
        """Return the possible values of a fluent, in the order of its domain."""
        return self._law.values(name)

    def excludes(self, values: Sequence[tuple[str, str]]) -> bool:
        """Return whether a sum allows at most one of these values to be true."""
        wanted = [(name, self.values(name).index(value)) for name, value in values]
        return any(
            law_sum.allowed <= 0b11
            and all(name in law_sum.parts and law_sum.parts[name][place] for name, place in wanted)
            for law_sum in self.sums
        )

    # ---- preparation ------------------------------------------------------------------------

    def narrowed(self, sums: Sequence[SumConstraint]) -> list[SumConstraint]:
        """Return the sums over the fluents that have several values left."""
        return narrowed(self.domains, sums)

    def _largest(self, classes: Sequence[list[str]]) -> list[str]:
        """Return the largest class of interchangeable fluents that needs no steps."""
        fitting = [names for names in classes if len(names) > 1 and self._plain(names[0])]
        return max(fitting, key=len, default=[])

    def _plain(self, name: str) -> bool:
        """Return whether each value of the fluent, except at most one, has its own exact sum."""
        sums = [law_sum for law_sum in self.sums if name in law_sum.parts]
        adds = [sum(law_sum.parts[name][place] for law_sum in sums) for place in self._places(name)]
        return all(law_sum.exact and sum(law_sum.parts[name]) == 1 for law_sum in sums) and (
            sorted(adds) in ([1] * len(adds), [0] + [1] * (len(adds) - 1))
        )

    def _places(self, name: str) -> range:
        return range(len(self.domains[name]))

    def _ordered(self, together: Sequence[Sequence[str]]) -> list[str]:
        """Return the fluents in the order of the levels, chosen from the end, class by class.

        The last fluent is the one before which the fewest states of sums must be distinguished;
        ties go to a fluent with more values. The fluents before it are chosen in the same way. So
        the most constrained fluents come first, where there are few paths, and few paths fail
        later. (Measured on deals of 36 cards after 20 constraints: a third of the states that
        result from the same choice made from the start.)
        """
        everywhere = {name for names in together for name in names}
        sums = [
            law_sum
            for law_sum in self.sums
            if not everywhere.isdisjoint(law_sum.parts) and not everywhere <= set(law_sum.parts)
        ]
        kinds = [[log(max(1, number)) for number in _kinds(law_sum)] for law_sum in sums]
        behind = [0] * len(sums)
        waiting = {
            names[0]: (names, [n for n, law_sum in enumerate(sums) if names[0] in law_sum.parts])
            for names in reversed(together)
        }
        order: list[str] = []

        def more(first: str) -> float:
            """Return the average logarithmic growth of the states per fluent of that class."""
            names, of = waiting[first]
            grown = sum(kinds[n][behind[n] + len(names)] - kinds[n][behind[n]] for n in of)
            return grown / len(names) - log(len(self.domains[first]))

        while waiting:
            look()
            names, of = waiting.pop(min(waiting, key=more))
            order += reversed(names)
            for n in of:
                behind[n] += len(names)
        return order[::-1]

    # ---- states -----------------------------------------------------------------------------

    def _build(self, order: Sequence[str]) -> None:
        """Build all levels, from the first fluent on."""
        rest = [sum(max(adds) for adds in law_sum.parts.values()) for law_sum in self.sums]
        kinds: list[list[Kind]] = [[_start(law_sum)] for law_sum in self.sums]
        keys = np.zeros(int(self.possible), dtype=np.int64)
        used = 0
        for name in order:
            limits.check()
            used += len(keys) * len(self.domains[name])
            spend(len(keys) * len(self.domains[name]) // _STEPS_A_UNIT)
            if used > self.most:
                raise TooManyNodes(
                    f"the worlds would be counted in more than {self.most:,} steps; allow more"
                )
            new = [*kinds]
            tables: dict[int, dict[int, Ints]] = {}
            factors: dict[int, dict[int, Floats]] = {}
            for number, law_sum in enumerate(self.sums):
                if name in law_sum.parts:
                    rest[number] -= max(law_sum.parts[name])
                    adds = set(law_sum.parts[name])
                    if law_sum.weights is None:
                        new[number], tables[number] = _moved(
                            kinds[number], adds, _ones(rest[number])
                        )
                    else:
                        new[number], tables[number], factors[number] = _moved_weights(
                            kinds[number], adds, rest[number]
                        )
            weights = self._factors(name, keys, kinds, factors) if factors else None
            keys, steps = self._stepped(name, keys, kinds, new, tables)
            self.levels.append(Level(name, steps, steps.shape[1], weights))
            kinds = new
        self.ends = len(keys)
        self.kept = self._kept(keys, kinds)

    def _stepped(
        self,
        name: str,
        keys: Ints,
        kinds: list[list[Kind]],
        new: list[list[Kind]],
        tables: dict[int, dict[int, Ints]],
    ) -> tuple[Ints, Ints]:
        """Return the keys of the states after the fluent, and the steps to them."""
        size = prod(map(len, new))
        if size >= _BROKEN or len(tables) > _SUMS:
            raise TooManyNodes("too many sums are open at once to count worlds by them")
        base = np.zeros(len(keys), dtype=np.int64)
        adding: list[list[Ints]] = [[] for _ in self.domains[name]]
        old, stride = 1, 1
        for number, law_sum in enumerate(self.sums):
            digit = keys // old % len(kinds[number]) if len(kinds[number]) > 1 else None
            if number in tables:
                moved = {}
                for added, table in tables[number].items():
                    at = np.where(table < 0, _BROKEN, table * stride)
                    moved[added] = at[0] if digit is None else at[digit]
                base += moved[0]
                for place, added in enumerate(law_sum.parts[name]):
                    if added:
                        adding[place].append(moved[added] - moved[0])
            elif digit is not None:
                base += digit * stride
            old, stride = old * len(kinds[number]), stride * len(new[number])
        following = np.stack([sum(more, start=base) for more in adding])
        fits = following < _BROKEN
        states, places = _distinct(following[fits], size, self.tuning.table)
        steps = np.full(following.shape, len(states), dtype=np.int64)
        steps[fits] = places
        return states, steps

    def _factors(
        self,
        name: str,
        keys: Ints,
        kinds: list[list[Kind]],
        factors: Mapping[int, Mapping[int, Floats]],
    ) -> Floats:
        """Return the weights of the steps over the fluent, for each value and state."""
        table = np.ones((len(self.domains[name]), len(keys)))
        stride = 1
        for number, law_sum in enumerate(self.sums):
            if number in factors:
                digit = keys // stride % len(kinds[number])
                for place, added in enumerate(law_sum.parts[name]):
                    table[place] *= factors[number][added][digit]
            stride *= len(kinds[number])
        return table

    def _kept(self, keys: Ints, kinds: list[list[Kind]]) -> Ints:
        """Return the number of interchangeable fluents with each value, for each last state."""
        if not self.interchangeable:
            return np.zeros((0, len(keys)), dtype=np.int64)
        name = self.interchangeable[0]
        kept = np.zeros((len(self.domains[name]), len(keys)), dtype=np.int64)
        unbound = set(self._places(name))
        stride = 1
        for number, law_sum in enumerate(self.sums):
            if name in law_sum.parts:
                # One number is left: the index of the only bit that is set.
                bits = [kind for kind in kinds[number] if isinstance(kind, int)]
                numbers = np.array([kind.bit_length() - 1 for kind in bits], np.int64)
                place = law_sum.parts[name].index(1)
                kept[place] = numbers[keys // stride % len(numbers)]
                unbound.remove(place)
            stride *= len(kinds[number])
        for place in unbound:  # at most one value has no sum
            kept[place] = len(self.interchangeable) - kept.sum(axis=0)
        return kept


def _start(law_sum: SumConstraint) -> Kind:
    """Return the state of the sum before anything is added."""
    return law_sum.allowed if law_sum.weights is None else _scaled(law_sum.weights)[0]


def _ones(number: int) -> int:
    """Return the set of the numbers from 0 to `number`, as bits."""
    return (1 << number + 1) - 1


def _kinds(law_sum: SumConstraint) -> list[int]:
    """Return the approximate number of states of the sum after each number of its fluents."""
    numbers = []
    whole = sum(map(max, law_sum.parts.values()))
    for done in range(len(law_sum.parts) + 1):
        known = whole * done // len(law_sum.parts)
        after = {law_sum.allowed >> number & _ones(whole - known) for number in range(known + 1)}
        numbers.append(len(after - {0}))
    return numbers


def _moved(kinds: Sequence[Kind], adds: set[int], ones: int) -> tuple[list[Kind], dict[int, Ints]]:
    """Return the new sets and, for each number of `adds`, the new index of each old set.

    The index is -1 if the new set is empty. `ones` is the set of numbers that can be added
    afterwards.
    """
    new: dict[Kind, int] = {}
    tables = {}
    for added in sorted(adds | {0}):
        row = []
        for kind in kinds:
            assert isinstance(kind, int)
            after = kind >> added & ones
            row.append(new.setdefault(after, len(new)) if after else -1)
        tables[added] = np.array(row, dtype=np.int64)
    return list(new) or [0], tables


def _moved_weights(
    kinds: Sequence[Kind], adds: set[int], rest: int
) -> tuple[list[Kind], dict[int, Ints], dict[int, Floats]]:
    """Return the same results as `_moved` for weights, if numbers up to `rest` can be added later.

    The third result contains, for each table, the factor by which the weights of each state were
    divided.
    """
    new: dict[Kind, int] = {}
    tables, factors = {}, {}
    for added in sorted(adds | {0}):
        row, scales = [], []
        for kind in kinds:
            assert isinstance(kind, tuple)
            after, scale = _scaled(kind[added : added + rest + 1])
            row.append(new.setdefault(after, len(new)) if scale else -1)
            scales.append(float(scale))
        tables[added] = np.array(row, dtype=np.int64)
        factors[added] = np.array(scales)
    return list(new) or [(0,)], tables, factors


def _scaled(weights: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """Return the weights divided by their common divisor, and the divisor; 0 if all are 0."""
    common = gcd(*weights)
    return (tuple(weight // common for weight in weights) if common else weights), common


def _distinct(keys: Ints, size: int, table_size: int) -> tuple[Ints, Ints]:
    """Return the distinct keys, all below `size`, and the index of each key among them."""
    if size > table_size:
        distinct, places = np.unique(keys, return_inverse=True)
        return distinct, places.ravel()
    table = np.empty(size, dtype=np.int64)
    order = np.arange(len(keys))
    table[keys] = order  # the last of equal keys represents all of them
    stands = table[keys]
    first = stands == order
    return keys[first], (np.cumsum(first) - 1)[stands]
