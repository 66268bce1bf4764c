"""The re-check of explanations, independent of the engine that found them.

It uses z3 with its own cardinality constraints, and shares nothing with the encoding of the sat
engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import z3

from symkripke.engines.smt.propositional import propositional
from symkripke.explain.evidence import Known
from symkripke.language import Formula


def translate(formula: Formula) -> Any:
    """Return the propositional `formula` in z3, with a Boolean for each atom, named by its text."""
    return propositional(formula, lambda atom: z3.Bool(f"{atom.fluent} = {atom.value}"))


def entails(premises: Iterable[Formula], conclusion: Formula) -> bool:
    """Return whether the premises imply the conclusion. All formulas are propositional."""
    solver = z3.Solver()
    solver.add(*[translate(premise) for premise in premises])
    solver.add(z3.Not(translate(conclusion)))
    return bool(solver.check() == z3.unsat)


def stands(known: Known, conclusion: Formula) -> bool:
    """Return whether the sources of `known` prove `conclusion`, and no proper subset of them does.

    Args:
        known: evidence for `K[i] f` with a propositional f.
        conclusion: the formula f.
    """
    premises = [source.formula for source in known.sources]
    if not entails(premises, conclusion):
        return False
    return not any(
        entails(premises[:left] + premises[left + 1 :], conclusion) for left in range(len(premises))
    )
