"""Propositional formulas in z3, with z3's own cardinality constraints.

Only the smt engine and the re-check of explanations use this module. It shares nothing with the
encodings of other engines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import z3

from symkripke.language import Formula
from symkripke.language import formulas as f
from symkripke.language.formulas import fold


def propositional(formula: Formula, atom: Callable[[Any], Any], context: Any = None) -> Any:
    """Return the propositional `formula` in z3.

    Args:
        formula: the formula to translate.
        atom: a function that returns the z3 expression of an atom, or of a linear constraint.
        context: the `z3.Context` of the expressions; None for the main context of z3.

    Raises:
        ValueError: the formula has a modal operator.
    """

    def visit(current: Formula, parts: tuple[Any, ...]) -> Any:
        match current:
            case f.Constant(value):
                return z3.BoolVal(value, context)
            case f.Atom() | f.Linear():
                return atom(current)
            case f.Not():
                return z3.Not(parts[0])
            case f.And():
                return z3.And(*parts)
            case f.Or():
                return z3.Or(*parts)
            case f.Implies():
                return z3.Implies(*parts)
            case f.Iff():
                return parts[0] == parts[1]
            case f.Cardinality(_, bound, ()):
                return z3.BoolVal(bound == 0 or current.relation == "atmost", context)
            case f.Cardinality("atleast", bound, _):
                return z3.PbGe([(part, 1) for part in parts], _in_reach(bound, parts))
            case f.Cardinality("atmost", bound, _):
                return z3.PbLe([(part, 1) for part in parts], _in_reach(bound, parts))
            case f.Cardinality(_, bound, _):
                return z3.PbEq([(part, 1) for part in parts], _in_reach(bound, parts))
        raise ValueError(f"one world does not decide {current}")

    return fold(formula, visit)


def _in_reach(bound: int, parts: Sequence[Any]) -> int:
    """Return the bound, but at most the number of operands + 1: z3's integers are limited."""
    return min(bound, len(parts) + 1)
