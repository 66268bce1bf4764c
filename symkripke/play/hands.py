"""The encoding of cards that are dealt, as far as games have it in common.

Fluents: `location(card)`, a player or another place. Each player observes its own hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from symkripke.language import Atom, Formula, exactly, negation
from symkripke.model import Constraint, Event, Fluent, Observable, Origin
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


def claimed(
    said: Origin, claim: Formula, *, right: bool, looks: Iterable[Atom] = (), look: str = ""
) -> Event:
    """A player says that something is so, and all learn whether it is right.

    Args:
        said: where it is said; the first of its agents says it.
        claim: what is said.
        right: whether it is so.
        looks: what the player looks at itself if it is wrong.
        look: that it looks, in words.
    """
    if right:
        return Event(said, (Constraint(claim, replace(said, text=f"{said}, rightly")),))
    seen = tuple(Observable(atom, replace(said, text=look, kind="look")) for atom in looks)
    wrongly = Constraint(negation(claim), replace(said, text=f"{said}, wrongly"))
    return Event(said, (wrongly,), observes={said.agents[0]: seen} if seen else {})
