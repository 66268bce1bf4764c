"""Knowledge perft: the recorded numbers of deals, by diagrams, step by step, and once more."""

from __future__ import annotations

import json
from math import factorial
from random import Random
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.engines.bdd import BddEngine
from symkripke.model import Scene
from symkripke.play import View
from symkripke_games.sleuth import GAME
from symkripke_games.sleuth.deals import Deals
from tests.sleuth.perft import GAMES, played
from tests.support.perft import FOLDER


def recorded(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("name", [game[0] for game in GAMES])
def test_perft(name: str) -> None:
    table = played(name)
    lines = recorded(name)
    assert len(lines) == len(table.scenes)
    bdd, deal = BddEngine(), table.moment.layout.rows
    for row, scene in zip(lines, table.scenes, strict=True):
        for player in table.setup.players:
            view = scene.perspective(player)
            about = (row["event"], player)
            assert bdd.worlds(view, deal) == row["deals"][player], about
            record = [step.outcome.public for step in table.steps[: row["event"]]]
            mine = Deals(View(table.setup, view, record), table.engine)
            assert mine.number == row["deals"][player], about
            assert mine.total == pytest.approx(mine.number, rel=1e-12), about


@pytest.mark.parametrize("players", [3, 4, 5])
def test_closed_forms_for_the_start(players: int) -> None:
    """Who holds h of the gems: all ways to hide one of the others and deal the rest."""
    setup = GAME.setup(players=players)
    others = players - 1
    ways = factorial(36 - setup.hand) // (factorial(setup.hand) ** others * factorial(setup.left))
    first = GAME.structure(setup)
    deal = GAME.deal(setup, Random(1))
    view = Scene.of(first, deal).perspective(setup.players[0])
    assert engine("bdd").worlds(view) == ways
