"""Limits on the time, the memory and the work of a computation.

`with within(seconds=..., memory=...):` limits its body and everything that the body calls. Loops
that can run long call `look()`, which raises `BudgetExceeded` at the limit and takes almost no time
without a limit. Limits nest, and the tightest limit applies. Each thread has its own limits.

Memory is the resident memory of the process.

Work is counted, not timed, so that the same limit allows the same steps on every machine. A unit
corresponds to about 10 microseconds of a solver or of decision diagrams.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from io import BytesIO, TextIOWrapper
from typing import BinaryIO, Self, TypeVar

from symkripke import process_memory
from symkripke.argument_types import unexpected
from symkripke.errors import InputError, NoAnswerWithin, OutOfMemory, OutOfWork
from symkripke.records import dataclass

T = TypeVar("T")

LOOK_EVERY = 256
"""The number of short steps between two calls of `look` in a loop."""

# Seconds between two checks of the memory. The time is checked on every call, which takes no longer
# than counting the calls.
_BETWEEN = 0.02

# The size in bytes of the pieces of a file, and the number of copies that must fit in memory.
_PIECE = 1 << 20
_COPIES = 3


_TRIAL_ENDED = "no answer within its share of the work"


class SearchAborted(Exception):
    """A part of a search that reached its bound; the caller continues without a result."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a question. Exceeding one raises `BudgetExceeded`.

    Attributes:
        seconds: wall time for the whole question; None for no limit.
        conflicts: conflicts of the SAT solver for the whole question; None for no limit.
        memory: resident memory of the process in bytes; None for no limit.
        work: units of work, about 10 microseconds each; None for no limit. A question takes the
            same work on each run. The sat and bdd engines count work.

    Raises:
        InputError: a limit is not a number, or is below 0.
    """

    seconds: float | None = None
    conflicts: int | None = None
    memory: int | None = None
    work: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            if not isinstance(self.seconds, int | float):
                raise unexpected("a number of seconds", self.seconds)
            if not self.seconds >= 0:
                raise InputError(f"expected seconds of 0 or more, got {self.seconds}")
        for what, given in (
            ("conflicts", self.conflicts),
            ("bytes of memory", self.memory),
            ("units of work", self.work),
        ):
            if given is None:
                continue
            if not isinstance(given, int):
                raise unexpected(f"a whole number of {what}", given)
            if given < 0:
                raise InputError(f"expected {what} of 0 or more, got {given}")


class Allowance:
    """A countable resource, which an outer allowance may limit further.

    Attributes:
        most: the amount at the start.
        left: the amount left; negative if too much was used.
    """

    __slots__ = ("left", "most", "outer")

    def __init__(self, most: int, outer: Self | None) -> None:
        """Allow `most` units, which also count against the outer allowance."""
        self.most = self.left = most
        self.outer = outer

    def count(self, used: int) -> None:
        """Count `used` units."""
        self.left -= used
        if self.outer is not None:
            self.outer.count(used)

    def tightest(self) -> Self:
        """Return the allowance with the least left, among this allowance and the outer ones."""
        outer = None if self.outer is None else self.outer.tightest()
        return self if outer is None or self.left < outer.left else outer


class Work(Allowance):
    """The work left, in units.

    Attributes:
        nodes: the number of nodes of diagrams at the last check; None before the first check.
        parts: further work of the bdd engine, in its own fractions of a unit.
    """

    __slots__ = ("is_trial", "nodes", "parts")

    def __init__(self, most: int, outer: Work | None, is_trial: bool) -> None:
        """Allow `most` units, for a trial or for a whole question."""
        super().__init__(most, outer)
        self.is_trial = is_trial
        self.nodes: int | None = None
        self.parts = 0

    def spend(self, units: int) -> None:
        """Use units of work.

        Raises:
            OutOfWork: the whole question has no work left.
            SearchAborted: a trial has no work left.
        """
        self.count(units)
        self.check()

    def check(self) -> None:
        """Raise the errors of `spend` if too much work was used."""
        if self.outer is not None:
            self.outer.check()
        if self.left < 0:
            raise SearchAborted(_TRIAL_ENDED) if self.is_trial else OutOfWork


class Limit:
    """A budget in use: the clock runs, and work is counted.

    Attributes:
        seconds: the seconds at the start; None for no limit.
        memory: the resident memory of the process in bytes; None for no limit.
        work: the work left; None for no limit.
        conflicts: the conflicts of SAT solvers left; None for no limit.
    """

    __slots__ = ("_end", "_next", "conflicts", "memory", "seconds", "work")

    def __init__(
        self, budget: Budget, outer: Limit | None = None, *, is_trial: bool = False
    ) -> None:
        """Start the clock.

        Args:
            budget: the limits.
            outer: the enclosing limit, which also applies.
            is_trial: whether exceeding the work raises `SearchAborted` instead of `OutOfWork`.
        """
        now = time.monotonic()
        self.seconds = budget.seconds
        self.memory = budget.memory
        self._end = math.inf if budget.seconds is None else now + budget.seconds
        self._next = now
        self.work: Work | None = None if outer is None else outer.work
        if budget.work is not None:
            self.work = Work(budget.work, self.work, is_trial)
        self.conflicts: Allowance | None = None if outer is None else outer.conflicts
        if budget.conflicts is not None:
            self.conflicts = Allowance(budget.conflicts, self.conflicts)
        if outer is not None:
            if outer._end <= self._end:
                self.seconds, self._end = outer.seconds, outer._end
            if outer.memory is not None and (self.memory is None or outer.memory <= self.memory):
                self.memory, self._next = outer.memory, outer._next

    def check(self) -> None:
        """Raise `NoAnswerWithin` or `OutOfMemory` if no time or no memory is left."""
        now = time.monotonic()
        if now >= self._end:
            raise self.out_of_time()
        if self.memory is not None and now >= self._next:
            between = _BETWEEN
            if process_memory.resident() > self.memory:
                if not self._tidied(0):
                    raise OutOfMemory(self.memory)
                # Near the limit, at most a tenth of the time is spent on freeing memory.
                between += 10 * (time.monotonic() - now)
            self._next = now + between

    def need(self, size: int) -> None:
        """Raise `OutOfMemory` if `size` more bytes do not fit, or an error of `check`."""
        self.check()
        if self.memory is None or process_memory.resident() + size <= self.memory:
            return
        if not self._tidied(size):
            raise OutOfMemory(self.memory)

    def _tidied(self, size: int) -> bool:
        """Free unreachable objects, and return whether `size` more bytes fit now.

        A reference cycle of few objects may keep a diagram of 100 MB alive. The garbage collector
        counts objects and not bytes, so it may run late.
        """
        gc.collect()
        process_memory.trim()
        assert self.memory is not None
        return process_memory.resident() + size <= self.memory

    def out_of_time(self) -> NoAnswerWithin:
        """Return the error that states the limit in seconds."""
        assert self.seconds is not None
        return NoAnswerWithin(self.seconds)

    def seconds_left(self) -> float | None:
        """Return the seconds left, at least 0; None without a limit."""
        return None if self.seconds is None else max(0.0, self._end - time.monotonic())

    def memory_left(self) -> int | None:
        """Return the bytes left, at least 0; None without a limit."""
        return None if self.memory is None else max(0, self.memory - process_memory.resident())


_LIMIT: ContextVar[Limit | None] = ContextVar("limit", default=None)


def current() -> Limit | None:
    """Return the limit of the current computation, or None."""
    return _LIMIT.get()


def check() -> None:
    """Raise `BudgetExceeded` if the current computation has no time or memory left."""
    limit = _LIMIT.get()
    if limit is not None:
        limit.check()


def look() -> None:
    """Check time and memory, and count a unit of work; raise the errors of `check` and `spend`."""
    limit = _LIMIT.get()
    if limit is not None:
        limit.check()
        if limit.work is not None:
            limit.work.spend(1)


def need(size: int) -> None:
    """Check the limits; raise `OutOfMemory` if `size` more bytes do not fit."""
    limit = _LIMIT.get()
    if limit is not None:
        limit.need(size)


def read_bytes(file: BinaryIO) -> bytes:
    """Return the contents of a file; raise `OutOfMemory` early if they are too large.

    Decoding and parsing need several times the size of the file.
    """
    pieces: list[bytes] = []
    size = 0
    while piece := file.read(_PIECE):
        pieces.append(piece)
        size += len(piece)
        need(_COPIES * size)
    return b"".join(pieces)


def read_text(file: BinaryIO) -> str:
    """Return the text of a UTF-8 file, with any line endings and an optional byte order mark."""
    return TextIOWrapper(BytesIO(read_bytes(file)), encoding="utf-8-sig").read()


def repeated(given: Iterable[T]) -> T | None:
    """Return the first value that repeats, checking the limits meanwhile; None if all differ."""
    seen: set[T] = set()
    for value in given:
        check()
        if value in seen:
            return value
        seen.add(value)
    return None


def spend(units: int) -> None:
    """Count units of work of the current computation.

    Raises:
        OutOfWork: the computation has no work left.
        SearchAborted: a trial has no work left.
    """
    limit = _LIMIT.get()
    if limit is not None and limit.work is not None:
        limit.work.spend(units)


def seconds_left() -> float | None:
    """Return the seconds left for the current computation; None without a limit."""
    limit = _LIMIT.get()
    return None if limit is None else limit.seconds_left()


def within(
    seconds: float | None = None,
    memory: int | None = None,
    work: int | None = None,
    conflicts: int | None = None,
) -> AbstractContextManager[None]:
    """Limit the resources of the body.

    Args:
        seconds: wall time; None for no limit.
        memory: the resident memory of the process in bytes; None for no limit.
        work: units of work; None for no limit.
        conflicts: conflicts of SAT solvers; None for no limit.

    Raises:
        NoAnswerWithin: the time or the conflicts are used up.
        OutOfMemory: the process holds more memory.
        OutOfWork: the work is used up.
        InputError: a limit is below 0.
    """
    if seconds is memory is work is conflicts is None:
        return nullcontext()  # the usual case at each decision of a game
    return under(Limit(Budget(seconds, conflicts, memory, work), _LIMIT.get()))


def within_budget(budget: Budget | None) -> AbstractContextManager[None]:
    """Limit the resources of the body to a budget; raise the errors of `within`."""
    return nullcontext() if budget is None else under(Limit(budget, _LIMIT.get()))


def trial(work: int | None, seconds: float | None = None) -> AbstractContextManager[None]:
    """Limit a part of a search that may remain unfinished.

    With `work` alone, the result does not depend on the speed of the machine.

    Args:
        work: units of work; None for no limit.
        seconds: wall time; None for no limit.

    Raises:
        SearchAborted: the work is used up.
        BudgetExceeded: the time is used up, or an outer limit is reached.
    """
    return under(Limit(Budget(seconds, work=work), _LIMIT.get(), is_trial=True))


@contextmanager
def under(limit: Limit | None) -> Iterator[None]:
    """Replace the current limit during the body; None for no limit."""
    token = _LIMIT.set(limit)
    try:
        yield
    finally:
        _LIMIT.reset(token)
