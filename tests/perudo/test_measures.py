"""The measures of Perudo, recounted from the steps of games by the study's formula."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import floor
from typing import Any

import pytest

from symkripke.play import Table
from symkripke_games.perudo import GAME
from symkripke_games.perudo.rules import Bid, Call, State


def _watched(name: str, seed: int) -> tuple[Table[Any, Any], dict[str, list[float]]]:
    """Return a game and the values of the named measure."""
    setup = GAME.setup(rules="study", players=3, dice=3)
    table: Table[Any, Any] = Table(GAME, setup, ("study-as-coded", "odds", "random"), seed)
    measure = next(measure for measure in GAME.measures if measure.name == name)
    watch = measure.watch(table)
    for step in table:
        watch.after(step)
    return table, {
        key: [value for value in values if value is not None]
        for key, values in watch.values().items()
    }


def test_lost_dice_are_counted() -> None:
    table, counted = _watched("dice", 1)
    calls = sum(isinstance(step.outcome.public, Call) for step in table.steps)
    winner = table.setup.players.index(table.state.winners[0])
    assert sum(counted["lost_dice"]) == calls == counted["rounds"][winner]
    assert all(lost == 3 for seat, lost in enumerate(counted["lost_dice"]) if seat != winner)


@pytest.mark.parametrize("seed", range(3))
def test_tallies_match_the_text(seed: int) -> None:
    table, counted = _watched("tallies", seed)
    expected = {name: Counter[str]() for name in counted}
    state = GAME.start(table.setup, table.deal)
    tally: dict[tuple[str, int], int] = {}
    for step in table.steps:
        public = step.outcome.public
        assert isinstance(state, State)
        if isinstance(public, Bid):
            assert state.throw is not None
            dice, throw, bidder = state.now.dice, state.throw, public.player
            # v = d - unknown(bidder) / 6 - observed(e), rounded and limited to 0 to d.
            unknown = sum(
                number - sum(seen for (whose, _), seen in tally.items() if whose == player)
                for player, number in dice.items()
                if player != bidder
            )
            known = sum(seen for (_, face), seen in tally.items() if face == public.face)
            value = public.quantity - Fraction(unknown, 6) - known
            more = max(0, min(public.quantity, floor(value + Fraction(1, 2))))
            key = (bidder, public.face)
            tally[key] = tally.get(key, 0) + more
            if more:
                expected["added"][bidder] += 1
                expected["added_truly"][bidder] += throw[bidder].count(public.face) >= more
            for (player, face), seen in tally.items():
                expected["tallied"][player] += 1
                expected["tallied_truly"][player] += throw[player].count(face) >= seen
            for player, has in dice.items():
                total = sum(seen for (whose, _), seen in tally.items() if whose == player)
                expected["sums"][player] += 1
                expected["too_many"][player] += total > has
        else:
            tally.clear()
        state = state.follow(step.outcome)
    players = table.setup.players
    assert counted == {
        name: [count[player] for player in players] for name, count in expected.items()
    }
    assert 0 < sum(counted["tallied_truly"]) < sum(counted["tallied"])
