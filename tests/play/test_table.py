"""The table at which players sit: their views over time."""

from __future__ import annotations

from typing import Any

import pytest

from symkripke.play import Table, View, game, game_names
from tests.support.played import decisions


@pytest.mark.parametrize("name", game_names())
def test_a_kept_view_does_not_change(name: str) -> None:
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


def test_moments_of_a_table_give_probabilities() -> None:
    table: Table[Any, Any] = Table.of(game("cluedo"), seed=4, minds=("random",))
    for _ in range(6):
        table.step()
    moment = table.moment.at(turn=3)
    assert not moment.ask("P[plum](at(rope, envelope)) >= 1/4")
    assert 0 < moment.probability("plum", "at(rope, envelope)") < 1
