"""Running an experiment: condition by condition, in lots of games.

    experiment.toml   the experiment's file
    order.json        how many games were asked for beside the file
    conditions/NAME/  the rows of a condition, in Parquet: see `symkripke.play.result_files`
    times.jsonl       when games were played, how long they took, and how long players thought: a
                      line for each condition that was played. It differs from run to run

Every condition is a run of its own. So whenever and however an experiment ends, the finished games
are kept, and the same command continues.
"""

from __future__ import annotations

import json
import logging
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from symkripke.decoding import from_json, from_toml
from symkripke.errors import InputError, LogError, SymkripkeError
from symkripke.experiments.estimates import Verdict, estimate, sequential
from symkripke.experiments.experiment import (
    GAME_FIGURES,
    Condition,
    Experiment,
    UntilDecided,
)
from symkripke.experiments.rows import Rows
from symkripke.files import read_text, write_whole
from symkripke.play.append_file import AppendFile
from symkripke.play.editions import slug
from symkripke.play.folder_lock import locked
from symkripke.play.result_files import check_same_plan, read_run, told_plan
from symkripke.play.run import RunStopped, carry_out
from symkripke.play.run_folder import UNFINISHED, read_header
from symkripke.play.tournament import GAMES, Played
from symkripke.play.workers import cpus, process_pool

FILE = "experiment.toml"
TIMES = "times.jsonl"
ORDER = "order.json"


@dataclass(frozen=True)
class Standing:
    """How far a condition has come.

    Attributes:
        condition: which.
        games: how many games are finished.
        most: how many there may be at most.
        enough: whether it needs no more games.
        why: why it needs no more, or how far the rule to stop is, in words.
    """

    condition: Condition
    games: int
    most: int
    enough: bool
    why: str

    @property
    def state(self) -> str:
        """Whether it needs more games, or has played all without meeting the rule to stop."""
        if self.enough and self.why.startswith("all played"):
            return self.why
        return ", ".join(filter(None, ("enough" if self.enough else "open", self.why)))


@dataclass(frozen=True)
class Ended:
    """The result of a call of `run`.

    Attributes:
        standings: how far each condition has come.
        signal: the number of the signal that ended it; 0 if none did.
    """

    standings: tuple[Standing, ...]
    signal: int


@dataclass
class _Times:
    """The measured times of the games of one condition in one call of `run`.

    Attributes:
        tell: told how many games are finished, those of earlier goes included, and of how many.
    """

    tell: Callable[[int, int], None]
    most: int
    earlier: int = 0
    games: int = 0
    cpu: float = 0.0
    thought: dict[str, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0, 0.0]))

    def found(self, games: int) -> None:
        self.earlier = games
        self.tell(games, self.most)

    def add(self, played: Played) -> None:
        self.games += 1
        self.tell(self.earlier + self.games, self.most)
        self.cpu += played.cpu
        for mind, (decisions, seconds) in zip(played.minds, played.thought, strict=False):
            self.thought[mind][0] += decisions
            self.thought[mind][1] += seconds


class _Spent(msgspec.Struct, frozen=True):
    """The measured times of the games of one condition in one call of `run`, in a file."""

    condition: str
    games: int
    cpu: float
    seconds: float
    workers: int
    thought: dict[str, tuple[int, float]]


def folder_of(folder: Path, condition: Condition) -> Path:
    """Where the rows of a condition are."""
    return folder / "conditions" / slug(condition.name)


def run(
    experiment: Experiment,
    folder: Path | str,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    tell: Callable[[Condition, int, int], None] = lambda condition, games, most: None,
) -> Ended:
    """Play what an experiment needs and what is not there yet.

    Ctrl-C, SIGTERM and SIGHUP end it early; all games that are finished are kept. More games than
    before (`games` in the file, a narrower interval) keep the earlier ones. So do fewer games.

    Args:
        experiment: what is to be played.
        folder: where the rows go; made if it is not there.
        workers: how many processes; None: one a processor, or all those of the scheduler.
        scheduler: the address of a Dask scheduler whose workers play, as "tcp://host:8786"; None:
            processes here.
        seconds: how long each step of a game may take; None for no limit.
        memory: how many bytes each process that plays may hold; None for no limit.
        tell: told how many games of a condition are finished, and of how many at most.

    Raises:
        InputError: the folder holds another experiment, is in use, or polars is not installed.
        LogError: a file cannot be written or read.
        RunStopped: a worker was killed, or a file could not be written.
        SymkripkeError: the scheduler cannot be reached.
    """
    folder = Path(folder)
    need("polars", "experiments keep their rows in Parquet, with polars", "lab")
    need("scipy", "experiments need scipy", "lab")
    if experiment.stop is not None:
        # Before anything is played: Ctrl-C in the middle of this import would leave half of it.
        import_module("statsmodels.stats.proportion")
    check_folders(experiment)
    earlier = experiment_in(folder)
    if earlier is not None and _title(earlier) != experiment.title:
        raise InputError(
            f"{folder} holds another experiment ({_title(earlier)!r}): choose another folder"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LogError(f"cannot make {folder}: {error.strerror or error}") from None
    try:
        with locked(folder), _players(scheduler, workers) as (executor, number):
            for condition in experiment.conditions:
                _check_same(condition, folder)
            _keep_file(folder, experiment)
            for condition in experiment.conditions:
                limited = replace(condition.plan, seconds=seconds, memory=memory)
                playing = replace(condition, plan=limited)
                _condition(experiment, playing, folder, number, executor, tell)
    except _Signalled as signalled:
        return Ended(status(experiment, folder), signalled.number)
    except KeyboardInterrupt:
        return Ended(status(experiment, folder), signal.SIGINT)
    return Ended(status(experiment, folder), 0)


class _Signalled(Exception):
    """A signal has ended a condition: leaves the pool, whose processes are ended then."""

    def __init__(self, number: int) -> None:
        self.number = number


def _check_same(condition: Condition, folder: Path) -> None:
    """Raises `InputError` if the folder has games of this condition under another plan.

    How many games it has does not matter: there may be more than are wanted now.
    """
    kept = read_run(folder_of(folder, condition))
    if kept is not None:
        most = replace(condition.plan, games=GAMES)
        check_same_plan(most, told_plan(kept), folder_of(folder, condition))


def need(module: str, why: str, extra: str) -> None:
    """Raises `InputError` if a package is not installed that only experiments need."""
    if find_spec(module) is None:
        raise InputError(f"{why}: pip install 'symkripke[{extra}]'")


def check_folders(experiment: Experiment) -> None:
    """Raises `InputError` if two conditions would be kept in one folder."""
    taken: dict[str, str] = {}
    for condition in experiment.conditions:
        name = slug(condition.name)
        if not name or name in taken:
            other = f": that of {taken[name]!r}" if name else ""
            raise InputError(
                f"the condition {condition.name!r} has no folder name of its own{other}"
            )
        taken[name] = condition.name


def experiment_in(folder: Path) -> str | None:
    """The text of the experiment's file in a folder; None if there is none."""
    return read_text(folder / FILE, LogError, missing="") or None


def kept_games(folder: Path | str) -> int | None:
    """The number of games of each condition that was requested on the command line; else None."""
    path = Path(folder) / ORDER
    ordered = from_json(read_text(path, LogError, missing="{}"), dict[str, int | None], str(path))
    games: int | None = ordered.get("games")
    return games


def _title(text: str) -> str:
    try:
        return " ".join(str(from_toml(text).get("title", "")).split())
    except ValueError:
        return ""


def _keep_file(folder: Path, experiment: Experiment) -> None:
    """Keep the file of the experiment, and how many games were asked for beside it."""
    order = json.dumps({"games": experiment.games}) + "\n"
    for path, text in ((folder / FILE, experiment.text), (folder / ORDER, order)):
        if read_text(path, LogError, missing="") != text:
            write_whole(path, text)


@contextmanager
def _players(scheduler: str | None, workers: int | None) -> Iterator[tuple[Executor | None, int]]:
    """Who plays, and how many they are: workers of a scheduler, or processes here.

    None for who plays means this process: one worker needs no other.
    """
    if scheduler is None:
        number = cpus() if workers is None else workers
        if number < 1:
            raise InputError(f"expected at least 1 worker, got {number}")
        with process_pool(number) as pool:
            yield pool, number
        return
    need("distributed", "a scheduler needs Dask", "cluster")
    client_class: Any = import_module("distributed").Client  # it has no types
    try:
        client = client_class(scheduler, timeout="10s", set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SymkripkeError(f"cannot reach the scheduler at {scheduler}: {said}") from None
    told = logging.getLogger("tornado.application")
    told.addFilter(_is_news)
    try:
        cores = sum(client.ncores().values())
        if not cores:
            raise SymkripkeError(f"the scheduler at {scheduler} has no workers")
        # Games of one batch are played again if their worker is lost.
        yield client.get_executor(retries=3, pure=False), workers or cores
    finally:
        client.close()
        told.removeFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a line of Dask's log tells a user anything.

    If a run is interrupted while a result is on its way, Dask logs with a traceback that the result
    was cancelled. That is meant: the game is played again.
    """
    error = record.exc_info[1] if record.exc_info else None
    return type(error).__name__ != "FutureCancelledError"


def _condition(
    experiment: Experiment,
    condition: Condition,
    folder: Path,
    workers: int,
    executor: Executor | None,
    tell: Callable[[Condition, int, int], None],
) -> None:
    """Play a condition until it has enough games; raises `_Signalled` if a signal ends it."""
    place = folder_of(folder, condition)
    while True:
        # If a run was stopped, its rows on disk are those of an earlier look.
        there = 0 if (place / UNFINISHED).exists() else len(Rows(condition, place))
        goal = _goal(experiment, condition, place, there)
        if goal <= there:
            tell(condition, there, condition.plan.games)
            return
        times = _Times(partial(tell, condition), condition.plan.games)
        began = time.time()
        try:
            done = carry_out(
                replace(condition.plan, games=goal),
                workers=workers,
                executor=executor,
                folder=place,
                form="parquet",
                resume=True,
                fewer=True,
                found=times.found,
                tell=times.add,
            )
        except RunStopped as stopped:
            _note(folder, condition, times, time.time() - began, stopped.done.workers)
            raise
        _note(folder, condition, times, time.time() - began, done.workers)
        if done.interrupted:
            raise _Signalled(done.signal)


def _goal(experiment: Experiment, condition: Condition, place: Path, there: int) -> int:
    """How many games the condition must have before the next look."""
    most = condition.plan.games
    stop = experiment.stop
    if stop is None or not _applies(experiment, condition):
        return most
    if not there:
        kept = read_run(place) if place.exists() else None
        there_before = int(kept["finished"]) if kept else 0
        return min(most, max(stop.every, there_before, _begun(place)))
    if there >= most or _enough(experiment, condition, place):
        return there
    return min(most, (there // stop.every + 1) * stop.every)


def _begun(place: Path) -> int:
    """How many games the run in a folder was to have when it was stopped; 0 if it was not."""
    begun = read_header(place / UNFINISHED)
    games = 0 if begun is None else begun[0].get("games")
    return games if isinstance(games, int) else 0


def _applies(experiment: Experiment, condition: Condition) -> bool:
    stop = experiment.stop
    return stop is not None and (stop.figure in GAME_FIGURES or stop.mind in condition.minds)


def verdict(experiment: Experiment, condition: Condition, rows: Rows) -> Verdict | None:
    """The verdict of the sequential test on a condition; None if it has no test."""
    stop = experiment.stop
    if not isinstance(stop, UntilDecided) or not _applies(experiment, condition) or not len(rows):
        return None
    return sequential(stop, rows.ratio(experiment.figures[stop.figure], stop.mind))


def _enough(experiment: Experiment, condition: Condition, place: Path) -> bool:
    rows = Rows(condition, place)
    stop = experiment.stop
    assert stop is not None
    if isinstance(stop, UntilDecided):
        found = verdict(experiment, condition, rows)
        return found is not None and bool(found.decided)
    mind = "" if stop.figure in GAME_FIGURES else stop.mind
    ratio = rows.ratio(experiment.figures[stop.figure], mind)
    return estimate(ratio).width <= stop.width


def _note(folder: Path, condition: Condition, times: _Times, seconds: float, workers: int) -> None:
    """Keep how long it took, if anything was played."""
    if not times.games:
        return
    line = _Spent(
        condition.name,
        times.games,
        round(times.cpu, 3),
        round(seconds, 3),
        workers,
        {
            mind: (int(decisions), round(spent, 6))
            for mind, (decisions, spent) in times.thought.items()
        },
    )
    lines = AppendFile(folder / TIMES, f"to {folder}")
    lines.add(msgspec.json.encode(line))
    lines.close()


def times(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """For each condition the seconds and decisions of all that was played for it.

    Returns:
        By the name of the condition: "games", "cpu" and "seconds" (sums), "workers" (the most),
        and "thought": for each mind its decisions and the seconds of processor time for them.
    """
    found: dict[str, dict[str, Any]] = {}
    path = folder / TIMES
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        try:
            read: _Spent = from_json(line, _Spent, str(path))
        except LogError:
            continue  # an incomplete line: the machine stopped while writing it
        into = found.setdefault(
            read.condition, {"games": 0, "cpu": 0.0, "seconds": 0.0, "workers": 0, "thought": {}}
        )
        into["games"] += read.games
        into["cpu"] += read.cpu
        into["seconds"] += read.seconds
        into["workers"] = max(into["workers"], read.workers)
        for mind, (decisions, seconds) in read.thought.items():
            before = into["thought"].get(mind, (0, 0.0))
            into["thought"][mind] = (before[0] + decisions, before[1] + seconds)
    return found


def status(experiment: Experiment, folder: Path | str) -> tuple[Standing, ...]:
    """How far each condition has come."""
    return tuple(_standing(experiment, each, Path(folder)) for each in experiment.conditions)


def _standing(experiment: Experiment, condition: Condition, folder: Path) -> Standing:
    place = folder_of(folder, condition)
    most = condition.plan.games
    unfinished = place / UNFINISHED
    if unfinished.exists():
        try:
            with unfinished.open("rb") as lines:
                games = max(0, sum(1 for line in lines if line.endswith(b"\n")) - 1)
        except OSError:
            games = 0
        return Standing(condition, games, most, False, "stopped in the middle" if games else "")
    rows = Rows(condition, place)
    games = len(rows)
    if not games:
        return Standing(condition, 0, most, False, "")
    stop = experiment.stop
    if stop is not None and _applies(experiment, condition):
        if isinstance(stop, UntilDecided):
            found = verdict(experiment, condition, rows)
            assert found is not None
            if found.decided:
                share = getattr(stop, found.decided)
                why = f"decided after {found.games} games: rather {share:g}"
                return Standing(condition, games, most, True, why)
            why = "the test has not decided"
        else:
            mind = "" if stop.figure in GAME_FIGURES else stop.mind
            width = estimate(rows.ratio(experiment.figures[stop.figure], mind)).width
            why = f"the interval is {width:.4g} wide, {stop.width:g} wanted"
            if width <= stop.width:
                return Standing(condition, games, most, True, why)
        if games >= most:
            why = f"all played; {why}"
        return Standing(condition, games, most, games >= most, why)
    return Standing(condition, games, most, games >= most, "")
