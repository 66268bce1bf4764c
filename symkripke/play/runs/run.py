"""The execution of a run, from its plan to its files and summary."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path

from symkripke.errors import LogError, SymkripkeError
from symkripke.play.runs.run_folder import UNFINISHED, RunFolder
from symkripke.play.runs.summary import Summary, Tally
from symkripke.play.runs.tournament import Plan, Played, WorkerLost, simulate
from symkripke.play.runs.workers import Interrupts, polite_interrupts, process_pool, worker_count

_AHEAD = 4
"""The number of tasks submitted for each worker, so that a long game does not delay the others."""


@dataclass(frozen=True)
class Done:
    """The result of a run, or of a part of a run.

    Attributes:
        summary: the summary of the games.
        earlier: the number of these games that were finished by an earlier run, which was resumed.
        files: the written files: all files of the run, or only the file with the finished games if
            the others could not be written.
        signal: the number of the signal that ended the run; 0 if there was none.
        seconds: the duration of the run in seconds, including the start of the workers.
        workers: the number of processes that played.
    """

    summary: Summary
    earlier: int
    files: tuple[Path, ...]
    signal: int
    seconds: float
    workers: int

    @property
    def interrupted(self) -> bool:
        """True if a signal ended the run: Ctrl-C, SIGTERM or SIGHUP."""
        return self.signal != 0

    def kept(self, run: Plan) -> str:
        """Return a sentence about the number of finished games, and their folder."""
        games = f"{self.summary.games} of {run.games} games are finished"
        if not self.summary.games:
            return games
        if [path.name for path in self.files] == [UNFINISHED]:
            return f"{games} and kept in {self.files[0]}"
        return f"{games} and {'kept' if self.files else 'counted'}"


class RunStopped(SymkripkeError):
    """The error for a run that could not continue, or whose files could not be written.

    Attributes:
        done: the finished part of the run.
    """

    def __init__(self, fault: SymkripkeError, run: Plan, done: Done) -> None:
        """Create the error from its cause and the finished part of the run."""
        self.done = done
        super().__init__(f"{fault}\n{done.kept(run)}")


def carry_out(
    run: Plan,
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    folder: Path | str | None = None,
    form: str | None = None,
    force: bool = False,
    resume: bool = False,
    fewer: bool = False,
    tell: Callable[[int, Played | None], None] = lambda games, played: None,
) -> Done:
    """Play all games of a run in a pool of processes, write the files and count the results.

    Each game is stored in the folder when it is finished, so it is not lost if the run ends early.
    Ctrl-C, SIGTERM and SIGHUP end the run early. The files of the finished games are then written,
    and these games are counted. The same happens before an error is raised because a game could not
    continue. If no game is finished, nothing is written.

    Args:
        run: the run.
        workers: the number of processes; None for one per processor. A single worker is this
            process itself.
        executor: an executor with `workers` workers in place of local processes, such as Dask's
            executor for a cluster. It is not shut down.
        folder: the folder of the files; None for no files.
        form: "csv" or "parquet"; None for the format of the resumed run, or "csv".
        force: whether files of an earlier run may be replaced.
        resume: whether to continue a run in the folder. In the end, the files are the same as after
            an uninterrupted run.
        fewer: whether the plan of the run in the folder may have more games; see `RunFolder`.
        tell: a function called with the number of finished games: once at the beginning, and after
            each played game, together with that game.

    Raises:
        RunStopped: a game could not continue, a worker was killed, or a file could not be written.
        InputError, LogError: as in `RunFolder`.
        InputError: the number of workers is below 1.
    """
    number = min(worker_count(workers), run.games)
    began = time.perf_counter()
    interrupted = False
    fault: SymkripkeError | None = None
    files: tuple[Path, ...] = ()
    with ExitStack() as stack:
        interrupts = stack.enter_context(polite_interrupts())
        interrupts.polled = True
        kept = None
        tally = Tally(run)
        if folder is not None:
            opened = RunFolder(folder, run, form, force=force, resume=resume, fewer=fewer)
            kept = stack.enter_context(opened)
            run = kept.run
            tally = Tally(run)
            for played in kept.earlier():
                tally.add(played, timed=False)
        earlier = tally.games
        tell(earlier, None)

        def keep(played: Played) -> None:
            with interrupts.hold():
                if kept is not None:
                    kept.add(played)
                tally.add(played)
                tell(tally.games, played)

        try:
            missing = None if kept is None else kept.missing()
            _play(run, missing, number, executor, interrupts, keep)
        except KeyboardInterrupt:
            interrupted = True
        except WorkerLost as error:
            # A signal may go to all processes, and end the workers, too.
            interrupted = interrupts.noted != 0
            fault = None if interrupted else error
        except SymkripkeError as error:
            fault = error
        interrupts.polled = True
        if kept is not None and tally.games:
            try:
                files = tuple(kept.finish())
            except (KeyboardInterrupt, LogError) as error:
                files = (kept.folder / UNFINISHED,)
                interrupted = interrupted or isinstance(error, KeyboardInterrupt)
                fault = fault or (error if isinstance(error, LogError) else None)
    seconds = time.perf_counter() - began
    ended = (interrupts.noted or signal.SIGINT) if interrupted else 0
    done = Done(tally.summary(), earlier, files, ended, seconds, number)
    if fault is not None:
        raise RunStopped(fault, run, done) from fault
    return done


def _play(
    run: Plan,
    numbers: Iterable[int] | None,
    workers: int,
    executor: Executor | None,
    interrupts: Interrupts,
    keep: Callable[[Played], None],
) -> None:
    """Play these games, and store each when it is finished."""
    with nullcontext(executor) if executor is not None else process_pool(workers) as pool:
        # Signals are checked between games that are played in this process.
        interrupts.polled = pool is not None
        games = simulate(
            run,
            pool,
            numbers=numbers,
            ahead=_AHEAD * workers,
            stop=lambda: interrupts.noted != 0,
        )
        for played in games:
            keep(played)
