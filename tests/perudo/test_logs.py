"""Logs: whole games, one player's own log, and impossible events."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from symkripke.errors import LogError
from symkripke.play import Outcome, Table
from symkripke.play.session.course import Seat
from symkripke_games.perudo import GAME
from symkripke_games.perudo.rules import Rolled
from tests.support.played import played


def table_of_three() -> Table[Any, Any]:
    return played(GAME, ("believer", "odds", "bluffer"), 4, players=3, dice=2)


def test_memory_stays_constant() -> None:
    """Each round has a separate structure, with only its own bids."""
    table = table_of_three()
    most = max(len(scene.structure.stages) for scene in table.scenes)
    bids = longest = 0
    for step in table.steps:
        bids = 0 if isinstance(step.outcome.public, Rolled) else bids + 1
        longest = max(longest, bids)
    assert most == longest + 1
    assert longest < len(table.steps) / 2


def test_a_players_own_log() -> None:
    """Own dice must be given after each throw, and match the dice that are shown."""
    record = table_of_three().record.seen_by("ann")
    throw = next(n for n, o in enumerate(record.outcomes) if isinstance(o.public, Rolled))
    outcomes = list(record.outcomes)
    outcomes[throw] = Outcome(outcomes[throw].public, {})
    with pytest.raises(
        LogError, match=r"ann saw something that the log does not say: die\(ann, 1\)"
    ):
        replace(record, outcomes=tuple(outcomes)).replay()
    assert record.seat is not None
    for dice, says in (
        (("1", "1") if record.seat.holds != ("1", "1") else ("2", "2"), "contradicts what is kn"),
        (("1",), "expected ann to have 2 dice, got 1"),
        (("1", "7"), "unknown face of a die '7'"),
    ):
        with pytest.raises(LogError, match=says):
            replace(record, seat=Seat("ann", dice)).replay()


def test_a_throw_without_the_facts_of_its_round_is_described() -> None:
    """A log written by hand may omit the facts that follow from the events before."""
    assert GAME.story(GAME.setup(players=3), Outcome(Rolled(turn=4), {}), None) == "All throw."
