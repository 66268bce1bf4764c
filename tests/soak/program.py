"""A program in a separate session, and ways to stop it."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

# A program that does nothing for this many seconds has failed.
PATIENCE = 900.0

# The maximum number of seconds between the end of a parent and the end of its workers.
_AFTERWARDS = 15.0

_POLL = 0.002

CODES = {
    "SIGKILL": {-signal.SIGKILL},
    "SIGKILL to all": {-signal.SIGKILL},
    "SIGTERM": {128 + signal.SIGTERM, -signal.SIGTERM},
    "SIGTERM to all": {128 + signal.SIGTERM, -signal.SIGTERM},
    "Ctrl-C": {128 + signal.SIGINT, -signal.SIGINT},
    "worker killed": {1},
    "disk full": {1},
}
"""The exit codes of each way to stop it, besides 0 if the program had already finished.

Python itself dies of a signal before the program installs its handlers, and after it removes them;
a shell sees the same code.
"""

_SIGNALS = {"SIGKILL": signal.SIGKILL, "SIGTERM": signal.SIGTERM, "Ctrl-C": signal.SIGINT}

_STARTING = re.compile(
    r"Traceback \(most recent call last\):\n(?:(?!Traceback).*\n)*?"
    r".*multiprocessing.spawn\.py.*\n(?:(?!Traceback).*\n)*?EOFError: Ran out of input\n"
)


class Program:
    """A run of `symkripke` with some arguments, in a separate session with its workers."""

    def __init__(self, arguments: Sequence[str], folder: Path, largest_file: int = 0) -> None:
        """Start it in a folder. No file may exceed `largest_file` bytes, if given."""
        self._texts = folder / "stdout", folder / "stderr"

        def limit() -> None:
            if largest_file:
                hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, hard))

        with self._texts[0].open("wb") as out, self._texts[1].open("wb") as err:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "symkripke", *arguments],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
                preexec_fn=limit,
            )

    @property
    def running(self) -> bool:
        """True if the program is still running."""
        return self._process.poll() is None

    def wait_for(self, moment: Callable[[], bool]) -> None:
        """Wait until `moment()` or the end of the program. Raise `TimeoutError` after too long."""
        until = time.monotonic() + PATIENCE
        while self.running and not moment():
            if time.monotonic() > until:
                self.end_all()
                raise TimeoutError(f"the program did nothing for {PATIENCE:.0f} s")
            time.sleep(_POLL)

    def session(self) -> list[int]:
        """Return the running processes of its session, where the system lists them."""
        found = []
        for status in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                told = status.read_text(encoding="utf-8", errors="replace")
                state, _, _, session, *_ = told.rpartition(")")[2].split()
                if int(session) == self._process.pid and state not in "ZX":
                    found.append(int(status.parent.name))
        return found

    def workers(self) -> list[int]:
        """Return its worker processes."""
        found = []
        for process in self.session():
            with suppress(OSError):
                told = Path(f"/proc/{process}/cmdline").read_bytes()
                if process != self._process.pid and b"multiprocessing.spawn" in told:
                    found.append(process)
        return found

    def end_all(self) -> None:
        """Kill its remaining processes."""
        for process in self.session():
            os.kill(process, signal.SIGKILL)
        self._process.wait()

    def texts(self) -> tuple[str, str]:
        """Return its output and its errors."""
        out, err = (path.read_text(encoding="utf-8", errors="replace") for path in self._texts)
        return out, err

    def end(self, how: str, chance: Random) -> None:
        """Stop it in that way, one of `CODES`, if it is running."""
        number = signal.SIGKILL if how.endswith("killed") else _SIGNALS.get(how.split()[0])
        if number is None or not self.running:
            return
        if how == "worker killed":
            for worker in chance.sample(workers := self.workers(), min(1, len(workers))):
                os.kill(worker, number)
        else:
            everybody = how == "Ctrl-C" or how.endswith("to all")
            (os.killpg if everybody else os.kill)(self._process.pid, number)

    def faults(self, how: str) -> tuple[int, str, list[str]]:
        """Wait for its end; return its exit code, its output, and the faults at its end."""
        try:
            code = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.end_all()
            raise TimeoutError(f"the program did not end within {PATIENCE:.0f} s") from None
        until = time.monotonic() + _AFTERWARDS
        while (left := len(self.session())) and time.monotonic() < until:
            time.sleep(_POLL)
        self.end_all()
        out, err = self.texts()
        if how.startswith("SIGKILL"):
            # A worker that Python is just starting prints this if its parent is gone.
            err = _STARTING.sub("", err)
        found = [f"process left: {left}"] if left else []
        if "Traceback" in err or "Traceback" in out:
            found.append(f"traceback: {err[-1000:]}")
        if code not in {0, *CODES[how]}:
            found.append(f"exit code: {code}: {err[-500:]}")
        return code, out, found
