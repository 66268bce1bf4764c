"""Forward filtering: the weights of the present are those of the histories that lead to it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from symkripke.engines.bdd import BddEngine
from symkripke.engines.bdd.tuning import BddTuning
from symkripke.engines.count.weighted_diagram import WeightedDiagram, _Lists
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import TooManyNodes
from symkripke.language.walk import is_propositional
from symkripke.play import Moment, Table, game
from symkripke.play.odds import odds
from symkripke.testing.random_models import BOOLEAN, seeded_case


@pytest.fixture
def filtered(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many events were filtered, and how many states their weights had."""
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
"""No structure is small: all histories are filtered."""


@pytest.mark.parametrize("weighting", ["equal", "bayes"])
def test_random_histories(filtered: Counter[str], weighting: str) -> None:
    """As the explicit model."""
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
    """Sets of histories would have millions of nodes: who drew what, in each of 39 turns."""
    now = moment(4, 2, 40)
    shares = odds(now, now.setup.players[1], BddEngine(tuning=LONG)).cells.values()
    assert any(0 < share < 1 for share in shares)
    assert filtered["events"] >= 39
    assert filtered["most"] < 20_000


def test_events_are_added_to_what_was_kept(filtered: Counter[str]) -> None:
    now, asked = moment(4, 2, 20), BddEngine(tuning=LONG)
    player = now.setup.players[0]
    asked.marginals(now.after(19).perspective(player))
    before = filtered["events"]
    asked.marginals(now.perspective(player))
    assert filtered["events"] == before + 1


def test_too_many_states() -> None:
    now = moment(4, 2, 12)
    tuning = BddTuning(weighted_share=24_000_000 // 100)
    with pytest.raises(TooManyNodes, match="more than 100 states"):
        BddEngine(tuning=tuning).marginals(now.perspective(now.setup.players[0]))


def test_fingerprints_that_agree_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then lists are compared in full."""
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
    """Weights above 2**61, and above what a floating-point number holds."""
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
