"""The table at which players sit: their views over time."""

from __future__ import annotations

from typing import Any

import pytest

from symkripke.play import Table, View, game, game_names
from tests.support.played import decisions


@pytest.mark.parametrize("name", game_names())
def test_a_view_that_is_kept_is_that_of_its_time(name: str) -> None:
    """A view never shows later events, however late the player reads it."""
    table: Table[Any, Any] = Table.of(game(name), minds=("random",), seed=1)
    kept: list[tuple[View[Any, Any], int]] = []
    for view, _ in decisions(table):
        kept.append((view, len(table.steps) - 1))
        if len(table.steps) > 12:
            break
    assert len({number for _, number in kept}) > 5
    for view, number in kept:
        assert view.perspective == table.scenes[number].perspective(view.player)


def test_a_moment_of_a_table_is_asked_for_probabilities() -> None:
    table: Table[Any, Any] = Table.of(game("cluedo"), seed=4, minds=("random",))
    for _ in range(6):
        table.step()
    moment = table.moment.at(turn=3)
    assert not moment.ask("P[plum](at(rope, envelope)) >= 1/4")
    assert 0 < moment.probability("plum", "at(rope, envelope)") < 1
