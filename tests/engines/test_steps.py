"""Worlds fluent by fluent, with indistinguishable values merged, compared with lists of worlds."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from symkripke.engines import engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.count.steps import Floats, Flow, Steps
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import ImpossibleEvent, InputError, UnknownName, Unsupported
from symkripke.language import Atom, atleast, atmost, exactly, negation
from symkripke.model import (
    Change,
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Perspective,
    Soft,
    Vocabulary,
    World,
)
from symkripke.testing.random_models import seeded_case

VALUES = ("a", "b", "c", "d")


def listed(steps: Steps) -> dict[frozenset[Atom], float]:
    """Return all valuations of the steps, with their probabilities."""
    ways: dict[int, dict[frozenset[Atom], float]] = {0: {frozenset(): 1.0}}
    for step, shares in zip(steps.steps, steps.shares, strict=True):
        after: dict[int, dict[frozenset[Atom], float]] = {}
        for source, value, target, share in zip(
            step.source, step.value, step.target, shares, strict=True
        ):
            assert 0 <= source < step.starts
            assert 0 <= target < step.ends
            assert share > 0
            there = after.setdefault(int(target), {})
            for so_far, probability in ways[int(source)].items():
                longer = so_far | {Atom(step.fluent, step.values[value])}
                there[longer] = there.get(longer, 0.0) + probability * share
        assert set(after) == set(range(step.ends))
        ways = after
    (found,) = ways.values()
    return found


def moved(flow: Flow, numbers: Floats) -> Floats:
    """Numbers of states, as one column, moved over a step."""
    return flow.moved(np.append(numbers, 0.0)[:, np.newaxis])[:-1, 0]


@pytest.mark.parametrize("weighting", ["equal", "bayes"])
def test_steps_are_the_joint_distribution(weighting: str) -> None:
    """The test uses all or some fluents of random situations with random histories."""
    followed = refused = 0
    for seed in range(12):
        scene, _ = seeded_case(seed)
        bdd, explicit = BddEngine(200_000, weighting), ExplicitEngine(weighting=weighting)
        fluents, chance = scene.structure.vocabulary.fluents, Random(seed)
        plain = [name for name in fluents if "#" not in name]
        some = chance.sample(plain, chance.randint(1, len(plain)))
        for view in map(scene.perspective, scene.structure.agents):
            for names in (plain, some):
                reference = explicit.steps(view, names)
                walked = [step.fluent for step in reference.steps]
                atoms = [Atom(name, value) for name in walked for value in fluents[name].values]
                shares = explicit.distribution(view, atoms)
                for asked in (explicit, bdd):
                    try:
                        steps = asked.steps(view, names)
                    except Unsupported:
                        refused += 1
                        continue
                    assert {step.fluent for step in steps.steps} == {*walked}
                    assert listed(steps) == pytest.approx(shares, abs=1e-12)
                    for step, before, after in zip(
                        steps.steps, steps.before, steps.behind[1:], strict=False
                    ):
                        assert moved(step.forward, before) == pytest.approx(step.forwards(before))
                        assert moved(step.backward, after) == pytest.approx(step.backwards(after))
                    for fluent, marginal in steps.marginals.items():
                        for value, share in marginal.items():
                            expected = explicit.probability(view, Atom(fluent, value))
                            assert share == pytest.approx(float(expected), abs=1e-12)
                    followed += 1
    assert followed > 50
    assert refused < followed / 4


def test_shares_of_more_worlds_than_a_machine_integer_holds() -> None:
    """With a hundred coins of three sides, counts exceed 64 bits."""
    fluents = [Fluent(f"coin({n})", ("heads", "tails", "edge")) for n in range(100)]
    structure = KnowledgeStructure.of(Vocabulary.of(fluents, ["ann"]), [], {})
    view = Perspective.of(structure, "ann", [])
    steps = BddEngine(100_000).steps(view, [fluent.name for fluent in fluents])
    assert len(steps.steps) == 100
    for marginal in steps.marginals.values():
        assert list(marginal.values()) == pytest.approx([1 / 3] * 3)


def test_models_without_steps() -> None:
    vocabulary = Vocabulary.of([Fluent("p"), Fluent("q")], ["ann"])
    structure = KnowledgeStructure.of(vocabulary, [], {})
    view = Perspective.of(structure, "ann", [])
    for name in ("sat", "smt"):
        with pytest.raises(Unsupported, match="does not count"):
            engine(name).steps(view, ["p"])
    impossible = Perspective.of(structure.announce(Atom("p") & ~Atom("p")), "ann", [])
    known = Perspective.of(
        structure.update(Event("set", changes=(Change("p", "true"),))), "ann", []
    )
    for name in ("bdd", "explicit", "auto"):
        with pytest.raises(UnknownName):
            engine(name).steps(view, ["r"])
        with pytest.raises(ImpossibleEvent):
            engine(name).steps(impossible, ["p"])
        assert engine(name).steps(view, []).steps == []
        left = engine(name).steps(known, ["p", "q"])
        assert [step.fluent for step in left.steps] == ["q"]
        assert [list(shares) for shares in left.shares] == [[0.5, 0.5]]


# ---- merged values ------------------------------------------------------------------------------


def random_law(seed: int) -> Perspective:
    """Return Ann's view under a law of random value counts and sums of literals."""
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
    """List the worlds that the agent considers possible."""
    fluents = view.structure.vocabulary.fluents
    atoms = [Atom(name, value) for name, one in fluents.items() for value in one.values]
    return [
        {atom.fluent: atom.value for atom in true}
        for true in ExplicitEngine().possibilities(view, atoms)
    ]


def check(view: Perspective, steps: Steps, worlds: list[World]) -> None:
    """Check that the paths stand for exactly these worlds, each for the right number."""
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
    for one, other in (pair for names in steps.interchangeable for pair in combinations(names, 2)):
        changed = {one: other, other: one}
        swapped = (frozenset((changed.get(n, n), v) for n, v in world) for world in same)
        assert set(swapped) == same


def test_random_laws_with_merged_values() -> None:
    merged = alike = 0
    for seed in range(80):
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
            alike += sum(len(group) > 1 for group in steps.interchangeable)
        Random(seed).shuffle(names)
        given = bdd.steps(view, names, "given", known)
        assert [step.fluent for step in given.steps] == names
        check(view, given, worlds)
        assert not bdd.drawn(view.structure)
    assert merged > 40
    assert alike > 80


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
def test_wrong_arguments_are_errors(name: str, arguments: dict[str, Any], says: str) -> None:
    structure = KnowledgeStructure.of(Vocabulary.of([Fluent("p")], ["a"]), [], {})
    with pytest.raises(InputError, match=re.escape(says)):
        engine(name).steps(Perspective.of(structure, "a", ()), **arguments)


@pytest.mark.parametrize("name", ["bdd", "auto", "explicit"])
def test_by_plausibility_the_steps_are_over_the_most_plausible_worlds(name: str) -> None:
    """This applies if there are soft constraints; without them, steps are over all worlds."""
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
