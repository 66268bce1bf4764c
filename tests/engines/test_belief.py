"""Belief: its axioms, its reductions, and all engines against each other."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from symkripke.engines import Budget, Engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.plain import without_values
from symkripke.engines.sat import SatEngine
from symkripke.engines.smt import SmtEngine
from symkripke.language import CB, EB, FALSE, Announced, B, Formula, Iff, Implies, K, conjunction
from symkripke.language import formulas as f
from symkripke.model import Event, KnowledgeStructure, Scene, Soft, evaluate
from tests.support.naive import Naive
from tests.support.random_models import (
    ALL,
    BELIEF,
    BOOLEAN,
    Names,
    Seeded,
    random_formula,
    random_history,
    seeded_case,
)

ENGINE = ExplicitEngine()
MINDS = (*ALL, *BELIEF, "B", "B", "B")


def judge(scene: Scene, formula: Formula) -> bool:
    return bool(ENGINE.holds(scene, formula))


def believers(seed: int, *, modal: bool = False, most_events: int = 4) -> Scene:
    """A random scene with soft constraints."""
    return random_history(Seeded(seed), most_events, judge=judge if modal else None, beliefs=True)


def valid(scene: Scene, formula: Formula) -> None:
    assert ENGINE.valid(scene.structure, formula), str(formula)


# ---- the definition -----------------------------------------------------------------------


@pytest.mark.parametrize("block", range(2))
def test_the_explicit_engine_obeys_the_definition(block: int) -> None:
    for seed in range(block * 50, block * 50 + 50):
        scene = believers(seed, modal=bool(seed % 2))
        choices, names = Seeded(seed), Names.of(scene.structure)
        naive = Naive.of(scene.structure)
        here = next(world for world in naive.worlds if world == scene.world)
        for _ in range(3):
            formula = random_formula(choices, names, choices.integer(1, 3), MINDS)
            plain = without_values(scene.structure, scene.structure.resolve(formula))
            assert bool(ENGINE.holds(scene, formula)) == naive.true(here, plain), (seed, formula)


# ---- axioms --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_belief_is_kd45(seed: int) -> None:
    scene, (p, q) = seeded_case(seed, formulas=2, depth=2, operators=MINDS, beliefs=True)
    for i in scene.structure.agents:
        valid(scene, Implies(B(i, Implies(p, q)) & B(i, p), B(i, q)))
        valid(scene, ~B(i, FALSE))
        valid(scene, Implies(B(i, p), B(i, B(i, p))))
        valid(scene, Implies(~B(i, p), B(i, ~B(i, p))))
        # With knowledge:
        valid(scene, Implies(K(i, p), B(i, p)))
        valid(scene, Implies(B(i, p), K(i, B(i, p))))
        valid(scene, Implies(~B(i, p), K(i, ~B(i, p))))
        valid(scene, Iff(B(i, p), B(i, K(i, p) | p)))


@pytest.mark.parametrize("seed", range(100, 140))
def test_what_is_given(seed: int) -> None:
    """Conditional belief: success, what is known, and rational monotony."""
    scene, (p, q, r) = seeded_case(seed, formulas=3, depth=2, operators=MINDS, beliefs=True)
    for i in scene.structure.agents:
        valid(scene, B(i, p, p))
        valid(scene, Iff(B(i, q, f.TRUE), B(i, q)))
        valid(scene, Iff(B(i, FALSE, p), K(i, ~p)))
        valid(scene, Implies(B(i, q, p), K(i, B(i, q, p))))
        surprise = B(i, ~p, r)
        valid(scene, Implies(~surprise, Iff(B(i, q, p & r), B(i, Implies(p, q), r))))


@pytest.mark.parametrize("seed", range(200, 240))
def test_beliefs_of_groups(seed: int) -> None:
    scene, (p, q) = seeded_case(seed, formulas=2, depth=2, operators=MINDS, beliefs=True)
    agents = scene.structure.agents
    for size in range(1, len(agents) + 1):
        for group in combinations(agents, size):
            valid(scene, Iff(EB(group, p), conjunction(B(i, p) for i in group)))
            # A fixed point of EB, and the greatest one: induction.
            valid(scene, Iff(CB(group, p), EB(group, p & CB(group, p))))
            step = CB(group, Implies(p, EB(group, p)))
            valid(scene, Implies(step & EB(group, p), CB(group, p)))
            valid(scene, Implies(CB(group, Implies(p, q)) & CB(group, p), CB(group, q)))
            valid(scene, Implies(f.C(group, p), CB(group, p)))
        valid(scene, Iff(CB(agents[0], p), B(agents[0], p)))


def test_what_is_believed_need_not_be_true() -> None:
    """In many random situations some beliefs are false; here even a common one."""
    wrong = 0
    for seed in range(40):
        structure = believers(seed).structure
        for soft in structure.plausibility(structure.agents[0]):
            every = Implies(EB(structure.agents, soft.formula), soft.formula)
            wrong += not ENGINE.valid(structure, every)
    assert wrong > 10
    assert ENGINE.holds(hats(), "CB[*] (~home & CB[*] ~hat) & home & hat & ~C[*] ~home")


# ---- change --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(300, 340))
def test_announcements_reduce(seed: int) -> None:
    """What is announced is given; as for knowledge only where it is no surprise."""
    scene, (p, q, r) = seeded_case(seed, formulas=3, depth=2, operators=MINDS, beliefs=True)
    for i in scene.structure.agents:
        after = Announced(p, q)
        valid(scene, Iff(Announced(p, B(i, q)), Implies(p, B(i, after, p))))
        told = p & Announced(p, r)
        valid(scene, Iff(Announced(p, B(i, q, r)), Implies(p, B(i, after, told))))
        reduced = Iff(Announced(p, B(i, q)), Implies(p, B(i, Implies(p, after))))
        valid(scene, Implies(~B(i, ~p), reduced))


def test_the_reduction_of_knowledge_fails_for_surprises() -> None:
    """Bob is believed to be out; he is in, and then is believed to have his hat with him."""
    scene = hats()
    naive = "[!home] B[ann] hat <-> (home -> B[ann] (home -> hat))"
    assert not ENGINE.holds(scene, "B[ann] hat")
    assert ENGINE.holds(scene, "B[ann] ~home")
    assert not ENGINE.holds(scene, naive)
    assert ENGINE.holds(scene, "[!home] B[ann] ~hat & B[ann | home] ~hat")
    assert ENGINE.holds(scene, "home -> B[ann] (home -> hat)")


def hats() -> Scene:
    from symkripke.model import Fluent, Vocabulary

    vocabulary = Vocabulary.of([Fluent("home"), Fluent("hat")], ["ann"])
    home, hat = f.Atom("home"), f.Atom("hat")
    soft = [Soft(~home, 1, "he is mostly out"), Soft(~hat, 0, "he has no hat at home")]
    structure = KnowledgeStructure.of(vocabulary, [], {}, soft)
    return Scene.of(structure, {home.fluent: "true", hat.fluent: "true"})


@pytest.mark.parametrize("seed", range(400, 430))
def test_a_trusted_word_is_a_radical_upgrade(seed: int) -> None:
    """Van Benthem 2007: after the upgrade with p, i believes q given r iff, before,

    it did given p & r, if that is possible; else if it did given r.
    """
    scene, (p, q, r) = seeded_case(seed, formulas=3, depth=2, operators=BOOLEAN, beliefs=True)
    structure = scene.structure
    after = structure.update(Event("heard", soft=(Soft(p, 9, "heard"),)))
    for i in structure.agents:
        possible = ~K(i, ~(p & r))
        before = (possible & B(i, q, p & r)) | (~possible & B(i, q, r))
        for world in range(ENGINE.model(structure).size):
            here = ENGINE.model(structure).table.world(world)
            then = bool(ENGINE.holds(Scene(after, here), B(i, q, r)))
            assert then == bool(ENGINE.holds(Scene(structure, here), before)), seed


# ---- engines -------------------------------------------------------------------------------

SMT = (*BOOLEAN, "K", "M", "E", "Kw", "Kv", "announced", "B", "B", "given", "EB")


def agree(engine: Engine, scene: Scene, formula: Formula, seed: int) -> None:
    budget = Budget(seconds=60)
    truth = bool(ENGINE.holds(scene, formula))
    assert bool(engine.holds(scene, formula, budget)) == truth, (seed, str(formula))
    always = bool(ENGINE.valid(scene.structure, formula))
    assert bool(engine.valid(scene.structure, formula, budget)) == always, (seed, str(formula))


@pytest.mark.parametrize("block", range(3))
def test_diagrams(block: int) -> None:
    for seed in range(block * 40, block * 40 + 40):
        scene = believers(seed, modal=block == 2)
        choices, names, engine = Seeded(seed), Names.of(scene.structure), BddEngine(100_000)
        for _ in range(4):
            formula = random_formula(choices, names, choices.integer(1, 4), MINDS)
            agree(engine, scene, formula, seed)


@pytest.mark.parametrize("block", range(2))
def test_quantified_formulas(block: int) -> None:
    for seed in range(block * 20, block * 20 + 20):
        scene = believers(seed)
        choices, names, engine = Seeded(seed), Names.of(scene.structure), SmtEngine()
        for _ in range(3):
            formula = random_formula(choices, names, choices.integer(1, 3), SMT)
            agree(engine, scene, formula, seed)


@pytest.mark.parametrize("block", range(2))
def test_own_beliefs_at_perspectives(block: int) -> None:
    """Of facts, and what is given is a fact: at scenes and perspectives, after each event."""
    asked = 0
    for seed in range(1000 + block * 40, 1000 + block * 40 + 40):
        scene = believers(seed)
        choices, names = Seeded(seed), Names.of(scene.structure.root)
        sat, bdd, smt = SatEngine(), BddEngine(100_000), SmtEngine()
        for events in range(len(scene.structure.history)):
            there = scene.after(events)
            for agent in names.agents:
                view = there.perspective(agent)
                beliefs = ENGINE.believed(view)
                for engine in (sat, bdd, smt):
                    assert engine.believed(view) == beliefs, (seed, agent)
                fact = random_formula(choices, names, 2, BOOLEAN)
                given = random_formula(choices, names, 1, BOOLEAN)
                for formula in (B(agent, fact), B(agent, fact, given), f.EB(names.agents, fact)):
                    truth = bool(ENGINE.holds(there, formula))
                    assert bool(sat.holds(there, formula)) == truth, (seed, str(formula))
                    if isinstance(formula, B):
                        assert bool(sat.holds(view, formula)) == truth, (seed, str(formula))
                        asked += 1
                believing = view.believing(beliefs.kept)
                known = bool(ENGINE.holds(believing, K(agent, there.structure.resolve(fact))))
                if not there.structure.versions:  # else the names mean something else there
                    assert known == bool(ENGINE.holds(view, B(agent, fact)))
    assert asked > 200


def test_given_what_is_believed_it_is_known() -> None:
    """All that can be asked of a perspective can be asked given what is believed."""
    for seed in range(1200, 1230):
        scene = believers(seed)
        bdd = BddEngine(100_000)
        for agent in scene.structure.agents:
            view = scene.perspective(agent)
            kept = ENGINE.believed(view).kept
            believing = view.believing(kept)
            for atom in view.structure.atoms:
                believed = bool(ENGINE.holds(view, B(agent, atom)))
                assert bool(ENGINE.holds(believing, K(agent, atom))) == believed, seed
            for engine in (SatEngine(), bdd):
                assert engine.sheet(believing).marks == ENGINE.sheet(believing).marks, seed
            assert bdd.worlds(believing) == ENGINE.worlds(believing), seed
            assert bdd.marginals(believing) == ENGINE.marginals(believing), seed
            (drawn,) = bdd.sample(believing, 1, random.Random(seed))
            assert all(evaluate(soft.formula, drawn) for soft in kept), seed
