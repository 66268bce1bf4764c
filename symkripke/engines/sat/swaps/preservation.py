"""Preservation: conditions under which a swap leads from worlds of the law to worlds of the law.

Only constraints that the swap touches matter. A clause is true after the swap if its renaming is
true before the swap. No condition is needed if the renaming is a clause of the law, or if one of
its literals is already a condition. Otherwise the renaming becomes a condition. A cardinality
constraint holds after the swap if its renaming holds before it. Usually the renaming is also a
constraint of the law. The definition of a fluent needs no condition if the swap is extended to that
fluent (see `regression`).
"""

from __future__ import annotations

from collections.abc import Iterable

from symkripke.engines.sat.swaps.law import Law
from symkripke.engines.sat.swaps.occurrences import Clause
from symkripke.engines.sat.swaps.precondition import Precondition
from symkripke.engines.sat.swaps.swap import Swap
from symkripke.language import Formula
from symkripke.language import formulas as f
from symkripke.records import dataclass


def preserve(law: Law, swap: Swap, precondition: Precondition, world: int) -> None:
    """Add conditions to the precondition under which the swap leads to a world of the law.

    Args:
        law: the law.
        swap: the swap.
        precondition: the conditions so far.
        world: a world at which the swap works and the precondition is true. The new conditions are
            also true there.
    """
    # Dictionaries remove duplicates, because most constraints mention several changed fluents.
    clauses: dict[Clause, None] = {}
    counting: dict[tuple[int, f.Relation, int], None] = {}
    others: dict[Formula, None] = {}
    for name in swap.names:
        occurrences = law.occurrences.get(name)
        if occurrences is not None:
            clauses.update(dict.fromkeys(occurrences.clauses))
            counting.update(dict.fromkeys(occurrences.counting))
            others.update(dict.fromkeys(occurrences.others))
    goal = _Preserving(law, swap, precondition, world)
    goal.clauses(clauses)
    goal.counts(counting)
    goal.others(others)


@dataclass(frozen=True, slots=True)
class _Preserving:
    law: Law
    swap: Swap
    precondition: Precondition
    world: int

    def clauses(self, clauses: Iterable[Clause]) -> None:
        """Add conditions that preserve these clauses."""
        law, swap, precondition = self.law, self.swap, self.precondition
        index = law.constraints
        for clause in clauses:
            if clause.defines in law.defined:
                continue  # the swap is extended to the fluent that it defines
            renamed = swap.clause(clause.literals)
            if renamed is None or renamed in index.clauses:
                continue
            positive, negative = renamed
            if positive & (precondition.true | index.always) or negative & (
                precondition.false | index.never
            ):
                continue
            positive, negative = positive & ~index.never, negative & ~index.always
            assert positive or negative
            precondition.clause(positive, negative)

    def counts(self, counting: Iterable[tuple[int, f.Relation, int]]) -> None:
        """Add conditions that preserve these cardinality constraints."""
        law, swap, precondition, world = self.law, self.swap, self.precondition, self.world
        for counted, relation, bound in counting:
            counts = swap.counted(counted)
            if counts is None:
                precondition.add(counted | swap.sources(counted), world)
                continue
            renamed, constant = counts
            if not constant and (renamed, relation, bound) in law.constraints.counting:
                continue
            gone, come = counted & ~renamed, renamed & ~counted
            precondition.add(gone | come, world)
            change = constant + (world & come).bit_count() - (world & gone).bit_count()
            if change == 0 or (relation == "atleast" and change > 0):
                continue
            if relation == "atmost" and change < 0:
                continue
            # The number changes, so enough of the counted variables must have their values at
            # `world`.
            number = (world & renamed).bit_count() + constant
            if relation != "atmost":
                spare = number - bound
                true = world & renamed & ~precondition.true
                precondition.true |= _lowest(true, true.bit_count() - spare)
            if relation != "atleast":
                spare = bound - number
                false = renamed & ~world & ~precondition.false
                precondition.false |= _lowest(false, false.bit_count() - spare)

    def others(self, others: Iterable[Formula]) -> None:
        """Add conditions that preserve these formulas."""
        law, swap, precondition, world = self.law, self.swap, self.precondition, self.world
        after = swap.applied(world)
        for formula in others:
            if law.defining.get(formula) in law.defined:
                continue
            if isinstance(formula, f.Cardinality):
                counted = law.counted(formula, law.constraints.always, law.constraints.never)
                if counted is not None and counted in law.constraints.counting:
                    self.counts((counted,))
                    continue
            if not (
                isinstance(formula, f.Cardinality)
                and law.cardinalities.preserved(formula, swap, precondition, world, after)
            ):
                precondition.before(swap, law.implicants.implicant(formula, after))


def _lowest(mask: int, number: int) -> int:
    """Return the lowest `number` bits of `mask`."""
    rest = mask
    while rest and number > 0:
        rest &= rest - 1
        number -= 1
    return mask ^ rest
