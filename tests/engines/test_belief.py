"""Belief: conditions and evidence. The axioms are tested with laws, and answers by the contract."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from symkripke.engines import ENGINES, Engine, engine
from symkripke.engines.auto import AutoEngine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.engines.smt.recheck import stands
from symkripke.errors import InputError, Unsupported
from symkripke.explain import Known, Possible
from symkripke.language import CB, B, Formula, Implies, K, conjunction
from symkripke.language import formulas as f
from symkripke.model import Scene, World, evaluate
from symkripke.testing.engines import leaves
from symkripke.testing.random_models import (
    BOOLEAN,
    Names,
    Seeded,
    random_formula,
    random_history,
)
from tests.support.listed import listed

ENGINE = ExplicitEngine()


def believers(seed: int) -> Scene:
    """Return a random scene with soft constraints."""
    return random_history(Seeded(seed), beliefs=True)


def test_beliefs_are_known_given_the_believed_constraints() -> None:
    """A perspective conditioned on its agent's beliefs supports all queries."""
    for seed in range(1200, 1206):
        scene = believers(seed)
        bdd = BddEngine(100_000)
        for agent in scene.structure.agents:
            view = scene.perspective(agent)
            kept = ENGINE.believed(view).kept
            believing = view.believing(kept)
            for atom in view.structure.atoms:
                believed = bool(ENGINE.holds(view, B(agent, atom)))
                assert bool(ENGINE.holds(believing, K(agent, atom))) == believed, seed
            for each in (SatEngine(), bdd):
                assert each.sheet(believing).marks == ENGINE.sheet(believing).marks, seed
            assert bdd.worlds(believing) == ENGINE.worlds(believing), seed
            assert bdd.marginals(believing) == ENGINE.marginals(believing), seed
            (drawn,) = bdd.sample(believing, 1, random.Random(seed))
            assert all(evaluate(soft.formula, drawn) for soft in kept), seed


def test_reasons_of_beliefs() -> None:
    """Sources are a minimal proof (by z3); counterexample worlds are among the most plausible."""
    believed = possible = 0
    for seed in range(4000, 4025):
        scene = believers(seed)
        choices, names = Seeded(seed), Names.of(scene.structure)
        agent = choices.one_of(names.agents)
        fact = random_formula(choices, names, 2, BOOLEAN)
        soft = [one.formula for one in scene.structure.plausibility(agent)]
        given = choices.one_of((f.TRUE, random_formula(choices, names, 1, BOOLEAN)))
        belief = B(agent, choices.one_of((fact, *soft)) if not scene.structure.versions else fact)
        if choices.integer(0, 1):
            belief = B(agent, belief.operand, given)
        for each in (SatEngine(), ExplicitEngine(), BddEngine(100_000)):
            answer = each.holds(scene, belief)
            try:
                evidence = answer.why()
            except Unsupported:
                assert answer, seed
                assert each.name == "explicit", seed  # no other engine lacks sources
                continue
            assert evidence.truth == bool(answer)
            for leaf in leaves(evidence):
                if isinstance(leaf, Known) and isinstance(leaf.formula, B):
                    claim = Implies(leaf.formula.given, leaf.formula.operand)
                    assert stands(leaf, claim), (seed, str(belief))
                    believed += any(source.kind == "believed" for source in leaf.sources)
                elif isinstance(leaf, Possible):
                    (step,) = leaf.worlds
                    assert step.plausible
                    assert is_most_plausible(scene, leaf.formula, step.world), (seed, each.name)
                    possible += 1
    assert believed > 1
    assert possible > 12


def is_most_plausible(scene: Scene, belief: Formula, world: World) -> bool:
    """Return whether the world is most plausible and refutes the (resolved) belief at the scene."""
    assert isinstance(belief, B)
    naive = listed(scene.structure)
    worlds = [point.values for point in naive.points]
    here, given = worlds.index(scene.world), naive.truths(belief.given)
    cell = next(cell for cell in naive.cells(belief.agent) if here in cell)
    best = naive.plausible(belief.agent, [place for place in cell if given[place]])
    return worlds.index(world) in best and not evaluate(belief.operand, world)


def test_reasons_of_beliefs_about_beliefs() -> None:
    chains = known = 0
    for seed in range(4200, 4215):
        scene = believers(seed)
        choices, names = Seeded(seed), Names.of(scene.structure)
        one, two = choices.one_of(names.agents), choices.one_of(names.agents)
        fact = random_formula(choices, names, 1, BOOLEAN)
        group = (one, two)
        formulas: tuple[Formula, ...] = (B(one, B(two, fact)), CB(group, fact))
        formulas += (K(one, ~B(two, fact)), f.Kw(one, B(two, fact)), f.C(group, B(two, fact)))
        engines: tuple[Engine, ...] = (SatEngine(), BddEngine(100_000))
        for formula, each in product(formulas, engines):
            answer = each.holds(scene, formula)
            evidence = answer.why()
            assert evidence.truth == bool(answer), (seed, str(formula))
            for leaf in leaves(evidence):
                if isinstance(leaf, Possible) and isinstance(leaf.formula, CB):
                    claim = scene.structure.resolve(fact)
                    assert not evaluate(claim, leaf.worlds[-1].world), seed
                    assert all(step.plausible for step in leaf.worlds), seed
                    chains += 1
                if isinstance(leaf, Known) and each.name == "bdd" and not isinstance(formula, B):
                    # The belief holds wherever the other agent observes the same.
                    seen = [source.formula for source in leaf.sources if source.kind == "seen"]
                    claim = Implies(conjunction(seen), leaf.formula)
                    assert ENGINE.valid(scene.structure, claim)
                    known += 1
    assert chains > 4
    assert known > 2


def test_auto_asks_diagrams_about_beliefs() -> None:
    scene = believers(4000)
    agent, fact = scene.structure.agents[0], scene.structure.atoms[0]
    answer = AutoEngine().holds(scene, B(agent, fact))
    assert (answer.engine, answer.reason) == ("bdd", "the question is about belief")


@pytest.mark.parametrize("name", ENGINES)
def test_a_scene_or_a_single_name_of_the_wrong_kind(name: str) -> None:
    scene, asked = believers(4000), engine(name)
    wrong: Any = scene
    with pytest.raises(InputError, match=r"expected a perspective, .* got a scene"):
        asked.believed(wrong)
    with pytest.raises(InputError, match=r"expected several agents, as in \['ann'\]"):
        asked.possible_to(scene, scene.structure.atoms[0], "ann")
