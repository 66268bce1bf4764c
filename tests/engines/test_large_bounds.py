"""Bounds of cardinalities far above the number of formulas that they count."""

from __future__ import annotations

import pytest

from symkripke.engines import Budget, engine
from symkripke.language import parse
from symkripke.model import Constraint, Fluent, KnowledgeStructure, Scene, Vocabulary

MANY = 99_999_999_999


@pytest.mark.parametrize("name", ["auto", "sat", "bdd", "smt", "explicit"])
@pytest.mark.parametrize("formula", ["atleast({}; p)", "exactly({}; p, q)", "~atmost({}; p, p)"])
@pytest.mark.parametrize("operator", ["", "K[a] "])
def test_a_bound_above_the_number_of_formulas_cannot_be_met(
    name: str, formula: str, operator: str
) -> None:
    vocabulary = Vocabulary.of([Fluent("p"), Fluent("q")], ["a"])
    structure = KnowledgeStructure.of(vocabulary, [Constraint(parse("p | q"), "law")], {})
    scene = Scene.of(structure, {"p": "true", "q": "true"})
    asked = operator + formula.format(MANY)
    budget = Budget(seconds=20, memory=2 * 1024**3)
    assert not engine(name).holds(scene, asked, budget)
    assert engine(name).valid(structure, f"~({asked})", budget)
