"""Compiled formulas at known worlds: they follow the definition, and need no solver call."""

from __future__ import annotations

import pytest

from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.compiled_formula import true_somewhere
from symkripke.language import M, negation
from symkripke.model import evaluate
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula, seeded_case


@pytest.mark.parametrize("seed", range(20))
def test_a_compiled_formula_is_evaluated_by_the_definition(seed: int) -> None:
    scene, _ = seeded_case(seed)
    structure = scene.structure
    engine = SatEngine()
    solver = engine.evaluator.law_solver(structure)
    solver.require_consistent()
    for atom in structure.atoms:  # so that the solver has worlds with variables for all atoms
        engine.holds(scene, M(structure.agents[0], atom))
        engine.valid(structure, negation(structure.resolve(atom)))
    choices, names = Seeded(seed), Names.of(structure)
    read = 0
    worlds = solver._witnesses
    assert worlds
    for _ in range(30):
        formula = structure.resolve(random_formula(choices, names, 3, BOOLEAN))
        test = solver.encoding.compiled_if_known(formula)
        if test is None:
            continue
        assert solver.encoding.compiled(formula) is test
        truths = []
        for world, covered in worlds.items():
            if covered & test.needs == test.needs:
                truths.append(evaluate(formula, solver.encoding.world(structure, world)))
                assert test.test(world) is truths[-1], formula
                read += 1
        if test.depth <= 4:
            assert true_somewhere(test, worlds) is any(truths)
    assert read > 10
