"""The encoding of dealt cards that several games share.

The value of the fluent `location(card)` is a player or another place. Each player observes their
own hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from symkripke.language import Atom, Formula, exactly, negation
from symkripke.model import Constraint, Event, Fluent, Observable, Origin
from symkripke.play.dealing import location
from symkripke.play.words import number_of, person


@lru_cache(maxsize=4096)
def at(card: str, place: str) -> Atom:
    """Return the atom stating that the card is in this place: with a player, or elsewhere."""
    return Atom(location(card), place)


def holds(player: str, card: str) -> Atom:
    """Return the atom stating that the player holds the card."""
    return at(card, player)


def in_one_place(
    titles: Mapping[str, str], places: Sequence[str], rule: str = "{} is in one place"
) -> list[Fluent]:
    """Return the location fluent of each card; `{}` in the rule stands for the card's title."""
    return [
        Fluent(location(card), tuple(places), Origin(rule.format(title), kind="rule"))
        for card, title in titles.items()
    ]


def place_words(
    titles: Mapping[str, str], others: Mapping[str, str], atom: Atom, truth: bool
) -> str:
    """Return the place of a card in words: a player, or one of the other places.

    Args:
        titles: the titles of the cards.
        others: the phrases for the other places, which follow "is": "in the envelope".
        atom: the atom for the location of the card.
        truth: whether the atom is true.
    """
    name = atom.fluent.arguments[0]
    card, place = titles.get(name, name), atom.value
    if place in others:
        return f"{card} is {'' if truth else 'not '}{others[place]}"
    return f"{person(place)} {'holds' if truth else 'does not hold'} {card}"


def hold_numbers(
    sizes: Mapping[str, int], cards: Sequence[str], text: str, thing: str = "card"
) -> list[Constraint]:
    """Return the constraints on the sizes of hands; `text` is a verb: "was dealt"."""
    return [
        holds_number(
            player,
            size,
            [holds(player, card) for card in cards],
            f"{person(player)} {text} {number_of(size, thing)}",
        )
        for player, size in sizes.items()
    ]


def holds_number(
    player: str, number: int, operands: Sequence[Formula], text: str, kind: str = "deal"
) -> Constraint:
    """Return the constraint on the size of a player's hand: `number` operands are true."""
    return Constraint(exactly(number, operands), Origin(text, None, (player,), kind))


def own_hand(
    players: Iterable[str], cards: Sequence[str], held: Callable[[str, str], Atom] = holds
) -> dict[str, list[Observable]]:
    """Return the observables of each player: for each card, whether the player holds it."""
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
    """Return the event of a player's claim, after which everybody knows whether it is right.

    Args:
        said: the origin of the claim; its first agent makes it.
        claim: the claimed formula.
        right: whether the claim is true.
        looks: the fluents that the player looks at if the claim is wrong.
        look: the words for looking.
    """
    if right:
        return Event(said, (Constraint(claim, replace(said, text=f"{said}, correctly")),))
    seen = tuple(Observable(atom, replace(said, text=look, kind="look")) for atom in looks)
    wrongly = Constraint(negation(claim), replace(said, text=f"{said}, wrongly"))
    return Event(said, (wrongly,), observes={said.agents[0]: seen} if seen else {})
