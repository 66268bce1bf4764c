"""Strategies of Sleuth: whom to ask for which gems, and when to declare."""

from symkripke_games.sleuth.players.asking import Follower, Gainer, StudyAgent
from symkripke_games.sleuth.players.basic import Asker, RandomAsker

__all__ = ["Asker", "Follower", "Gainer", "RandomAsker", "StudyAgent"]
