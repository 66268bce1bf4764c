"""Logs that the host uploads."""

from __future__ import annotations

from dataclasses import dataclass

from symkripke.files import write_whole
from symkripke.play import Record
from symkripke.play.strategies import HUMAN
from symkripke.web.tables import Kind


@dataclass(frozen=True)
class Uploaded:
    """An uploaded log that was checked: the name of its game, and the kind of its table."""

    game: str
    kind: Kind


def checked(text: str, name: str) -> Uploaded:
    """Check an uploaded log; `name` is the name of the file.

    The log of a seat may have impossible entries, which the page of its table helps to correct.

    Raises:
        LogError: it is not a valid log; names the line.
    """
    record = Record.parse(text, name)
    if record.seat is not None:
        return Uploaded(record.game.name, "real")
    record.replay(name)
    return Uploaded(record.game.name, "seats" if HUMAN in record.minds else "watch")


def keep(path: str, text: str) -> None:
    """Write an uploaded log as that of a table."""
    write_whole(path, text if text.endswith("\n") else f"{text}\n")
