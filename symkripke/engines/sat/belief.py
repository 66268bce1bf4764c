"""Belief as satisfiability: soft constraints are tried in order, and kept if consistent.

    B[i] f at s   iff   law & (what i has seen) & (the soft constraints that i keeps) & ~f
                        is unsatisfiable.

The soft constraints that i keeps depend only on what i has seen. They are computed once for each
perspective. Most of them are true at a world that the solver has found before. A question then
costs one call of the solver.
"""

from __future__ import annotations

from typing import Protocol

from symkripke.engines.caches import LRUCache
from symkripke.engines.sat.bits import is_true
from symkripke.engines.sat.solver_cache import MostPlausible, SolverCache
from symkripke.engines.sat.world_solver import WorldSolver
from symkripke.language import Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional
from symkripke.model import Beliefs, KnowledgeStructure, Perspective, Soft


class Knowledge(Protocol):
    """The interface of `Evaluator` that this module needs; it avoids a cyclic import."""

    def cache(self, structure: KnowledgeStructure) -> SolverCache:
        """Return the caches shared by all structures with the same first structure."""

    def world_solver(self, perspective: Perspective) -> WorldSolver:
        """Return the solver for the worlds that the perspective's agent considers possible."""

    def all_worlds(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        formula: Formula,
    ) -> bool:
        """Return whether `formula` holds at all worlds that these agents consider possible."""


class BeliefEvaluator:
    """An evaluator of beliefs at perspectives."""

    def __init__(self, knowledge: Knowledge) -> None:
        """Create an evaluator that uses `knowledge` and its caches."""
        self._knowledge = knowledge

    def believes(self, perspective: Perspective, belief: f.B) -> bool:
        """Return whether the perspective's agent has this belief."""
        best, operand = self.most_plausible(perspective, belief.given), belief.operand
        if best is None:
            return True
        if best.literals is None or not is_propositional(operand):
            return not self._possible(perspective, best.formula, negation(operand))
        solver = self._knowledge.world_solver(perspective)
        if solver.found(negation(operand), best.literals):
            return False
        parts = operand.operands if isinstance(operand, f.Or) else (operand,)
        refuted = (-solver.encoding.literal(part) for part in parts)
        return not solver.possible_together([*best.literals, *refuted])

    def believed(self, perspective: Perspective) -> Beliefs:
        """See `Reasoner.believed`."""
        best = self.most_plausible(perspective, f.TRUE)
        assert best is not None
        return best.beliefs

    def most_plausible(self, perspective: Perspective, given: Formula) -> MostPlausible | None:
        """Return the agent's most plausible worlds at a perspective, given a condition.

        Return None if the agent knows that the condition is false. Raise `ImpossibleEvent` if no
        world fits what the agent has seen.
        """
        cached = self._found(perspective)
        if given in cached:
            return cached.get(given)
        walk = self._by_solver if is_propositional(given) else self._by_knowledge
        return cached.put(given, walk(perspective, given))

    def _found(self, perspective: Perspective) -> LRUCache[Formula, MostPlausible | None]:
        """Return the cached results at a perspective, by condition."""
        cache = self._knowledge.cache(perspective.structure)
        cached = cache.believed.get(perspective)
        if cached is None:
            cached = cache.believed[perspective] = LRUCache(cache.tuning.conditions)
        return cached

    def _by_solver(self, perspective: Perspective, given: Formula) -> MostPlausible | None:
        """Return the most plausible worlds, given a propositional condition.

        `world` satisfies all soft constraints kept so far. A further constraint that is true at
        this world is kept. The solver is called only if the constraint is false there.
        """
        solver = self._knowledge.world_solver(perspective)
        solver.require_consistent()
        order = perspective.structure.plausibility(perspective.agent)
        literal = solver.encoding.literal
        # Create all variables first, because a world has no value for variables created later.
        claims = {soft: literal(soft.formula) for soft in order}
        literals = [literal(given)] if given is not f.TRUE else []
        world = solver.model(literals)
        if world is None:
            return None

        def fits(soft: Soft) -> bool:
            nonlocal world
            claim = claims[soft]
            if world is None or not is_true(claim, world):
                other = solver.model([*literals, claim])
                if other is None:
                    return False
                world = other
            literals.append(claim)
            return True

        beliefs = Beliefs.of(order, fits)
        formula = conjunction((given, *(soft.formula for soft in beliefs.kept)))
        return MostPlausible(formula, tuple(literals), beliefs)

    def _by_knowledge(self, perspective: Perspective, given: Formula) -> MostPlausible | None:
        """Return the most plausible worlds, given a condition about knowledge or belief."""
        if not self._possible(perspective, f.TRUE, given):
            return None
        formula = given

        def fits(soft: Soft) -> bool:
            nonlocal formula
            if not self._possible(perspective, formula, soft.formula):
                return False
            formula = conjunction((formula, soft.formula))
            return True

        beliefs = Beliefs.of(perspective.structure.plausibility(perspective.agent), fits)
        return MostPlausible(formula, None, beliefs)

    def _possible(self, perspective: Perspective, kept: Formula, formula: Formula) -> bool:
        """Return whether the agent considers a world possible at which both formulas are true."""
        refuted = f.Implies(kept, negation(formula))
        return not self._knowledge.all_worlds(perspective, (perspective.agent,), refuted)
