"""The measures of studies."""

from __future__ import annotations

import pytest

from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.play import Table
from symkripke.play.runs.measures import check_measures
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.knowledge import envelope_atoms
from symkripke_games.cluedo.rules import Suggestion


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


def test_price_is_what_the_entropies_of_all_players_lose() -> None:
    setup = GAME.setup(rules="study", players=3, size="2/3/3")
    table = Table(GAME, setup, ("higher-order",), 3)
    (measure,) = check_measures(GAME, ["price"])
    watch = measure.watch(table)
    counting, atoms = engine("explicit", "bayes"), envelope_atoms(setup)
    expected = {name: dict.fromkeys(setup.players, 0.0) for name in measure.quantities}
    for step in table:
        watch.after(step)
        public = step.outcome.public
        if not isinstance(public, Suggestion):
            continue
        asker, shower = public.player, public.shower
        expected["asked"][asker] += 1
        if shower is not None:
            expected["answered"][shower] += 1
        for player in setup.players:
            before, after = (
                counting.entropy(scene.perspective(player), atoms) for scene in table.scenes[-2:]
            )
            expected["gained" if player == asker else "leaked"][asker] += before - after
            if shower is not None and player != shower:
                expected["told" if player == asker else "overheard"][shower] += before - after
    assert any(expected["told"].values())
    for name, by_seat in watch.values().items():
        assert list(by_seat) == pytest.approx(list(expected[name].values()), abs=1e-6)
