"""Laws and changes that once were taken, or ended in an exception of Python's own."""

from __future__ import annotations

from typing import Any

import pytest

import symkripke as sk
from symkripke.errors import FormulaError, InputError

VOCABULARY = sk.Vocabulary.of(
    [sk.Fluent("p"), sk.Fluent("q"), sk.Fluent("x", ("1", "2", "3"))], ("a", "b")
)
SEES = {"a": [sk.Observable(sk.Atom("p", "true"), "a sees p")]}
WORLD = {"p": "true", "q": "true", "x": "1"}


def test_a_law_of_bare_formulas() -> None:
    law: Any = [sk.Atom("p", "true")]
    with pytest.raises(InputError, match=r"expected constraints .*, got an atom"):
        sk.KnowledgeStructure.of(VOCABULARY, law, SEES)


def test_everybody_without_a_structure() -> None:
    with pytest.raises(FormulaError, match=r"structure\.parse"):
        sk.parse("C[*] p")
    structure = sk.KnowledgeStructure.of(VOCABULARY, [], SEES)
    assert str(structure.parse("C[*] p")) == "C[a, b] p"


@pytest.mark.parametrize("name", ["auto", "sat", "bdd", "smt", "explicit"])
def test_who_considers_an_announcement_before_common_knowledge_possible(name: str) -> None:
    structure = sk.KnowledgeStructure.of(VOCABULARY, [], SEES)
    scene, asked = sk.Scene.of(structure, WORLD), sk.engine(name)
    for text, right in (
        ("[!p] C[a, b] q", {"b"}),
        ("~<!p> C[a, b] q", {"a", "b"}),
    ):
        assert asked.possible_to(scene, text, ["a", "b"]) == right, text
