"""A log file for appending lines that stays undamaged if the program is stopped.

Every change is on disk (flushed and synchronised) before its method returns. An incomplete last
line, left by a killed process, is dropped when the file is read again. A change of existing lines
replaces the whole file.

Two programs, for example a terminal and the web page, may have the same log open. Each change is
made under a lock of the operating system, which ends with its process. The identity, size and time
of the file must be the same as when this program last read or wrote it. Otherwise, `JournalChanged`
is raised and nothing is written, because an event typed for an older state must not be added to a
newer state.
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
"""The maximum time to wait for another program to write, in seconds."""


class LogFile:
    """A log file.

    Attributes:
        path: the file; for a link, its target.
        text: the content that this program has read or written.
        note: the damage detected during reading, in words; empty if there was none.
    """

    def __init__(self, path: Path | str) -> None:
        """Read the file. Raise `LogError` if it cannot be read."""
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
        # If a part of the file was ignored, the next change rewrites the whole file.
        self._is_clean = self.text.encode() == content

    @classmethod
    def create(cls, path: Path | str, lines: Iterable[str]) -> LogFile:
        """Create or replace a file with these lines.

        A device or a pipe is written to directly, and cannot be changed by `replace`. Raise
        `LogError` if the file cannot be written.
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
                if not head.strip():  # a truncated header cannot be ignored
                    return content.decode("utf-8-sig", "replace")
                self.note = f"the last line of {self.path.name} was cut off, and is ignored"
            else:
                head = content  # only the newline is missing
        try:
            text = head.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise LogError(
                f"cannot read {self.path}: expected text (UTF-8), got other data"
            ) from None
        return f"{text}\n" if text else ""

    @property
    def is_changed(self) -> bool:
        """True if another program has changed the file. Raises `LogError` if it is gone."""
        if self._stream is not None:
            return False
        try:
            with self.path.open("rb") as file:
                return _state(file) != self._state
        except OSError as error:
            raise LogError(f"cannot read {clipped(str(self.path))}: {reason(error)}") from None

    # ---- changes ---------------------------------------------------------------------------------

    def append(self, lines: Iterable[str], then: Callable[[], object] = lambda: None) -> None:
        """Append lines, either all or none, and wait until they are on disk.

        Args:
            lines: the lines.
            then: a function that is called after writing, even if Ctrl-C is pressed meanwhile, so
                that memory and file agree.

        Raises:
            JournalChanged: another program has changed the file.
            LogError: the file cannot be written.
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
        """Truncate the file to a size in bytes."""
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
        """Close the stream, so that the reader of a pipe gets the end of the file."""
        if self._stream is not None:
            self._stream.close()

    def replace(self, lines: Iterable[str]) -> None:
        """Replace all lines. Raise the errors of `append`."""
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
                    continue  # the file was replaced before it was locked
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
    """Write all data, because a single call may write only a part."""
    left = memoryview(data)
    while left:
        left = left[handle.write(left) :]


def _lock(handle: BinaryIO) -> bool:
    """Return whether a file is now locked until it is closed, or cannot be locked at all."""
    if sys.platform == "win32":
        return True  # on Windows, a locked file cannot be replaced
    try:
        return locked_now(handle.fileno())
    except OSError:
        return True  # a file system without locks; changes are still detected


def _replace(path: Path, content: bytes) -> None:
    """Replace the whole file, and wait until the change is on disk."""
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
