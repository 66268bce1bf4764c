"""Formulas keep their meanings in a line of structures, and no others."""

from __future__ import annotations

import pytest

from symkripke.errors import UnknownName
from symkripke.language import Atom, conjunction
from symkripke.model import Change, Event, Fluent, KnowledgeStructure, Vocabulary


def first() -> KnowledgeStructure:
    fluents = [Fluent("x", ("a", "b")), Fluent("y", ("a", "b"))]
    return KnowledgeStructure.of(Vocabulary.of(fluents, ["ann"]), [], {})


def test_a_formula_means_the_versions_of_its_own_structure() -> None:
    start, both = first(), conjunction([Atom("x", "a"), Atom("y", "b")])
    changed = start.update(Event("x changes", changes=(Change("x", None),)))
    fixed = start.update(Event("x is a now", changes=(Change("x", "a"),)))
    for _ in range(2):
        assert start.resolve(both) is both
        assert changed.resolve(both) is conjunction([Atom("x#1", "a"), Atom("y", "b")])
        assert fixed.resolve(both) is Atom("y", "b")


def test_branches_with_fluents_of_one_name_do_not_mix() -> None:
    start = first()
    left = start.update(Event("left", fluents=(Fluent("z", ("one", "two")),)))
    right = start.update(Event("right", fluents=(Fluent("z", ("two", "three")),)))
    said = conjunction([Atom("x", "a"), Atom("z", "one")])
    assert left.resolve(said) is said
    for wrong in (right, start):
        with pytest.raises(UnknownName):
            wrong.resolve(said)
