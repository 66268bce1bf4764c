"""Sources: constraints, observations and soft constraints, with their words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from symkripke.explain.evidence import Source
from symkripke.language import Atom, Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.model import Constraint, KnowledgeStructure, Observable, Soft


def seen(
    structure: KnowledgeStructure, agents: Iterable[str], observable: Observable, truth: bool
) -> Source:
    """The source "one of the agents saw that the atom is true" (or false)."""
    atom = observable.atom
    words = _with_origin(structure.words(atom, truth), observable)
    stage = min(_since(structure, agent, atom) for agent in agents)
    return Source(_signed(atom, truth), words, "seen", stage, observable.source)


def sight(structure: KnowledgeStructure, agents: Sequence[str], observable: Observable) -> Source:
    """The source "these agents observe whether the atom is true", which is commonly known."""
    atom = observable.atom
    words = _with_origin(f"whether {structure.words(atom, True)}", observable)
    stage = max(_since(structure, agent, atom) for agent in agents)
    each = conjunction(f.Kw(agent, atom) for agent in agents)
    return Source(each, words, "sees", stage, observable.source, tuple(agents))


def _with_origin(words: str, observable: Observable) -> str:
    return f"{words} ({observable.source})" if observable.source else words


def _since(structure: KnowledgeStructure, agent: str, atom: Atom) -> int:
    """The number of events after which the agent observes the atom; too large if it never does."""
    for number, stage in enumerate(structure.stages):
        # Nearly always as soon as there is such a fluent, and then among the last ones.
        if atom.fluent in stage.vocabulary.fluents and any(
            observed.atom is atom for observed in reversed(stage.observables[agent])
        ):
            return number
    return len(structure.stages)


def _signed(atom: Atom, truth: bool) -> Formula:
    return atom if truth else negation(atom)


def stated(constraint: Constraint, kind: str, stage: int) -> Source:
    """A constraint of the law ("law") or the domain of a fluent ("domain")."""
    return Source(constraint.formula, str(constraint.source), kind, stage, constraint.source)


def observed_by_all(structure: KnowledgeStructure, agents: Sequence[str]) -> Iterable[Observable]:
    """The observables that all of these agents share, each atom once."""
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
    """The observations of these agents as sources: first those that all of them share.

    `truth`: the truth of an atom; None for an atom to be left out. Only sources that not all
    agents share have `observers`.
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
    """Soft constraints, oldest first."""
    wanted = {id(constraint) for constraint in soft}
    for number, stage in enumerate(structure.stages):
        for kept in stage.soft.added:
            if id(kept) in wanted:
                words = f"{kept.source or kept.formula} (believed)"
                yield Source(kept.formula, words, "believed", number, kept.source)


def oldest_first(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Sources by stage."""
    return tuple(sorted(sources, key=lambda source: source.stage))


def laws(structure: KnowledgeStructure) -> Iterable[Source]:
    """Each domain, and each constraint of the law that does not speak about knowledge."""
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
    """The whole law as one source: others' ignorance depends on all of it, and their beliefs do.

    `seen`: observations that belong to the same source.
    """
    facts = [source.formula for source in seen]
    also = " and what the members of the group see" if facts else ""
    return Source(
        conjunction([*(constraint.formula for constraint in structure.law), *facts]),
        f"everything that is common knowledge{also} (no shorter list of facts was found)",
        "law",
        len(structure.stages) - 1,
    )
