"""The study's players: a running estimate of each player's dice, and of the values of bids.

Each bid (d, e) is taken to mean that its bidder holds

    v = d - unknown(bidder) / 6 - observed(e)

more dice of e than observed so far, rounded, from 0 to d; all of these are added up. A bid is
worth

    own(e) + unknown / 6 + observed(e) - observed(e, self) - d,

the expected number of dice beyond those that the bid needs. unknown counts the dice of the others
less those that were observed. The player makes the best of the least bids, breaking ties at random.
It calls if the standing bid is worth less than zero by more than the best bid is worth more than
zero.

Sums may exceed a player's number of dice. This fault of the method is kept here.

Source: the study of Perudo that this game comes from (its section "Methods"). Where aces are wild,
which it does not consider, two faces in six count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from symkripke_games.perudo.bidding import Manner, Offer, nearest
from symkripke_games.perudo.players.basic import Bidder, PerudoView, Situation
from symkripke_games.perudo.rules import Bid, Doubt, Raise

Observed = Mapping[tuple[str, int], int]
"""The number of dice observed, by player and face."""


def observed(bids: Iterable[Bid], dice: Mapping[str, int], manner: Manner) -> Observed:
    """Return the observations about each player from the bids of a round.

    Args:
        bids: in the order in which they were made.
        dice: the number of dice that each player has.
        manner: how one may bid in this round.
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
    """The player of the study as its text describes it: values bids in fractions of a die.

    A die has as many shares as faces. So all values are whole numbers, which take a tenth of the
    time of fractions.
    """

    slack = 0
    """The number of extra dice by which the standing bid must fall short before it is called."""

    def hoped(self, unknown: int, manner: Manner, face: int) -> int:
        """Return the expected number of unknown dice that count as a face, in dice."""
        return unknown * len(manner.counts_as(face))

    def observed(self, situation: Situation) -> Observed:
        """Return the observations about each player from the bids so far."""
        return observed(situation.bids, situation.now.dice, situation.manner)

    def unknown(self, situation: Situation, observed: Observed) -> int:
        """Return the number of dice of the others that are not observed."""
        seen = sum(number for (player, _), number in observed.items() if player != situation.me)
        return sum(situation.others.values()) - seen

    def values(
        self, situation: Situation, observed: Observed, offers: Iterable[Offer]
    ) -> dict[Offer, Fraction]:
        """Return the values of bids to the player, in dice."""
        faces = situation.manner.faces
        worth = self._worth(situation, observed)
        return {offer: Fraction(worth(offer), faces) for offer in offers}

    def _worth(self, situation: Situation, observed: Observed) -> Callable[[Offer], int]:
        """Return the value of a bid to the player, in fractions of a die."""
        manner, me, own = situation.manner, situation.me, situation.own
        faces = manner.faces
        unknown = self.unknown(situation, observed)
        others: dict[int, int] = defaultdict(int)
        for (player, face), number in observed.items():
            if player != me:
                others[face] += number

        def worth(offer: Offer) -> int:
            quantity, face = offer
            more = manner.counted(own, face) + others[face] - quantity
            return faces * more + self.hoped(unknown, manner, face)

        return worth

    def move(self, view: PerudoView, bids: list[Raise], calls: list[Doubt]) -> Raise | Doubt:
        """Return the best bid, or dudo."""
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
    """The player of the study as its program plays: values bids in whole dice, and has patience.

    The meaning of a bid is computed exactly and then rounded, as in the text. But the expected
    number of dice in the value of a bid is rounded down (so the worked example prints -1 and -2),
    and the standing bid must fall short by one die more before it is called.
    """

    slack = 1

    def hoped(self, unknown: int, manner: Manner, face: int) -> int:
        """Return the same, in whole dice."""
        return super().hoped(unknown, manner, face) // manner.faces * manner.faces
