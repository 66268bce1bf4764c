"""The review of a game, made in parts, so that no request takes long."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symkripke.errors import InputError
from symkripke.play import Record
from symkripke.play.review import NEWS, KeyMoment, Reviewing, key_moments
from symkripke.play.review.page import fragment, page
from symkripke.play.strategies import HUMAN, considers
from symkripke.web.views import sharing
from symkripke.web.views.hosting import branch
from symkripke.web.views.opened import OpenLog, opened

_FLAGS = 5
"""The maximum number of lucky events, and of mistakes, that the graph marks."""

_SECONDS = 1.0
"""The approximate time in seconds of a request, between two updates of the progress."""


@dataclass(frozen=True)
class Reviewed:
    """The progress of a review; `html` is the review, once it is complete.

    Attributes:
        keys: the key moments, each with whether a person can play on from there.
        flags: the greatest luck and the biggest mistakes, for the graph of the game.
        minds: the kinds of player that took part, and the information that each uses.
    """

    title: str
    done: int
    number: int
    html: str
    minds: Sequence[tuple[str, str]]
    keys: Sequence[tuple[KeyMoment, bool]] = ()
    flags: Sequence[KeyMoment] = ()


class _Work:
    """A review in progress. The other parts of the shareable file are made after the review."""

    def __init__(self, log: OpenLog) -> None:
        record: Record[Any, Any] = log.record
        self.work = Reviewing(record)
        self.done = 0
        self.steps = sharing.Steps(log)

    @property
    def is_done(self) -> bool:
        """True if all events are reviewed."""
        return self.done == self.work.number

    def go_on(self, seconds: float) -> None:
        """Continue the review for about `seconds` seconds. An interrupted call can be repeated."""
        end = time.monotonic() + seconds
        while not self.is_done and time.monotonic() < end:
            self.work.step()
            self.done += 1

    def go_on_to_share(self, seconds: float) -> bool:
        """Work on the shareable file for about `seconds` seconds. Return whether it is complete."""
        end = time.monotonic() + seconds
        self.go_on(seconds)
        while self.is_done and not self.steps.is_done and time.monotonic() < end:
            self.steps.go_on()
        return self.is_done and self.steps.is_done


def _work(path: str) -> _Work:
    log = opened(path)
    key = "review", log.moment.events
    work: _Work = log.kept.get_or_create(key, lambda: _Work(log))
    return work


def reviewed(path: str) -> Reviewed:
    """Continue the review of a game for a short time, and return the progress."""
    work = _work(path)
    work.go_on(_SECONDS)
    review = work.work.review() if work.is_done else None
    html = "" if review is None else fragment(review)
    keys = [] if review is None else key_moments(review)
    log = opened(path)
    kinds = dict.fromkeys(mind for mind in log.record.minds if mind != HUMAN)
    minds = [(kind, considers(log.game, kind)) for kind in kinds]
    found = [(key, _can_play_on(path, key.event - 1)) for key in keys]
    most = [] if review is None else key_moments(review, _FLAGS)
    flags = [moment for moment in most if moment.sort != NEWS]
    return Reviewed(log.game.title, work.done, work.work.number, html, minds, found, flags)


def _can_play_on(path: str, events: int) -> bool:
    """Return whether a person can play on from a position of a log."""
    try:
        branch(path, events)
    except InputError:
        return False
    return True


@dataclass(frozen=True)
class Shared:
    """The progress of a shareable file."""

    title: str
    done: int
    number: int


def sharing_so_far(path: str) -> Shared:
    """Work on the shareable file for a short time, and return the progress."""
    work = _work(path)
    work.go_on_to_share(_SECONDS)
    done, number = work.done + len(work.steps.made), work.work.number + work.steps.last + 1
    return Shared(opened(path).game.title, done, number)


def shared(path: str) -> str:
    """Return the game as a self-contained HTML file; empty if the file is not finished yet."""
    work = _work(path)
    if not work.go_on_to_share(_SECONDS):
        return ""
    return page(work.work.review(), work.steps.html(), sharing.style())
