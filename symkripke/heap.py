"""Give memory that is no longer used back to the system."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache


def trim() -> None:
    """Give unused pages back to the system; takes some milliseconds.

    Solvers and tables come and go, and leave holes between blocks in use. The C library refills
    these holes only in part, and by itself gives back only the end of its heap. (Without this,
    `python -m benchmarks memory --questions 20000` ends with 198 MB, not with 170.)
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

    found: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return found
