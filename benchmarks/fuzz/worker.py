"""One input, run in the process that reads this."""

from __future__ import annotations

import io
import os
import sys
import time
import traceback
from contextlib import chdir, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.common import peak_memory
from benchmarks.fuzz.calls import PRELUDE
from benchmarks.fuzz.inputs import Input

# What calls may hold: what the program allows itself if nobody says.
_MEMORY = 2 * 10**9


@dataclass(frozen=True)
class Ran:
    """What came of an input.

    Attributes:
        code: the exit code; None of a program of calls, and of what was stopped.
        stdout: what was printed.
        stderr: what was printed as an error.
        foreign: tracebacks of exceptions that are none of ours.
        seconds: the longest step: wall time, or the processor's if that is less, so that other
            work on the machine counts for nothing.
        peak: the most memory that was held, in bytes.
        stopped: why it was ended from outside; empty if it was not.
    """

    code: int | None = None
    stdout: str = ""
    stderr: str = ""
    foreign: tuple[str, ...] = ()
    seconds: float = 0.0
    peak: int = 0
    stopped: str = ""


def serve(pipe: Connection) -> None:
    """Run inputs that come through the pipe, each in its folder, until None comes."""
    while True:
        task = pipe.recv()
        if task is None:
            return
        given, folder = task
        pipe.send(run(given, Path(folder)))


def run(given: Input, folder: Path) -> Ran:
    """Run one input in its folder."""
    forget_peak()
    wall, cpu = time.perf_counter(), time.process_time()
    with chdir(folder):
        ran = _calls(given) if given.program else _command(given)
    took = min(time.perf_counter() - wall, time.process_time() - cpu)
    return Ran(
        ran.code, ran.stdout, ran.stderr, ran.foreign, ran.seconds or took, peak_memory(), ""
    )


def forget_peak() -> None:
    """The most memory held is counted from here on, where the system can (Linux)."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _command(given: Input) -> Ran:
    from symkripke.cli import main

    streams = sys.stdin, sys.stdout, sys.stderr, sys.argv
    out, err = io.BytesIO(), io.BytesIO()
    code: int | None = 0
    foreign: tuple[str, ...] = ()
    sys.stdin = io.TextIOWrapper(io.BytesIO(given.stdin.encode(errors="replace")), "utf-8")
    # Kept, because a stream that nobody holds closes what lies below it.
    kept = [io.TextIOWrapper(below, "utf-8", write_through=True) for below in (out, err)]
    sys.stdout, sys.stderr = kept
    sys.argv = ["symkripke", *given.command]
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        code, foreign = 1, (traceback.format_exc(),)
    finally:
        sys.stdin, sys.stdout, sys.stderr, sys.argv = streams
    shown = [text.getvalue().decode("utf-8", "replace") for text in (out, err)]
    return Ran(code, shown[0], shown[1], foreign)


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
            with within(given.seconds, _MEMORY):
                exec(code, names)
        except SymkripkeError:
            pass
        except Exception as error:
            if given.kind == "types" and isinstance(error, TypeError | AttributeError | ValueError):
                continue  # Python's own errors for values of a wrong type
            foreign.append(f"{line[:2_000]}\n{traceback.format_exc()}")
        took = min(time.perf_counter() - wall, time.process_time() - cpu)
        longest = max(longest, took)
    return Ran(foreign=tuple(foreign), seconds=longest)


def start(pipe: Connection, home: str) -> None:
    """The entry of a worker process: whatever is printed past Python goes nowhere."""
    os.environ.update(HOME=home, XDG_CACHE_HOME=home)
    serve(pipe)
