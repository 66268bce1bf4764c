"""The player of the study with fuzzy beliefs, as the study proposes them as an improvement.

The study names three faults of its method, and fuzzy logic as a remedy. This player differs from
`study` in these three points:

* Rounding is suboptimal. Here, the number v of dice that a bid adds is not rounded.
* A player can be believed to have more dice than they have. Here, the beliefs about a player are
  weighed: if they add up to more dice than the player has, all are reduced in proportion.
* Bids are fully trusted. Here, trust is a degree from 0 to 1, by which v is multiplied.

The trust in a player is the average degree to which their bids were true in earlier rounds, with
one fully true round assumed in advance. When the dice are shown, the degree of a round is the
number of dice that were believed and shown, divided by the number of dice that were believed:

    degree = sum over e of min(believed(e), shown(e)) / sum over e of believed(e).

Sources: the study of Perudo that this game comes from (its section "Future Work and Improvements");
L. A. Zadeh, A computational approach to fuzzy quantifiers in natural languages, Computers and
Mathematics with Applications 9 (1983), for the degree, which is a relative count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import fmean

from symkripke_games.perudo.bidding import Manner
from symkripke_games.perudo.players.basic import PerudoView, Situation
from symkripke_games.perudo.players.learning import Learner
from symkripke_games.perudo.players.study import Observed, Study
from symkripke_games.perudo.rules import Bid, Call, Round


def weighed(
    bids: Iterable[Bid], dice: Mapping[str, int], manner: Manner, trust: Mapping[str, float]
) -> Observed:
    """Return the believed numbers of dice, by player and face, as fractions of dice.

    Args:
        bids: the bids of the round, in order.
        dice: the number of dice of each player.
        manner: the rules of bids in the round.
        trust: the trust in each player, from 0 to 1; 1 for a player that is not in it.
    """
    believed: dict[str, dict[int, float]] = {player: defaultdict(float) for player in dice}
    for bid in bids:
        mine = believed[bid.player]
        unknown = sum(
            number - sum(believed[player].values())
            for player, number in dice.items()
            if player != bid.player
        )
        expected = float(unknown * manner.share(bid.face))
        seen = sum(faces.get(bid.face, 0.0) for faces in believed.values())
        more = min(max(bid.quantity - expected - seen, 0.0), bid.quantity)
        mine[bid.face] += trust.get(bid.player, 1.0) * more
        total, most = sum(mine.values()), dice[bid.player]
        if total > most:
            for face in mine:
                mine[face] *= most / total
    return {
        (player, face): number
        for player, faces in believed.items()
        for face, number in faces.items()
    }


class Fuzzy(Learner, Study):
    """Plays like `study`, with fractions of dice, and trust in degrees."""

    def trust(self, player: str) -> float:
        """Return the trust in this player, from 0 to 1."""
        return fmean([1.0, *self._degrees.get(player, ())])

    def observed(self, situation: Situation) -> Observed:
        """Return the believed numbers of dice."""
        now = situation.now
        trust = {player: self.trust(player) for player in now.dice}
        return weighed(situation.bids, now.dice, situation.manner, trust)

    def forget(self) -> None:
        """Forget everything, because this is another game."""
        self._degrees: dict[str, list[float]] = {}

    def learn(self, view: PerudoView, now: Round, bids: tuple[Bid, ...], call: Call) -> None:
        """Note for each bidder the degree to which their bids were true."""
        manner = Manner(view.setup.faces, now.wild, now.fixed)
        believed = weighed(bids, now.dice, manner, {})
        for player, dice in call.dice.items():
            mine = {face: number for (who, face), number in believed.items() if who == player}
            if total := sum(mine.values()):
                shown = sum(min(number, manner.counted(dice, f)) for f, number in mine.items())
                self._degrees.setdefault(player, []).append(shown / total)
