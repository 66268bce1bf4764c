"""The worlds fluent by fluent, with values as one that are not told apart: the same as listed."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import combinations
from random import Random
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.count.steps import Steps
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import InputError
from symkripke.language import Atom, atleast, atmost, exactly, negation
from symkripke.model import (
    Constraint,
    Fluent,
    KnowledgeStructure,
    Observable,
    Perspective,
    Soft,
    Vocabulary,
    World,
)
from symkripke.play import Table
from symkripke.play.dealing import location
from symkripke_games.sleuth import GAME
from tests.engines.test_unrolling import listed
from tests.support.gems import Deal

VALUES = ("a", "b", "c", "d")


def random_law(seed: int) -> Perspective:
    """What Ann considers possible: how many fluents have each value, and some sums of literals."""
    chance = Random(seed)
    fluents = []
    for number in range(chance.randint(4, 6)):
        size = 4 if chance.random() < 0.7 else chance.randint(2, 3)
        fluents.append(Fluent(f"f{number}", tuple(sorted(chance.sample(VALUES, size)))))
    world = {fluent.name: chance.choice(fluent.values) for fluent in fluents}
    law = []
    for value in VALUES:
        if chance.random() < 0.9:
            atoms = [Atom(one.name, value) for one in fluents if value in one.values]
            law.append(exactly(sum(world[a.fluent] == a.value for a in atoms), atoms))
    for _ in range(chance.randint(0, 3)):
        some = chance.sample(fluents, chance.randint(2, len(fluents)))
        atoms = [Atom(one.name, chance.choice(one.values)) for one in some]
        if chance.random() < 0.5:
            common = chance.choice(VALUES)
            atoms = [Atom(one.name, common) for one in some if common in one.values]
        signs = [chance.random() < 0.8 for _ in atoms]
        literals = [a if sign else negation(a) for a, sign in zip(atoms, signs, strict=True)]
        number = sum((world[a.fluent] == a.value) is s for a, s in zip(atoms, signs, strict=True))
        law.append(chance.choice((atleast, atmost, exactly))(number, literals))
    seen = [Observable(Atom(one.name, one.values[0]), "") for one in fluents[: seed % 3]]
    structure = KnowledgeStructure.of(
        Vocabulary.of(fluents, ["ann"]), [Constraint(part, "") for part in law], {"ann": seen}
    )
    true = [one.atom for one in seen if world[one.atom.fluent] == one.atom.value]
    return Perspective.of(structure, "ann", true)


def worlds_of(view: Perspective) -> list[World]:
    """The worlds that the agent considers possible, listed."""
    fluents = view.structure.vocabulary.fluents
    atoms = [Atom(name, value) for name, one in fluents.items() for value in one.values]
    return [
        {atom.fluent: atom.value for atom in true}
        for true in ExplicitEngine().possibilities(view, atoms)
    ]


def check(view: Perspective, steps: Steps, worlds: list[World]) -> None:
    """The steps have these worlds: each way stands for as many, and nothing else does."""
    names = list(view.structure.vocabulary.fluents)
    first = {
        (name, value): group.values[0]
        for group in steps.groups
        for value in group.values
        for name in group.fluents
    }
    ways: defaultdict[frozenset[Atom], int] = defaultdict(int)
    for world in worlds:
        as_one = {name: first.get((name, value), value) for name, value in world.items()}
        ways[frozenset(Atom(*item) for item in as_one.items())] += 1
    assert set(ways.values()) == {steps.each}
    found = listed(steps)
    assert found.keys() == ways.keys()
    assert found == pytest.approx(dict.fromkeys(ways, 1 / len(ways)), rel=1e-12)
    assert steps.worlds == len(worlds)
    assert steps.total * steps.each == pytest.approx(len(worlds), rel=1e-12)
    for name in names:
        shares = {value: share for value, share in steps.marginals[name].items() if share}
        counted = {v: sum(w[name] == v for w in worlds) / len(worlds) for v in shares}
        assert shares == pytest.approx(counted, rel=1e-12)
        assert sum(counted.values()) == pytest.approx(1)
    same = {frozenset(world.items()) for world in worlds}
    for one, other in (pair for names in steps.alike for pair in combinations(names, 2)):
        changed = {one: other, other: one}
        swapped = (frozenset((changed.get(n, n), v) for n, v in world) for world in same)
        assert set(swapped) == same


def test_random_laws_with_values_as_one() -> None:
    merged = alike = 0
    for seed in range(250):
        view = random_law(seed)
        worlds, bdd = worlds_of(view), BddEngine()
        fluents = view.structure.vocabulary.fluents
        names = list(fluents)
        known = tuple(dict.fromkeys(v for fluent in fluents.values() for v in fluent.values))
        for values in ((), known, known[: seed % 4] + known[seed % 4 + 1 :]):
            steps = bdd.steps(view, names, merged=values)
            check(view, steps, worlds)
            assert all(set(group.values) <= set(values) for group in steps.groups)
            merged += len(steps.groups)
            alike += sum(len(group) > 1 for group in steps.alike)
        Random(seed).shuffle(names)
        given = bdd.steps(view, names, "given", known)
        assert [step.fluent for step in given.steps] == names
        check(view, given, worlds)
        assert not bdd.drawn(view.structure)
    assert merged > 150
    assert alike > 300


def test_worlds_over_some_of_the_fluents_of_a_group_are_not_counted() -> None:
    """Of three cards Ann holds c; a and b are one value, of y and z together."""
    names = ["x", "y", "z"]
    law = [exactly(1, [Atom(name, value) for name in names]) for value in "abc"] + [Atom("x", "c")]
    vocabulary = Vocabulary.of([Fluent(name, ("a", "b", "c")) for name in names], ["ann"])
    structure = KnowledgeStructure.of(vocabulary, [Constraint(part, "") for part in law], {})
    view, bdd = Perspective.of(structure, "ann", ()), BddEngine()
    found = [bdd.steps(view, names[:number], merged=("a", "b")) for number in (1, 2, 3)]
    assert all(steps.groups for steps in found)
    assert [steps.worlds for steps in found] == [None, None, 2]


def test_hands_of_which_nothing_is_known_are_one() -> None:
    """Seven players of Sleuth: a group until numbers are said, and many states fewer."""
    table = Table(GAME, GAME.setup(players=7), ("random",), 1)
    names = [location(gem.id) for gem in table.setup.edition.gems]
    bdd, sizes = BddEngine(), []
    for _ in range(8):
        assert table.step() is not None
        view = table.scene.perspective(table.setup.players[0])
        apart = bdd.steps(view, names)
        merged = bdd.steps(view, names, merged=table.setup.players)
        assert (apart.each, apart.groups) == (1, ())
        assert merged.worlds == apart.worlds == bdd.worlds(view)
        for name, shares in apart.marginals.items():
            assert merged.marginals[name] == pytest.approx(shares, rel=1e-12)
        sizes.append([sum(step.starts for step in one.steps) for one in (apart, merged)])
    assert 20 * sizes[0][1] < sizes[0][0]
    assert 4 * sum(small for _, small in sizes) < sum(large for large, _ in sizes)


def test_the_given_order_is_kept_or_refused() -> None:
    """Of a deal, in any order; a diagram has an order of its own."""
    deal = Deal((2, 3), 2, 2)
    view = deal.scene(Random(1)).perspective("p1")
    names = [deal.at(card, "p1").fluent for card in deal.cards][::-1]
    for counting in (BddEngine(), ExplicitEngine()):
        steps = counting.steps(view, names, "given")
        assert [step.fluent for step in steps.steps] == names


@pytest.mark.parametrize("name", ["bdd", "auto", "explicit"])
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"names": "p"}, "the fluents: expected several, each text, got the text 'p'"),
        ({"names": ["q"]}, "unknown fluent 'q'"),
        ({"names": ["p"], "order": "sorted"}, "unknown order 'sorted'"),
        ({"names": ["p"], "merged": ["w"]}, "unknown value 'w'"),
    ],
)
def test_wrong_arguments_are_told(name: str, arguments: dict[str, Any], says: str) -> None:
    structure = KnowledgeStructure.of(Vocabulary.of([Fluent("p")], ["a"]), [], {})
    with pytest.raises(InputError, match=re.escape(says)):
        engine(name).steps(Perspective.of(structure, "a", ()), **arguments)


@pytest.mark.parametrize("name", ["bdd", "auto", "explicit"])
def test_by_plausibility_the_steps_are_over_the_most_plausible_worlds(name: str) -> None:
    """With soft constraints, whatever the events; without, over all worlds."""
    p, q = Atom("p"), Atom("q")
    vocabulary = Vocabulary.of([Fluent("p"), Fluent("q")], ["a", "b"])
    soft = [Soft(p, {"a": 0})]
    structure = KnowledgeStructure.of(vocabulary, [Constraint(p | q, "")], {}, soft)
    counting = engine(name, "plausible")
    for agent in structure.agents:
        view = Perspective.of(structure, agent, ())
        shares = counting.distribution(view, [p, q])
        assert len(shares) == (2 if agent == "a" else 3)
        found = {
            frozenset(atom for atom in true if atom.value == "true"): share
            for true, share in listed(counting.steps(view, ["p", "q"])).items()
        }
        assert found == pytest.approx({true: float(share) for true, share in shares.items()})
