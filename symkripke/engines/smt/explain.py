"""Why the smt engine answers as it does: the worlds that a solver's model shows.

Only what is so because worlds are possible has evidence here, and only if no quantifier is left:
M that is true, K, Kw, Kv, E or D that is false, and chains of them. z3's models hold no minimal
sources.
"""

from __future__ import annotations

import z3

from symkripke.engines.smt.question import Place, Question, is_own
from symkripke.engines.smt.solving import is_quantified
from symkripke.engines.smt.translation import Stage
from symkripke.errors import Unsupported
from symkripke.explain.evidence import Combined, CounterWorld, Evidence, Fact, Possible, deciding
from symkripke.language import Formula, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional

_BOOLEAN = (f.Not, f.And, f.Or, f.Implies, f.Iff, f.Cardinality)


def evidence(question: Question, stage: Stage, place: Place, formula: Formula) -> Evidence:
    """Why `formula` has the truth that it has at `place`, which decides it.

    Raises:
        Unsupported: it is so because something is known, or no model shows it.
    """
    truth = bool(question.truth(stage, place, formula))
    if is_propositional(formula):
        return Fact(formula, truth)
    if isinstance(formula, _BOOLEAN):
        parts = deciding(
            formula, truth, lambda part, value: question.truth(stage, place, part) is value
        )
        undecided = any(question.truth(stage, place, part) is None for part in parts)
        if parts == formula.operands and undecided:
            raise _unsupported(formula, truth)
        return _combined(question, stage, place, formula, truth, parts)
    if not is_own(formula, place):
        raise _unsupported(formula, truth)
    match formula:
        case f.M() if truth:
            return _possible(question, stage, place, formula, truth)
        case f.K() | f.D() | f.B() if not truth:
            return _possible(question, stage, place, formula, truth)
        case f.Kw(agent, operand) if not truth:
            ways = (f.M(agent, operand), f.M(agent, negation(operand)))
            return _combined(question, stage, place, formula, truth, ways)
        case f.Kv(agent, fluents) if not truth:
            for case in (case for name in fluents for case in stage.structure.fluents(name)):
                whether = f.Kw(agent, case)
                if not question.truth(stage, place, whether):
                    return _combined(question, stage, place, formula, truth, (whether,))
        case f.E(group, operand) if not truth:
            for agent in group:
                knows = f.K(agent, operand)
                if not question.truth(stage, place, knows):
                    return _combined(question, stage, place, formula, truth, (knows,))
        case f.EB(group, operand) if not truth:
            for agent in group:
                believes = f.B(agent, operand)
                if not question.truth(stage, place, believes):
                    return _combined(question, stage, place, formula, truth, (believes,))
    raise _unsupported(formula, truth)


def _combined(
    question: Question,
    stage: Stage,
    place: Place,
    formula: Formula,
    truth: bool,
    parts: tuple[Formula, ...],
) -> Combined:
    return Combined(formula, truth, tuple(evidence(question, stage, place, part) for part in parts))


def _possible(
    question: Question, stage: Stage, place: Place, formula: Formula, truth: bool
) -> Possible:
    """A chain of worlds, from a model of the vectors that stand for them."""
    here = question.translation.formula(formula, stage, place.point, truth, free=True)
    stated = z3.And(place.given, here)
    model = None if is_quantified(stated) else question.model(stated)
    steps = question.shown(stage, place, formula, truth)
    if model is None or not steps:
        raise _unsupported(formula, truth)
    worlds = tuple(
        CounterWorld(step.agents, question.world(stage.structure, step.point, model), step.shows)
        for step in steps
    )
    return Possible(formula, truth, worlds)


def _unsupported(formula: Formula, truth: bool) -> Unsupported:
    return Unsupported(
        f"the smt engine has no world to show why {formula} is {str(truth).lower()}; "
        "the sat engine finds minimal sources, and worlds"
    )
