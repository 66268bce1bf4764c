"""Reasons in words."""

from __future__ import annotations

from symkripke.engines import Known, Source
from symkripke.language import Atom, K
from symkripke.play import game
from symkripke.play.telling import tell


def test_the_same_words_are_said_once() -> None:
    table = game("perudo").table(players=3, seed=1)
    die = Source(Atom("die(bob, 1)", "2"), "each die of Bob shows one face", "domain", 0)
    bid = Source(Atom("die(bob, 2)", "2"), "turn 1: Bob bid 2 twos (believed)", "believed", 1)
    lines = list(tell(table.moment, Known(K("ann", Atom("p")), (die, bid, die))))
    assert [line.text for line in lines[1:]] == [
        "1. each die of Bob shows one face (2 times)",
        "2. turn 1: Bob bid 2 twos (believed)",
    ]
