"""The source of a question: a whole log, or the events seen from one seat of a hosted game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symkripke.play import Moment
from symkripke.web.views import asking
from symkripke.web.views.asking import Asking, Effort
from symkripke.web.views.caches import TableCache
from symkripke.web.views.hosting import seat_moment
from symkripke.web.views.opened import replayed


def _moment(path: str, seat: str, at: int | None) -> tuple[Moment[Any, Any], int, TableCache[Any]]:
    """Return a moment, the number of events, and the cache of the log.

    Questions need no players, so the log is replayed here without players.
    """
    if seat:
        return seat_moment(path, seat, at)
    replay = replayed(path)
    last = replay.moment.events
    moment = replay.moment.after(last if at is None else max(0, min(at, last)))
    return moment, last, replay.kept


def when(moment: Moment[Any, Any]) -> str:
    """Return a moment in words."""
    if moment.events == 0:
        return "after the deal"
    if moment.is_journal:
        return f"after entry {moment.events}"
    return f"after turn {moment.turn}"


def question(
    path: str, seat: str, at: int | None, given: Mapping[str, str], effort: Effort = Effort.USUAL
) -> Asking:
    """Return the data of the page of questions, with the answer if there is a question."""
    moment, last, kept = _moment(path, seat, at)
    key = "asked", seat, moment.events, last, tuple(sorted(given.items())), effort
    answered: Asking | None = kept.get(key)
    if answered is None:
        answered = asking.asking(moment, last, when(moment), given, effort)
        if effort is not Effort.LONGER or not answered.is_cut:  # a further search may succeed
            kept.put(key, answered)
    return answered


def menus_only(path: str, seat: str, at: int | None, given: Mapping[str, str]) -> Asking:
    """Return the data of the page of questions without an answer, which is quick."""
    moment, last, _ = _moment(path, seat, at)
    return asking.asking(moment, last, when(moment), given, None)


def completions(path: str, seat: str, at: int | None, text: str) -> list[tuple[int, str]]:
    """Return the completions of a typed formula."""
    moment, _, _ = _moment(path, seat, at)
    return asking.completions(moment, text)
