"""The evaluator of the sat engine, which decides the truth of resolved formulas.

    K[i] f at s   iff   law & (what i has seen) & ~f is unsatisfiable.

Every question ends in `Evaluator.all_worlds`, which has three ways to answer:

* Facts: one call of a solver for the worlds that the agents consider possible (`world_solver`).
* Formulas about the agents' own knowledge: subformulas about it are first replaced by their truth
  (introspection).
* Formulas about the knowledge of others, and laws about knowledge: a search with lemmas
  (`modal.search`).

Common knowledge is decided by that search directly. Belief is decided by `belief`, which calls
`all_worlds` again.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING
from weakref import WeakSet

from symkripke import process_memory
from symkripke.engines.asked import undecided
from symkripke.engines.caches import AdaptiveBound
from symkripke.engines.sat.announcement_operator import opened, reduced, said, too_deep
from symkripke.engines.sat.belief import BeliefEvaluator
from symkripke.engines.sat.modal.normal_form import action_inside, normalise
from symkripke.engines.sat.solver_cache import SolverCache
from symkripke.engines.sat.tuning import DEFAULT, Tuning
from symkripke.engines.sat.world_solver import WorldSolver
from symkripke.errors import Unsupported
from symkripke.language import FALSE, TRUE, Atom, Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.walk import (
    has_actions,
    has_announcements,
    is_propositional,
    remembered,
    replace_leaves,
)
from symkripke.model import (
    ActionModel,
    EpistemicState,
    KnowledgeStructure,
    Observable,
    Perspective,
    Scene,
    evaluate,
)

if TYPE_CHECKING:
    from symkripke.engines.sat.modal.search import ModalSolver


class Evaluator:
    """An evaluator of resolved formulas at scenes, at perspectives, and at all worlds of a law.

    It keeps solvers in a `SolverCache` for each first structure.

    Attributes:
        beliefs: the evaluator of beliefs at perspectives.
    """

    def __init__(self, tuning: Tuning = DEFAULT) -> None:
        """Create an evaluator with empty caches."""
        self.tuning = tuning
        self.beliefs = BeliefEvaluator(self)
        self._caches: WeakSet[SolverCache] = WeakSet()
        self._looks = 0
        self._room_of_worlds = AdaptiveBound(tuning.size_of_worlds, tuning.looks_soon)
        self._room_of_knowledge = AdaptiveBound(tuning.size_of_knowledge, tuning.looks_soon)

    # ---- truth ---------------------------------------------------------------------------

    def truth(self, state: EpistemicState, formula: Formula) -> bool:
        """Return the truth of a formula at a scene, or at a perspective that decides it."""
        if isinstance(state, Perspective):
            if state.structure.law.is_modal:
                self.world_solver(state).require_consistent()
            return self._at_perspective(state, formula)
        return self._at_scene(state, formula)

    def valid(self, structure: KnowledgeStructure, formula: Formula) -> bool:
        """Return whether a formula is true at all worlds of the law."""
        if not self.law_solver(structure).consistent():
            return True
        onlooker = self.cache(structure).onlooker(structure)
        return self.all_worlds(onlooker, (), formula)

    def _at_perspective(self, perspective: Perspective, formula: Formula) -> bool:
        if isinstance(formula, f.K | f.M | f.B) and formula.agent == perspective.agent:
            return self._of_own_agent(perspective, formula)
        own = (perspective.agent,)
        left = self.introspected(perspective, own, formula)
        if isinstance(left, f.Constant):
            return left.value
        if self.all_worlds(perspective, own, left):
            return True
        if self.all_worlds(perspective, own, negation(left)):
            return False
        raise undecided(perspective, formula)

    def _at_scene(self, scene: Scene, formula: Formula) -> bool:
        if isinstance(formula, f.K | f.M):
            return self._modal_at_scene(scene, formula)
        if is_propositional(formula):
            return evaluate(formula, scene.world)

        def decided(leaf: Formula) -> Formula:
            if isinstance(leaf, f.Modal):
                return TRUE if self._modal_at_scene(scene, leaf) else FALSE
            return leaf

        return evaluate(replace_leaves(formula, decided), scene.world)

    def _modal_at_scene(self, scene: Scene, formula: Formula) -> bool:
        """Return the truth of a formula whose outermost operator is modal."""
        match formula:
            case f.K(agent) | f.M(agent) | f.Kw(agent) | f.Kv(agent) | f.B(agent):
                return self._of_own_agent(scene.perspective(agent), formula)
            case f.E(group, operand) | f.EB(group, operand):
                kind = f.K if isinstance(formula, f.E) else f.B
                return all(self._modal_at_scene(scene, kind(agent, operand)) for agent in group)
            case f.D(group, operand):
                perspective, solver = self.group_view(scene, group)
                return self.all_worlds(perspective, group, operand, solver)
            case f.C() | f.CB():
                modal = self.modal_solver(scene.structure)
                refuted = modal.target(normalise(negation(formula), scene.structure))
                return modal.find(modal.here(scene.world), refuted) is None
            case f.Announced(announced, then) | f.AnnouncedTrue(announced, then):
                if not self._at_scene(scene, reduced(scene.structure, announced)):
                    return isinstance(formula, f.Announced)
                after = scene.update(said(scene.structure, announced), judge=lambda *_: True)
                return self._at_scene(after, reduced(after.structure, then))
            case f.AfterAction(action, then):
                return all(
                    self._at_scene(after, reduced(after.structure, after.structure.resolve(then)))
                    for after in self.outcomes(scene, action)
                )
        raise unsupported(formula)

    def outcomes(self, scene: Scene, action: ActionModel) -> list[Scene]:
        """Return the scenes that may result from an action."""

        def judge(there: Scene, formula: Formula) -> bool:
            resolved = reduced(there.structure, there.structure.resolve(formula))
            return self._at_scene(there, resolved)

        return scene.outcomes(action, judge)

    def _of_own_agent(self, perspective: Perspective, formula: Formula) -> bool:
        """Return the truth of K, M, Kw, Kv or B for the perspective's agent."""
        own = (perspective.agent,)
        match formula:
            case f.B():
                return self.beliefs.believes(perspective, formula)
            case f.K(_, operand):
                return self.all_worlds(perspective, own, operand)
            case f.M(_, operand):
                return not self.all_worlds(perspective, own, negation(operand))
            case f.Kw(_, operand):
                return self.all_worlds(perspective, own, operand) or self.all_worlds(
                    perspective, own, negation(operand)
                )
            case f.Kv(_, fluents):
                return all(
                    any(
                        self.all_worlds(perspective, own, case)
                        for case in perspective.structure.fluents(name)
                    )
                    for name in fluents
                )
        raise unsupported(formula)

    # ---- knowledge -----------------------------------------------------------------------

    def all_worlds(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        formula: Formula,
        solver: WorldSolver | None = None,
    ) -> bool:
        """Return whether `formula` holds at all worlds that these agents consider possible.

        Args:
            perspective: the pooled observations of the agents.
            agents: the agents; an empty tuple for all worlds of the law.
            formula: the formula (resolved).
            solver: the solver for these agents; None for the solver of the perspective's agent.
        """
        bare = formula.operand if isinstance(formula, f.Not) else formula
        is_literal = isinstance(bare, Atom)
        if not is_literal and not is_propositional(formula):
            if has_announcements(formula):
                return self._all_after(perspective, agents, formula)
            if has_actions(formula):
                return self._all_after_action(perspective, agents, formula)
            left = self.introspected(perspective, agents, formula)
            if not is_propositional(left):
                return self._search(perspective, agents, left)
            formula = left
        if solver is None:
            solver = self.world_solver(perspective)
        solver.require_consistent()
        if is_literal:
            return not solver.possible(-solver.encoding.literal(formula))
        if isinstance(formula, f.And):
            return all(
                self.all_worlds(perspective, agents, part, solver) for part in formula.operands
            )
        refuted = _refuted(formula)
        if solver.found(refuted):
            return False
        return not solver.possible_together(solver.encoding.conjuncts(refuted))

    def introspected(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        formula: Formula,
    ) -> Formula:
        """Return `formula` with the agent's own knowledge and beliefs replaced by their truth.

        K[i] f has the same truth at all worlds that i considers possible. For several agents, the
        formula is returned unchanged.
        """
        if len(agents) != 1:
            return formula

        def decided(part: Formula) -> Formula:
            if isinstance(part, f.K | f.M | f.Kw | f.Kv | f.B) and part.agent == agents[0]:
                return TRUE if self._of_own_agent(perspective, part) else FALSE
            return part

        return replace_leaves(formula, decided)

    def _all_after(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        formula: Formula,
    ) -> bool:
        """Decide `all_worlds` for a formula with an announcement before common knowledge."""

        def all_have(there: Perspective, part: Formula) -> bool:
            # Look up the solver each time, because it moves on with the questions.
            return self.all_worlds(there, agents, part, self.group_solver(there, agents))

        if isinstance(formula, f.And):
            return all(all_have(perspective, part) for part in formula.operands)
        asked = opened(formula)
        if asked is None:
            raise too_deep()
        structure = perspective.structure
        can_be_said = reduced(structure, asked.left)
        if isinstance(asked, f.AnnouncedTrue) and not all_have(perspective, can_be_said):
            return False
        if all_have(perspective, negation(can_be_said)):
            return True
        after = structure.update(said(structure, asked.left))
        there = Perspective(after, perspective.agent, perspective.seen)
        return all_have(there, reduced(after, asked.right))

    def _all_after_action(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        formula: Formula,
    ) -> bool:
        """Decide `all_worlds` for a formula about the result of an action.

        The formula must be true at all worlds after the action that agree with the observations
        before it.
        """
        if isinstance(formula, f.And):
            return all(
                self.all_worlds(perspective, agents, part, self.group_solver(perspective, agents))
                for part in formula.operands
            )
        after, asked = after_step(perspective.structure, formula)
        if not self.law_solver(after).consistent():
            return True  # no world allows the action
        seen = [
            observable.atom if truth else negation(observable.atom)
            for observable, truth in self.observation(perspective, agents)
        ]
        claim = f.Implies(conjunction(seen), asked)
        return self.all_worlds(self.cache(after).onlooker(after), (), claim)

    def _search(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        formula: Formula,
    ) -> bool:
        """Decide `all_worlds` by search, for nested knowledge in the formula or in the law."""
        modal = self.modal_solver(perspective.structure)
        seen = self.observed_literals(perspective, agents)
        refuted = modal.target(normalise(negation(formula), perspective.structure))
        if modal.find(seen, refuted) is not None:
            return False
        consistent = self.cache(perspective.structure).consistent
        if perspective not in consistent:
            if modal.find(seen, modal.target(TRUE)) is None:
                self.world_solver(perspective).require_consistent()
            consistent.add(perspective)
        return True

    # ---- observations --------------------------------------------------------------------

    def group_view(self, scene: Scene, group: tuple[str, ...]) -> tuple[Perspective, WorldSolver]:
        """Return a perspective with the pooled observations of a group, and its solver."""
        members = tuple(dict.fromkeys(group))
        if len(members) == 1:
            perspective = scene.perspective(members[0])
            return perspective, self.world_solver(perspective)
        seen = frozenset(
            itertools.chain.from_iterable(scene.perspective(member).seen for member in members)
        )
        perspective = Perspective(scene.structure, members[0], seen)
        solver = self.cache(scene.structure).world_solver(perspective, tuple(sorted(members)))
        return perspective, solver

    def observed_literals(self, perspective: Perspective, agents: tuple[str, ...]) -> list[int]:
        """Return the observations of these agents, as literals of the modal solver."""
        cache = self.cache(perspective.structure)
        own = agents == (perspective.agent,)
        literals = cache.observed.get(perspective) if own else None
        if literals is None:
            literal = cache.modal_encoding.atom
            literals = [
                literal(observable.atom) if truth else -literal(observable.atom)
                for observable, truth in self.observation(perspective, agents)
            ]
            if own:
                cache.observed[perspective] = literals
        return literals

    @staticmethod
    def observation(
        perspective: Perspective, agents: tuple[str, ...]
    ) -> Iterable[tuple[Observable, bool]]:
        """Yield each atom that these agents observe, once, with its truth value."""
        done: set[Atom] = set()
        for agent in agents:
            for observable in perspective.structure.observables[agent]:
                if observable.atom not in done:
                    done.add(observable.atom)
                    yield observable, observable.atom in perspective.seen

    # ---- solvers -------------------------------------------------------------------------

    def cache(self, structure: KnowledgeStructure) -> SolverCache:
        """Return the caches shared by all structures with the same first structure."""
        caches = structure.history.engine_caches
        cache: SolverCache | None = caches.get(self)
        if cache is None:
            cache = caches[self] = SolverCache(self.tuning)
            self._caches.add(cache)
        cache.asked = self._looks
        return cache

    def evict(self) -> None:
        """Evict results if all caches together exceed their bound.

        Call this between questions only, because eviction invalidates the literals of a question.
        """
        caches = sorted(self._caches, key=lambda cache: cache.asked)
        for cache in caches[: -self.tuning.families]:
            cache.forget_worlds()
            cache.forget_knowledge()
        if self._room_of_worlds.is_outgrown(sum(cache.size_of_worlds() for cache in caches)):
            for cache in caches:
                cache.forget_worlds()
        if self._room_of_knowledge.is_outgrown(sum(cache.size_of_knowledge() for cache in caches)):
            for cache in caches:
                cache.forget_knowledge()
        self._looks += 1
        if self._looks % self.tuning.looks_a_trim == 0:
            process_memory.trim()

    def world_solver(self, perspective: Perspective) -> WorldSolver:
        """Return the solver for the worlds that the perspective's agent considers possible."""
        return self.cache(perspective.structure).world_solver(perspective)

    def group_solver(self, perspective: Perspective, agents: tuple[str, ...]) -> WorldSolver | None:
        """Return the solver for the pooled observations of two or more agents; otherwise None."""
        if len(agents) < 2:
            return None
        return self.cache(perspective.structure).world_solver(perspective, tuple(sorted(agents)))

    def law_solver(self, structure: KnowledgeStructure) -> WorldSolver:
        """Return the solver for all worlds of the law."""
        cache = self.cache(structure)
        return cache.world_solver(cache.onlooker(structure))

    def modal_solver(self, structure: KnowledgeStructure) -> ModalSolver:
        """Return the solver for nested knowledge in this structure, with its learned lemmas."""
        return self.cache(structure).modal_solver(structure)


def unsupported(formula: Formula) -> Unsupported:
    """Return the error for a kind of formula that this engine does not answer."""
    kind = type(formula).__name__
    return Unsupported(
        f"the sat engine does not answer {kind}[...]; the explicit engine does at small sizes"
    )


def after_step(
    structure: KnowledgeStructure, formula: Formula
) -> tuple[KnowledgeStructure, Formula]:
    """Return the structure after the action in `formula`, and the formula to evaluate there.

    Raise `Unsupported` unless the formula is equivalent to `a -> [action] f` with a fact a.
    """
    given: Formula = TRUE
    step = formula
    match formula:
        case f.Implies(left, right) if is_propositional(left):
            given, step = left, right
        case f.Or(parts):
            steps = [part for part in parts if not is_propositional(part)]
            given = conjunction(negation(part) for part in parts if is_propositional(part))
            step = steps[0] if len(steps) == 1 else formula
    if not isinstance(step, f.AfterAction):
        raise action_inside(formula)
    after = structure.after_action(step.action)
    happened: Formula = TRUE
    if after.history.occurrence is not None:
        happened = disjunction(map(after.history.occurrence.happened, step.action.actual))
    then = reduced(after, after.resolve(step.then))
    return after, f.Implies(conjunction((given, happened)), then)


def _refuted(formula: Formula) -> Formula:
    """Return the negation of `formula`, for a disjunction or implication as a conjunction."""
    match formula:
        case f.Or():
            return _none(formula)
        case f.Implies(left, right):
            return conjunction((left, negation(right)))
    return negation(formula)


@remembered
def _none(either: Formula) -> Formula:
    """Return the formula stating that no part of a disjunction is true."""
    return conjunction(negation(part) for part in either.operands)
