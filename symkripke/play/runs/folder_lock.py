"""A lock of a folder, which one process holds at a time, at most until the process ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from symkripke.errors import InputError, LogError
from symkripke.file_lock import locked_now

NAME = ".lock"
"""The name of the locked file. A killed process may leave the file behind, without a lock."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder while the body runs.

    The operating system holds the lock for the open file, so it ends with the process.

    Raises:
        InputError: another process holds the lock.
        LogError: the folder cannot be written to.
    """
    path = folder / NAME
    handle = _opened(path)
    try:
        yield
    finally:
        # Remove the file before releasing it, so that a process that has opened it notices.
        if sys.platform != "win32":
            path.unlink(missing_ok=True)
            os.close(handle)
        else:
            os.close(handle)
            with suppress(OSError):  # another process may have opened it since
                path.unlink(missing_ok=True)


def _opened(path: Path) -> int:
    """Open and lock the lock file, and return its handle."""
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise LogError(f"cannot write to {path.parent}: {error.strerror or error}") from None
        try:
            got = locked_now(handle)
            current = got and _is(path, handle)
        except OSError as error:
            os.close(handle)
            raise LogError(f"cannot lock {path.parent}: {error.strerror or error}") from None
        if current:
            return handle
        os.close(handle)
        if not got:
            raise InputError(
                f"another process is playing a run into {path.parent}: wait until it has ended, "
                "or choose another folder"
            )


def _is(path: Path, handle: int) -> bool:
    """Return whether the open file is still the file at that path."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False
