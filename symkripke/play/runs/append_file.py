"""A file to which whole lines are appended, also if the process is killed or the disk is full."""

from __future__ import annotations

import os
from pathlib import Path

from symkripke.errors import LogError, clipped


class AppendFile:
    """Lines at the end of a file. Each is handed to the system at once, in one piece.

    So a process that is killed loses no line. If a line cannot be written completely (the disk is
    full), its beginning is removed. The next line overwrites a line that was interrupted.
    """

    def __init__(self, path: Path, shown: str = "") -> None:
        """Open a file to append to it; made if it is not there. Raises `LogError`.

        A device or a pipe is written to as it is. In messages it is called `shown`.
        """
        self.path = path
        self._shown = shown or clipped(str(path))
        try:
            # Not buffered: the content of a buffer is lost with the process.
            self._handle = os.open(
                path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666
            )
            self._regular = path.is_file()
            self.end = os.lseek(self._handle, 0, os.SEEK_END) if self._regular else 0
        except OSError as error:
            raise self._fault(error) from None

    def add(self, line: bytes) -> int:
        """Write a line, given without its end; returns where it begins. Raises `LogError`."""
        begin = self.end
        data = memoryview(line + b"\n")
        try:
            if self._regular:
                os.lseek(self._handle, begin, os.SEEK_SET)
            while data:
                data = data[os.write(self._handle, data) :]
        except OSError as error:
            self._cut()
            raise self._fault(error) from None
        self.end = begin + len(line) + 1
        return begin

    def sync(self) -> None:
        """Have the system write everything to the disk; raises `LogError`."""
        if self._regular:
            try:
                os.fsync(self._handle)
            except OSError as error:
                raise self._fault(error) from None

    def close(self) -> None:
        """Close it, without an incomplete line; raises `LogError`."""
        self._cut()
        try:
            os.close(self._handle)
        except OSError as error:
            raise self._fault(error) from None

    def _cut(self) -> None:
        """Remove an incomplete line."""
        if not self._regular:
            return
        try:
            if os.fstat(self._handle).st_size > self.end:
                os.ftruncate(self._handle, self.end)
        except OSError:
            pass  # readers leave out half a line themselves

    def _fault(self, error: OSError) -> LogError:
        return LogError(f"cannot write {self._shown}: {error.strerror or error}")
