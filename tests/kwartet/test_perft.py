"""Knowledge perft: the recorded numbers of deals, by diagrams, by the model, and once more."""

from __future__ import annotations

import json
from math import factorial, prod
from typing import Any

import pytest

from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from tests.kwartet.perft import GAMES, played
from tests.support.perft import FOLDER


def recorded(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("name", [game[0] for game in GAMES])
def test_perft(name: str) -> None:
    """By diagrams, and by the explicit model where it fits."""
    table = played(name)
    lines = recorded(name)
    assert len(lines) == len(table.scenes) > 5
    bdd = BddEngine()
    explicit = ExplicitEngine() if name in ("kwartet-small", "kwartet-bluff") else None
    for row, scene in zip(lines, table.scenes, strict=True):
        for player in table.setup.players:
            view = scene.perspective(player)
            about = (row["event"], player)
            assert bdd.worlds(view) == row["deals"][player], about
            if explicit is not None:
                assert explicit.worlds(view) == row["deals"][player], about


@pytest.mark.parametrize("name", [game[0] for game in GAMES])
def test_closed_forms_for_the_start(name: str) -> None:
    sizes = played(name).setup.sizes
    for player, number in recorded(name)[0]["deals"].items():
        others = [size for one, size in sizes.items() if one != player]
        assert number == factorial(sum(others)) // prod(map(factorial, others))
