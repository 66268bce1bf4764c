"""Whose game is asked about: a log as it lies there, or what one seat of it has seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symkripke.play import Moment
from symkripke.web.views import asking
from symkripke.web.views.asking import Asking
from symkripke.web.views.hosting import seat_moment
from symkripke.web.views.opened import opened


def _moment(path: str, seat: str, at: int | None) -> tuple[Moment[Any, Any], int, dict[Any, Any]]:
    """A moment, how many events there are, and what is kept for this log."""
    if seat:
        return seat_moment(path, seat, at)
    log = opened(path)
    return log.at(at), log.moment.events, log.kept


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
