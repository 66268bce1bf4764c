"""The measures of studies."""

from __future__ import annotations

from symkripke.engines.explicit import ExplicitEngine
from symkripke.play import Table
from symkripke.play.runs.measures import check_measures
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.knowledge import envelope_atoms


def test_solutions_are_counted_at_the_end_of_a_turn() -> None:
    setup = GAME.setup(rules="study")
    (measure,) = check_measures(GAME, ["solutions"])
    longer = False
    for seed in range(4):
        table = Table(GAME, setup, ("higher-order",), seed)
        watch = measure.watch(table)
        for step in table:
            watch.after(step)
        found, last = watch.values(), table.steps[-1].turn
        for turn in (3, 6):
            if last <= turn:
                assert found[f"left_{turn}"] == [1] * 4
                assert found[f"open_{turn}"] == [None] * 4
                continue
            longer = True
            events = sum(step.turn <= turn for step in table.steps)
            scene, atoms = table.scenes[events], envelope_atoms(setup)
            counts = [
                len(ExplicitEngine().possibilities(scene.perspective(player), atoms))
                for player in setup.players
            ]
            assert found[f"left_{turn}"] == found[f"open_{turn}"] == counts
    assert longer
