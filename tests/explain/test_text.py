"""Explanations below a sentence that already states the claim."""

from __future__ import annotations

import pytest

from symkripke.engines import engine
from symkripke.explain.text import Line, without_claim
from symkripke.language import Atom, parse
from symkripke.model import (
    Constraint,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Vocabulary,
)

SAID = "Ann knows that it rains."


@pytest.mark.parametrize(
    ("claim", "stays"),
    [
        ("Ann knows that it rains. One fact proves it:", ["One fact proves it:"]),
        ("ann knows that it rains: this is the case", ["This is the case"]),
        ("Ann knows that it rains, because Bob told her:", ["Bob told her:"]),
        ("Ann knows that it rains, because:", []),
        ("Ann knows that it rains:", []),
        ("Ann knows that it rains or snows:", ["Ann knows that it rains or snows:"]),
        ("Bob knows it:", ["Bob knows it:"]),
    ],
)
def test_a_claim_is_not_repeated(claim: str, stays: list[str]) -> None:
    below = [Line(1, "source", "1. Ann is out"), Line(2, "world", "it rains")]
    found = without_claim([Line(0, "claim", claim), *below], SAID)
    assert [line.text for line in found] == [*stays, "1. Ann is out", "it rains"]
    assert [line.indent for line in found] == ([0, 1, 2] if stays else [0, 1])


def test_cases_that_stand_alone_are_examples() -> None:
    world = Line(1, "world", "it rains")
    claim = Line(0, "claim", "Ann knows that it rains:")
    assert without_claim([claim, world], SAID) == [Line(0, "claim", "For example:"), world]
    assert without_claim([world], SAID) == [world]
    assert without_claim([], SAID) == []
    assert without_claim([claim, world], "") == [claim, world]


def test_evidence_is_printed_in_words() -> None:
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent("p"), Fluent("q")], ("a",)),
        [Constraint(parse("p | q"), "one of them is true")],
        {"a": [Observable(Atom("p", "true"), "in sight")]},
    )
    scene = Scene.of(structure, {"p": "false", "q": "true"})
    asked = engine()
    assert str(asked.holds(scene, "K[a] q").why()) == (
        "a knows that q. These 2 facts prove it:\n  1. ~p (in sight)\n  2. one of them is true"
    )
    other = Scene.of(structure, {"p": "true", "q": "true"})
    assert str(asked.holds(other, "K[a] q").why()) == (
        "a does not know that q, because a considers this possible:\n  p = true, q = false"
    )
