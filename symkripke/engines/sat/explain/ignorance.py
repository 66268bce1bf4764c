"""Reasons for knowledge about the ignorance of others: minimal sets of facts.

Bob's knowledge of the hall follows from a few observations. But his ignorance of it does not follow
from a part of the law, because one more event could end it. So a reason why Ann knows that Bob does
not know the hall is a set of facts from which *Ann* concludes this. Bob is assumed to know the
whole law and all his observations.

Definition. Let phi be the formula that is known. Its truth at a world of the law depends only on
its *ground*: its own atoms outside modal operators, and all observations of the agents of its
outermost operators. Let S be a set of constraints of the law and of Ann's observations. S is a
*reason* for K[ann] phi if phi is true at every world of the law whose ground agrees with some
valuation (of the law or not) at which S is true. In other words: from S alone, Ann can conclude
that Bob has made observations from which Bob, who knows the whole law, cannot conclude the hall. A
larger S has fewer valuations, so every superset of a reason is a reason. If Ann knows phi, all her
information is a reason, and leaving out one fact after the other gives a *minimal* reason. The
empty set is a reason if phi is true at all worlds of the law.

Search. `search` looks for a world of the law at which phi is false. If its ground contradicts S, a
small part of the ground contradicts S, and all worlds with that part are excluded. This continues
until there is no further world (S is a reason), or until the ground of a world does not contradict
S (S is not a reason). Known grounds are tried first on other sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, count
from typing import TYPE_CHECKING

from symkripke.engines.minimal_core import minimal_core
from symkripke.engines.sat.bits import is_true
from symkripke.engines.sat.evaluator import Evaluator
from symkripke.engines.sat.modal.normal_form import normalise, polarities
from symkripke.engines.sat.modal.search import ModalSolver
from symkripke.engines.sat.solver import Solver, attempt
from symkripke.explain.evidence import Source
from symkripke.explain.sources import laws, oldest_first
from symkripke.language import FALSE, TRUE, Atom, Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.language.walk import is_propositional, leaves
from symkripke.limits import SearchAborted, trial
from symkripke.model import KnowledgeStructure
from symkripke.records import dataclass

if TYPE_CHECKING:
    from symkripke.engines.sat.modal.proxy import Target


def knowers(formula: Formula) -> tuple[str, ...]:
    """Return the agents of the outermost modal operators of a formula."""
    agents: dict[str, None] = {}
    for leaf in leaves(formula):
        match leaf:
            case f.K(agent) | f.M(agent) | f.Kw(agent) | f.Kv(agent) | f.B(agent):
                agents[agent] = None
            case f.E(group) | f.D(group) | f.C(group) | f.EB(group) | f.CB(group):
                agents.update(dict.fromkeys(group))
    return tuple(agents)


def ignorant(formula: Formula) -> tuple[str, ...]:
    """Return the agents to whom a formula in normal form attributes ignorance."""
    agents: dict[str, None] = {}
    for leaf, positive in polarities(formula):
        if positive:
            agents.update(dict.fromkeys(ignorant(leaf.operands[0])))
        else:
            agents.update(dict.fromkeys(knowers(leaf)))
    return tuple(agents)


def publicly(
    formula: Formula, follows: Callable[[Formula], bool]
) -> tuple[Formula, tuple[Formula, ...]]:
    """Replace K, M, E, D and C of public facts, or of their negations, by their truth.

    No agent knows or considers possible a fact that is commonly known to be false.

    Args:
        formula: the formula.
        follows: a function that returns whether a fact follows from the law.

    Returns:
        the simplified formula, and the facts that were used.
    """
    facts: dict[Formula, None] = {}

    def visit(part: Formula, operands: tuple[Formula, ...]) -> Formula:
        match part:
            case f.Not():
                return negation(operands[0])
            case f.And():
                return conjunction(operands)
            case f.Or():
                return disjunction(operands)
            case f.Implies():
                return disjunction((negation(operands[0]), operands[1]))
            case f.K() | f.M() | f.E() | f.D() | f.C() if is_propositional(operands[0]):
                for truth, fact in ((TRUE, operands[0]), (FALSE, negation(operands[0]))):
                    if fact is TRUE or follows(fact):
                        facts[fact] = None
                        return truth
        return part.rebuild(operands) if operands != part.operands else part

    return fold(formula, visit), tuple(fact for fact in facts if fact is not TRUE)


def ground(structure: KnowledgeStructure, formula: Formula) -> tuple[Atom, ...]:
    """Return the atoms on which the truth of a resolved formula at a world of the law depends."""
    atoms = {leaf: None for leaf in leaves(formula) if isinstance(leaf, Atom)}
    for agent in knowers(formula):
        atoms.update((observable.atom, None) for observable in structure.observables[agent])
    return tuple(atoms)


class _Relied:
    """A solver for valuations at which chosen sources are true, with a guard for each source."""

    def __init__(
        self,
        evaluator: Evaluator,
        structure: KnowledgeStructure,
        given: Sequence[Source],
        atoms: Sequence[Atom],
    ) -> None:
        encoding = evaluator.law_solver(structure).encoding
        sources = [*given, *laws(structure)]
        stated = [encoding.asserted(source.formula) for source in sources]
        self.ground = [encoding.atom(atom) for atom in atoms]
        self._solver = encoding.solver()
        used = chain(self.ground, *(clauses.occurring for clauses in stated))
        encoding.definitions_of(used)[0].give(self._solver)
        guards = range(encoding.variables + 1, encoding.variables + 1 + len(sources))
        self.sources = dict(zip(guards, sources, strict=True))
        further = count(guards.stop)
        for guard, clauses in zip(guards, stated, strict=True):
            slack = clauses.slack(self._solver, guard, lambda: next(further))
            clauses.give_if(self._solver, guard, slack)

    def refuted(
        self, guards: Sequence[int], literals: Sequence[int]
    ) -> tuple[list[int], list[int]] | None:
        """Return some guards and a few literals that contradict each other, or None."""
        used: set[int] = set()

        def refute(some: Sequence[int]) -> list[int] | None:
            nonlocal used
            if _satisfiable(self._solver, [*guards, *some]):
                return None
            used = set(self._solver.get_core())
            return [literal for literal in some if literal in used]

        part = refute(literals)
        if part is None:
            return None
        part = minimal_core(part, refute)
        return [guard for guard in guards if guard in used], part


@dataclass(frozen=True, slots=True)
class Reason:
    """A minimal reason for knowledge about the ignorance of others.

    Attributes:
        sources: the sources, oldest first, as defined at the top of this module.
        exchanges: the fluents of each of the swaps that together show the ignorance at all worlds
            (see `search`); None if they were not found.
    """

    sources: tuple[Source, ...]
    exchanges: tuple[tuple[str, ...], ...] | None


class Reasons:
    """The search for a minimal reason for one formula."""

    def __init__(
        self,
        evaluator: Evaluator,
        structure: KnowledgeStructure,
        given: Sequence[Source],
        operand: Formula,
    ) -> None:
        """Prepare the search for a reason for `operand`, which follows from the law and `given`."""
        self._tuning = evaluator.tuning
        self._modal = evaluator.modal_solver(structure)
        self._target = self._modal.target(normalise(negation(operand), structure))
        atoms = ground(structure, operand)
        self._given = given
        self._relied = _Relied(evaluator, structure, given, atoms)
        here = [self._modal.literal(atom) for atom in atoms]
        self._literals = list(zip(here, self._relied.ground, strict=True))
        self._place = {
            sign * there: sign * here for here, there in self._literals for sign in (1, -1)
        }
        self._grounds: list[list[int]] = []
        self._switches: dict[frozenset[int], int] = {}
        self._most = self._modal.iterations + self._tuning.reason_candidates

    def find(self) -> Reason | None:
        """Return a minimal reason; None if it takes too long, or if the operand does not follow."""
        try:
            with trial(self._tuning.reason_work):
                every = self._covering(list(self._relied.sources))
                if every is None:
                    return None
                needed = minimal_core(every, self._covering, last_first=True)
                sources = [self._relied.sources[guard] for guard in needed]
                seen = [source.formula for source in sources if source.kind == "seen"]
                exchanges = covering(self._modal, self._target, seen)
        except SearchAborted:
            return None
        finally:
            for switch in self._switches.values():
                self._modal.abstraction.retire(switch)
        return Reason(oldest_first(sources), exchanges)

    def needed(self) -> list[Source]:
        """Return a part of `given` that proves the operand together with the whole law.

        Use this if `find` returns None. The part is minimal unless minimising takes too long.
        """
        modal = self._modal
        guards = {modal.target(source.formula).literal: source for source in self._given}
        world = modal.find(list(guards), self._target)
        assert world is None
        with trial(self._tuning.reason_work):
            core = modal.minimal(list(guards), self._target)
        return [guards[literal] for literal in core]

    def _covering(self, guards: Sequence[int]) -> list[int] | None:
        """Return a subset of these guards that is a reason; None if they are not a reason."""
        used: set[int] = set()
        switches: dict[int, None] = {}
        looked = 0
        while True:
            for literals in self._grounds[looked:]:
                core = self._relied.refuted(guards, literals)
                if core is None:
                    return None
                used.update(core[0])
                switches[self._switch(core[1])] = None
            looked = len(self._grounds)
            if looked > self._tuning.grounds or self._modal.iterations > self._most:
                raise SearchAborted
            world = self._modal.find(list(switches), self._target)
            if world is None:
                return [guard for guard in guards if guard in used]
            self._grounds.append(
                [there if is_true(here, world) else -there for here, there in self._literals]
            )

    def _switch(self, literals: Sequence[int]) -> int:
        """Return an assumption that excludes all worlds at which these literals are true."""
        key = frozenset(literals)
        switch = self._switches.get(key)
        if switch is None:
            switch = self._modal.abstraction.any_of([-self._place[literal] for literal in literals])
            self._switches[key] = switch
        return switch


def covering(
    modal: ModalSolver, target: Target, seen: Iterable[Formula]
) -> tuple[tuple[str, ...], ...] | None:
    """Return the fluents of swaps whose lemmas together exclude the target at these observations.

    No lemma can be left out, but there may be a smaller set. Return None if no set is found soon,
    or if some lemmas do not come from swaps.
    """
    heads = [
        (lemma, proxy.literal if truth else -proxy.literal)
        for proxy, _, _ in target.proxies
        for truth, lemmas in proxy.lemmas.items()
        for lemma in lemmas
    ]
    if len(heads) > modal.encoding.tuning.covering_lemmas or modal.modal_law.announcements:
        return None
    encoding = modal.law.encoding
    solver = encoding.solver()
    for stated in (encoding.definitions, *map(encoding.added, modal.structure.stages)):
        stated.give(solver)
    for proxy, _, _ in target.proxies:
        if proxy.operand_literal is not None:
            solver.add_clause([-proxy.literal, proxy.operand_literal])
    for literal in (*map(encoding.literal, seen), target.literal):
        solver.add_clause([literal])
    known: set[int] = set()
    guards = range(encoding.variables + 1, encoding.variables + 1 + len(heads))
    lemma_of = {}
    for guard, (lemma, head) in zip(guards, heads, strict=True):
        lemma_of[guard] = lemma
        solver.add_clauses([*lemma.meaning(known), [*lemma.clause(head), -guard]])
    try:
        if _satisfiable(solver, guards):
            return None
        needed = minimal_core(
            solver.get_core(),
            lambda some: None if _satisfiable(solver, some) else solver.get_core(),
        )
    except SearchAborted:
        return None
    swaps = [lemma_of[guard].swap for guard in sorted(needed)]
    if any(swap is None for swap in swaps):
        return None
    return tuple(swap.names for swap in swaps if swap is not None)


def _satisfiable(solver: Solver, literals: Sequence[int]) -> bool:
    """Return whether the literals are consistent; raise `SearchAborted` if this takes too long."""
    result = attempt(solver, literals, solver.tuning.reason_conflicts)
    if result is None:
        raise SearchAborted
    return result
