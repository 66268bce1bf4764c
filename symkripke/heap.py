"""Memory that the C library keeps for itself after it was freed, given back to the system."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache


def trim() -> None:
    """Give back the pages on which nothing is in use any more: some milliseconds.

    Solvers and tables come and go, and leave holes between what stays. The library fills them
    again only in part, and gives back nothing but the end of its heap by itself.
    """
    give_back = _malloc_trim()
    if give_back is not None:
        give_back(0)


@cache
def _malloc_trim() -> Callable[[int], int] | None:
    """The function of the GNU C library for that; None with another one."""
    if sys.platform != "linux":
        return None
    import ctypes  # takes 3 ms, and is seldom needed

    found: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return found
