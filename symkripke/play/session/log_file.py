"""A log file to which lines are appended, and which is never damaged if the program is stopped.

Every change is on disk (flushed and synchronised) before its method returns. Lines are appended. An
incomplete last line, left by a killed process, is dropped when the file is read again. A change of
existing lines replaces the whole file.

Two programs, for example a terminal and the web page, may have the same log open. Each change is
made under a lock of the operating system, which ends with its process, and only if the file has not
been changed since this program read or wrote it: its size, its time, or the file itself. Otherwise
`JournalChanged` is raised and nothing is written: an event typed at an older state must not be
added to a newer one.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from symkripke.decoding import from_json
from symkripke.errors import JournalChanged, LogError, clipped
from symkripke.file_lock import locked_now
from symkripke.files import aside_prefix, log_target, reason, renamed, sweep
from symkripke.limits import read_bytes

_PATIENCE = 5.0
"""Seconds to wait for a change by another program."""


class LogFile:
    """A log file.

    Attributes:
        path: the file; for a link, its target.
        text: the part of its content that this program has read or written.
        note: damage that was found when it was read, in words; empty if there was none.
    """

    def __init__(self, path: Path | str) -> None:
        """Read the file; raises `LogError` if that cannot be done."""
        self._stream: BinaryIO | None = None
        try:
            self.path = Path(path).resolve()
            sweep(self.path.parent, aside_prefix(self.path.name))
            with self.path.open("rb") as file:
                content = read_bytes(file)
                self._state = _state(file)
        except (OSError, ValueError, RuntimeError) as error:
            raise LogError(f"cannot read {clipped(str(path))}: {reason(error)}") from None
        self.note = ""
        self.text = self._whole_lines(content)
        # If a part of the file was dropped, the next change writes the whole file.
        self._is_clean = self.text.encode() == content

    @classmethod
    def create(cls, path: Path | str, lines: Iterable[str]) -> LogFile:
        """Create or replace a file with these lines; raise `LogError`.

        A device or a pipe is written to as it is; it cannot be changed by `replace`.
        """
        target = log_target(path)
        if target.is_file() or not target.exists():
            _replace(Path(path), _joined(lines).encode())
            return cls(path)
        made = cls.__new__(cls)
        made.path, made.text, made.note = target, "", ""
        try:
            made._stream = target.open("wb", buffering=0)
        except OSError as error:
            raise LogError(f"cannot write {clipped(str(path))}: {reason(error)}") from None
        try:
            made.append(lines)
        except BaseException:
            made.close()
            raise
        return made

    def _whole_lines(self, content: bytes) -> str:
        """Return the text of the file without an incomplete last line."""
        head, _, last = content.rpartition(b"\n")
        if last.strip(b"\0 \t\r"):
            try:
                from_json(last, dict[str, object], "")
            except LogError:
                if not head.strip():  # a header that is cut off cannot be left out
                    return content.decode("utf-8-sig", "replace")
                self.note = f"the last line of {self.path.name} was cut off, and is ignored"
            else:
                head = content  # Only the end of the line is missing.
        try:
            text = head.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise LogError(
                f"cannot read {self.path}: expected text (UTF-8), got other data"
            ) from None
        return f"{text}\n" if text else ""

    @property
    def is_changed(self) -> bool:
        """True if another program has changed the file; raises `LogError` if it is gone."""
        if self._stream is not None:
            return False
        try:
            with self.path.open("rb") as file:
                return _state(file) != self._state
        except OSError as error:
            raise LogError(f"cannot read {clipped(str(self.path))}: {reason(error)}") from None

    # ---- changes ---------------------------------------------------------------------------------

    def append(self, lines: Iterable[str], then: Callable[[], object] = lambda: None) -> None:
        """Write more lines; all are on disk then, or none is.

        Args:
            lines: the lines.
            then: a function that is called once they are written, even if Ctrl-C arrives meanwhile,
                so that memory and file agree.

        Raises:
            JournalChanged: another program has changed the file.
            LogError: it cannot be written.
        """
        added = _joined(lines)
        if self._stream is not None:
            self._send(added)
        elif self._is_clean:
            self._add(added.encode(), then)
            return
        else:
            self._rewrite(self.text + added)
        then()

    def _add(self, data: bytes, then: Callable[[], object]) -> None:
        with self._locked() as handle:
            before = handle.seek(0, os.SEEK_END)
            try:
                _write(handle, data)
                os.fsync(handle.fileno())
            except OSError as error:
                self._cut(handle, before)
                raise LogError(f"cannot write {self.path}: {reason(error)}") from None
            except BaseException:
                if os.fstat(handle.fileno()).st_size != before + len(data):
                    self._cut(handle, before)
                    raise
                self._added(handle, data, then)
                raise
            self._added(handle, data, then)

    def _added(self, handle: BinaryIO, data: bytes, then: Callable[[], object]) -> None:
        self._state = _state(handle)
        self.text += data.decode()
        then()

    def _cut(self, handle: BinaryIO, size: int) -> None:
        """Truncate the file to that size."""
        handle.truncate(size)
        self._state = _state(handle)

    def _send(self, text: str) -> None:
        assert self._stream is not None
        try:
            _write(self._stream, text.encode())
        except BrokenPipeError:
            raise
        except OSError as error:
            raise LogError(f"cannot write {clipped(str(self.path))}: {reason(error)}") from None

    def close(self) -> None:
        """Close the stream; a reader of a pipe gets the end of file."""
        if self._stream is not None:
            self._stream.close()

    def replace(self, lines: Iterable[str]) -> None:
        """Write other lines instead of all that there are; raises as `append` does."""
        self._rewrite(_joined(lines))

    def _rewrite(self, text: str) -> None:
        with self._locked():
            _replace(self.path, text.encode())
            with self.path.open("rb") as file:
                self._state = _state(file)
        self.text, self._is_clean = text, True

    @contextmanager
    def _locked(self) -> Iterator[BinaryIO]:
        """Open and lock the file, if it is still the file that was read."""
        patient_until = time.monotonic() + _PATIENCE
        while True:
            try:
                handle = self.path.open("r+b", buffering=0)
            except OSError as error:
                raise LogError(f"cannot write {self.path}: {reason(error)}") from None
            with handle:
                if not _lock(handle):
                    if time.monotonic() > patient_until:
                        raise LogError(f"cannot write {self.path}: another program is writing it")
                    time.sleep(0.01)
                    continue
                if not self._is_same(handle):
                    continue  # It was replaced before the lock was there.
                if _state(handle) != self._state:
                    raise JournalChanged(
                        f"{self.path} was changed by another program: nothing is written"
                    )
                yield handle
                return

    def _is_same(self, handle: BinaryIO) -> bool:
        try:
            status = self.path.stat()
        except OSError as error:
            raise LogError(f"cannot write {self.path}: {reason(error)}") from None
        return os.path.samestat(status, os.fstat(handle.fileno()))


def _state(handle: BinaryIO) -> tuple[int, int, int, int]:
    """Return the identity, size and time of an open file, which differ after each change."""
    about = os.fstat(handle.fileno())
    return about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns


def _write(handle: BinaryIO, data: bytes) -> None:
    """Write all of the data: a call may write a part of it only."""
    left = memoryview(data)
    while left:
        left = left[handle.write(left) :]


def _lock(handle: BinaryIO) -> bool:
    """Try to lock a file; it is unlocked when it is closed. True where that cannot be done."""
    if sys.platform == "win32":
        return True  # On this system a locked file cannot be replaced.
    try:
        return locked_now(handle.fileno())
    except OSError:
        return True  # A file system without locks: the content is compared in any case.


def _replace(path: Path, content: bytes) -> None:
    """Replace the whole file, and wait until it is on disk."""
    with renamed(path) as aside, aside.open("wb") as handle:
        handle.write(content)
        handle.flush()
        os.fsync(handle.fileno())
    if sys.platform != "win32":
        folder = os.open(path.resolve().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
