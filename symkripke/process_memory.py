"""The memory of this process: how much it holds, and giving unused memory back."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache


def resident() -> int:
    """Return the bytes of memory that this process holds; 0 where the system does not say."""
    try:
        return _statm()
    except OSError:
        return highest()


def highest() -> int:
    """Return the most bytes that this process has held; 0 where the system does not say."""
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return 0
    return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def trim() -> None:
    """Give unused pages back to the system; takes some milliseconds.

    Solvers and tables come and go, and leave holes between blocks in use. The C library refills
    these holes only in part, and by itself gives back only the end of its heap. (Without this,
    `python -m tests.soak memory --questions 20000` ends with 198 MB, not with 170.)
    """
    give_back = _malloc_trim()
    if give_back is not None:
        give_back(0)


@cache
def _malloc_trim() -> Callable[[int], int] | None:
    """Return a function of the GNU C library; None with another one."""
    if sys.platform != "linux":
        return None
    import ctypes  # takes 3 ms, and is seldom needed

    function: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return function


def _statm() -> int:
    """Return the bytes that this process holds, as Linux states them."""
    # Opened each time: a file that is kept would tell a forked process about its parent.
    file = os.open("/proc/self/statm", os.O_RDONLY)
    try:
        return int(os.read(file, 100).split()[1]) * os.sysconf("SC_PAGE_SIZE")
    finally:
        os.close(file)
