"""Names that could not be read back are refused, as are changes that contradict each other."""

from __future__ import annotations

import pytest

from symkripke.errors import InputError
from symkripke.model import Change, Event, Fluent, KnowledgeStructure, Vocabulary


@pytest.mark.parametrize("name", ["", "a b", "true", "p(a,b)", "p()", "1", "p#", "p(a", "é!"])
def test_fluent_names(name: str) -> None:
    with pytest.raises(InputError, match="expected a fluent named like"):
        Fluent(name)


@pytest.mark.parametrize("values", [("a b",), ("",), (), ("a", "a"), ("true", "maybe")])
def test_fluent_values(values: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="fluent p"):
        Fluent("p", values)


def test_names_that_are_good() -> None:
    for name in ("p", "location(rope)", "die(ann, 2)", "Öl", "p_1(2, b)"):
        assert Fluent(name, ("1", "zwei")).name == name


def test_events_with_contradicting_changes_or_version_names() -> None:
    structure = KnowledgeStructure.of(Vocabulary.of([Fluent("x", ("a", "b"))], ["ann"]), [], {})
    with pytest.raises(InputError, match="x changes twice"):
        structure.update(Event("both", changes=(Change("x", "a"), Change("x", "b"))))
    with pytest.raises(InputError, match="cannot have a #"):
        structure.update(Event("sly", fluents=(Fluent("x#1", ("a", "b")),)))
