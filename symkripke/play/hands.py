"""The encoding of cards that are dealt, as far as games have it in common.

Fluents: `location(card)`, a player or another place. Each player observes its own hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from symkripke.language import Atom, Formula, exactly
from symkripke.model import Constraint, Fluent, Observable, Origin
from symkripke.play.dealing import location


@lru_cache(maxsize=4096)
def at(card: str, place: str) -> Atom:
    """The card is at that place: with a player, or elsewhere."""
    return Atom(location(card), place)


def holds(player: str, card: str) -> Atom:
    """The player holds the card."""
    return at(card, player)


def in_one_place(titles: Mapping[str, str], places: Sequence[str], rule: str) -> list[Fluent]:
    """A fluent for each card, given its title; `{}` in the rule that it obeys is the title."""
    return [
        Fluent(location(card), tuple(places), Origin(rule.format(title), kind="rule"))
        for card, title in titles.items()
    ]


def holds_number(
    player: str, number: int, operands: Sequence[Formula], text: str, kind: str = "deal"
) -> Constraint:
    """So many of these are true: what all know of the number of a player's cards."""
    return Constraint(exactly(number, operands), Origin(text, None, (player,), kind))


def own_hand(
    players: Iterable[str], cards: Sequence[str], held: Callable[[str, str], Atom] = holds
) -> dict[str, list[Observable]]:
    """For each player what it sees: of each card, whether it holds it."""
    return {
        player: [
            Observable(held(player, card), Origin("own hand", None, (player,), "hand"))
            for card in cards
        ]
        for player in players
    }
