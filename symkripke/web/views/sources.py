"""The source of a question: a whole log, or the events seen from one seat of a hosted game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from symkripke.engines import Mark
from symkripke.language import Formula
from symkripke.play import Moment
from symkripke.play.rules import Outcome
from symkripke.web.views import asking
from symkripke.web.views.asking import Asking, Effort, Suggestion
from symkripke.web.views.caches import TableCache
from symkripke.web.views.hosting import seat_events, seat_moment
from symkripke.web.views.opened import replayed
from symkripke.web.views.suggesting import suggested


@dataclass(frozen=True)
class _Source:
    """A moment to ask about, with the events before it, and the cache of the log.

    Attributes:
        last: the total number of events.
        before: the last event so far; None after the deal.
        marks: returns the marks of a player's note sheet.
    """

    moment: Moment[Any, Any]
    last: int
    before: Outcome[Any] | None
    marks: Callable[[str], Mapping[Formula, Mark]]
    kept: TableCache[Any]

    def ready(self, seat: str) -> list[Suggestion]:
        """Return the questions that are sensible at this moment."""
        key = "ready", seat, self.moment.events, self.last
        ready: list[Suggestion] = self.kept.get_or_create(
            key, lambda: suggested(self.moment, self.before, self.marks)
        )
        return ready


def _source(path: str, seat: str, at: int | None) -> _Source:
    """Return a moment of a log, or of the view of a seat.

    Questions need no players, so the log is replayed here without players.
    """
    marks: Callable[[str], Mapping[Formula, Mark]]
    if seat:
        moment, last, kept = seat_moment(path, seat, at)
        events, marks = seat_events(path, seat), moment.marks
    else:
        replay = replayed(path)
        last, kept = replay.moment.events, replay.kept
        moment = replay.moment.after(last if at is None else max(0, min(at, last)))
        events, marks = replay.record.outcomes, partial(replay.marks, moment)
    before = events[moment.events - 1] if moment.events else None
    return _Source(moment, last, before, marks, kept)


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
    source = _source(path, seat, at)
    moment, last = source.moment, source.last
    key = "asked", seat, moment.events, last, tuple(sorted(given.items())), effort
    answered: Asking | None = source.kept.get(key)
    if answered is None:
        ready = source.ready(seat)
        answered = asking.asking(moment, last, when(moment), given, effort, ready)
        if effort is not Effort.LONGER or not answered.is_cut:  # a further search may succeed
            source.kept.put(key, answered)
    return answered


def menus_only(path: str, seat: str, at: int | None, given: Mapping[str, str]) -> Asking:
    """Return the data of the page of questions without an answer, which is quick."""
    source = _source(path, seat, at)
    moment, ready = source.moment, source.ready(seat)
    return asking.asking(moment, source.last, when(moment), given, None, ready)


def completions(path: str, seat: str, at: int | None, text: str) -> list[tuple[int, str]]:
    """Return the completions of a typed formula."""
    return asking.completions(_source(path, seat, at).moment, text)
