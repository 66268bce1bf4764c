"""Logs: whole games, and a single player's own log."""

from __future__ import annotations

from typing import Any

import pytest

from symkripke.errors import LogError
from symkripke.play import Outcome, Record
from symkripke.play.dealing import location
from symkripke.play.session.course import Seat
from symkripke_games.sleuth import GAME
from symkripke_games.sleuth.rules import Opening, Question

BOB = location("rds"), location("rdp")


@pytest.mark.parametrize(
    ("rules", "number", "secret", "message"),
    [
        ("classic", 1, {}, "ann saw something that the log does not say; add it"),
        ("classic", 1, dict.fromkeys(BOB, "bob"), "the 1 gems that were shown to ann, got 2"),
        ("classic", 1, {location("gds"): "bob"}, r"cannot have shown location\(gds\) = bob"),
        ("classic", 1, {BOB[0]: "cath"}, r"cannot have shown location\(rds\) = cath"),
        ("classic", 1, {"answer(1)": "gems", BOB[0]: "bob"}, "expected the 1 gems"),
        ("study", None, {}, r'does not say; add it, as in "secret":\{"answer\(1\)"'),
        ("study", 1, {}, "by the study's rules no number is announced"),
        ("study", None, {BOB[0]: "bob"}, 'expected "answer'),
        ("study", None, {"answer(1)": "nothing", BOB[0]: "bob"}, 'expected "answer'),
        ("study", None, {"answer(1)": "gems"}, 'expected "answer'),
        ("classic", 3, {}, r"red diamond gems bob has \(0 to 2\), got 3"),
    ],
)
def test_a_players_own_log_with_faults(
    rules: str, number: int | None, secret: dict[str, str], message: str
) -> None:
    """Ann, with the green diamonds and the red opals, asks Bob for red diamonds."""
    setup = GAME.setup(rules=rules, players=3, size="3/2/2")
    asked = Question(turn=1, player="ann", asked="bob", elements=("red", "diamond"), number=number)
    outcomes = (
        Outcome(Opening(turn=0, up=("yos", "yop")), {}),
        Outcome(asked, secret),
    )
    seat = Seat("ann", ("gos", "gop", "ros"))
    record: Record[Any, Any] = Record(GAME, setup, outcomes, seat=seat)
    with pytest.raises(LogError, match=message) as error:
        record.replay()
    assert "event 2" in str(error.value)
