"""Evidence that depends on the question and on the observations only, not on earlier questions."""

from __future__ import annotations

from itertools import product

import pytest

from symkripke.engines import Engine, engine
from symkripke.errors import SymkripkeError
from symkripke.language import Formula
from symkripke.model import EpistemicState, Scene, evaluate
from symkripke.testing.random_models import (
    BELIEF,
    BOOLEAN,
    KNOWLEDGE,
    Names,
    Seeded,
    random_formula,
    random_history,
)

ENGINES = ("auto", "sat", "bdd", "smt", "explicit")


def evidence(asked: Engine, scene: Scene, formula: Formula) -> str:
    """Return the evidence at the scene and in each perspective, or the error."""
    found = []
    states: list[EpistemicState] = [scene, *map(scene.perspective, scene.structure.agents)]
    for state in states:
        try:
            found.append(repr(asked.holds(state, formula).why()))
        except SymkripkeError as error:
            found.append(str(error))
    return "\n".join(found)


@pytest.mark.parametrize("name", ENGINES)
def test_evidence_does_not_depend_on_earlier_questions(name: str) -> None:
    for seed in range(1 if name == "smt" else 4):
        choices = Seeded(seed)
        scene = random_history(choices, most_events=2, most_worlds=64, beliefs=seed % 3 == 0)
        names = Names.of(scene.structure)
        operators = (*BOOLEAN, *KNOWLEDGE, "K", "M", "C", *(BELIEF if seed % 3 == 0 else ()))
        questions = [
            random_formula(choices, names, 3, operators) for _ in range(3 if name == "smt" else 8)
        ]
        used = engine(name)
        for formula in questions:
            evidence(used, scene, formula)
        for formula in questions:
            again = evidence(used, scene, formula)
            assert again == evidence(engine(name), scene, formula), (seed, formula)


def test_the_witness_is_the_first_world() -> None:
    """This holds in all engines, whatever was asked before."""
    asked = {name: engine(name) for name in ENGINES}
    for seed in range(40):
        choices = Seeded(seed)
        scene = random_history(choices, most_events=2, most_fluents=4, most_worlds=64)
        structure = scene.structure
        fluents = structure.vocabulary.fluents
        formula = random_formula(choices, Names.of(structure), 2, BOOLEAN)
        stated = [constraint.formula for constraint in (*structure.law, *structure.domains)]
        stated.append(structure.resolve(formula))
        worlds = (
            dict(zip(fluents, values, strict=True))
            for values in product(*(fluent.values for fluent in fluents.values()))
        )
        first = next((world for world in worlds if all(evaluate(f, world) for f in stated)), None)
        for name, each in asked.items():
            found = each.witness(structure, formula)
            assert (None if found is None else dict(found)) == first, (name, seed)
