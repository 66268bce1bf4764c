"""The cards: named editions, and custom editions from TOML files.

An edition consists of three lists of cards. In a file, a card is either a title, from which its
short name is derived, or a table with both:

    title = "The office"
    suspects = ["Ann from accounts", { id = "bob", title = "Bob" }]
    weapons = ["Stapler", "Shredder"]
    rooms = ["Lobby", "Canteen", "Archive"]
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from symkripke.errors import RuleError
from symkripke.play import editions
from symkripke.play.editions import Entry, Piece, check_pieces, pieces, read_record

CATEGORIES = ("suspects", "weapons", "rooms")
ENVELOPE = "envelope"


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set of cards: suspects, weapons and rooms."""

    name: str
    suspects: tuple[Piece, ...]
    weapons: tuple[Piece, ...]
    rooms: tuple[Piece, ...]

    @property
    def categories(self) -> tuple[tuple[Piece, ...], ...]:
        """The three lists, in the order of `CATEGORIES`."""
        return (self.suspects, self.weapons, self.rooms)

    @property
    def cards(self) -> tuple[Piece, ...]:
        """All cards, category by category."""
        return (*self.suspects, *self.weapons, *self.rooms)

    def check(self) -> None:
        """Raise `RuleError` if a category is empty, a card occurs twice or a name is invalid."""
        where = f"edition {self.name!r}"
        kinds = dict(zip(CATEGORIES, self.categories, strict=True))
        for kind, cards in kinds.items():
            if not cards:
                raise RuleError(f"{where}: expected at least one card in {kind}")
        check_pieces(where, kinds, (ENVELOPE,))


_Entries = Annotated[
    tuple[Entry, ...],
    msgspec.Meta(description="a list of cards, each a title or { id = ..., title = ... },"),
]


class _File(msgspec.Struct):
    """The entries of a TOML file with an edition."""

    title: Annotated[str | None, msgspec.Meta(description="a text")] = None
    suspects: _Entries = ()
    weapons: _Entries = ()
    rooms: _Entries = ()


_SUSPECTS = pieces(
    Piece("scarlett", "Miss Scarlett"),
    Piece("mustard", "Colonel Mustard"),
    Piece("white", "Mrs White"),
    Piece("green", "Reverend Green"),
    Piece("peacock", "Mrs Peacock"),
    Piece("plum", "Professor Plum"),
)
_WEAPONS = pieces("Candlestick", "Dagger", "Lead Pipe", "Revolver", "Rope", "Spanner")
_ROOMS = pieces(
    "Ballroom",
    "Billiard Room",
    "Conservatory",
    "Dining Room",
    "Hall",
    "Kitchen",
    "Library",
    "Lounge",
    "Study",
)

EDITIONS: dict[str, Edition] = {
    edition.name: edition
    for edition in (
        Edition("classic", _SUSPECTS, _WEAPONS, _ROOMS),
        Edition(
            "us",
            pieces(
                Piece("scarlet", "Miss Scarlet"),
                Piece("mustard", "Colonel Mustard"),
                Piece("white", "Mrs. White"),
                Piece("green", "Mr. Green"),
                Piece("peacock", "Mrs. Peacock"),
                Piece("plum", "Professor Plum"),
            ),
            pieces("Candlestick", "Knife", "Lead Pipe", "Revolver", "Rope", "Wrench"),
            _ROOMS,
        ),
        Edition(
            "2016",
            tuple(
                Piece("orchid", "Dr Orchid") if card.id == "white" else card for card in _SUSPECTS
            ),
            _WEAPONS,
            _ROOMS,
        ),
    )
}


def edition_named(name: str) -> Edition:
    """Return a named edition, or the edition in a TOML file if `name` ends in `.toml`.

    Raises:
        UnknownName: there is no edition with this name.
        RuleError: the file cannot be read, or describes no valid edition.
    """
    return editions.edition_named(name, EDITIONS, _read_edition)


def _read_edition(path: Path) -> Edition:
    entries = read_record(path, _File)
    title = path.stem if entries.title is None else entries.title
    if not title.isprintable():
        raise RuleError(f"{path}: expected a title that can be printed, got {title!r}")
    made = Edition(
        title, pieces(*entries.suspects), pieces(*entries.weapons), pieces(*entries.rooms)
    )
    made.check()
    return made


# The greatest number of cards in a category. No strategy finishes a game with more.
_MOST = 100


def sized(made: Edition, numbers: Sequence[int], most: int = _MOST) -> Edition:
    """Return an edition resized to these numbers of suspects, weapons and rooms.

    Numbered cards fill a category that has too few. Raise `RuleError` if a number is less than one
    or greater than `most`.
    """
    lists = []
    for kind, cards, number in zip(CATEGORIES, made.categories, numbers, strict=True):
        if number < 1:
            raise RuleError(f"expected at least one card in {kind}, got {number}")
        if number > most:
            raise RuleError(f"expected at most {most} cards in {kind}, got {number}")
        more = [
            Piece(f"{kind[:-1]}_{n}", f"{kind[:-1].capitalize()} {n}")
            for n in range(len(cards) + 1, number + 1)
        ]
        lists.append((*cards[:number], *more))
    name = f"{made.name} {'/'.join(map(str, numbers))}"
    resized = Edition(made.name if made.categories == tuple(lists) else name, *lists)
    resized.check()
    return resized
