"""Minimal sources of beliefs, computed on diagrams.

Observations and soft constraints are sources of the belief f if f is true at every world of the law
at which they are true. Sources that are not needed are removed one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from symkripke import limits
from symkripke.engines.bdd.diagram import Diagrams
from symkripke.engines.bdd.interruptible import Diagram, both, either, minus
from symkripke.engines.bdd.law import Literals
from symkripke.engines.bdd.truth import Evaluation, combined
from symkripke.explain import sources
from symkripke.explain.evidence import Source
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.language.walk import atoms, is_propositional
from symkripke.model import Soft

# The maximum number of nodes for a proof with one variable for each atom.
_ROOM = 1_000_000


def resting_on(
    work: Evaluation, group: tuple[str, ...], seen: Literals, kept: Iterable[Soft], claim: Formula
) -> tuple[Source, ...] | None:
    """Return minimal observations and soft constraints that prove a claim; None if impossible.

    The oldest source comes first. If the claim is about facts, or about knowledge of or belief in
    facts, each constraint of the law is a separate source. Otherwise the whole law is one source,
    because the ignorance and the beliefs of others depend on all of it. The whole law must have a
    small diagram.
    """
    law = work.worlds(work.everything())
    given = [*_seen(work, group, seen), *_kept(work, kept)]
    if is_propositional(claim):
        proof = _proved(work, given, claim)
        return None if proof is None else sources.oldest_first(proof)
    here = both(law, work.diagrams.cube(seen))
    proof = _at_end(work, here, here, claim, group)
    if proof is not None:
        return sources.oldest_first(proof)
    outside = minus(law, work.everywhere(claim))
    needed = _minimal(given, outside)
    if needed is None:
        return None
    used = [source for _, source in needed]
    if isinstance(claim, f.CB):
        return (sources.whole_law(work.structure, used),)
    return sources.oldest_first([*used, sources.whole_law(work.structure)])


def _proved(
    work: Evaluation, given: Sequence[tuple[Diagram, Source]], fact: Formula
) -> list[Source] | None:
    """Return a minimal part of the premises and the law that proves a fact; None if impossible."""
    outside = minus(work.worlds(work.everything()), work.everywhere(fact))
    needed = _minimal(given, outside)
    if needed is None:
        return None
    chosen = [source for _, source in needed]
    parts = [(work.everywhere(source.formula), source) for source in sources.laws(work.structure)]
    left = minus(work.diagrams.every(part for part, _ in needed), work.everywhere(fact))
    rules = _minimal(parts, left)
    if rules is None:  # the proof needs constraints about knowledge
        return [*chosen, sources.whole_law(work.structure)]
    chosen += [source for _, source in rules]
    return [*chosen, *_two_valued(work, fact, chosen)]


def _at_end(
    work: Evaluation,
    here: Diagram,
    worlds: Diagram,
    claim: Formula,
    agents: tuple[str, ...],
    believers: tuple[str, ...] = (),
) -> list[Source] | None:
    """Return sources of a claim that a fact is known or believed at these worlds.

    The sources prove the fact. They are soft constraints that are true at all worlds to which the
    operators lead from `here`, and observations of the agents that are also true at `here`. Return
    None for other claims, or if there is no such proof.
    """
    if is_propositional(claim):
        all_worlds = either(here, worlds)

        def everywhere(atom: Atom) -> bool | None:
            part = work.everywhere(atom)
            if not both(all_worlds, part).satisfiable():
                return False
            return None if minus(all_worlds, part).satisfiable() else True

        seen = sources.seen_in_group(work.structure, agents, everywhere)
        given = [(work.everywhere(source.formula), source) for source in seen]
        return _proved(work, [*given, *_kept(work, _common(work, worlds, believers))], claim)
    match claim:
        case f.K(agent, operand) | f.B(agent, operand, f.TRUE):
            worlds = both(work.worlds(work.everything()), work.blurred(worlds, (agent,)))
            if isinstance(claim, f.B):
                worlds &= work.best(work.everything(), agent, f.TRUE)
                believers += (agent,)
            agents = tuple(dict.fromkeys((*agents, agent)))
        case f.CB(group, operand):
            worlds = reached(work, worlds, group)
            believers += group
            agents = tuple(dict.fromkeys((*agents, *group)))
        case _:
            return None
    return _at_end(work, here, worlds, operand, agents, believers)


def _common(work: Evaluation, worlds: Diagram, believers: tuple[str, ...]) -> list[Soft]:
    """Return the soft constraints that are true at all of these worlds, each formula once.

    Several agents may have missed the same event. Their constraints then have the same formula, and
    the constraint of the innermost believer is returned.
    """
    common = [
        soft
        for stage in work.structure.stages
        for soft in stage.soft.added
        if not minus(worlds, work.everywhere(soft.formula)).satisfiable()
    ]
    chosen: dict[Formula, Soft] = {}
    for agent in reversed(believers):
        for soft in common:
            if soft.rank_for(agent) is not None:
                chosen.setdefault(soft.formula, soft)
    for soft in common:
        chosen.setdefault(soft.formula, soft)
    return list(chosen.values())


def reached(work: Evaluation, worlds: Diagram, group: tuple[str, ...]) -> Diagram:
    """Return the worlds that members of the group reach in one or more steps of belief."""
    best = {agent: work.best(work.everything(), agent, f.TRUE) for agent in group}
    union, fresh = work.diagrams.false, worlds
    while fresh.satisfiable():
        limits.check()
        fresh = minus(one_step(work, fresh, best), union)
        union = either(union, fresh)
    return union


def one_step(work: Evaluation, worlds: Diagram, allowed: Mapping[str, Diagram]) -> Diagram:
    """Return the worlds that some agent reaches in one step, among the worlds allowed to it."""
    return work.diagrams.some(
        both(there, work.blurred(worlds, (agent,))) for agent, there in allowed.items()
    )


def _seen(work: Evaluation, group: tuple[str, ...], seen: Literals) -> list[tuple[Diagram, Source]]:
    """Return the positive observations of the group, then the negative ones."""
    structure = work.structure
    by_truth: tuple[list[tuple[Diagram, Source]], ...] = ([], [])
    there = {
        observable.atom: observable
        for agent in group
        for observable in structure.observables[agent]
    }
    for atom, observable in there.items():
        literal = work.stage.literal(atom)
        if isinstance(literal, bool):
            continue
        truth = literal in seen
        source = sources.seen(structure, group, observable, truth)
        part = work.diagrams.literal(literal if truth else -literal)
        by_truth[0 if truth else 1].append((part, source))
    return [*by_truth[0], *by_truth[1]]


def _kept(work: Evaluation, kept: Iterable[Soft]) -> list[tuple[Diagram, Source]]:
    return [
        (work.everywhere(source.formula), source)
        for source in sources.believed(work.structure, kept)
    ]


def _two_valued(work: Evaluation, claim: Formula, proof: Sequence[Source]) -> list[Source]:
    """Return the domain constraints of fluents with at most two values that the proof needs.

    In diagrams, a domain of two values is not a constraint. So the claim is proved again with one
    variable for each atom.
    """
    formulas = [claim, *(source.formula for source in proof)]
    spoken_of = {atom for formula in formulas for atom in atoms(formula)}
    fluents = work.structure.vocabulary.fluents
    names = dict.fromkeys(atom.fluent for atom in spoken_of)
    domains = {
        fluents[name].domain
        for name in names
        if not fluents[name].is_boolean and spoken_of.issuperset(fluents[name].atoms[:2])
        if len(fluents[name].values) <= 2
    }
    stated = [source for source in sources.laws(work.structure) if source.formula in domains]
    if not stated:
        return []
    diagrams = Diagrams(_ROOM)
    everything = dict.fromkeys(atom for source in stated for atom in atoms(source.formula))
    everything |= dict.fromkeys(sorted(spoken_of, key=str))
    places = dict(zip(everything, diagrams.add(len(everything)), strict=True))

    def visit(part: Formula, operands: tuple[Diagram, ...]) -> Diagram:
        if isinstance(part, f.Atom):
            return diagrams.literal(places[part] + 1)
        return combined(diagrams, part, operands)

    proved = diagrams.every(fold(source.formula, visit) for source in proof)
    left = minus(proved, fold(claim, visit))
    needed = _minimal([(fold(source.formula, visit), source) for source in stated], left)
    assert needed is not None  # all of them together prove the claim
    return [source for _, source in needed]


def _minimal(
    parts: Sequence[tuple[Diagram, Source]], outside: Diagram
) -> list[tuple[Diagram, Source]] | None:
    """Return a minimal set of parts whose intersection excludes `outside`; None if there is none.

    Parts are removed from the last part on, so early parts are kept if possible.
    """
    before = [outside]
    for part, _ in parts:
        if not before[-1].satisfiable():
            break
        limits.check()
        before.append(both(before[-1], part))
    if before[-1].satisfiable():
        return None
    needed: list[tuple[Diagram, Source]] = []
    rest: Diagram | None = None
    for worlds, pair in reversed(list(zip(before, parts, strict=False))[: len(before) - 1]):
        limits.check()
        if (worlds if rest is None else worlds & rest).satisfiable():
            needed.append(pair)
            rest = pair[0] if rest is None else both(rest, pair[0])
    return needed
