"""Sources in words: constraints, observations and soft constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from symkripke.explain.evidence import Source
from symkripke.language import Atom, Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.model import Constraint, KnowledgeStructure, Observable, Soft


def seen(
    structure: KnowledgeStructure, agents: Iterable[str], observable: Observable, truth: bool
) -> Source:
    """Return the source for an observation, by one of the agents, of the truth of an atom."""
    atom = observable.atom
    words = _with_origin(structure.words(atom, truth), observable)
    stage = min(_since(structure, agent, atom) for agent in agents)
    return Source(_signed(atom, truth), words, "seen", stage, observable.source)


def sight(structure: KnowledgeStructure, agents: Sequence[str], observable: Observable) -> Source:
    """Return the source for the common knowledge that these agents observe the atom."""
    atom = observable.atom
    words = _with_origin(f"whether {structure.words(atom, True)}", observable)
    stage = max(_since(structure, agent, atom) for agent in agents)
    each = conjunction(f.Kw(agent, atom) for agent in agents)
    return Source(each, words, "sees", stage, observable.source, tuple(agents))


def _with_origin(words: str, observable: Observable) -> str:
    return f"{words} ({observable.source})" if observable.source else words


def _since(structure: KnowledgeStructure, agent: str, atom: Atom) -> int:
    """Return the number of events before the agent observes the atom; if never, a higher number."""
    for number, stage in enumerate(structure.stages):
        # Usually a new fluent is observed at once, so that it is among the last observables.
        if atom.fluent in stage.vocabulary.fluents and any(
            observed.atom is atom for observed in reversed(stage.observables[agent])
        ):
            return number
    return len(structure.stages)


def _signed(atom: Atom, truth: bool) -> Formula:
    return atom if truth else negation(atom)


def stated(constraint: Constraint, kind: str, stage: int) -> Source:
    """Return the source for a constraint of the law ("law") or a domain of a fluent ("domain")."""
    return Source(constraint.formula, str(constraint.source), kind, stage, constraint.source)


def observed_by_all(structure: KnowledgeStructure, agents: Sequence[str]) -> Iterable[Observable]:
    """Yield the observables that all of these agents share, each atom once."""
    each = [{observed.atom for observed in structure.observables[agent]} for agent in agents]
    done: set[Atom] = set()
    for observable in structure.observables[agents[0]]:
        atom = observable.atom
        if atom not in done and all(atom in mine for mine in each):
            done.add(atom)
            yield observable


def seen_in_group(
    structure: KnowledgeStructure, agents: Sequence[str], truth: Callable[[Atom], bool | None]
) -> Iterable[Source]:
    """Yield the observations of these agents as sources, shared observations first.

    `truth` returns the truth of an atom, or None to omit it. Only sources that not all agents
    share have `observers`.
    """
    shared = {observable.atom: observable for observable in observed_by_all(structure, agents)}
    everybody = "both" if len(agents) == 2 else "all of them"
    each = {observed.atom: observed for i in agents for observed in structure.observables[i]}
    for atom, observable in {**shared, **each, **shared}.items():
        value = truth(atom)
        if value is None:
            continue
        who = tuple(i for i in agents if _since(structure, i, atom) < len(structure.stages))
        words = f"that {structure.words(atom, value)}"
        if atom in shared:
            who, words = (), f"{everybody} see {words}"
        words = _with_origin(words, observable) if who else words
        stage = sight(structure, who or agents, observable).stage
        yield Source(_signed(atom, value), words, "seen", stage, observable.source, who)


def believed(structure: KnowledgeStructure, soft: Iterable[Soft]) -> Iterable[Source]:
    """Yield soft constraints as sources, oldest first."""
    wanted = {id(constraint) for constraint in soft}
    for number, stage in enumerate(structure.stages):
        for kept in stage.soft.added:
            if id(kept) in wanted:
                words = f"{kept.source or kept.formula} (believed)"
                yield Source(kept.formula, words, "believed", number, kept.source)


def oldest_first(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Return the sources in order of their stages."""
    return tuple(sorted(sources, key=lambda source: source.stage))


def laws(structure: KnowledgeStructure) -> Iterable[Source]:
    """Yield each domain, and each constraint of the law that is not about knowledge."""
    born: dict[str, int] = {}
    for number, stage in enumerate(structure.stages):
        for name in stage.vocabulary.fluents:
            born.setdefault(name, number)
    fluents = [fluent for fluent in structure.vocabulary.fluents.values() if not fluent.is_boolean]
    for fluent, constraint in zip(fluents, structure.domains, strict=True):
        yield stated(constraint, "domain", born[fluent.name])
    for number, stage in enumerate(structure.stages):
        for constraint in stage.law.added:
            if not constraint.is_modal:
                yield stated(constraint, "law", number)


def whole_law(structure: KnowledgeStructure, seen: Iterable[Source] = ()) -> Source:
    """Return the whole law as one source, on which the ignorance and beliefs of others depend.

    The source includes the observations in `seen`.
    """
    facts = [source.formula for source in seen]
    also = " and what the members of the group see" if facts else ""
    return Source(
        conjunction([*(constraint.formula for constraint in structure.law), *facts]),
        f"everything that is common knowledge{also} (no shorter list of facts is known)",
        "law",
        len(structure.stages) - 1,
    )
