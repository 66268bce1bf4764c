"""The truth of a propositional formula at one world."""

from __future__ import annotations

from collections.abc import Mapping

from symkripke.language import formulas as f
from symkripke.language.walk import fold

World = Mapping[str, str]
"""A value for every fluent, by name."""


def counts(relation: f.Relation, bound: int, number: int) -> bool:
    """Whether `number` is at least, at most or exactly `bound`."""
    if relation == "atleast":
        return number >= bound
    if relation == "atmost":
        return number <= bound
    return number == bound


def evaluate(formula: f.Formula, world: World) -> bool:
    """Whether `formula`, which must be propositional, is true at `world`.

    Raises:
        ValueError: the formula has a modal operator: one world does not decide it.
        KeyError: the world has no value for one of its fluents.
    """

    def visit(current: f.Formula, parts: tuple[bool, ...]) -> bool:
        match current:
            case f.Constant(value):
                return value
            case f.Atom(fluent, value):
                return world[fluent] == value
            case f.Not():
                return not parts[0]
            case f.And():
                return all(parts)
            case f.Or():
                return any(parts)
            case f.Implies():
                return parts[1] if parts[0] else True
            case f.Iff():
                return parts[0] == parts[1]
            case f.Cardinality(relation, bound, _):
                return counts(relation, bound, sum(parts))
        raise ValueError(f"one world does not decide {current}")

    return fold(formula, visit)
