"""The study's players, which keep running estimates of each player's dice and value bids by them.

Each bid (d, e) is taken to mean that its bidder holds

    v = d - unknown(bidder) / 6 - observed(e)

more dice of e than observed so far, rounded, and limited to the range from 0 to d. These numbers
are added up for each player and face. The value of a bid is

    own(e) + unknown / 6 + observed(e) - observed(e, self) - d,

the expected surplus of dice over those that the bid needs. Here, unknown is the number of the
others' dice without those that were observed. The player makes the best of the least bids, and
breaks ties at random. It calls if the expected shortfall of the standing bid exceeds the value of
the best bid.

The sums can exceed a player's number of dice. The implementation keeps this fault of the method.

Source: the study of Perudo that this game comes from (its section "Methods"). The study does not
consider wild aces; with them, two faces in six count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from symkripke_games.perudo.bidding import Manner, Offer, nearest
from symkripke_games.perudo.players.basic import Bidder, PerudoView, Situation
from symkripke_games.perudo.rules import Bid, Doubt, Raise

Observed = Mapping[tuple[str, int], float]
"""The number of dice observed, by player and face."""


def observed(
    bids: Iterable[Bid], dice: Mapping[str, int], manner: Manner
) -> Mapping[tuple[str, int], int]:
    """Return the numbers of dice observed from the bids of a round.

    Args:
        bids: the bids of the round, in order.
        dice: the number of dice of each player.
        manner: the rules of bids in the round.
    """
    numbers: dict[tuple[str, int], int] = defaultdict(int)
    of_player: dict[str, int] = defaultdict(int)
    of_face: dict[int, int] = defaultdict(int)
    faces, total, seen = manner.faces, sum(dice.values()), 0
    for bid in bids:
        player, face = bid.player, bid.face
        unknown = total - dice[player] - (seen - of_player[player])
        expected = unknown * len(manner.counts_as(face))
        more = faces * (bid.quantity - of_face[face]) - expected
        holds = nearest(more, faces, bid.quantity)
        numbers[player, face] += holds
        of_player[player] += holds
        of_face[face] += holds
        seen += holds
    return numbers


class Study(Bidder):
    """The player of the study as its text describes it, which values bids in fractions of a die.

    Internally, a die is divided into as many parts as it has faces, so all values are integers,
    which take a tenth of the time of fractions.
    """

    slack = 0
    """The number of extra dice by which the standing bid must fall short before it is called."""

    def hoped(self, unknown: float, manner: Manner, face: int) -> float:
        """Return the expected number of unknown dice that count as a face, in parts of a die."""
        return unknown * len(manner.counts_as(face))

    def observed(self, situation: Situation) -> Observed:
        """Return the numbers of dice observed from the bids so far."""
        return observed(situation.bids, situation.now.dice, situation.manner)

    def unknown(self, situation: Situation, observed: Observed) -> float:
        """Return the number of the others' dice that are not observed."""
        seen = sum(number for (player, _), number in observed.items() if player != situation.me)
        return sum(situation.others.values()) - seen

    def values(
        self, situation: Situation, observed: Observed, offers: Iterable[Offer]
    ) -> dict[Offer, Fraction]:
        """Return the values of bids to the player, in dice."""
        faces = situation.manner.faces
        worth = self._worth(situation, observed)
        return {offer: Fraction(worth(offer)) / faces for offer in offers}

    def _worth(self, situation: Situation, observed: Observed) -> Callable[[Offer], float]:
        """Return the function that gives the value of a bid to the player, in parts of a die."""
        manner, me, own = situation.manner, situation.me, situation.own
        faces = manner.faces
        unknown = self.unknown(situation, observed)
        others: dict[int, float] = defaultdict(int)
        for (player, face), number in observed.items():
            if player != me:
                others[face] += number

        def worth(offer: Offer) -> float:
            quantity, face = offer
            more = manner.counted(own, face) + others[face] - quantity
            return faces * more + self.hoped(unknown, manner, face)

        return worth

    def move(self, view: PerudoView, bids: list[Raise], calls: list[Doubt]) -> Raise | Doubt:
        """Return the best bid or dudo."""
        situation = self.situation(view)
        worth = self._worth(situation, self.observed(situation))
        values = [worth(Offer(move.quantity, move.face)) for move in bids]
        if not values:
            return calls[0]
        best = max(values)
        if situation.standing is not None:
            slack = self.slack * situation.manner.faces
            if -worth(situation.standing) > best + slack:
                return calls[0]
        return self.chance.choice(
            [move for move, value in zip(bids, values, strict=True) if value == best]
        )


class StudyAsCoded(Study):
    """The player of the study as its program plays: it values bids in whole dice, and doubts later.

    The meaning of a bid is computed exactly and then rounded, as in the text. But the expected
    number of dice in the value of a bid is rounded down, so the worked example prints -1 and -2.
    The standing bid must fall short by one more die before the player calls it.
    """

    slack = 1

    def hoped(self, unknown: float, manner: Manner, face: int) -> float:
        """Return the expected number in parts of a die, rounded down to whole dice."""
        return super().hoped(unknown, manner, face) // manner.faces * manner.faces
