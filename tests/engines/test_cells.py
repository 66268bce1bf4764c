"""Knowledge about probabilities under large laws: counts cell by cell, once for similar cells."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

from symkripke.engines.bdd import BddEngine
from symkripke.engines.count import cells
from symkripke.engines.count.sum_counter import SumCounter
from symkripke.model import Perspective, Scene
from symkripke.play import Table
from symkripke_games import cluedo


def scenes(turns: int, **options: Any) -> list[Scene]:
    table = Table(cluedo.GAME, cluedo.GAME.setup(**options), ("higher-order",), 3)
    for _ in islice(table, turns):
        pass
    return list(table.scenes)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[Perspective]:
    """Record the cells that are counted one by one."""
    found: list[Perspective] = []
    plain = SumCounter.probability

    def probability(self: SumCounter, perspective: Perspective, *others: Any) -> Fraction | None:
        found.append(perspective)
        return plain(self, perspective, *others)

    monkeypatch.setattr(SumCounter, "probability", probability)
    return found


def test_similar_cells_are_counted_once(counted: list[Perspective]) -> None:
    """With six players there are hundreds of hands, but few counts."""
    (scene,) = scenes(2, players=6)[2:3]
    first, second = scene.structure.agents[:2]
    asked = f"K[{first}] P[{second}](at(rope, envelope)) <= 1/2"
    shares: list[Fraction] = []
    plain = cells.Cells.share
    engine = BddEngine()
    with pytest.MonkeyPatch.context() as patch:

        def share(self: cells.Cells, *arguments: Any) -> Fraction | None:
            found = plain(self, *arguments)
            assert found is not None
            shares.append(found)
            return found

        patch.setattr(cells.Cells, "share", share)
        answer = engine.holds(scene, asked)
    assert len(shares) > 200
    assert len(counted) < len(shares) / 4
    assert bool(answer) is (max(shares) <= Fraction(1, 2))
