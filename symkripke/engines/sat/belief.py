"""Belief as satisfiability: walk down the order, and keep what is still consistent.

    B[i] f at s   iff   law & (what i has seen) & (the soft constraints that i keeps) & ~f
                        is unsatisfiable.

Which ones i keeps depends on what it has seen and on nothing else: that is worked out once for each
perspective, most often by looking at worlds that the solver has found before. A question then costs
one call.
"""

from __future__ import annotations

from typing import Protocol

from symkripke.engines.clock import Meter
from symkripke.engines.recent import Recent
from symkripke.engines.sat.bits import is_true
from symkripke.engines.sat.solver_cache import MostPlausible, SolverCache
from symkripke.engines.sat.world_solver import WorldSolver
from symkripke.language import Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional
from symkripke.model import Beliefs, KnowledgeStructure, Perspective, Soft

# For one perspective, how many things that may be given are remembered.
_GIVEN = 64


class Knowledge(Protocol):
    """What belief rests on: `Evaluator`, which stands above this module and asks it."""

    def cache(self, structure: KnowledgeStructure) -> SolverCache:
        """What is shared by all structures that come from the same first one."""

    def world_solver(self, perspective: Perspective) -> WorldSolver:
        """The solver for the worlds that the perspective's agent considers possible."""

    def all_worlds(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        formula: Formula,
        meter: Meter | None,
    ) -> bool:
        """Whether `formula` holds at all worlds that these agents consider possible."""


class BeliefEvaluator:
    """What agents believe at their perspectives."""

    def __init__(self, knowledge: Knowledge) -> None:
        """Asks `knowledge` what is consistent, and remembers in its caches what was found."""
        self._knowledge = knowledge

    def believes(self, perspective: Perspective, belief: f.B, meter: Meter | None) -> bool:
        """Whether the perspective's own agent has this belief."""
        best, operand = self.most_plausible(perspective, belief.given, meter), belief.operand
        if best is None:
            return True
        if best.literals is None or not is_propositional(operand):
            return not self._possible(perspective, best.formula, negation(operand), meter)
        solver = self._knowledge.world_solver(perspective)
        if solver.found(negation(operand), best.literals):
            return False
        parts = operand.operands if isinstance(operand, f.Or) else (operand,)
        refuted = (-solver.encoding.literal(part) for part in parts)
        return not solver.possible_together([*best.literals, *refuted], meter)

    def believed(self, perspective: Perspective, meter: Meter | None) -> Beliefs:
        """See `Reasoner.believed`."""
        best = self.most_plausible(perspective, f.TRUE, meter)
        assert best is not None
        return best.beliefs

    def adopt(self, perspective: Perspective, beliefs: Beliefs) -> None:
        """Take over what another engine has found that the perspective's own agent keeps."""
        literal = self._knowledge.world_solver(perspective).encoding.literal
        formulas = [soft.formula for soft in beliefs.kept]
        best = MostPlausible(conjunction(formulas), tuple(map(literal, formulas)), beliefs)
        self._found(perspective).keep(f.TRUE, best)

    def most_plausible(
        self, perspective: Perspective, given: Formula, meter: Meter | None
    ) -> MostPlausible | None:
        """The most plausible worlds to the perspective's own agent, if that is given.

        None if that is known to be false. Raises `ImpossibleEvent` if no world fits what the agent
        has seen.
        """
        found = self._found(perspective)
        if given in found:
            return found.recall(given)
        walk = self._by_solver if is_propositional(given) else self._by_knowledge
        return found.keep(given, walk(perspective, given, meter))

    def _found(self, perspective: Perspective) -> Recent[Formula, MostPlausible | None]:
        """What was found at a perspective, for each thing that was given."""
        believed = self._knowledge.cache(perspective.structure).believed
        found = believed.get(perspective)
        if found is None:
            found = believed[perspective] = Recent(_GIVEN)
        return found

    def _by_solver(
        self, perspective: Perspective, given: Formula, meter: Meter | None
    ) -> MostPlausible | None:
        """Where facts are given: with one world at hand that has all that is kept so far.

        What is true there is kept, and the solver is asked for another world only for what is not.
        """
        solver = self._knowledge.world_solver(perspective)
        solver.require_consistent(meter)
        order = perspective.structure.plausibility(perspective.agent)
        literal = solver.encoding.literal
        # All variables first: a world says nothing of those that come after it.
        claims = {soft: literal(soft.formula) for soft in order}
        literals = [literal(given)] if given is not f.TRUE else []
        world = solver.model(literals, meter)
        if world is None:
            return None

        def fits(soft: Soft) -> bool:
            nonlocal world
            claim = claims[soft]
            if world is None or not is_true(claim, world):
                other = solver.model([*literals, claim], meter)
                if other is None:
                    return False
                world = other
            literals.append(claim)
            return True

        beliefs = Beliefs.of(order, fits)
        formula = conjunction((given, *(soft.formula for soft in beliefs.kept)))
        return MostPlausible(formula, tuple(literals), beliefs)

    def _by_knowledge(
        self, perspective: Perspective, given: Formula, meter: Meter | None
    ) -> MostPlausible | None:
        """Where knowledge or belief is given."""
        if not self._possible(perspective, f.TRUE, given, meter):
            return None
        formula = given

        def fits(soft: Soft) -> bool:
            nonlocal formula
            if not self._possible(perspective, formula, soft.formula, meter):
                return False
            formula = conjunction((formula, soft.formula))
            return True

        beliefs = Beliefs.of(perspective.structure.plausibility(perspective.agent), fits)
        return MostPlausible(formula, None, beliefs)

    def _possible(
        self, perspective: Perspective, kept: Formula, formula: Formula, meter: Meter | None
    ) -> bool:
        """Whether the perspective's agent considers a world with both possible."""
        refuted = f.Implies(kept, negation(formula))
        return not self._knowledge.all_worlds(perspective, (perspective.agent,), refuted, meter)
