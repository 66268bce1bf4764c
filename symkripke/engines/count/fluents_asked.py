"""The fluents of a count or a sample: plain names, and the current versions of these fluents."""

from __future__ import annotations

from collections.abc import Iterable

from symkripke.errors import UnknownName
from symkripke.language import Atom
from symkripke.model import KnowledgeStructure, World


def current(structure: KnowledgeStructure, names: Iterable[str]) -> tuple[str, ...]:
    """Return the current versions of the fluents with these plain names.

    Publicly known fluents are left out.

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
    """Return the current values of the fluents with these plain names at a world."""
    return {name: structure.resolver.value(name, world) for name in names}
