"""Seeded games, in this process or in an executor: the same games for any number of workers.

Deal number d of a run with seed s has the seed `s * 1,000,000 + d`. Each game has its own deal,
unless every deal is played once for each shift of the minds. Games of different runs therefore
have different seeds, and `symkripke play --seed` with this seed and the minds in the game's row
plays the same game. (Similar seeds do no harm, because a table hashes its seed.)
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from traceback import format_exception
from typing import Any, Literal, NamedTuple

from symkripke.engines import Engine, engine
from symkripke.errors import BudgetExceeded, InputError, PlayerError, SymkripkeError
from symkripke.limits import within
from symkripke.play.measure import Measure
from symkripke.play.odds import deals
from symkripke.play.player import Player, View
from symkripke.play.registry import game
from symkripke.play.rules import Setup
from symkripke.play.runs.measures import check_measures, measured
from symkripke.play.session.table import TURNS, Table, spread

GAMES = 1_000_000
"""The maximum number of games in a run, which keeps the seeds of runs apart."""

SEEDS = 2**32
"""The upper bound on seeds of runs, with which floats represent the seeds of games exactly."""

# The target duration of a worker's task, in seconds, for little overhead and a quick end.
_TASK = 0.25
_LARGEST_TASK = 50
_POLL = 0.1

Rotation = bool | Literal["deals"]
"""True if the minds move by one seat after each game; "deals" if every deal is played once for each
shift of the minds."""

_game = cache(game)

# The number of games that use the same engine. Its preparations for the first structure of a setup
# are reused, and its caches stay small.
_GAMES_AN_ENGINE = 20


class _Engines(threading.local):
    """The engine of each thread, replaced by a new engine at intervals."""

    games = _GAMES_AN_ENGINE

    def next(self) -> Engine:
        """Return the engine for the next game."""
        if self.games == _GAMES_AN_ENGINE:
            self.engine, self.games = engine("auto"), 0
        self.games += 1
        return self.engine


_engines = _Engines()


@dataclass(frozen=True)
class Plan:
    """A run of games: all settings that affect its results. The function `plan` makes it.

    Attributes:
        game: the name of the game.
        setup: the setup of all games.
        minds: the kind of player at each seat in game 0.
        rotate: how the minds move from seat to seat; see `Rotation`.
        seed: the seed of all chance, from 0 to `SEEDS` - 1.
        games: the number of games, from 1 to `GAMES`.
        turns: the number of turns after which a game is given up.
        assess: whether players are assessed after every event. This can take longer than the games.
        worlds: whether the deals that each player considers possible are counted as well. This
            takes much longer than the games.
        seconds: the time limit of each step of a game, as in `Table`; None for no limit.
        memory: the memory limit of each process that plays, in bytes; None for no limit. No result
            depends on these two limits, because a game that reaches a limit ends the run.
        measures: the names of the measures of each game (see `measures`).
        keep_faults: whether a game that cannot continue is kept with its error, and the other games
            are played. Otherwise, the game ends the run.
        timed: whether the time that players take for their decisions is measured. It is reported,
            but never stored, because it differs from run to run.
    """

    game: str
    setup: Setup
    minds: tuple[str, ...]
    rotate: Rotation
    seed: int
    games: int
    turns: int
    assess: bool
    worlds: bool = False
    seconds: float | None = None
    memory: int | None = None
    measures: tuple[str, ...] = ()
    keep_faults: bool = False
    timed: bool = False

    def seed_of(self, number: int) -> int:
        """Return the seed of a game."""
        return self.seed * GAMES + number // self._games_a_deal

    def number_of(self, seed: int) -> int:
        """Return the number of the first game with this seed."""
        return (seed - self.seed * GAMES) * self._games_a_deal

    @property
    def _games_a_deal(self) -> int:
        return len(self.minds) if self.rotate == "deals" else 1

    def minds_of(self, number: int) -> tuple[str, ...]:
        """Return the minds of a game by seat: minds[(seat + number) % seats] if they rotate."""
        shift = number % len(self.minds) if self.rotate else 0
        return (*self.minds[shift:], *self.minds[:shift])


class WorkerLost(SymkripkeError):
    """The error for a worker process that died."""


class Snapshot(NamedTuple):
    """A player's assessment after an event; see `Assessment`. `deals` is None if not counted."""

    open: int
    located: int
    certain: bool
    out: bool
    deals: int | None = None


@dataclass(frozen=True)
class Played:
    """A finished game of a run.

    Attributes:
        number: the number of the game in the run, from 0.
        seed: the seed of the game.
        minds: the kind of player at each seat.
        turns: the turn of the last event.
        events: the number of events.
        result: the result in words.
        finished: whether the game ended under the rules, and was not given up.
        winners: the seats that won, from 0.
        course: the turn and a snapshot of each seat, after the deal and after each event; empty if
            players were not assessed.
        cpu: the processor time of the game in seconds.
        measured: each quantity of the run's measures, by seat; empty for a game that failed.
        fault: the error if the game could not continue; otherwise empty.
        thought: the number of decisions of each seat and their processor time in seconds, if
            measured.
    """

    number: int
    seed: int
    minds: tuple[str, ...]
    turns: int
    events: int
    result: str
    finished: bool
    winners: tuple[int, ...]
    course: tuple[tuple[int, tuple[Snapshot, ...]], ...]
    cpu: float
    measured: Mapping[str, tuple[float | None, ...]] = field(default_factory=dict)
    fault: str = ""
    thought: tuple[tuple[int, float], ...] = ()


def plan(
    game_name: str,
    options: Mapping[str, Any] | None = None,
    *,
    games: int,
    minds: Sequence[str] = (),
    rotate: Rotation = False,
    seed: int = 0,
    turns: int = TURNS,
    assess: bool = True,
    worlds: bool = False,
    seconds: float | None = None,
    memory: int | None = None,
    measures: Sequence[str] = (),
    keep_faults: bool = False,
    timed: bool = False,
) -> Plan:
    """Return a checked plan.

    Args:
        game_name: the name of an installed game.
        options: arguments for `Game.setup`.
        games: the number of games.
        minds: the kind of player at each seat; a single name applies to all seats, and no name
            stands for the default.
        rotate: how the minds move from seat to seat; see `Rotation`.
        seed: the seed of all chance.
        turns: the number of turns after which a game is given up.
        assess: whether players are assessed after every event.
        worlds: whether the deals that each player considers possible are counted, too.
        seconds: the time limit of each step of a game.
        memory: the maximum number of bytes that each process that plays may hold.
        measures: the names of the measures of each game.
        keep_faults: whether a game that cannot continue is kept, and others are played.
        timed: whether the time for decisions is measured.

    Raises:
        UnknownName: there is no such game, kind of player, rule set, measure, ...
        InputError: a number is out of range, the game is not playable, deals are to be counted
            without assessments, or a deal would be played twice with the same mind at each seat.
    """
    if worlds and not assess:
        raise InputError("counting the deals needs the assessment of players: expected assess=True")
    for what, value, least, most in (
        ("games", games, 1, GAMES),
        ("turns", turns, 1, GAMES),
        ("a seed", seed, 0, SEEDS - 1),
    ):
        if not least <= value <= most:
            raise InputError(f"expected {what} from {least} to {most}, got {value}")
    played = game(game_name)
    setup = played.setup(**(options or {}))
    seated = spread(played, minds, len(setup.players))
    check_measures(played, measures)
    run = Plan(
        game_name,
        setup,
        seated,
        rotate,
        seed,
        games,
        turns,
        assess,
        worlds,
        seconds,
        memory,
        tuple(measures),
        keep_faults,
        timed,
    )
    shifted = [run.minds_of(number) for number in range(len(seated))]
    if rotate == "deals" and len(set(shifted)) < len(seated):
        raise InputError(
            f"the minds {', '.join(seated)} are the same after a shift of seats, so games would be "
            "repeated: expected another order, or another entry for 'rotate'"
        )
    for number in range(min(games, len(seated)) if rotate else 1):
        played.check_strategies(setup, run.minds_of(number))
    return run


def play(run: Plan, number: int) -> Played:
    """Play a game of a run.

    Raises:
        PlayerError: a player failed.
        BudgetExceeded: the game needs more time or memory than the run allows.
        SymkripkeError: the game could not continue. The message names its number and seed.
    """
    began = time.process_time()
    seed = run.seed_of(number)
    try:
        with within(memory=run.memory):
            return _play(run, number, began)
    except PlayerError as error:
        if not run.keep_faults:
            raise
        fault: SymkripkeError = error
    except SymkripkeError as error:
        kind = BudgetExceeded if isinstance(error, BudgetExceeded) else SymkripkeError
        if not run.keep_faults:
            raise kind(f"game {number} (seed {seed}): {error}") from error
        fault = error
    said = " ".join(str(fault).split())
    cpu = time.process_time() - began
    return Played(number, seed, run.minds_of(number), 0, 0, "", False, (), (), cpu, {}, said)


def _play(run: Plan, number: int, began: float) -> Played:
    seed, minds = run.seed_of(number), run.minds_of(number)
    table = Table(
        _game(run.game),
        run.setup,
        minds,
        seed,
        answering=_engines.next(),
        turns=run.turns,
        seconds=run.seconds,
    )
    clocks = _timed(table) if run.timed else ()
    chosen = _measures(run.game, run.measures)
    watches = [measure.watch(table) for measure in chosen]
    counting = engine("bdd") if run.worlds else None
    course = [(0, _snapshots(table, counting))] if run.assess else []
    for step in table:
        if run.assess:
            course.append((step.turn, _snapshots(table, counting)))
        for watch in watches:
            with within(run.seconds):
                watch.after(step)
    seats = run.setup.players
    return Played(
        number,
        seed,
        minds,
        table.steps[-1].turn if table.steps else 0,
        len(table.steps),
        table.result,
        table.state.decision is None,
        tuple(seats.index(name) for name in table.state.winners),
        tuple(course),
        time.process_time() - began,
        measured(chosen, watches, len(seats)),
        "",
        tuple((clock.decisions, clock.seconds) for clock in clocks),
    )


@cache
def _measures(game_name: str, names: tuple[str, ...]) -> tuple[Measure, ...]:
    return check_measures(_game(game_name), names)


class _Clock:
    """A player whose decisions are timed."""

    def __init__(self, player: Player[Any, Any]) -> None:
        self._player = player
        self.assess = player.assess
        self.decisions = 0
        self.seconds = 0.0

    def choose(self, view: View[Any, Any]) -> Any:
        """Return the player's move."""
        began = time.process_time()
        move = self._player.choose(view)
        self.seconds += time.process_time() - began
        self.decisions += 1
        return move


def _timed(table: Table[Any, Any]) -> tuple[_Clock, ...]:
    """Replace the players of a table by timed players, and return these in seat order."""
    clocks = {name: _Clock(player) for name, player in table.players.items()}
    table.players.update(clocks)
    return tuple(clocks.values())


def _snapshots(table: Table[Any, Any], counting: Engine | None) -> tuple[Snapshot, ...]:
    out = table.state.out
    return tuple(
        Snapshot(
            assessment.open,
            len(assessment.located),
            assessment.certain,
            name in out,
            None if counting is None else _deals(table, name, counting),
        )
        for name, assessment in table.assess().items()
    )


def _deals(table: Table[Any, Any], player: str, counting: Engine) -> int:
    with within(table.seconds):
        return deals(counting, table.scene.perspective(player))


def simulate(
    run: Plan,
    executor: Executor | None = None,
    *,
    numbers: Iterable[int] | None = None,
    ahead: int = 8,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Played]:
    """Play games of a run, and yield them as they finish; with an executor, in any order.

    After an interruption, or if a game cannot continue, yield all finished games before raising the
    error.

    Args:
        run: the run.
        executor: an executor to play games in; None to play them in this process, one after the
            other. The workers of the executor import this package and the game. The caller must
            shut it down.
        numbers: the numbers of the games; None for all.
        ahead: the maximum number of tasks submitted in advance; a few for each worker.
        stop: a function, called often, that returns True to stop as if interrupted.

    Raises:
        KeyboardInterrupt: the call was interrupted, or `stop` returned True.
        WorkerLost: a worker died.
        SymkripkeError: a game could not continue.
    """
    numbers = iter(range(run.games) if numbers is None else numbers)
    if executor is None:
        for number in numbers:
            if stop():
                raise KeyboardInterrupt
            yield play(run, number)
        return
    tasks: set[Future[_Batch]] = set()
    try:
        yield from _through(run, executor, numbers, tasks, ahead, stop)
    except (KeyboardInterrupt, SymkripkeError, BrokenExecutor) as reason:
        for task in tasks:
            if task.done() and task.exception() is None:
                yield from task.result().played
        if isinstance(reason, BrokenExecutor):
            raise WorkerLost(
                "a worker process ended unexpectedly: it ran out of memory, or was killed"
            ) from reason
        raise


class _Batch(NamedTuple):
    """The result of a worker's task: games, and the error of the game after them."""

    played: list[Played]
    fault: str | PlayerError | BudgetExceeded | None


def _play_batch(run: Plan, numbers: tuple[int, ...]) -> _Batch:
    played: list[Played] = []
    for number in numbers:
        try:
            played.append(play(run, number))
        except PlayerError as error:
            # Pickling loses the cause of an exception, but keeps notes.
            error.add_note("".join(format_exception(error.__cause__)))
            return _Batch(played, error)
        except BudgetExceeded as error:
            return _Batch(played, BudgetExceeded(str(error)))
        except SymkripkeError as error:
            # The error is sent as text, because not every exception can be pickled.
            return _Batch(played, str(error))
    return _Batch(played, None)


def _through(
    run: Plan,
    executor: Executor,
    numbers: Iterator[int],
    tasks: set[Future[_Batch]],
    ahead: int,
    stop: Callable[[], bool],
) -> Iterator[Played]:
    """Yield games from the executor; `tasks` has the tasks whose results were not yet taken."""
    finished, seconds = 0, 0.0
    while True:
        while len(tasks) < ahead:
            size = int(_TASK * finished / seconds) if seconds else 1
            batch = tuple(islice(numbers, max(1, min(size, _LARGEST_TASK))))
            if not batch:
                break
            tasks.add(executor.submit(_play_batch, run, batch))
        if not tasks:
            return
        if stop():
            raise KeyboardInterrupt
        for task in wait(tasks, timeout=_POLL, return_when=FIRST_COMPLETED).done:
            done = task.result()
            tasks.remove(task)
            finished += len(done.played)
            seconds += sum(played.cpu for played in done.played)
            yield from done.played
            if isinstance(done.fault, PlayerError | BudgetExceeded):
                raise done.fault
            if done.fault is not None:
                raise SymkripkeError(done.fault)
