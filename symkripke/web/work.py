"""Calls of engines in other processes, each with a budget.

There are three kinds of processes: for quick calls (steps, sheets, entries), for slow ones
(questions, probabilities), and for those that may take many seconds (reviews, advice, puzzles,
questions that turned out to be long). So a long search never delays a question, and a question
never delays a step. Where processors are short, too, the later kinds give way. The number of
processes does not depend on the machine. Calls that wait for a process of one kind are served in
turn. Each table has at most one call of the later kinds at a time, so that no table can take all
processes.

A process keeps the tables that it has read (`symkripke.web.views.kept`), within a limit of memory.
So each table has its own process of each kind. Another process takes its place only if that process
has been busy for long. All that a process keeps it can read again from the logs.
"""

from __future__ import annotations

import asyncio
import gc
import math
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import ParamSpec, Protocol, TypeVar
from zlib import crc32

from symkripke.errors import BudgetExceeded, SymkripkeError
from symkripke.limits import within
from symkripke.play.workers import Worker
from symkripke.web.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")


class Do(Protocol):
    """`Work.quick`, `Work.slow` or `Work.long`."""

    async def __call__(self, key: str, task: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Do a task for a table; raises what the task raises, `BudgetExceeded`, `Busy`."""


_SLOW, _LONG = ("odds",), ("others", "suggest")
"""What is slow to show: probabilities. What may take seconds: knowledge of knowledge, advice."""

_WAITING = 400
"""The greatest number of calls that wait for a kind of process."""

_GRACE = 5.0
"""How long after its time limit a process that has not stopped is ended."""

_PATIENCE = 3.0
"""After so many seconds with one call a process has been busy for long.

Another process then has to read the table. If that happens often, all have more to do, and it
happens even more often.
"""

_NICE_SLOW, _NICE_LONG = 10, 19
"""How much processes for these calls give way to the others, where processors are short."""

_START = 120.0
"""The time limit for the start of a process, in seconds."""


class Busy(SymkripkeError):
    """Too many calls are waiting already."""


@dataclass(frozen=True, eq=False)
class _Waiting:
    """A call that waits for a process.

    Attributes:
        own: the process that has read the table.
        turn: is given a process.
    """

    own: Worker
    turn: asyncio.Future[Worker]


class _Kind:
    """Processes of one kind."""

    def __init__(self, number: int, nice: int) -> None:
        self.nice = nice
        self.every = tuple(Worker() for _ in range(number))
        self.since: dict[Worker, float] = {}
        """Processes that do something, and since when."""
        self.waiting: list[_Waiting] = []

    async def take(self, key: str) -> Worker:
        """The process of this key; another process if that one has been busy for long."""
        if len(self.waiting) >= _WAITING:
            raise Busy("the server has too much to do just now: try again in a moment")
        place = crc32(key.encode()) % len(self.every)
        # Always in the same order, so that few of them read the same table.
        own, *others = self.every[place:] + self.every[:place]
        if own not in self.since:
            return self._taken(own)
        waiting = _Waiting(own, asyncio.get_running_loop().create_future())
        self.waiting.append(waiting)
        try:
            while not waiting.turn.done():
                other = next((worker for worker in others if worker not in self.since), None)
                left = self._until_long(own)
                if other is not None and left <= 0:
                    waiting.turn.set_result(self._taken(other))
                else:
                    # Once its own process is long, it has the next one that is given back.
                    await asyncio.wait([waiting.turn], timeout=left if left > 0 else _PATIENCE)
            return waiting.turn.result()
        except asyncio.CancelledError:
            if waiting.turn.done():
                self.give_back(waiting.turn.result())
            raise
        finally:
            self.waiting.remove(waiting)

    def _taken(self, worker: Worker) -> Worker:
        self.since[worker] = time.monotonic()
        return worker

    def _until_long(self, worker: Worker) -> float:
        """In how many seconds the process will have been busy with one call for long."""
        return self.since.get(worker, math.inf) + _PATIENCE - time.monotonic()

    def give_back(self, worker: Worker) -> None:
        """A process is free again: the next call that waits for it has it."""
        waiting = [other for other in self.waiting if not other.turn.done()]
        fitting = [other for other in waiting if other.own is worker] or [
            other for other in waiting if self._until_long(other.own) <= 0
        ]
        if fitting:
            fitting[0].turn.set_result(self._taken(worker))
        else:
            del self.since[worker]


class Work:
    """The processes of a server."""

    def __init__(self, settings: Settings) -> None:
        """None of them runs before it is needed."""
        self.settings = settings
        self._quick = _Kind(settings.quick, 0)
        self._slow = _Kind(settings.slow, _NICE_SLOW)
        self._long = _Kind(settings.long, _NICE_LONG)
        self._kinds = self._quick, self._slow, self._long
        self._threads = ThreadPoolExecutor(sum(len(kind.every) for kind in self._kinds), "work")
        self._turns: dict[str, tuple[asyncio.Lock, int]] = {}

    async def quick(self, key: str, task: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Do what takes a moment; raises what the task raises, `BudgetExceeded`, `Busy`."""
        assert not more
        return await self._do(self._quick, key, task, args, self.settings.seconds)

    async def slow(self, key: str, task: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Do what takes some tenths of a second; one such call of a key at a time."""
        assert not more
        async with self.alone(f"slow {key}"):
            return await self._do(self._slow, key, task, args, self.settings.patience)

    async def long(self, key: str, task: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Do what may take many seconds; one such call of a key at a time."""
        assert not more
        async with self.alone(f"long {key}"):
            return await self._do(self._long, key, task, args, self.settings.patience)

    def showing(self, show: str) -> Do:
        """The kind of call that shows what a player knows in this way."""
        return self.slow if show in _SLOW else self.long if show in _LONG else self.quick

    def waits(self, show: str, given: Mapping[str, str]) -> bool:
        """Return whether a page is shown first without this, which its script then asks for."""
        return show in _LONG and "now" not in given

    @asynccontextmanager
    async def alone(self, key: str) -> AsyncIterator[None]:
        """A context in which at most one call with this key runs at a time."""
        lock, users = self._turns.get(key, (asyncio.Lock(), 0))
        self._turns[key] = lock, users + 1
        async with AsyncExitStack() as stack:
            stack.callback(self._leave, key)
            await stack.enter_async_context(lock)
            yield

    def _leave(self, key: str) -> None:
        lock, users = self._turns.pop(key)
        if users > 1:
            self._turns[key] = lock, users - 1

    async def _do(
        self,
        kind: _Kind,
        key: str,
        task: Callable[..., T],
        arguments: tuple[object, ...],
        seconds: float,
    ) -> T:
        worker = await kind.take(key)
        return await self._give(kind, worker, task, arguments, seconds)

    async def _give(
        self,
        kind: _Kind,
        worker: Worker,
        task: Callable[..., T],
        arguments: tuple[object, ...],
        seconds: float,
    ) -> T:
        """Give a task to a process; until it is done, the process is taken."""
        kind.since.setdefault(worker, time.monotonic())
        job = asyncio.get_running_loop().run_in_executor(
            self._threads,
            worker.do,
            limited,
            (kind.nice, task, arguments, seconds, self.settings.memory, self.settings.held),
            seconds + _GRACE,
        )

        def done(job: asyncio.Future[T]) -> None:
            kind.give_back(worker)
            if not job.cancelled():
                job.exception()  # if nobody waits any longer, the error is dropped

        # If the client has gone away, the process still finishes the task.
        job.add_done_callback(done)
        return await asyncio.shield(job)

    async def warm_up(self) -> None:
        """Start all processes, so that nobody waits for that."""
        for kind in self._kinds:
            for worker in kind.every:
                if worker not in kind.since:
                    await self._give(kind, worker, ready, (), _START)

    def end(self) -> None:
        """End all processes."""
        for kind in self._kinds:
            for worker in kind.every:
                worker.end()
        self._threads.shutdown(wait=False, cancel_futures=True)


def ready() -> None:
    """In the other process: import what is needed most, which is there for good."""
    from symkripke.engines import bdd, sat
    from symkripke.engines.count import path_counts  # with numpy
    from symkripke.web.views import asking, hosting, noting, watching

    assert asking, (bdd, hosting, noting, path_counts, sat, watching)
    gc.collect()
    gc.freeze()


def limited(
    nice: int,
    task: Callable[..., T],
    arguments: tuple[object, ...],
    seconds: float,
    memory: int,
    held: int,
) -> T:
    """In the other process: do a task within its budget, and give way to other processes.

    Before it, room is made: what is kept of tables must not grow without end. A process that had
    to be ended is followed by a new one, so each call sees to its priority.
    """
    from symkripke.web.views.kept import make_room

    if hasattr(os, "nice") and (now := os.nice(0)) < nice:
        os.nice(nice - now)
    make_room(held)
    try:
        with within(seconds, memory):
            return task(*arguments)
    except RecursionError as error:
        raise BudgetExceeded("this is nested too deeply") from error
