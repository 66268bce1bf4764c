"""Counting value by value, for laws in which each constraint and likelihood mentions one value.

A world is a partition of the fluents into the sets of fluents with each value. So the weight of all
worlds is computed value by value, over states that record which fluents already have their value.
For a class of equivalent fluents (with the same possible values, and in the same groups of each
factor), a state records only their number. An agent that draws from a deck of copies sees all cards
except the few in its own hand, and only these fluents are open.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from functools import cached_property
from math import factorial, prod
from typing import NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from symkripke.engines.asked import structure_of
from symkripke.engines.caches import LRUCache
from symkripke.engines.count.tuning import CountingTuning
from symkripke.engines.count.value_laws import Factor, Numbers, Rows, ValueLaw, ValueLaws
from symkripke.errors import BudgetExceeded, TooManyNodes
from symkripke.language import Formula
from symkripke.language.walk import atoms
from symkripke.limits import look
from symkripke.model import Fluent, KnowledgeStructure, Perspective, World, evaluate
from symkripke.records import dataclass

Value: TypeAlias = tuple[str, str]
"""A fluent, and one of its values."""

State: TypeAlias = int
"""The number of fluents of each class that have their value, packed into bits."""


class Term(NamedTuple):
    """The choice of a number of fluents with a value from each class.

    Attributes:
        step: its contribution to a state.
        weight: the product of the factors, and of size! / number! for each class.
            `ValueCounts.total` removes the surplus.
        taken: pairs of a class and the number of fluents chosen from it, without zeros.
    """

    step: State
    weight: int
    taken: tuple[tuple[int, int], ...]


class _Table(NamedTuple):
    """A factor of a value, restricted to the classes of which the value chooses a number.

    Attributes:
        rows: the weights by the numbers in the groups of the factor.
        base: for each group, the number of fluents that certainly have the value.
        places: for each class, the index of its group; -1 for none.
    """

    rows: Rows
    base: Numbers
    places: Numbers


@dataclass(frozen=True)
class _Step:
    """The terms of one value, and the bits that a state after it must have set."""

    value: str
    terms: tuple[Term, ...]
    complete: State


class ValueCounts:
    """The weights of the worlds of one law, with some fluents observed."""

    def __init__(
        self,
        law: ValueLaw,
        fluents: Mapping[str, Fluent],
        masks: Mapping[str, int],
        tuning: CountingTuning,
        apart: Collection[str] = (),
    ) -> None:
        """Create the terms of all values; each fluent in `apart` forms its own class.

        Raises:
            TooManyNodes: there would be more states or terms than the settings allow.
        """
        self._law = law
        self._fluents = fluents
        self._most = tuning.value_states
        self._values = tuple(law.values)
        self._masks = masks
        self.is_possible = all(masks.values())
        self._open: list[tuple[str, ...]] = []
        self._sure: dict[str, str] = {}
        self._free: dict[str, tuple[str, ...]] = {}
        """Fluents that no factor mentions, with their possible values."""
        self._arrange(apart)
        widths = [len(names).bit_length() + 1 for names in self._open]
        self._shifts = [sum(widths[:place]) for place in range(len(widths))]
        self._full = [
            (1 << width - 1) - 1 << shift for width, shift in zip(widths, self._shifts, strict=True)
        ]
        self._guard = sum(
            1 << shift + width - 1 for width, shift in zip(widths, self._shifts, strict=True)
        )
        if prod(len(names) + 1 for names in self._open) > self._most:
            raise TooManyNodes(f"more than {self._most:,} states would be needed")
        self._scale = 1
        self._steps = self._all_steps() if self.is_possible else []

    def _arrange(self, apart: Collection[str]) -> None:
        """Sort the fluents into certain fluents, free fluents and classes of equivalent fluents."""
        groupings = dict.fromkeys(
            factor.groups for factors in self._law.factors.values() for factor in factors
        )
        self._groupings = {groups: number for number, groups in enumerate(groupings)}
        classes: dict[tuple[int, tuple[int, ...], str], list[str]] = {}
        for name, mask in self._masks.items():
            if mask & mask - 1 == 0:
                self._sure[name] = self._values[mask.bit_length() - 1] if mask else ""
                continue
            where = tuple(_place(name, groups) for groups in groupings)
            if name not in apart and not any(place >= 0 for place in where):
                self._free[name] = self._possible(name)
                continue
            key = mask, where, name if name in apart else ""
            classes.setdefault(key, []).append(name)
        self._open = [tuple(names) for names in classes.values()]
        self._places = [key[1] for key in classes]

    def _possible(self, name: str) -> tuple[str, ...]:
        mask, bits = self._masks[name], self._law.values
        return tuple(v for v in self._fluents[name].values if mask >> bits[v] & 1)

    # ---- terms ------------------------------------------------------------------------------

    def _all_steps(self) -> list[_Step]:
        """Return the terms of each value, ordered so that classes are complete early."""
        having: dict[str, tuple[int, ...]] = {
            value: tuple(
                place for place, names in enumerate(self._open) if self._masks[names[0]] >> bit & 1
            )
            for value, bit in self._law.values.items()
        }
        sure: dict[str, list[str]] = {}
        for name, value in self._sure.items():
            sure.setdefault(value, []).append(name)
        order = sorted(having, key=lambda value: having[value], reverse=True)
        last = {place: value for value in order for place in having[value]}
        known: dict[object, tuple[Term, ...]] = {}
        steps: list[_Step] = []
        number = 0
        for value in order:
            classes = having[value]
            tables = tuple(
                _Table(
                    factor.rows, _numbers_in(factor, sure.get(value, ())), self._in(factor, classes)
                )
                for factor in self._law.factors.get(value, ())
            )
            key = classes, tables
            if key not in known:
                known[key] = tuple(self._terms(classes, tables))
                number += len(known[key])
                if number > self._most:
                    raise TooManyNodes(f"more than {self._most:,} steps would be needed")
            self._scale *= prod(factorial(len(self._open[place])) for place in classes)
            complete = sum(self._full[place] for place in classes if last[place] == value)
            steps.append(_Step(value, known[key], complete))
        return steps

    def _in(self, factor: Factor, classes: Sequence[int]) -> Numbers:
        """Return the index of each class's group in a factor; -1 for none."""
        where = self._groupings[factor.groups]
        return tuple(self._places[place][where] for place in classes)

    def _terms(self, classes: Sequence[int], tables: Sequence[_Table]) -> Iterator[Term]:
        """Yield the terms for these classes whose weight is not 0."""
        terms: list[tuple[Numbers, int]] = [((), self._most_of(classes, tables))]
        for place in classes:
            terms = [
                ((*taken, number), left - number)
                for taken, left in terms
                for number in range(min(left, len(self._open[place])) + 1)
            ]
            if len(terms) > self._most:
                raise TooManyNodes(f"more than {self._most:,} steps would be needed")
        weights = [dict(table.rows) for table in tables]
        for taken, _ in terms:
            weight = 1
            for table, weight_of in zip(tables, weights, strict=True):
                numbers = list(table.base)
                for group, number in zip(table.places, taken, strict=True):
                    if group >= 0:
                        numbers[group] += number
                weight *= weight_of.get(tuple(numbers), 0)
            if weight:
                step = 0
                for place, number in zip(classes, taken, strict=True):
                    step += number << self._shifts[place]
                    weight *= factorial(len(self._open[place])) // factorial(number)
                chosen = zip(classes, taken, strict=True)
                yield Term(step, weight, tuple(pair for pair in chosen if pair[1]))

    def _most_of(self, classes: Sequence[int], tables: Sequence[_Table]) -> int:
        """Return an upper bound for the number of fluents of these classes with the value."""
        bounds = [sum(len(self._open[place]) for place in classes)]
        for rows, base, places in tables:
            if len(base) == 1 and not any(places):
                bounds.append(max((n for (n,), _ in rows), default=-1) - base[0])
        return min(bounds)

    # ---- weights ----------------------------------------------------------------------------

    @cached_property
    def _start(self) -> State:
        """The state in which no open fluent has a value.

        A class is complete when all its bits are set.
        """
        return sum(
            full - (len(names) << shift)
            for full, names, shift in zip(self._full, self._open, self._shifts, strict=True)
        )

    @cached_property
    def _downwards(self) -> list[dict[State, int]]:
        """The weight of all paths to each state, after 0, 1, 2, ... values."""
        levels = [{self._start: 1} if self.is_possible else {}]
        for step in self._steps:
            look()
            below: dict[State, int] = {}
            for state, weight in levels[-1].items():
                for more, here, _ in step.terms:
                    after = state + more
                    if not after & self._guard and after & step.complete == step.complete:
                        below[after] = below.get(after, 0) + weight * here
            levels.append(below)
        return levels

    @cached_property
    def _onwards(self) -> list[dict[State, int]]:
        """The weight of all paths from each live state on, after 0, 1, 2, ... values."""
        levels = [dict.fromkeys(self._downwards[-1], 1)]
        for step, states in zip(reversed(self._steps), reversed(self._downwards[:-1]), strict=True):
            look()
            below, here = levels[-1], {}
            for state in states:
                weight = sum(
                    term.weight * below[state + term.step]
                    for term in step.terms
                    if state + term.step in below
                )
                if weight:
                    here[state] = weight
            levels.append(here)
        return levels[::-1]

    @cached_property
    def _walked(self) -> int:
        return sum(self._downwards[-1].values())

    @cached_property
    def total(self) -> int:
        """The weight of all worlds; without likelihoods, their number."""
        arranged = self._walked * prod(factorial(len(names)) for names in self._open)
        return arranged // self._scale * prod(map(len, self._free.values()))

    def determined_by(self, names: Collection[str]) -> bool:
        """Return whether all open fluents are among these."""
        return all(name in names for each in (*self._open, self._free) for name in each)

    @cached_property
    def marginals(self) -> dict[Value, Fraction]:
        """The probability of each possible value of each fluent. There must be a world."""
        marginals = {(name, value): Fraction(1) for name, value in self._sure.items()}
        for name, values in self._free.items():
            marginals.update({(name, value): Fraction(1, len(values)) for value in values})
        known: dict[tuple[Term, ...], list[tuple[int, Fraction]]] = {}
        for number, step in enumerate(self._steps):
            if step.terms not in known:
                known[step.terms] = self._shares(number, step.terms)
            for place, share in known[step.terms]:
                for name in self._open[place]:
                    marginals[name, step.value] = share
        return marginals

    def _shares(self, number: int, terms: Sequence[Term]) -> list[tuple[int, Fraction]]:
        """Return, for each class, the probability of a step's value for each of its fluents."""
        look()
        below = self._onwards[number + 1]
        sums: dict[int, int] = {}
        for step, weight, taken in terms:
            if taken:
                ways = weight * sum(
                    ways * below[state + step]
                    for state, ways in self._downwards[number].items()
                    if state + step in below
                )
                for place, chosen in taken:
                    sums[place] = sums.get(place, 0) + ways * chosen
        return [
            (place, Fraction(weight, self._walked * len(self._open[place])))
            for place, weight in sums.items()
            if weight
        ]

    # ---- single worlds ----------------------------------------------------------------------

    def draw(self, number: int, chance: random.Random) -> Iterator[World]:
        """Yield `number` random worlds, drawn by weight. At least one world must exist."""
        for _ in range(number):
            look()
            world = {**self._sure}
            for name, values in self._free.items():
                world[name] = chance.choice(values)
            waiting = [list(names) for names in self._open]
            state = self._start
            for step, here, below in zip(
                self._steps, self._onwards, self._onwards[1:], strict=False
            ):
                rank = chance.randrange(here[state])
                for term in step.terms:
                    rank -= term.weight * below.get(state + term.step, 0)
                    if rank < 0:
                        break
                state += term.step
                for place, chosen in term.taken:
                    for _ in range(chosen):
                        names = waiting[place]
                        world[names.pop(chance.randrange(len(names)))] = step.value
            yield world

    def distribution(
        self, asked: Mapping[str, Set[str]], limit: int
    ) -> dict[frozenset[Value], Fraction]:
        """Return, for each set of these values, the probability that exactly these are true.

        The fluents must be in `apart` (see `__init__`). There must be a world.

        Raises:
            BudgetExceeded: there are more than `limit` sets.
        """
        values = {
            (name, value) for name, values_of_name in asked.items() for value in values_of_name
        }
        sure = frozenset(values & self._sure.items())
        ways = {(sure, self._start): 1}
        for step, live in zip(self._steps, self._onwards[1:], strict=True):
            look()
            said = [
                values.intersection((self._open[place][0], step.value) for place, _ in term.taken)
                for term in step.terms
            ]
            longer: dict[tuple[frozenset[Value], State], int] = {}
            for (past, state), weight in ways.items():
                for term, true in zip(step.terms, said, strict=True):
                    after = state + term.step
                    if after in live:
                        key = past | true, after
                        longer[key] = longer.get(key, 0) + weight * term.weight
            ways = longer
            if len(ways) > limit and len({past for past, _ in ways}) > limit:
                raise BudgetExceeded(f"there are more than {limit:,} possibilities")
        return {past: Fraction(weight, self._walked) for (past, _), weight in ways.items()}


def _place(name: str, groups: Iterable[Set[str]]) -> int:
    """Return the index of the group that contains the fluent; -1 if there is none."""
    return next((place for place, group in enumerate(groups) if name in group), -1)


def _numbers_in(factor: Factor, names: Iterable[str]) -> tuple[int, ...]:
    """Return the number of these fluents in each group of a factor."""
    return tuple(len(group.intersection(names)) for group in factor.groups)


class ValueCounter:
    """A counter of the worlds of one family of structures, value by value."""

    def __init__(self, weighting: str, tuning: CountingTuning) -> None:
        """Create a counter with the weighting "equal" or "bayes"."""
        self._tuning = tuning
        self._weighting = weighting
        self._laws = {name: ValueLaws(name, tuning) for name in {"equal", weighting}}
        self._keys: WeakKeyDictionary[KnowledgeStructure, object] = WeakKeyDictionary()
        # Avoids repeated counts: marginals, counts and samples are often asked for one perspective.
        self._counts: LRUCache[tuple[object, ...], ValueCounts | None] = LRUCache(tuning.laws)

    def counts(
        self,
        state: KnowledgeStructure | Perspective,
        weighting: str | None = None,
        apart: Iterable[str] = (),
    ) -> ValueCounts | None:
        """Return the weights of the worlds of a state; None if the law has another form.

        Return None, too, for a law without likelihoods, which other methods count, and for a law
        with too many states. Each fluent in `apart` forms its own class.
        """
        structure = structure_of(state).settled
        weighting = weighting or self._weighting
        if not len(structure.likelihoods):
            return None
        law = self._laws[weighting].law(structure)
        if law is None:
            return None
        seen = (state.agent, state.seen) if isinstance(state, Perspective) else None
        key = (
            self._keys.setdefault(structure, object()),
            seen,
            weighting,
            frozenset(apart),
        )
        if key not in self._counts:
            return self._counts.put(key, self._counted(law, state, key[3]))
        return self._counts.get(key)

    def _counted(
        self, law: ValueLaw, state: KnowledgeStructure | Perspective, apart: Collection[str]
    ) -> ValueCounts | None:
        masks = _seen(law, state) if isinstance(state, Perspective) else law.masks
        fluents = structure_of(state).vocabulary.fluents
        try:
            return ValueCounts(law, fluents, masks, self._tuning, apart)
        except TooManyNodes:
            return None

    def number(
        self, state: KnowledgeStructure | Perspective, names: Iterable[str] | None
    ) -> int | None:
        """Return the number of valuations of these fluents, or of all if `names` is None.

        Return None if `counts` returns None, or if these fluents do not determine the others.
        """
        counts = self.counts(state, "equal")
        if counts is None or (names is not None and not counts.determined_by(set(names))):
            return None
        return counts.total

    def probability(self, perspective: Perspective, formula: Formula) -> Fraction | None:
        """Return the probability of a propositional formula; None if it cannot be counted.

        The perspective must have a world.
        """
        whole = self.counts(perspective)
        if whole is None:
            return None
        structure = perspective.structure
        fluents = structure.vocabulary.fluents
        laws = self._laws[self._weighting]
        law = laws.law(structure.settled)
        assert law is not None
        narrower = laws.extended(law, fluents, [formula])
        if narrower is not None:
            part = self._counted(narrower, perspective, ())
            if part is not None:
                return Fraction(part.total, whole.total)
        asked: dict[str, set[str]] = {}
        for atom in atoms(formula):
            asked.setdefault(atom.fluent, set()).add(atom.value)
        try:
            shares = self.distribution(perspective, asked, self._tuning.value_states)
        except BudgetExceeded:
            return None
        if shares is None:
            return None
        share = Fraction(0)
        for true, weight in shares.items():
            if evaluate(formula, {**dict.fromkeys(asked, ""), **dict(true)}):
                share += weight
        return share

    def distribution(
        self, perspective: Perspective, asked: Mapping[str, Set[str]], limit: int
    ) -> dict[frozenset[Value], Fraction] | None:
        """Return, for each set of these values, the probability that exactly these are true.

        Return None if `counts` returns None.

        Raises:
            BudgetExceeded: there are more than `limit` sets.
        """
        counts = self.counts(perspective, apart=asked)
        return None if counts is None else counts.distribution(asked, limit)


def _seen(law: ValueLaw, perspective: Perspective) -> dict[str, int]:
    """Return the possible values of each fluent, as masks, for the agent of a perspective."""
    masks = dict(law.masks)
    for atom in perspective.seen:
        masks[atom.fluent] &= 1 << law.values[atom.value]
    true_fluents = {atom.fluent for atom in perspective.seen}
    for observable in perspective.structure.observables[perspective.agent]:
        atom = observable.atom
        if atom.fluent not in true_fluents:
            masks[atom.fluent] &= ~(1 << law.values[atom.value])
    return masks
