"""A player that uses only its knowledge and its beliefs, and no odds.

The project on which this game is based calls "a purely epistemic agent" implausible, because of the
number of worlds. The engine answers K and B without listing worlds, so this player exists.

For each move, the player asks the engine what it knows and believes about the event that makes the
move succeed: the bid is met, or the call is right. From best to worst, it knows that the move
succeeds, believes so, has no belief about it, believes that the move fails, or knows so. It makes a
move of the best kind, and prefers bids to calls among equals. So it doubts only bids that it
believes not to be met, unless it believes the same about all higher bids. Beliefs come from the
bids (see `symkripke_games.perudo.knowledge`): as in the study, a bidder also believes their own
bids.

Source: the study of Perudo that this game comes from (its section "Discussion").
"""

from __future__ import annotations

from symkripke.language import B, Formula, K, conjunction, negation
from symkripke_games.perudo.bidding import Offer
from symkripke_games.perudo.knowledge import shows
from symkripke_games.perudo.players.basic import Bidder, PerudoView, Situation
from symkripke_games.perudo.rules import DUDO, Doubt, Raise


class Epistemic(Bidder):
    """Goes by what it knows and believes about bids, without odds."""

    def move(self, view: PerudoView, bids: list[Raise], calls: list[Doubt]) -> Raise | Doubt:
        """Return a move of the best kind; choose randomly among equals."""
        situation = self.situation(view)
        moves: list[Raise | Doubt] = [*bids, *calls]
        ranks = {move: self._rank(view, self._success(situation, move)) for move in moves}
        most = max(ranks.values())
        best = [move for move in moves if ranks[move] == most]
        return self.chance.choice([move for move in best if isinstance(move, Raise)] or best)

    def _success(self, situation: Situation, move: Raise | Doubt) -> Formula:
        """Return the formula that is true if the move succeeds."""

        def met(offer: Offer, more: int = 0) -> Formula:
            counts_as = situation.manner.counts_as(offer.face)
            return shows(situation.now.dice, offer.quantity + more, counts_as)

        if isinstance(move, Raise):
            return met(Offer(move.quantity, move.face))
        assert situation.standing is not None
        if move.kind == DUDO:
            return negation(met(situation.standing))
        return conjunction([met(situation.standing), negation(met(situation.standing, 1))])

    def _rank(self, view: PerudoView, success: Formula) -> int:
        """Return 2 if the player knows this, 1 if it believes it, 0 if it has no belief.

        If it knows or believes the opposite, return -2 or -1.
        """
        for formula, sign in ((success, 1), (negation(success), -1)):
            if self.engine.holds(view.perspective, B(view.player, formula)):
                return sign * (
                    2 if self.engine.holds(view.perspective, K(view.player, formula)) else 1
                )
        return 0
