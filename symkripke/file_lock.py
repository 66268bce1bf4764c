"""Locks of the operating system on open files, which end with the process that holds them."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import msvcrt

    def locked_now(handle: int) -> bool:
        """Try to lock an open file, and return whether this succeeded."""
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def locked_now(handle: int) -> bool:
        """Try to lock an open file; return False if another process holds the lock.

        Raises:
            OSError: the file system does not support locks.
        """
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
