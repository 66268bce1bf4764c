"""Games as text: JSON Lines that can be replayed, queried at any turn, and continued.

    {"log":"symkripke","version":1,"game":"cluedo","setup":{...},"minds":[...],"seed":7}
    {"truth":{"location(rope)":"envelope",...}}                    the hidden deal
    {"event":{"type":"suggestion","turn":1,...},"secret":{"shown(1)":"rope"}}
    ...
    {"result":{"over":true,"winners":["plum"],"words":"plum wins"}} only after the end

Instead of the truth, a log of a real table has the hand of one player. Its events have the secrets
that this player saw:

    {"seat":{"player":"plum","holds":["rope","hall","white"]}}

A log may have the typed text of an incomplete event. The next event or text replaces it, so only
the last line matters:

    {"pending":"scarlett: green rope study"}

A log with people among the minds ("human") may have moves of people that have not led to an event
yet, such as a question that another player must answer first. The next event replaces them:

    {"move":{"player":"plum","words":"Plum asks for Green, Rope, Study."}}

Older logs have only the words of the result: {"result":"plum wins"}.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic

import msgspec

from symkripke.decoding import CutOff, from_json
from symkripke.engines import Engine
from symkripke.errors import (
    ImpossibleEntry,
    InputError,
    LogError,
    RuleError,
    check_name,
)
from symkripke.files import read_text, write_whole
from symkripke.limits import look
from symkripke.model import World
from symkripke.play.game import Game
from symkripke.play.moment import Moment
from symkripke.play.registry import game as game_of
from symkripke.play.rules import GameState, Outcome, Public, PublicT, Setup, SetupT
from symkripke.play.session.course import Course, Seat, as_seen
from symkripke.play.strategies import HUMAN, strategy

FORMAT = "symkripke"
VERSION = 1


class PendingMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person's move that has not led to an event yet, as a sentence."""

    player: str
    words: str


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The result of a game.

    Attributes:
        over: whether the game ended under the rules; otherwise, it was given up. None: not recorded
            in an older log.
        winners: the winners. None: not recorded in an older log.
        words: the result in words.
    """

    over: bool | None
    winners: tuple[str, ...] | None
    words: str

    @classmethod
    def at(cls, state: GameState[Any], turns: int) -> Result | None:
        """Return the result of a game abandoned after `turns` turns; None if it can continue."""
        over = state.decision is None
        if not over and state.turn <= turns:
            return None
        words = state.result or f"{_GIVEN_UP}{turns} turns"
        return cls(over=over, winners=state.winners, words=words)

    def check(self, state: GameState[Any]) -> None:
        """Raise `RuleError` if the rules give a different result.

        Words are not compared, so that they can be improved. For older logs, only check that the
        words of an unfinished game say that it was given up.
        """
        over = state.result is not None
        if self.over is None:
            if not over and not self.words.startswith(_GIVEN_UP):
                raise RuleError(f"expected 'the game continues', got {self.words!r}")
        elif self.over != over:
            now = "is over" if over else "continues"
            said = "is over" if self.over else "was given up"
            raise RuleError(
                f"according to the rules, the game {now}, but the log says that it {said}"
            )
        elif self.winners != state.winners:
            raise RuleError(
                f"expected winners {_listed(state.winners)}, got {_listed(self.winners)}"
            )


# The beginning of the words for a game that was given up, which identifies it in older logs.
_GIVEN_UP = "given up after "


def _listed(names: Sequence[str] | None) -> str:
    return ", ".join(names or ()) or "none"


class _Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    log: str
    version: int
    game: str
    setup: msgspec.Raw
    minds: tuple[str, ...] = ()
    seed: int | None = None


# The keys of lines that are not events. Each may occur once in a log.
_APART = ("truth", "seat", "result")

# The keys of lines about the next event.
_NEXT = ("pending", "move")


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    truth: dict[str, str] | None = None
    seat: Seat | None = None
    event: msgspec.Raw = msgspec.Raw()
    secret: dict[str, str] = msgspec.field(default_factory=dict)
    result: Result | str | None = None
    pending: str | None = None
    move: PendingMove | None = None


@dataclass(frozen=True, eq=False)
class Record(Generic[SetupT, PublicT]):
    """A recorded game whose form has been checked.

    Attributes:
        game: the game.
        setup: the setup of the game.
        minds: the kinds of player, if known.
        seed: the seed, if there is one.
        truth: the deal; None if it is unknown.
        seat: the owner of the log, if the truth is unknown.
        outcomes: the events, without unknown secrets.
        result: the result of the game; None if the game can continue.
        pending: the text of an incomplete event; empty if there is none.
        moves: the moves of people since the last event.
    """

    game: Game[SetupT, PublicT]
    setup: SetupT
    outcomes: tuple[Outcome[PublicT], ...] = ()
    minds: tuple[str, ...] = ()
    seed: int | None = None
    truth: World | None = None
    seat: Seat | None = None
    result: Result | None = None
    pending: str = ""
    moves: tuple[PendingMove, ...] = ()
    _lines: tuple[int, ...] = field(default=(), repr=False)

    # ---- read --------------------------------------------------------------------------

    @classmethod
    def read(cls, path: Path | str) -> Record[Any, Any]:
        """Read a log and check its form; `replay` checks its content.

        Raises:
            LogError: the file cannot be read, or is not a log of this version. The message names
                the line.
        """
        return cls.parse(read_text(path, LogError), str(path))

    @classmethod
    def parse(cls, text: str, name: str = "log") -> Record[Any, Any]:
        """Return the record in the lines of `text`; error messages call it `name`."""
        lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
        if not lines:
            raise LogError(f"{name} is empty: expected a log, which begins with a header line")
        game, header, setup = _header(name, *lines[0])
        parts: dict[str, Any] = {}
        outcomes: list[Outcome[Any]] = []
        numbers: list[int] = []
        pending = ""
        moves: list[PendingMove] = []
        for number, line in lines[1:]:
            look()
            where = f"{name}, line {number}"
            try:
                read = from_json(line, _Line, where, unique=True)
            except CutOff:
                if number < lines[-1][0] or text.endswith("\n"):
                    raise
                raise LogError(
                    f"{where}: the last line is cut off; without it the log can be read"
                ) from None
            if bytes(read.event):
                if "result" in parts:
                    raise LogError(f"{where}: an event after the end of the game")
                if any(getattr(read, key) is not None for key in (*_APART, *_NEXT)):
                    raise LogError(f"{where}: expected only an event on this line, got more")
                pending, moves = "", []
                public = from_json(bytes(read.event), game.public_type, where)
                outcomes.append(Outcome(public, dict(read.secret)))
                numbers.append(number)
                continue
            fields_of_header = {
                key: getattr(read, key)
                for key in (*_APART, *_NEXT)
                if getattr(read, key) is not None
            }
            if fields_of_header.keys() == {"pending"} and not read.secret and "result" not in parts:
                pending = fields_of_header["pending"]
                continue
            if fields_of_header.keys() == {"move"} and not read.secret and "result" not in parts:
                moves.append(fields_of_header["move"])
                continue
            if (
                len(fields_of_header) != 1
                or read.secret
                or not fields_of_header.keys() <= {*_APART}
            ):
                raise LogError(f"{where}: expected an event, a truth, a seat or a result")
            for key in fields_of_header:
                if key in parts:
                    raise LogError(f"{where}: a second {key}")
                if key != "result" and outcomes:
                    raise LogError(f"{where}: the {key} must stand before the first event")
            parts.update(fields_of_header)
        if "truth" not in parts and "seat" not in parts:
            raise LogError(
                f"{name}: expected a line with the truth, or with a seat (what one player "
                "holds), after the header"
            )
        if "truth" in parts and "seat" in parts:
            raise LogError(f"{name}: expected a truth or a seat, got both")
        if isinstance(words := parts.get("result"), str):
            parts["result"] = Result(over=None, winners=None, words=words)
        return Record(
            game,
            setup,
            tuple(outcomes),
            header.minds,
            header.seed,
            pending=pending,
            moves=tuple(moves),
            _lines=tuple(numbers),
            **parts,
        )

    # ---- replay ------------------------------------------------------------------------

    def replay(
        self, name: str = "log", answering: Engine | None = None, upto: int | None = None
    ) -> Moment[SetupT, PublicT]:
        """Replay the log, checking every event against the rules and the knowledge of the cards.

        Args:
            name: the name of the log in errors.
            answering: the engine that answers; None for the default engine.
            upto: the number of events to replay; None to replay all and check the result.

        Returns:
            The last moment, from which `at(turn)` goes back.

        Raises:
            ImpossibleEntry: an event is impossible; the error has its number, line and problem.
            LogError: the truth, the seat or the result is impossible.
        """
        course = self.begun(answering or self.game.engine(), name)
        for number, outcome in enumerate(self.outcomes[:upto]):
            try:
                course.append(outcome)
            except InputError as error:
                raise ImpossibleEntry(self.place(number, name), str(error), number) from error
        if self.result is not None and upto is None:
            try:
                self.result.check(course.positions[-1])
            except RuleError as error:
                raise LogError(f"{name}, the result: {error}") from error
        return course.moment()

    def goes_on(self, before: Record[Any, Any], events: int) -> bool:
        """Return whether this record continues another record after its first `events` events."""
        same = ("game", "setup", "minds", "seed", "truth", "seat")
        return (
            all(getattr(self, name) == getattr(before, name) for name in same)
            and len(self.outcomes) >= events
            and self.outcomes[:events] == before.outcomes[:events]
        )

    def begun(self, engine: Engine, name: str = "log") -> Course[SetupT, PublicT]:
        """Return the course at the beginning of the game; see `Course.of`."""
        return Course.of(self.game, self.setup, engine, truth=self.truth, seat=self.seat, name=name)

    def place(self, number: int, name: str = "log") -> str:
        """Return the location of the event with this number (from 0), for errors.

        Raises:
            InputError: the number is below 0.
        """
        if number < 0:
            raise InputError(f"expected the number of an event, from 0, got {number}")
        line = self._lines[number] if number < len(self._lines) else None
        return f"{name}, line {line}" if line else f"{name}, event {number + 1}"

    def seen_by(self, player: str) -> Record[SetupT, PublicT]:
        """Return the log that this player would have written, with the secrets that they saw.

        Raises:
            UnknownName: there is no such player.
            InputError: this record has no truth, so the player's observations are unknown.
            LogError: the record is impossible.
        """
        check_name("player", player, self.setup.players)
        if self.truth is None:
            raise InputError("a log of one seat does not say what other players saw")
        held = self.game.dealt(self.setup, self.truth, player)
        outcomes = [
            as_seen(self.game, self.setup, outcome, after, player)
            for outcome, after in zip(self.outcomes, self.replay().states[1:], strict=True)
        ]
        return replace(
            self, outcomes=tuple(outcomes), truth=None, seat=Seat(player, held), moves=(), _lines=()
        )

    # ---- write -------------------------------------------------------------------------

    def lines(self) -> Iterable[str]:
        """Yield the lines of the log, without newlines."""
        header = {
            "log": FORMAT,
            "version": VERSION,
            "game": self.game.name,
            "setup": self.setup,
            "minds": self.minds,
            "seed": self.seed,
        }
        yield _encode(header)
        yield _encode({"truth": self.truth} if self.seat is None else {"seat": self.seat})
        for outcome in self.outcomes:
            yield event_line(outcome)
        if self.pending:
            yield pending_line(self.pending)
        for pending in self.moves:
            yield move_line(pending)
        if self.result is not None:
            yield result_line(self.result)

    def write(self, path: Path | str) -> None:
        """Write the log, completely or not at all. Raise `LogError` if this fails."""
        write_whole(path, "".join(line + "\n" for line in self.lines()))


def event_line(outcome: Outcome[Any]) -> str:
    """Return the line of an event, without a newline."""
    line: dict[str, Any] = {"event": outcome.public}
    if outcome.secret:
        line["secret"] = dict(outcome.secret)
    return _encode(line)


def story_of(
    game: Game[SetupT, PublicT], setup: SetupT, outcome: Outcome[PublicT], viewer: str | None
) -> str:
    """Return an event as a sentence, or as its line in a log if it has no sentence."""
    try:
        return game.story(setup, outcome, viewer)
    except (InputError, LookupError, AssertionError):
        return msgspec.json.encode(outcome.public).decode()


def result_line(result: Result) -> str:
    """Return the line with the result of a game, without a newline."""
    return _encode({"result": result.words if result.over is None else result})


def pending_line(text: str) -> str:
    """Return the line of an incomplete event; an empty text discards the event."""
    return _encode({"pending": text})


def move_line(pending: PendingMove) -> str:
    """Return the line of a person's move that has not led to an event yet."""
    return _encode({"move": pending})


def _header(name: str, number: int, line: str) -> tuple[Game[Any, Any], _Header, Setup]:
    where = f"{name}, line {number}"
    start = from_json(line, dict[str, Any], where, unique=True)
    if start.get("log") != FORMAT:
        raise LogError(f'{where}: expected a header with "log":"{FORMAT}"')
    if "version" not in start:
        raise LogError(f'{where}: the version of the log format is missing ("version":{VERSION})')
    if start["version"] != VERSION:
        raise LogError(
            f"{where}: expected version {VERSION} of the log format, got {start['version']!r}"
        )
    header = from_json(line, _Header, where)
    try:
        game = game_of(header.game)
        setup = from_json(bytes(header.setup), game.setup_type, where)
        game.check(setup)
        for mind in header.minds:
            if mind != HUMAN:
                strategy(game, mind)
        if header.minds and len(header.minds) != len(setup.players):
            raise RuleError(f"expected {len(setup.players)} minds, got {len(header.minds)}")
        if header.minds:
            game.check_strategies(setup, header.minds)
    except LogError:
        raise
    except InputError as error:
        raise LogError(f"{where}: {error}") from error
    return game, header, setup


def _encode(value: Mapping[str, Any] | Sequence[Any] | Public) -> str:
    return msgspec.json.encode(value).decode()
