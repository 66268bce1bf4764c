"""The fluents that a count or a sample is asked over: plain names, and the versions they mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from symkripke.errors import InputError, UnknownName
from symkripke.language import Atom
from symkripke.model import Fixed, KnowledgeStructure, World


def current(structure: KnowledgeStructure, names: Iterable[str]) -> tuple[str, ...]:
    """What plain names of fluents mean now: their versions, without what is publicly known.

    Raises:
        UnknownName: there is no such fluent.
    """
    fluents = structure.vocabulary.fluents
    found = []
    for name in names:
        if name not in fluents:
            raise UnknownName("fluent", name, fluents)
        atom = structure.resolve(Atom(name, fluents[name].values[-1]))
        found.extend([atom.fluent] if isinstance(atom, Atom) else [])
    return tuple(dict.fromkeys(found))


Names = Mapping[str, str | Fixed]
"""For plain names of fluents what they mean: a version, or a value that is publicly known."""


def checked_request(
    structure: KnowledgeStructure, number: int, over: Iterable[str] | None
) -> Names | None:
    """What `over` names, if it is given; raises `UnknownName`, or `InputError` for the number."""
    if number < 0:
        raise InputError(f"expected a number of worlds of 0 or more, got {number}")
    if over is None:
        return None
    names = tuple(over)
    current(structure, names)
    return {name: structure.versions.get(name, name) for name in names}


def named(names: Names, world: World) -> World:
    """The values that these names have at the world."""
    return {
        name: version.value if isinstance(version, Fixed) else world[version]
        for name, version in names.items()
    }
