"""Belief: its axioms, its reductions, and all engines against each other."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from symkripke.engines import Engine
from symkripke.engines.asked import without_values
from symkripke.engines.auto import AutoEngine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.engines.smt import SmtEngine
from symkripke.engines.smt.recheck import stands
from symkripke.errors import InputError, Unsupported
from symkripke.explain import Combined, Evidence, Known, Possible
from symkripke.language import CB, EB, FALSE, Announced, B, Formula, Iff, Implies, K, conjunction
from symkripke.language import formulas as f
from symkripke.model import (
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Soft,
    Vocabulary,
    World,
    evaluate,
)
from symkripke.testing.random_models import (
    ALL,
    BELIEF,
    BOOLEAN,
    Names,
    Seeded,
    random_formula,
    random_history,
    seeded_case,
)
from tests.support.listed import listed

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


def test_the_explicit_engine_obeys_the_definition() -> None:
    for seed in range(40):
        scene = believers(seed, modal=bool(seed % 2))
        choices, names = Seeded(seed), Names.of(scene.structure)
        naive = listed(scene.structure)
        here = [point.values for point in naive.points].index(scene.world)
        for _ in range(3):
            formula = random_formula(choices, names, choices.integer(1, 3), MINDS)
            plain = without_values(scene.structure, scene.structure.resolve(formula))
            assert bool(ENGINE.holds(scene, formula)) == naive.truths(plain)[here], (seed, formula)


# ---- axioms --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
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


@pytest.mark.parametrize("seed", range(100, 115))
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


@pytest.mark.parametrize("seed", range(200, 215))
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


@pytest.mark.parametrize("seed", range(300, 315))
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
    vocabulary = Vocabulary.of([Fluent("home"), Fluent("hat")], ["ann"])
    home, hat = f.Atom("home"), f.Atom("hat")
    soft = [Soft(~home, 1, "he is mostly out"), Soft(~hat, 0, "he has no hat at home")]
    structure = KnowledgeStructure.of(vocabulary, [], {}, soft)
    return Scene.of(structure, {home.fluent: "true", hat.fluent: "true"})


@pytest.mark.parametrize("seed", range(400, 415))
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


# ---- perspectives and dice -----------------------------------------------------------------


def test_given_what_is_believed_it_is_known() -> None:
    """All that can be asked of a perspective can be asked given what is believed."""
    for seed in range(1200, 1212):
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


def dice(seed: int) -> tuple[Scene, list[Formula]]:
    """Two dice each for three, as counts; bids; and what they may be taken to say."""
    chance = random.Random(seed)
    players, faces = ("ann", "bob", "cat"), (1, 2, 3)
    fluents = {
        (who, face): Fluent(f"count({who}, {face})", ("0", "1", "2"))
        for who in players
        for face in faces
    }

    def has(who: str, least: int, face: int) -> Formula:
        values = ("0", "1", "2")[least:]
        return f.disjunction(f.Atom(fluents[who, face].name, value) for value in values)

    def total(least: int, face: int) -> Formula:
        return f.atleast(least, [has(who, k, face) for who in players for k in (1, 2)])

    law = [
        Constraint(f.exactly(2, [has(who, k, face) for face in faces for k in (1, 2)]), who)
        for who in players
    ]
    own = {
        who: [Observable(atom, "own") for face in faces for atom in fluents[who, face].atoms]
        for who in players
    }
    structure = KnowledgeStructure.of(Vocabulary.of(fluents.values(), players), law, own)
    thrown = {who: [chance.choice(faces) for _ in range(2)] for who in players}
    counts = {(who, face): str(thrown[who].count(face)) for who in players for face in faces}
    scene = Scene.of(structure, {fluents[key].name: number for key, number in counts.items()})
    facts = [total(chance.randint(1, 4), chance.choice(faces)) for _ in range(4)]
    for turn in range(6):
        who, face = players[turn % 3], chance.choice(faces)
        bid = (
            Soft(has(who, chance.randint(1, 2), face), chance.randint(0, 1), f"turn {turn}"),
            Soft(total(chance.randint(1, 5), face), -1, f"turn {turn}, the bid"),
        )
        scene = scene.update(Event(f"turn {turn}", soft=bid))
        facts.append(has(who, 1, face))
    return scene, facts


@pytest.mark.parametrize("seed", range(3))
def test_beliefs_about_dice(seed: int) -> None:
    """Where the reasons of several agents for giving something up are not the same."""
    scene, facts = dice(seed)
    chance = random.Random(seed)
    players = scene.structure.agents
    sat, bdd = SatEngine(), BddEngine(1_000_000)
    for _ in range(25):
        formula = chance.choice(facts)
        for _ in range(chance.randint(1, 3)):
            who = chance.choice(players)
            wide: list[Formula] = [B(who, formula), B(who, formula), K(who, formula)]
            wide += [B(who, formula, chance.choice(facts)), ~B(who, formula)]
            formula = chance.choice([*wide, CB(players[:2], formula)])
        for engine in (sat, bdd):
            truth = bool(ENGINE.holds(scene, formula))
            assert bool(engine.holds(scene, formula)) == truth, (seed, str(formula))


# ---- evidence --------------------------------------------------------------------------------


def parts_of(evidence: Evidence) -> list[Evidence]:
    if isinstance(evidence, Combined):
        return [leaf for part in evidence.parts for leaf in parts_of(part)]
    return [evidence]


def test_why_something_is_believed() -> None:
    """Sources prove it and are minimal (by z3); counter-worlds are most plausible ones."""
    believed = possible = 0
    for seed in range(4000, 4045):
        scene = believers(seed)
        choices, names = Seeded(seed), Names.of(scene.structure)
        agent = choices.one_of(names.agents)
        fact = random_formula(choices, names, 2, BOOLEAN)
        soft = [one.formula for one in scene.structure.plausibility(agent)]
        given = choices.one_of((f.TRUE, random_formula(choices, names, 1, BOOLEAN)))
        belief = B(agent, choices.one_of((fact, *soft)) if not scene.structure.versions else fact)
        if choices.integer(0, 1):
            belief = B(agent, belief.operand, given)
        for engine in (SatEngine(), ExplicitEngine(), BddEngine(100_000)):
            answer = engine.holds(scene, belief)
            try:
                evidence = answer.why()
            except Unsupported:
                assert answer, seed
                assert engine.name == "explicit", seed  # no sources there
                continue
            assert evidence.truth == bool(answer)
            for leaf in parts_of(evidence):
                if isinstance(leaf, Known) and isinstance(leaf.formula, B):
                    claim = Implies(leaf.formula.given, leaf.formula.operand)
                    assert stands(leaf, claim), (seed, str(belief))
                    believed += any(source.kind == "believed" for source in leaf.sources)
                elif isinstance(leaf, Possible):
                    (step,) = leaf.worlds
                    assert step.plausible
                    assert is_most_plausible(scene, leaf.formula, step.world), (seed, engine.name)
                    possible += 1
    assert believed > 5
    assert possible > 20


def test_why_something_is_believed_of_dice() -> None:
    """At once, with the bids that it rests on."""
    scene, facts = dice(1)
    bids = 0
    for who, fact in product(scene.structure.agents, facts):
        answer = BddEngine(1_000_000).holds(scene, B(who, fact))
        for leaf in parts_of(answer.why()) if answer else ():
            assert isinstance(leaf, Known)
            assert isinstance(leaf.formula, B)
            assert stands(leaf, leaf.formula.operand)
            bids += sum(source.words.endswith("(believed)") for source in leaf.sources)
    assert bids > 5


def is_most_plausible(scene: Scene, belief: Formula, world: World) -> bool:
    """Whether that world refutes the (resolved) belief at the scene."""
    assert isinstance(belief, B)
    naive = listed(scene.structure)
    worlds = [point.values for point in naive.points]
    here, given = worlds.index(scene.world), naive.truths(belief.given)
    cell = next(cell for cell in naive.cells(belief.agent) if here in cell)
    best = naive.plausible(belief.agent, [place for place in cell if given[place]])
    return worlds.index(world) in best and not evaluate(belief.operand, world)


def test_reasons_of_beliefs_about_beliefs() -> None:
    chains = known = 0
    for seed in range(4200, 4225):
        scene = believers(seed)
        choices, names = Seeded(seed), Names.of(scene.structure)
        one, two = choices.one_of(names.agents), choices.one_of(names.agents)
        fact = random_formula(choices, names, 1, BOOLEAN)
        group = (one, two)
        formulas: tuple[Formula, ...] = (B(one, B(two, fact)), CB(group, fact))
        formulas += (K(one, ~B(two, fact)), f.Kw(one, B(two, fact)), f.C(group, B(two, fact)))
        engines: tuple[Engine, ...] = (SatEngine(), BddEngine(100_000))
        for formula, engine in product(formulas, engines):
            answer = engine.holds(scene, formula)
            evidence = answer.why()
            assert evidence.truth == bool(answer), (seed, str(formula))
            for leaf in parts_of(evidence):
                if isinstance(leaf, Possible) and isinstance(leaf.formula, CB):
                    claim = scene.structure.resolve(fact)
                    assert not evaluate(claim, leaf.worlds[-1].world), seed
                    assert all(step.plausible for step in leaf.worlds), seed
                    chains += 1
                if isinstance(leaf, Known) and engine.name == "bdd" and not isinstance(formula, B):
                    # Wherever they see the same it is so.
                    seen = [source.formula for source in leaf.sources if source.kind == "seen"]
                    valid(scene, Implies(conjunction(seen), leaf.formula))
                    known += 1
    assert chains > 8
    assert known > 4


# ---- whom auto asks ---------------------------------------------------------------------------


def test_auto_asks_diagrams_about_beliefs() -> None:
    scene, (fact, *_) = dice(1)
    auto = AutoEngine()
    answer = auto.holds(scene, B("ann", fact))
    assert answer.engine == "bdd"
    assert answer.reason == "the question is about belief"
    assert bool(answer) == bool(ENGINE.holds(scene, B("ann", fact)))
    view = scene.perspective("ann")
    assert auto.believed(view) == ENGINE.believed(view)
    kept = [soft.formula for soft in auto.believed(view).kept]
    why = auto.holds(scene, B("ann", f.conjunction(kept))).why()
    assert any(
        source.kind == "believed" and source.words.endswith("(believed)")
        for leaf in parts_of(why)
        if isinstance(leaf, Known)
        for source in leaf.sources
    )


# ---- what is no question ----------------------------------------------------------------------


def test_a_scene_or_one_name_where_others_are_expected() -> None:
    scene, (fact, *_) = dice(1)
    engines: list[Engine] = [BddEngine(100_000), SatEngine(), SmtEngine(), ENGINE, AutoEngine()]
    for engine in engines:
        with pytest.raises(InputError, match=r"expected a perspective, .* got a scene"):
            engine.believed(scene)  # type: ignore[arg-type]
        with pytest.raises(InputError, match=r"expected several agents, as in \['ann'\]"):
            engine.possible_to(scene, fact, "ann")
