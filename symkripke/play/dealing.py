"""Deals of cards: sizes of hands, locations of cards, and checks of deals."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from symkripke.errors import RuleError, check_name
from symkripke.model import World
from symkripke.play.options import Option, names
from symkripke.play.words import number_of

LOCATION = "location"
"""The functor of the fluents for the locations of cards."""


def location(card: str) -> str:
    """Return the fluent for the location of a card."""
    return f"{LOCATION}({card})"


def hand_sizes(
    cards: int, players: Sequence[str], dealt_more: Sequence[str] = ()
) -> dict[str, int]:
    """Return the number of cards of each player if `cards` cards are dealt in turn.

    If they cannot be dealt evenly, the players in `dealt_more`, or else the first players, get an
    extra card each.
    """
    each, rest = divmod(cards, len(players))
    more = (dealt_more or players)[:rest]
    return {player: each + (player in more) for player in players}


def larger_hands(sizes: Mapping[str, int]) -> tuple[str, ...]:
    """Return the players with an extra card; empty if all have the same number."""
    return tuple(player for player, size in sizes.items() if size > min(sizes.values()))


DEALT_MORE = Option(
    "the players dealt one extra card, if the cards cannot be dealt evenly; by "
    "default, the first players in seat order",
    names,
    title="Players with one extra card",
)
"""The option of games in which the players choose who gets the extra cards."""


def dealt_round(cards: int, players: Sequence[str], dealt_more: Sequence[str] = ()) -> list[str]:
    """Return the recipients of the cards, in the order of the deal."""
    each, rest = divmod(cards, len(players))
    return [*players] * each + [*(dealt_more or players[:rest])]


def seated_more(players: Sequence[str], dealt_more: Sequence[str] | None) -> tuple[str, ...]:
    """Return the players who were dealt an extra card, in seat order; names match in any case."""
    named = {player.casefold(): player for player in players}
    chosen = [named.get(name.casefold(), name) for name in dealt_more or ()]
    return tuple(sorted(chosen, key=[*players, *chosen].index))


def check_dealt_more(cards: int, players: Sequence[str], dealt_more: Sequence[str]) -> None:
    """Raise `UnknownName` or `RuleError` if these players cannot each get an extra card."""
    check_each_once("player in dealt_more", dealt_more, players)
    rest = cards % len(players)
    if dealt_more and len(dealt_more) != rest:
        wanted = f"{rest} players" if rest > 1 else "1 player" if rest else "nobody"
        raise RuleError(
            f"{cards} cards for {len(players)} players: expected {wanted} to be dealt one more, "
            f"got {len(dealt_more)}"
        )


def check_values(
    deal: World,
    allowed: Mapping[str, Collection[str]],
    thing: str = "card",
    value: str = "place",
    *,
    says: str = "where",
) -> None:
    """Raise an error for a deal with a wrong fluent or a wrong value.

    Args:
        deal: the deal.
        allowed: the values of each fluent of a deal.
        thing: the subject of a fluent, for messages.
        value: the description of a value; `{}` stands for the fluent.
        says: the question that the deal answers about a thing: "where" or "what" it is.

    Raises:
        UnknownName: the deal has another fluent, or another value.
        RuleError: the deal lacks a fluent.
    """
    for name in deal:
        check_name(f"{thing} in the deal", name, allowed)
    for name, values in allowed.items():
        if name not in deal:
            raise RuleError(f"the deal does not say {says} {name} is")
        check_name(value.format(name), deal[name], values)


def check_sizes(deal: World, sizes: Mapping[str, int], thing: str = "card") -> None:
    """Raise `RuleError` if a player or a place has the wrong number of cards in a deal."""
    held = list(deal.values())
    for place, size in sizes.items():
        if held.count(place) != size:
            wanted = number_of(size, thing)
            raise RuleError(f"expected {place} to be dealt {wanted}, got {held.count(place)}")


def check_each_once(thing: str, named: Sequence[str], known: Collection[str]) -> None:
    """Raise `UnknownName` for an unknown name, and `RuleError` for a repeated name."""
    for number, name in enumerate(named):
        check_name(thing, name, known)
        if name in named[:number]:
            raise RuleError(f"{thing} {name!r} is given twice")
