"""A program in a session of its own, and the ways to end it."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

# A program that does nothing for so many seconds has failed.
PATIENCE = 120.0

# So many seconds after its parent, a worker has ended.
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
"""For each way to end it the exit codes, besides 0: it was over before.

Python itself dies of a signal before the program listens, and after it; a shell sees the same code.
"""

_STARTING = re.compile(
    r"Traceback \(most recent call last\):\n(?:(?!Traceback).*\n)*?"
    r".*multiprocessing.spawn\.py.*\n(?:(?!Traceback).*\n)*?EOFError: Ran out of input\n"
)


class Program:
    """`symkripke` with some arguments; with its workers, it is a session of its own."""

    def __init__(self, arguments: Sequence[str], folder: Path, largest_file: int = 0) -> None:
        """Start it in a folder. No file may grow larger than `largest_file` bytes, if given."""
        self._out = (folder / "stdout").open("w+b")
        self._err = (folder / "stderr").open("w+b")

        def limit() -> None:
            if largest_file:
                hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, hard))

        self._process = subprocess.Popen(
            [sys.executable, "-m", "symkripke", *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=self._out,
            stderr=self._err,
            start_new_session=True,
            preexec_fn=limit,
        )

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def wait_for(self, moment: Callable[[], bool], patience: float = PATIENCE) -> None:
        """Wait until that is so, or the program has ended; raises `TimeoutError`."""
        until = time.monotonic() + patience
        while self.running and not moment():
            if time.monotonic() > until:
                self.end_all()
                raise TimeoutError(f"the program did nothing for {patience:.0f} s")
            time.sleep(_POLL)

    def send(self, number: int, *, everybody: bool = False) -> None:
        """Send a signal, to its workers too if `everybody`."""
        if self.running:
            (os.killpg if everybody else os.kill)(self._process.pid, number)

    def kill_worker(self, chance: Random) -> bool:
        """Kill one of its workers; False if there is none."""
        workers = [
            process
            for process in self.session()
            if process != self._process.pid and b"multiprocessing.spawn" in _command(process)
        ]
        if not workers or not self.running:
            return False
        os.kill(chance.choice(workers), signal.SIGKILL)
        return True

    def session(self) -> list[int]:
        """The processes of its session that are running, where the system tells."""
        return [
            int(entry.name)
            for entry in Path("/proc").iterdir()
            if entry.name.isdecimal() and _runs_in(entry, self._process.pid)
        ]

    def ended(self, patience: float = PATIENCE) -> tuple[int, int]:
        """Wait for its end; its exit code, and how many of its processes were left for long."""
        try:
            code = self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self.end_all()
            raise TimeoutError(f"the program did not end within {patience:.0f} s") from None
        until = time.monotonic() + _AFTERWARDS
        while (left := len(self.session())) and time.monotonic() < until:
            time.sleep(_POLL)
        self.end_all()
        return code, left

    def end_all(self) -> None:
        """Kill what is left of it."""
        for process in self.session():
            os.kill(process, signal.SIGKILL)
        self._process.wait()

    def texts(self) -> tuple[str, str]:
        """What it printed, and its errors."""
        texts = []
        for file in (self._out, self._err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
            file.close()
        return texts[0], texts[1]

    def end(self, how: str, chance: Random) -> bool:
        """End it that way, one of `CODES`; False if there is nothing to end."""
        running = self.running
        if how == "worker killed":
            return self.kill_worker(chance)
        if how == "Ctrl-C":
            self.send(signal.SIGINT, everybody=True)
        elif how != "disk full":
            number = signal.SIGKILL if how.startswith("SIGKILL") else signal.SIGTERM
            self.send(number, everybody=how.endswith("to all"))
        return running

    def faults(self, how: str, patience: float = PATIENCE) -> tuple[int, str, list[str]]:
        """Wait for its end; its exit code, what it printed, and what is wrong with its end."""
        code, left = self.ended(patience)
        out, err = self.texts()
        if how.startswith("SIGKILL"):
            # A worker that Python is just starting says so when its parent is gone.
            err = _STARTING.sub("", err)
        found = [f"process left: {left}"] if left else []
        if "Traceback" in err or "Traceback" in out:
            found.append(f"traceback: {err[-1000:]}")
        if code not in {0, *CODES[how]}:
            found.append(f"exit code: {code}: {err[-500:]}")
        return code, out, found


def _runs_in(entry: Path, session: int) -> bool:
    """Whether a process of that folder of /proc runs in the session, and is more than a zombie."""
    try:
        status = (entry / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    fields = status.rpartition(")")[2].split()
    return int(fields[3]) == session and fields[0] not in "ZX"


def _command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
