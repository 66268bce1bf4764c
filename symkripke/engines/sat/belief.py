"""Belief as satisfiability: walk down the order, and keep what is still consistent.

    B[i] f at s   iff   law & (what i has seen) & (the soft constraints that i keeps) & ~f
                        is unsatisfiable.

Which ones i keeps depends on what it has seen and on nothing else: that is worked out once for each
perspective, most often by looking at worlds that the solver has found before. A question then costs
one call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from symkripke.engines.sat.world_solver import Meter
from symkripke.language import Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional
from symkripke.model import Beliefs, Perspective, Soft

if TYPE_CHECKING:
    from symkripke.engines.sat.engine import SatEngine


@dataclass(frozen=True)
class Kept:
    """What an agent takes for true beyond what it knows: so its most plausible worlds are.

    Attributes:
        formula: what was given, and the soft constraints that are kept.
        literals: the same for the agent's solver; None if what is given is about knowledge.
        beliefs: which soft constraints are kept.
    """

    formula: Formula
    literals: tuple[int, ...] | None
    beliefs: Beliefs


class Believing:
    """What agents believe at their perspectives, for one engine."""

    def __init__(self, engine: SatEngine) -> None:
        """With nothing in memory yet; asks `engine` what is consistent."""
        self._engine = engine
        self._kept: WeakKeyDictionary[Perspective, dict[Formula, Kept | None]] = WeakKeyDictionary()

    def believes(self, perspective: Perspective, belief: f.B, meter: Meter | None) -> bool:
        """Whether the perspective's own agent has this belief."""
        kept, operand = self.kept(perspective, belief.given, meter), belief.operand
        if kept is None:
            return True
        if kept.literals is None or not is_propositional(operand):
            return not self._possible(perspective, kept.formula, negation(operand), meter)
        solver = self._engine.solver(perspective)
        if solver.found(negation(operand), kept.literals):
            return False
        parts = operand.operands if isinstance(operand, f.Or) else (operand,)
        refuted = (-solver.encoding.literal(part) for part in parts)
        return not solver.possible_together([*kept.literals, *refuted], meter)

    def believed(self, perspective: Perspective, meter: Meter | None) -> Beliefs:
        """See `Reasoner.believed`."""
        kept = self.kept(perspective, f.TRUE, meter)
        assert kept is not None
        return kept.beliefs

    def adopt(self, perspective: Perspective, beliefs: Beliefs) -> None:
        """Take over what another engine has found that the perspective's own agent keeps."""
        literal = self._engine.solver(perspective).encoding.literal
        formulas = [soft.formula for soft in beliefs.kept]
        kept = Kept(conjunction(formulas), tuple(map(literal, formulas)), beliefs)
        self._kept.setdefault(perspective, {})[f.TRUE] = kept

    def kept(self, perspective: Perspective, given: Formula, meter: Meter | None) -> Kept | None:
        """What the perspective's own agent keeps, if that is given.

        None if that is known to be false. Raises `ImpossibleEvent` if no world fits what the agent
        has seen.
        """
        known = self._kept.setdefault(perspective, {})
        if given not in known:
            walk = self._quickly if is_propositional(given) else self._walk
            known[given] = walk(perspective, given, meter)
        return known[given]

    def _quickly(
        self, perspective: Perspective, given: Formula, meter: Meter | None
    ) -> Kept | None:
        """Where facts are given: with one world at hand that has all that is kept so far.

        What is true there is kept, and the solver is asked for another world only for what is not.
        """
        solver = self._engine.solver(perspective)
        solver.require_consistent(meter)
        order = perspective.structure.plausibility(perspective.agent)
        literal = solver.encoding.literal
        # All variables first: a world says nothing of those that come after it.
        steps = [(soft, literal(soft.formula)) for soft in order]
        literals = [literal(given)] if given is not f.TRUE else []
        world = solver.model(literals, meter)
        if world is None:
            return None
        kept: list[Soft] = []
        given_up: list[Soft] = []
        for soft, one in steps:
            if bool((world >> abs(one)) & 1) is not (one > 0):
                other = solver.model([*literals, one], meter)
                if other is None:
                    given_up.append(soft)
                    continue
                world = other
            literals.append(one)
            kept.append(soft)
        formula = conjunction((given, *(soft.formula for soft in kept)))
        return Kept(formula, tuple(literals), Beliefs(tuple(kept), tuple(given_up)))

    def _walk(self, perspective: Perspective, given: Formula, meter: Meter | None) -> Kept | None:
        """Where knowledge or belief is given."""
        if not self._possible(perspective, f.TRUE, given, meter):
            return None
        formula = given
        kept: list[Soft] = []
        given_up: list[Soft] = []
        for soft in perspective.structure.plausibility(perspective.agent):
            if self._possible(perspective, formula, soft.formula, meter):
                formula = conjunction((formula, soft.formula))
                kept.append(soft)
            else:
                given_up.append(soft)
        return Kept(formula, None, Beliefs(tuple(kept), tuple(given_up)))

    def _possible(
        self, perspective: Perspective, kept: Formula, formula: Formula, meter: Meter | None
    ) -> bool:
        """Whether the perspective's agent considers a world with both possible."""
        refuted = f.Implies(kept, negation(formula))
        return not self._engine.all_worlds(perspective, (perspective.agent,), refuted, meter)
