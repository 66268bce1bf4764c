"""A lock of the operating system on an open file: it ends with the process that holds it."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import msvcrt

    def locked_now(handle: int) -> bool:
        """Try to lock an open file; whether that was done, and no other process has the lock.

        Raises `OSError` where the file system has no locks.
        """
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def locked_now(handle: int) -> bool:
        """Try to lock an open file; whether that was done, and no other process has the lock.

        Raises `OSError` where the file system has no locks.
        """
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
