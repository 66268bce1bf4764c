"""The source of a question: a whole log, or what one seat of a hosted game has seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from symkripke.errors import ImpossibleEntry
from symkripke.play import Moment, Record
from symkripke.play.log_file import LogFile
from symkripke.web.views import asking
from symkripke.web.views.asking import Asking
from symkripke.web.views.hosting import seat_moment
from symkripke.web.views.kept import Kept
from symkripke.web.views.opened import check_shown

_LOGS = 64
"""The number of logs that a process keeps."""


@dataclass
class _Replayed:
    """A log that was replayed.

    Attributes:
        text: the log.
        record: what it says.
        moment: its last moment; if an entry is impossible, the last moment before that entry.
        kept: the answers that were given.
    """

    text: str
    record: Record[Any, Any]
    moment: Moment[Any, Any]
    kept: Kept[Any] = field(default_factory=Kept)


_REPLAYED: Kept[_Replayed] = Kept.tables(_LOGS)


def _moment(path: str, seat: str, at: int | None) -> tuple[Moment[Any, Any], int, Kept[Any]]:
    """A moment, how many events there are, and what is kept for this log.

    Questions need no players, so the log is replayed here without players.
    """
    if seat:
        return seat_moment(path, seat, at)
    text = LogFile(path).text
    found = _REPLAYED.get(path)
    if found is None or found.text != text:
        _REPLAYED.drop(path)  # unless it is read without an error
        found = _REPLAYED.put(path, _replayed(path, text, found))
    last = found.moment.events
    moment = found.moment.after(last if at is None else max(0, min(at, last)))
    return moment, last, found.kept


def _replayed(path: str, text: str, before: _Replayed | None) -> _Replayed:
    """The log is replayed; only what is new, if it was replayed before."""
    name = Path(path).name
    record = Record.parse(text, name)
    check_shown(record)
    begun = None if before is None else (before.record, before.moment)
    try:
        moment = record.replay(name, begun=begun)
    except ImpossibleEntry as error:
        moment = record.replay(name, upto=error.number, begun=begun)
    return _Replayed(text, record, replace(moment, is_journal=record.seat is not None))


def when(moment: Moment[Any, Any]) -> str:
    """A moment in words."""
    if moment.events == 0:
        return "after the deal"
    if moment.is_journal:
        return f"after entry {moment.events}"
    return f"after turn {moment.turn}"


def question(path: str, seat: str, at: int | None, given: Mapping[str, str]) -> Asking:
    """The page of questions, with the answer, if something is asked."""
    moment, last, kept = _moment(path, seat, at)
    key = "asked", seat, moment.events, last, tuple(sorted(given.items()))
    found: Asking = kept.made(
        key, lambda: asking.asking(moment, last, when(moment), given, answers=True)
    )
    return found


def menus_only(path: str, seat: str, at: int | None, given: Mapping[str, str]) -> Asking:
    """The page of questions without an answer: quick."""
    moment, last, _ = _moment(path, seat, at)
    return asking.asking(moment, last, when(moment), given, answers=False)


def completions(path: str, seat: str, at: int | None, text: str) -> list[tuple[int, str]]:
    """The ways to go on with a formula that is typed."""
    moment, _, _ = _moment(path, seat, at)
    return asking.completions(moment, text)
