"""Laws in blocks: what is possible, counts and samples, against lists of all worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from symkripke.engines.bdd import BddEngine
from symkripke.engines.bdd.tuning import BddTuning
from symkripke.engines.count import blocks
from symkripke.engines.count.blocks import block_law, block_view
from symkripke.engines.count.tuning import CountingTuning
from symkripke.errors import ImpossibleEvent
from symkripke.language import (
    TRUE,
    Atom,
    Cardinality,
    Formula,
    Iff,
    Implies,
    K,
    Not,
    conjunction,
    disjunction,
    exactly,
)
from symkripke.model import (
    Change,
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Perspective,
    Vocabulary,
    World,
    evaluate,
)

VALUES = "abc"
SIZE = 2
"""Fluents of a block."""


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of two fluents are as large as blocks may be."""
    monkeypatch.setattr(blocks, "_TUNING", CountingTuning(block_ways=len(VALUES) ** SIZE))


def said(chance: Random, names: list[str], depth: int = 2) -> Formula:
    """A random formula about these fluents, with every connective."""
    if not depth or chance.random() < 0.2:
        return Atom(chance.choice(names), chance.choice(VALUES))
    parts = [said(chance, names, depth - 1) for _ in range(3)]
    return chance.choice(
        [
            Not(parts[0]),
            conjunction(parts),
            disjunction(parts),
            Implies(*parts[:2]),
            Iff(*parts[:2]),
            Cardinality(chance.choice(("atleast", "atmost", "exactly")), 1, tuple(parts)),
        ]
    )


def case(seed: int) -> Perspective:
    """A random law of blocks after some events about single blocks, as an agent sees it."""
    chance = Random(seed)
    groups = [[f"x{b}{n}" for n in range(SIZE)] for b in range(chance.randint(2, 3))]
    names = [name for group in groups for name in group]
    deal = {name: chance.choice(VALUES[: chance.choice((2, 3))]) for name in names}
    law = [
        Constraint(exactly(list(deal.values()).count(value), [Atom(n, value) for n in names]), "")
        for value in chance.sample(VALUES, chance.randint(1, 3))
    ]
    own = "a" if chance.random() < 0.7 else "b"
    seen = [Atom(name, own) for name in names if chance.random() < 0.95]
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent(name, tuple(VALUES)) for name in names], ("ann",)),
        law,
        {"ann": [Observable(atom, "hand") for atom in seen]},
    )
    now = dict(deal)
    for number in range(chance.randint(0, 5)):
        group = chance.choice(groups)
        formula = said(chance, group)
        told = formula if evaluate(formula, now) else Not(formula)
        changes: tuple[Change, ...] = ()
        if chance.random() < 0.5:
            name = chance.choice(group)
            now[name] = chance.choice(VALUES)
            changes = (Change(name, now[name]),)
        structure = structure.update(Event(f"{number}", (Constraint(told, ""),), changes=changes))
    true = frozenset(atom for atom in seen if deal[atom.fluent] == atom.value)
    return Perspective(structure, "ann", true)


def listed(view: Perspective) -> Iterator[World]:
    """The worlds that the agent considers possible, one by one."""
    names = list(view.structure.root.vocabulary.fluents)
    for values in product(VALUES, repeat=len(names)):
        world = dict(zip(names, values, strict=True))
        if all(evaluate(constraint.formula, world) for constraint in view.structure.law) and all(
            evaluate(seen.atom, world) is truth for seen, truth in view.observation
        ):
            yield world


@pytest.mark.parametrize("seed", range(300))
def test_counts_are_those_of_a_list(seed: int) -> None:
    view = case(seed)
    worlds, found = list(listed(view)), block_view(view)
    assert found is not None
    assert found.number == len(worlds)
    chance = Random(seed)
    for name in worlds[0]:
        assert set(found.values(name)) == {world[name] for world in worlds}
        weights = found.weights(name)
        for value in VALUES:
            number = sum(world[name] == value for world in worlds)
            assert weights.get((name, value), 0) == number
    for _ in range(10):
        formula = said(chance, list(found.partition.blocks[0].names))
        true = sum(evaluate(formula, world) for world in worlds)
        assert found.follows(formula) is (true == len(worlds))
    drawn = [tuple(found.draw(chance).items()) for _ in range(50)]
    assert set(drawn) <= {tuple({n: w[n] for n, _ in drawn[0]}.items()) for w in worlds}


def test_samples_are_even() -> None:
    view = next(v for v in map(case, range(100)) if 8 < len(list(listed(v))) < 40)
    number, found, chance = len(list(listed(view))), block_view(view), Random(3)
    assert found is not None
    drawn = Counter(tuple(found.draw(chance).items()) for _ in range(200 * number))
    squares = sum((times - 200) ** 2 / 200 for times in drawn.values())
    assert len(drawn) == number
    assert squares < number + 4 * (2 * number) ** 0.5


@pytest.mark.parametrize("seed", range(60))
def test_the_engine_counts_as_by_blocks(seed: int) -> None:
    view, engine = case(seed), BddEngine(tuning=BddTuning(small_atoms=0))
    for state in (view, view.structure):
        found = block_view(state)
        assert found is not None
        assert engine.worlds(state) == found.number


def structure_of(*law: Formula, names: tuple[str, ...] = ("x", "y", "z")) -> KnowledgeStructure:
    fluents = [Fluent(name, tuple(VALUES)) for name in names]
    observed = {"ann": [Observable(Atom("x", "a"), "hand"), Observable(Atom("y", "a"), "hand")]}
    constraints = [Constraint(formula, "") for formula in law]
    return KnowledgeStructure.of(Vocabulary.of(fluents, ("ann",)), constraints, observed)


A = [Atom(name, "a") for name in "xyz"]


@pytest.mark.parametrize(
    "law",
    [[disjunction(A)], [Cardinality("atleast", 1, tuple(A))], [Iff(A[0], exactly(1, A[1:]))]],
    ids=str,
)
def test_other_ties_are_left_to_other_ways(law: list[Formula]) -> None:
    assert block_law(structure_of(*law)) is None
    assert block_law(structure_of().announce(law[0])) is None
    assert block_view(structure_of(*law)) is None


@pytest.mark.parametrize(
    "event",
    [
        Event("modal", (Constraint(Not(K("ann", A[2])), ""),)),
        Event("more", (), (Fluent("more", ("a", "b")),)),
        Event("cases", changes=(Change("x", (("a", A[1]), ("b", Not(A[1])))),)),
    ],
    ids=lambda event: str(event.source),
)
def test_events_that_blocks_cannot_follow(event: Event) -> None:
    structure = structure_of(exactly(1, A)).update(event)
    assert block_law(structure.history.before or structure) is not None
    assert block_law(structure) is None
    assert block_law(structure.announce(A[0])) is None


@pytest.mark.parametrize("seen", [frozenset(A[:2]), frozenset[Atom]()], ids=["too many", "too few"])
def test_what_cannot_have_been_seen_has_no_world(seen: frozenset[Atom]) -> None:
    known = exactly(1, A), Not(A[2])
    view = Perspective(structure_of(*known), "ann", seen)
    found = block_view(view)
    assert found is not None
    assert found.possible is None
    assert found.number == 0
    assert found.follows(A[0])
    with pytest.raises(ImpossibleEvent):
        BddEngine(tuning=BddTuning(small_atoms=0)).marginals(view, A)


def test_a_law_without_worlds_or_fluents() -> None:
    structure = structure_of(exactly(1, A), conjunction(Not(atom) for atom in A))
    found = block_view(structure)
    assert found is not None
    assert found.possible is None
    assert found.number == 0
    assert block_view(structure.announce(A[0]).announce(TRUE)) is not None
    nothing: Any = KnowledgeStructure.of(Vocabulary.of([], ("ann",)), [], {})
    assert block_view(nothing) is None
