"""Strategies of Sleuth: whom to ask for which gems, and when to declare."""

from symkripke_games.sleuth.players.asking import Follower, Gainer, StudyAgent
from symkripke_games.sleuth.players.basic import RandomAsker

__all__ = ["Follower", "Gainer", "RandomAsker", "StudyAgent"]
