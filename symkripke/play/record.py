"""Games as text: JSON Lines that can be replayed, asked at any turn, and played on.

    {"log":"symkripke","version":1,"game":"cluedo","setup":{...},"minds":[...],"seed":7}
    {"truth":{"location(rope)":"envelope",...}}                    the hidden deal, apart
    {"event":{"type":"suggestion","turn":1,...},"secret":{"shown(1)":"rope"}}
    ...
    {"result":{"over":true,"winners":["plum"],"words":"plum wins"}} only if nobody plays on

A log of a real table has, instead of the truth, what one player holds; its events have the
secrets that this player saw:

    {"seat":{"player":"plum","holds":["rope","hall","white"]}}

A log may have a part of an event, as it was typed. The next event or part replaces it, so it counts
only as the last line:

    {"pending":"scarlett: green rope study"}

In a log with persons among the minds ("human"), a move of a person that has not led to an event
yet, as a question that somebody else must answer first. The next event takes its place:

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
from symkripke.engines import Engine, engine
from symkripke.errors import (
    ImpossibleEntry,
    ImpossibleEvent,
    InputError,
    LogError,
    RuleError,
    check_name,
)
from symkripke.files import read_text, write_whole
from symkripke.language import TRUE, Atom
from symkripke.limits import look
from symkripke.model import Event, KnowledgeStructure, Perspective, Scene, State, World, evaluate
from symkripke.play.game import Game
from symkripke.play.moment import Moment
from symkripke.play.registry import game as game_of
from symkripke.play.rules import Outcome, Public, PublicT, Setup, SetupT
from symkripke.play.rules import State as RulesState
from symkripke.play.strategies import HUMAN, strategy
from symkripke.play.table import Table

FORMAT = "symkripke"
VERSION = 1


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The seat of a log without the truth: its player, and what that player was dealt."""

    player: str
    holds: tuple[str, ...]


class Made(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move of a person that has not led to an event yet, as a sentence."""

    player: str
    words: str


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a game ended.

    Attributes:
        over: whether it ended by the rules; otherwise it was given up. None: an older log does not
            say so.
        winners: who won. None: an older log does not say so.
        words: the same in words, for people.
    """

    over: bool | None
    winners: tuple[str, ...] | None
    words: str

    @classmethod
    def of(cls, table: Table[Any, Any]) -> Result | None:
        """How the game at a table ended; None if it can be played on."""
        return cls.at(table.state, table.turns, table.result)

    @classmethod
    def at(cls, state: RulesState[Any], turns: int, words: str) -> Result | None:
        """How a game ended that is given up after so many turns; None if it can be played on."""
        over = state.decision is None
        if not over and state.turn <= turns:
            return None
        return cls(over=over, winners=state.winners, words=words)

    def check(self, state: RulesState[Any]) -> None:
        """Raises `RuleError` if the rules give another result than this one.

        Words are not compared, so that they can be improved. For older logs, it is only checked
        whether the words say that the game was given up.
        """
        over = state.result is not None
        if self.over is None:
            if not over and not self.words.startswith(_GIVEN_UP):
                raise RuleError(f"expected 'the game goes on', got {self.words!r}")
        elif self.over != over:
            now = "is over" if over else "goes on"
            said = "is over" if self.over else "was given up"
            raise RuleError(f"by the rules the game {now}, the log says that it {said}")
        elif self.winners != state.winners:
            raise RuleError(
                f"expected winners {_listed(state.winners)}, got {_listed(self.winners)}"
            )


# The words of older logs for a game that was given up.
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


# The keys of lines that are no events; each may occur once in a log.
_APART = ("truth", "seat", "result")

# What a line may tell of the next event.
_NEXT = ("pending", "move")


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    truth: dict[str, str] | None = None
    seat: Seat | None = None
    event: msgspec.Raw = msgspec.Raw()
    secret: dict[str, str] = msgspec.field(default_factory=dict)
    result: Result | str | None = None
    pending: str | None = None
    move: Made | None = None


@dataclass(frozen=True, eq=False)
class Record(Generic[SetupT, PublicT]):
    """A game as it was written down, checked.

    Attributes:
        game: the game.
        setup: its setup.
        minds: the kinds of player, if known.
        seed: the seed, if there was one.
        truth: the deal; None if it is not known.
        seat: the player whose log it is, if the truth is not known.
        outcomes: the events. Unknown secrets are left out.
        result: how the game ended; None if it can be continued.
        pending: the text of an incomplete event; empty if there is none.
        moves: the moves of persons since the last event.
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
    moves: tuple[Made, ...] = ()
    _lines: tuple[int, ...] = field(default=(), repr=False)

    # ---- make it -----------------------------------------------------------------------

    @classmethod
    def of(cls, table: Table[SetupT, PublicT]) -> Record[SetupT, PublicT]:
        """The record of a table so far."""
        return cls(
            table.game,
            table.setup,
            tuple(step.outcome for step in table.steps),
            table.minds,
            table.seed,
            dict(table.deal),
            result=Result.of(table),
        )

    @classmethod
    def read(cls, path: Path | str) -> Record[Any, Any]:
        """Read a log and check its form; `replay` checks what it tells.

        Raises:
            LogError: the file cannot be read, or is no log of this version; names the line.
        """
        return cls.parse(read_text(path, LogError), str(path))

    @classmethod
    def parse(cls, text: str, name: str = "log") -> Record[Any, Any]:
        """The record that the lines of `text` tell; `name` stands for it in errors."""
        lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
        if not lines:
            raise LogError(f"{name} is empty: expected a log, which begins with a header line")
        game, header, setup = _header(name, *lines[0])
        found: dict[str, Any] = {}
        outcomes: list[Outcome[Any]] = []
        numbers: list[int] = []
        pending = ""
        moves: list[Made] = []
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
                if "result" in found:
                    raise LogError(f"{where}: an event after the end of the game")
                if any(getattr(read, key) is not None for key in (*_APART, *_NEXT)):
                    raise LogError(f"{where}: expected an event alone, got more in its line")
                pending, moves = "", []
                public = from_json(bytes(read.event), game.public_type, where)
                outcomes.append(Outcome(public, dict(read.secret)))
                numbers.append(number)
                continue
            told = {
                key: getattr(read, key)
                for key in (*_APART, *_NEXT)
                if getattr(read, key) is not None
            }
            if told.keys() == {"pending"} and not read.secret and "result" not in found:
                pending = told["pending"]
                continue
            if told.keys() == {"move"} and not read.secret and "result" not in found:
                moves.append(told["move"])
                continue
            if len(told) != 1 or read.secret or not told.keys() <= {*_APART}:
                raise LogError(f"{where}: expected an event, a truth, a seat or a result")
            for key in told:
                if key in found:
                    raise LogError(f"{where}: a second {key}")
                if key != "result" and outcomes:
                    raise LogError(f"{where}: the {key} must stand before the first event")
            found.update(told)
        if "truth" not in found and "seat" not in found:
            raise LogError(
                f"{name}: expected a line with the truth, or with a seat (what one player "
                "holds), after the header"
            )
        if "truth" in found and "seat" in found:
            raise LogError(f"{name}: expected a truth or a seat, got both")
        if isinstance(words := found.get("result"), str):
            found["result"] = Result(over=None, winners=None, words=words)
        return Record(
            game,
            setup,
            tuple(outcomes),
            header.minds,
            header.seed,
            pending=pending,
            moves=tuple(moves),
            _lines=tuple(numbers),
            **found,
        )

    # ---- use it ------------------------------------------------------------------------

    def replay(
        self,
        name: str = "log",
        answering: Engine | None = None,
        upto: int | None = None,
        begun: tuple[Record[SetupT, PublicT], Moment[SetupT, PublicT]] | None = None,
    ) -> Moment[SetupT, PublicT]:
        """Play it through, checking every event against the rules and what is known.

        Args:
            name: the name of the log in errors.
            answering: the engine that answers; None for the default engine.
            upto: replay only so many events; None for all, and the result.
            begun: an earlier record and the moment that it was replayed to. If this record goes on
                from there, its first moments and its engine are taken over.

        Returns:
            The last moment; ask it, or go back with `at(turn)`.

        Raises:
            ImpossibleEntry: an event is impossible; the error has its number, line and problem.
            LogError: the truth, the seat or the result is impossible.
        """
        before = None if begun is None or not self._goes_on(*begun) else begun[1]
        asked = answering or (engine() if before is None else before.engine)
        here = f"{name}, the {'truth' if self.seat is None else 'seat'}"
        try:
            state = self.game.start(self.setup, self.truth)
            states: list[State] = [self._first()] if before is None else list(before.states)
        except InputError as error:
            raise LogError(f"{here}: {error}") from error
        turns = [0] if before is None else list(before.turns)
        if upto is not None:
            del states[upto + 1 :], turns[upto + 1 :]
        for number, outcome in enumerate(self.outcomes[:upto]):
            if number + 1 < len(states):
                state = state.follow(outcome)
                continue
            try:
                state, after = self.step(state, states[-1], outcome, asked)
                if isinstance(after, Perspective) and asked.witness(after, TRUE) is None:
                    event = after.structure.history.event
                    source = "" if event is None else event.source
                    raise ImpossibleEvent("this cannot be so, given what is known before", source)
            except InputError as error:
                raise ImpossibleEntry(self.place(number, name), str(error), number) from error
            states.append(after)
            turns.append(outcome.public.turn)
        if self.result is not None and upto is None:
            try:
                self.result.check(state)
            except RuleError as error:
                raise LogError(f"{name}, the result: {error}") from error
        return Moment(self.game, self.setup, tuple(states), tuple(turns), asked)

    def _goes_on(self, before: Record[SetupT, PublicT], moment: Moment[SetupT, PublicT]) -> bool:
        """Whether this is the same game as before, with all events up to that moment."""
        events = len(moment.states) - 1
        return (
            (self.game, self.setup, self.truth, self.seat)
            == (before.game, before.setup, before.truth, before.seat)
            and len(self.outcomes) >= events
            and self.outcomes[:events] == before.outcomes[:events]
        )

    def place(self, number: int, name: str = "log") -> str:
        """Where the event of that number (from 0) stands, for errors."""
        line = self._lines[number] if number < len(self._lines) else None
        return f"{name}, line {line}" if line else f"{name}, event {number + 1}"

    def step(
        self,
        position: RulesState[PublicT],
        state: State,
        outcome: Outcome[PublicT],
        asked: Engine,
    ) -> tuple[RulesState[PublicT], State]:
        """The position and the state of knowledge after one more event.

        It is not checked whether the player of a real table considers any world possible then.

        Raises:
            InputError: the rules forbid the event, it is false in the actual world, or what the
                player saw is not told.
        """
        full = self.game.completed(position, outcome)
        after = position.follow(outcome)
        new = self.game.redeal(self.setup, full)
        if new is not None:
            return after, self._anew(*new)
        event = self.game.event_in(self.setup, position, full)
        return after, self._next(state, event, full, asked)

    def seen_by(self, player: str) -> Record[SetupT, PublicT]:
        """The log that this player would have written: its seat, and the secrets that it saw.

        Raises:
            UnknownName: there is no such player.
            InputError: this record has no truth, so that nobody knows what the player saw.
            LogError: it tells of something impossible.
        """
        check_name("player", player, self.setup.players)
        if self.truth is None:
            raise InputError("a log of one seat does not say what other players saw")
        held = self.game.dealt(self.setup, self.truth, player)
        states = self.replay().states
        told = []
        for outcome, after in zip(self.outcomes, states[1:], strict=True):
            told.append(self.as_seen(outcome, after, player))
        return replace(
            self, outcomes=tuple(told), truth=None, seat=Seat(player, held), moves=(), _lines=()
        )

    def as_seen(self, outcome: Outcome[PublicT], after: State, player: str) -> Outcome[PublicT]:
        """An event with the secrets that a player saw of it; `after` is the scene after it."""
        if after.structure.history.before is None:
            secret = self._own_deal(outcome, player)
        else:
            secret = _newly_seen(after, player)
        return Outcome(outcome.public, secret)

    def _own_deal(self, outcome: Outcome[PublicT], player: str) -> dict[str, str]:
        """The secrets of a new deal that the player observes."""
        secret = {}
        for name, value in outcome.secret.items():
            new = self.game.redeal(self.setup, Outcome(outcome.public, {name: value}))
            assert new is not None
            structure, told = new
            observed = {observable.atom.fluent for observable in structure.observables[player]}
            if observed.issuperset(told):
                secret[name] = value
        return secret

    def _first(self) -> State:
        structure = self.game.structure(self.setup)
        if self.seat is None:
            assert self.truth is not None
            return Scene.of(structure, self.truth)
        if self.seat.player not in self.setup.players:
            raise RuleError(
                f"no player {self.seat.player!r}: expected one of {', '.join(self.setup.players)}"
            )
        hand = self.game.hand(self.setup, self.seat.player, self.seat.holds)
        return Perspective.of(
            structure, self.seat.player, [Atom(name, value) for name, value in hand.items()]
        )

    def _anew(self, structure: KnowledgeStructure, told: World) -> State:
        """The first state of a new deal."""
        if self.seat is None:
            return Scene.of(structure, told)
        player = self.seat.player
        mine = {observable.atom.fluent for observable in structure.observables[player]}
        missing = sorted(mine.difference(told))
        if missing:
            raise RuleError(f"{player} saw something that is not told: {', '.join(missing)}")
        seen = [Atom(name, value) for name, value in told.items() if name in mine]
        return Perspective.of(structure, player, seen)

    def _next(self, state: State, event: Event, outcome: Outcome[PublicT], asked: Engine) -> State:
        if isinstance(state, Scene):
            return state.update(event, outcome.secret, lambda scene, f: bool(asked.holds(scene, f)))
        seen = [Atom(name, value) for name, value in outcome.secret.items()]
        mine = {o.atom.fluent for o in event.observes.get(state.agent, ())}
        if mine and mine.isdisjoint(outcome.secret):
            name = next(iter(sorted(mine)))
            raise ImpossibleEvent(
                f"{state.agent} saw something that is not told; add what it saw, "
                f'as in "secret":{{"{name}":...}}',
                event.source,
            )
        return state.update(event, seen)

    # ---- write it ----------------------------------------------------------------------

    def lines(self) -> Iterable[str]:
        """The lines of its log, without line ends."""
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
        for made in self.moves:
            yield move_line(made)
        if self.result is not None:
            yield result_line(self.result)

    def write(self, path: Path | str) -> None:
        """Write its log, completely or not at all; raises `LogError` if that fails."""
        write_whole(path, "".join(line + "\n" for line in self.lines()))


def event_line(outcome: Outcome[Any]) -> str:
    """The line of an event, without a line end."""
    line: dict[str, Any] = {"event": outcome.public}
    if outcome.secret:
        line["secret"] = dict(outcome.secret)
    return _encode(line)


def story_of(
    game: Game[SetupT, PublicT], setup: SetupT, outcome: Outcome[PublicT], viewer: str | None
) -> str:
    """An event as a sentence; as its line in a log, if it is too wrong for a sentence."""
    try:
        return game.story(setup, outcome, viewer)
    except (InputError, LookupError, AssertionError):
        return msgspec.json.encode(outcome.public).decode()


def result_line(result: Result) -> str:
    """The line that says how a game ended, without a line end."""
    return _encode({"result": result.words if result.over is None else result})


def pending_line(text: str) -> str:
    """The line for an incomplete event in a log; with an empty text, for none any more."""
    return _encode({"pending": text})


def move_line(made: Made) -> str:
    """The line of a person's move that has not led to an event yet, without a line end."""
    return _encode({"move": made})


def _newly_seen(after: State, player: str) -> dict[str, str]:
    """The secrets that the player saw in the last event: the observed atoms that are true.

    Observations of the world before, such as hidden cards that it looks at, are included.
    """
    event = after.structure.history.event
    assert event is not None
    assert isinstance(after, Scene)
    seen = {}
    for observable in event.observes.get(player, ()):
        atom = after.structure.resolve(observable.atom)
        if evaluate(atom, after.world):
            seen[str(observable.atom.fluent)] = observable.atom.value
    return seen


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
