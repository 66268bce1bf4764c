"""The printed and typed names of cards and pairs in Old Maid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from symkripke.play.acts import Choice
from symkripke_games.old_maid.knowledge import a_card_of, cards_of, title
from symkripke_games.old_maid.rules import Setup

_SIGNS = {
    **{"ace": "a", "king": "k", "queen": "q", "jack": "j", "ten": "10", "nine": "9"},
    **{"eight": "8", "seven": "7", "six": "6", "five": "5", "four": "4", "three": "3", "two": "2"},
}
"""The symbol in the corner of a card, by rank."""


def several_of(rank: str) -> str:
    """Return the plural of a rank: "kings"."""
    return cards_of(rank, 2).partition(" ")[2]


# ---- one card ------------------------------------------------------------------------------------

UNSEEN: Choice[str] = Choice("", "a card", ("card",))


@cache
def hand(setup: Setup) -> tuple[Choice[str], ...]:
    """Return choices of cards as a hand lists them: "King"."""
    return tuple(Choice(rank, title(rank), (_SIGNS[rank],)) for rank in setup.deck)


@cache
def cards(setup: Setup) -> tuple[Choice[str], ...]:
    """Return choices of cards as a sentence names them: "a king"."""
    return tuple(Choice(rank, a_card_of(rank), (_SIGNS[rank], rank)) for rank in setup.deck)


# ---- pairs ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pairs:
    """The pairs of one rank that a player discards.

    Attributes:
        ranks: the rank once for a pair, or twice for four of a kind; empty if nothing is discarded.
        readings: the possible meanings of ambiguous words such as "4 4" or "2 kings", for which
            `ranks` is empty.
    """

    ranks: tuple[str, ...]
    readings: str = ""


NOTHING: Choice[Pairs] = Choice(
    Pairs(()), "nothing", ("-", "no pair", "no pairs", "none", "no", "nobody", "nope")
)


def by_rank(ranks: Sequence[str]) -> tuple[Pairs, ...]:
    """Return the pairs of these ranks, grouped as in a sentence."""
    alike = [Pairs((rank,) * ranks.count(rank)) for rank in dict.fromkeys(ranks)]
    return tuple(alike) or (NOTHING.value,)


def one_or_two(rank: str) -> str:
    """Return the possible meanings of a rank that is named twice."""
    pair, many = 2 * _SIGNS[rank], several_of(rank)
    return f"one pair of {many} ({pair}) or two pairs ({pair} {pair})"


@cache
def pairs(setup: Setup) -> tuple[Choice[Pairs], ...]:
    """Return choices of one pair or two pairs of each rank, and of ambiguous words."""
    return tuple(choice for rank in setup.deck for choice in _pairs_of(rank, setup))


def _pairs_of(rank: str, setup: Setup) -> Iterator[Choice[Pairs]]:
    deck, sign, many = setup.deck, _SIGNS[rank], several_of(rank)
    pair = 2 * sign
    # "Two" and "four" are numbers here: "two kings" are one pair.
    alone = () if rank in ("two", "four") else (rank,)
    if rank != "ace":
        alone = (*alone, f"{sign}s", f"{sign}'s")
    # A player may be called "a": "a a" could be that player's aces, or another player's two aces.
    is_name = sign in [player.casefold() for player in setup.players]
    signs = (pair, sign) if is_name else (sign, pair)
    spellings = (*signs, many, f"pair of {many}", f"a pair of {many}", *alone)
    yield Choice(Pairs((rank,)), cards_of(rank, 2), spellings)
    if deck[rank] == 4:
        apart = f"{sign} {sign} {sign} {sign}"
        twice = (f"{pair} {pair}", 2 * pair, f"{pair}, {pair}", apart, f"two pairs of {many}")
        yield Choice(Pairs((rank, rank)), cards_of(rank, 4), twice)
    unclear = (f"{sign} {sign}", f"{sign}, {sign}", f"{sign} and {sign}")
    yield Choice(Pairs((), one_or_two(rank)), unclear[0], unclear)
    for number, other in ((2, "two"), (4, "four")):
        meant = Pairs((rank,) * (number // 2))
        if other in deck and other != rank:
            both = f"a pair of {number}s and a pair of {many} ({number}{number} {pair})"
            meant = Pairs((), f"{cards_of(rank, number)}, or {both}")
        yield Choice(meant, f"{number} {many}")


# ---- the results of a draw -----------------------------------------------------------------------

KEEPS: Choice[str] = Choice(
    "",
    "keeps it.",
    (
        *("-", "keeps", "keep", "keep it", "kept", "kept it", "no pair", "no", "nothing"),
        *("it is", "it was"),
    ),
)
_DISCARDS = ("discards", "discard", "discarded", "lays down", "lay down", "laid down")


@cache
def results(setup: Setup) -> tuple[Choice[str], ...]:
    """Return the choices for the result of a draw: keeping the card, or discarding a pair."""
    pairs = [
        Choice(
            rank,
            f"discards {cards_of(rank, 2)}.",
            (
                *(2 * _SIGNS[rank], several_of(rank), f"pair of {several_of(rank)}"),
                *(f"{verb} {several_of(rank)}" for verb in _DISCARDS),
                *(f"{verb} {cards_of(rank, 2)}" for verb in _DISCARDS),
            ),
        )
        for rank in setup.deck
    ]
    return (KEEPS, *pairs)
