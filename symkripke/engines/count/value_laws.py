"""Laws in which each constraint and each likelihood mentions one value.

"At most three cards are red ones" depends only on which cards are red ones. If a law has only such
constraints, and facts about single fluents, then a world is a partition of the fluents into the
sets of fluents with each value, and its weight is a product over the values. For each value, the
law keeps *factors*: tables of weights by the number of fluents with that value. Factors of one
value are multiplied into one factor if their product depends only on the total number. So the draws
of a whole game from a deck of copies leave one factor for each kind of card.

Kinds of card with the same number of copies have the same tables. So tables are cached by their
arguments, which name no fluents. `python -m benchmarks counts --part draws` shows the effect: nine
of ten questions take up to 6 ms, and up to 8.5 ms without the caches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
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

# The maximum number of cached tables of each kind. A table has at most `value_rows` rows.
_CACHED = 256

# The maximum nesting of connectives above the atoms and cardinalities of a likelihood.
_DEPTH = 3

Group: TypeAlias = frozenset[str]
"""Fluents of which only the number with a value matters."""

Numbers: TypeAlias = tuple[int, ...]
"""The number of fluents with a value in each of several groups."""

Rows: TypeAlias = tuple[tuple[Numbers, int], ...]
"""Weights by numbers. Numbers without a row have the weight 0."""


class Factor(NamedTuple):
    """A factor of a world's weight that depends on the set of fluents with one value.

    Attributes:
        groups: disjoint groups of fluents.
        rows: the weights by the numbers in the groups.
    """

    groups: tuple[Group, ...]
    rows: Rows


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
        sure, newly = _Certain(), _Certain()
        for name, mask in masks.items():
            if mask & mask - 1 == 0:
                sure.add(name, mask)
                if before.masks.get(name) != mask:
                    newly.add(name, mask)
        factors = {
            value: tuple(_of_open(factor, newly, 1 << values[value]) for factor in each)
            for value, each in before.factors.items()
        }
        for likelihood in likelihoods:
            weighed = self._weighed(likelihood, factors, added)
            if weighed is None:
                return None
            if self._is_weighing:
                added.setdefault(weighed[0], []).append(weighed[1])
        for value, more in added.items():
            new_factors = [_of_open(factor, sure, 1 << values[value]) for factor in more]
            factors[value] = _joined(factors.get(value, ()), new_factors, self._tuning.value_rows)
        return ValueLaw(values, masks, factors, before.weighed or bool(likelihoods))

    def _weighed(
        self,
        likelihood: Likelihood,
        before: Mapping[str, tuple[Factor, ...]],
        added: Mapping[str, Sequence[Factor]],
    ) -> tuple[str, Factor] | None:
        """Return the only value in a likelihood, and its factor; None for other likelihoods."""
        read = _counting_cases([case for case, _ in likelihood.cases])
        if read is None:
            return None
        value, groups, cases = read
        totals = _totals(groups, [*before.get(value, ()), *added.get(value, ())])
        sizes = tuple(map(len, groups))
        rows = _weights(cases, shares(likelihood), sizes, totals, self._tuning.value_rows)
        return None if rows is None else (value, Factor(groups, rows))


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
    sizes = tuple(map(len, groups))
    vectors = _numbers(sizes, frozenset(range(sum(sizes) + 1)), most)
    if vectors is None:
        return None
    rows = []
    for numbers in vectors:
        total = base + sum(step * number for step, number in zip(by_step, numbers, strict=True))
        if law_sum.allowed >> total & 1:
            rows.append((numbers, 1))
    return value, Factor(groups, tuple(rows))


def _counting_cases(
    cases: Iterable[Formula],
) -> tuple[str, tuple[Group, ...], tuple[Formula, ...]] | None:
    """Return the value in all atoms, the disjoint groups that cases count, and the cases.

    An atom outside a cardinality is a group of one fluent. In the cases that are returned, an atom
    with the index of a group as its name stands for the group. Return None if the cases have
    another form.
    """
    atoms: dict[Group, Atom] = {}
    values: set[str] = set()
    seen: dict[tuple[Formula, ...], Atom] = {}

    def read(part: Formula, depth: int) -> Formula | None:
        if not isinstance(part, Cardinality | Atom):
            parts = [read(operand, depth - 1) for operand in part.operands] if depth else [None]
            done = tuple(each for each in parts if each is not None)
            return part.rebuild(done) if len(done) == len(parts) else None
        operands = part.operands if isinstance(part, Cardinality) else (part,)
        if operands not in seen:
            counted = _atoms_of_one_value(operands)
            if counted is None or len(counted[1]) != len(operands):
                return None
            values.add(counted[0])
            seen[operands] = atoms.setdefault(counted[1], Atom(str(len(atoms))))
        atom = seen[operands]
        return atom if isinstance(part, Atom) else Cardinality(part.relation, part.bound, (atom,))

    found = []
    for case in cases:
        if (done := read(case, _DEPTH)) is None:
            return None
        found.append(done)
    together = frozenset[str]().union(*atoms)
    if len(values) != 1 or len(together) < sum(map(len, atoms)):
        return None
    return values.pop(), tuple(atoms), tuple(found)


@lru_cache(maxsize=_CACHED)
def _weights(
    cases: tuple[Formula, ...],
    weights: tuple[int, ...],
    sizes: Numbers,
    totals: frozenset[int],
    most: int,
) -> Rows | None:
    """Return the rows of a likelihood's factor; None for a likelihood that has none.

    For the cases, see `_counting_cases`; for `sizes`, `totals` and `most`, see `_numbers`.
    """
    vectors = _numbers(sizes, totals, most)
    if vectors is None:
        return None
    rows = []
    for numbers in vectors:
        true = [
            weight for case, weight in zip(cases, weights, strict=True) if _truth(case, numbers)
        ]
        if len(true) != 1:
            return None  # the fallback method of counting determines whether this matters
        rows.append((numbers, true[0]))
    return tuple(rows)


def _truth(case: Formula, numbers: Numbers) -> bool:
    """Return the truth of a case, given the number of true atoms in each group."""
    match case:
        case Atom(group):
            return numbers[int(group)] == 1
        case Cardinality(relation, bound, (Atom(group),)):
            return counts(relation, bound, numbers[int(group)])
    return combined(case, [_truth(part, numbers) for part in case.operands])


# ---- factors ------------------------------------------------------------------------------


def _totals(groups: Sequence[Group], known: Iterable[Factor]) -> frozenset[int]:
    """Return the total numbers of fluents in these groups that the known factors allow."""
    together = frozenset[str]().union(*groups)
    totals = set(range(len(together) + 1))
    for factor in known:
        if len(factor.groups) == 1 and together <= factor.groups[0]:
            said = {number for (number,), _ in factor.rows}
            exact = len(together) == len(factor.groups[0])
            totals &= said if exact else set(range(max(said, default=-1) + 1))
    return frozenset(totals)


def _numbers(sizes: Numbers, totals: frozenset[int], most: int) -> list[Numbers] | None:
    """Return all numbers for groups of these sizes with one of these totals.

    Return None if there are more than `most`.
    """
    highest = max(totals, default=-1)
    tuples: list[Numbers] = [()]
    for size in sizes:
        tuples = [
            (*numbers, number)
            for numbers in tuples
            for number in range(min(size, highest - sum(numbers)) + 1)
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
    where = tuple((places, len(group)) for places, group in cells.items())
    tables = tuple(factor.rows for factor in factors)
    rows = _multiplied(where, tables, _totals((together,), factors), most)
    return None if rows is None else Factor((together,), rows)


@lru_cache(maxsize=_CACHED)
def _multiplied(
    cells: tuple[tuple[Numbers, int], ...],
    tables: tuple[Rows, ...],
    totals: frozenset[int],
    most: int,
) -> Rows | None:
    """Return the rows of the product of factors by the total number; None if it needs more.

    Args:
        cells: for each set of fluents that no factor distinguishes, its group in each factor (-1
            for none), and its size.
        tables: the rows of each factor.
        totals: see `_numbers`.
        most: see `_numbers`.
    """
    vectors = _numbers(tuple(size for _, size in cells), totals, most)
    if vectors is None:
        return None
    if not all(tables):
        return ()
    weights = [(len(rows[0][0]), dict(rows)) for rows in tables]
    by_total: dict[int, int] = {}
    for numbers in vectors:
        weight = 1
        for number, (width, table) in enumerate(weights):
            sums = [0] * width
            for (places, _), more in zip(cells, numbers, strict=True):
                if (place := places[number]) >= 0:
                    sums[place] += more
            weight *= table.get(tuple(sums), 0)
        if by_total.setdefault(sum(numbers), weight) != weight:
            return None
    return tuple(((total,), weight) for total, weight in sorted(by_total.items()) if weight)


class _Certain:
    """The fluents that facts make certain."""

    def __init__(self) -> None:
        """Create an empty set."""
        self.names: set[str] = set()
        self._by_mask: dict[int, set[str]] = {}

    def add(self, name: str, mask: int) -> None:
        """Add a fluent that has the value with this bit."""
        self.names.add(name)
        self._by_mask.setdefault(mask, set()).add(name)

    def having(self, bit: int) -> Set[str]:
        """Return the fluents with a value."""
        return self._by_mask.get(bit, frozenset())


def _of_open(factor: Factor, sure: _Certain, bit: int) -> Factor:
    """Return the factor of the value with this bit, without the fluents that facts make certain.

    The factors of later draws then depend only on the cards that nobody has shown, as well.
    """
    if all(map(sure.names.isdisjoint, factor.groups)):
        return factor
    true = sure.having(bit)
    groups = tuple(group - sure.names for group in factor.groups)
    surely_true = tuple(len(group & true) for group in factor.groups)
    return Factor(groups, _of_fewer(factor.rows, surely_true, tuple(map(len, groups))))


@lru_cache(maxsize=_CACHED)
def _of_fewer(rows: Rows, surely_true: Numbers, sizes: Numbers) -> Rows:
    """Return the rows by the numbers among the other fluents of groups, of which `sizes` are left.

    `surely_true` contains the number of fluents that certainly have the value in each group.
    """
    fewer = ((tuple(map(sub, numbers, surely_true)), weight) for numbers, weight in rows)
    return tuple(
        (numbers, weight)
        for numbers, weight in fewer
        if all(0 <= number <= size for number, size in zip(numbers, sizes, strict=True))
    )


def _reduced(factor: Factor) -> Factor:
    """Return the factor with its weights divided by their common divisor."""
    common = gcd(*(weight for _, weight in factor.rows)) or 1
    return Factor(factor.groups, tuple((numbers, w // common) for numbers, w in factor.rows))
