"""Strategies: what to ask, what to show and when to accuse. Each strategy sees only its view."""

from symkripke_games.cluedo.players.basic import (
    CluedoView,
    FirstOrder,
    HigherOrder,
    RandomAsker,
    seen_cards,
)
from symkripke_games.cluedo.players.discreet import Discreet
from symkripke_games.cluedo.players.guessing import FirstOrderGuesser, HigherOrderGuesser, Racer
from symkripke_games.cluedo.players.informative import Informative
from symkripke_games.cluedo.players.thinking import Thinker

__all__ = [
    "CluedoView",
    "Discreet",
    "FirstOrder",
    "FirstOrderGuesser",
    "HigherOrder",
    "HigherOrderGuesser",
    "Informative",
    "Racer",
    "RandomAsker",
    "Thinker",
    "seen_cards",
]
