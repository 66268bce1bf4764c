"""Laws in which each constraint and each likelihood mentions one value.

"At most three cards are red ones" depends only on which cards are red ones. If a law has only such
constraints, and facts about single fluents, then a world is a partition of the fluents into the
sets of fluents with each value, and its weight is a product over the values. For each value, the
law keeps *factors*: tables of weights by the number of fluents with that value. Factors of one
value are multiplied into one factor if their product depends only on the total number. So the draws
of a whole game from a deck of copies leave one factor for each kind of card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import gcd
from operator import sub
from typing import NamedTuple, TypeAlias, cast
from weakref import WeakKeyDictionary

from symkripke.engines.caches import along_history
from symkripke.engines.count.sums import SumConstraint, as_sums
from symkripke.engines.count.tuning import CountingTuning
from symkripke.engines.count.weighting import shares
from symkripke.language import Atom, Cardinality, Formula
from symkripke.model import Fluent, KnowledgeStructure, Likelihood
from symkripke.model.evaluate import combined, counts

# The maximum nesting of connectives above the atoms and cardinalities of a likelihood.
_DEPTH = 3

Group: TypeAlias = frozenset[str]
"""Fluents of which only the number with a value matters."""

Numbers: TypeAlias = tuple[int, ...]
"""The number of fluents with a value in each of several groups."""


class Factor(NamedTuple):
    """A factor of a world's weight that depends on the set of fluents with one value.

    Attributes:
        groups: disjoint groups of fluents.
        rows: the weights by the numbers in the groups. Numbers without a row have the weight 0.
    """

    groups: tuple[Group, ...]
    rows: tuple[tuple[Numbers, int], ...]


class ValueLaw(NamedTuple):
    """A law in which each constraint and each likelihood mentions one value.

    Attributes:
        values: for each value, the index of its bit in the masks.
        masks: for each fluent, the values that facts about it alone leave possible, as bits.
        factors: for each value, the factors of a world's weight.
        weighed: whether there are likelihoods.
    """

    values: Mapping[str, int]
    masks: Mapping[str, int]
    factors: Mapping[str, tuple[Factor, ...]]
    weighed: bool


class ValueLaws:
    """The laws of structures, each computed from the law of the previous structure."""

    def __init__(self, weighting: str, tuning: CountingTuning) -> None:
        """Create an empty cache of laws for the weighting "equal" or "bayes"."""
        self._is_weighing = weighting == "bayes"
        self._tuning = tuning
        self._laws: WeakKeyDictionary[KnowledgeStructure, ValueLaw | None] = WeakKeyDictionary()

    def law(self, structure: KnowledgeStructure) -> ValueLaw | None:
        """Return the law of a structure in this form; None if that is impossible."""
        return along_history(structure, self._laws, ValueLaw({}, {}, {}, False), self._after)

    def _after(self, before: ValueLaw, stage: KnowledgeStructure) -> ValueLaw | None:
        """Return the law extended by a structure's last event; None if that is impossible."""
        fluents = stage.vocabulary.fluents
        new = [fluent for name, fluent in fluents.items() if name not in before.masks]
        if any(constraint.is_modal for constraint in stage.law.added):
            return None
        formulas = [constraint.formula for constraint in stage.law.added]
        law = self.extended(before, fluents, formulas, stage.likelihoods.added, new)
        if law is None or not stage.likelihoods.added:
            return law
        factors = {value: tuple(map(_reduced, each)) for value, each in law.factors.items()}
        return law._replace(factors=factors)

    def extended(
        self,
        before: ValueLaw,
        fluents: Mapping[str, Fluent],
        formulas: Iterable[Formula],
        likelihoods: Sequence[Likelihood] = (),
        new: Sequence[Fluent] = (),
    ) -> ValueLaw | None:
        """Return the law with more constraints; None if some constraint mentions several values."""
        values, masks = dict(before.values), dict(before.masks)
        for fluent in new:
            masks[fluent.name] = sum(
                1 << values.setdefault(value, len(values)) for value in fluent.values
            )
        added: dict[str, list[Factor]] = {}
        for formula in formulas:
            if (about := _counted_atoms(formula)) is not None:
                value, factor = about
                added.setdefault(value, []).append(factor)
                continue
            sums = as_sums(formula, fluents)
            if sums is None:
                return None
            for law_sum in sums:
                if len(law_sum.parts) == 1:
                    _narrow(masks, law_sum, fluents, values)
                    continue
                law = _of_one_value(law_sum, fluents, self._tuning.value_rows)
                if law is None:
                    return None
                added.setdefault(law[0], []).append(law[1])
        sure = {name: mask for name, mask in masks.items() if mask & mask - 1 == 0}
        newly = {name: mask for name, mask in sure.items() if before.masks.get(name) != mask}
        factors = {
            value: tuple(_of_open(factor, newly, 1 << values[value]) for factor in each)
            for value, each in before.factors.items()
        }
        for likelihood in likelihoods:
            weighed = self._weights(likelihood, factors, added)
            if weighed is None:
                return None
            if self._is_weighing:
                added.setdefault(weighed[0], []).append(weighed[1])
        for value, more in added.items():
            new_factors = [_of_open(factor, sure, 1 << values[value]) for factor in more]
            factors[value] = _joined(factors.get(value, ()), new_factors, self._tuning.value_rows)
        return ValueLaw(values, masks, factors, before.weighed or bool(likelihoods))

    def _weights(
        self,
        likelihood: Likelihood,
        before: Mapping[str, tuple[Factor, ...]],
        added: Mapping[str, Sequence[Factor]],
    ) -> tuple[str, Factor] | None:
        """Return the only value in a likelihood, and its factor; None for other likelihoods."""
        cases = [case for case, _ in likelihood.cases]
        about = _groups_of(cases)
        if about is None:
            return None
        value, groups = about
        places = {name: place for place, group in enumerate(groups) for name in group}
        table: dict[Numbers, int] = {}
        known = [*before.get(value, ()), *added.get(value, ())]
        vectors = _numbers(groups, known, self._tuning.value_rows)
        if vectors is None:
            return None
        weights = shares(likelihood)
        for numbers in vectors:
            true = [
                weight
                for case, weight in zip(cases, weights, strict=True)
                if _truth(case, numbers, places)
            ]
            if len(true) != 1:
                return None  # the fallback method of counting determines whether this matters
            table[numbers] = true[0]
        return value, Factor(groups, tuple(table.items()))


# ---- reading constraints ------------------------------------------------------------------


def _counted_atoms(formula: Formula) -> tuple[str, Factor] | None:
    """Return the value and factor of a cardinality over different fluents with one value.

    Return None for any other formula.
    """
    if not isinstance(formula, Cardinality):
        return None
    counted = _atoms_of_one_value(formula.operands)
    if counted is None or len(counted[1]) != len(formula.operands) or len(counted[1]) == 1:
        return None
    value, group = counted
    rows = tuple(
        ((number,), 1)
        for number in range(len(group) + 1)
        if counts(formula.relation, formula.bound, number)
    )
    return value, Factor((group,), rows)


def _atoms_of_one_value(operands: tuple[Formula, ...]) -> tuple[str, Group] | None:
    if {type(operand) for operand in operands} != {Atom}:
        return None
    atoms = cast(tuple[Atom, ...], operands)
    values = {atom.value for atom in atoms}
    if len(values) > 1:
        return None
    return values.pop(), frozenset([atom.fluent for atom in atoms])


def _narrow(
    masks: dict[str, int],
    law_sum: SumConstraint,
    fluents: Mapping[str, Fluent],
    values: Mapping[str, int],
) -> None:
    """Restrict a fluent to the values that a sum over it alone allows."""
    [(name, adds)] = law_sum.parts.items()
    kept = (
        1 << values[value]
        for value, number in zip(fluents[name].values, adds, strict=True)
        if law_sum.allowed >> number & 1
    )
    masks[name] &= sum(kept)


def _of_one_value(
    law_sum: SumConstraint, fluents: Mapping[str, Fluent], most: int
) -> tuple[str, Factor] | None:
    """Return the only value that a sum depends on, and its factor; None if it has several."""
    common: dict[str, None] | None = None
    for name, adds in law_sum.parts.items():
        terms = {
            value: None
            for place, value in enumerate(fluents[name].values)
            if len({*adds[:place], *adds[place + 1 :]}) <= 1
        }
        common = terms if common is None else {value: None for value in common if value in terms}
    if not common:
        return None
    value = next(reversed(common))  # for Boolean fluents, this is "true"
    base = 0
    by_step: dict[int, list[str]] = {}
    for name, adds in law_sum.parts.items():
        place = fluents[name].values.index(value)
        otherwise = adds[place - 1] if place else adds[-1]
        base += otherwise
        by_step.setdefault(adds[place] - otherwise, []).append(name)
    by_step.pop(0, None)
    groups = tuple(frozenset(names) for names in by_step.values())
    vectors = _numbers(groups, (), most)
    if vectors is None:
        return None
    rows = []
    for numbers in vectors:
        total = base + sum(step * number for step, number in zip(by_step, numbers, strict=True))
        if law_sum.allowed >> total & 1:
            rows.append((numbers, 1))
    return value, Factor(groups, tuple(rows))


def _groups_of(cases: Iterable[Formula]) -> tuple[str, tuple[Group, ...]] | None:
    """Return the value in all atoms, and the disjoint groups of fluents that cases count.

    An atom outside a cardinality is a group of one fluent. Return None if the cases have another
    form.
    """
    value: str | None = None
    groups: dict[Group, None] = {}
    read: set[tuple[Formula, ...]] = set()
    stack = [(case, _DEPTH) for case in cases]
    while stack:
        part, depth = stack.pop()
        if not isinstance(part, Cardinality | Atom):
            if not depth:
                return None
            stack.extend((operand, depth - 1) for operand in part.operands)
            continue
        operands = part.operands if isinstance(part, Cardinality) else (part,)
        if operands in read:
            continue
        read.add(operands)
        counted = _atoms_of_one_value(operands)
        if counted is None or len(counted[1]) != len(operands) or value not in (None, counted[0]):
            return None
        value = counted[0]
        groups[counted[1]] = None
    together = frozenset[str]().union(*groups)
    if value is None or len(together) < sum(map(len, groups)):
        return None
    return value, tuple(groups)


def _truth(formula: Formula, numbers: Numbers, places: Mapping[str, int]) -> bool:
    """Return the truth of a formula, given the number of true atoms in each group.

    `places` maps each fluent to the index of its group.
    """
    match formula:
        case Atom(fluent):
            return numbers[places[fluent]] == 1
        case Cardinality(relation, bound, (Atom(fluent), *_)):
            return counts(relation, bound, numbers[places[fluent]])
    return combined(formula, [_truth(part, numbers, places) for part in formula.operands])


# ---- factors ------------------------------------------------------------------------------


def _numbers(groups: Sequence[Group], known: Iterable[Factor], most: int) -> list[Numbers] | None:
    """Return all numbers for these groups whose total the known factors allow.

    Return None if there are more than `most`.
    """
    together = frozenset[str]().union(*groups)
    totals = set(range(len(together) + 1))
    for factor in known:
        if len(factor.groups) == 1 and together <= factor.groups[0]:
            said = {number for (number,), _ in factor.rows}
            exact = len(together) == len(factor.groups[0])
            totals &= said if exact else set(range(max(said, default=-1) + 1))
    highest = max(totals, default=-1)
    tuples: list[Numbers] = [()]
    for group in groups:
        tuples = [
            (*numbers, number)
            for numbers in tuples
            for number in range(min(len(group), highest - sum(numbers)) + 1)
        ]
        if len(tuples) > most:
            return None
    return [numbers for numbers in tuples if sum(numbers) in totals]


def _joined(before: Sequence[Factor], new: Sequence[Factor], most: int) -> tuple[Factor, ...]:
    """Return factors of one value with the same product, multiplied into fewer if possible."""
    for place in sorted(range(len(before)), key=lambda n: -sum(map(len, before[n].groups))):
        product = _product((before[place], *new), most)
        if product is not None:
            return (*before[:place], product, *before[place + 1 :])
    product = _product(new, most)
    return (*before, *(new if product is None else (product,)))


def _product(factors: Sequence[Factor], most: int) -> Factor | None:
    """Return the product of factors as one factor over a single group of all their fluents.

    Return None if the product depends on more than the total number.
    """
    together = frozenset[str]().union(*(group for factor in factors for group in factor.groups))
    cells: dict[Numbers, Group] = {(): together}
    for factor in factors:
        rest = together.difference(*factor.groups)
        cells = {
            (*where, place): names & group
            for where, names in cells.items()
            for place, group in ((-1, rest), *enumerate(factor.groups))
            if not names.isdisjoint(group)
        }
    tables = [dict(factor.rows) for factor in factors]
    vectors = _numbers(list(cells.values()), factors, most)
    if vectors is None:
        return None
    by_total: dict[int, int] = {}
    for numbers in vectors:
        weight = 1
        for number, factor in enumerate(factors):
            sums = [0] * len(factor.groups)
            for where, more in zip(cells, numbers, strict=True):
                if (place := where[number]) >= 0:
                    sums[place] += more
            weight *= tables[number].get(tuple(sums), 0)
        if by_total.setdefault(sum(numbers), weight) != weight:
            return None
    rows = tuple(((total,), weight) for total, weight in sorted(by_total.items()) if weight)
    return Factor((together,), rows)


def _of_open(factor: Factor, sure: Mapping[str, int], bit: int) -> Factor:
    """Return the factor of a value without the fluents that facts make certain.

    The factors of later draws then depend only on the cards that nobody has shown, as well. `sure`
    maps the certain fluents to the bits of their values.
    """
    if all(map(sure.keys().isdisjoint, factor.groups)):
        return factor
    surely_true = [sum(sure.get(name) == bit for name in group) for group in factor.groups]
    groups = tuple(group.difference(sure) for group in factor.groups)
    rows = ((tuple(map(sub, numbers, surely_true)), weight) for numbers, weight in factor.rows)
    return Factor(groups, tuple(row for row in rows if all(map(_in_group, row[0], groups))))


def _in_group(number: int, group: Group) -> bool:
    return 0 <= number <= len(group)


def _reduced(factor: Factor) -> Factor:
    """Return the factor with its weights divided by their common divisor."""
    common = gcd(*(weight for _, weight in factor.rows)) or 1
    return Factor(factor.groups, tuple((numbers, w // common) for numbers, w in factor.rows))
