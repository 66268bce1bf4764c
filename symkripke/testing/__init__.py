"""Contracts that every game, player and engine must keep, for the tests of your own packages.

A package from outside subclasses one class for each thing under test, in its own test file:
`GameContract` for a game, `PlayerContract` for its players, `EngineContract` for an engine. The
rules of a game are described once, in a subclass of `Described`.

This room needs pytest (the extra `testing`). It stands beside the command line: it imports
play, engines, explain, model and language; nothing of the product imports it.
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
