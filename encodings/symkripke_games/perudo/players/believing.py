"""Players that believe the bids: fully, or to the degree that earlier bids were true."""

from __future__ import annotations

from fractions import Fraction

from symkripke_games.perudo.bidding import Manner, kept
from symkripke_games.perudo.chances import Counts, free, given, mixed
from symkripke_games.perudo.players.basic import PerudoView, Reckoner, Situation
from symkripke_games.perudo.players.learning import Learner
from symkripke_games.perudo.rules import Bid, Call, Round


class Believer(Reckoner):
    """Uses its own dice, and the claims that the others' bids make about their dice.

    The player treats its beliefs (`B`) as certain: the most trusted claims that can be true
    together. All throws that agree with them are equally likely.
    """

    def of(self, situation: Situation, player: str, number: int, face: int) -> Counts:
        """Return the distribution for a player who meets the beliefs about their dice."""
        bounds = situation.bounds.get(player)
        if bounds is None:
            return free(number, situation.manner, face)
        return given(number, situation.manner, bounds, face)


class TrustKeeper(Learner, Reckoner):
    """Believes an opponent more, the more often their bids came true when the dice were shown.

    The end of each round shows whether all claims of each player were true. The probability that
    the claims of a player are true now is the share of rounds in which they were, with a few rounds
    assumed in advance. It is applied by Jeffrey's rule. A player whose bids are usually false is
    therefore expected to hold fewer dice of the face that they bid than by chance.
    """

    benefit = 2
    """The number of rounds in which an unknown player is assumed to have bid truthfully."""
    doubt = 1
    """The number of rounds in which an unknown player is assumed to have bid untruthfully."""

    def forget(self) -> None:
        """Forget everything, because this is another game."""
        self._true: dict[str, int] = {}
        self._rounds: dict[str, int] = {}

    def trust(self, player: str) -> Fraction:
        """Return the probability that the claims of this player are true."""
        true, rounds = self._true.get(player, 0), self._rounds.get(player, 0)
        return Fraction(true + self.benefit, rounds + self.benefit + self.doubt)

    def of(self, situation: Situation, player: str, number: int, face: int) -> Counts:
        """Return the distribution for a player whose claims are believed by trust."""
        manner, bounds = situation.manner, situation.bounds.get(player)
        if bounds is None:
            return free(number, manner, face)
        true = given(number, manner, bounds, face)
        return mixed(self.trust(player), true, free(number, manner, face))

    def learn(self, view: PerudoView, now: Round, bids: tuple[Bid, ...], call: Call) -> None:
        """Count for each bidder whether all claims of the round were true."""
        manner = Manner(view.setup.faces, now.wild, now.fixed)
        said = Situation(view.player, now, manner, (), bids).said
        true = dict.fromkeys((claim.player for claim in kept(said, now.dice, manner)), True)
        for claim in kept(said, now.dice, manner):
            if manner.counted(call.dice[claim.player], claim.face) < claim.holds:
                true[claim.player] = False
        for player, so in true.items():
            self._true[player] = self._true.get(player, 0) + so
            self._rounds[player] = self._rounds.get(player, 0) + 1
