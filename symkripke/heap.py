"""Memory that is no longer used: when it is looked for, and given back to the system."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from functools import cache

# Blocks of so many bytes and more are apart from the heap. The tables of a diagram have 20 MB; no
# array has more than 16 MB at the 2 million worlds that are listed at most, and arrays come and go
# too often to be given back each time.
_APART = 17_000_000

# Python looks for unused cycles of objects after so many new objects, and among older ones after so
# many looks.
_OBJECTS, _LOOKS = 30_000, 10

# The numbers of two options of the GNU C library (malloc.h).
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3


def trim() -> None:
    """Give unused pages back to the system; takes some milliseconds.

    Solvers and tables come and go, and leave holes between blocks in use. The library refills
    these holes only in part, and by itself gives back only the end of its heap.
    """
    give_back = _function("malloc_trim")
    if give_back is not None:
        give_back(0)


@cache
def keep_large_blocks_apart() -> None:
    """From now on large blocks have pages of their own, which go back as soon as they are freed.

    At first the library does so by itself. But when a block of up to 32 MB is freed, it takes all
    later blocks of that size from the heap, where small things settle in the hole that each leaves:
    measured, a heap of 80 MB grew to 230 MB, half of it free.
    """
    option = _function("mallopt")
    if option is not None:
        option(_MMAP_THRESHOLD, _APART)
        # As the library itself would choose it. If it is not said, each page that is freed at the
        # end of the heap goes back at once, and is asked for again.
        option(_TRIM_THRESHOLD, 2 * _APART)


@cache
def collect_seldom() -> None:
    """From now on Python looks less often for unused cycles of objects.

    With Python's own numbers, the looks took a process that holds many tables a tenth of its time,
    up to a fifth of a second at once. Nearly all that is dropped is in no cycle and is freed at
    once.
    """
    gc.set_threshold(_OBJECTS, _LOOKS, _LOOKS)


@cache
def _function(name: str) -> Callable[..., int] | None:
    """A function of the GNU C library; None with another one."""
    if sys.platform != "linux":
        return None
    import ctypes  # takes 3 ms, and is seldom needed

    found: Callable[..., int] | None = getattr(ctypes.CDLL(None), name, None)
    return found
