"""The source of a question: a whole log, or what one seat of a hosted game has seen."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from symkripke.errors import ImpossibleEntry
from symkripke.play import Moment, Record
from symkripke.play.log_file import LogFile
from symkripke.web.views import asking
from symkripke.web.views.asking import Asking
from symkripke.web.views.hosting import seat_moment
from symkripke.web.views.opened import check_shown

_KEPT = 12

_REPLAYED: OrderedDict[str, tuple[str, Moment[Any, Any], dict[Any, Any]]] = OrderedDict()


def _moment(path: str, seat: str, at: int | None) -> tuple[Moment[Any, Any], int, dict[Any, Any]]:
    """A moment, how many events there are, and what is kept for this log.

    Questions need no players, so the log is replayed here without players.
    """
    if seat:
        return seat_moment(path, seat, at)
    text = LogFile(path).text
    found = _REPLAYED.pop(path, None)
    if found is None or found[0] != text:
        found = text, _replayed(path, text), {}
    _REPLAYED[path] = found
    while len(_REPLAYED) > _KEPT:
        _REPLAYED.popitem(last=False)
    last = found[1].events
    moment = found[1].after(last if at is None else max(0, min(at, last)))
    return moment, last, found[2]


def _replayed(path: str, text: str) -> Moment[Any, Any]:
    """The last moment of a log; if an entry is impossible, the last moment before that entry."""
    record = Record.parse(text, Path(path).name)
    check_shown(record)
    try:
        moment = record.replay(Path(path).name)
    except ImpossibleEntry as error:
        moment = record.replay(Path(path).name, upto=error.number)
    return replace(moment, is_journal=record.seat is not None)


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
    if key not in kept:
        kept[key] = asking.asking(moment, last, when(moment), given, answers=True)
    found: Asking = kept[key]
    return found


def menus_only(path: str, seat: str, at: int | None, given: Mapping[str, str]) -> Asking:
    """The page of questions without an answer: quick."""
    moment, last, _ = _moment(path, seat, at)
    return asking.asking(moment, last, when(moment), given, answers=False)


def completions(path: str, seat: str, at: int | None, text: str) -> list[tuple[int, str]]:
    """The ways to go on with a formula that is typed."""
    moment, _, _ = _moment(path, seat, at)
    return asking.completions(moment, text)
