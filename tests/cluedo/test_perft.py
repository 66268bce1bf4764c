"""Knowledge perft: the recorded numbers of worlds and deals, by the bdd engine and once more."""

from __future__ import annotations

import json
from random import Random

import pytest

from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from tests.support.perft import FOLDER, GAMES, played, recomputed


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


@pytest.mark.parametrize(("name", "fits"), [(game[0], game[3]) for game in GAMES])
def test_the_record_by_another_method(name: str, fits: bool) -> None:
    """By the explicit model where that fits; else one player an event, by the programme."""
    table = played(name)
    recorded = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]
    explicit = ExplicitEngine() if fits else None
    chance = Random(name)
    for row in recorded:
        players = table.setup.players
        for player in players if fits else [chance.choice(players)]:
            numbers = row["worlds"][player], row["deals"][player]
            assert recomputed(table, row["event"], player, explicit) == numbers
