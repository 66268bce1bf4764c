"""The cards: named editions, and sets of one's own from a TOML file.

A set is three lists of cards. In a file, a card is a title, from which its short name is
made, or a table with both:

    title = "The office"
    suspects = ["Ann from accounts", { id = "bob", title = "Bob" }]
    weapons = ["Stapler", "Shredder"]
    rooms = ["Lobby", "Canteen", "Archive"]
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from symkripke.errors import RuleError, UnknownName

CATEGORIES = ("suspects", "weapons", "rooms")
ENVELOPE = "envelope"


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card: its short name, as in formulas, and its title, as on the card."""

    id: str
    title: str


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set of cards: suspects, weapons and rooms."""

    name: str
    suspects: tuple[Card, ...]
    weapons: tuple[Card, ...]
    rooms: tuple[Card, ...]

    @property
    def categories(self) -> tuple[tuple[Card, ...], ...]:
        """The three lists, in the order of `CATEGORIES`."""
        return (self.suspects, self.weapons, self.rooms)

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards, category by category."""
        return (*self.suspects, *self.weapons, *self.rooms)

    def check(self) -> None:
        """Raises `RuleError` for an empty category, a card that is there twice, a bad name."""
        seen: dict[str, str] = {}
        for kind, cards in zip(CATEGORIES, self.categories, strict=True):
            if not cards:
                raise RuleError(f"edition {self.name!r}: expected at least one card in {kind}")
            for card in cards:
                if not re.fullmatch(r"[^\W\d]\w*", card.id) or card.id in ("true", "false"):
                    raise RuleError(
                        f"edition {self.name!r}: expected a card name of letters, digits and _, "
                        f"got {card.id!r} in {kind}"
                    )
                if not card.title.isprintable() or not card.title.strip():
                    raise RuleError(
                        f"edition {self.name!r}: expected a title that can be printed, "
                        f"got {card.title!r} in {kind}"
                    )
                if card.id == ENVELOPE:
                    raise RuleError(f"edition {self.name!r}: a card cannot be called {ENVELOPE!r}")
                if card.id in seen:
                    raise RuleError(
                        f"edition {self.name!r}: card {card.id!r} is given twice "
                        f"(in {seen[card.id]} and in {kind})"
                    )
                seen[card.id] = kind


def _cards(*cards: str | tuple[str, str]) -> tuple[Card, ...]:
    return tuple(Card(slug(card), card) if isinstance(card, str) else Card(*card) for card in cards)


def slug(title: str) -> str:
    """A short name made from a title: "Lead Pipe" becomes `lead_pipe`."""
    name = re.sub(r"\W+", "_", title.casefold()).strip("_")
    return f"_{name}" if name[:1].isdigit() else name


_SUSPECTS = _cards(
    ("scarlett", "Miss Scarlett"),
    ("mustard", "Colonel Mustard"),
    ("white", "Mrs White"),
    ("green", "Reverend Green"),
    ("peacock", "Mrs Peacock"),
    ("plum", "Professor Plum"),
)
_WEAPONS = _cards("Candlestick", "Dagger", "Lead Pipe", "Revolver", "Rope", "Spanner")
_ROOMS = _cards(
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
            _cards(
                ("scarlet", "Miss Scarlet"),
                ("mustard", "Colonel Mustard"),
                ("white", "Mrs. White"),
                ("green", "Mr. Green"),
                ("peacock", "Mrs. Peacock"),
                ("plum", "Professor Plum"),
            ),
            _cards("Candlestick", "Knife", "Lead Pipe", "Revolver", "Rope", "Wrench"),
            _ROOMS,
        ),
        Edition(
            "2016",
            tuple(
                Card("orchid", "Dr Orchid") if card.id == "white" else card for card in _SUSPECTS
            ),
            _WEAPONS,
            _ROOMS,
        ),
    )
}


def edition_named(name: str) -> Edition:
    """A named edition, or the one in a TOML file if `name` is a path (it ends in `.toml`).

    Raises:
        UnknownName: there is no such edition.
        RuleError: the file cannot be read, or describes no proper set of cards.
    """
    if name.endswith(".toml"):
        return read_edition(Path(name))
    if name not in EDITIONS:
        raise UnknownName("edition", name, (*EDITIONS, "a path that ends in .toml"))
    return EDITIONS[name]


def read_edition(path: Path) -> Edition:
    """The set of cards in a TOML file; raises `RuleError`."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise RuleError(f"cannot read {path}: expected text (UTF-8), got other data") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise RuleError(f"cannot read {path}: {reason}") from None
    try:
        told = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise RuleError(f"{path} is not TOML: {error}") from None
    unknown = sorted(set(told) - {"title", *CATEGORIES})
    if unknown:
        raise RuleError(str(UnknownName(f"entry in {path}", unknown[0], ("title", *CATEGORIES))))
    title = told.get("title", path.stem)
    if not isinstance(title, str) or not title.isprintable():
        raise RuleError(f"{path}: expected text as title, got {title!r}")
    lists = [_read_cards(path, kind, told.get(kind, [])) for kind in CATEGORIES]
    made = Edition(title, *lists)
    made.check()
    return made


def _read_cards(path: Path, kind: str, told: Any) -> tuple[Card, ...]:
    if not isinstance(told, list):
        raise RuleError(f"{path}: expected a list of cards in {kind}, got {told!r}")
    cards = []
    for entry in told:
        if isinstance(entry, str) and slug(entry):
            cards.append(Card(slug(entry), entry))
        elif (
            isinstance(entry, dict)
            and set(entry) == {"id", "title"}
            and all(isinstance(part, str) for part in entry.values())
        ):
            cards.append(Card(entry["id"], entry["title"]))
        else:
            raise RuleError(
                f"{path}: expected a title or {{ id = ..., title = ... }} in {kind}, got {entry!r}"
            )
    return tuple(cards)


def sized(made: Edition, numbers: Sequence[int]) -> Edition:
    """The first so many suspects, weapons and rooms of an edition, numbered ones beyond it."""
    lists = []
    for kind, cards, number in zip(CATEGORIES, made.categories, numbers, strict=True):
        if number < 1:
            raise RuleError(f"expected at least one card in {kind}, got {number}")
        more = [
            Card(f"{kind[:-1]}_{n}", f"{kind[:-1].capitalize()} {n}")
            for n in range(len(cards) + 1, number + 1)
        ]
        lists.append((*cards[:number], *more))
    name = f"{made.name} {'/'.join(map(str, numbers))}"
    resized = Edition(made.name if made.categories == tuple(lists) else name, *lists)
    resized.check()
    return resized
