"""A played game as somebody types it at a real table: in short forms, with slips mended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from symkripke.errors import InputError
from symkripke.play import Contradiction, Journal, Record

_TRIES = 40


@dataclass(frozen=True)
class Line:
    """A line that is typed.

    Attributes:
        text: what is typed.
        entries: how many entries there are then.
        kind: "event", "refused" (an entry that cannot be so), "slip" (one that can, and is
            wrong), "undo" or "edit".
    """

    text: str
    entries: int
    kind: str


def typed(
    record: Record[Any, Any], aside: Path, chance: Random, slips: float = 0.0
) -> Iterator[Line]:
    """The lines by which a player's log is typed.

    Args:
        record: the log of one player.
        aside: a file in which it is typed along, to know what can be typed.
        chance: where slips come from.
        slips: how many events are mistyped before they are typed: each in one of three ways, as
            an entry that cannot be so, or one that is mended by `undo` or by `edit`, in turns.
    """
    assert record.seat is not None
    journal = Journal.begin(aside, record.game, record.setup, seat=record.seat, replace=True)
    mending = cycle(("undo", "edit"))
    for number, outcome in enumerate(record.outcomes):
        if len(journal.entries) > number:
            continue  # nothing was left to be told
        right = journal.shortly(outcome)
        if chance.random() < slips:
            yield from _slip(journal, right, chance, mending)
        if len(journal.entries) == number:
            journal.enter(right)
            yield Line(right, len(journal.entries), "event")


def _slip(
    journal: Journal[Any, Any], right: str, chance: Random, mending: Iterator[str]
) -> Iterator[Line]:
    """A wrong entry, and how it is mended; after an edit the right one is there."""
    before = len(journal.entries)
    for _ in range(_TRIES):
        try:
            wrong = made_up(journal, chance)
            journal.enter(wrong)
        except Contradiction:
            yield Line(wrong, before, "refused")
            return
        except InputError:
            continue
        if journal.pending is not None or len(journal.entries) != before + 1:
            while journal.pending is not None or len(journal.entries) > before:
                journal.undo()
            continue
        yield Line(wrong, before + 1, "slip")
        if next(mending) == "undo":
            journal.undo()
            yield Line("undo", len(journal.entries), "undo")
        else:
            journal.edit(before + 1, right)
            yield Line(f"edit {before + 1} {right}", len(journal.entries), "edit")
        return


def made_up(journal: Journal[Any, Any], chance: Random) -> str:
    """An event that can be typed now, whether or not it can be so: each question is answered.

    Raises:
        InputError: what was answered cannot be said here.
    """
    from symkripke.play.phrases import Pending, read

    text = ""
    for _ in range(_TRIES):
        found = read(journal.game.phrases, journal.situation, text)
        if not isinstance(found, Pending):
            return text
        if not found.choices:
            raise InputError(f"there is no answer to {found.ask!r}")
        text = f"{text} {chance.choice(found.choices).short}".strip()
    raise InputError("this event has no end")
