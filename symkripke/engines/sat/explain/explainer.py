"""Evidence for the answers of the sat engine.

The evidence of knowledge is a minimal set of sources. The evidence of ignorance is a world
(`Unrolling`). Boolean combinations are explained by the parts that decide them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from symkripke.engines.explainer import Asked, Explainer, is_about, is_decided_by
from symkripke.engines.sat.announcement_operator import opened, reduced, said, too_deep
from symkripke.engines.sat.bits import is_true
from symkripke.engines.sat.evaluator import Evaluator, after_step, unsupported
from symkripke.engines.sat.explain import modal_law_sources
from symkripke.engines.sat.explain.counterworlds import counter_worlds
from symkripke.engines.sat.explain.ignorance import Reasons, ignorant, publicly
from symkripke.engines.sat.explain.unrolling import Unrolling, is_one_check, prepare
from symkripke.engines.sat.modal.generalisation import closer
from symkripke.engines.sat.modal.normal_form import normalise
from symkripke.engines.sat.world_solver import WorldSolver
from symkripke.errors import InputError, Unsupported
from symkripke.explain.evidence import (
    AfterAnnouncement,
    Combined,
    CounterWorld,
    Evidence,
    IgnoranceOfOthers,
    Known,
    Possible,
    Source,
)
from symkripke.explain.sources import (
    believed,
    seen,
    seen_in_group,
    whole_law,
)
from symkripke.language import TRUE, Formula, negation
from symkripke.language import formulas as f
from symkripke.language.reduction import reduce_announcements
from symkripke.language.walk import (
    has_actions,
    has_announcements,
    has_beliefs,
    is_propositional,
    leaves,
    negation_normal_form,
    subformulas,
)
from symkripke.limits import SearchAborted, trial
from symkripke.model import EpistemicState, KnowledgeStructure, Perspective, Scene, Soft, evaluate


class SatExplainer(Explainer[EpistemicState]):
    """A finder of evidence for the answers of an evaluator, within a budget.

    One search finds either sources or a world. So `known` returns both kinds, and `shown` returns
    None.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        structure: KnowledgeStructure,
        here: Scene | None = None,
    ) -> None:
        """Create an explainer that uses `evaluator` for the truth of parts.

        `here` is the scene of the question, to which counter-worlds are made similar.
        """
        super().__init__(structure)
        self._evaluator = evaluator
        self._here = here

    @classmethod
    def at(cls, evaluator: Evaluator, state: EpistemicState) -> SatExplainer:
        """Return an explainer for questions at `state`."""
        here = state if isinstance(state, Scene) else None
        return cls(evaluator, state.structure, here)

    def evidence(self, place: EpistemicState, formula: Formula) -> Evidence:
        """See `Explainer.evidence`. Announcements, actions and perspectives are treated first."""
        if has_announcements(formula) and not self._is_open(place, formula):
            # An announcement inside an operator is reduced.
            formula = reduced(self.structure, formula)
        if isinstance(formula, f.Announced | f.AnnouncedTrue):
            return self._after(place, formula)
        if isinstance(formula, f.AfterAction) and isinstance(place, Scene):
            return self._after_action(place, formula)
        if isinstance(place, Perspective) and not is_decided_by(formula, place.agent):
            return self._settled(place, formula)
        return super().evidence(place, formula)

    # ---- methods for the base class -----------------------------------------------------------

    def truth(self, place: EpistemicState, formula: Formula) -> bool:
        """See `Explainer.truth`; a perspective must decide the formula."""
        if has_announcements(formula):
            formula = reduced(self.structure, formula)
        return self._evaluator.truth(place, formula)

    def refused(self, formula: Formula, truth: bool | None) -> Unsupported:
        """See `Explainer.refused`."""
        return unsupported(formula)

    def known(self, place: EpistemicState, asked: Asked) -> Evidence:
        """See `Explainer.known`."""
        if not isinstance(asked.formula, f.D):
            perspective = _own(place, asked.agents[0])
        elif isinstance(place, Scene):
            perspective, _ = self._evaluator.group_view(place, asked.agents)
        else:
            raise unsupported(asked.formula)
        return self.all_worlds(perspective, asked)

    def believed(self, place: EpistemicState, formula: f.B) -> Evidence:
        """Return the sources of a belief, including soft constraints, or a most plausible world."""
        perspective = _own(place, formula.agent)
        given = formula.given
        kept = self._evaluator.beliefs.most_plausible(perspective, given)
        if kept is None:
            known = f.K(perspective.agent, negation(given))
            return Combined(formula, True, (self.evidence(perspective, known),))
        operand = formula.operand if given is TRUE else f.Implies(given, formula.operand)
        asked = Asked((perspective.agent,), operand, formula)
        return self.all_worlds(perspective, asked, kept.beliefs.kept)

    def common(self, place: EpistemicState, formula: f.C | f.CB) -> Evidence | None:
        """Return sources of the operand, or a shortest path to a world at which it is false.

        Return None at a perspective.
        """
        if not isinstance(place, Scene):
            return None
        structure = place.structure
        modal = self._evaluator.modal_solver(structure)
        target = modal.target(normalise(negation(formula), structure))
        world = modal.find(modal.here(place.world), target)
        if world is None:
            return self._by_group(place, formula)
        (_, *steps) = counter_worlds(modal, world, target, ())
        if not steps:
            return Combined(formula, False, (self.evidence(place, formula.operand),))
        # Omit the first world, which is the actual one.
        steps = [replace(step, origin=(step.origin or 0) - 1) for step in steps]
        return Possible(formula, False, as_asked(steps, negation(formula.operand), structure))

    # ---- announcements, and what a perspective decides ------------------------------------------

    def _is_open(self, state: EpistemicState, formula: Formula) -> bool:
        """Return whether to explain an announcement, or a combination with one, without reduction.

        At a perspective, the agent must know whether the announcement could be made.
        """
        if not isinstance(formula, f.Announced | f.AnnouncedTrue):
            return not isinstance(formula, f.Modal)
        if isinstance(state, Scene):
            return True
        said = reduce_announcements(formula.left, state.structure.fluents)
        return is_decided_by(said, state.agent)

    def _after(self, state: EpistemicState, formula: f.Announced | f.AnnouncedTrue) -> Evidence:
        """Return evidence for or against [!a] f: evidence against a, or about f afterwards."""
        announced = formula.left
        reason = self.evidence(state, announced)
        if not reason.truth:
            truth = isinstance(formula, f.Announced)
            return AfterAnnouncement(formula, truth, announced, said=False, reason=reason)
        event = said(state.structure, announced)
        if isinstance(state, Scene):
            after: EpistemicState = state.update(event, judge=lambda *_: True)
        else:
            after = state.update(event)
        reason = SatExplainer.at(self._evaluator, after).evidence(after, formula.right)
        return AfterAnnouncement(formula, reason.truth, announced, said=True, reason=reason)

    def _after_action(self, scene: Scene, formula: f.AfterAction) -> Evidence:
        """Return the evidence after each possible event, or after one that refutes the formula."""
        reasons: list[Evidence] = []
        for after in self._evaluator.outcomes(scene, formula.action):
            explainer = SatExplainer.at(self._evaluator, after)
            then = reduced(after.structure, after.structure.resolve(formula.then))
            reason = explainer.evidence(after, then)
            if not reason.truth:
                return Combined(formula, False, (reason,))
            reasons.append(reason)
        return Combined(formula, True, tuple(reasons))

    def _all_after_action(
        self, perspective: Perspective, asked: Asked, given: Sequence[Source]
    ) -> Evidence:
        """Return the evidence of `all_worlds` for a formula about the result of an action."""
        if isinstance(asked.operand, f.And):
            agents = asked.agents
            return _of_parts(
                asked,
                lambda part: self.all_worlds(perspective, Asked(agents, part, f.D(agents, part))),
            )
        after, then = after_step(perspective.structure, asked.operand)
        onlooker = self._evaluator.cache(after).onlooker(after)
        explainer = SatExplainer(self._evaluator, after)
        return explainer._of_worlds(onlooker, replace(asked, operand=then), given)

    def _all_after(self, perspective: Perspective, asked: Asked) -> Evidence:
        """Return the evidence of `all_worlds` for a formula with announcements."""
        agents, formula, truth = asked.agents, asked.formula, asked.if_known

        def why(there: Perspective, part: Formula) -> Evidence:
            known = Asked(agents, part, f.D(agents, part) if agents else part)
            explainer = SatExplainer(self._evaluator, there.structure)
            return explainer.all_worlds(there, known)

        if isinstance(asked.operand, f.And):
            return _of_parts(asked, lambda part: why(perspective, part))
        step = opened(asked.operand)
        if step is None:
            raise too_deep()
        structure = perspective.structure
        can_be = reduced(structure, step.left)

        def all_have(part: Formula) -> bool:
            solver = self._evaluator.group_solver(perspective, agents)
            return self._evaluator.all_worlds(perspective, agents, part, solver)

        if isinstance(step, f.AnnouncedTrue) and not all_have(can_be):
            reason = why(perspective, can_be)
            return AfterAnnouncement(formula, not truth, step.left, said=False, reason=reason)
        if all_have(negation(can_be)):
            reason = why(perspective, negation(can_be))
            return AfterAnnouncement(formula, truth, step.left, said=False, reason=reason)
        later = structure.update(said(structure, step.left))
        there = Perspective(later, perspective.agent, perspective.seen)
        reason = why(there, reduced(later, step.right))
        return AfterAnnouncement(
            formula, reason.truth is truth, step.left, said=True, reason=reason
        )

    def _settled(self, state: Perspective, formula: Formula) -> Evidence:
        """Return the evidence that the agent knows `formula`, or knows that it is false."""
        truth = self.truth(state, formula)
        known = f.K(state.agent, formula if truth else negation(formula))
        return Combined(formula, truth, (self.evidence(state, known),))

    # ---- sources and worlds ---------------------------------------------------------------------

    def _by_group(self, scene: Scene, formula: f.C | f.CB) -> Evidence:
        """Return sources of common knowledge or common belief in a group.

        The sources are facts that are themselves common knowledge or belief. The observations that
        all members share are tried first, then observations of single members as well, and for
        common belief also soft constraints. If the operand does not follow from such facts, the
        whole law and all observations are one source.
        """
        structure = scene.structure
        if isinstance(formula, f.CB):
            known = f.C(formula.group, formula.operand)
            if self.truth(scene, known):
                return replace(self._by_group(scene, known), formula=formula)

        def is_common(fact: Formula) -> bool:
            return self.truth(scene, formula.rebuild((fact,)))

        seen = list(
            seen_in_group(structure, formula.group, lambda atom: evaluate(atom, scene.world))
        )
        shared = [source for source in seen if not source.observers]
        evidence = self._by_facts(scene, formula, shared)
        if evidence is None:
            given = [source for source in seen if not source.observers or is_common(source.formula)]
            if isinstance(formula, f.CB):
                soft = list(structure.soft)
                given += believed(structure, (one for one in soft if is_common(one.formula)))
            evidence = self._by_facts(scene, formula, given)
        if evidence is None:
            evidence = Known(formula, (whole_law(structure, seen),))
        return evidence

    def _by_facts(
        self, scene: Scene, formula: f.C | f.CB, given: Sequence[Source]
    ) -> Evidence | None:
        """Return sources of the operand of common knowledge or belief, from the law and `given`.

        Return None if they do not prove it.
        """
        structure, operand = scene.structure, formula.operand
        asked = Asked(formula.group, operand, formula)
        if not structure.law.is_modal and not has_beliefs(operand):
            sources = self._refuted(structure, given, operand)
            if sources is not None:
                return Known(formula, sources)
        if is_propositional(operand):
            return self._by_clauses(structure, asked, given) if structure.law.is_modal else None
        modal = self._evaluator.modal_solver(structure)
        literals = [modal.target(source.formula).literal for source in given]
        target = modal.target(normalise(negation(operand), structure))
        if modal.find(literals, target) is not None:
            return None
        return self._by_ignorance(scene, asked, given)

    def _refuted(
        self, structure: KnowledgeStructure, given: Sequence[Source], operand: Formula
    ) -> tuple[Source, ...] | None:
        """Return minimal sources of `operand`, which may mention common knowledge.

        Return None if it does not follow from the law and `given`.
        """
        unrolling = self._unrolling(structure, given, operand, shared=True)
        return None if unrolling is None or unrolling.satisfiable() else unrolling.sources()

    def _unrolling(
        self,
        structure: KnowledgeStructure,
        given: Sequence[Source],
        operand: Formula,
        agents: tuple[str, ...] = (),
        *,
        shared: bool = False,
    ) -> Unrolling | None:
        """Return the unrolled question of whether `operand` can be false; None if that fails.

        With `shared`, common knowledge may be replaced by the consequences of shared observations.
        """
        refuted = prepare(negation(operand))
        if not is_one_check(structure, refuted, shared=shared):
            return None
        encoding = self._evaluator.law_solver(structure).encoding
        seen = [(encoding.literal(source.formula), source) for source in given]
        return Unrolling.of(encoding, structure, seen, refuted, agents)

    def all_worlds(
        self, perspective: Perspective, asked: Asked, kept: Iterable[Soft] | None = None
    ) -> Evidence:
        """Return evidence for or against the operand at all worlds considered possible.

        If `kept` is given, only the worlds at which these soft constraints are true are considered.
        """
        agents, operand, structure = asked.agents, asked.operand, perspective.structure
        if has_announcements(operand):
            return self._all_after(perspective, asked)
        given = [
            *(
                seen(structure, agents, observable, truth)
                for observable, truth in self._evaluator.observation(perspective, agents)
            ),
            *believed(structure, kept or ()),
        ]
        if has_actions(operand):
            return self._all_after_action(perspective, asked, given)
        settled = self._evaluator.introspected(perspective, agents, operand)
        evidence = self._of_worlds(perspective, replace(asked, operand=settled), given)
        if isinstance(evidence, Possible) and kept is not None:
            first = replace(evidence.worlds[0], plausible=True)
            evidence = replace(evidence, worlds=(first, *evidence.worlds[1:]))
        if settled is operand:
            return evidence
        # The parts about the agent's own knowledge were replaced by their truth, so explain them,
        # too.
        own = [part for part in leaves(operand) if is_about(part, agents[0])]
        reasons = [self.evidence(perspective, part) for part in own]
        rest = [] if isinstance(settled, f.Constant) else [evidence]
        return Combined(asked.formula, evidence.truth, (*rest, *reasons))

    def _of_worlds(
        self, perspective: Perspective, asked: Asked, given: Sequence[Source]
    ) -> Evidence:
        """Return sources or worlds, by one satisfiability check if possible, or else by search."""
        structure, operand = perspective.structure, asked.operand
        unrolling = self._unrolling(structure, given, operand, asked.agents)
        if unrolling is None:
            known = None
            if not structure.law.is_modal and not has_beliefs(operand):
                known = self._refuted(structure, given, operand)
            if known is not None:
                return Known(asked.formula, known, asked.if_known)
            if is_propositional(operand):
                return self._by_worlds(perspective, asked, given)
            return self._by_search(perspective, asked, given)
        if unrolling.satisfiable():
            unrolling.approach(None if self._here is None else self._here.world)
            return _possible(asked, unrolling.worlds(), structure)
        return Known(asked.formula, unrolling.sources(), asked.if_known)

    def _by_search(
        self, perspective: Perspective, asked: Asked, given: Sequence[Source]
    ) -> Evidence:
        """Return sources or worlds for nested K and M, or for belief.

        One more constraint could end an agent's ignorance, so no part of the law proves it. The
        sources are the reason that `ignorance` finds, or the whole law and a few of the agents'
        observations.
        """
        structure = perspective.structure
        modal = self._evaluator.modal_solver(structure)
        target = modal.target(normalise(negation(asked.operand), structure))
        guards = [modal.target(source.formula).literal for source in given]
        world = modal.find(guards, target)
        if world is None:
            return self._by_ignorance(perspective, asked, given)
        if self._here is not None:
            # Make the world as similar to the actual one as possible.
            here = modal.bits(self._here.world)
            world, _ = closer(modal, modal.law, here, world, guards, target)
        worlds = counter_worlds(modal, world, target, asked.agents)
        return _possible(asked, worlds, structure)

    def _by_ignorance(
        self, state: EpistemicState, asked: Asked, given: Sequence[Source]
    ) -> Evidence:
        """Return evidence that the operand, which may be about others, follows from `given`."""
        structure, operand = state.structure, asked.operand
        nobody = Perspective(structure, "", frozenset())
        left, facts = publicly(operand, lambda fact: self._evaluator.all_worlds(nobody, (), fact))
        if left is TRUE and facts:
            parts = [
                self.all_worlds(nobody, Asked((), fact, f.C(structure.agents, fact)))
                for fact in facts
            ]
            return Combined(asked.formula, asked.if_known, tuple(parts))
        known = _if_known(operand)
        if known is not None:
            # Knowledge implies belief, and consequences of the law are common knowledge.
            fact = replace(asked, operand=_innermost(known))
            if structure.law.is_modal:
                proved = self._by_clauses(structure, fact, ())
            else:
                refutation = self._refuted(structure, given, known)
                proved = (
                    None if refutation is None else Known(asked.formula, refutation, asked.if_known)
                )
            if proved is not None:
                return proved
        claim = operand
        while isinstance(claim, f.K | f.C):
            claim = claim.operand
        reason, others = None, None
        reasons = Reasons(self._evaluator, structure, given, operand)
        who = ignorant(normalise(claim, structure))
        if who:
            reason = reasons.find()
            exchanges = None if reason is None else reason.exchanges
            others = IgnoranceOfOthers(who, self._example(state, claim), exchanges)
        if reason is not None:
            sources = reason.sources
        else:
            sources = (*reasons.needed(), whole_law(structure))
        return Known(asked.formula, sources, asked.if_known, others)

    def _example(self, state: EpistemicState, operand: Formula) -> Evidence | None:
        """Explain why the operand is true at the actual world, or else at a possible world."""
        if self._here is not None:
            return self.evidence(self._here, operand)
        if isinstance(state, Scene) or not state.agent:
            return None
        return self.evidence(state, f.M(state.agent, operand))

    def _by_worlds(
        self, perspective: Perspective, asked: Asked, given: Sequence[Source]
    ) -> Evidence:
        """Return sources of a fact, or a counter-world, for a law that mentions knowledge."""
        structure = perspective.structure
        solver = self._evaluator.law_solver(structure)
        guards = {solver.encoding.literal(source.formula): source for source in given}
        refuted = solver.encoding.literal(negation(asked.operand))
        world = solver.find([*guards, refuted])
        if world is not None:
            world = self._like_here(solver, world, [*guards, refuted])
            shows = negation_normal_form(negation(asked.operand))
            step = CounterWorld(asked.agents, solver.encoding.world(structure, world), shows)
            return Possible(asked.formula, asked.dual, (step,))
        known = self._by_clauses(structure, asked, given)
        assert known is not None
        return known

    def _by_clauses(
        self, structure: KnowledgeStructure, asked: Asked, given: Sequence[Source]
    ) -> Known | None:
        """Return sources of a fact for a law that mentions knowledge, or None.

        The whole law is a source if the clauses found for these constraints do not prove the fact.
        The result is None if the law and `given` do not prove the fact.
        """
        solver = self._evaluator.law_solver(structure)
        guards = {solver.encoding.literal(source.formula): source for source in given}
        refuted = solver.encoding.literal(negation(asked.operand))
        if solver.find([*guards, refuted]) is not None:
            return None
        cache = self._evaluator.cache(structure)
        sources = modal_law_sources.sources(cache, structure, guards, refuted)
        if sources is None:
            needed = solver.minimal(list(guards), refuted)
            sources = (*(guards[literal] for literal in needed), whole_law(structure))
        return Known(asked.formula, sources, asked.if_known)

    def _like_here(self, solver: WorldSolver, world: int, kept: list[int]) -> int:
        """Return a world with the literals `kept` that is made similar to the actual world."""
        if self._here is None:
            return world
        with suppress(SearchAborted), trial(self._evaluator.tuning.reason_work):
            for name, fluent in solver.structure.vocabulary.fluents.items():
                literal = solver.encoding.literal(fluent.equals(self._here.world[name]))
                if is_true(literal, world):
                    kept = [*kept, literal]
                    continue
                other = solver.find([*kept, literal])
                if other is not None:
                    world, kept = other, [*kept, literal]
        return world


def as_asked(
    worlds: Iterable[CounterWorld], asked: Formula, structure: KnowledgeStructure
) -> tuple[CounterWorld, ...]:
    """Return the worlds of a chain, showing formulas as written in `asked` if possible."""
    forms: dict[Formula, Formula] = {}
    for part in subformulas(asked):
        if not is_propositional(part):
            for signed in (part, negation(part)):
                forms.setdefault(prepare(signed), signed)
                forms.setdefault(negation_normal_form(normalise(signed, structure)), signed)
    return tuple(replace(step, shows=forms.get(step.shows, step.shows)) for step in worlds)


def _of_parts(asked: Asked, why: Callable[[Formula], Evidence]) -> Evidence:
    """Explain whether a conjunction is true at all worlds, by all its parts or by a false one."""
    reasons: list[Evidence] = []
    for part in asked.operand.operands:
        reasons.append(why(part))
        if not reasons[-1].truth:
            return Combined(asked.formula, not asked.if_known, (reasons[-1],))
    return Combined(asked.formula, asked.if_known, tuple(reasons))


def _if_known(formula: Formula) -> Formula | None:
    """Return the chain of operators before a fact with belief replaced by knowledge.

    The result implies the formula. Return None if the formula is not such a chain.
    """
    match formula:
        case f.B(agent, operand, given):
            inner = _if_known(operand if given is TRUE else f.Implies(given, operand))
            return None if inner is None else f.K(agent, inner)
        case f.EB(group, operand) | f.CB(group, operand):
            inner = _if_known(operand)
            kind = f.E if isinstance(formula, f.EB) else f.C
            return None if inner is None else kind(group, inner)
        case f.K() | f.E() | f.D() | f.C():
            inner = _if_known(formula.operand)
            return None if inner is None else formula.rebuild((inner,))
    return formula if is_propositional(formula) else None


def _innermost(chain: Formula) -> Formula:
    """Return the fact at the end of a chain of knowledge operators."""
    while isinstance(chain, f.K | f.E | f.D | f.C):
        chain = chain.operand
    return chain


def _possible(
    asked: Asked, worlds: Iterable[CounterWorld], structure: KnowledgeStructure
) -> Possible:
    return Possible(asked.formula, asked.dual, as_asked(worlds, negation(asked.operand), structure))


def _own(state: EpistemicState, agent: str) -> Perspective:
    """Return the perspective of `agent` at `state`.

    Raise `InputError` if `state` is the perspective of another agent.
    """
    if isinstance(state, Scene):
        return state.perspective(agent)
    if state.agent != agent:
        raise InputError(f"this is what {state.agent} has seen, not {agent}")
    return state
