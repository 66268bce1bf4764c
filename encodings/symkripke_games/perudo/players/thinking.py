"""Players that model the reasoning of the others, to a given depth; see `symkripke.play.depth`."""

from __future__ import annotations

from random import Random

from symkripke.engines import Engine
from symkripke_games.perudo.players.basic import Bidder, PerudoView
from symkripke_games.perudo.rules import Doubt, Raise

MOST_THROWS = 5_000
"""The greatest number of throws of one player, in any order, with which these players can play."""


class Thinker(Bidder):
    """Models the others as players of depth one less; at depth 0, plays like `odds`.

    See `symkripke_games.perudo.replies` for the exact rule.
    """

    def __init__(self, engine: Engine, chance: Random, depth: int) -> None:
        """Create a player of this depth."""
        super().__init__(engine, chance)
        self.depth = depth

    def move(self, view: PerudoView, bids: list[Raise], calls: list[Doubt]) -> Raise | Doubt:
        """Return a best move; choose randomly among equals."""
        from symkripke_games.perudo.replies import Spot, policy  # numpy is slow to import

        situation = self.situation(view)
        move = policy(Spot.of(situation, view.setup), self.depth)
        return self.chance.choice(move.best(tuple(sorted(situation.own))))
