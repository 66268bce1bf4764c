"""Forward filtering: current weights equal the total weights of the histories that lead to them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from symkripke.engines.bdd import BddEngine
from symkripke.engines.bdd.tuning import BddTuning
from symkripke.engines.count.weighted_diagram import WeightedDiagram, _Lists
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import InputError, TooManyNodes
from symkripke.language import Atom
from symkripke.language.walk import is_propositional
from symkripke.model import (
    Change,
    Event,
    Fluent,
    KnowledgeStructure,
    Likelihood,
    Observable,
    Perspective,
    Scene,
    Vocabulary,
)
from symkripke.play import Moment, Table, game
from symkripke.play.odds import odds
from symkripke.testing.random_models import BOOLEAN, seeded_case


@pytest.fixture
def filtered(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the filtered events, and record the maximum number of states."""
    seen: Counter[str] = Counter()
    whole = WeightedDiagram.after

    def after(diagram: WeightedDiagram, *args: Any) -> WeightedDiagram:
        result = whole(diagram, *args)
        seen["events"] += 1
        seen["most"] = max(seen["most"], result.size)
        return result

    monkeypatch.setattr(WeightedDiagram, "after", after)
    return seen


LONG = BddTuning(small_atoms=0)
"""A tuning under which no structure is small, so all histories are filtered."""


@pytest.mark.parametrize("weighting", ["equal", "bayes"])
def test_random_histories(filtered: Counter[str], weighting: str) -> None:
    """The results agree with the explicit model."""
    used = 0
    for seed in range(30):
        scene, formulas = seeded_case(
            seed, operators=BOOLEAN, formulas=3, most_events=6, likelihoods=weighting == "bayes"
        )
        ours = BddEngine(10_000, weighting, tuning=LONG)
        explicit = ExplicitEngine(weighting=weighting)
        for agent in scene.structure.agents:
            before = filtered["events"]
            view = scene.perspective(agent)
            atoms = [atom for atom in scene.structure.atoms if "#" not in atom.fluent]
            names = sorted({atom.fluent for atom in atoms})
            for formula in formulas:
                assert is_propositional(formula)
                assert ours.probability(view, formula) == explicit.probability(view, formula), seed
            assert ours.marginals(view, atoms) == explicit.marginals(view, atoms), seed
            some = atoms[: 1 + seed % 4]
            assert ours.distribution(view, some) == explicit.distribution(view, some), seed
            assert ours.worlds(view, names) == explicit.worlds(view, names), seed
            assert ours.worlds(view, names[:2]) == explicit.worlds(view, names[:2]), seed
            used += filtered["events"] > before
    assert used >= 12, used


def moment(players: int, seed: int, events: int, **options: Any) -> Moment[Any, Any]:
    table = Table.of(game("old_maid"), players=players, seed=seed, **options)
    while len(table.steps) < events and table.step() is not None:
        pass
    return table.moment


def test_a_long_game_has_few_states(filtered: Counter[str]) -> None:
    """Sets of histories, with the draws of 39 turns, would need millions of nodes."""
    now = moment(4, 2, 40)
    shares = odds(now, now.setup.players[1], BddEngine(tuning=LONG)).cells.values()
    assert any(0 < share < 1 for share in shares)
    assert filtered["events"] >= 39
    assert filtered["most"] < 20_000


def test_events_are_added_to_cached_results(filtered: Counter[str]) -> None:
    now, asked = moment(4, 2, 20), BddEngine(tuning=LONG)
    player = now.setup.players[0]
    asked.marginals(now.after(19).perspective(player))
    before = filtered["events"]
    asked.marginals(now.perspective(player))
    assert filtered["events"] == before + 1


def coin(*, heard: Likelihood | None = None) -> Scene:
    p, q, r = Fluent("p"), Fluent("q"), Fluent("r")
    structure = KnowledgeStructure.of(
        Vocabulary.of([p, q, r], ["ann", "bob"]), [], {"ann": [Observable(Atom("q"), "sees q")]}
    )
    scene = Scene(structure, {"p": "true", "q": "true", "r": "false"})
    turned = Change("p", (("true", ~Atom("p") | Atom("q")),))
    return scene.update(
        Event("turned", changes=(turned,), likelihoods=(heard,) if heard is not None else ())
    )


def test_likelihoods_count_with_the_event_that_changes() -> None:
    p, half = Atom("p"), Fraction(1, 2)
    view = coin(heard=Likelihood(((p, Fraction(1, 4)), (~p, Fraction(1))))).perspective("bob")
    for asked in (BddEngine(weighting="bayes"), ExplicitEngine(weighting="bayes")):
        # If p was true: 1/4, whether q or not. If p was false: 1, and it becomes true in both
        # cases.
        assert asked.probability(view, p) == Fraction(9, 10)
        assert asked.probability(view, Atom("r") & p) == Fraction(9, 20)
    wrong = Likelihood(((p, half), (p & Atom("q"), half)), "a guess")
    noise = coin().structure.update(
        Event("noise", likelihoods=(wrong,), changes=(Change("q", "true"),))
    )
    with pytest.raises(InputError, match="a guess: expected exactly one case"):
        BddEngine(weighting="bayes").probability(Perspective(noise, "bob", frozenset()), p)


def test_samples_are_drawn_by_weight() -> None:
    now, asked = moment(4, 2, 12), BddEngine(weighting="bayes")
    view = now.perspective(now.setup.players[0])
    names = [f"holds({player}, queen)" for player in now.setup.players]
    deals = asked.sample(view, 2_000, Random(7), names)
    assert deals == BddEngine(weighting="bayes").sample(view, 2_000, Random(7), names)
    shares = asked.distribution(view, [Atom(name) for name in names])
    drawn = Counter(
        frozenset(Atom(name) for name in names if deal[name] == "true") for deal in deals
    )
    assert drawn.keys() == shares.keys()
    assert len(shares) > 1
    for true, share in shares.items():
        assert drawn[true] / len(deals) == pytest.approx(float(share), abs=0.05)
    free = coin().perspective("bob")
    turned = Counter(deal["r"] for deal in asked.sample(free, 2_000, Random(1), ["p", "r"]))
    assert turned["true"] == pytest.approx(1_000, abs=100)


def test_too_many_states() -> None:
    now = moment(4, 2, 12)
    tuning = BddTuning(weighted_share=24_000_000 // 100)
    with pytest.raises(TooManyNodes, match="more than 100 states"):
        BddEngine(tuning=tuning).marginals(now.perspective(now.setup.players[0]))


def test_colliding_fingerprints(monkeypatch: pytest.MonkeyPatch) -> None:
    """If fingerprints collide, lists are compared in full."""
    now = moment(4, 7, 14)
    view = now.perspective(now.setup.players[2])
    expected = BddEngine().marginals(view)
    surely = _Lists._surely_alike
    called: Counter[str] = Counter()

    def counted(lists: _Lists, *args: Any) -> Any:
        called["compared"] += 1
        return surely(lists, *args)

    monkeypatch.setattr(_Lists, "_prints", lambda lists: lists.count.astype("uint64") * 0)
    monkeypatch.setattr(_Lists, "_surely_alike", counted)
    assert BddEngine().marginals(view) == expected
    assert called["compared"] > 10


def test_numbers_beyond_the_machine() -> None:
    """Weights exceed 2**61, and the range of floating-point numbers."""
    for bits in (70, 2_000):
        weights = WeightedDiagram((3,), ((_side(0), _side(1)),), (1 << bits, 3 << bits), {5: True})
        assert weights.total == 1 << bits + 2
        assert weights.marginals == {3: Fraction(3, 4), 5: Fraction(1)}
        assert dict(weights.paths()) == {
            frozenset((5,)): Fraction(1, 4),
            frozenset((3, 5)): Fraction(3, 4),
        }


def _side(state: int) -> Any:
    import numpy as np

    return np.array([state], dtype=np.int64)


def test_free_variables_are_drawn_evenly() -> None:
    """Variables without influence on the weight take both values independently."""
    drawn = Counter(WeightedDiagram(fixed={5: True}).draw(4000, Random(1), (5, 7, 9)))
    assert set(drawn) == {frozenset(s) for s in ((5,), (5, 7), (5, 9), (5, 7, 9))}
    assert all(900 < times < 1100 for times in drawn.values())
