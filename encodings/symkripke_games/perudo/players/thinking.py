"""Players that think about what the others think, to a depth; see `symkripke.play.depth`."""

from __future__ import annotations

from random import Random

from symkripke.engines import Engine
from symkripke_games.perudo.players.basic import Bidder, PerudoView
from symkripke_games.perudo.rules import Doubt, Raise

MOST_THROWS = 5_000
"""The maximum number of combinations that one player can throw in a game of thinking players."""


class Thinker(Bidder):
    """Thinks to a depth: takes the others for players of one depth less; 0 goes by the odds.

    See `symkripke_games.perudo.replies` for the exact rule.
    """

    def __init__(self, engine: Engine, chance: Random, depth: int) -> None:
        """Create a player of this depth."""
        super().__init__(engine, chance)
        self.depth = depth

    def move(self, view: PerudoView, bids: list[Raise], calls: list[Doubt]) -> Raise | Doubt:
        """Return the best move; of several, any."""
        from symkripke_games.perudo.replies import Spot, policy  # with numpy

        situation = self.situation(view)
        move = policy(Spot.of(situation, view.setup), self.depth)
        return self.chance.choice(move.best(tuple(sorted(situation.own))))
