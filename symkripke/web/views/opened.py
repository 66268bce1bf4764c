"""The cache of the logs that a process has read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from symkripke.engines import Engine, Mark
from symkripke.errors import InputError, JournalChanged, PlayerError
from symkripke.language import Formula
from symkripke.play import Assessment, Game, Journal, Moment, Record, Setup, Table, View
from symkripke.play.rules import GameState
from symkripke.play.session.course import Course
from symkripke.play.session.log_file import LogFile
from symkripke.play.strategies import HUMAN, strategy
from symkripke.web.views.caches import TableCache

_LOGS = 64
"""The maximum number of logs that a process caches."""


@dataclass(frozen=True)
class EventSummary:
    """An event as a web page lists it.

    Attributes:
        number: the number of the event, from 1.
        turn: the turn in which it happened.
        story: the event as a sentence.
        reason: the player's reason for the move; empty if there is none.
    """

    number: int
    turn: int
    story: str
    reason: str = ""


def check_shown(record: Record[Any, Any]) -> None:
    """Raise `InputError` while people play, to protect hidden cards."""
    if HUMAN in record.minds and record.result is None:
        raise InputError("people are playing this game: hidden cards are shown when it is over")


class Read(ABC):
    """A log that was read, with its cache.

    Attributes:
        kept: the cache of pages, and of parts of pages.
    """

    kept: TableCache[Any]

    @property
    @abstractmethod
    def record(self) -> Record[Any, Any]:
        """The record of the game."""

    def marks(self, moment: Moment[Any, Any], player: str) -> Mapping[Formula, Mark]:
        """Return the marks of a player's note sheet, from a cache."""
        key = "marks", moment.structure.settled, player
        marks: Mapping[Formula, Mark] = self.kept.get_or_create(key, lambda: moment.marks(player))
        return marks

    def position(self, moment: Moment[Any, Any]) -> GameState[Any]:
        """Return the position at a moment."""
        from symkripke.play.positions import Past

        last = moment.after(len(moment.states) - 1)
        past: Past[Any, Any] = self.kept.get_or_create(
            ("past", last.events), lambda: Past(self.record, last)
        )
        return past.at(moment.events).state


class OpenLog(Read):
    """A log that was read, with the players of its table.

    Attributes:
        path: the path of the log.
        journal: the journal; None if programs play the game.
        table: the table at which programs play; None if they do not.
        kept: the cache of pages, and of parts of pages.
    """

    def __init__(self, path: str) -> None:
        """Read the log. Raise `LogError` if it is invalid."""
        self.path = path
        self.journal: Journal[Any, Any] | None = None
        self.table: Table[Any, Any] | None = None
        self.kept: TableCache[Any] = TableCache()
        self._assessed: list[Mapping[str, Assessment]] = []
        record = Record.read(path)
        check_shown(record)
        self.engine: Engine = record.game.engine()
        if HUMAN not in record.minds:
            # Without minds, nobody can play on. The same is true if the programs of another version
            # chose other moves.
            with suppress(InputError, PlayerError):
                self.table = Table.open(path, answering=self.engine)
        if self.table is None:
            self.journal = Journal.open(path, self.engine)

    def refresh(self) -> None:
        """Read the entries that another program has added to the log.

        Raises:
            JournalChanged: the log now belongs to another game.
            LogError: the log cannot be read.
        """
        if self.table is not None:
            self.table.refresh()
        elif self.journal is not None:
            self.journal.refresh()

    # ---- content -------------------------------------------------------------------------------

    @property
    def game(self) -> Game[Any, Any]:
        """The game."""
        return self.moment.game

    @property
    def setup(self) -> Setup:
        """The setup of the game."""
        setup: Setup = self.moment.setup
        return setup

    @property
    def moment(self) -> Moment[Any, Any]:
        """The current moment."""
        if self.table is not None:
            return self.table.moment
        assert self.journal is not None
        return self.journal.moment

    @property
    def record(self) -> Record[Any, Any]:
        """The record of the game."""
        if self.table is not None:
            return self.table.record
        assert self.journal is not None
        return self.journal.record

    @property
    def seat(self) -> str | None:
        """The player who keeps the log; None if the truth is known."""
        return None if self.journal is None else self.journal.seat

    @property
    def events(self) -> list[EventSummary]:
        """The events so far."""
        if self.table is not None:
            return [
                EventSummary(step.number, step.turn, step.story, step.reason)
                for step in self.table.steps
            ]
        assert self.journal is not None
        return [
            EventSummary(entry.number, entry.turn, entry.story) for entry in self.journal.entries
        ]

    @property
    def minds(self) -> Sequence[str]:
        """The kinds of player, if programs play."""
        return () if self.table is None else self.table.minds

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        if self.table is not None:
            return self.table.ended is not None
        assert self.journal is not None
        return self.journal.position.result is not None

    @property
    def result(self) -> str:
        """The result of the game; empty while it continues."""
        if not self.is_over:
            return ""
        if self.table is not None:
            return self.table.result
        assert self.journal is not None
        return self.journal.position.result or ""

    def at(self, events: int | None) -> Moment[Any, Any]:
        """Return the moment after the first `events` events; None for the current moment."""
        moment = self.moment
        if events is None:
            return moment.after(moment.events)
        return moment.after(max(0, min(events, moment.events)))

    # ---- assessments of players ------------------------------------------------------------------

    def assessed(self, events: int) -> Mapping[str, Assessment]:
        """Return each player's progress after `events` events; for a seat's log, only its own."""
        while len(self._assessed) <= events:
            self._assessed.append(self._assess(self.moment.after(len(self._assessed))))
        return self._assessed[events]

    def _assess(self, moment: Moment[Any, Any]) -> Mapping[str, Assessment]:
        """Return each player's assessment; without minds, players assess like the usual kind."""
        publics = tuple(outcome.public for outcome in self.record.outcomes[: moment.events])
        players = self.setup.players if self.seat is None else (self.seat,)
        views = {name: View(self.setup, moment.perspective(name), publics) for name in players}
        if self.table is not None:
            return {name: self.table.players[name].assess(view) for name, view in views.items()}
        usual = strategy(self.game, next(iter(self.game.strategies)))
        return {name: usual(self.engine, Random(0)).assess(view) for name, view in views.items()}

    # ---- play on -------------------------------------------------------------------------------

    def play(self, most: int) -> int:
        """Play at most `most` events, write each to the log, and return their number.

        Raises:
            InputError: programs do not play at this table.
            JournalChanged: another program has changed the log in the meantime.
        """
        if self.table is None:
            raise InputError("programs do not play at this table")
        for played in range(most):
            if self.table.step() is None:
                return played
        return most


_OPEN_LOGS: TableCache[OpenLog] = TableCache.tables(_LOGS)


def opened(path: str) -> OpenLog:
    """Return the log of a path in its current state. Raise `LogError` if it is invalid."""
    log = _OPEN_LOGS.get(path)
    _OPEN_LOGS.drop(path)  # cached again below, unless reading fails
    if log is not None:
        try:
            log.refresh()
        except JournalChanged:  # the log now belongs to another game
            log = None
    return _OPEN_LOGS.put(path, OpenLog(path) if log is None else log)


# ---- without players -----------------------------------------------------------------------------


@dataclass
class Replayed(Read):
    """A log that was replayed without players.

    Attributes:
        file: the file of the log.
        said: the record of the game.
        course: the replay, which stops before the first impossible entry.
        kept: the cache of answers.
    """

    file: LogFile
    said: Record[Any, Any]
    course: Course[Any, Any]
    kept: TableCache[Any] = field(default_factory=TableCache)

    @property
    def record(self) -> Record[Any, Any]:
        """The record of the game."""
        return self.said

    @property
    def moment(self) -> Moment[Any, Any]:
        """The last moment of the replay."""
        return self.course.moment(is_journal=self.said.seat is not None)


_REPLAYED: TableCache[Replayed] = TableCache.tables(_LOGS)


def replayed(path: str) -> Replayed:
    """Return the log of a path in its current state. Raise `LogError` if it is invalid."""
    replay = _REPLAYED.get(path)
    if replay is None or replay.file.is_changed:
        _REPLAYED.drop(path)  # cached again below, unless reading fails
        replay = _REPLAYED.put(path, _replayed(path, replay))
    return replay


def _replayed(path: str, before: Replayed | None) -> Replayed:
    """Replay a log, or only its new events if it was replayed before."""
    file = LogFile(path)
    record = Record.parse(file.text, file.path.name)
    check_shown(record)
    if before is not None and record.goes_on(before.said, before.moment.events):
        course = before.course
    else:
        course = record.begun(record.game.engine(), file.path.name)
    with suppress(InputError):
        for outcome in record.outcomes[len(course.outcomes) :]:
            course.append(outcome)
    return Replayed(file, record, course)
