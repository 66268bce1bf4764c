"""Decks of quartets: groups of four cards, which come with the game or from TOML files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from symkripke.errors import RuleError
from symkripke.play.editions import (
    Piece,
    check_pieces,
    edition_named,
    pieces,
    read_entries,
    slug,
    typed,
)

TABLE = "table"
"""The place of the cards of a group that has been laid down."""

SIZE = 4
"""The number of cards in a group."""


class Group(Piece, frozen=True, forbid_unknown_fields=True):
    """A group of four cards: its name, its title and its cards."""

    cards: tuple[Piece, ...]


def _group(title: str, *cards: str) -> Group:
    return Group(slug(title), title, pieces(*cards))


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
"""The decks by name: themed quartets, ordinary playing cards, and the deck of the study."""


def deck_named(name: str) -> tuple[Group, ...]:
    """Return the deck with this name, or the deck in a TOML file if `name` ends in `.toml`.

    Raises:
        UnknownName: there is no deck with this name.
        RuleError: the file cannot be read, or holds no valid deck.
    """
    return edition_named(name, DECKS, _read_deck, "deck")


_Titles = Annotated[tuple[str, ...], msgspec.Meta(description=f"a list of {SIZE} titles")]


def _read_deck(path: Path) -> tuple[Group, ...]:
    """Return the deck in a TOML file: a line `"Animals" = ["Goat", ...]` for each group."""
    deck = tuple(
        _group(title, *typed(path, title, cards, _Titles))
        for title, cards in read_entries(path).items()
    )
    check_deck(deck)
    return deck


def check_deck(groups: Sequence[Group]) -> None:
    """Raise `RuleError` if nobody can play with this deck."""
    if not groups:
        raise RuleError("expected a deck of one group or more, got none")
    for group in groups:
        if len(group.cards) != SIZE:
            raise RuleError(
                f"expected {SIZE} cards in each group, got {len(group.cards)} in {group.title!r}"
            )
    check_pieces("deck", {"groups": groups}, (TABLE,))
    check_pieces("deck", {group.title: group.cards for group in groups}, (TABLE,))
