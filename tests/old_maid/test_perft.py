"""Knowledge perft: the recorded numbers of worlds, by diagrams, by the model, and listed again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from symkripke_games.old_maid.knowledge import holds
from tests.old_maid.perft import GAMES, played
from tests.support.perft import FOLDER


def recorded(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("name", [game[0] for game in GAMES])
def test_perft(name: str) -> None:
    """Worlds of diagrams, and how many different hands there are in them."""
    table = played(name)
    lines = recorded(name)
    assert len(lines) == len(table.steps) > 5
    bdd = BddEngine()
    explicit = ExplicitEngine() if "classic" not in name else None
    setup = table.setup
    for row in lines:
        scene = table.scenes[row["event"]]
        now = [holds(player, rank).fluent for player in setup.players for rank in setup.deck]
        for player in setup.players:
            view = scene.perspective(player)
            about = (row["event"], player)
            assert bdd.worlds(view) == row["worlds"][player], about
            assert bdd.worlds(view, now) == row["hands"][player], about
            if explicit is not None:
                assert explicit.worlds(view) == row["worlds"][player], about
                assert explicit.worlds(view, now) == row["hands"][player], about
