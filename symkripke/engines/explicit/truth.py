"""The truth of a formula at every world of a Kripke model, directly from the definitions."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from symkripke import limits
from symkripke.engines.explicit.model import KripkeModel
from symkripke.engines.explicit.table import Vector, boolean
from symkripke.errors import Unsupported
from symkripke.language import formulas as f
from symkripke.limits import look

# The task of evaluating a formula at all worlds of a model.
_Task: TypeAlias = tuple[KripkeModel, f.Formula]


def evaluate(model: KripkeModel, formula: f.Formula) -> Vector:
    """Return the worlds of `model` at which the resolved `formula`, without `Kv`, is true.

    Every subformula is evaluated once in each model that announcements create. There is no
    recursion.

    Raises:
        BudgetExceeded: the time limit is exceeded.
    """
    results: dict[_Task, Vector] = {}
    announced: dict[_Task, KripkeModel] = {}
    stack: list[_Task] = [(model, formula)]
    while stack:
        task = stack[-1]
        needed = _needed(task, results, announced)
        missing = [part for part in needed if part not in results]
        if missing:
            stack.extend(reversed(missing))
            continue
        stack.pop()
        if task not in results:
            look()
            limits.check()
            results[task] = _truth(*task, tuple(results[part] for part in needed))
    return results[model, formula]


def _needed(
    task: _Task, results: dict[_Task, Vector], announced: dict[_Task, KripkeModel]
) -> list[_Task]:
    """Return the tasks that a task needs: its operands, here or after an announcement."""
    model, formula = task
    if isinstance(formula, f.Announced | f.AnnouncedTrue):
        said = (model, formula.left)
        if said not in results:
            return [said]
        if said not in announced:
            announced[said] = model.restrict(results[said])
        return [said, (announced[said], formula.right)]
    return [(model, part) for part in formula.operands]


def _truth(model: KripkeModel, formula: f.Formula, parts: tuple[Vector, ...]) -> Vector:
    """Return the truth of `formula` from the truth of its operands."""
    match formula:
        case f.K(agent):
            return model.everywhere(model.cells((agent,)), parts[0])
        case f.M(agent):
            return ~model.everywhere(model.cells((agent,)), ~parts[0])
        case f.Kw(agent):
            cells = model.cells((agent,))
            return model.everywhere(cells, parts[0]) | model.everywhere(cells, ~parts[0])
        case f.E(group):
            knows = [model.everywhere(model.cells((agent,)), parts[0]) for agent in group]
            everybody: Vector = np.all(knows, axis=0)
            return everybody
        case f.D(group):
            return model.everywhere(model.cells(group), parts[0])
        case f.C(group):
            return model.everywhere(model.components(group), parts[0])
        case f.P():
            return _probability(model, formula, *parts)
        case f.Announced() | f.AnnouncedTrue():
            # Where the announcement is false, [!a] f is true and <!a> f is false.
            said, after = parts
            truth = np.full(model.size, isinstance(formula, f.Announced))
            truth[said] = after
            return truth
        case f.AfterAction() if model.after is not None:
            return model.after(formula)
        case f.B(agent):
            return _believes(model, agent, parts[0], parts[1])
        case f.EB(group):
            return _everybody(model, group, parts[0])
        case f.CB(group):
            # The greatest X with X = EB(f & X): f is true after one step, after two steps, and so
            # on.
            common = _everybody(model, group, parts[0])
            while True:
                look()
                further = common & _everybody(model, group, parts[0] & common)
                if np.array_equal(further, common):
                    return common
                common = further
    value = boolean(model.table, formula, parts)
    if value is None:
        raise Unsupported(f"the explicit engine does not know the operator of {formula}")
    return value


def _believes(model: KripkeModel, agent: str, truth: Vector, given: Vector) -> Vector:
    best = model.most_plausible(agent, given)
    return model.everywhere(model.cells((agent,)), ~best | truth)


def _everybody(model: KripkeModel, group: tuple[str, ...], truth: Vector) -> Vector:
    """Return the worlds at which all members believe that the actual world is in `truth`."""
    every = np.ones(model.size, dtype=np.bool_)
    believed: Vector = np.all([_believes(model, agent, truth, every) for agent in group], axis=0)
    return believed


def _probability(
    model: KripkeModel, formula: f.P, truth: Vector, given: Vector | None = None
) -> Vector:
    cells = model.cells((formula.agent,))
    among = np.ones(model.size, dtype=np.bool_) if given is None else given
    if model.by_plausibility:
        among = model.most_plausible(formula.agent, among)
    share = model.number(cells, truth & among)
    whole = model.number(cells, among)
    bound = formula.bound
    # The comparison of share / whole with the bound uses integers: Python integers if numpy
    # integers could overflow.
    if model.weights is None and bound.denominator.bit_length() + model.size.bit_length() > 62:
        share, whole = share.astype(object), whole.astype(object)
    compared = f.COMPARE[formula.relation](share * bound.denominator, whole * bound.numerator)
    return np.asarray(compared, dtype=np.bool_)
