"""Searches with announcements about knowledge, interrupted anywhere and continued."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.encoding import Encoding
from symkripke.errors import OutOfWork
from symkripke.play import Table
from symkripke_games.cluedo import GAME


@pytest.mark.parametrize("method", ["atom", "literal"])
def test_a_search_continues_wherever_it_was_interrupted(
    monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """The encoding of a formula can run out of work; the next question must find no halves."""
    setup = GAME.setup(rules="study", players=3, size="2/2/3", silence_speaks=True)
    table = Table(GAME, setup, ("higher-order",), 1)
    for _ in table:
        pass
    scene = table.scenes[3]
    assert scene.structure.law.is_modal
    asked = scene.structure.parse(f"~knows_solution({setup.players[0]})")
    expected = SatEngine().possible_to(scene, asked, setup.players)
    original = getattr(Encoding, method)
    interrupted = 0
    for last in count(1, 3):
        engine, calls = SatEngine(), count(1)

        def limited(
            *arguments: Any, calls: count[int] = calls, last: int = last, **options: Any
        ) -> int:
            if next(calls) == last:
                raise OutOfWork
            literal: int = original(*arguments, **options)
            return literal

        monkeypatch.setattr(Encoding, method, limited)
        try:
            engine.possible_to(scene, asked, setup.players)
            break
        except OutOfWork:
            interrupted += 1
        monkeypatch.setattr(Encoding, method, original)
        assert engine.possible_to(scene, asked, setup.players) == expected, last
    assert interrupted > 20
