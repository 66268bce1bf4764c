"""Knowledge perft: the recorded numbers of deals, by diagrams, by the model, and once more."""

from __future__ import annotations

import json
from math import factorial, prod
from random import Random
from typing import Any

import pytest

from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from tests.kwartet.perft import GAMES, deals, played
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
def test_the_record_is_what_the_rules_give(name: str) -> None:
    """One player, every few events; and at the start as many ways to deal as there are."""
    table = played(name)
    record = [step.outcome.public for step in table.steps]
    chance = Random(name)
    for row in recorded(name)[:: 1 if "classic" not in name else 4]:
        player = chance.choice(table.setup.players)
        assert deals(table, player, record[: row["event"]]) == row["deals"][player]
    sizes = table.setup.sizes
    for player, number in recorded(name)[0]["deals"].items():
        others = [size for one, size in sizes.items() if one != player]
        assert number == factorial(sum(others)) // prod(map(factorial, others))
