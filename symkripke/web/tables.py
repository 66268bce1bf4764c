"""The folder of tables: each table has a log, as on the terminal, and a file with notes.

A log `NAME.jsonl` that is copied to the folder becomes a table, too. Its notes (`NAME.json`: the
kind of table and its title) can be deleted; the kind is then inferred from the log.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

import msgspec

from symkripke.decoding import from_json
from symkripke.errors import InputError
from symkripke.files import read_text, sweep, write_whole
from symkripke.play.session.record import FORMAT
from symkripke.play.strategies import HUMAN

Kind = Literal["watch", "real", "seats"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
_RANDOM = 20
"""The number of random letters in a name: 100 bits."""


class NoTable(InputError):
    """A table that does not exist."""


class Notes(msgspec.Struct, frozen=True):
    """The notes on a table.

    Attributes:
        kind: "watch" (programs play), "real" (a log of a real table), "seats" (people play here).
        title: the host's title for the table; empty if there is none.
    """

    kind: Kind
    title: str = ""


class _Players(msgspec.Struct, frozen=True):
    """The part of the setup in the header of a log that the lobby shows."""

    players: tuple[str, ...]


class _Header(msgspec.Struct, frozen=True):
    """The part of the header of a log that the lobby shows."""

    log: str
    game: str
    setup: _Players
    minds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Listed:
    """A table in the lobby."""

    name: str
    game: str
    kind: Kind
    title: str
    events: int
    over: bool
    changed: float
    players: tuple[str, ...]


class Tables:
    """The tables of a data folder."""

    def __init__(self, data: Path) -> None:
        """Open the folder, and create it if it does not exist."""
        self.folder = data / "tables"
        self.folder.mkdir(parents=True, exist_ok=True)
        sweep(self.folder)
        self._known: dict[Path, tuple[tuple[int, int], Listed | None]] = {}

    def log(self, name: str) -> Path:
        """Return the path of the log of a table. Raise `NoTable` if there is none."""
        path = self.new_log(name)
        if not path.is_file() or path.is_symlink():
            raise NoTable(f"there is no table {name!r}")
        return path

    def new_log(self, name: str) -> Path:
        """Return the path for the log of a table. Raise `NoTable` for an invalid name."""
        if not _NAME.fullmatch(name):
            raise NoTable("expected the name of a table: letters, digits, - and _")
        return self.folder / f"{name}.jsonl"

    def name_from(self, game: str, token: str) -> str:
        """Return the name of a new table, as hard to guess as the token (in hex)."""
        rest, drawn = int(token, 16), ""
        while len(drawn) < _RANDOM:
            rest, letter = divmod(rest, len(_LETTERS))
            drawn += _LETTERS[letter]
        return f"{re.sub('[^a-z0-9]+', '-', game.casefold()).strip('-') or 'game'}-{drawn}"

    def version(self, name: str) -> str:
        """Return a text that changes with the log of a table. Raise `NoTable` if there is no log.

        The text is the time of the last change. The size of a log would reveal information about
        hidden cards.
        """
        try:
            return str(self.log(name).stat().st_mtime_ns)
        except FileNotFoundError:  # deleted since the check
            raise NoTable(f"there is no table {name!r}") from None

    # ---- notes ---------------------------------------------------------------------------------

    def notes(self, name: str) -> Notes:
        """Return the notes on a table; without a file of notes, they are inferred from the log."""
        path = self.log(name)
        notes = path.with_suffix(".json")
        try:
            stored: Notes = from_json(read_text(notes), Notes, notes.name)
        except InputError:
            return Notes(_kind(path))
        # Changing the notes alone must not reveal hidden facts.
        return Notes("seats", stored.title) if _kind(path) == "seats" else stored

    def note(self, name: str, notes: Notes) -> None:
        """Write the notes on a table."""
        text = msgspec.json.encode(notes).decode()
        write_whole(self.new_log(name).with_suffix(".json"), f"{text}\n")

    # ---- the lobby -----------------------------------------------------------------------------

    def all(self) -> list[Listed]:
        """Return all tables, the newest first, without files that are not logs."""
        tables = []
        for path in self.folder.glob("*.jsonl"):
            if not _NAME.fullmatch(path.stem) or path.is_symlink():
                continue
            try:
                about = path.stat()
            except OSError:
                continue
            stamp = about.st_mtime_ns, about.st_size
            if path not in self._known or self._known[path][0] != stamp:
                self._known[path] = stamp, self._listed(path, about.st_mtime)
            listed = self._known[path][1]
            if listed is not None:
                tables.append(listed)
        return sorted(tables, key=lambda table: -table.changed)

    def _listed(self, path: Path, changed: float) -> Listed | None:
        try:
            lines = read_text(path).split("\n")
            header: _Header = from_json(lines[0], _Header, path.name)
            notes = self.notes(path.stem)
        except InputError:
            return None
        if header.log != FORMAT:
            return None
        return Listed(
            path.stem,
            header.game,
            notes.kind,
            notes.title,
            sum(line.startswith('{"event"') for line in lines),
            any(line.startswith('{"result"') for line in lines[-2:]),
            changed,
            header.setup.players,
        )

    def remove(self, name: str) -> None:
        """Delete a table with all its files."""
        path = self.log(name)
        path.unlink()
        for suffix in (".json", ".course"):
            path.with_suffix(suffix).unlink(missing_ok=True)


def ago(changed: float, now: float) -> str:
    """Return the age of a change in words, from two times in seconds since 1970."""
    seconds = max(0.0, now - changed)
    if seconds < 60:
        return "just now"
    for unit, size, most in (("minute", 60, 60), ("hour", 3_600, 24), ("day", 86_400, 14)):
        number = int(seconds // size)
        if number < most:
            return f"{number} {unit}{'' if number == 1 else 's'} ago"
    there = date.fromtimestamp(changed)
    return f"on {there.day} {there:%B %Y}"


def _kind(path: Path) -> Kind:
    """Return the kind of a table, inferred from the first lines of its log."""
    try:
        first = read_text(path).split("\n", 3)[:3]
        header: _Header = from_json(first[0], _Header, path.name)
    except InputError:
        return "watch"
    if HUMAN in header.minds:
        return "seats"
    return "real" if any(line.startswith('{"seat"') for line in first) else "watch"
