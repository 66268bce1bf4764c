"""Options that several commands share, with one meaning everywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from symkripke.cli.commands import argument, flag, gathered, named_path, option
from symkripke.errors import BudgetExceeded, NoAnswerWithin, OutOfMemory, UnknownName
from symkripke.limits import within
from symkripke.records import dataclass

if TYPE_CHECKING:
    from symkripke.engines import Engine
    from symkripke.play import Journal, Moment, Record


# The arguments of a setup that have their own options.
_OPTIONS = ("players", "names", "rules", "edition", "size")


def _split(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    """Split a list at its commas, and strip the parts."""
    if value is None:
        return None
    parts = tuple(part.strip() for part in value.split(","))
    if not all(parts):
        raise click.BadParameter(f"expected names separated by commas, got {value!r}")
    return parts


def settings(_: click.Context, __: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    """Parse NAME=VALUE pairs. A name alone has an empty value, which means yes."""
    pairs: dict[str, str] = {}
    for pair in given:
        name, _equals, value = pair.partition("=")
        name = name.strip().replace("-", "_")
        if not name:
            raise click.BadParameter(f"expected NAME or NAME=VALUE, got {pair!r}")
        if name in pairs:
            raise click.BadParameter(f"{name} is given twice")
        pairs[name] = value.strip()
    return pairs


@dataclass(frozen=True)
class Seats:
    """The options of a setup.

    Attributes:
        setup: the arguments for `Game.setup`.
        minds: the kind of player at each seat; None if not given.
    """

    setup: dict[str, Any]
    minds: tuple[str, ...] | None

    @classmethod
    def of(
        cls,
        rules: str | None,
        players: int | None,
        names: tuple[str, ...] | None,
        edition: str | None,
        size: str | None,
        more: dict[str, str],
        minds: tuple[str, ...] | None,
    ) -> Seats:
        """Return the values of the options, and load the classes of minds."""
        for name, value in (("edition", edition), ("size", size)):
            if value is not None:
                if name in more:
                    raise click.UsageError(f"--{name} and --set {name} cannot be combined")
                more[name] = value
        if names is not None:
            from symkripke.play.seats import written

            names = tuple(map(written, names))
        game_name = click.get_current_context().params["game_name"]
        if minds is not None and game_name is not None:
            from symkripke.play import game
            from symkripke.play.strategies import load_classes, of_level, repeated

            played = game(game_name)
            minds = repeated(minds)
            if not minds:
                raise click.UsageError("--minds: expected at least one kind of player")
            load_classes(minds, played)
            minds = tuple(of_level(played, mind) for mind in minds)
        return cls({"rules": rules, "players": players, "names": names, **more}, minds)

    def at_a_real_table(self) -> dict[str, Any]:
        """Return the setup of a table of people. Raise `UsageError` if minds are given."""
        if self.minds is not None:
            raise click.UsageError("--minds: only people play at a real table")
        return self.setup


SEATS = gathered(
    Seats.of,
    players=option("--players", "N", "The number of players.", type=int),
    rules=option("--rules", "NAME", "The rule set: classic (the printed game) or study."),
    edition=option("--edition", "NAME|FILE.toml", "A named edition, or a file with your own set."),
    size=option(
        "--size",
        "N/N/...",
        "The number of pieces of each kind in the edition, in games with that option.",
    ),
    more=option(
        "--set",
        "NAME[=VALUE]",
        "An option of the game; `symkripke games` lists them. Can be repeated.",
        multiple=True,
        callback=settings,
    ),
    minds=option(
        "--minds",
        "A,B,...",
        "The player at each seat, or one for all: beginner, sharp, perfect, or a name that "
        "`symkripke games GAME` lists; NAME*3 stands for three. MODULE:CLASS loads a class.",
        callback=_split,
    ),
    names=option("--names", "A,B,...", "The players' names, in seat order.", callback=_split),
)


def play_command(game_name: str, setup: Mapping[str, Any], minds: Sequence[str], seed: int) -> str:
    """Return the shell command that plays the game."""
    words = ["symkripke", "play", game_name, "--seed", str(seed)]
    if minds:
        words += ["--minds", ",".join(minds)]
    for name, value in setup.items():
        if value is None:
            continue
        given = ",".join(value) if name == "names" else str(value)
        words += [f"--{name}", given] if name in _OPTIONS else ["--set", f"{name}={given}"]
    import shlex

    return shlex.join(words)


_UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}


def _bytes(_: click.Context, __: click.Parameter, value: str) -> int | None:
    """Return an amount of memory, given with its unit, in bytes; None for "none"."""
    if value.strip() == "none":
        return None
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{1,9})?)\s*([KMG]?i?B)", value.strip(), re.IGNORECASE)
    if match is None or (unit := _UNITS.get(match[2].upper())) is None:
        raise click.BadParameter(f"expected an amount like 2GB, 500MB, or none, got {value!r}")
    return int(float(match[1]) * unit)


@dataclass(frozen=True)
class Limits:
    """The limits of --seconds and --memory.

    Attributes:
        seconds: the time limit for each step in seconds; None for no limit.
        memory: the maximum number of bytes that the process may hold; None for no limit.
    """

    seconds: float | None = None
    memory: int | None = None

    @contextmanager
    def step(
        self,
        what: str,
        otherwise: float | None = None,
        words: Callable[[int, int], str] | None = None,
    ) -> Iterator[Callable[[int, int], None]]:
        """Limit the work of the body, and show its progress to the user.

        Args:
            what: the work, as a phrase: "replaying the log".
            otherwise: the time limit in seconds if --seconds is not given.
            words: a function to the text of the progress, as for `patient`.

        Raises:
            BudgetExceeded: the work exceeded a limit.
        """
        from symkripke.cli.progress import patient

        seconds = otherwise if self.seconds is None else self.seconds
        with patient(what, words) as tell, within(seconds, self.memory):
            yield tell

    @contextmanager
    def whole(
        self, what: str, words: Callable[[int, int], str] | None = None
    ) -> Iterator[Callable[[int, int], None]]:
        """Limit work that the command depends on; if it fails, the error names the work."""
        try:
            with self.step(what, words=words) as tell:
                yield tell
        except (NoAnswerWithin, OutOfMemory) as error:
            raise BudgetExceeded(f"{what}: {error}") from error


LIMITS = gathered(
    Limits,
    seconds=option(
        "--seconds",
        "S",
        "Time limit for each step: reading, each event, answer and reason, each decision.",
        type=click.FloatRange(min=0),
    ),
    memory=option(
        "--memory",
        "AMOUNT",
        "Memory limit: 500MB, 2GB, ..., or none for no limit.",
        callback=_bytes,
        default="2GB",
    ),
)

COUNT = option(
    "--count/--no-count",
    None,
    "Count the worlds, or not; by default, until all counts together have taken about 0.1 s.",
    default=None,
    show_default=False,
)


@dataclass(frozen=True)
class Output:
    """The destination of a text: the file that --output names, or the standard output."""

    path: str | None
    force: bool

    def check(self) -> None:
        """Raise `InputError` if the file cannot be written, or exists and may not be replaced."""
        from symkripke.files import check_writable

        if self.path is not None:
            check_writable(self.path, replace=self.force)

    def put(self, text: str) -> None:
        """Print the text, or write it to the file."""
        from symkripke.files import write_whole

        if self.path is None:
            click.echo(text, nl=False)
        else:
            write_whole(self.path, text)


def force(what: str) -> Any:
    """Declare --force, without which no command replaces an existing file."""
    return flag("--force", f"Replace {what} if it exists.")


OUTPUT = gathered(
    Output,
    path=option(
        "--output -o", "PATH", "Write to this file instead of printing.", callback=named_path
    ),
    force=force("PATH"),
)

WORKERS = option(
    "--workers",
    "W",
    "The number of processes that play; by default, one per processor.",
    type=click.IntRange(min=1),
)

JSON = flag("--json", "Print JSON.")

AT = option("--at", "TURN", "The moment after this turn (0: after the deal).", type=int)

PLAYER = option("--player", "NAME", "The player whose knowledge to use; by default, your own seat.")

PLAIN = flag("--plain", "Print sentences instead of tables, for screen readers and pipes.")

QUIZ = flag("--quiz", "Ask you for each answer before it is shown; print your score at the end.")

BRIEF = flag("--brief", "Print events only, not what players conclude.")

WHY = gathered(
    lambda why, verbose: why,
    why=flag("--why", "Explain the answer: the facts that prove it, or a case that refutes it."),
    verbose=flag(
        "--verbose", "For experts: show also which engine answered, how it counted, and why."
    ),
)


def _was_given(name: str) -> bool:
    """Return whether the current command was called with a flag."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.params.get(name))


def is_verbose() -> bool:
    """Return whether the command was called with `--verbose`."""
    return _was_given("verbose")


SPOIL = flag(
    "--spoil", "Show hidden cards without asking, even if a person is still playing the game."
)

LOG = gathered(lambda log, spoil: log, log=argument(type=click.Path()), spoil=SPOIL)
"""The log of a game, and --spoil: see `check_spoilers`."""

ENGINE = option(
    "--engine", "NAME", "auto, sat, bdd, smt, explicit.", default="auto", show_default=False
)


def weighting(default: str | None = None) -> Any:
    """Declare the option --weighting with this default; None: the weighting of the game."""
    return option(
        "--weighting",
        "NAME",
        "How worlds are weighted: equal, bayes (by the probability of the events), or "
        "plausible (only the most plausible ones count).",
        default=default,
    )


@dataclass(frozen=True)
class Inquiry:
    """The options of a question about a player's knowledge in a logged game.

    They are LOG, --player, --at, --weighting, --seconds and --memory.
    """

    log: str
    player: str | None
    turn: int | None
    weighting: str | None
    limits: Limits

    def opened(self) -> tuple[Record[Any, Any], Moment[Any, Any], str]:
        """Return the log, the moment in question, and the player's name in the log."""
        record = read_log(self.log, self.limits)
        who = whose(record, self.player)
        check_spoilers(record, who)
        chosen = record.game.engine(weighting=self.weighting)
        return record, _replayed(record, self.log, self.turn, chosen, self.limits), who


def inquiry(default: str | None = None) -> Any:
    """Declare LOG, --player, --at, --weighting, --seconds and --memory.

    Args:
        default: the default weighting; None: the weighting of the game.
    """
    return gathered(
        Inquiry, log=LOG, player=PLAYER, turn=AT, weighting=weighting(default), limits=LIMITS
    )


@dataclass(frozen=True)
class Beginning:
    """The options for the beginning of the log of a real table; None if not given."""

    player: str | None = None
    holds: str | None = None
    begins: str | None = None

    @property
    def given(self) -> dict[str, str | None]:
        """The given values, by the names of the options."""
        return {"player": self.player, "holds": self.holds, "begins": self.begins}


BEGINNING = gathered(
    Beginning,
    player=option("--player", "NAME", "Your name."),
    holds=option("--holds", "A,B,...", "The hand that you were dealt."),
    begins=option("--begins", "NAME", "The player who begins; by default, the first one named."),
)


def put_json(data: Any, indent: int | None = None) -> None:
    """Print plain data or records as JSON."""

    def plain(record: Any) -> Any:
        import msgspec  # many commands print plain data only

        return msgspec.to_builtins(record)

    click.echo(json.dumps(data, default=plain, indent=indent))


def check_spoilers(record: Record[Any, Any], player: str | None = None) -> None:
    """Ask before showing hidden cards of a game that a person is still playing.

    There is no question with --spoil, or if the command shows only the knowledge of `player`, and
    `player` is the only person in the game.

    Raises:
        UsageError: the question cannot be asked, because there is no terminal.
        Exit: the answer was no.
    """
    import sys

    persons = _persons(record)
    known_to = None if player is None else named_as(player, record.setup.players)
    if record.result is not None or persons in ([], [known_to]) or _was_given("spoil"):
        return
    from symkripke.explain.text import listed
    from symkripke.play.words import person

    are = "is" if len(persons) == 1 else "are"
    notice = f"{listed(list(map(person, persons)))} {are} still playing this game"
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError(f"{notice}: add --spoil to see the hidden cards")
    if not click.confirm(f"{notice}. Show the hidden cards?"):
        raise click.exceptions.Exit(0)


def opened(
    log: str, turn: int | None, engine: Engine, limits: Limits, player: str | None = None
) -> tuple[Record[Any, Any], Moment[Any, Any]]:
    """Read and replay a log, and return it with the moment in question.

    If an entry of the log is impossible, only the turns before it can be returned. See
    `check_spoilers` for `player`.
    """
    record = read_log(log, limits)
    check_spoilers(record, player)
    return record, _replayed(record, log, turn, engine, limits)


def open_journal(log: str, limits: Limits) -> Journal[Any, Any]:
    """Open the log of a real table, to continue it."""
    from symkripke.play import Journal

    with limits.whole("replaying the log"):
        journal = Journal.open(log)
    check_spoilers(journal.record)
    return journal


def read_log(log: str, limits: Limits) -> Record[Any, Any]:
    """Return the record in a log, without replaying it."""
    from symkripke.play import Record

    with limits.whole("reading the log"):
        return Record.read(log)


def _persons(record: Record[Any, Any]) -> list[str]:
    """Return the players who are people, in a game with minds."""
    from symkripke.play.strategies import HUMAN

    seats = zip(record.setup.players, record.minds, strict=False)
    return [player for player, mind in seats if mind == HUMAN]


def _replayed(
    record: Record[Any, Any], log: str, turn: int | None, engine: Engine, limits: Limits
) -> Moment[Any, Any]:
    """Return the moment of a log after a turn; by default, the last moment."""
    import shlex

    from symkripke.errors import ImpossibleEntry, LogError

    with limits.whole("replaying the log"):
        try:
            moment = record.replay(log, engine)
        except ImpossibleEntry as error:
            moment = record.replay(log, engine, upto=error.number)
            last = _last_whole_turn(record, error.number)
            why = f"`{shlex.join(['symkripke', 'diagnose', log])}` says why"
            if turn is None or turn > last:
                before = f"; turns up to {last} can be asked about (--at)" if last >= 0 else ""
                raise LogError(f"{error}\n{why}{before}") from error
            click.echo(f"{error}\n{why}; turn {turn} is before that", err=True)
    return moment if turn is None else moment.at(turn)


def _last_whole_turn(record: Record[Any, Any], events: int) -> int:
    """Return the last turn that is complete after `events` events; -1 if there is none."""
    wrong = record.outcomes[events].public.turn
    turns = [0, *(outcome.public.turn for outcome in record.outcomes[:events])]
    return max((turn for turn in turns if turn < wrong), default=-1)


def whose(record: Record[Any, Any], player: str | None) -> str:
    """Return the player that --player names; without it, or with `me`, the user's own seat.

    In the log of a real table, this is the seat of the log. In a game with minds, it is the seat of
    the only person.

    Raises:
        UsageError: no player is named, and the user has no seat of their own.
        UnknownName: there is no such player.
    """
    own = _persons(record) if record.seat is None else [record.seat.player]
    is_me = player is not None and player.casefold() == "me" and player not in record.setup.players
    if player is not None and not (is_me and len(own) == 1):
        return named("player", player, record.setup.players)
    if len(own) != 1:
        players = ", ".join(record.setup.players)
        raise click.UsageError(
            f"this log shows everything; choose a player with --player: {players}"
        )
    return own[0]


def named(kind: str, name: str, known: Sequence[str]) -> str:
    """Return the known name that equals `name`, ignoring case. Raise `UnknownName` if none does."""
    match = named_as(name, known)
    if match is None:
        raise UnknownName(kind, name, known)
    return match


def named_as(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that equals `name`, ignoring case; None if none does."""
    from symkripke.play.seats import written

    if name in known:
        return name
    meant = (name.casefold().strip(), written(name).casefold())
    return next((candidate for candidate in known if candidate.casefold() in meant), None)
