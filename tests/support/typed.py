"""Input for a played game, as a person types it at a real table, with slips and corrections."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from symkripke.errors import InputError
from symkripke.play import Contradiction, Journal, Outcome, Record
from symkripke.play.acts import corrections, describe_briefly

_TRIES = 6
"""The maximum number of wrong entries that are tried to find one of a certain kind."""

_REFUSED, _UNDONE, _EDITED, _EDITED_LATE = range(4)


@dataclass(frozen=True)
class Line:
    """A line of input.

    Attributes:
        text: the text of the line.
        entries: the number of entries after it.
        kind: "event", "refused" (an impossible entry), "slip" (a possible entry that is wrong),
            "undo" or "edit".
    """

    text: str
    entries: int
    kind: str


def typed(
    record: Record[Any, Any], aside: Path, chance: Random, slips: float = 0.0
) -> Iterator[Line]:
    """Yield the input lines for a player's log.

    Args:
        record: the log of one player.
        aside: a file for a second copy of the log, which shows which entries are possible.
        chance: the source of chance for the slips.
        slips: the share of events that are first typed wrong. Such an entry is refused if it is
            impossible. Otherwise it is corrected by `undo`, by `edit`, or by `edit` after the next
            event, in turn.
    """
    assert record.seat is not None
    journal = Journal.begin(aside, record.game, record.setup, seat=record.seat, replace=True)
    kinds = cycle((_REFUSED, _UNDONE, _EDITED, _EDITED_LATE))
    for number, outcome in enumerate(record.outcomes):
        if len(journal.entries) > number:
            continue  # the entry exists: it followed from the log, or was typed before an edit
        right = briefly(journal, outcome)
        if chance.random() < slips:
            yield from _slip(journal, record, right, chance, next(kinds))
        if len(journal.entries) == number:
            journal.enter(right)
            yield Line(right, len(journal.entries), "event")


def _slip(
    journal: Journal[Any, Any], record: Record[Any, Any], right: str, chance: Random, kind: int
) -> Iterator[Line]:
    """Yield a wrong entry and its correction; after an edit, the right entry is in the log.

    If there is no wrong entry of that kind, another kind is used.
    """
    before = len(journal.entries)
    refused = accepted = ""
    for wrong in _wrong(journal, record.outcomes[before], right, chance):
        try:
            entered = journal.enter(wrong)
        except Contradiction:
            refused = wrong
            if kind == _REFUSED:
                break
            continue
        except InputError:
            continue
        is_whole = entered.pending is None and len(entered.entries) == 1
        while journal.pending is not None or len(journal.entries) > before:
            journal.undo()
        if is_whole:
            accepted = wrong
            if kind != _REFUSED:
                break
    if refused and (kind == _REFUSED or not accepted):
        yield Line(refused, before, "refused")
    elif accepted:
        journal.enter(accepted)
        yield Line(accepted, before + 1, "slip")
        if kind == _UNDONE:
            journal.undo()
            yield Line("undo", before, "undo")
            return
        if kind == _EDITED_LATE:
            yield from _next(journal, record)
        journal.edit(before + 1, right)
        yield Line(f"edit {before + 1} {right}", len(journal.entries), "edit")
        assert journal.record.outcomes == record.outcomes[: len(journal.entries)]


def _wrong(
    journal: Journal[Any, Any], outcome: Outcome[Any], right: str, chance: Random
) -> Iterator[str]:
    """Yield texts of events that differ from the right one by one slip."""
    changed = list(corrections(journal.game.acts, journal.situation, outcome))
    for _ in range(_TRIES if changed else 0):
        meant = chance.choice(changed).outcome
        with suppress(InputError, LookupError):  # the rules forbid the event
            meant = journal.game.with_derived_parts(journal.position, meant)
        with suppress(InputError, LookupError):  # the act cannot express the event here
            wrong = briefly(journal, meant)
            if wrong != right:
                yield wrong


def _next(journal: Journal[Any, Any], record: Record[Any, Any]) -> Iterator[Line]:
    """Type the next event after a wrong one; it is refused if the two contradict each other.

    Type nothing if the text would mean another event there.
    """
    before = len(journal.entries)
    if before >= len(record.outcomes):
        return
    try:
        text = briefly(journal, record.outcomes[before])
        entered = journal.enter(text)
    except Contradiction:
        yield Line(text, before, "refused")
    except (InputError, LookupError):
        return
    else:
        if [entry.outcome for entry in entered.entries] == [record.outcomes[before]]:
            yield Line(text, before + 1, "event")
            return
        while journal.pending is not None or len(journal.entries) > before:
            journal.undo()


def briefly(journal: Journal[Any, Any], outcome: Any) -> str:
    """Return the short text for the next event."""
    return describe_briefly(journal.game.act(outcome), journal.situation, outcome)
