"""What a conclusion can rest on, as sources with their words."""

from __future__ import annotations

from collections.abc import Iterable

from symkripke.engines.evidence import Source
from symkripke.language import conjunction, negation
from symkripke.model import KnowledgeStructure, Observable, Soft


def seen(
    structure: KnowledgeStructure, agents: Iterable[str], observable: Observable, truth: bool
) -> Source:
    """What one of the agents saw of an atom."""
    atom = observable.atom
    words = structure.words(atom, truth)
    if observable.source:
        words = f"{words} ({observable.source})"
    number = min(
        number
        for number, stage in enumerate(structure.history)
        for agent in agents
        if any(one.atom is atom for one in stage.observables[agent])
    )
    return Source(atom if truth else negation(atom), words, "seen", number)


def believed(structure: KnowledgeStructure, soft: Iterable[Soft]) -> Iterable[Source]:
    """Soft constraints, oldest first."""
    wanted = {id(one) for one in soft}
    for number, stage in enumerate(structure.history):
        for one in stage.soft:
            if id(one) in wanted:
                words = f"{one.source or one.formula} (believed)"
                yield Source(one.formula, words, "believed", number)


def all_believed(structure: KnowledgeStructure) -> Iterable[Source]:
    """All soft constraints as one source, if there are any."""
    soft = [one.formula for stage in structure.history for one in stage.soft]
    if soft:
        words, last = "all that is believed as far as it fits", len(structure.history) - 1
        yield Source(conjunction(soft), words, "believed", last)


def laws(structure: KnowledgeStructure) -> Iterable[Source]:
    """Each domain, and each constraint of the law that does not speak about knowledge."""
    born: dict[str, int] = {}
    for number, stage in enumerate(structure.history):
        for name in stage.vocabulary.fluents:
            born.setdefault(name, number)
    fluents = [one for one in structure.vocabulary.fluents.values() if not one.is_boolean]
    for fluent, constraint in zip(fluents, structure.domains, strict=True):
        yield Source(constraint.formula, constraint.source, "domain", born[fluent.name])
    for number, stage in enumerate(structure.history):
        for constraint in stage.added:
            if not constraint.is_modal:
                yield Source(constraint.formula, constraint.source, "law", number)


def whole_law(structure: KnowledgeStructure) -> Source:
    """All that is commonly known, as one source: what rests on others' ignorance needs it all."""
    return Source(
        conjunction(constraint.formula for constraint in structure.law),
        "all that is commonly known, and that no more is",
        "law",
        len(structure.history) - 1,
    )
