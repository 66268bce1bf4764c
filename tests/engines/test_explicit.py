"""The explicit engine against a naive evaluator, and against what everybody knows."""

from __future__ import annotations

import gc
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.protocol import Engine, Mark
from symkripke.errors import (
    BudgetExceeded,
    FormulaError,
    InputError,
    TooManyWorlds,
    Unsupported,
)
from symkripke.explain.evidence import Combined, Fact, Possible
from symkripke.language import Atom, Formula, K, M, exactly
from symkripke.limits import Budget
from symkripke.model import (
    Constraint,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Vocabulary,
)
from symkripke.testing.random_models import seeded_case
from tests.support.listed import listed
from tests.support.product_update import Listed
from tests.support.strategies import cases

ENGINE = ExplicitEngine()


def judge(scene: Scene, formula: Formula) -> bool:
    """Decides modal announcements while random histories are made."""
    return bool(ENGINE.holds(scene, formula))


def cell_of(naive: Listed, group: tuple[str, ...], place: int) -> list[int]:
    """The worlds that the group together cannot tell from this one."""
    return next(cell for cell in naive.cells(*group) if place in cell)


def agree(scene: Scene, formulas: tuple[Formula, ...]) -> None:
    """The engine gives the naive model's worlds, and its truth at every one of them."""
    structure = scene.structure
    naive = listed(structure)
    worlds = [point.values for point in naive.points]
    table = ENGINE.model(structure).table
    # In the same order, too: that of the product of the values.
    assert [table.world(row) for row in range(table.size)] == worlds
    assert ENGINE.worlds(structure) == len(worlds)
    here = worlds.index(dict(scene.world))
    for formula in formulas:
        truths = naive.truths(structure.resolve(formula))
        assert bool(ENGINE.valid(structure, formula)) == all(truths), str(formula)
        assert bool(ENGINE.holds(scene, formula)) == truths[here]
        for world, truth in list(zip(worlds, truths, strict=True))[:20]:
            assert bool(ENGINE.holds(Scene(structure, world), formula)) == truth, str(formula)


@settings(max_examples=60)
@given(cases(number=2))
def test_agrees_with_the_naive_evaluator(case: tuple[Scene, tuple[Formula, ...]]) -> None:
    agree(*case)


@settings(max_examples=25)
@given(cases(number=2, judge=judge, most_fluents=3))
def test_agrees_after_modal_announcements(case: tuple[Scene, tuple[Formula, ...]]) -> None:
    agree(*case)


@pytest.mark.parametrize("seed", range(15))
def test_agrees_on_seeded_cases(seed: int) -> None:
    scene, formulas = seeded_case(seed, formulas=2, most_fluents=4)
    agree(scene, formulas)


def test_seeded_cases_are_the_same_everywhere() -> None:
    scene, (formula,) = seeded_case(7)
    again, (same,) = seeded_case(7)
    assert formula is same
    assert scene.world == again.world
    assert [str(c.formula) for c in scene.structure.law] == [
        str(c.formula) for c in again.structure.law
    ]


@pytest.mark.parametrize("seed", range(12))
def test_perspectives_agree_with_the_naive_cell(seed: int) -> None:
    scene, (formula,) = seeded_case(seed, most_fluents=4)
    structure = scene.structure
    naive = listed(structure)
    worlds = [point.values for point in naive.points]
    for agent in structure.agents:
        perspective = scene.perspective(agent)
        places = cell_of(naive, (agent,), worlds.index(scene.world))
        cell = [worlds[place] for place in places]
        truths = [naive.truths(structure.resolve(formula))[place] for place in places]
        assert ENGINE.worlds(perspective) == len(cell)
        assert ENGINE.probability(perspective, formula) == Fraction(sum(truths), len(cell))
        witness = ENGINE.witness(perspective, formula)
        assert (witness is not None) == any(truths)
        assert witness is None or truths[cell.index(witness)]
        sheet = ENGINE.sheet(perspective)
        for atom, mark in sheet:
            plain = structure.resolve(atom)
            seen = {naive.truths(plain)[place] for place in places}
            assert mark is (Mark.OPEN if len(seen) == 2 else Mark.YES if True in seen else Mark.NO)
        now_true = {atom: structure.resolve(atom) for atom in sheet.atoms}
        sets = {
            frozenset(atom for atom, now in now_true.items() if naive.truths(now)[place])
            for place in places
        }
        assert ENGINE.possibilities(perspective, sheet.atoms) == sets
        for own in (K(agent, formula), M(agent, formula)):
            assert bool(ENGINE.holds(perspective, own)) == bool(ENGINE.holds(scene, own))


@pytest.mark.parametrize("seed", range(400, 420))
def test_cells_and_their_chains_agree_with_the_naive_ones(seed: int) -> None:
    scene, _ = seeded_case(seed, most_fluents=4)
    naive = listed(scene.structure)
    model = ENGINE.model(scene.structure)
    for number in range(1, len(scene.structure.agents) + 1):
        for group in combinations(scene.structure.agents, number):
            pooled, joined = model.cells(group), model.components(group)
            for row in range(min(10, len(naive.points))):
                together = np.flatnonzero(pooled == pooled[row]).tolist()
                assert together == cell_of(naive, group, row)
                reached = {row}
                for _ in naive.points:
                    for agent in group:
                        for place in tuple(reached):
                            reached.update(cell_of(naive, (agent,), place))
                assert reached == set(np.flatnonzero(joined == joined[row]))


# ---- errors, limits and evidence ------------------------------------------------------


@pytest.fixture
def cards() -> Scene:
    """Three cards, one each: ann has red, bob white, and cat blue."""
    agents = ("ann", "bob", "cat")
    colours = ("red", "white", "blue")
    fluents = [Fluent(f"has({colour})", agents) for colour in colours]
    law = [
        Constraint(exactly(1, [Atom(x.name, agent) for x in fluents]), f"{agent} has one card")
        for agent in agents
    ]
    own = {
        agent: [Observable(Atom(x.name, agent), "own hand") for x in fluents] for agent in agents
    }
    structure = KnowledgeStructure.of(Vocabulary.of(fluents, agents), law, own)
    return Scene.of(structure, dict(zip((x.name for x in fluents), agents, strict=True)))


def test_is_an_engine(cards: Scene) -> None:
    engine: Engine = ExplicitEngine()
    assert engine.name == "explicit"
    assert engine.holds(cards, "K[ann] has(red) = ann & ~Kw[ann] has(white) = bob")
    assert engine.worlds(cards.structure) == 6
    assert engine.probability(cards.perspective("ann"), "has(white) = bob") == Fraction(1, 2)


def test_too_many_worlds_is_refused_before_they_are_listed() -> None:
    fluents = [Fluent(f"x({number})") for number in range(400)]
    structure = KnowledgeStructure.of(Vocabulary.of(fluents, ["ann"]), [], {})
    with pytest.raises(TooManyWorlds, match=r"more than 2,000,000 possible worlds to list"):
        ExplicitEngine().worlds(structure)
    with pytest.raises(InputError, match="1 or more"):
        ExplicitEngine(max_worlds=0)


def test_hand_sizes_prune_while_listing() -> None:
    cards = [Fluent(f"at({n})", ("a", "b", "c", "d")) for n in range(12)]
    law = [
        Constraint(exactly(size, [Atom(x.name, who) for x in cards]), "hand")
        for who, size in zip("abcd", (10, 1, 1, 0), strict=True)
    ]
    structure = KnowledgeStructure.of(Vocabulary.of(cards, [*"abcd"]), law, {})
    assert ExplicitEngine(max_worlds=132).worlds(structure) == 132


def test_models_go_with_their_structures(cards: Scene) -> None:
    engine = ExplicitEngine()
    structure = cards.structure.announce("has(red) = ann")
    assert engine.worlds(structure) == 2
    assert len(engine._models) == 2
    del structure
    gc.collect()
    assert len(engine._models) == 1


def test_the_actual_world_must_be_possible(cards: Scene) -> None:
    wrong = Scene(cards.structure.announce("has(red) = bob"), cards.world)
    with pytest.raises(InputError, match="none of the worlds"):
        ENGINE.holds(wrong, "true")


def test_faults_of_the_question(cards: Scene) -> None:
    with pytest.raises(FormulaError, match="unknown proposition 'hat'"):
        ENGINE.holds(cards, "hat(red) = ann")
    with pytest.raises(BudgetExceeded, match="0 seconds"):
        ENGINE.holds(cards, "K[ann] K[bob] has(red) = ann", Budget(seconds=0))
    with pytest.raises(BudgetExceeded, match="2 possibilities, more than 1"):
        ENGINE.possibilities(cards.perspective("ann"), [Atom("has(white)", "bob")], limit=1)


def test_evidence_of_facts_and_combinations(cards: Scene) -> None:
    fact = ENGINE.holds(cards, "has(red) = ann").why()
    assert fact == Fact(Atom("has(red)", "ann"), True)
    both = ENGINE.holds(cards, "has(red) = bob & K[ann] has(white) = bob").why()
    assert isinstance(both, Combined)
    assert both.parts == (Fact(Atom("has(red)", "bob"), False),)
    with pytest.raises(Unsupported, match="the sat engine finds minimal sources"):
        ENGINE.holds(cards, "K[ann] has(red) = ann").why()
    with pytest.raises(Unsupported, match="the sat engine finds minimal sources"):
        ENGINE.valid(cards.structure, "has(red) != ann | has(red) = ann").why()


@pytest.mark.parametrize(
    ("question", "agents"),
    [
        ("K[ann] has(white) = bob", [("ann",)]),
        ("M[ann] M[bob] has(red) = cat", [("ann",), ("bob",)]),
        ("K[ann] ~M[bob] M[cat] has(red) = bob", [("ann",), ("bob",), ("cat",)]),
        ("Kw[cat] has(red) = ann", [("cat",)]),
        ("E[cat, ann] has(white) = bob", [("cat",)]),
        ("D[cat] has(white) = bob", [("cat",)]),
        ("C[ann, bob] has(red) = ann", [("bob",)]),
        ("C[ann, bob] has(white) != ann", [("ann",), ("bob",)]),
    ],
)
def test_chains_of_counter_worlds_can_be_checked(
    cards: Scene, question: str, agents: list[tuple[str, ...]]
) -> None:
    answer = ENGINE.holds(cards, question)
    why = answer.why()
    assert isinstance(why, Possible)
    assert why.truth == bool(answer)
    assert [step.agent for step in why.worlds] == agents
    naive = listed(cards.structure)
    worlds = [point.values for point in naive.points]
    here = worlds.index(cards.world)
    for step in why.worlds:
        there = worlds.index(step.world)
        assert there in cell_of(naive, tuple(step.agent), here)
        here = there
    assert naive.truths(why.worlds[-1].shows)[here]


def test_the_law_that_is_not_valid_shows_a_world(cards: Scene) -> None:
    why = ENGINE.valid(cards.structure, "has(red) = ann").why()
    assert isinstance(why, Possible)
    assert why.worlds[0].world["has(red)"] != "ann"
