"""Contracts that every game, player and engine must keep, for the tests of your own packages.

Another package subclasses one class for each object under test, in its own test file:
`GameContract` for a game, `PlayerContract` for its players, `EngineContract` for an engine. The
rules of a game are described once, in a subclass of `Described`.

This package needs pytest (the extra `testing`). It imports play, engines, explain, model and
language, and no other part of symkripke imports it.
"""

from symkripke.testing.dealing import arrangements
from symkripke.testing.described import Described
from symkripke.testing.engines import EngineContract
from symkripke.testing.games import GameContract
from symkripke.testing.histories import BrokenContract
from symkripke.testing.players import PlayerContract

__all__ = [
    "BrokenContract",
    "Described",
    "EngineContract",
    "GameContract",
    "PlayerContract",
    "arrangements",
]
