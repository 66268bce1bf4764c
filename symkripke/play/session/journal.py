"""The log of a game in progress, which can be extended, undone and edited.

A journal is a log file with a cursor. Each entry is an event. The newest entry may be incomplete
(`Journal.pending`). Every entry is on disk before a method returns. An impossible entry is refused,
and changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic

from symkripke.engines import Engine, Mark
from symkripke.errors import (
    ImpossibleEntry,
    ImpossibleEvent,
    InputError,
    JournalChanged,
    PhraseError,
    RuleError,
    Unsupported,
)
from symkripke.files import check_writable
from symkripke.language import TRUE, Formula
from symkripke.model import EpistemicState, World
from symkripke.play.acts import (
    Completion,
    Pending,
    Situation,
    Understood,
    completions,
    read,
)
from symkripke.play.game import Game
from symkripke.play.moment import Moment
from symkripke.play.news import News, news
from symkripke.play.rules import CARDS, RULES, GameState, Outcome, PublicT, SetupT
from symkripke.play.session.course import Course, Seat
from symkripke.play.session.entry import TableEvent
from symkripke.play.session.log_file import LogFile
from symkripke.play.session.record import Record, event_line, pending_line, story_of

if TYPE_CHECKING:
    from symkripke.play.diagnosis import Diagnosis, Tell


@dataclass(frozen=True)
class Entered(Generic[PublicT]):
    """The result of entering a text.

    Attributes:
        entries: the new entries, including events that follow without input.
        pending: the incomplete event; None if all events are complete.
    """

    entries: tuple[TableEvent[PublicT], ...]
    pending: Pending | None


class Contradiction(InputError):
    """The error for an entry that contradicts the entries before it. Nothing was changed.

    Attributes:
        story: the entry as a sentence.
        problem: the problem, in one line.
        forbidden_by: "rules" (of the game), or "cards" (the knowledge of the cards).
        record: the log that would result, up to the refused entry.
        number: the number of the refused entry, from 1.
    """

    def __init__(
        self, story: str, problem: str, forbidden_by: str, record: Record[Any, Any], number: int
    ) -> None:
        """Create the error from the entry and the problem."""
        super().__init__(f"{story}\n  this is impossible: {problem}")
        self.story = story
        self.problem = problem
        self.forbidden_by = forbidden_by
        self.record = record
        self.number = number

    @property
    def forbids(self) -> str:
        """The reason why the entry is impossible, as a sentence."""
        if self.forbidden_by == RULES:
            return f"The rules of the game forbid it: {self.problem.strip()}"
        return "The cards cannot be dealt like this."

    def diagnose(self, tell: Tell | None = None) -> Diagnosis:
        """Return the clash with the entry, and the possible places of the mistake.

        The search starts with this call, and may take seconds. For `tell`, see
        `symkripke.play.diagnosis.diagnose`.
        """
        from symkripke.play.diagnosis import diagnose

        diagnosis = diagnose(self.record, tell=tell)
        assert diagnosis is not None
        return diagnosis

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (self.story, self.problem, self.forbidden_by, self.record, self.number)
        return Contradiction, fields


class Journal(Generic[SetupT, PublicT]):
    """A log file with a cursor; see the module's docstring.

    Attributes:
        game: the game.
        setup: the setup.
        engine: the engine that answers.
        fault: the first impossible entry of an opened log. Questions refer to the entries before
            it, and it must be corrected before new entries are added. None: all entries are
            possible.
    """

    # ---- begin and open ----------------------------------------------------------------------

    def __init__(
        self, file: LogFile, record: Record[SetupT, PublicT], answering: Engine | None = None
    ) -> None:
        """Create the journal of a file with this record. Use `begin` or `open`."""
        self.game = record.game
        self.setup = record.setup
        self.engine = answering or self.game.engine()
        self.fault: ImpossibleEntry | None = None
        self._entries: tuple[TableEvent[PublicT], ...] = ()
        self._marked: tuple[EpistemicState | None, Mapping[Formula, Mark]] = None, {}
        self._file = file
        self._start = replace(record, outcomes=(), result=None, pending="", moves=(), _lines=())
        self._load(record)

    @classmethod
    def begin(
        cls,
        path: Path | str,
        game: Game[SetupT, PublicT],
        setup: SetupT,
        *,
        seat: Seat | None = None,
        truth: World | None = None,
        replace: bool = False,
    ) -> Journal[SetupT, PublicT]:
        """Create a new log.

        Args:
            path: the file.
            game: the game.
            setup: the setup.
            seat: the owner of the log, with the cards dealt to that player.
            truth: the deal, if it is known, instead of a seat.
            replace: whether a file of that name may be replaced.

        Raises:
            InputError: not exactly one of seat and truth is given, or no deal contains this hand.
            LogError: the file cannot be written.
        """
        if (seat is None) == (truth is None):
            raise InputError("expected a seat or a truth: exactly one of them")
        check_writable(path, replace=replace)
        written = Record(game, setup, seat=seat, truth=truth)
        # Write only a log that can be read again and is possible.
        record = Record.parse("\n".join(written.lines()), str(path))
        moment = record.replay(str(path))
        if moment.engine.witness(moment.state, TRUE) is None:
            raise InputError("no deal contains this hand")
        return cls(LogFile.create(path, record.lines()), record, moment.engine)

    @classmethod
    def open(cls, path: Path | str, answering: Engine | None = None) -> Journal[Any, Any]:
        """Open an existing log, which may have an impossible entry (see `fault`).

        Raises:
            LogError: the file cannot be read, or is not a log.
        """
        file = LogFile(path)
        return cls(file, Record.parse(file.text, str(path)), answering)

    def _load(self, record: Record[SetupT, PublicT]) -> None:
        """Load the entries of a record up to the first impossible entry."""
        self._result = record.result
        self._pending = record.pending
        self._moves = record.moves
        self._beyond: tuple[Outcome[PublicT], ...] = ()
        self.fault = None
        self._course = self._start.begun(self.engine, self.path.name)
        for number, outcome in enumerate(record.outcomes):
            try:
                self._push(self._course, outcome)
            except Contradiction as error:
                self.fault = ImpossibleEntry(
                    record.place(number, self.path.name), error.problem, number
                )
                self._beyond = record.outcomes[number:]
                break

    # ---- content -------------------------------------------------------------------------------

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    @property
    def note(self) -> str:
        """The damage detected when the file was opened, in words; empty if there was none."""
        return self._file.note

    @property
    def seat(self) -> str | None:
        """The owner of the log; None if the truth is known."""
        return None if self._start.seat is None else self._start.seat.player

    @property
    def entries(self) -> tuple[TableEvent[PublicT], ...]:
        """All entries, including an impossible entry and its successors."""
        every = (*self._course.outcomes, *self._beyond)
        # Most entries have not changed since the last call, and describing all of them is slow.
        known = self._entries
        self._entries = tuple(
            known[number - 1]
            if number <= len(known) and known[number - 1].outcome is outcome
            else self._entry(number, outcome)
            for number, outcome in enumerate(every, 1)
        )
        return self._entries

    def _entry(self, number: int, outcome: Outcome[PublicT]) -> TableEvent[PublicT]:
        tell = partial(story_of, self.game, self.setup, viewer=self.seat)
        return TableEvent(number, outcome, tell)

    @property
    def position(self) -> GameState[PublicT]:
        """The current position under the rules."""
        return self._course.positions[-1]

    @property
    def moment(self) -> Moment[SetupT, PublicT]:
        """The current moment, for questions; `moment.at(turn=3)` goes back."""
        return self._course.moment(is_journal=True)

    @property
    def record(self) -> Record[SetupT, PublicT]:
        """All entries as a record, including an impossible entry and its successors."""
        made = self._recorded((*self._course.outcomes, *self._beyond), self._pending)
        return replace(made, moves=self._moves)

    def _recorded(
        self, outcomes: Sequence[Outcome[PublicT]], pending: str = ""
    ) -> Record[SetupT, PublicT]:
        return replace(self._start, outcomes=tuple(outcomes), result=self._result, pending=pending)

    @property
    def situation(self) -> Situation[SetupT]:
        """The situation of the next event."""
        return self._situation(self._course)

    def _situation(self, course: Course[SetupT, PublicT]) -> Situation[SetupT]:
        return Situation(self.setup, course.positions[-1], self.seat, course.states[-1])

    @property
    def pending(self) -> Pending | None:
        """The incomplete event; None if there is none."""
        return self.asked if self._pending else None

    @property
    def asked(self) -> Pending | None:
        """The next question, with any input for the event so far; None after the end.

        Raises:
            Unsupported: the game's events cannot be typed.
        """
        if self.position.result is not None:
            return None
        reading = self._read(self._course, self._pending)
        return reading if isinstance(reading, Pending) else None

    @property
    def takes_several(self) -> bool:
        """True if the next question accepts several answers at once."""
        asked = self.asked
        return asked is not None and self._takes_several(self._course, self._pending, asked)

    def completions(self, text: str) -> tuple[Completion, ...]:
        """Return the completions of a typed text, with indices into `text`."""
        before = f"{self._pending}\n" if self._pending else ""
        completed = completions(self.game.acts, self.situation, before + text)
        return tuple(
            Completion(way.start - len(before), way.text)
            for way in completed
            if way.start >= len(before)
        )

    # ---- changes -------------------------------------------------------------------------------

    def append(self, outcome: Outcome[PublicT]) -> TableEvent[PublicT]:
        """Append an event, and discard an incomplete event.

        Raises:
            Contradiction: the event is impossible here.
            JournalChanged: another program has changed the log, which is now read again.
            LogError: the log cannot be written.
        """
        course = self._whole()
        self._push(course, outcome)
        self._written(course, "", added=1)
        return self._entry(len(course.outcomes), outcome)

    def enter(self, text: str) -> Entered[PublicT]:
        """Append the events of a text; the last event may be incomplete.

        Events are separated by new lines or by two semicolons. Either all events are appended, or
        none. The text continues an incomplete event (`pending`).

        Raises:
            PhraseError: the text is not understood; the error has the index of the problem.
            Contradiction: an event is impossible here.
            Unsupported: the game's events cannot be typed.
            JournalChanged: another program has changed the log, which is now read again.
            LogError: the log cannot be written.
        """
        before = len(self._course.outcomes)
        course, pending = self._entered(text)
        if len(course.outcomes) > before or pending != self._pending:
            self._written(course, pending, added=len(course.outcomes) - before)
        new = course.outcomes[before:]
        entries = tuple(self._entry(before + number, event) for number, event in enumerate(new, 1))
        return Entered(entries, self.pending)

    def check(self, text: str, number: int | None = None) -> None:
        """Raise the errors of `enter`, or of `edit` if a number is given, without any change."""
        if number is None:
            self._entered(text)
        else:
            self._edited(number, text)

    def _entered(self, text: str) -> tuple[Course[SetupT, PublicT], str]:
        """Return the course with the events of a text, and the text of an incomplete event."""
        course = self._whole()
        self._fill(course)
        pending = self._told(course, f"{self._pending}\n{text}" if self._pending else text)
        if not pending:
            self._fill(course)
        return course, pending

    def undo(self) -> str:
        """Undo the last input: the last line of an incomplete event, or else the last entry.

        Events that follow without input are removed with the entry before them.

        Returns:
            The removed entry, in words.

        Raises:
            InputError: there is nothing to undo.
            JournalChanged: another program has changed the log, which is now read again.
            LogError: the log cannot be written.
        """
        if self._pending:
            before, _, taken = self._pending.rpartition("\n")
            self._rewritten(self._course, self._beyond, before)
            return taken
        if self._beyond:
            taken = self._entry(0, self._beyond[-1]).story
            self._rewritten(self._course, self._beyond[:-1], "")
            return taken
        if not self._course.outcomes:
            raise InputError("there is no entry to undo")
        course = self._course.after(len(self._course.outcomes) - 1)
        last = self._course.outcomes[-1]
        while course.outcomes and self._follows(course):
            last = course.outcomes[-1]
            course = course.after(len(course.outcomes) - 1)
        self._rewritten(course, (), "")
        return self._entry(0, last).story

    def edit(self, number: int, text: str) -> tuple[TableEvent[PublicT], ...]:
        """Replace an entry by the events of a text, and keep later entries.

        Later entries are read again in their new positions, so their turns and other derived parts
        may change. An empty text removes the entry.

        Returns:
            The new entries, and the later entries whose events have changed.

        Raises:
            InputError: there is no such entry, or a later entry, which the message names, no longer
                fits.
            PhraseError: the text is not understood; the error has the index of the problem.
            Contradiction: the event or a later event is impossible.
            JournalChanged: another program has changed the log, which is now read again.
            LogError: the log cannot be written.
        """
        every = (*self._course.outcomes, *self._beyond)
        course, new = self._edited(number, text)
        moved = len(new) - 1
        old = dict(enumerate(every, 1))
        self._rewritten(course, (), self._pending)
        return tuple(
            entry
            for entry in self.entries
            if entry.number in new
            or (entry.number > number and old.get(entry.number - moved) != entry.outcome)
        )

    def _edited(self, number: int, text: str) -> tuple[Course[SetupT, PublicT], range]:
        """Return the course with an entry replaced, and the numbers of the new entries."""
        every = (*self._course.outcomes, *self._beyond)
        if not 1 <= number <= len(every):
            there = f"1 to {len(every)}" if every else "none: there are no entries"
            raise InputError(f"expected the number of an entry ({there}), got {number}")
        if number - 1 > len(self._course.outcomes):
            assert self.fault is not None
            raise InputError(f"an earlier entry is impossible: {self.fault}")
        course = self._course.after(number - 1)
        pending = self._told(course, text) if text.strip() else ""
        if pending:
            reading = self._read(course, pending)
            assert isinstance(reading, Pending)
            raise PhraseError(f"this entry is incomplete: {reading.ask}", text, len(text))
        new = range(number, len(course.outcomes) + 1)
        for place, outcome in enumerate(every[number:], number + 1):
            self._again(course, place, outcome)
        self._fill(course)
        if self._pending:
            self._read(course, self._pending)
        return course, new

    def refresh(self) -> None:
        """Read the file again if another program has changed it.

        Raise `LogError` if it cannot be read.
        """
        if self._file.is_changed:
            self._file = LogFile(self.path)
            self._load(Record.parse(self._file.text, self.path.name))

    def diagnose(self, tell: Tell | None = None) -> Diagnosis | None:
        """Return the diagnosis of a log with a `fault`; None without a fault.

        For `tell`, see `symkripke.play.diagnosis.diagnose`.
        """
        from symkripke.play.diagnosis import diagnose

        if self.fault is None:
            return None
        return diagnose(self.record, self.path.name, tell=tell)

    # ---- news ----------------------------------------------------------------------------------

    def news(self, entries: int = 1) -> News:
        """Return the news of the seat from the last entries.

        Raises:
            InputError: the log is not the log of a seat, or has fewer entries.
        """
        if self.seat is None:
            raise InputError(
                "this log shows everything and belongs to no single player: it has no news"
            )
        states = self._course.states
        asked, then = self._marked
        is_known = entries < len(states) and asked is states[-1 - entries]
        learned = news(self.moment, self.seat, entries, then if is_known else None)
        self._marked = states[-1], learned.marks
        return learned

    # ---- helpers ---------------------------------------------------------------------------------

    def _whole(self) -> Course[SetupT, PublicT]:
        """Return a copy of the course to extend. Raise `InputError` if an entry is impossible."""
        if self.fault is not None:
            raise InputError(f"an entry is impossible, correct it first: {self.fault}")
        return self._course.after(len(self._course.outcomes))

    def _read(self, course: Course[SetupT, PublicT], text: str) -> Understood | Pending:
        if not self.game.acts:
            raise Unsupported(
                f"events of {self.game.title} cannot be typed: it has no acts for them"
            )
        return read(self.game.acts, self._situation(course), text)

    def _told(self, course: Course[SetupT, PublicT], text: str) -> str:
        """Append the events of a text to the course, and return the text of an incomplete event."""
        first = True
        while text.strip(" \t\n;"):
            if not first:
                self._fill(course)
            reading = self._read(course, text)
            if isinstance(reading, Pending):
                if reading.said:
                    self._check_rest(course, text.strip(), reading)
                return text.strip()
            self._push(course, reading.outcome)
            text, first = text[reading.end :], False
        return ""

    def _check_rest(self, course: Course[SetupT, PublicT], text: str, asked: Pending) -> None:
        """Raise `Contradiction` if a text can only continue to impossible events.

        Only answers to the next question are tried, and none if more answers can follow them.
        """
        if self._takes_several(course, text, asked):
            return
        refused = None
        for choice in asked.choices:
            try:
                reading = self._read(course, f"{text}\n{choice.title}")
                if isinstance(reading, Pending):
                    return
                self._push(course.after(len(course.outcomes)), reading.outcome)
            except PhraseError:
                continue
            except Contradiction as error:
                refused = error
            else:
                return
        if refused is not None:
            raise refused

    def _takes_several(self, course: Course[SetupT, PublicT], text: str, asked: Pending) -> bool:
        """Return whether the question after a text accepts two answers at once."""
        if len(asked.choices) < 3:
            return False

        def read_with(answer: str) -> Understood | Pending | None:
            with suppress(PhraseError):
                return self._read(course, f"{text}\n{answer}".lstrip())
            return None

        first, second = asked.choices[0].word, asked.choices[2].word
        alone, both = read_with(first), read_with(f"{first}, {second}")
        if isinstance(alone, Pending) and isinstance(both, Pending):
            return alone.ask == both.ask and alone.ask != asked.ask
        return isinstance(alone, Understood) and isinstance(both, Understood)

    def _fill(self, course: Course[SetupT, PublicT]) -> None:
        """Append the events that follow without input."""
        while (outcome := self._follows(course)) is not None:
            self._push(course, outcome)

    def _follows(self, course: Course[SetupT, PublicT]) -> Outcome[PublicT] | None:
        """Return the next event, if it has no parts to fill in."""
        if course.positions[-1].result is not None or not self.game.acts:
            return None
        reading = self._read(course, "")
        return reading.outcome if isinstance(reading, Understood) else None

    def _push(self, course: Course[SetupT, PublicT], outcome: Outcome[PublicT]) -> None:
        """Append an event. Raise `Contradiction` and change nothing if it is impossible."""
        try:
            course.append(outcome)
        except InputError as error:
            forbidden_by = CARDS if isinstance(error, ImpossibleEvent) else RULES
            problem = error.problem if isinstance(error, ImpossibleEvent) else str(error)
            number = len(course.outcomes) + 1
            raise Contradiction(
                self._entry(number, outcome).story,
                problem,
                forbidden_by,
                self._recorded((*course.outcomes, outcome)),
                number,
            ) from error

    def _again(
        self, course: Course[SetupT, PublicT], number: int, outcome: Outcome[PublicT]
    ) -> None:
        """Append an old entry in its new position."""
        if course.positions[-1] != self._before(number):
            with suppress(RuleError):  # reading reports why the event is impossible here
                outcome = self.game.rebased(course.positions[-1], outcome)
            story = self._entry(number, outcome).story
            try:
                reading = self._read(course, story)
            except PhraseError as error:
                raise InputError(
                    f"entry {number} no longer fits: {story}\n  {error.problem}"
                ) from error
            if isinstance(reading, Pending):
                raise InputError(f"entry {number} no longer fits: {story}\n  {reading.ask}")
            outcome = reading.outcome
        self._push(course, outcome)

    def _before(self, number: int) -> GameState[PublicT] | None:
        """Return the position before an entry; None after an impossible entry."""
        positions = self._course.positions
        return positions[number - 1] if number <= len(positions) else None

    # ---- on disk -----------------------------------------------------------------------------

    def _written(self, course: Course[SetupT, PublicT], pending: str, added: int) -> None:
        """Write the last events of a course and its incomplete event, and adopt the course."""
        lines = [event_line(outcome) for outcome in course.outcomes[len(course.outcomes) - added :]]
        if pending or (self._pending and not lines):
            lines.append(pending_line(pending))
        if self._result is not None:
            self._rewritten(course, (), pending)
            return

        def then() -> None:
            self._course, self._pending, self._moves = course, pending, ()

        try:
            self._file.append(lines, then)
        except JournalChanged:
            self.refresh()
            raise

    def _rewritten(
        self,
        course: Course[SetupT, PublicT],
        beyond: tuple[Outcome[PublicT], ...],
        pending: str,
    ) -> None:
        """Rewrite the whole file, and adopt the course."""
        self._result = None
        record = self._recorded((*course.outcomes, *beyond), pending)
        try:
            self._file.replace(record.lines())
        except JournalChanged:
            self.refresh()
            raise
        self._course, self._beyond, self._pending = course, beyond, pending
        self._moves = ()
        if not beyond:
            self.fault = None


def read_hand(
    game: Game[SetupT, PublicT], setup: SetupT, player: str, text: str
) -> tuple[str, ...] | Pending:
    """Return the cards of a player's hand from a text, or the missing part of the hand.

    Raises:
        PhraseError: the text is not understood; the error has the index of the problem.
        Unsupported: the game does not define an act for hands.
    """
    if game.hand_act is None:
        raise Unsupported(f"hands of {game.title} cannot be typed: it has no act for them")
    reading = read([game.hand_act], Situation(setup, None, player), text)
    return reading if isinstance(reading, Pending) else tuple(reading.outcome)
