"""The truth of a propositional formula at one world."""

from __future__ import annotations

from collections.abc import Mapping

from symkripke.language import formulas as f
from symkripke.language.walk import fold, remembered

World = Mapping[str, str]
"""A value for every fluent, by name."""

# A formula this deep is evaluated by recursion; it must also be little longer written out, as a
# tree, than it is as a graph in which every subformula stands once.
_DEPTH = 50
_SPARE = 50


def counts(relation: f.Relation, bound: int, number: int) -> bool:
    """Whether `number` is at least, at most or exactly `bound`."""
    if relation == "atleast":
        return number >= bound
    if relation == "atmost":
        return number <= bound
    return number == bound


def evaluate(formula: f.Formula, world: World) -> bool:
    """Whether `formula`, which must be propositional, is true at `world`.

    Linear in the size of the formula.

    Raises:
        ValueError: the formula has a modal operator: one world does not decide it.
        KeyError: the world has no value for one of its fluents.
    """
    if _is_small(formula):
        return _at(formula, world)

    def visit(current: f.Formula, parts: tuple[bool, ...]) -> bool:
        if isinstance(current, f.Atom):
            return world[current.fluent] == current.value
        return _combined(current, parts)

    return fold(formula, visit)


def _at(formula: f.Formula, world: World) -> bool:
    """The same by plain recursion, which is much faster."""
    if isinstance(formula, f.Atom):
        return world[formula.fluent] == formula.value
    if isinstance(formula, f.Not):
        return not _at(formula.operand, world)
    return _combined(formula, [_at(part, world) for part in formula.operands])


def _combined(formula: f.Formula, parts: tuple[bool, ...] | list[bool]) -> bool:
    """The truth of a formula by that of its operands."""
    match formula:
        case f.And():
            return all(parts)
        case f.Or():
            return any(parts)
        case f.Not():
            return not parts[0]
        case f.Implies():
            return parts[1] if parts[0] else True
        case f.Iff():
            return parts[0] == parts[1]
        case f.Cardinality(relation, bound, _):
            return counts(relation, bound, sum(parts))
        case f.Constant(value):
            return value
    raise ValueError(f"one world does not decide {formula}")


@remembered
def _is_small(formula: f.Formula) -> bool:
    """Whether to evaluate it by recursion, in which a shared subformula counts every time."""
    number = 0

    def visit(current: f.Formula, parts: tuple[tuple[int, int], ...]) -> tuple[int, int]:
        nonlocal number
        number += 1
        deepest = max((depth for depth, _ in parts), default=0)
        return 1 + deepest, 1 + sum(size for _, size in parts)

    depth, size = fold(formula, visit)
    return depth <= _DEPTH and size <= 2 * number + _SPARE
