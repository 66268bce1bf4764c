"""One question at one place: the expressions for z3, and the interpretation of its answer.

A place is a vector with a condition. At a scene, the vector has the values of the actual world. At
a perspective, it has constants for all atoms that the agent does not observe, and the condition is
the law. A formula has a truth value at a perspective if it has the same value at all vectors that
satisfy the condition.
"""

from __future__ import annotations

from typing import Any

import z3

from symkripke.engines.asked import contradiction
from symkripke.engines.smt.solving import Asking, is_quantified, shape
from symkripke.engines.smt.translation import AccessStep, Point, Stage, Translation
from symkripke.language import FALSE, TRUE, Formula
from symkripke.language import formulas as f
from symkripke.language.walk import leaves, replace_leaves
from symkripke.model import EpistemicState, KnowledgeStructure, Perspective, Scene, World
from symkripke.records import dataclass


@dataclass(frozen=True, eq=False)
class Place:
    """A place at which a formula is evaluated.

    Attributes:
        point: the vector.
        given: the condition, as an expression.
        agent: the agent of a perspective; None for a scene; empty for any world of the law.
    """

    point: Point
    given: Any
    agent: str | None = None


class SmtQuery:
    """The translation and the solver for one question."""

    def __init__(self, context: Any) -> None:
        """Create a question in a z3 context."""
        self.context = context
        self.asking = Asking(context)
        self.translation = Translation(context, self.asking.satisfiable)

    # ---- places -----------------------------------------------------------------------

    def place(self, state: EpistemicState) -> Place:
        """Return the place of a state; raise `ImpossibleEvent` if it contradicts the law."""
        if isinstance(state, Scene):
            return self._actual(state)
        place = self.cell(state)
        if not self.asking.satisfiable(place.given):
            raise contradiction(state)
        return place

    def cell(self, perspective: Perspective) -> Place:
        """Return the place of a perspective without checking that its condition is satisfiable."""
        seen = {
            observable.atom: z3.BoolVal(truth, self.context)
            for observable, truth in perspective.observation
        }
        point = self.translation.point(perspective.structure, seen)
        given = self.translation.law(Stage(perspective.structure), point)
        return Place(point, given, perspective.agent)

    def anywhere(self, structure: KnowledgeStructure) -> Place:
        """Return the place that represents an arbitrary world of the law."""
        point = self.translation.point(structure, {})
        return Place(point, self.translation.law(Stage(structure), point), "")

    def _actual(self, scene: Scene) -> Place:
        values = {
            atom: z3.BoolVal(scene.world[name] == atom.value, self.context)
            for name, fluent in scene.structure.vocabulary.fluents.items()
            for atom in fluent.atoms
        }
        point = self.translation.point(scene.structure, values)
        return Place(point, z3.BoolVal(True, self.context))

    # ---- truth ------------------------------------------------------------------------

    def truth(self, stage: Stage, place: Place, formula: Formula) -> bool | None:
        """Return the truth of `formula` at `place`; None if the place does not decide it.

        Boolean combinations are split: each modal part that the place decides is a separate
        question.
        """

        def settled(leaf: Formula) -> Formula:
            if isinstance(leaf, f.Modal) and _is_decided(leaf, place):
                return TRUE if self._leaf(stage, place, leaf) else FALSE
            return leaf

        rest = replace_leaves(formula, settled)
        if isinstance(rest, f.Constant):
            return rest.value
        if place.agent is None:
            return self.possible(stage, place, rest, True)
        can_be_true = self.possible(stage, place, rest, True)
        can_be_false = self.possible(stage, place, rest, False)
        return can_be_true if can_be_true is not can_be_false else None

    def possible(self, stage: Stage, place: Place, formula: Formula, positive: bool) -> bool:
        """Return whether `formula` (its negation if not `positive`) can be true at `place`."""
        return self.asking.satisfiable(self.stated(stage, place, formula, positive))

    def stated(self, stage: Stage, place: Place, formula: Formula, positive: bool) -> Any:
        """Return the z3 expression whose satisfiability `possible` checks."""
        here = self.translation.formula(formula, stage, place.point, positive, free=True)
        return z3.And(place.given, here)

    def _leaf(self, stage: Stage, place: Place, leaf: Formula) -> bool:
        """Return the truth of a modal formula that the place decides."""
        match leaf:
            case f.Announced(said, after) if place.agent is None:
                if not self.truth(stage, place, said):
                    return True
                return bool(self.truth(stage.after(said), place, after))
            case f.AnnouncedTrue(said, after) if place.agent is None:
                return bool(self.truth(stage, place, said)) and bool(
                    self.truth(stage.after(said), place, after)
                )
            case f.E(group, operand):
                return all(self._leaf(stage, place, f.K(agent, operand)) for agent in group)
            case f.EB(group, operand):
                return all(self._leaf(stage, place, f.B(agent, operand)) for agent in group)
            case f.C() | f.K(_, f.C()) | f.D(_, f.C()):
                reached = self._refuted(stage, place, leaf)
                if reached is not None:
                    return not reached
        # The leaf is true iff it can be true here, and false iff it can be false; check the easier
        # case.
        refuted = self.stated(stage, place, leaf, False)
        if not is_quantified(refuted):
            return not self.asking.satisfiable(refuted)
        stated = self.stated(stage, place, leaf, True)
        if not is_quantified(stated) or shape(stated)[0] < shape(refuted)[0]:
            return self.asking.satisfiable(stated)
        return not self.asking.satisfiable(refuted)

    def _refuted(self, stage: Stage, place: Place, claim: Formula) -> bool | None:
        """Return whether `claim` is false: whether steps reach a world where its operand is false.

        The claim is C, or K or D of C.

        Return None if the question needs quantifiers, which the rules of the fixed-point engine
        cannot have, or if this engine gives up.
        """
        translation = self.translation
        start, given = place.point, place.given
        if isinstance(claim, f.K | f.D):
            agents = (claim.agent,) if isinstance(claim, f.K) else claim.group
            start = translation.other(stage, start, agents)
            given = z3.And(given, translation.law(stage, start))
            claim = claim.operand
        assert isinstance(claim, f.C)
        group, operand = claim.group, claim.operand
        here = translation.point(stage.structure, {})
        law = translation.law(stage, here)
        fails = translation.formula(operand, stage, here, False, free=True)
        if is_quantified(law, fails, given):
            return None
        steps = []
        for agent in group:
            there = translation.other(stage, here, (agent,))
            # Steps begin at worlds of the law; the next rule checks the end of a step.
            steps.append((law, list(there.values.values())))
        return self.asking.reachable(
            list(here.values.values()),
            z3.And(law, fails),
            steps,
            list(start.values.values()),
            given,
        )

    # ---- worlds -----------------------------------------------------------------------

    def model(self, expression: Any) -> Any:
        """Return a model of `expression`, which must have no quantifiers; None if there is none."""
        solver = self.asking.solver(expression)
        return solver.model() if self.asking.check(solver) else None

    def world(self, structure: KnowledgeStructure, point: Point, model: Any) -> World:
        """Return the world that `point` represents in `model`."""
        world: dict[str, str] = {}
        for name, fluent in structure.vocabulary.fluents.items():
            for value in fluent.values if not fluent.is_boolean else ("true",):
                expression = point.values[f.Atom(name, value)]
                if z3.is_true(model.eval(expression, model_completion=True)):
                    world[name] = value
            world.setdefault(name, "false")
        return world

    def shown(
        self, stage: Stage, place: Place, formula: Formula, positive: bool
    ) -> list[AccessStep]:
        """Return the chain of steps that the translation created for `formula`; it may be empty."""
        steps = []
        point = place.point
        while (step := self.translation.steps.get((formula, positive, stage, point))) is not None:
            steps.append(step)
            formula, positive, point = step.shows, True, step.point
            while isinstance(formula, f.Not):
                formula, positive = formula.operand, not positive
        return steps


def _is_decided(leaf: Formula, place: Place) -> bool:
    """Return whether introspection gives a modal formula a single truth value at `place`."""
    if place.agent is None:
        return True
    if isinstance(leaf, f.C):
        return place.agent in leaf.group
    return isinstance(leaf, f.K | f.M | f.Kw | f.Kv | f.B) and leaf.agent == place.agent


def is_own(formula: Formula, place: Place) -> bool:
    """Return whether `formula` is a Boolean combination of formulas that `place` decides."""
    if place.agent is None:
        return True
    return all(
        isinstance(leaf, f.Constant) or (isinstance(leaf, f.Modal) and _is_decided(leaf, place))
        for leaf in leaves(formula)
    )
