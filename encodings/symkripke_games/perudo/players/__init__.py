"""Strategies, one class each. `symkripke_games.perudo.GAME.strategies` maps names to them."""

from symkripke_games.perudo.players.adaptive import Adaptive
from symkripke_games.perudo.players.basic import Bluffer, Odds, RandomBidder, Situation
from symkripke_games.perudo.players.believing import Believer, TrustKeeper
from symkripke_games.perudo.players.epistemic import Epistemic
from symkripke_games.perudo.players.fuzzy import Fuzzy
from symkripke_games.perudo.players.rollout import Rollout
from symkripke_games.perudo.players.study import Study, StudyAsCoded
from symkripke_games.perudo.players.thinking import Thinker

__all__ = [
    "Adaptive",
    "Believer",
    "Bluffer",
    "Epistemic",
    "Fuzzy",
    "Odds",
    "RandomBidder",
    "Rollout",
    "Situation",
    "Study",
    "StudyAsCoded",
    "Thinker",
    "TrustKeeper",
]
