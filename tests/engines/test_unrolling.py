"""The worlds fluent by fluent: the same as listed."""

from __future__ import annotations

from random import Random

import pytest

from symkripke.engines import engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.count.steps import Steps
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import ImpossibleEvent, UnknownName, Unsupported
from symkripke.language import Atom
from symkripke.model import Change, Event, Fluent, KnowledgeStructure, Perspective, Vocabulary
from symkripke.play import Table
from symkripke.play.dealing import location
from symkripke.testing.random_models import seeded_case
from symkripke_games.cluedo import GAME


def listed(steps: Steps) -> dict[frozenset[Atom], float]:
    """All valuations of the steps, with their probability."""
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


@pytest.mark.parametrize("weighting", ["equal", "bayes"])
def test_steps_are_the_joint_distribution(weighting: str) -> None:
    """Of all, and of some, fluents of random situations with random histories."""
    followed = mixed = 0
    for seed in range(20):
        scene, _ = seeded_case(seed)
        bdd, explicit = BddEngine(200_000, weighting), ExplicitEngine(weighting=weighting)
        structure = scene.structure
        chance = Random(seed)
        plain = [name for name in structure.vocabulary.fluents if "#" not in name]
        some = chance.sample(plain, chance.randint(1, len(plain)))
        for agent in structure.agents:
            view = scene.perspective(agent)
            for names in (plain, some):
                try:
                    reference = explicit.steps(view, names)
                except Exception as error:
                    with pytest.raises(type(error)):
                        bdd.steps(view, names)
                    continue
                fluents = [step.fluent for step in reference.steps]
                atoms = [
                    Atom(name, value)
                    for name in fluents
                    for value in structure.vocabulary.fluents[name].values
                ]
                shares = explicit.distribution(view, atoms)
                try:
                    steps = bdd.steps(view, names)
                except Unsupported:
                    mixed += 1
                    steps = reference
                assert {step.fluent for step in steps.steps} == set(fluents)
                for one in (steps, reference):
                    found = listed(one)
                    assert found.keys() == shares.keys(), (seed, agent)
                    for key, share in shares.items():
                        assert found[key] == pytest.approx(float(share), abs=1e-12)
                    for fluent, marginal in one.marginals.items():
                        for value, probability in marginal.items():
                            share = explicit.probability(view, Atom(fluent, value))
                            assert probability == pytest.approx(float(share), abs=1e-12)
                followed += 1
    assert followed > 40
    assert mixed < followed / 4


def test_shares_of_more_worlds_than_a_machine_integer_holds() -> None:
    """A hundred coins of three sides: counts are beyond 64 bits."""
    fluents = [Fluent(f"coin({n})", ("heads", "tails", "edge")) for n in range(100)]
    structure = KnowledgeStructure.of(Vocabulary.of(fluents, ["ann"]), [], {})
    view = Perspective.of(structure, "ann", [])
    steps = BddEngine(100_000).steps(view, [fluent.name for fluent in fluents])
    assert len(steps.steps) == 100
    for marginal in steps.marginals.values():
        assert list(marginal.values()) == pytest.approx([1 / 3] * 3)


def test_the_steps_of_a_full_deal_has_its_marginals() -> None:
    table = Table(GAME, GAME.setup(players=4), seed=3)
    bdd = BddEngine(weighting="bayes")
    names = [location(card.id) for card in table.setup.edition.cards]
    for step in table:
        if step.number == 6:
            view = table.view("white").perspective
            steps = bdd.steps(view, names, "given")
            assert [step.fluent for step in steps.steps] == names
            found = steps.marginals
            for atom, share in bdd.marginals(view).items():
                if atom.fluent in names:
                    there = found[atom.fluent].get(atom.value, 0.0)
                    assert there == pytest.approx(float(share), abs=1e-12)
            break


def test_what_cannot_be_walked() -> None:
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
