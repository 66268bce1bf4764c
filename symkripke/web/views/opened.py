"""A cache of logs that a process has read, so that the next request need not read them again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from symkripke.engines import Engine, Mark, engine
from symkripke.errors import ImpossibleEntry, InputError, SymkripkeError
from symkripke.language import Formula
from symkripke.play import Assessment, Game, Journal, Moment, Record, Setup, Step, Table, View
from symkripke.play.log_file import LogFile
from symkripke.play.record import Result, event_line, result_line
from symkripke.play.rules import State
from symkripke.play.strategies import HUMAN, strategy
from symkripke.web.views.kept import Kept

_LOGS = 64
"""The number of logs that a process keeps."""


@dataclass(frozen=True)
class Told:
    """An event for people.

    Attributes:
        number: which, from 1.
        turn: the turn in which it happened.
        story: it as a sentence.
        reason: why the player chose its move; empty if it gives no reason.
    """

    number: int
    turn: int
    story: str
    reason: str = ""


def check_shown(record: Record[Any, Any]) -> None:
    """Raises `InputError` as long as people play: then nobody is shown what is hidden."""
    if HUMAN in record.minds and record.result is None:
        raise InputError("people are playing this game: what is hidden is shown at its end")


class Read(ABC):
    """What is kept of a log that was read.

    Attributes:
        kept: pages, and parts of pages.
    """

    kept: Kept[Any]

    @property
    @abstractmethod
    def record(self) -> Record[Any, Any]:
        """All that is written down."""

    def marks(self, moment: Moment[Any, Any], player: str) -> Mapping[Formula, Mark]:
        """The note sheet of a player; events that tell nothing leave it as it is."""
        key = "marks", moment.structure.settled, player
        found: Mapping[Formula, Mark] = self.kept.made(key, lambda: moment.marks(player))
        return found

    def position(self, moment: Moment[Any, Any]) -> State[Any]:
        """The position at a moment, as the rules see it."""
        from symkripke.play.positions import state_at

        key = "position", moment.events
        found: State[Any] = self.kept.made(key, lambda: state_at(self.record, moment))
        return found


class Opened(Read):
    """A log that is read, with the players of its table.

    Attributes:
        path: where it is.
        journal: the log, where it is not played on by programs.
        table: the game, where programs play it.
        kept: pages, and parts of pages.
    """

    def __init__(self, path: str) -> None:
        """Read the log; raises `LogError`."""
        self.path = path
        self.file = LogFile(path)
        self.engine: Engine = engine()
        self.journal: Journal[Any, Any] | None = None
        self.table: Table[Any, Any] | None = None
        self.kept: Kept[Any] = Kept()
        self._assessed: list[Mapping[str, Assessment]] = []
        record = Record.parse(self.file.text, Path(path).name)
        check_shown(record)
        by_minds = bool(record.minds) and HUMAN not in record.minds
        if record.truth is not None and by_minds and record.seed is not None:
            self.table = Table(
                record.game,
                record.setup,
                record.minds,
                record.seed,
                deal=record.truth,
                answering=self.engine,
            )
            if not self._plays_on(record):
                self.table = None
        if self.table is None:
            self.journal = Journal.open(path, self.engine)

    def _plays_on(self, record: Record[Any, Any]) -> bool:
        """Play as far as the record goes; False if the table plays another game than that."""
        table = self.table
        assert table is not None
        if not self._assessed:
            self._assessed.append(table.assess())
        for outcome in record.outcomes[len(table.steps) :]:
            try:
                step = table.step()
            except SymkripkeError:
                return False
            if step is None or step.outcome != outcome:
                return False
            self._assessed.append(table.assess())
        return len(record.outcomes) == len(table.steps)

    def is_fresh(self) -> bool:
        """Whether this is still the content of the file; entries added to the file are read."""
        file = LogFile(self.path)
        if file.text == self.file.text:
            return True
        if self.table is None or not file.text.startswith(self.file.text):
            return False
        self.file = file
        return self._plays_on(Record.parse(file.text, Path(self.path).name))

    # ---- what there is -------------------------------------------------------------------------

    @property
    def game(self) -> Game[Any, Any]:
        """What is played."""
        return self.moment.game

    @property
    def setup(self) -> Setup:
        """How."""
        setup: Setup = self.moment.setup
        return setup

    @property
    def moment(self) -> Moment[Any, Any]:
        """The present."""
        if self.table is not None:
            return self.table.moment
        assert self.journal is not None
        return self.journal.moment

    @property
    def record(self) -> Record[Any, Any]:
        """All that is written down."""
        if self.table is not None:
            return Record.of(self.table)
        assert self.journal is not None
        return self.journal.record

    @property
    def seat(self) -> str | None:
        """Whose log it is; None if the truth is known."""
        return None if self.journal is None else self.journal.seat

    @property
    def events(self) -> list[Told]:
        """What has happened."""
        if self.table is not None:
            return [
                Told(step.number, step.turn, step.story, step.reason) for step in self.table.steps
            ]
        assert self.journal is not None
        return [Told(entry.number, entry.turn, entry.story) for entry in self.journal.entries]

    @property
    def minds(self) -> Sequence[str]:
        """The kinds of player, if programs play."""
        return () if self.table is None else self.table.minds

    @property
    def is_over(self) -> bool:
        """Whether nobody can play on."""
        if self.table is not None:
            return Result.of(self.table) is not None
        assert self.journal is not None
        return self.journal.position.result is not None

    @property
    def result(self) -> str:
        """How the game ended; empty while it goes on."""
        if not self.is_over:
            return ""
        if self.table is not None:
            return self.table.result
        assert self.journal is not None
        return self.journal.position.result or ""

    def at(self, events: int | None) -> Moment[Any, Any]:
        """The moment after so many events; the present, if nobody says."""
        moment = self.moment
        if events is None:
            return moment.after(moment.events)
        return moment.after(max(0, min(events, moment.events)))

    # ---- what players make of it -----------------------------------------------------------------

    def assessed(self, events: int) -> Mapping[str, Assessment]:
        """How far players had come after so many events: of a log of one seat, that player."""
        while len(self._assessed) <= events:
            self._assessed.append(self._assess(self.moment.after(len(self._assessed))))
        return self._assessed[events]

    def _assess(self, moment: Moment[Any, Any]) -> Mapping[str, Assessment]:
        """As players of the usual kind do."""
        usual = next(iter(self.game.strategies))
        publics = tuple(outcome.public for outcome in self.record.outcomes[: moment.events])
        players = self.setup.players if self.seat is None else (self.seat,)
        return {
            name: strategy(self.game, usual)(self.engine, Random(0)).assess(
                View(self.setup, moment.perspective(name), publics)
            )
            for name in players
        }

    # ---- play on -------------------------------------------------------------------------------

    def play(self, most: int) -> int:
        """Play at most `most` events, and write each to the log; returns their number.

        Raises:
            InputError: nobody plays here.
            JournalChanged: another program has changed the log meanwhile.
        """
        if self.table is None:
            raise InputError("programs do not play at this table")
        played = 0
        while played < most:
            step: Step[Any] | None = None
            if Result.of(self.table) is None:
                step = self.table.step()
            if step is None:
                break
            self._assessed.append(self.table.assess())
            lines = [event_line(step.outcome)]
            result = Result.of(self.table)
            if result is not None:
                lines.append(result_line(result))
            self.file.append(lines)
            played += 1
        return played


_OPENED: Kept[Opened] = Kept.tables(_LOGS)


def opened(path: str) -> Opened:
    """The log of that path, as it is now; raises `LogError`."""
    found = _OPENED.get(path)
    _OPENED.drop(path)  # unless it is read without an error
    if found is not None and found.journal is not None:
        found = _refreshed(found)
    elif found is not None and not found.is_fresh():
        found = None
    return _OPENED.put(path, Opened(path) if found is None else found)


def _refreshed(found: Opened) -> Opened | None:
    """A journal as its file is now; None if it must be read anew."""
    assert found.journal is not None
    if found.seat is None:
        return found if LogFile(found.path).text == found.file.text else None
    # `file` is as it was when it was first read: by now the journal may stand elsewhere.
    found.journal.refresh()
    return found


# ---- without players -----------------------------------------------------------------------------


@dataclass
class Replayed(Read):
    """A log that was replayed, without players.

    Attributes:
        text: the log.
        said: what it says.
        moment: its last moment; if an entry is impossible, the last moment before that entry.
        kept: the answers that were given.
    """

    text: str
    said: Record[Any, Any]
    moment: Moment[Any, Any]
    kept: Kept[Any] = field(default_factory=Kept)

    @property
    def record(self) -> Record[Any, Any]:
        """All that is written down."""
        return self.said


_REPLAYED: Kept[Replayed] = Kept.tables(_LOGS)


def replayed(path: str) -> Replayed:
    """The log of that path, as it is now; raises `LogError`."""
    text = LogFile(path).text
    found = _REPLAYED.get(path)
    if found is None or found.text != text:
        _REPLAYED.drop(path)  # unless it is read without an error
        found = _REPLAYED.put(path, _replayed(path, text, found))
    return found


def _replayed(path: str, text: str, before: Replayed | None) -> Replayed:
    """The log is replayed; only what is new, if it was replayed before."""
    name = Path(path).name
    record = Record.parse(text, name)
    check_shown(record)
    begun = None if before is None else (before.record, before.moment)
    try:
        moment = record.replay(name, begun=begun)
    except ImpossibleEntry as error:
        moment = record.replay(name, upto=error.number, begun=begun)
    return Replayed(text, record, replace(moment, is_journal=record.seat is not None))
