"""What makes a swap keep a law: conditions for each constraint that it touches.

A clause is true after the swap if its renaming is true before it: if that is a clause of the law,
too, nothing is needed; else one of its literals, or all of it as a condition. What is counted after
the swap is what its renaming counts before it: most often something that the law counts alike. What
defines a fluent needs nothing, if the swap is carried to that (see `regression`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from symkripke.engines.sat.swaps.implicants import Swap
from symkripke.engines.sat.swaps.precondition import Kept
from symkripke.language import Formula
from symkripke.language import formulas as f

if TYPE_CHECKING:
    from symkripke.engines.sat.swaps.law import Clause, Law

# Clauses with more literals are made sure of by one of these.
_WIDE = 8


def keep(law: Law, swap: Swap, kept: Kept, world: int | None) -> bool:
    """Add to `kept` what makes the swap keep the law; whether that can be. See `Law.keep`."""
    return all(
        _keep_clauses(law, touching.clauses, swap, kept, world)
        and _keep_counts(law, touching.counting, swap, kept, world)
        and _keep_others(law, touching.others, swap, kept, world)
        for name in swap.names
        if (touching := law.touching.get(name)) is not None
    )


def _keep_clauses(
    law: Law, clauses: Sequence[Clause], swap: Swap, kept: Kept, world: int | None
) -> bool:
    whole = law.whole
    for clause in clauses:
        if clause.defines in law.defined:
            continue  # the swap is carried to it: so it is kept
        renamed = swap.clause(clause.literals)
        if renamed is None or renamed in whole.clauses:
            continue
        positive, negative = renamed
        if positive & (kept.true | whole.always) or negative & (kept.false | whole.never):
            continue
        positive, negative = positive & ~whole.never, negative & ~whole.always
        if not positive and not negative:
            return False
        if positive.bit_count() + negative.bit_count() <= _WIDE:
            kept.clause(positive, negative)
            continue
        if world is not None:
            positive, negative = positive & world, negative & ~world
        # That something is not so excludes less than that it is; and of what the swap does
        # not touch less is kept already.
        for low in (negative & ~swap.mask, negative):
            if low:
                kept.false |= low & -low
                break
        else:
            if not positive:
                return False
            high = positive & ~swap.mask or positive
            kept.true |= high & -high
    return True


def _keep_counts(
    law: Law,
    counting: Sequence[tuple[int, f.Relation, int]],
    swap: Swap,
    kept: Kept,
    world: int | None,
) -> bool:
    for counted, relation, bound in counting:
        found = swap.counted(counted)
        if found is None:
            if world is None:
                return False
            kept.add(counted | swap.sources(counted), world)
            continue
        renamed, constant = found
        if not constant and (renamed, relation, bound) in law.whole.counting:
            continue
        gone, come = counted & ~renamed, renamed & ~counted
        if world is None:
            # What is not sure already has no world to be read off.
            if (gone | come) & ~(kept.true | kept.false):
                return False
            change = constant + (kept.true & come).bit_count() - (kept.true & gone).bit_count()
            if change == 0:
                continue
            return False
        kept.add(gone | come, world)
        change = constant + (world & come).bit_count() - (world & gone).bit_count()
        if change == 0 or (relation == "atleast" and change > 0):
            continue
        if relation == "atmost" and change < 0:
            continue
        # The number changes: enough of what is counted has to stay as it is here.
        number = (world & renamed).bit_count() + constant
        if relation != "atmost":
            spare = number - bound
            true = world & renamed & ~kept.true
            kept.true |= _lowest(true, true.bit_count() - spare)
        if relation != "atleast":
            spare = bound - number
            false = renamed & ~world & ~kept.false
            kept.false |= _lowest(false, false.bit_count() - spare)
    return True


def _keep_others(
    law: Law, others: Sequence[Formula], swap: Swap, kept: Kept, world: int | None
) -> bool:
    others = [one for one in others if law.defining.get(one) not in law.defined]
    if not others:
        return True
    if world is None:
        return False
    after = swap.applied(world)
    for formula in others:
        if isinstance(formula, f.Cardinality):
            counted = law.counted(formula, law.whole.always, law.whole.never)
            if counted is not None and counted in law.whole.counting:
                _keep_counts(law, (counted,), swap, kept, world)
                continue
        if not (
            isinstance(formula, f.Cardinality)
            and law.balances.balanced(formula, swap, kept, world, after)
        ):
            kept.before(swap, law.certificates.keeping(formula, after))
    return True


def _lowest(mask: int, number: int) -> int:
    """The lowest so many bits of `mask`."""
    rest = mask
    while rest and number > 0:
        rest &= rest - 1
        number -= 1
    return mask ^ rest
