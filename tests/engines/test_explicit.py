"""The explicit engine, compared with a naive evaluator."""

from __future__ import annotations

import gc
from fractions import Fraction

import pytest

from symkripke.engines.asked import without_values
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.protocol import Mark
from symkripke.errors import (
    BudgetExceeded,
    InputError,
    TooManyWorlds,
    Unsupported,
)
from symkripke.explain.evidence import Combined, Fact
from symkripke.language import Atom, Formula, K, M
from symkripke.model import (
    Fluent,
    KnowledgeStructure,
    Scene,
    Vocabulary,
)
from symkripke.testing.random_models import (
    ALL,
    BELIEF,
    seeded_case,
)
from tests.support.listed import listed
from tests.support.situations import dealt

ENGINE = ExplicitEngine()


def judge(scene: Scene, formula: Formula) -> bool:
    """Decide modal announcements for random histories."""
    return bool(ENGINE.holds(scene, formula))


def agree(scene: Scene, formulas: tuple[Formula, ...]) -> None:
    """Check that the engine lists the naive model's worlds, and its truth at each of them."""
    structure = scene.structure
    naive = listed(structure)
    worlds = [point.values for point in naive.points]
    table = ENGINE.model(structure).table
    # The order is the same too: that of the product of the values.
    assert [table.world(row) for row in range(table.size)] == worlds
    assert ENGINE.worlds(structure) == len(worlds)
    here = worlds.index(dict(scene.world))
    for formula in formulas:
        resolved = without_values(structure, structure.resolve(formula))
        truths = naive.truths(resolved)
        assert bool(ENGINE.valid(structure, formula)) == all(truths), str(formula)
        assert bool(ENGINE.holds(scene, formula)) == truths[here]
        for world, truth in list(zip(worlds, truths, strict=True))[:20]:
            assert bool(ENGINE.holds(Scene(structure, world), formula)) == truth, str(formula)


@pytest.mark.parametrize("seed", range(60))
def test_agrees_with_the_naive_evaluator(seed: int) -> None:
    """Half of the cases have announcements about knowledge, and a third have beliefs."""
    operators = (*ALL, *BELIEF, "B", "B") if seed % 3 == 0 else ALL
    scene, formulas = seeded_case(
        seed,
        formulas=3,
        operators=operators,
        most_fluents=4,
        judge=judge if seed % 2 else None,
        beliefs=seed % 3 == 0,
    )
    agree(scene, formulas)


@pytest.mark.parametrize("seed", range(8))
def test_perspectives_agree_with_the_naive_cell(seed: int) -> None:
    scene, (formula,) = seeded_case(seed, most_fluents=4)
    structure = scene.structure
    naive = listed(structure)
    worlds = [point.values for point in naive.points]
    here = worlds.index(dict(scene.world))
    for agent in structure.agents:
        perspective = scene.perspective(agent)
        places = next(cell for cell in naive.cells(agent) if here in cell)
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


# ---- errors, limits and evidence ------------------------------------------------------


@pytest.fixture
def cards() -> Scene:
    """Return a deal of three cards: Ann has the first, Bob the second, and Cat the third."""
    return dealt({"ann": 1, "bob": 1, "cat": 1})


def test_hand_sizes_prune_while_listing() -> None:
    fluents = [Fluent(f"x({number})") for number in range(400)]
    structure = KnowledgeStructure.of(Vocabulary.of(fluents, ["ann"]), [], {})
    with pytest.raises(TooManyWorlds, match=r"more than 2,000,000 possible worlds to list"):
        ExplicitEngine().worlds(structure)
    with pytest.raises(InputError, match="1 or more"):
        ExplicitEngine(max_worlds=0)
    uneven = dealt({"ann": 10, "bob": 1, "cat": 1, "dan": 0}).structure
    assert ExplicitEngine(max_worlds=132).worlds(uneven) == 132


def test_models_are_freed_with_their_structures(cards: Scene) -> None:
    engine = ExplicitEngine()
    structure = cards.structure.announce("at(c0) = ann")
    assert engine.worlds(structure) == 2
    assert len(engine._models) == 2
    del structure
    gc.collect()
    assert len(engine._models) == 1


def test_errors_in_the_question(cards: Scene) -> None:
    wrong = Scene(cards.structure.announce("at(c0) = bob"), cards.world)
    with pytest.raises(InputError, match="does not allow the actual world"):
        ENGINE.holds(wrong, "true")
    with pytest.raises(BudgetExceeded, match="2 possibilities, more than 1"):
        ENGINE.possibilities(cards.perspective("ann"), [Atom("at(c1)", "bob")], limit=1)


def test_evidence_of_facts_and_combinations(cards: Scene) -> None:
    fact = ENGINE.holds(cards, "at(c0) = ann").why()
    assert fact == Fact(Atom("at(c0)", "ann"), True)
    both = ENGINE.holds(cards, "at(c0) = bob & K[ann] at(c1) = bob").why()
    assert isinstance(both, Combined)
    assert both.parts == (Fact(Atom("at(c0)", "bob"), False),)
    with pytest.raises(Unsupported, match="the sat engine finds minimal sources"):
        ENGINE.holds(cards, "K[ann] at(c0) = ann").why()
    with pytest.raises(Unsupported, match="the sat engine finds minimal sources"):
        ENGINE.valid(cards.structure, "at(c0) != ann | at(c0) = ann").why()
