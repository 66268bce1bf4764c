"""A run from its plan to its files and summary."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from symkripke.errors import InputError, LogError, SymkripkeError
from symkripke.play.result_files import Rows
from symkripke.play.summary import Summary, Tally
from symkripke.play.tournament import Plan, Played, simulate
from symkripke.play.workers import cpus, polite_interrupts, process_pool

_AHEAD = 4
"""Tasks submitted a worker: while one long game holds up the order, others go on."""


@dataclass(frozen=True)
class Done:
    """A run that has been carried out, or a part of one.

    Attributes:
        summary: what its games came to.
        files: what was written.
        interrupted: whether Ctrl-C ended it.
        seconds: how long it took, the start of the workers included.
        workers: how many processes played.
    """

    summary: Summary
    files: tuple[Path, ...]
    interrupted: bool
    seconds: float
    workers: int


class RunStopped(SymkripkeError):
    """A game of a run could not be played on: the cause says why.

    Attributes:
        done: what is finished and kept.
    """

    def __init__(self, fault: SymkripkeError, run: Plan, done: Done) -> None:
        """Compose the fault and what is kept."""
        self.done = done
        kept = "kept" if done.files else "counted"
        super().__init__(
            f"{fault}\n{done.summary.games} of {run.games} games are finished and {kept}"
        )


def carry_out(
    run: Plan,
    *,
    workers: int | None = None,
    folder: Path | str | None = None,
    form: str = "csv",
    force: bool = False,
    tell: Callable[[Played], None] = lambda played: None,
) -> Done:
    """Play all games of a run over a pool of processes, write the files and count.

    Ctrl-C ends it early; what is finished is written and counted. If a game cannot be played on,
    what is finished is written and counted before the error is raised. Nothing finished, nothing
    written.

    Args:
        run: the run.
        workers: how many processes; None: one a processor. One means this process itself.
        folder: where the files go; None: nowhere.
        form: "csv" or "parquet".
        force: whether files of an earlier run may be replaced.
        tell: called after every game.

    Raises:
        RunStopped: a game could not be played on.
        InputError, LogError: as `Rows` does.
        InputError: there is less than one worker.
    """
    number = cpus() if workers is None else workers
    if number < 1:
        raise InputError(f"expected at least 1 worker, got {number}")
    number = min(number, run.games)
    tally = Tally(run)
    began = time.perf_counter()
    interrupted = False
    fault: SymkripkeError | None = None
    files: list[Path] = []
    with ExitStack() as stack:
        rows = None if folder is None else stack.enter_context(Rows(folder, run, form, force=force))
        interrupts = stack.enter_context(polite_interrupts())
        try:
            with process_pool(number) as pool:
                games = simulate(run, pool, ahead=_AHEAD * number, stop=lambda: interrupts.noted)
                for played in games:
                    if rows is not None:
                        rows.add(played)
                    tally.add(played)
                    tell(played)
        except KeyboardInterrupt:
            interrupted = True
        except LogError:
            raise  # the rows themselves cannot be written
        except SymkripkeError as error:
            fault = error
        interrupts.held = True
        if rows is not None and tally.games:
            files = rows.finish()
    seconds = time.perf_counter() - began
    done = Done(tally.summary(), tuple(files), interrupted, seconds, number)
    if fault is not None:
        raise RunStopped(fault, run, done) from fault
    return done
