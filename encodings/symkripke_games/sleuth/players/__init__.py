"""Strategies of Sleuth: whom to ask what, when to declare."""

from symkripke_games.sleuth.players.basic import Asker, RandomAsker

__all__ = ["Asker", "RandomAsker"]
