"""The arithmetic of bids: which bids are legal, which dice they count, and what they claim.

A bid (quantity, face) states that at least this number of all dice show the face. If aces (ones)
are wild, they count as any face.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import NamedTuple

ACE = 1
"""The face that can be wild."""


class Offer(NamedTuple):
    """A bid without its bidder: at least `quantity` dice show `face`."""

    quantity: int
    face: int


class Manner(NamedTuple):
    """The rules of bids in a round.

    Attributes:
        faces: the number of faces of a die.
        wild: whether aces are wild.
        fixed: whether bidders must keep the face (palifico).
    """

    faces: int
    wild: bool
    fixed: bool = False

    def counts_as(self, face: int) -> tuple[int, ...]:
        """Return the faces that count as `face`."""
        return (face,) if face == ACE or not self.wild else (ACE, face)

    def counted(self, dice: Sequence[int], face: int) -> int:
        """Return the number of dice that count as `face`."""
        return dice.count(face) + (dice.count(ACE) if self.wild and face != ACE else 0)

    def share(self, face: int) -> Fraction:
        """Return the chance that a die counts as `face`."""
        return Fraction(len(self.counts_as(face)), self.faces)

    def least(self, standing: Offer | None, face: int, *, free: bool = False) -> int | None:
        """Return the least legal quantity of a bid on `face`; None if no bid on it is legal.

        A higher bid names more dice of any face, or the same number of a higher face. If aces are
        wild, a change to aces needs half the quantity, rounded up. A change from aces needs twice
        the quantity plus one. No round is opened with aces.

        Args:
            standing: the last bid; None if there is no bid yet.
            face: the face of the new bid.
            free: whether the bidder may change a fixed face.
        """
        if standing is None:
            return None if self.wild and face == ACE else 1
        quantity, before = standing
        if self.fixed and face != before and not free:
            return None
        if self.wild and (face == ACE) != (before == ACE):
            return ceil(quantity / 2) if face == ACE else 2 * quantity + 1
        return quantity if face > before else quantity + 1


# ---- claims of a bid -----------------------------------------------------------------------


class Said(NamedTuple):
    """The claim of a bid: the player has at least `holds` dice that count as a face.

    Attributes:
        player: the bidder.
        face: the face.
        holds: the least number of dice.
        trust: the trust in the claim, in percent; less trusted claims are given up first.
    """

    player: str
    face: int
    holds: int
    trust: int


def needed(said: Iterable[Said], manner: Manner) -> int:
    """Return the least number of dice with which all these claims about one player can be true.

    If aces are wild, an ace counts as every face, so all numbers of aces are tried.
    """
    most: dict[int, int] = {}
    for _, face, holds, _ in said:
        if holds > most.get(face, 0):
            most[face] = holds
    aces = most.pop(ACE, 0)
    if not manner.wild:
        return aces + sum(most.values())
    if len(most) < 2:  # additional aces save no dice
        return max(aces, *most.values()) if most else aces
    return min(
        wild + sum([holds - wild for holds in most.values() if holds > wild])
        for wild in range(aces, max(aces, *most.values()) + 1)
    )


def kept(said: Sequence[Said], left: Mapping[str, int], manner: Manner) -> tuple[Said, ...]:
    """Return claims that can be true together, in the order of `said`.

    More trusted claims take precedence, then later claims. A claim that contradicts these is
    dropped, so nobody is believed to hold more dice than they have. Each claim is about the
    bidder's own dice, so players are treated separately.
    """
    by_player: dict[str, list[Said]] = {}
    for claim in said:
        by_player.setdefault(claim.player, []).append(claim)
    true: set[Said] = set()
    for player, claims in by_player.items():
        true.update(_together(tuple(claims), left[player], manner))
    return tuple([claim for claim in said if claim in true])


@lru_cache(maxsize=1 << 12)
def _together(claims: tuple[Said, ...], number: int, manner: Manner) -> tuple[Said, ...]:
    """Return the kept claims of one player with this number of dice.

    The result is cached, because a bid changes only the claims of its bidder.
    """
    mine: list[Said] = []
    for claim in sorted(reversed(claims), key=lambda claim: -claim.trust):
        if needed((*mine, claim), manner) <= number:
            mine.append(claim)
    return tuple(mine)


@lru_cache(maxsize=1 << 12)
def _needed(claims: tuple[Said, ...], manner: Manner) -> int:
    """Return `needed` of these claims, cached."""
    return needed(claims, manner)


def believed(said: Iterable[Said], player: str, face: int) -> int:
    """Return the number of dice that the player is believed to have and that count as the face."""
    return max((claim.holds for claim in said if claim[:2] == (player, face)), default=0)


def nearest(number: int, parts: int, most: int) -> int:
    """Return the integer from 0 to `most` nearest to `number` / `parts`, rounding halves up."""
    return max(0, min(most, (2 * number + parts) // (2 * parts)))


def meaning(
    offer: Offer, bidder: str, said: Sequence[Said], left: Mapping[str, int], manner: Manner
) -> int:
    """Return the number of dice of the face that a bid claims for its bidder; 0 if none.

    This is the study's rule. The expected share of a face among dice without beliefs about them is
    one in six (two in six if aces are wild). A bidder who bids d dice of the face e, which is the
    total number that they expect, holds

        v = d - unknown / 6 - observed(e)

    more dice of e than is already believed, rounded, and limited to the range from 0 to d.
    Here, unknown is the number of the others' dice without beliefs about them, and observed(e) is
    the number of all dice that are believed to show e. `said` contains the claims believed so far.

    Source: the study of Perudo that this game comes from (its section "Processing bids").
    """
    claims: dict[str, list[Said]] = {}
    most = dict.fromkeys(left, 0)
    for claim in said:
        player, face, holds, _ = claim
        claims.setdefault(player, []).append(claim)
        if face == offer.face and holds > most.get(player, 0):
            most[player] = holds
    unknown = 0
    for player, number in left.items():
        if player != bidder:
            mine = claims.get(player)
            unknown += number - _needed(tuple(mine), manner) if mine else number
    observed = sum([most[player] for player in left])
    # Integers, because fractions are many times slower.
    alike, faces = len(manner.counts_as(offer.face)), manner.faces
    value = faces * (offer.quantity - observed) - alike * unknown
    more = nearest(value, faces, offer.quantity)
    return most.get(bidder, 0) + more if more else 0
