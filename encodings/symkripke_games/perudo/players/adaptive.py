"""A player that learns, for each opponent, how far to trust each order of theory of mind.

The player combines the players `depth-0` to `depth-3` (see `symkripke.play.depth`). Reasoning about
an opponent at order k means expecting a player of depth k - 1. For each opponent, the player has a
confidence c_k from 0 to 1 in each order k from 1 to `ORDERS`. If there is only one opponent, the
value V_k of a move up to order k is

    V_0 = value at depth 0,    V_k = c_k * (value at depth k) + (1 - c_k) * V_(k-1).

With several opponents, the dice and the answer of each opponent are averaged in this way.

When the dice are shown at the end of a round, the player checks which orders predicted each move of
an opponent: order k did if a player of depth k - 1 with the opponent's dice might have made the
move. With the learning speed s, each confidence changes to

    c_k = (1 - s) * c_k        if order k did not predict the move,
    c_k = (1 - s) * c_k + s    if order k predicted it and no lower order did,

and stays otherwise. So a higher order gains confidence only from moves that lower orders cannot
explain. The models of the opponents do not learn: they have full confidence in their own order.

Sources: H. de Weerd, R. Verbrugge, B. Verheij, How much does it help to know what she knows you
know? An agent-based simulation study, Artificial Intelligence 199-200 (2013), for the confidences,
the learning speed and the integration of orders; H. de Weerd, R. Verbrugge, B. Verheij, Negotiating
with other minds, Autonomous Agents and Multi-Agent Systems 31 (2017), for values in place of
predicted actions. There, two players know each other's actions completely. Here, opponents have
hidden dice, so the player learns at the end of the round, and has separate confidences for each
opponent.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from symkripke.engines import Engine
from symkripke.play.depth import DEPTHS
from symkripke.play.options import share
from symkripke_games.perudo.bidding import Manner
from symkripke_games.perudo.players.basic import PerudoView, Situation
from symkripke_games.perudo.players.learning import Learner
from symkripke_games.perudo.rules import Bid, Call, Doubt, Raise, Round

ORDERS = max(DEPTHS)
"""The highest order of theory of mind."""

START = 0.5
"""The confidence in each order at the start of a game."""


class Adaptive(Learner):
    """Learns how deep each opponent thinks, and reasons about them at the orders it trusts."""

    def __init__(self, engine: Engine, chance: Random, speed: float = 0.3) -> None:
        """Create a player with this learning speed."""
        self.speed = speed
        super().__init__(engine, chance)

    @classmethod
    def tuned(cls, text: str) -> Callable[[Engine, Random], Adaptive]:
        """Return a factory of players with the learning speed in `text`, as in `adaptive:0.3`.

        Raises:
            InputError: the text is not a number from 0 to 1.
        """
        return partial(cls, speed=share(text))

    def confidence(self, player: str) -> list[float]:
        """Return the confidences in the orders from 1 for this player."""
        return self._confidence.setdefault(player, [START] * ORDERS)

    def shares(self, player: str) -> list[float]:
        """Return the shares of the orders from 0 in the value of a move; they add up to 1."""
        shares, rest = [], 1.0
        for confidence in reversed(self.confidence(player)):
            shares.append(rest * confidence)
            rest *= 1 - confidence
        return [rest, *reversed(shares)]

    def move(self, view: PerudoView, bids: list[Raise], calls: list[Doubt]) -> Raise | Doubt:
        """Return a best move; choose randomly among equals."""
        from symkripke_games.perudo.replies import Spot, blended  # numpy is slow to import

        situation = self.situation(view)
        players = Spot.players(situation.now, view.setup)
        spot = Spot.of(situation, view.setup)
        move = blended(spot, [self.shares(player) for player in players])
        return self.chance.choice(move.best(tuple(sorted(situation.own))))

    def forget(self) -> None:
        """Forget everything, because this is another game."""
        self._confidence: dict[str, list[float]] = {}

    def learn(self, view: PerudoView, now: Round, bids: tuple[Bid, ...], call: Call) -> None:
        """Compare each move of the others with the predictions of all orders."""
        from symkripke_games.perudo.replies import Spot, policy  # numpy is slow to import

        manner = Manner(view.setup.faces, now.wild, now.fixed)
        ended = Spot.of(Situation(call.player, now, manner, (), bids), view.setup)
        made: list[tuple[str, Raise | Doubt]] = [(bid.player, Raise(*bid.offer)) for bid in bids]
        for number, (player, move) in enumerate([*made, (call.player, Doubt(call.kind))]):
            spot = ended.before(number)
            if player == view.player or move not in spot.options:
                continue
            throw = tuple(sorted(call.dice[player]))
            predicted = [move in policy(spot, depth).best(throw) for depth in range(ORDERS)]
            self.adjust(self.confidence(player), predicted)

    def adjust(self, confidence: list[float], predicted: list[bool]) -> None:
        """Change the confidences in the orders from 1, given which of them predicted a move."""
        for place, right in enumerate(predicted):
            if not right:
                confidence[place] *= 1 - self.speed
            elif not any(predicted[:place]):
                confidence[place] += self.speed * (1 - confidence[place])
