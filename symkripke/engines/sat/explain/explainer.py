"""Why the sat engine answers as it does: evidence, put together from chains.

What is known has minimal sources, what is not has worlds (`Chain`); Boolean combinations are
explained by the parts that decide them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from symkripke.engines.sat.announcement_operator import opened, reduced, said, too_deep
from symkripke.engines.sat.evaluator import Evaluator, unsupported
from symkripke.engines.sat.explain import modal_law_sources
from symkripke.engines.sat.explain.counterworlds import chain
from symkripke.engines.sat.explain.ignorance import Reasons, ignorant, needed_of, publicly, short_of
from symkripke.engines.sat.explain.unrolling import Chain, MixedPolarity, prepare
from symkripke.engines.sat.modal.generalisation import closer
from symkripke.engines.sat.modal.normal_form import normalise
from symkripke.engines.sat.world_solver import Meter, WorldSolver
from symkripke.errors import BudgetExceeded, InputError
from symkripke.explain.evidence import (
    After,
    Combined,
    CounterWorld,
    Evidence,
    Fact,
    Known,
    Others,
    Possible,
    Source,
)
from symkripke.explain.sources import believed, seen, seen_by_all, whole_law
from symkripke.language import TRUE, Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.reduction import reduce_announcements
from symkripke.language.walk import (
    has_announcements,
    has_beliefs,
    is_propositional,
    leaves,
    negation_normal_form,
    subformulas,
)
from symkripke.model import (
    KnowledgeStructure,
    Perspective,
    Scene,
    Soft,
    State,
    evaluate,
)


class Explainer:
    """Finds evidence for what an evaluator answers, within a budget."""

    def __init__(self, evaluator: Evaluator, meter: Meter | None) -> None:
        """An explainer that asks `evaluator` again where it needs the truth of a part."""
        self._evaluator = evaluator
        self._meter = meter
        self._here: Scene | None = None
        """The scene that was asked about: counter-worlds are to be like it."""

    def evidence(self, state: State, formula: Formula) -> Evidence:
        """Why `formula` (resolved) has the truth that it has at `state`."""
        if isinstance(state, Scene):
            self._here = state
        if has_announcements(formula) and not self._is_open(state, formula):
            # What is announced to somebody's mind only: as it is without announcements.
            formula = reduced(state.structure, formula)
        if isinstance(formula, f.Announced | f.AnnouncedTrue):
            return self._after(state, formula)
        if isinstance(state, Perspective) and not _is_decided_by(formula, state.agent):
            return self._settled(state, formula)
        if is_propositional(formula) and isinstance(state, Scene):
            return Fact(formula, evaluate(formula, state.world))
        match formula:
            case f.K(agent, f.And(operands)):
                # To know a conjunction is to know its parts: each has reasons of its own.
                known = [f.K(agent, part) for part in operands]
                return self._parts(state, formula, known, all)
            case f.K(agent, inner) | f.M(agent, inner) if _is_about(inner, agent):
                # Introspection: what one knows of one's own knowledge is that knowledge.
                reason = self.evidence(state, inner)
                return Combined(formula, reason.truth, (reason,))
            case f.K(agent, f.C() as common) if agent in common.group and isinstance(state, Scene):
                # Who is of the group knows what is common knowledge to it.
                return replace(self.evidence(state, common), formula=formula)
            case f.K(agent, f.M(_, operand)) if self._knows(state, agent, operand):
                # What is so is possible to everybody.
                reason = self.evidence(state, f.K(agent, operand))
                return Combined(formula, True, (reason,))
            case f.K(agent, f.Not(f.K(_, operand))) if self._knows(state, agent, negation(operand)):
                # What is not so is known to nobody.
                reason = self.evidence(state, f.K(agent, negation(operand)))
                return Combined(formula, True, (reason,))
            case f.M(agent, f.K(_, operand)) if self._knows(state, agent, negation(operand)):
                reason = self.evidence(state, f.K(agent, negation(operand)))
                return Combined(formula, False, (reason,))
            case f.K(agent, operand):
                return self.all_worlds(_own(state, agent), (agent,), operand, formula)
            case f.M(agent, operand):
                return self.all_worlds(
                    _own(state, agent), (agent,), negation(operand), formula, dual=True
                )
            case f.B(agent, f.And(operands), given):
                believed = [f.B(agent, part, given) for part in operands]
                return self._parts(state, formula, believed, all)
            case f.B(agent, inner, f.TRUE) if _is_about(inner, agent):
                reason = self.evidence(state, inner)
                return Combined(formula, reason.truth, (reason,))
            case f.B():
                return self._belief(_own(state, formula.agent), formula)
            case f.D(group, operand) if isinstance(state, Scene):
                perspective, _ = self._evaluator.group_view(state, group)
                return self.all_worlds(perspective, group, operand, formula)
            case f.C() | f.CB() if isinstance(state, Scene):
                return self._common(state, formula)
            case f.E(group, operand):
                return self._parts(state, formula, [f.K(one, operand) for one in group], all)
            case f.EB(group, operand):
                return self._parts(state, formula, [f.B(one, operand) for one in group], all)
            case f.Kw(agent, operand):
                either = [f.K(agent, operand), f.K(agent, negation(operand))]
                return self._parts(state, formula, either, any)
            case f.Kv(agent, (name,)):
                cases = state.structure.fluents(name)
                return self._value(state, agent, formula, cases)
            case f.Kv(agent, fluents):
                values = [f.Kv(agent, (name,)) for name in fluents]
                return self._parts(state, formula, values, all)
            case f.Not(operand):
                reason = self.evidence(state, operand)
                return Combined(formula, not reason.truth, (reason,))
            case f.And(operands):
                return self._parts(state, formula, operands, all)
            case f.Or(operands):
                return self._parts(state, formula, operands, any)
            case f.Implies(left, right):
                return self._parts(state, formula, (negation(left), right), any)
            case f.Iff() | f.Cardinality():
                reasons = tuple(self.evidence(state, part) for part in formula.operands)
                truth = self._truth(state, formula)
                return Combined(formula, truth, reasons)
        raise unsupported(formula)

    def _is_open(self, state: State, formula: Formula) -> bool:
        """Whether it is an announcement, or a Boolean combination with one, that is decided here.

        At a perspective, one is if the agent knows whether that could be announced.
        """
        if not isinstance(formula, f.Announced | f.AnnouncedTrue):
            return not isinstance(formula, f.MODAL)
        if isinstance(state, Scene):
            return True
        said = reduce_announcements(formula.left, state.structure.fluents)
        return _is_decided_by(said, state.agent)

    def _after(self, state: State, formula: f.Announced | f.AnnouncedTrue) -> Evidence:
        """Of an announcement: why it cannot be made; or what there is to say after it."""
        announced = formula.left
        reason = self.evidence(state, announced)
        if not reason.truth:
            truth = isinstance(formula, f.Announced)
            return After(formula, truth, announced, said=False, reason=reason)
        event = said(state.structure, announced)
        if isinstance(state, Scene):
            after: State = state.update(event, judge=lambda *_: True)
        else:
            after = state.update(event)
        reason = Explainer(self._evaluator, self._meter).evidence(after, formula.right)
        return After(formula, reason.truth, announced, said=True, reason=reason)

    def _all_after(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        operand: Formula,
        formula: Formula,
        *,
        dual: bool,
    ) -> Evidence:
        """The same as `all_worlds` for what has announcements in it."""
        if isinstance(operand, f.And):
            reasons = []
            for part in operand.operands:
                known = f.D(agents, part) if agents else part
                reasons.append(self.all_worlds(perspective, agents, part, known))
                if not reasons[-1].truth:
                    return Combined(formula, dual, (reasons[-1],))
            return Combined(formula, not dual, tuple(reasons))
        asked = opened(operand)
        if asked is None:
            raise too_deep()
        structure = perspective.structure
        can_be = reduced(structure, asked.left)

        def why(there: Perspective, part: Formula) -> Evidence:
            explainer = Explainer(self._evaluator, self._meter)
            return explainer.all_worlds(there, agents, part, f.D(agents, part) if agents else part)

        def all_have(part: Formula) -> bool:
            solver = self._evaluator.group_solver(perspective, agents)
            return self._evaluator.all_worlds(perspective, agents, part, self._meter, solver)

        if isinstance(asked, f.AnnouncedTrue) and not all_have(can_be):
            return After(formula, dual, asked.left, said=False, reason=why(perspective, can_be))
        if all_have(negation(can_be)):
            reason = why(perspective, negation(can_be))
            return After(formula, not dual, asked.left, said=False, reason=reason)
        later = structure.update(said(structure, asked.left))
        there = Perspective(later, perspective.agent, perspective.seen)
        reason = why(there, reduced(later, asked.right))
        return After(formula, reason.truth is not dual, asked.left, said=True, reason=reason)

    def _settled(self, state: Perspective, formula: Formula) -> Evidence:
        """What the agent has seen decides `formula`: it knows it, or it knows that it is false."""
        truth = self._truth(state, formula)
        known = f.K(state.agent, formula if truth else negation(formula))
        return Combined(formula, truth, (self.evidence(state, known),))

    def _belief(self, perspective: Perspective, formula: f.B) -> Evidence:
        """What a belief rests on, beside what is known: soft constraints; or a plausible world."""
        own, given = (perspective.agent,), formula.given
        kept = self._evaluator.beliefs.most_plausible(perspective, given, self._meter)
        if kept is None:
            known = f.K(perspective.agent, negation(given))
            return Combined(formula, True, (self.evidence(perspective, known),))
        operand = formula.operand if given is TRUE else f.Implies(given, formula.operand)
        return self.all_worlds(perspective, own, operand, formula, kept=kept.beliefs.kept)

    def _common(self, scene: Scene, formula: f.C | f.CB) -> Evidence:
        """A shortest way to a world without the formula; or that there is none."""
        structure = scene.structure
        modal = self._evaluator.modal_solver(structure)
        target = modal.target(normalise(negation(formula), structure))
        world = modal.find(modal.here(scene.world), target, self._meter)
        if world is None:
            shared = self._by_shared(scene, formula)
            if shared is not None:
                return shared
            whole = [whole_law(structure), *_all_soft(formula, structure)]
            return Known(formula, tuple(whole))
        (_, *steps) = chain(modal, world, target, (), self._meter)
        if not steps:
            return Combined(formula, False, (self.evidence(scene, formula.operand),))
        # The first world is the actual one: from there on.
        steps = [replace(one, origin=(one.origin or 0) - 1) for one in steps]
        return Possible(formula, False, as_asked(steps, negation(formula.operand), structure))

    def _by_shared(self, scene: Scene, formula: f.C | f.CB) -> Evidence | None:
        """Common knowledge by what all of the group see, and the law, if these suffice."""
        structure, operand = scene.structure, formula.operand
        given = list(seen_by_all(scene, formula.group))
        if not structure.is_modal and not has_beliefs(operand):
            found = self._refuted(structure, given, operand)
            if found is not None:
                return Known(formula, found)
        if is_propositional(operand):
            return None
        modal = self._evaluator.modal_solver(structure)
        literals = [modal.target(source.formula).literal for source in given]
        target = modal.target(normalise(negation(operand), structure))
        if modal.find(literals, target, self._meter) is not None:
            return None
        return self._by_ignorance(scene, formula, True, operand, given)

    def _refuted(
        self,
        structure: KnowledgeStructure,
        given: Sequence[Source],
        operand: Formula,
    ) -> tuple[Source, ...] | None:
        """Minimal sources of `operand`, which may speak of common knowledge.

        None if it does not follow, or not from what a group sees together.
        """
        encoding = self._evaluator.law_solver(structure).encoding
        stated = [(encoding.literal(source.formula), source) for source in given]
        refuted = prepare(negation(operand))
        try:
            chain = Chain(encoding, structure, stated, refuted, guarded=True, shared=True)
        except MixedPolarity:
            return None
        return None if chain.satisfiable(self._meter) else chain.sources(self._meter)

    def _knows(self, state: State, agent: str, formula: Formula) -> bool:
        """Whether the agent knows a fact."""
        return is_propositional(formula) and self._truth(state, f.K(agent, formula))

    def _truth(self, state: State, formula: Formula) -> bool:
        if has_announcements(formula):
            formula = reduced(state.structure, formula)
        return bool(self._evaluator.truth(state, formula, self._meter))

    def _parts(
        self,
        state: State,
        formula: Formula,
        parts: Sequence[Formula],
        join: Callable[[Iterable[bool]], bool],
    ) -> Evidence:
        """The parts that decide a conjunction (`join` is all) or disjunction (any)."""
        truths = [self._truth(state, part) for part in parts]
        truth = join(truths)
        decided_by_one = (join is any) is truth
        chosen = [part for part, true in zip(parts, truths, strict=True) if true is truth]
        shown = chosen[:1] if decided_by_one else chosen
        return Combined(formula, truth, tuple(self.evidence(state, part) for part in shown))

    def _value(
        self,
        state: State,
        agent: str,
        formula: Formula,
        cases: tuple[Formula, ...],
    ) -> Evidence:
        perspective = _own(state, agent)
        for case in cases:
            if self._evaluator.all_worlds(perspective, (agent,), case, self._meter):
                return Combined(formula, True, (self.evidence(state, f.K(agent, case)),))
        open_cases = [
            f.M(agent, case)
            for case in cases
            if not self._evaluator.all_worlds(perspective, (agent,), negation(case), self._meter)
        ]
        parts = tuple(self.evidence(state, part) for part in open_cases[:2])
        return Combined(formula, False, parts)

    def all_worlds(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        operand: Formula,
        formula: Formula,
        *,
        dual: bool = False,
        kept: Iterable[Soft] | None = None,
    ) -> Evidence:
        """Why `operand` holds at all worlds that the agents consider possible, or does not.

        `dual`: `formula`, the one to be explained, is true if `operand` fails somewhere. `kept`: of
        these worlds, only the most plausible ones count, at which these soft constraints hold.
        """
        if has_announcements(operand):
            return self._all_after(perspective, agents, operand, formula, dual=dual)
        settled = self._evaluator.introspected(perspective, agents, operand, self._meter)
        given = [*self._seen(perspective, agents), *believed(perspective.structure, kept or ())]
        try:
            found = self._by_chain(perspective, agents, settled, formula, dual, given)
        except MixedPolarity:
            known = None
            if not perspective.structure.is_modal and not has_beliefs(settled):
                known = self._refuted(perspective.structure, given, settled)
            if known is not None:
                found = Known(formula, known, not dual)
            else:
                found = self._by_search(perspective, agents, settled, formula, dual, given)
        if isinstance(found, Possible) and kept is not None:
            first = replace(found.worlds[0], plausible=True)
            found = replace(found, worlds=(first, *found.worlds[1:]))
        if settled is operand:
            return found
        # What the agent knows of its own knowledge has been put in: it has reasons of its own.
        own = [part for part in leaves(operand) if _is_about(part, agents[0])]
        reasons = [self.evidence(perspective, part) for part in own]
        rest = [] if isinstance(settled, f.Constant) else [found]
        return Combined(formula, found.truth, (*rest, *reasons))

    def _by_chain(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        operand: Formula,
        formula: Formula,
        dual: bool,
        given: Sequence[Source],
    ) -> Evidence:
        """By one satisfiability check: with sources down to each constraint."""
        structure = perspective.structure
        encoding = self._evaluator.law_solver(structure).encoding
        stated = [(encoding.literal(source.formula), source) for source in given]
        refuted = prepare(negation(operand))
        chain = Chain(encoding, structure, stated, refuted, agents, guarded=True)
        if chain.satisfiable(self._meter):
            chain.approach(None if self._here is None else self._here.world, self._meter)
            return Possible(formula, dual, as_asked(chain.worlds(), negation(operand), structure))
        return Known(formula, chain.sources(self._meter), not dual)

    def _by_search(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        operand: Formula,
        formula: Formula,
        dual: bool,
        given: Sequence[Source],
    ) -> Evidence:
        """Where operators of both kinds are nested, or some are of belief.

        What others do not know can end with one more constraint, so no part of the law proves
        it: it rests on the whole law, and on as few of the agents' own observations as possible.
        """
        structure = perspective.structure
        if is_propositional(operand):
            return self._by_worlds(perspective, agents, operand, formula, dual, given)
        modal = self._evaluator.modal_solver(structure)
        target = modal.target(normalise(negation(operand), structure))
        guards = {modal.target(source.formula).literal: source for source in given}
        world = modal.find(list(guards), target, self._meter)
        if world is not None:
            if self._here is not None:
                # As much as can be is to be as it really is.
                here = modal.bits(self._here.world)
                world, _ = closer(modal, modal.law, here, world, [*guards], target, self._meter)
            found = chain(modal, world, target, agents, self._meter)
            return Possible(formula, dual, as_asked(found, negation(operand), structure))
        return self._by_ignorance(perspective, formula, not dual, operand, given)

    def _by_ignorance(
        self,
        state: State,
        formula: Formula,
        truth: bool,
        operand: Formula,
        given: Sequence[Source],
    ) -> Evidence:
        """Why `operand`, which speaks of what others do not know, holds wherever this is seen."""
        structure = state.structure
        nobody = Perspective(structure, "", frozenset())
        left, facts = publicly(
            operand, lambda fact: self._evaluator.all_worlds(nobody, (), fact, self._meter)
        )
        if left is TRUE and facts:
            common = [f.C(structure.agents, fact) for fact in facts]
            parts = [self.all_worlds(nobody, (), one.operand, one) for one in common]
            return Combined(formula, truth, tuple(parts))
        told = operand
        while isinstance(told, f.K | f.C):
            told = told.operand
        reason, others = None, None
        who = ignorant(normalise(told, structure))
        if who:
            reason = Reasons(self._evaluator, structure, given, operand, self._meter).find()
            exchanges = None if reason is None else reason.exchanges
            others = Others(who, self._example(state, told), exchanges)
        if reason is not None:
            return Known(formula, reason.sources, truth, others)
        needed = needed_of(self._evaluator, structure, given, operand, self._meter)
        sources = (*needed, whole_law(structure))
        return Known(formula, sources, truth, others)

    def _example(self, state: State, operand: Formula) -> Evidence | None:
        """Why what is known is so, as things are; or, if nobody says, as they may be."""
        if self._here is not None and self._here.structure is state.structure:
            return self.evidence(self._here, operand)
        if isinstance(state, Scene) or not state.agent:
            return None
        return self.evidence(state, f.M(state.agent, operand))

    def _by_worlds(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        operand: Formula,
        formula: Formula,
        dual: bool,
        given: Sequence[Source],
    ) -> Evidence:
        """A fact, where the law speaks about knowledge: as `_by_search`, by worlds checked."""
        structure = perspective.structure
        solver = self._evaluator.law_solver(structure)
        encoding = solver.encoding
        guards = {encoding.literal(source.formula): source for source in given}
        refuted = encoding.literal(negation(operand))
        world = solver.find([*guards, refuted], self._meter)
        if world is not None:
            world = self._like_here(solver, world, [*guards, refuted])
            true = [one for one in range(1, world.bit_length()) if (world >> one) & 1]
            shows = negation_normal_form(negation(operand))
            found = CounterWorld(agents, encoding.world(structure, true), shows)
            return Possible(formula, dual, (found,))
        cache = self._evaluator.cache(structure)
        minimal = modal_law_sources.sources(cache, structure, guards, refuted, self._meter)
        if minimal is not None:
            return Known(formula, minimal, not dual)
        world = solver.find([*guards, refuted], self._meter)
        assert world is None
        needed = solver.core(list(guards))
        for literal in list(needed):
            without = [one for one in needed if one != literal]
            if literal in needed and solver.find([*without, refuted], self._meter) is None:
                needed = solver.core(without)
        sources = (*(guards[one] for one in needed), whole_law(structure))
        return Known(formula, sources, not dual)

    def _like_here(self, solver: WorldSolver, world: int, kept: list[int]) -> int:
        """A world like `world`, with all that is kept, and as much as can be as it really is."""
        if self._here is None or self._here.structure is not solver.structure:
            return world
        short = short_of(self._meter)
        for name, fluent in solver.structure.vocabulary.fluents.items():
            literal = solver.encoding.literal(fluent.equals(self._here.world[name]))
            if (world >> abs(literal)) & 1 == (literal > 0):
                kept = [*kept, literal]
                continue
            try:
                other = solver.find([*kept, literal], short)
            except BudgetExceeded:
                if self._meter is not None:
                    self._meter.check()
                break
            if other is not None:
                world, kept = other, [*kept, literal]
        return world

    def _seen(self, perspective: Perspective, agents: tuple[str, ...]) -> Iterable[Source]:
        """What these agents have seen, as sources."""
        structure = perspective.structure
        for observable, truth in self._evaluator.observation(perspective, agents):
            yield seen(structure, agents, observable, truth)


def _all_soft(formula: Formula, structure: KnowledgeStructure) -> Iterable[Source]:
    """All that somebody may believe, as one source, if the formula is about common belief."""
    soft = [one.formula for stage in structure.history for one in stage.soft]
    if isinstance(formula, f.CB) and soft:
        words, last = "all that is believed as far as it fits", len(structure.history) - 1
        yield Source(conjunction(soft), words, "believed", last)


def as_asked(
    worlds: Iterable[CounterWorld], asked: Formula, structure: KnowledgeStructure
) -> tuple[CounterWorld, ...]:
    """The worlds of a chain; what they show, as far as it is a part of `asked`, in its words."""
    forms: dict[Formula, Formula] = {}
    for part in subformulas(asked):
        if not is_propositional(part):
            for signed in (part, negation(part)):
                forms.setdefault(prepare(signed), signed)
                forms.setdefault(negation_normal_form(normalise(signed, structure)), signed)
    return tuple(replace(one, shows=forms.get(one.shows, one.shows)) for one in worlds)


def _own(state: State, agent: str) -> Perspective:
    """The perspective of `agent` at `state`; raises `InputError` if `state` is another's."""
    if isinstance(state, Scene):
        return state.perspective(agent)
    if state.agent != agent:
        raise InputError(f"this is what {state.agent} has seen, not {agent}")
    return state


def _is_about(formula: Formula, agent: str) -> bool:
    """Whether `formula` says what `agent` knows or believes, or does not."""
    if isinstance(formula, f.Not):
        formula = formula.operand
    return isinstance(formula, f.K | f.M | f.Kw | f.Kv | f.B) and formula.agent == agent


def _is_decided_by(formula: Formula, agent: str) -> bool:
    """Whether `formula` is a Boolean combination of what `agent` knows."""
    return all(isinstance(leaf, f.Constant) or _is_about(leaf, agent) for leaf in leaves(formula))
