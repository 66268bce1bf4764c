"""The fluents that a count or a sample is asked over: plain names, and the versions they mean."""

from __future__ import annotations

from collections.abc import Iterable

from symkripke.errors import UnknownName
from symkripke.language import Atom
from symkripke.model import KnowledgeStructure, World


def current(structure: KnowledgeStructure, names: Iterable[str]) -> tuple[str, ...]:
    """Return the current versions of fluents with these plain names, without those publicly known.

    Raises:
        UnknownName: there is no such fluent.
    """
    fluents = structure.vocabulary.fluents
    versions = []
    for name in names:
        if name not in fluents:
            raise UnknownName("fluent", name, fluents)
        atom = structure.resolve(Atom(name, fluents[name].values[-1]))
        versions.extend([atom.fluent] if isinstance(atom, Atom) else [])
    return tuple(dict.fromkeys(versions))


def named(structure: KnowledgeStructure, names: Iterable[str], world: World) -> World:
    """Return the current values, at a world, of the fluents with these plain names."""
    return {name: structure.resolver.value(name, world) for name in names}
