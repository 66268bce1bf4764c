"""Editions of a game: built-in editions by name, and custom editions from TOML files.

Each game defines a typed record for its editions, whose fields are the entries of a file. The
functions of this module, which all games share, read files, make short names from titles and check
that names are unique.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from symkripke.decoding import from_toml
from symkripke.errors import RuleError, UnknownName
from symkripke.files import read_text

T = TypeVar("T")
RecordT = TypeVar("RecordT", bound=msgspec.Struct)

_NAME = re.compile(r"[^\W\d]\w*")
_WORDS = ("true", "false")


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card, a group of cards or a colour of gems: a short name for formulas, and a title."""

    id: str
    title: str


Entry = str | Piece
"""A piece in a file: its title, or a table with `id` and `title`."""


def slug(title: str) -> str:
    """Return a short name for a title: "Lead Pipe" becomes `lead_pipe`."""
    name = re.sub(r"\W+", "_", title.casefold()).strip("_")
    return f"_{name}" if name[:1].isdigit() else name


def pieces(*entries: Entry) -> tuple[Piece, ...]:
    """Return a piece for each entry."""
    return tuple(
        Piece(slug(entry), entry) if isinstance(entry, str) else entry for entry in entries
    )


def check_pieces(
    where: str, kinds: Mapping[str, Sequence[Piece]], reserved: Collection[str] = ()
) -> None:
    """Raise `RuleError` for a name that formulas cannot use, a repeated name, or an invalid title.

    Args:
        where: the words that open the message.
        kinds: the pieces by kind; messages name the kind.
        reserved: words with another meaning in this game.
    """
    seen: dict[str, str] = {}
    for kind, members in kinds.items():
        for piece in members:
            if not piece.title.isprintable() or not piece.title.strip():
                raise RuleError(
                    f"{where}: expected a title that can be printed, got {piece.title!r} in {kind}"
                )
            if not piece.id:
                raise RuleError(
                    f"{where}: expected a title with a letter or a digit, "
                    f"got {piece.title!r} in {kind}"
                )
            if not _NAME.fullmatch(piece.id):
                raise RuleError(
                    f"{where}: expected a name of letters, digits and _ (no digit first), "
                    f"got {piece.id!r} in {kind}"
                )
            if piece.id in (*_WORDS, *reserved):
                raise RuleError(
                    f"{where}: {piece.title!r} in {kind} cannot be called "
                    f"{piece.id!r}, because the word is reserved"
                )
            if piece.id in seen:
                raise RuleError(
                    f"{where}: {piece.id!r} is given twice (in {seen[piece.id]} and in {kind})"
                )
            seen[piece.id] = kind


def size_of(text: str, example: str, kinds: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers in a size like "6/6/9". Raise `RuleError` if the text is not a size."""
    if not re.fullmatch(r"\d{1,4}/\d{1,4}/\d{1,4}", text):
        raise RuleError(f"expected a size like {example} ({'/'.join(kinds)}), got {text!r}")
    return tuple(map(int, text.split("/")))


def edition_named(
    name: str, known: Mapping[str, T], read: Callable[[Path], T], kind: str = "edition"
) -> T:
    """Return an edition of the game, or the result of `read` if `name` ends in `.toml`.

    Raises:
        UnknownName: there is no such edition; `kind` is the word for editions in the message.
        RuleError: the file cannot be read, or does not describe a valid edition.
    """
    if name.endswith(".toml"):
        return read(Path(name))
    if name not in known:
        raise UnknownName(kind, name, (*known, "a path that ends in .toml"))
    return known[name]


def read_entries(path: Path) -> dict[str, Any]:
    """Return the entries of a TOML file. Raise `RuleError` if it is unreadable or not TOML."""
    text = read_text(path, RuleError)
    try:
        return from_toml(text)
    except ValueError as error:
        raise RuleError(f"{path} is not TOML: {error}") from None


def read_record(path: Path, record: type[RecordT]) -> RecordT:
    """Return the entries of a TOML file as a `msgspec.Struct` whose fields have defaults.

    Errors describe a field by its annotation `msgspec.Meta(description=...)`.

    Raises:
        RuleError: the file cannot be read, has an unknown entry, or has an entry of the wrong type.
    """
    entries = read_entries(path)
    fields = {field.name: field.type for field in msgspec.structs.fields(record)}
    for name in entries:
        if name not in fields:
            raise RuleError(str(UnknownName(f"entry in {path}", name, fields)))
    return record(**{name: typed(path, name, entries[name], fields[name]) for name in entries})


def typed(path: Path, name: str, value: Any, expected: Any) -> Any:
    """Return the value of an entry. Raise `RuleError` if it has the wrong type."""
    try:
        return msgspec.convert(value, expected)
    except msgspec.ValidationError:
        said = next((data.description for data in getattr(expected, "__metadata__", ())), expected)
        items = value if isinstance(value, list) else ()
        wrong = next((item for item in items if not _fits([item], expected)), value)
        raise RuleError(f"{path}: expected {said} for {name!r}, got {wrong!r}") from None


def _fits(value: Any, expected: Any) -> bool:
    try:
        msgspec.convert(value, expected)
    except msgspec.ValidationError:
        return False
    return True
