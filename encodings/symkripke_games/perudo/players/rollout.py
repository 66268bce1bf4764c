"""A player of depth 0 that spends its time on simulated rounds instead of theory of mind.

For each of its candidates, the player simulates the rest of the round with random throws of the
others. It makes the move after which it loses no die in most of these rounds. In them, all players,
and also the player itself, bid and doubt like the players `odds`, by their own dice. All throws are
equally likely: unlike a player of depth 1, this player draws no conclusion from the bids. It
controls for the thinking time in studies of depth.

Source: G. Tesauro, G. R. Galperin, On-line policy improvement using Monte-Carlo search, Advances in
Neural Information Processing Systems 9 (1996): rollouts in which all players follow a basic policy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from symkripke.engines import Engine
from symkripke.errors import InputError
from symkripke.play.options import number
from symkripke_games.perudo.players.basic import Bidder, PerudoView
from symkripke_games.perudo.rules import Doubt, Raise


class Rollout(Bidder):
    """Tries its moves in simulated rounds, in which all players go by their own dice alone."""

    def __init__(self, engine: Engine, chance: Random, throws: int = 100) -> None:
        """Create a player that tries each candidate with this number of throws."""
        super().__init__(engine, chance)
        self.throws = throws

    @classmethod
    def tuned(cls, text: str) -> Callable[[Engine, Random], Rollout]:
        """Return a factory of players with the number of throws in `text`, as in `rollout:100`.

        Raises:
            InputError: the text is not a positive number.
        """
        throws = number(text)
        if throws < 1:
            raise InputError(f"expected a positive number of throws, got {text}")
        return partial(cls, throws=throws)

    def move(self, view: PerudoView, bids: list[Raise], calls: list[Doubt]) -> Raise | Doubt:
        """Return a best move; prefer bids to calls, and choose randomly among equals."""
        from symkripke_games.perudo.replies import Spot  # numpy is slow to import
        from symkripke_games.perudo.rollouts import survivals

        situation = self.situation(view)
        spot = Spot.of(situation, view.setup)
        survived = survivals(spot, situation.own, self.throws, self.chance)
        most = max(survived.values())
        best = [move for move in spot.options if survived[move] == most]
        return self.chance.choice([move for move in best if isinstance(move, Raise)] or best)
