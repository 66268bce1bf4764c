"""A worker or a program, watched from outside: how long, how much memory, which files."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from benchmarks.fuzz import worker
from benchmarks.fuzz.inputs import Input
from benchmarks.fuzz.worker import Ran

MOST_MEMORY = 2 * 1024**3
"""More than this, in bytes, is a fault; the process is ended."""

# After so many seconds an input that gives no limit is ended; it is no fault yet.
PATIENCE = 10.0

# Seconds between two looks at what a process holds and takes.
_BETWEEN = 0.2

# A worker is exchanged for a new one when it holds so much after an input is done.
_GROWN = 1024**3


@dataclass(frozen=True)
class Seen:
    """An input, what came of it, and the files that it changed or left."""

    given: Input
    ran: Ran
    changed: tuple[str, ...] = ()
    alone: bool = False


def files_in(folder: Path) -> dict[str, str]:
    """Each file under the folder, with a digest of what is in it."""
    return {
        str(path.relative_to(folder)): hashlib.sha1(path.read_bytes()).hexdigest()
        if path.is_file()
        else "folder"
        for path in sorted(folder.rglob("*"))
    }


def changed_files(before: Mapping[str, str], folder: Path) -> tuple[str, ...]:
    """The files that are new, gone or different."""
    after = files_in(folder)
    return tuple(name for name in sorted({*before, *after}) if before.get(name) != after.get(name))


def allowed(given: Input) -> float:
    """How many seconds it may take before it is ended from outside."""
    if given.seconds is None:
        return PATIENCE
    # With room for the start, other work on the machine, and to see by how much it overruns.
    return min(60.0, 10.0 + given.steps * (given.seconds + 1.0))


class Watch:
    """Runs inputs, in a worker process or as processes of their own.

    Args:
        entry: what the worker process runs; another one for tests.
    """

    def __init__(self, entry: Callable[[Connection, str], None] = worker.start) -> None:
        """Start nothing yet: the worker comes with the first input that needs it."""
        self._entry = entry
        self._home = tempfile.TemporaryDirectory(prefix="symkripke-fuzz-")
        self._worker: tuple[BaseProcess, Connection] | None = None

    def close(self) -> None:
        """End the worker, and remove the folders."""
        self._end()
        self._home.cleanup()

    def run(self, given: Input, *, alone: bool) -> Seen:
        """Run an input in a folder of its own; `alone`: as a process of its own."""
        with tempfile.TemporaryDirectory(dir=self._home.name, prefix="input-") as name:
            folder = Path(name)
            for file, text in given.files.items():
                with (folder / file).open("w", encoding="utf-8", errors="surrogateescape") as out:
                    out.write(text)
            before = files_in(folder)
            alone = (alone or given.process) and bool(given.command)
            ran = self._process(given, folder) if alone else self._in_worker(given, folder)
            return Seen(given, ran, changed_files(before, folder), alone)

    def _in_worker(self, given: Input, folder: Path) -> Ran:
        process, pipe = self._ready()
        spent = Spent(process.pid)
        pipe.send((given, str(folder)))
        most = 0
        while not pipe.poll(_BETWEEN):
            most = max(most, resident(process.pid))
            late = spent.seconds() > allowed(given)
            if late or most > MOST_MEMORY:
                took = spent.seconds()
                self._end()
                if most > MOST_MEMORY:
                    return Ran(peak=most, stopped="memory")
                return Ran(seconds=took, peak=most, stopped="late")
        try:
            ran: Ran = pipe.recv()
        except EOFError:
            process.join()
            code = process.exitcode
            self._end()
            return Ran(code, foreign=(f"the process was ended with code {code}",))
        if resident(process.pid) > _GROWN:
            self._end()
        return ran

    def _ready(self) -> tuple[BaseProcess, Connection]:
        if self._worker is None:
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            process = context.Process(target=self._entry, args=(theirs, self._home.name))
            process.start()
            theirs.close()
            self._worker = process, ours
        return self._worker

    def _end(self) -> None:
        if self._worker is not None:
            process, pipe = self._worker
            process.kill()
            process.join()
            pipe.close()
            self._worker = None

    def _process(self, given: Input, folder: Path) -> Ran:
        environment = {**os.environ, "HOME": self._home.name, "XDG_CACHE_HOME": self._home.name}
        with (
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
            tempfile.TemporaryFile() as typed,
        ):
            typed.write(given.stdin.encode(errors="replace"))
            typed.seek(0)
            command = [sys.executable, "-m", "symkripke", *given.command]
            program = subprocess.Popen(
                command, cwd=folder, stdin=typed, stdout=out, stderr=err, env=environment
            )
            most, stopped = 0, ""
            spent, took = Spent(program.pid), 0.0
            while program.poll() is None:
                most = max(most, resident(program.pid))
                took = spent.seconds()
                if most > MOST_MEMORY:
                    stopped = "memory"
                elif took > allowed(given):
                    stopped = "late"
                if stopped:
                    program.kill()
                    program.wait()
                    break
                time.sleep(0.02)
            shown = []
            for file in (out, err):
                file.seek(0)
                shown.append(file.read().decode("utf-8", "replace"))
            foreign = (shown[1],) if "Traceback (most recent call last)" in shown[1] else ()
            ran = Ran(program.returncode, shown[0], shown[1], foreign, took, most, stopped)
            return replace(ran, code=None) if stopped else ran


class Spent:
    """The time that a process took since this was made: not what it waited for the processor.

    Other work on the machine counts for nothing. One that sleeps, or waits for nothing, takes a
    thirtieth of the time that passes.
    """

    def __init__(self, process: int | None) -> None:
        """The clock starts now."""
        self._process = process
        self._begun = time.perf_counter()
        self._before = self._last = processor_seconds(process)

    def seconds(self) -> float:
        """How long it took."""
        # Of a process that has ended the system does not tell: what was known last counts.
        self._last = max(self._last, processor_seconds(self._process))
        passed = time.perf_counter() - self._begun
        return min(passed, max(self._last - self._before, passed / 30))


def resident(process: int | None) -> int:
    """The memory that a process holds, in bytes; 0 where the system does not tell."""
    try:
        text = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    found = re.search(r"VmRSS:\s+(\d+) kB", text)
    return int(found[1]) * 1024 if found else 0


def processor_seconds(process: int | None) -> float:
    """The processor's time that a process took; 0 where the system does not tell."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0.0
    fields = text.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
