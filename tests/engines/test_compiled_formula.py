"""Formulas read at worlds found before: as the definition says, and no solver is asked."""

from __future__ import annotations

import pytest

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.compiled_formula import glance_at, somewhere
from symkripke.language import Atom, K, M, atleast, negation
from symkripke.language import formulas as f
from symkripke.model import evaluate
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula, seeded_case


@pytest.mark.parametrize("seed", range(60))
def test_a_glance_at_a_world_says_what_the_world_says(seed: int) -> None:
    scene, _ = seeded_case(seed)
    structure = scene.structure
    engine = SatEngine()
    solver = engine.everywhere(structure)
    solver.require_consistent()
    for atom in structure.atoms:  # so that there are worlds to look at, with variables for all
        engine.holds(scene, M(structure.agents[0], atom))
        engine.valid(structure, negation(structure.resolve(atom)))
    choices, names = Seeded(seed), Names.of(structure)
    read = 0
    worlds = solver.worlds_found
    assert worlds
    for _ in range(30):
        formula = structure.resolve(random_formula(choices, names, 3, BOOLEAN))
        glance = glance_at(formula, solver.encoding)
        if glance is None:
            continue
        assert glance_at(formula, solver.encoding) is glance
        truths = []
        for world, covered in worlds.items():
            if covered & glance.needs == glance.needs:
                true = [v for v in range(1, world.bit_length()) if world >> v & 1]
                truths.append(evaluate(formula, solver.encoding.world(structure, true)))
                assert glance.test(world) is truths[-1], formula
                read += 1
        assert somewhere(formula, worlds, solver.encoding) is any(truths)
    assert read > 10


def test_what_cannot_be_read() -> None:
    scene, _ = seeded_case(1)
    engine = SatEngine()
    solver = engine.everywhere(scene.structure)
    solver.require_consistent()
    known = next(atom for atom in solver.encoding.known if isinstance(atom, Atom))
    assert glance_at(known, solver.encoding) is not None
    assert glance_at(Atom("nobody(knows)"), solver.encoding) is None
    assert glance_at(known & Atom("nobody(knows)"), solver.encoding) is None
    assert not somewhere(Atom("nobody(knows)"), {-2: -2}, solver.encoding)
    deep: f.Formula = known
    for number in range(50):
        deep = f.Iff(f.Implies(deep, known), Atom(known.fluent, known.value) if number else known)
    assert glance_at(deep, solver.encoding) is None
    # A world that has no value for the variable says nothing.
    bit = 1 << solver.encoding.known[known]
    assert somewhere(known, {bit: bit}, solver.encoding)
    assert not somewhere(known, {bit: 0}, solver.encoding)


@pytest.mark.parametrize("seed", range(30))
def test_questions_in_a_row_are_answered_as_by_the_definition(seed: int) -> None:
    """What was found for one question serves the next; the answers are those of the model."""
    scene, formulas = seeded_case(seed, depth=3, operators=BOOLEAN, formulas=12)
    engine, explicit = SatEngine(), ExplicitEngine()
    for agent in scene.structure.agents:
        view = scene.perspective(agent)
        for formula in formulas:
            for asked in (K(agent, formula), M(agent, formula)):
                expected = bool(explicit.holds(view, asked))
                assert bool(engine.holds(view, asked)) is expected, asked


def test_counts_that_are_not_known_need_no_solver() -> None:
    """Once a world was found for each atom, the first question about a number asks nobody."""
    scene, _ = seeded_case(3, most_events=0, most_fluents=5)
    structure = scene.structure
    agent = structure.agents[0]
    view = scene.perspective(agent)
    engine = SatEngine()
    engine.sheet(view)
    solver = engine.solver(view)
    open_atoms = [
        atom
        for atom in structure.atoms
        if bool(engine.holds(view, M(agent, atom))) and not bool(engine.holds(view, K(agent, atom)))
    ]
    assert open_atoms
    before, variables = solver.calls, solver.encoding.variables
    for atom in open_atoms:
        assert not engine.holds(view, K(agent, atleast(1, [atom, f.FALSE])))
        assert not engine.holds(view, K(agent, negation(atleast(1, [atom, f.FALSE]))))
    assert (solver.calls, solver.encoding.variables) == (before, variables)
