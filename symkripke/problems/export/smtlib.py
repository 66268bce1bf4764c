"""Questions in SMT-LIB 2, with quantified Booleans. Z3 writes the text.

(C. Barrett, P. Fontaine, C. Tinelli: The SMT-LIB standard, version 2.6, 2017.)
"""

from __future__ import annotations

import operator
from typing import Any

import z3

from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.model import EpistemicState, KnowledgeStructure
from symkripke.problems.export.quantified import Quantified, translate

_BOOLEAN = {f.Not: z3.Not, f.And: z3.And, f.Or: z3.Or, f.Implies: z3.Implies, f.Iff: operator.eq}
_COMPARED = {"atleast": operator.ge, "atmost": operator.le, "exactly": operator.eq}


def smtlib(place: EpistemicState | KnowledgeStructure, formula: Formula | str) -> str:
    """Return the question in SMT-LIB 2. The first lines say what "sat" means."""
    question = min(
        (translate(place, formula, truth=truth) for truth in (False, True)),
        key=lambda question: sum(found.universal for found in question.quantifiers),
    )
    stated = question.stated
    while isinstance(stated, Quantified) and not stated.universal:
        stated = stated.operand  # the solver finds values for declared constants
    solver = z3.Solver()
    solver.add(fold(stated, _in_z3))
    comments = "".join(f"; {line}\n" for line in question.comments("sat", "unsat"))
    return f"{comments}(set-logic ALL)\n{solver.sexpr()}(check-sat)\n"


def _in_z3(part: Formula, operands: tuple[Any, ...]) -> Any:
    """Translate a formula, given its translated operands. A cardinality becomes a sum."""
    match part:
        case f.Constant(value):
            return z3.BoolVal(value)
        case Atom():
            return z3.Bool(str(part))
        case f.Cardinality(relation, bound):
            return _COMPARED[relation](z3.Sum([z3.If(one, 1, 0) for one in operands]), bound)
        case Quantified(universal, copy):
            own = [z3.Bool(str(atom)) for atom in copy.own]
            return (z3.ForAll if universal else z3.Exists)(own, *operands) if own else operands[0]
    return _BOOLEAN[type(part)](*operands)
