"""Decks of quartets: groups of four cards. Two come with the game; more from TOML files."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from symkripke.errors import RuleError, UnknownName

TABLE = "table"
"""The place of the cards of a group that has been laid down."""

SIZE = 4
"""Cards of a group."""


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card: its short name, for formulas, and its title."""

    id: str
    title: str


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A group of four cards that belong together.

    Attributes:
        id: its short name.
        title: its title.
        cards: the four.
    """

    id: str
    title: str
    cards: tuple[Card, ...]


def slug(title: str) -> str:
    """A short name made from a title: "Smelly goat" becomes `smelly_goat`."""
    name = re.sub(r"\W+", "_", title.casefold()).strip("_")
    return f"_{name}" if name[:1].isdigit() else name


def _group(title: str, *cards: str) -> Group:
    return Group(slug(title), title, tuple(Card(slug(card), card) for card in cards))


# The first six are the study's groups.
_THEMED = (
    _group("Farm animals", "Smelly goat", "Crazy pig", "Fat cow", "Proud rooster"),
    _group("Super heroes", "Flying cape", "Masked avenger", "Iron fist", "Invisible girl"),
    _group("Healthy food", "Broccoli", "Spinach", "Brown bread", "Carrot juice"),
    _group("Things to trip over", "Toy brick", "Loose rug", "Sleeping cat", "Garden rake"),
    _group("Baddies", "Pirate", "Mad scientist", "Pickpocket", "Evil twin"),
    _group("Fantasy races", "Elf", "Dwarf", "Orc", "Halfling"),
    _group("Instruments", "Violin", "Trumpet", "Drum", "Bagpipe"),
    _group("Vehicles", "Tram", "Cargo bike", "Steam engine", "Canoe"),
    _group("Trees", "Oak", "Birch", "Willow", "Chestnut"),
    _group("Weather", "Drizzle", "Thunderstorm", "Fog", "Heat wave"),
    _group("Garden tools", "Spade", "Hoe", "Watering can", "Wheelbarrow"),
    _group("Cakes", "Apple pie", "Cheesecake", "Gingerbread", "Chocolate tart"),
    _group("Planets", "Mercury", "Venus", "Mars", "Saturn"),
)

_SUITS = ("Spades", "Hearts", "Diamonds", "Clubs")
_RANKS = ("Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
_COURT = ("Jack", "Queen", "King")

DECKS: dict[str, tuple[Group, ...]] = {
    "themed": _THEMED,
    "ranks": tuple(
        _group(f"{rank}es" if rank == "Six" else f"{rank}s", *(f"{rank} of {s}" for s in _SUITS))
        for rank in (*_RANKS, *_COURT)
    ),
    "study": _THEMED[:6],
}
"""The decks by name: quartets with pictures, ordinary playing cards, and the study's."""


def deck_named(name: str) -> tuple[Group, ...]:
    """A deck by name, or the one in a TOML file if `name` is a path (it ends in `.toml`).

    Raises:
        UnknownName: there is no such deck.
        RuleError: the file cannot be read, or holds no proper deck.
    """
    if name.endswith(".toml"):
        return read_deck(Path(name))
    if name not in DECKS:
        raise UnknownName("deck", name, (*DECKS, "a path that ends in .toml"))
    return DECKS[name]


def read_deck(path: Path) -> tuple[Group, ...]:
    """The deck in a TOML file: a line `"Farm animals" = ["Smelly goat", ...]` for each group.

    Raises:
        RuleError: the file cannot be read, or is not like that.
    """
    try:
        told: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise RuleError(f"cannot read {path}: expected text (UTF-8), got other data") from None
    except OSError as error:
        raise RuleError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise RuleError(f"{path} is not TOML: {error}") from None
    groups = []
    for title, cards in told.items():
        if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
            raise RuleError(
                f"{path}: expected a list of {SIZE} titles for {title!r}, got {cards!r}"
            )
        groups.append(_group(title, *cards))
    check_deck(groups)
    return tuple(groups)


def check_deck(groups: tuple[Group, ...] | list[Group]) -> None:
    """Raises `RuleError` for a deck that nobody could play with."""
    if not groups:
        raise RuleError("expected a deck of one group or more, got none")
    seen: dict[str, str] = {}
    for group in groups:
        if len(group.cards) != SIZE:
            raise RuleError(
                f"expected {SIZE} cards in each group, got {len(group.cards)} in {group.title!r}"
            )
        named: list[tuple[str, Group | Card]] = [("group", group)]
        for kind, one in (*named, *(("card", card) for card in group.cards)):
            if not re.fullmatch(r"[^\W\d]\w*", one.id) or one.id in ("true", "false", TABLE):
                raise RuleError(
                    f"expected a {kind} name of letters, digits and _ (a letter first; "
                    f"{TABLE}, true and false have a meaning), got {one.id!r}"
                )
            if not one.title.isprintable() or not one.title.strip():
                raise RuleError(f"expected a title that can be printed, got {one.title!r}")
            if f"{kind} {one.id}" in seen:
                raise RuleError(f"{kind} {one.id!r} is given twice")
            seen[f"{kind} {one.id}"] = one.title
