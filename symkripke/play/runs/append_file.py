"""A file to which whole lines are appended, even if the process is killed or the disk is full."""

from __future__ import annotations

import os
from pathlib import Path

from symkripke.errors import LogError, clipped


class AppendFile:
    """A file to which lines are appended without a buffer.

    A killed process therefore loses no line. If a line cannot be written completely (for example,
    because the disk is full), its beginning is removed. The next line overwrites an interrupted
    line.
    """

    def __init__(self, path: Path, shown: str = "") -> None:
        """Open a file for appending, and create it if it does not exist.

        A device or a pipe is written to directly. Messages call the file `shown`. Raise `LogError`
        if the file cannot be opened.
        """
        self.path = path
        self._shown = shown or clipped(str(path))
        try:
            # There is no buffer, because its content would be lost with the process.
            self._handle = os.open(
                path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666
            )
            self._regular = path.is_file()
            self.end = os.lseek(self._handle, 0, os.SEEK_END) if self._regular else 0
        except OSError as error:
            raise self._fault(error) from None

    def add(self, line: bytes) -> int:
        """Write a line, given without its newline, and return its offset in bytes.

        Raise `LogError` if it cannot be written.
        """
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
        """Flush the file to the disk. Raise `LogError` if this fails."""
        if self._regular:
            try:
                os.fsync(self._handle)
            except OSError as error:
                raise self._fault(error) from None

    def close(self) -> None:
        """Remove an incomplete line, and close the file. Raise `LogError` if this fails."""
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
            pass  # readers ignore an incomplete line

    def _fault(self, error: OSError) -> LogError:
        return LogError(f"cannot write {self._shown}: {error.strerror or error}")
