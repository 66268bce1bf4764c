"""Limits to the time and the memory of the work that goes on now.

What runs within `with within(seconds=..., memory=...):` is limited, whatever it calls: loops that
can be long call `look()`, which raises `BudgetExceeded` when nothing is left. Without a limit a
look costs next to nothing. Limits nest, and the tighter one holds. Each thread has its own.

Memory is what the process holds in all (its resident memory), whoever asked for it.

Work is counted, not timed, so that the same limit allows the same steps on each run and machine. A
unit is about 10 microseconds of a solver or of diagrams.
"""

from __future__ import annotations

import gc
import math
import os
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from io import BytesIO, TextIOWrapper
from typing import BinaryIO

from symkripke import heap
from symkripke.errors import InputError, NoAnswerWithin, OutOfMemory, OutOfWork

LOOK_EVERY = 256
"""Loops with short steps look once in so many steps."""

# Seconds between two looks at the memory. The time is looked at always: that takes no longer than
# to count the looks.
_BETWEEN = 0.02

# Files are read in pieces of so many bytes; there must be room for so many copies of what was read.
_PIECE = 1 << 20
_COPIES = 3


class Work:
    """How much work is left.

    Attributes:
        left: the number of units.
        nodes: the nodes of diagrams that there were when it was looked at last; None before that.
        parts: what was done besides, in parts of a unit that the engine of diagrams has.
    """

    __slots__ = ("left", "nodes", "outer", "parts")

    def __init__(self, left: int, outer: Work | None) -> None:
        """So many units, but no more than `outer` has left."""
        self.left = left
        self.outer = outer
        self.nodes: int | None = None
        self.parts = 0

    def count(self, units: int) -> None:
        """Count units that were used already."""
        self.left -= units
        if self.outer is not None:
            self.outer.count(units)

    def spend(self, units: int) -> None:
        """Use so many units; raises `OutOfWork` if fewer are left."""
        self.count(units)
        if self.left < 0 or (self.outer is not None and self.outer.left < 0):
            raise OutOfWork


class Limit:
    """The time and the memory that some work may take, from now on.

    Attributes:
        seconds: how many there were at the start; None for no limit.
        memory: how many bytes the process may hold; None for no limit.
        work: what work is left; None if it is not limited.
    """

    __slots__ = ("_end", "_next", "memory", "seconds", "work")

    def __init__(
        self,
        seconds: float | None,
        memory: int | None,
        outer: Limit | None = None,
        work: int | None = None,
    ) -> None:
        """The clock starts now.

        Args:
            seconds: how many there are; None for no limit.
            memory: how many bytes the process may hold; None for no limit.
            outer: the limit around this one, which holds too.
            work: how many units there are; None for no limit.

        Raises:
            InputError: a limit is below 0.
        """
        if seconds is not None and not seconds >= 0:
            raise InputError(f"expected seconds of 0 or more, got {seconds}")
        if memory is not None and not memory >= 0:
            raise InputError(f"expected bytes of memory of 0 or more, got {memory}")
        now = time.monotonic()
        self.seconds = seconds
        self.memory = memory
        self._end = math.inf if seconds is None else now + seconds
        self._next = now
        around = None if outer is None else outer.work
        self.work: Work | None = around if work is None else Work(work, around)
        if outer is not None:
            if outer._end <= self._end:
                self.seconds, self._end = outer.seconds, outer._end
            if outer.memory is not None and (memory is None or outer.memory <= memory):
                self.memory, self._next = outer.memory, outer._next

    def check(self) -> None:
        """Raise `NoAnswerWithin` or `OutOfMemory` if nothing is left."""
        now = time.monotonic()
        if now >= self._end:
            raise self.out_of_time()
        if self.memory is not None and now >= self._next:
            between = _BETWEEN
            if resident_memory() > self.memory:
                if not self._tidied(0):
                    raise OutOfMemory(self.memory)
                # Close to the limit, most of the time is not for tidying up.
                between += 10 * (time.monotonic() - now)
            self._next = now + between

    def need(self, size: int) -> None:
        """Raise `OutOfMemory` if so many bytes more are too many; and whatever `check` raises."""
        self.check()
        if self.memory is None or resident_memory() + size <= self.memory:
            return
        if not self._tidied(size):
            raise OutOfMemory(self.memory)

    def _tidied(self, size: int) -> bool:
        """Whether there is room for so many bytes more once unreachable objects are freed.

        A finished game may hold a diagram of 100 MB by few objects that refer to each other.
        Python, which counts objects and not bytes, is in no hurry to look for these.
        """
        gc.collect()
        heap.trim()
        assert self.memory is not None
        return resident_memory() + size <= self.memory

    def out_of_time(self) -> NoAnswerWithin:
        """The error that says how many seconds there were."""
        assert self.seconds is not None
        return NoAnswerWithin(self.seconds)

    def seconds_left(self) -> float | None:
        """The seconds that are left, 0 or more; None if time is not limited."""
        return None if self.seconds is None else max(0.0, self._end - time.monotonic())

    def memory_left(self) -> int | None:
        """The bytes that are left, 0 or more; None if memory is not limited."""
        return None if self.memory is None else max(0, self.memory - resident_memory())


_LIMIT: ContextVar[Limit | None] = ContextVar("limit", default=None)


def current() -> Limit | None:
    """The limit of the work that goes on now; None if there is none."""
    return _LIMIT.get()


def look(units: int = 1) -> None:
    """Raise `BudgetExceeded` if the work that goes on now has no time or memory left.

    A look counts as work, too: by default as one unit.
    """
    limit = _LIMIT.get()
    if limit is not None:
        limit.check()
        if units and limit.work is not None:
            limit.work.spend(units)


def need(size: int) -> None:
    """Look, and raise `OutOfMemory` if there is no room for so many bytes more."""
    limit = _LIMIT.get()
    if limit is not None:
        limit.need(size)


def read_bytes(file: BinaryIO) -> bytes:
    """All that a file has, read in pieces; raises `OutOfMemory` early if it is too much.

    What is read is decoded, cut into lines and parsed, so it needs several times its size.
    """
    pieces: list[bytes] = []
    size = 0
    while piece := file.read(_PIECE):
        pieces.append(piece)
        size += len(piece)
        need(_COPIES * size)
    return b"".join(pieces)


def read_text(file: BinaryIO) -> str:
    """The same as text: UTF-8, with or without a mark at the beginning, and any ends of lines."""
    return TextIOWrapper(BytesIO(read_bytes(file)), encoding="utf-8-sig").read()


def spend(units: int) -> None:
    """Count so much of the work that goes on now; raises `OutOfWork` if nothing is left."""
    limit = _LIMIT.get()
    if limit is not None and limit.work is not None:
        limit.work.spend(units)


def within(
    seconds: float | None = None, memory: int | None = None, work: int | None = None
) -> AbstractContextManager[None]:
    """Limit the work of the body.

    Args:
        seconds: wall time; None for no limit.
        memory: the bytes of memory that the whole process may hold; None for no limit.
        work: units of work; None for no limit.

    Raises:
        NoAnswerWithin: the time has run out.
        OutOfMemory: the process holds more.
        OutOfWork: so much work was done.
        InputError: a limit is below 0.
    """
    if seconds is memory is work is None:
        return nullcontext()  # at each decision of a game
    return under(Limit(seconds, memory, _LIMIT.get(), work))


@contextmanager
def under(limit: Limit | None) -> Iterator[None]:
    """Give the work of the body this limit instead of the present one; None for no limit."""
    token = _LIMIT.set(limit)
    try:
        yield
    finally:
        _LIMIT.reset(token)


def _statm() -> int:
    """The memory of the process, as Linux states it."""
    # Opened each time: a file that is kept would tell a forked process about its parent.
    file = os.open("/proc/self/statm", os.O_RDONLY)
    try:
        return int(os.read(file, 100).split()[1]) * os.sysconf("SC_PAGE_SIZE")
    finally:
        os.close(file)


def _highest() -> int:
    """The greatest memory the process has held: the best number that other systems give."""
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return 0
    return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def resident_memory() -> int:
    """The bytes of memory that this process holds; 0 where the system does not say."""
    try:
        return _statm()
    except OSError:
        return _highest()
