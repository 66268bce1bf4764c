"""Knowledge perft: the recorded numbers of worlds and deals, by the bdd engine and once more."""

from __future__ import annotations

import json

import pytest

from symkripke.engines.bdd import BddEngine
from tests.support.perft import FOLDER, GAMES, played


@pytest.mark.parametrize("name", [game[0] for game in GAMES])
def test_perft(name: str) -> None:
    table = played(name)
    recorded = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]
    assert len(recorded) == len(table.scenes)
    bdd, deal = BddEngine(), table.moment.layout.rows
    for row, scene in zip(recorded, table.scenes, strict=True):
        for player in table.setup.players:
            view = scene.perspective(player)
            about = (row["event"], player)
            assert bdd.worlds(view) == row["worlds"][player], about
            assert bdd.worlds(view, deal) == row["deals"][player], about
