"""Running an experiment: condition by condition, in batches of games.

    experiment.toml   the experiment's file
    order.json        the number of games that overrides the file
    conditions/NAME/  the rows of a condition, in Parquet: see `symkripke.play.runs.result_files`
    times.jsonl       the times of games and of players' decisions: a line for each condition and
                      run. They differ from run to run

Every condition is a separate run. Whenever and however an experiment ends, the finished games are
kept, and the same command continues it.
"""

from __future__ import annotations

import json
import logging
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
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
    Stop,
    UntilDecided,
)
from symkripke.experiments.reader import parse
from symkripke.experiments.rows import Rows
from symkripke.files import make_folder, read_text, write_whole
from symkripke.play.editions import slug
from symkripke.play.runs.append_file import AppendFile
from symkripke.play.runs.folder_lock import locked
from symkripke.play.runs.result_files import check_same_plan, plan_data, read_run
from symkripke.play.runs.run import carry_out
from symkripke.play.runs.run_folder import UNFINISHED, read_header
from symkripke.play.runs.tournament import GAMES, Played
from symkripke.play.runs.workers import process_pool, worker_count

FILE = "experiment.toml"
TIMES = "times.jsonl"
ORDER = "order.json"


@dataclass(frozen=True)
class Standing:
    """The progress of a condition.

    Attributes:
        condition: the condition.
        games: the number of finished games.
        most: the maximum number of games.
        enough: whether it needs no more games.
        why: the reason why it needs no more games, or the state of the stopping rule, in words.
    """

    condition: Condition
    games: int
    most: int
    enough: bool
    why: str

    @property
    def state(self) -> str:
        """The progress in words: "enough" or "open", and the reason."""
        if self.enough and self.why.startswith("all played"):
            return self.why
        return ", ".join(filter(None, ("enough" if self.enough else "open", self.why)))


@dataclass(frozen=True)
class Ended:
    """The result of a call of `run`.

    Attributes:
        standings: the progress of each condition.
        signal: the number of the signal that ended it; 0 if none did.
    """

    standings: tuple[Standing, ...]
    signal: int


class Spent(msgspec.Struct):
    """The measured times of games of one condition; each is a line of the file of times.

    Attributes:
        condition: the name of the condition.
        games: the number of these games.
        cpu: their processor time in seconds.
        seconds: the elapsed time in seconds.
        workers: the number of processes that played; in a sum of several runs, the maximum number.
        thought: for each mind, the number of its decisions and their processor time in seconds.
    """

    condition: str
    games: int = 0
    cpu: float = 0.0
    seconds: float = 0.0
    workers: int = 0
    thought: dict[str, tuple[int, float]] = {}

    def add(self, games: int, cpu: float, thought: Iterable[tuple[str, tuple[int, float]]]) -> None:
        """Add the times of further games."""
        self.games += games
        self.cpu += cpu
        for mind, (decisions, seconds) in thought:
            before = self.thought.get(mind, (0, 0.0))
            self.thought[mind] = before[0] + decisions, before[1] + seconds


def folder_of(folder: Path, condition: Condition) -> Path:
    """Return the folder of the rows of a condition."""
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
    """Play the missing games of an experiment.

    Ctrl-C, SIGTERM and SIGHUP end the run early; all finished games are kept. They are also kept if
    the experiment now needs more games (`games` in the file, a narrower interval) or fewer.

    Args:
        experiment: the experiment.
        folder: the folder for the rows; created if it does not exist.
        workers: the number of processes; None for one per processor, or for all workers of the
            scheduler.
        scheduler: the address of a Dask scheduler whose workers play, as "tcp://host:8786"; None
            for local processes.
        seconds: the maximum time of each step of a game; None for no limit.
        memory: the maximum memory of each playing process in bytes; None for no limit.
        tell: a function that is called with a condition, the number of its finished games, and
            their maximum.

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
        # Before anything is played: Ctrl-C during this import would leave it incomplete.
        import_module("statsmodels.stats.weightstats")
    _check_title(experiment, folder)
    make_folder(folder)
    try:
        with locked(folder), _players(scheduler, workers) as (executor, number):
            for condition in experiment.conditions:
                _check_same(condition, folder)
            _keep_file(folder, experiment)
            for condition in experiment.conditions:
                limited = replace(condition.plan, seconds=seconds, memory=memory)
                playing = replace(condition, plan=limited)
                _condition(experiment, playing, folder, number, executor, tell)
    except KeyboardInterrupt as interrupt:
        number = interrupt.args[0] if interrupt.args else signal.SIGINT
        return Ended(status(experiment, folder), number)
    return Ended(status(experiment, folder), 0)


def _check_same(condition: Condition, folder: Path) -> None:
    """Raise `InputError` if the folder has games of this condition under another plan.

    The number of games does not matter: there may be more than are requested now.
    """
    kept = read_run(folder_of(folder, condition))
    if kept is not None:
        most = replace(condition.plan, games=GAMES)
        check_same_plan(most, plan_data(kept), folder_of(folder, condition))


def need(module: str, why: str, extra: str) -> None:
    """Raise `InputError` if an optional package is not installed."""
    if find_spec(module) is None:
        raise InputError(f"{why}: pip install 'symkripke[{extra}]'")


def kept(folder: Path | str) -> Experiment:
    """Return the experiment that is stored in a folder.

    Raises:
        InputError: the folder contains no experiment.
        LogError: a file cannot be read.
    """
    path = Path(folder) / FILE
    text = read_text(path, LogError, missing="")
    if not text:
        raise InputError(f"expected a folder of a study, with {FILE} in it, got {folder}")
    order = Path(folder) / ORDER
    ordered = from_json(read_text(order, LogError, missing="{}"), dict[str, int | None], str(order))
    return parse(text, path.parent.resolve().name, str(path), games=ordered.get("games"))


def _check_title(experiment: Experiment, folder: Path) -> None:
    """Raise `InputError` if another experiment is stored in the folder."""
    text = read_text(folder / FILE, LogError, missing="")
    try:
        title = " ".join(str(from_toml(text).get("title", "")).split())
    except ValueError:
        title = ""
    if text and title != experiment.title:
        raise InputError(f"{folder} holds another experiment ({title!r}): choose another folder")


def _keep_file(folder: Path, experiment: Experiment) -> None:
    """Store the file of the experiment, and the number of games that overrides it."""
    order = json.dumps({"games": experiment.games}) + "\n"
    for path, text in ((folder / FILE, experiment.text), (folder / ORDER, order)):
        if read_text(path, LogError, missing="") != text:
            write_whole(path, text)


@contextmanager
def _players(scheduler: str | None, workers: int | None) -> Iterator[tuple[Executor | None, int]]:
    """Yield an executor, of a scheduler or of local processes, and its number of workers.

    The executor is None if this process plays, because a single worker needs no other process.
    """
    if scheduler is None:
        number = worker_count(workers)
        with process_pool(number) as pool:
            yield pool, number
        return
    need("distributed", "a scheduler needs Dask", "cluster")
    client_class: Any = import_module("distributed").Client  # it has no type annotations
    try:
        client = client_class(scheduler, timeout="10s", set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SymkripkeError(f"cannot reach the scheduler at {scheduler}: {said}") from None
    logger = logging.getLogger("tornado.application")
    logger.addFilter(_is_news)
    try:
        cores = sum(client.ncores().values())
        if not cores:
            raise SymkripkeError(f"the scheduler at {scheduler} has no workers")
        # Games of one batch are played again if their worker is lost.
        yield client.get_executor(retries=3, pure=False), workers or cores
    finally:
        client.close()
        logger.removeFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    """Return whether a record of Dask's log matters to a user.

    If a run is interrupted while a result is being sent, Dask logs the cancelled result with a
    traceback. This is expected: the game is played again.
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
    """Play a condition until it has enough games.

    Raise `KeyboardInterrupt` with the number of the signal if a signal ends the run. This leaves
    the pool, so that its processes end.
    """
    place, most = folder_of(folder, condition), condition.plan.games
    while True:
        # After an interrupted run, the rows on disk may lack its last games.
        there = 0 if (place / UNFINISHED).exists() else len(Rows(condition, place))
        goal = _goal(experiment, condition, place, there)
        if goal <= there:
            tell(condition, there, most)
            return
        spent = Spent(condition.name, workers=min(workers, goal))
        began = time.time()

        def add(games: int, played: Played | None, spent: Spent = spent) -> None:
            if played is not None:
                spent.add(1, played.cpu, zip(played.minds, played.thought, strict=False))
            tell(condition, games, most)

        try:
            done = carry_out(
                replace(condition.plan, games=goal),
                workers=workers,
                executor=executor,
                folder=place,
                form="parquet",
                resume=True,
                fewer=True,
                tell=add,
            )
        finally:
            spent.seconds = time.time() - began
            if spent.games:
                lines = AppendFile(folder / TIMES, f"to {folder}")
                lines.add(msgspec.json.encode(spent))
                lines.close()
        if done.interrupted:
            raise KeyboardInterrupt(done.signal)


def _goal(experiment: Experiment, condition: Condition, place: Path, there: int) -> int:
    """Return the number of games after which the stopping rule is next evaluated."""
    most = condition.plan.games
    stop = _rule(experiment, condition)
    if stop is None:
        return most
    if not there:
        kept: dict[str, int] = (read_run(place) if place.exists() else None) or {"finished": 0}
        begun = read_header(place / UNFINISHED)
        games = None if begun is None else begun[0].get("games")
        return min(most, max(stop.every, kept["finished"], games if isinstance(games, int) else 0))
    if there >= most or _stopped(experiment, Rows(condition, place))[0]:
        return there
    return min(most, (there // stop.every + 1) * stop.every)


def _rule(experiment: Experiment, condition: Condition) -> Stop | None:
    """Return the stopping rule if it applies to the condition; else None."""
    stop = experiment.stop
    applies = stop is not None and (stop.figure in GAME_FIGURES or stop.mind in condition.minds)
    return stop if applies else None


def verdict(experiment: Experiment, rows: Rows) -> Verdict | None:
    """Return the verdict of the sequential test on a condition; None if it has no test."""
    stop = _rule(experiment, rows.condition)
    if not isinstance(stop, UntilDecided):
        return None
    return sequential(stop, rows.ratio(experiment.figures[stop.figure], stop.mind))


def _stopped(experiment: Experiment, rows: Rows) -> tuple[bool, str]:
    """Return whether the stopping rule is met, and its state in words."""
    stop = _rule(experiment, rows.condition)
    if stop is None:
        return False, ""
    if isinstance(stop, UntilDecided):
        result = verdict(experiment, rows)
        if result is None or not result.decided:
            return False, "the test has not decided"
        share = getattr(stop, result.decided)
        return True, f"decided after {result.games} games: rather {share:g}"
    width = estimate(rows.ratio(experiment.figures[stop.figure], stop.mind)).width
    return width <= stop.width, f"the interval is {width:.4g} wide, {stop.width:g} wanted"


def times(folder: Path) -> Mapping[str, Spent]:
    """Return the total times for each condition, with the maximum number of workers."""
    spent: dict[str, Spent] = {}
    path = folder / TIMES
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        try:
            read: Spent = from_json(line, Spent, str(path))
        except LogError:
            continue  # an incomplete line: the machine stopped while writing it
        into = spent.setdefault(read.condition, Spent(read.condition))
        into.add(read.games, read.cpu, read.thought.items())
        into.seconds += read.seconds
        into.workers = max(into.workers, read.workers)
    return spent


def status(experiment: Experiment, folder: Path | str) -> tuple[Standing, ...]:
    """Return the progress of each condition."""
    return tuple(_standing(experiment, each, Path(folder)) for each in experiment.conditions)


def _standing(experiment: Experiment, condition: Condition, folder: Path) -> Standing:
    place, most = folder_of(folder, condition), condition.plan.games
    if (place / UNFINISHED).exists():
        games = 0
        with suppress(OSError), (place / UNFINISHED).open("rb") as lines:
            games = max(0, sum(line.endswith(b"\n") for line in lines) - 1)
        return Standing(condition, games, most, False, "stopped in the middle" if games else "")
    rows = Rows(condition, place)
    games = len(rows)
    met, why = _stopped(experiment, rows) if games else (False, "")
    if why and games >= most and not met:
        why = f"all played; {why}"
    return Standing(condition, games, most, met or games >= most, why)
