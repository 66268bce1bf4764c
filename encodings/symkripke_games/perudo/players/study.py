"""The study's players: a running estimate of what each player holds, and of what bids are worth.

Each bid (d, e) is taken to mean that its bidder holds

    v = d - unknown(bidder) / 6 - observed(e)

more dice of e than was observed so far, rounded, from 0 to d; all of these are added up. A bid is
worth

    own(e) + unknown / 6 + observed(e) - observed(e, self) - d,

how many dice more than it needs are to be expected. unknown counts the dice of the others less
those that were observed. The player makes the best of the least bids, of several any; it calls if
the standing bid is worth less than nothing by more than that bid is worth more.

Sums may exceed what a player has: that is a fault of the method, and kept here.

Source: the study of Perudo that this game comes from (its section "Methods"). Where aces are wild,
of which it knows nothing, two faces in six count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from math import floor

from symkripke_games.perudo.bidding import Manner, Offer, rounded
from symkripke_games.perudo.players.basic import Bidder, PerudoView, Situation
from symkripke_games.perudo.rules import Doubt, Raise

Observed = Mapping[tuple[str, int], int]
"""For players and faces how many dice were observed."""


class Study(Bidder):
    """The study's player, as its text says: with exact fractions."""

    slack = Fraction(0)

    def hoped(self, unknown: int, manner: Manner, face: int) -> Fraction:
        """How many of so many unknown dice are expected to count as a face, to value a bid."""
        return unknown * manner.share(face)

    def observed(self, situation: Situation) -> Observed:
        """What was observed of each player, from the bids so far."""
        found: dict[tuple[str, int], int] = defaultdict(int)
        for bid in situation.bids:
            unknown = self.unknown(situation, found, bid.player)
            known = sum(found[player, bid.face] for player in situation.now.dice)
            more = bid.quantity - unknown * situation.manner.share(bid.face) - known
            found[bid.player, bid.face] += rounded(more, bid.quantity)
        return found

    def unknown(self, situation: Situation, observed: Observed, player: str) -> int:
        """How many dice of the others are not observed."""
        others = {p: n for p, n in situation.now.dice.items() if p != player}
        seen = sum(number for (other, _), number in observed.items() if other in others)
        return sum(others.values()) - seen

    def value(self, situation: Situation, observed: Observed, offer: Offer) -> Fraction:
        """What a bid is worth to the player."""
        manner, me = situation.manner, situation.me
        known = sum(
            observed.get((player, offer.face), 0) for player in situation.now.dice if player != me
        )
        own = manner.count(situation.own, offer.face)
        unknown = self.unknown(situation, observed, me)
        return own + self.hoped(unknown, manner, offer.face) + known - offer.quantity

    def move(self, view: PerudoView, bids: list[Raise], calls: list[Doubt]) -> Raise | Doubt:
        """The best bid, or dudo."""
        situation = Situation.of(view)
        observed = self.observed(situation)
        worth = {
            move: self.value(situation, observed, Offer(move.quantity, move.face)) for move in bids
        }
        if not worth:
            return calls[0]
        best = max(worth.values())
        if situation.standing is not None:
            standing = self.value(situation, observed, situation.standing)
            if -standing > best + self.slack:
                return calls[0]
        return self.chance.choice([move for move in bids if worth[move] == best])


class StudyAsCoded(Study):
    """The study's player, as its program does it: it values bids in whole dice, and has patience.

    What a bid says is worked out with fractions and then rounded, as in the text. But what is to be
    expected when bids are valued is rounded down (so the worked example prints -1 and -2), and the
    standing bid must be worth less by one more before it is called.
    """

    slack = Fraction(1)

    def hoped(self, unknown: int, manner: Manner, face: int) -> Fraction:
        """The same, in whole dice."""
        return Fraction(floor(super().hoped(unknown, manner, face)))
