"""Events whose likelihoods and private fluents cancel: two counts say the same as all sums."""

from __future__ import annotations

from collections import Counter

import pytest

from symkripke.engines.bdd import BddEngine
from symkripke.engines.bdd.interruptible import Diagram
from symkripke.engines.bdd.law import Literals
from symkripke.engines.bdd.likelihoods import EventWeights
from symkripke.language import Atom
from symkripke.play import Table, game
from symkripke.testing.random_models import seeded_case


def test_two_counts_say_the_same_as_all_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    quickly, proportional = EventWeights._quickly, EventWeights._proportional
    told: Counter[bool | None] = Counter()

    def noted(event: EventWeights, here: Diagram, summed: frozenset[int]) -> bool | None:
        told[quickly(event, here, summed)] += 1
        return None  # the sums follow

    def compared(event: EventWeights, given: Literals, hidden: frozenset[str]) -> bool:
        before = told.copy()
        by_sums = proportional(event, given, hidden)
        for by_counts in told - before:
            assert by_counts in (None, by_sums)
        return by_sums

    monkeypatch.setattr(EventWeights, "_quickly", noted)
    monkeypatch.setattr(EventWeights, "_proportional", compared)
    for seed in range(70):
        scene, _ = seeded_case(seed, likelihoods=True)
        for agent in scene.structure.agents:
            engine = BddEngine(10_000, "bayes")
            engine.marginals(scene.perspective(agent))
    table = Table.of(game("old_maid"), rules="study", players=3, seed=5)
    while len(table.steps) < 5:
        table.step()
    moment = table.moment
    for player in moment.setup.players:
        asked = [cell for cell in moment.layout.cells.values() if isinstance(cell, Atom)]
        BddEngine().marginals(moment.perspective(player), asked)
    assert min(told[True], told[False]) >= 20, told
