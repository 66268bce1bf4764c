"""Inputs run and watched from outside: time, memory, changed files, and faults."""

from __future__ import annotations

import io
import multiprocessing
import os
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import chdir
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.soak.common import contents, forget_peak, memory_of, processor_seconds
from tests.soak.fuzz.inputs import Input
from tests.soak.odd_calls import PRELUDE

MOST_MEMORY = 2 * 1024**3
"""More bytes of memory than this are a fault, and the process is stopped."""

# An input without a limit is stopped after this many seconds, which is not a fault.
_PATIENCE = 10.0

# A worker that holds more bytes than this after an input is replaced.
_GROWN = 1024**3

# The memory limit of calls, which is the program's default.
_MEMORY_OF_CALLS = 2 * 10**9

# The allowed overrun of `--seconds`, and the time to start a process, which is not limited.
_SPARE, _START = 1.0, 2.0


@dataclass(frozen=True)
class Ran:
    """The outcome of an input.

    Attributes:
        code: the exit code; None for a program of calls, and for a stopped input.
        stdout: the printed text.
        stderr: the printed errors.
        foreign: tracebacks of exceptions that are not our own.
        seconds: the time of the longest step: wall time or processor time, whichever is less, so
            other work on the machine does not count.
        peak: the peak memory in bytes.
        stopped: the reason for stopping it from outside: "late" or "memory"; empty if it was not.
        changed: the files that it changed or left behind.
    """

    code: int | None = None
    stdout: str = ""
    stderr: str = ""
    foreign: tuple[str, ...] = ()
    seconds: float = 0.0
    peak: int = 0
    stopped: str = ""
    changed: tuple[str, ...] = ()


# ---- in a worker -------------------------------------------------------------------------------


def serve(pipe: Connection, home: str) -> None:
    """Run inputs that arrive through the pipe, each in its folder, forever."""
    os.environ.update(HOME=home, XDG_CACHE_HOME=home)
    while True:
        given, folder = pipe.recv()
        forget_peak()
        wall, cpu = time.perf_counter(), time.process_time()
        with chdir(folder):
            ran = _calls(given) if given.program else _command(given)
        took = min(time.perf_counter() - wall, time.process_time() - cpu)
        pipe.send(replace(ran, seconds=ran.seconds or took, peak=memory_of(kind="VmHWM")))


def _command(given: Input) -> Ran:
    from symkripke.cli import main

    below = io.BytesIO(given.stdin.encode(errors="replace")), io.BytesIO(), io.BytesIO()
    typed, shown, told = (io.TextIOWrapper(one, "utf-8", write_through=True) for one in below)
    code: int | None = 0
    foreign: tuple[str, ...] = ()
    argv = ["symkripke", *given.command]
    with patch.multiple(sys, stdin=typed, stdout=shown, stderr=told, argv=argv):
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except BaseException:
            code, foreign = 1, (traceback.format_exc(),)
    out, err = (stream.getvalue().decode("utf-8", "replace") for stream in below[1:])
    return Ran(code, out, err, foreign)


def _calls(given: Input) -> Ran:
    from symkripke.errors import SymkripkeError
    from symkripke.limits import within

    names: dict[str, Any] = {}
    exec(PRELUDE, names)
    foreign: list[str] = []
    longest = 0.0
    for line in given.program:
        code = compile(line, "<call>", "exec")
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            with within(given.seconds, _MEMORY_OF_CALLS):
                exec(code, names)
        except SymkripkeError:
            pass
        except Exception as error:
            # Python's own errors are correct for values of a wrong type.
            types = (TypeError, AttributeError, ValueError) if given.kind == "types" else ()
            if not isinstance(error, types):
                foreign.append(f"{line[:2_000]}\n{traceback.format_exc()}")
        longest = max(longest, min(time.perf_counter() - wall, time.process_time() - cpu))
    return Ran(foreign=tuple(foreign), seconds=longest)


# ---- from outside ------------------------------------------------------------------------------


class Watch:
    """A runner of inputs in a worker process; some inputs get a new process.

    Args:
        entry: the function that the worker process runs; tests replace it.
    """

    def __init__(self, entry: Callable[[Connection, str], None] = serve) -> None:
        """Start nothing yet; the first input that needs the worker starts it."""
        self._entry = entry
        self._home = tempfile.TemporaryDirectory(prefix="symkripke-fuzz-")
        self._worker: tuple[BaseProcess, Connection] | None = None

    def close(self) -> None:
        """End the worker, and remove the folders."""
        self._end()
        self._home.cleanup()

    def run(self, given: Input) -> Ran:
        """Run an input in a separate folder."""
        with tempfile.TemporaryDirectory(dir=self._home.name, prefix="input-") as name:
            folder = Path(name)
            for file, text in given.files.items():
                (folder / file).write_bytes(text.encode("utf-8", "surrogateescape"))
            before = contents(folder)
            if given.fresh:
                self._end()
            ran = self._in_worker(given, folder)
            after = contents(folder)
            names = {*before, *after}
            changed = (name for name in sorted(names) if before.get(name) != after.get(name))
            return replace(ran, changed=tuple(changed))

    def _in_worker(self, given: Input, folder: Path) -> Ran:
        if self._worker is None:
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            started = context.Process(target=self._entry, args=(theirs, self._home.name))
            started.start()
            theirs.close()
            self._worker = started, ours
        process, pipe = self._worker
        pipe.send((given, str(folder)))
        stopped = _stopped(given, process.pid, lambda: pipe.poll(0.2))
        if stopped is not None:
            self._end()
            return stopped
        try:
            ran: Ran = pipe.recv()
        except EOFError:
            process.join()
            code = process.exitcode
            self._end()
            return Ran(code, foreign=(f"the process was ended with code {code}",))
        if given.fresh or memory_of(process.pid) > _GROWN:
            self._end()
        return ran

    def _end(self) -> None:
        if self._worker is not None:
            process, pipe = self._worker
            process.kill()
            process.join()
            pipe.close()
            self._worker = None


def _stopped(given: Input, process: int | None, is_done: Callable[[], bool]) -> Ran | None:
    """Wait for the end of an input; return an outcome if it exceeds its time or memory.

    Time that a process waits for the processor does not count. A process that sleeps, or waits for
    anything else, is charged a thirtieth of the elapsed time.
    """
    begun, before = time.perf_counter(), processor_seconds(process)
    allowed = _PATIENCE
    if given.seconds is not None:
        # The margin allows for the start, and lets overruns last long enough to be measured.
        allowed = min(60.0, 10.0 + given.steps * (given.seconds + 1.0))
    while not is_done():
        passed = time.perf_counter() - begun
        took = min(passed, max(processor_seconds(process) - before, passed / 30))
        if (peak := memory_of(process)) > MOST_MEMORY:
            return Ran(seconds=took, peak=peak, stopped="memory")
        if took > allowed:
            return Ran(seconds=took, peak=peak, stopped="late")
    return None


# ---- faults ------------------------------------------------------------------------------------


def faults(given: Input, ran: Ran) -> Iterator[tuple[str, str]]:
    """Yield all faults, each with its kind and the observation."""
    for text in ran.foreign:
        yield "traceback", text
    if given.seconds is not None:
        # A call has its own time; a command has several steps, each with its own limit.
        limit = given.seconds + _SPARE
        if given.command:
            limit = _START + given.steps * limit
        if ran.seconds > limit or ran.stopped == "late":
            yield "overrun", f"{ran.seconds:.1f} s where {limit:.1f} were allowed"
    if ran.stopped == "memory" or ran.peak > MOST_MEMORY:
        yield "memory", f"{ran.peak / 1024**2:,.0f} MB"
    if ran.stopped:
        return
    if given.command and not ran.foreign and (told := _wrong_code(given, ran)):
        yield "exit code", told
    touched = [name for name in ran.changed if name not in given.writes]
    if touched and "*" not in given.writes:
        yield "files", f"changed, gone or left: {', '.join(touched)}"


# The output of a dialogue that rejects its input.
_REFUSED = re.compile(r"^(Error: |Not understood: |Not possible now: )", re.M)
# The output for an expectation of a file that is false.
_UNEXPECTED = re.compile(
    r'^not as expected |"kind": "expect", "text": "(\\.|[^"])*", "holds": false', re.M
)


def _wrong_code(given: Input, ran: Ran) -> str:
    code = ran.code
    if given.codes and code not in given.codes:
        return f"{code} instead of one of {given.codes}: {ran.stderr[:300]}"
    if code not in (0, 1, 2, 3):
        return f"{code}"
    says = "Error:" in ran.stderr
    if code == 0 and re.search("^Error: ", ran.stderr, re.M) and not given.stdin:
        # At a prompt, an error is printed, and the next line is read.
        return f"0, and an error is told: {ran.stderr[:300]}"
    is_told = (
        says
        or "interrupted" in ran.stderr
        or (given.stdin and (ran.stderr or _REFUSED.search(ran.stdout)))
        or (code == 1 and _UNEXPECTED.search(ran.stdout))
    )
    if code in (1, 2) and not is_told:
        return f"{code}, and nobody is told why"
    if code == 3 and not says and not any(w in ran.stdout for w in ("no answer", "refused")):
        return "3, and nothing is left without an answer"
    return ""
