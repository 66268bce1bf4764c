"""The contract of players, applied to the players of our games."""

from __future__ import annotations

from symkripke.testing import PlayerContract
from tests.contract import described


class TestCluedo(PlayerContract):
    described = described.Cluedo()
    tuned = ("higher-order-guesser:0.2", "discreet:0.8")
    setups = ("classic, 3 players", "study, 2 players")


class TestHanabi(PlayerContract):
    described = described.Hanabi()
    setups = ("two colours", "all playable")


class TestKwartet(PlayerContract):
    described = described.Kwartet()
    setups = ("study, 2 groups",)


class TestOldMaid(PlayerContract):
    described = described.OldMaid()
    setups = ("study, 3 players",)


class TestPerudo(PlayerContract):
    described = described.Perudo()
    setups = ("calza",)


class TestSleuth(PlayerContract):
    described = described.Sleuth()
    tuned = ("gain:deal",)
    setups = ("study, 2 players",)
