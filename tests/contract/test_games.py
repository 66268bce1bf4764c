"""The contract of games, applied to our games."""

from __future__ import annotations

from symkripke.testing import GameContract
from tests.contract import described


class TestCluedo(GameContract):
    described = described.Cluedo()


class TestHanabi(GameContract):
    described = described.Hanabi()


class TestKwartet(GameContract):
    described = described.Kwartet()


class TestOldMaid(GameContract):
    described = described.OldMaid()


class TestPerudo(GameContract):
    described = described.Perudo()


class TestSleuth(GameContract):
    described = described.Sleuth()
