"""The framework of all measurements: tables, checks, clocks and child processes.

A measurement is a question (its docstring), rows, and a check of the answers. `@measurement` makes
a command from a function that yields tables. Every table states what was checked.
"""

from __future__ import annotations

import functools
import gc
import inspect
import json
import multiprocessing
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from pathlib import Path
from typing import Any, TypeVar, cast

import click
from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

T = TypeVar("T")

# ---- checks ----------------------------------------------------------------------------


class WrongAnswer(click.ClickException):
    """A wrong answer, which ends a measurement because its times would mean nothing."""

    def format_message(self) -> str:
        """Return the text that the command prints."""
        return f"wrong answer: {self.message}"


def check(right: bool, what: str) -> None:
    """Raise `WrongAnswer` unless `right`."""
    if not right:
        raise WrongAnswer(what)


# ---- clocks ----------------------------------------------------------------------------


class Seconds(float):
    """A duration in seconds, printed with a unit and three significant digits."""

    def __str__(self) -> str:
        if self != self:
            return "-"
        for unit, size in (("s", 1.0), ("ms", 1e-3)):
            if self >= size:
                return f"{self / size:.3g} {unit}" if self < 1000 else f"{float(self):,.0f} s"
        return f"{self * 1e6:.3g} us"


def timed(work: Callable[[], T]) -> tuple[Seconds, T]:
    """Call `work`; return the wall time that it took, and its result."""
    start = time.perf_counter()
    result = work()
    return Seconds(time.perf_counter() - start), result


def clocked(work: Callable[[], T]) -> tuple[Seconds, T]:
    """Call `work`; return the processor time that it took, and its result."""
    start = time.process_time()
    result = work()
    return Seconds(time.process_time() - start), result


@contextmanager
def quiet() -> Iterator[None]:
    """Disable garbage collection in the body, as `timeit` does; it would distort single calls."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def median(numbers: Iterable[float]) -> Seconds:
    """Return the median, or NaN if there are no numbers."""
    given = list(numbers)
    return Seconds(statistics.median(given) if given else float("nan"))


def spread(times: Sequence[float]) -> list[Seconds]:
    """Return the median, the 90th percentile and the maximum."""
    ordered = sorted(times)
    if not ordered:
        return [Seconds("nan")] * 3
    return [median(ordered), Seconds(ordered[len(ordered) * 9 // 10]), Seconds(ordered[-1])]


def ratio(above: float | None, below: float | None) -> float | None:
    """Return a quotient, or None if either number is missing or zero."""
    return above / below if above and below and above == above and below == below else None


# ---- tables ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """The result of a measurement.

    Attributes:
        title: the subject of the measurement.
        columns: the column names.
        rows: the cells of each row: texts, numbers, `Seconds` or None.
        checked: the answers that were checked, and the source that they agree with.
        notes: other remarks.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    checked: str
    notes: Sequence[str] = ()

    def show(self) -> None:
        """Print the table, as Markdown if the output is not a terminal."""
        console = Console(highlight=False)
        table = RichTable(box=box.SIMPLE_HEAD if console.is_terminal else box.MARKDOWN)
        for number, column in enumerate(self.columns):
            table.add_column(column, justify="left" if number == 0 else "right")
        for row in self.rows:
            table.add_row(*(Text(_cell(value)) for value in row))
        if not console.is_terminal:
            # A pipe has no width, so nothing may be cut off or wrapped.
            console = Console(highlight=False, width=400)
        console.print(f"\n{self.title}", style="bold", markup=False)
        console.print(table)
        for note in (f"checked: {self.checked}", *self.notes):
            console.print(note, markup=False)

    def data(self) -> dict[str, Any]:
        """Return the table as JSON data, with times in seconds."""
        rows = [
            {
                name: None if value != value else value
                for name, value in zip(self.columns, row, strict=True)
            }
            for row in self.rows
        ]
        notes = list(self.notes)
        return {"title": self.title, "rows": rows, "checked": self.checked, "notes": notes}


def _cell(value: object) -> str:
    if value is None or value != value:
        return "-"
    if isinstance(value, Seconds | str):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.0f}" if abs(cast(float, value)) >= 1000 else f"{value:.3g}"


Tables = Iterator[Table]


class Measurement(click.Command):
    """A command that runs a measurement."""

    def __init__(self, name: str, function: Callable[..., Tables]) -> None:
        """Take the options declared by the decorators of `function`, and add `--json`."""
        options = [*reversed(getattr(function, "__click_params__", []))]
        options.append(click.Option(["--json", "as_json"], is_flag=True, help="Print JSON."))
        super().__init__(name, params=options, help=inspect.getdoc(function))
        self.function = function

    def invoke(self, ctx: click.Context) -> None:
        """Run the measurement, and print each table when it is complete."""
        as_json = ctx.params.pop("as_json")
        made = []
        for table in self.function(**ctx.params):
            made.append(table.data())
            if not as_json:
                table.show()
        if as_json:
            click.echo(json.dumps(made, indent=1))

    def tables(self, *arguments: str) -> list[Table]:
        """Return the tables for these command-line arguments."""
        with self.make_context(self.name, list(arguments)) as context:
            del context.params["as_json"]
            return list(self.function(**context.params))


def measurement(name: str) -> Callable[[Callable[..., Tables]], Measurement]:
    """Return a decorator that turns a function into a command of this name."""
    return functools.partial(Measurement, name)


def numbers(text: str) -> list[int]:
    """Parse the value of an option such as `3,4`."""
    return [int(part) for part in text.split(",")]


# ---- other processes -------------------------------------------------------------------


@dataclass(frozen=True)
class Child:
    """The outcome of work in a child process.

    Attributes:
        result: the result of the work, or None if the process was stopped.
        peak: the peak memory in bytes.
    """

    result: Any
    peak: int


def peak_memory(process: int | str = "self") -> int:
    """Return the peak memory of a process in bytes, or 0 if it has ended.

    `ru_maxrss` is only a fallback. It includes the memory that the parent held when it created this
    process (Linux passes it on at exec), which would hide any smaller peak.
    """
    with suppress(OSError):
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
        if found:
            return int(found.group(1)) * 1024
    if process != "self":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _work(pipe: Connection, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    try:
        result = work(*arguments)
    except WrongAnswer as wrong:
        pipe.send((wrong.message, None, 0))
    else:
        pipe.send((None, result, peak_memory()))
    pipe.close()


def in_child(
    work: Callable[..., Any],
    *arguments: Any,
    seconds: float | None = None,
    context: SpawnContext | ForkServerContext | None = None,
) -> Child:
    """Run `work` (a top-level function of a module) in a new process; end it after `seconds`.

    `context` determines how the process is started. If it is None, the process is spawned.

    Raises:
        WrongAnswer: the work raised it.
        RuntimeError: the process failed, or was killed from outside (for example, out of memory).
    """
    started = context or multiprocessing.get_context("spawn")
    ours, theirs = started.Pipe(duplex=False)
    process = started.Process(target=_work, args=(theirs, work, arguments), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            return Child(None, 0)
        wrong, result, peak = ours.recv()
    except EOFError:
        process.join()
        raise RuntimeError(f"a child process ended with code {process.exitcode}") from None
    finally:
        process.terminate()
        process.join()
        ours.close()
    check(wrong is None, str(wrong))
    return Child(result, peak)


_LOOK = 0.005
"""Seconds between two checks for the end of a program; its times come from the system."""


@dataclass(frozen=True)
class Run:
    """A complete run of a program.

    Attributes:
        cpu: the processor time in seconds.
        wall: the wall time in seconds.
        memory: the peak memory in bytes, sampled every few milliseconds.
        output: the printed text.
        failure: why it failed or was stopped; empty if neither.
    """

    cpu: Seconds
    wall: Seconds
    memory: int
    output: str
    failure: str = ""


def run(command: Sequence[str], seconds: float = 600.0) -> Run:
    """Run a program until it ends, or until the time limit in seconds."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        start = time.perf_counter()
        try:
            process = subprocess.Popen(
                command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
            )
        except OSError as error:
            raise click.ClickException(f"cannot run {command[0]}: {error.strerror}") from None
        late, memory = False, 0
        while True:
            memory = max(memory, peak_memory(process.pid))
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            if not late and time.perf_counter() - start > seconds:
                late = True
                process.send_signal(signal.SIGKILL)
            time.sleep(_LOOK)
        wall = Seconds(time.perf_counter() - start)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        output = out.read()
    failure = f"over {Seconds(seconds)}" if late else ""
    if process.returncode and not late:
        last = (output.strip().splitlines() or [""])[-1]
        failure = f"exit code {process.returncode}: {last[:100]}"
    return Run(Seconds(used.ru_utime + used.ru_stime), wall, memory, output, failure)
