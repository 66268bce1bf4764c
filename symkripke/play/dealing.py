"""Cards that are dealt: how many to each player, where they are, and what a deal must say."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from symkripke.errors import RuleError, check_name
from symkripke.model import World


def location(card: str) -> str:
    """The fluent that says where a card is."""
    return f"location({card})"


def hand_sizes(cards: int, players: Sequence[str]) -> dict[str, int]:
    """How many cards each player gets if so many are dealt round."""
    each, more = divmod(cards, len(players))
    return {player: each + (seat < more) for seat, player in enumerate(players)}


def check_values(
    deal: World,
    allowed: Mapping[str, Collection[str]],
    thing: str = "card",
    value: str = "place",
    *,
    says: str = "where",
) -> None:
    """Raises an error for a deal that is not about these fluents, or gives one a wrong value.

    Args:
        deal: the deal.
        allowed: for each fluent of a deal its values.
        thing: what a fluent is about, for messages.
        value: what a value is; `{}` stands for the fluent.
        says: what the deal says of a fluent: "where" or "what" it is.

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


def check_each_once(thing: str, named: Sequence[str], known: Collection[str]) -> None:
    """Raises `UnknownName` or `RuleError` if one of these is not known, or is named twice."""
    for number, name in enumerate(named):
        check_name(thing, name, known)
        if name in named[:number]:
            raise RuleError(f"{thing} {name!r} is given twice")
