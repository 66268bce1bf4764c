"""A real table: its entries, the next question, and the news of the last entry."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from symkripke.drawing.cards import Face, symbols
from symkripke.errors import BudgetExceeded, InputError, PhraseError
from symkripke.play import Contradiction, Journal, Layout, News
from symkripke.play.acts import Completion, Pending, Understood, read
from symkripke.play.diagnosis import Diagnosis
from symkripke.play.news import news
from symkripke.play.positions import suggest
from symkripke.play.rules import CHANCE
from symkripke.play.sentences import no_mistake_found, not_understood, so_far
from symkripke.play.views.pictures import pictures_of
from symkripke.play.words import person, with_titles
from symkripke.web.views.knowing import Knowledge, knowledge_of, tells_of_others
from symkripke.web.views.mistakes import mistake
from symkripke.web.views.opened import EventSummary, OpenLog, opened

_MOVES = 5
_WAYS = 16


@dataclass(frozen=True)
class Group:
    """Answers that belong together, under a heading."""

    title: str
    words: Sequence[str]


@dataclass(frozen=True)
class Asked:
    """The next question to the user.

    Attributes:
        said: the part of an event that has been entered; empty if there is none.
        ask: the question.
        groups: the answers.
        others: other inputs that lead to another question, such as "accuses".
        several: whether several answers can be given at once.
    """

    said: str
    ask: str
    groups: Sequence[Group]
    others: Sequence[str]
    several: bool


@dataclass(frozen=True)
class JournalPage:
    """The data of the page of a real table.

    Attributes:
        fault: the impossible entry, with the reason; empty if there is none.
        faulty: the number of the impossible entry; 0 if there is none.
        stamp: a stamp of all entries; input from a page with another stamp is refused.
        tells_of_others: whether players can know about the knowledge of others that pages show.
        middle: the title and the cards of each row in the middle of the table.
        symbols: the art of these cards, as hidden SVG.
    """

    title: str
    rules: str
    you: str
    players: Sequence[str]
    events: Sequence[EventSummary]
    asked: Asked | None
    result: str
    note: str
    fault: str
    faulty: int
    known: Knowledge
    moves_now: bool
    stamp: str
    tells_of_others: bool
    middle: Sequence[tuple[str, Sequence[Face]]]
    symbols: str


@dataclass(frozen=True)
class RejectedEntry:
    """An entry that was refused.

    Attributes:
        text: the input.
        title: the rejection in a few words.
        lines: the problem in sentences.
        marked: the input in three parts: the text before the unknown part, that part, and the rest;
            may be empty.
        statements: statements that cannot all be true: the number of the entry (0 for the hand),
            and the words.
        clash: the numbers of the entries that conflict with the input.
        suspects: the entries that may contain the slip: the number, the entry, and the text that
            may have been meant.
        may_search: whether a search can find the slip.
    """

    text: str
    title: str
    lines: Sequence[str]
    marked: Sequence[str] = ()
    statements: Sequence[tuple[int, str]] = ()
    clash: Sequence[int] = ()
    suspects: Sequence[tuple[int, str, str]] = ()
    may_search: bool = False


def _journal(path: str) -> tuple[OpenLog, Journal[Any, Any]]:
    log = opened(path)
    if log.journal is None or log.journal.seat is None:
        raise InputError("this is not the log of a real table")
    return log, log.journal


# ---- output --------------------------------------------------------------------------------------


def noted(path: str, show: str) -> JournalPage:
    """Return the data of the page of a real table; `show` is one of `SHOWS`, or empty."""
    log, journal = _journal(path)
    moment = journal.moment
    seat = journal.seat
    assert seat is not None
    key = "noted", journal.entries, journal.record.pending, show
    kept = log.kept.get("noted")
    if kept is not None and kept[0] == key:
        kept_page: JournalPage = kept[1]
        return kept_page
    known = knowledge_of(
        moment,
        seat,
        journal.position,
        show,
        partial(_news, journal, seat),
        lambda: suggest(journal.record, moment, seat, _MOVES),
    )
    decision = journal.position.decision
    fault = journal.fault
    middle = pictures_of(moment).middle(journal.position)
    page = JournalPage(
        journal.game.title,
        journal.setup.rules,
        person(seat),
        tuple(map(person, journal.setup.players)),
        [EventSummary(entry.number, entry.turn, entry.story) for entry in journal.entries],
        None if fault is not None else _asked(journal),
        with_titles(journal.position.result or "", journal.setup.players),
        journal.note,
        "" if fault is None else str(fault),
        0 if fault is None else fault.number + 1,
        known,
        decision is None or decision.player in (seat, CHANCE),
        _stamp(journal),
        tells_of_others(moment),
        middle,
        symbols(face for _, faces in middle for face in faces),
    )
    log.kept.put("noted", (key, page))
    return page


def _news(journal: Journal[Any, Any], seat: str) -> News:
    """Return the news of the last entry; none after the deal, or after an impossible entry."""
    if journal.fault is None and journal.entries:
        return journal.news()
    return news(journal.moment, seat, 0)


def _asked(journal: Journal[Any, Any]) -> Asked | None:
    """Return the next question, with all its choices; None if the game is over."""
    asked = journal.asked
    if asked is None:
        return None
    words = [choice.word for choice in asked.choices]
    return Asked(
        so_far(asked) if asked.said else "",
        asked.ask or f"Expected {asked.what}:",
        grouped(words, journal.moment.layout),
        _others(journal, asked, words),
        journal.takes_several,
    )


def grouped(words: Sequence[str], layout: Layout) -> list[Group]:
    """Return answers under the headings of the note sheet; answers without one come first."""
    headed = {
        title.casefold(): group for group, rows in layout.groups.items() for title in rows.values()
    }
    groups: dict[str, list[str]] = {"": []}
    for word in words:
        groups.setdefault(headed.get(word.casefold(), ""), []).append(word)
    return [Group(title, names) for title, names in groups.items() if names]


def _try(journal: Journal[Any, Any], text: str) -> Understood | Pending | None:
    """Return the reading of a text after the unfinished entry; None if it does not fit."""
    before = journal.record.pending
    with suppress(PhraseError):
        return read(journal.game.acts, journal.situation, f"{before}\n{text}" if before else text)
    return None


def _others(journal: Journal[Any, Any], asked: Pending, words: Sequence[str]) -> list[str]:
    """Return words that lead to questions other than the open one."""
    known = {word.casefold() for word in words}
    if not asked.said:  # no need to state whose turn it is
        known |= {person(player).casefold() for player in journal.setup.players}
    lines: list[str] = []
    for way in journal.completions(""):
        if way.text.casefold() in known or not any(map(str.isalnum, way.text)):
            continue
        known.add(way.text.casefold())
        then = _try(journal, way.text)
        if then is None or (isinstance(then, Pending) and then.ask == asked.ask):
            continue
        lines.append(way.text)
        if len(lines) == _WAYS:
            break
    return lines


def completions(path: str, text: str) -> list[tuple[int, str]]:
    """Return the completions of a typed text."""
    _, journal = _journal(path)
    if journal.fault is not None:
        return []
    ways: Sequence[Completion] = journal.completions(text)
    return [(way.start, way.text) for way in ways[:40]]


# ---- input ---------------------------------------------------------------------------------------


def _stamp(journal: Journal[Any, Any]) -> str:
    state = repr(([entry.story for entry in journal.entries], journal.record.pending))
    return sha256(state.encode()).hexdigest()[:16]


def _too_late(journal: Journal[Any, Any], seen: str, text: str) -> RejectedEntry | None:
    """Return a rejection if the log has changed since the page was made; `seen` is its stamp."""
    if not seen or seen == _stamp(journal):
        return None
    advice = (
        "Nothing was written. The page shows the current state; if your entry still applies, enter "
        "it again."
    )
    return RejectedEntry(text, "Another entry has been made in the meantime", [advice])


def enter(path: str, text: str, seen: str = "") -> RejectedEntry | None:
    """Enter an event, or a part of an event. Return the entry if it is rejected."""
    _, journal = _journal(path)
    if late := _too_late(journal, seen, text):
        return late
    if not text.strip():
        return RejectedEntry(text, "Nothing was typed", ["Tap an answer, or type what happens."])
    return _refused(journal, text, lambda: journal.enter(text))


def change(path: str, number: int, text: str, seen: str = "") -> RejectedEntry | None:
    """Replace an entry, or remove it if the text is empty."""
    _, journal = _journal(path)
    if late := _too_late(journal, seen, text):
        return late
    return _refused(journal, text, lambda: journal.edit(number, text))


def undo(path: str, seen: str = "") -> RejectedEntry | None:
    """Undo the last entry."""
    _, journal = _journal(path)
    if late := _too_late(journal, seen, ""):
        return late
    journal.undo()
    return None


def _refused(
    journal: Journal[Any, Any], text: str, do: Callable[[], object]
) -> RejectedEntry | None:
    try:
        do()
    except PhraseError as error:
        pending = journal.pending
        error_words = mistake(error)
        lines = [error_words.words]
        if pending is not None and pending.said:
            lines.append(f"This entry is incomplete: {so_far(pending)} {pending.ask}")
        return RejectedEntry(text, not_understood(error), lines, error_words.marked)
    except Contradiction as error:
        return RejectedEntry(
            text, "This is impossible", [error.story, error.forbids], may_search=True
        )
    return None


_ENTRY = re.compile(r"^entry \d+(?:: |, )")
"""The number of the entry before a statement, which the page shows separately."""


def slip(path: str, text: str, number: int | None) -> RejectedEntry:
    """Return a rejected entry with the entries that it contradicts, and with possible slips.

    Args:
        path: the log.
        text: the input; empty if an entry of the log itself is impossible.
        number: the number of the entry to replace; None for a new entry.
    """
    _, journal = _journal(path)
    if not text:
        try:
            diagnosis = journal.diagnose()
        except BudgetExceeded as error:
            return RejectedEntry("", "", [no_mistake_found(error)])
        return RejectedEntry("", "", ()) if diagnosis is None else _told(text, diagnosis, [])
    try:
        journal.check(text, number)
    except Contradiction as error:
        first = [error.story, error.forbids]
        try:
            return _told(text, error.diagnose(), first)
        except BudgetExceeded as limit:
            lines = [*first, no_mistake_found(limit)]
            return RejectedEntry(text, "This is impossible", lines)
    return RejectedEntry(text, "", ())


def _told(text: str, diagnosis: Diagnosis, first: Sequence[str]) -> RejectedEntry:
    clash = sorted({premise.entry for premise in diagnosis.clash if premise.entry > 0})
    if not clash:  # the rules forbid it: changing a suspect would allow it
        clash = sorted({suspect.entry for suspect in diagnosis.suspects if suspect.entry > 0})
    suspects = [
        (suspect.entry, suspect.text, suspect.meant()) for suspect in diagnosis.suspects[:3]
    ]
    return RejectedEntry(
        text,
        "This is impossible",
        first,
        statements=[(number, _ENTRY.sub("", what)) for number, what in diagnosis.statements()],
        clash=clash,
        suspects=suspects,
    )
