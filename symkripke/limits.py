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
"""Loops with short steps look once in so many steps."""

# Seconds between two looks at the memory. The time is looked at always: that takes no longer than
# to count the looks.
_BETWEEN = 0.02

# Files are read in pieces of so many bytes; there must be room for so many copies of what was read.
_PIECE = 1 << 20
_COPIES = 3


_TRIAL_ENDED = "no answer within its share of the work"


class SearchAborted(Exception):
    """A part of a search was given up at its bound; whoever began it goes on without a result."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a question may cost. Running out raises `BudgetExceeded`.

    Attributes:
        seconds: wall time for the whole question, None for no limit.
        conflicts: conflicts of the SAT solver for the whole question, None for no limit.
        memory: bytes of memory that the process may hold meanwhile, None for no limit.
        work: units of work, about 10 microseconds each, None for no limit. A question takes the
            same work on each run. The sat and the bdd engine count it.

    Raises:
        InputError: one of them is no number, or is below 0.
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
    """A number of something that may be used up, no more than an outer allowance has left.

    Attributes:
        most: how many there were at the start.
        left: how many are left; below 0 if too many were used.
    """

    __slots__ = ("left", "most", "outer")

    def __init__(self, most: int, outer: Self | None) -> None:
        """So many, but no more than `outer` has left."""
        self.most = self.left = most
        self.outer = outer

    def count(self, used: int) -> None:
        """Count what was used already."""
        self.left -= used
        if self.outer is not None:
            self.outer.count(used)

    def tightest(self) -> Self:
        """The allowance around this one, or this one, that has least left."""
        outer = None if self.outer is None else self.outer.tightest()
        return self if outer is None or self.left < outer.left else outer


class Work(Allowance):
    """How much work is left, in units.

    Attributes:
        nodes: the nodes of diagrams that there were when it was looked at last; None before that.
        parts: what was done besides, in parts of a unit that the engine of diagrams has.
    """

    __slots__ = ("is_trial", "nodes", "parts")

    def __init__(self, most: int, outer: Work | None, is_trial: bool) -> None:
        """So much work, but no more than `outer` has left; for a trial or for a whole question."""
        super().__init__(most, outer)
        self.is_trial = is_trial
        self.nodes: int | None = None
        self.parts = 0

    def spend(self, units: int) -> None:
        """Use so many units.

        Raises:
            OutOfWork: the whole question has no more left.
            SearchAborted: a trial has no more left.
        """
        self.count(units)
        self.check()

    def check(self) -> None:
        """Raise as `spend` does if too much was used."""
        if self.outer is not None:
            self.outer.check()
        if self.left < 0:
            raise SearchAborted(_TRIAL_ENDED) if self.is_trial else OutOfWork


class Limit:
    """The time, memory, work and conflicts that some work may take, from now on.

    Attributes:
        seconds: how many there were at the start; None for no limit.
        memory: how many bytes the process may hold; None for no limit.
        work: what work is left; None if it is not limited.
        conflicts: what conflicts of SAT solvers are left; None if they are not limited.
    """

    __slots__ = ("_end", "_next", "conflicts", "memory", "seconds", "work")

    def __init__(
        self, budget: Budget, outer: Limit | None = None, *, is_trial: bool = False
    ) -> None:
        """The clock starts now.

        Args:
            budget: what there is.
            outer: the limit around this one, which holds too.
            is_trial: whether to raise `SearchAborted`, and no error, if the work is used up.
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
                # Close to the limit, most of the time is not for tidying up.
                between += 10 * (time.monotonic() - now)
            self._next = now + between

    def need(self, size: int) -> None:
        """Raise `OutOfMemory` if so many bytes more are too many; and whatever `check` raises."""
        self.check()
        if self.memory is None or process_memory.resident() + size <= self.memory:
            return
        if not self._tidied(size):
            raise OutOfMemory(self.memory)

    def _tidied(self, size: int) -> bool:
        """Whether there is room for so many bytes more once unreachable objects are freed.

        A finished game may hold a diagram of 100 MB by few objects that refer to each other.
        Python, which counts objects and not bytes, is in no hurry to look for these.
        """
        gc.collect()
        process_memory.trim()
        assert self.memory is not None
        return process_memory.resident() + size <= self.memory

    def out_of_time(self) -> NoAnswerWithin:
        """The error that says how many seconds there were."""
        assert self.seconds is not None
        return NoAnswerWithin(self.seconds)

    def seconds_left(self) -> float | None:
        """The seconds that are left, 0 or more; None if time is not limited."""
        return None if self.seconds is None else max(0.0, self._end - time.monotonic())

    def memory_left(self) -> int | None:
        """The bytes that are left, 0 or more; None if memory is not limited."""
        return None if self.memory is None else max(0, self.memory - process_memory.resident())


_LIMIT: ContextVar[Limit | None] = ContextVar("limit", default=None)


def current() -> Limit | None:
    """The limit of the work that goes on now; None if there is none."""
    return _LIMIT.get()


def check() -> None:
    """Raise `BudgetExceeded` if the work that goes on now has no time or memory left."""
    limit = _LIMIT.get()
    if limit is not None:
        limit.check()


def look() -> None:
    """Check, and count a unit of work; raises as `spend` does, too."""
    limit = _LIMIT.get()
    if limit is not None:
        limit.check()
        if limit.work is not None:
            limit.work.spend(1)


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


def repeated(given: Iterable[T]) -> T | None:
    """Return the first value that was given before; None if all differ. Looks at the limits."""
    seen: set[T] = set()
    for value in given:
        check()
        if value in seen:
            return value
        seen.add(value)
    return None


def spend(units: int) -> None:
    """Count so much of the work that goes on now.

    Raises:
        OutOfWork: nothing is left of it.
        SearchAborted: nothing is left of a trial.
    """
    limit = _LIMIT.get()
    if limit is not None and limit.work is not None:
        limit.work.spend(units)


def seconds_left() -> float | None:
    """The seconds that are left for the work that goes on now; None if time is not limited."""
    limit = _LIMIT.get()
    return None if limit is None else limit.seconds_left()


def within(
    seconds: float | None = None,
    memory: int | None = None,
    work: int | None = None,
    conflicts: int | None = None,
) -> AbstractContextManager[None]:
    """Limit the work of the body.

    Args:
        seconds: wall time; None for no limit.
        memory: the bytes of memory that the whole process may hold; None for no limit.
        work: units of work; None for no limit.
        conflicts: conflicts of SAT solvers; None for no limit.

    Raises:
        NoAnswerWithin: the time has run out, or the conflicts have.
        OutOfMemory: the process holds more.
        OutOfWork: so much work was done.
        InputError: a limit is below 0.
    """
    if seconds is memory is work is conflicts is None:
        return nullcontext()  # at each decision of a game
    return under(Limit(Budget(seconds, conflicts, memory, work), _LIMIT.get()))


def within_budget(budget: Budget | None) -> AbstractContextManager[None]:
    """Limit the work of the body to a budget; raises as `within` does."""
    return nullcontext() if budget is None else under(Limit(budget, _LIMIT.get()))


def trial(work: int | None, seconds: float | None = None) -> AbstractContextManager[None]:
    """Limit a part of the work that can be given up.

    With `work` alone, the result does not depend on the speed of the machine.

    Args:
        work: units of work; None for no limit.
        seconds: wall time; None for no limit.

    Raises:
        SearchAborted: so much work was done.
        BudgetExceeded: the time has run out, or an outer limit is reached.
    """
    return under(Limit(Budget(seconds, work=work), _LIMIT.get(), is_trial=True))


@contextmanager
def under(limit: Limit | None) -> Iterator[None]:
    """Give the work of the body this limit instead of the present one; None for no limit."""
    token = _LIMIT.set(limit)
    try:
        yield
    finally:
        _LIMIT.reset(token)
