"""A program at a pseudo-terminal: its output, and whether it waits for a line."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Mapping, Sequence
from types import TracebackType

_READY = "\x1b[?2004h"
"""The sequence sent when a line can be typed (bracketed paste is enabled)."""

_CODES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[=>()][0-9A-B]?")
_PATIENCE = 120.0


class Terminal:
    """A running program, its terminal, and its output."""

    def __init__(
        self,
        *arguments: str,
        columns: int = 80,
        rows: int = 50,
        environment: Mapping[str, str] | None = None,
        ready: str = _READY,
        through: Sequence[str] = (),
    ) -> None:
        """Start `symkripke` with these arguments.

        `ready` is the text that appears when a line can be typed. `through` is a program that runs
        the command that follows it, such as a shell.
        """
        self._ready = ready
        self._outside, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        settings = {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", **(environment or {})}
        kept = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        self.process = subprocess.Popen(
            [*through, sys.executable, "-m", "symkripke", *arguments],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            env={**kept, **settings},
            start_new_session=True,
        )
        os.close(inside)
        self._seen = bytearray()
        self._read = 0
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def _watch(self) -> None:
        while True:
            try:
                text = os.read(self._outside, 10_000)
            except OSError:
                return
            if not text:
                return
            self._seen += text

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def shown(self) -> str:
        """Wait until a line can be typed; return the output since the last time."""
        until = time.monotonic() + _PATIENCE
        while (text := self._new()).find(self._ready) < 0:
            if time.monotonic() > until or self.process.poll() is not None:
                raise AssertionError(f"the program does not wait for a line:\n{plain(text)}")
            time.sleep(0.005)
        end = text.index(self._ready) + len(self._ready)
        self._read += len(text[:end].encode())
        return plain(text[:end])

    def _new(self) -> str:
        return bytes(self._seen[self._read :]).decode(errors="replace")

    def keys(self, text: str) -> None:
        """Type text without Enter."""
        os.write(self._outside, text.encode())

    def line(self, text: str) -> str:
        """Type a line, and return the output that follows."""
        self.keys(f"{text}\r")
        return self.shown()

    def end(self, text: str = "quit") -> int:
        """Type the last line, and return the exit code."""
        self.keys(f"{text}\r")
        return self.process.wait(timeout=_PATIENCE)

    def waits(self) -> bool:
        """Wait for a prompt or the end of the program; return whether there is a prompt."""
        until = time.monotonic() + _PATIENCE
        while (text := self._new()).find(self._ready) < 0:
            if self.process.poll() is not None:
                return False
            if time.monotonic() > until:
                raise AssertionError(f"the program neither ends nor waits:\n{plain(text)}")
            time.sleep(0.005)
        self._read += len(text[: text.index(self._ready) + len(self._ready)].encode())
        return True

    def mode(self) -> list[object]:
        """Return the settings of the terminal, such as echo and line mode."""
        return termios.tcgetattr(self._outside)

    def raw_so_far(self) -> str:
        """Return all output so far, with control sequences."""
        return self._seen.decode(errors="replace")

    def raw(self) -> str:
        """Return the whole output of a program that has ended, with control sequences."""
        self._watcher.join(timeout=10)
        return self._seen.decode(errors="replace")

    def kill(self) -> None:
        """Kill the program at once."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(timeout=_PATIENCE)
            self._watcher.join(timeout=10)
            os.close(self._outside)


def plain(text: str) -> str:
    """Return the text without control sequences."""
    return _CODES.sub("", text).replace("\r", "")
