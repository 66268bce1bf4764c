"""The measure `given-away`, compared with counts of worlds before and after each event."""

from __future__ import annotations

from collections import Counter
from math import log2

import pytest

from symkripke.engines.bdd import BddEngine
from symkripke.play.runs.measures import check_measures
from symkripke.play.session.table import Table
from symkripke_games.kwartet import GAME
from symkripke_games.kwartet.rules import Question


def test_given_away_measures_how_much_the_worlds_of_others_shrink() -> None:
    setup = GAME.setup(rules="study", groups=4)
    table = Table(GAME, setup, ("first-order", "patient", "second-order"), 5)
    (measure,) = check_measures(GAME, ["given-away"])
    watch = measure.watch(table)
    counting, moves = BddEngine(), Counter[str]()
    gave = dict.fromkeys(setup.players, 0.0)
    before: dict[str, int] = {}
    for step in table:
        watch.after(step)
        now = {player: counting.worlds(table.scene.perspective(player)) for player in setup.players}
        if isinstance(public := step.outcome.public, Question):
            moves[public.player] += 1
            gave[public.player] += sum(
                log2(before[player] / now[player])
                for player in setup.players
                if player != public.player
            )
        before = now
    found = watch.values()
    assert list(found["gave"]) == pytest.approx(list(gave.values()), abs=1e-6)
    assert list(found["gave_in"]) == [moves[player] for player in setup.players]
