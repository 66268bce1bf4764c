"""Formulas read at worlds found before: as the definition says, and no solver is asked."""

from __future__ import annotations

import pytest

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.compiled_formula import Test, compiled, true_somewhere
from symkripke.language import Atom, K, M, atleast, negation
from symkripke.language import formulas as f
from symkripke.model import evaluate
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula, seeded_case


@pytest.mark.parametrize("seed", range(60))
def test_a_compiled_formula_is_evaluated_by_the_definition(seed: int) -> None:
    scene, _ = seeded_case(seed)
    structure = scene.structure
    engine = SatEngine()
    solver = engine.evaluator.law_solver(structure)
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


def test_modal_subformulas_are_decided_by_who_compiles_them() -> None:
    p, known = Atom("p"), K("ann", Atom("q"))
    numbers = {p: 1}
    decided: list[int] = []

    def modal(leaf: f.Formula) -> Test:
        assert leaf is known

        def decide(world: int) -> bool:
            decided.append(world)
            return bool(world & 4)

        return decide

    test = compiled(p & known, numbers.__getitem__, modal).test
    assert [test(world) for world in (0, 2, 4, 6)] == [False, False, False, True]
    assert decided == [2, 6], "decided only where that matters"
    sooner = compiled(p | known, numbers.__getitem__, modal, lambda _: lambda world: world == 8)
    assert sooner.test(8)
    assert decided == [2, 6]
    with pytest.raises(TypeError, match="does not decide"):
        compiled(known, numbers.__getitem__)


def test_what_cannot_be_read() -> None:
    scene, _ = seeded_case(1)
    engine = SatEngine()
    solver = engine.evaluator.law_solver(scene.structure)
    solver.require_consistent()
    known = next(atom for atom in solver.encoding.known if isinstance(atom, Atom))
    encoding = solver.encoding
    assert encoding.compiled_if_known(known) is not None
    variables = encoding.variables
    assert encoding.compiled_if_known(Atom("nobody(knows)")) is None
    assert encoding.compiled_if_known(known & Atom("nobody(knows)")) is None
    assert encoding.variables == variables
    assert not solver.found(Atom("nobody(knows)"))
    deep: f.Formula = known
    for number in range(50):
        deep = f.Iff(f.Implies(deep, known), Atom(known.fluent, known.value) if number else known)
    everything = (2 << encoding.variables) - 1
    assert not true_somewhere(encoding.compiled(deep), {everything: everything})
    # A world that has no value for the variable says nothing.
    bit = 1 << encoding.known[known]
    assert true_somewhere(encoding.compiled(known), {bit: bit})
    assert not true_somewhere(encoding.compiled(known), {bit: 0})


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
    solver = engine.evaluator.world_solver(view)
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
