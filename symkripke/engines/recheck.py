"""Explanations checked again, by a solver and a translation that had no part in finding them.

z3, with its own cardinality constraints: nothing here is shared with the sat engine's encoding.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import z3

from symkripke.engines.evidence import Known
from symkripke.language import Formula
from symkripke.language import formulas as f
from symkripke.language.walk import fold


def translate(formula: Formula) -> Any:
    """The propositional `formula` in z3: one Boolean an atom, named by the atom's text."""

    def visit(current: Formula, parts: tuple[Any, ...]) -> Any:
        match current:
            case f.Constant(value):
                return z3.BoolVal(value)
            case f.Atom(fluent, value):
                return z3.Bool(f"{fluent} = {value}")
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
                return z3.BoolVal(bound == 0 or current.relation == "atmost")
            case f.Cardinality("atleast", bound, _):
                return z3.PbGe([(part, 1) for part in parts], bound)
            case f.Cardinality("atmost", bound, _):
                return z3.PbLe([(part, 1) for part in parts], bound)
            case f.Cardinality(_, bound, _):
                return z3.PbEq([(part, 1) for part in parts], bound)
        raise ValueError(f"one world does not decide {current}")

    return fold(formula, visit)


def entails(premises: Iterable[Formula], conclusion: Formula) -> bool:
    """Whether `conclusion` is true wherever all `premises` are (all propositional)."""
    solver = z3.Solver()
    solver.add(*[translate(premise) for premise in premises])
    solver.add(z3.Not(translate(conclusion)))
    return bool(solver.check() == z3.unsat)


def stands(known: Known, conclusion: Formula) -> bool:
    """Whether the sources of `known` prove `conclusion`, and no proper part of them does.

    Args:
        known: evidence for `K[i] f` with f propositional.
        conclusion: f.
    """
    premises = [source.formula for source in known.sources]
    if not entails(premises, conclusion):
        return False
    return not any(
        entails(premises[:left] + premises[left + 1 :], conclusion) for left in range(len(premises))
    )
