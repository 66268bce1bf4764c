"""Calls of engines in other processes, each with a budget.

There are processes for what is quick (steps, sheets, entries) and others for what may take long
(questions, reasons, drawings, advice): a long question never keeps a step waiting. Who waits for a
process of a kind is served in turn, and of one table only one long call is done at a time, so that
no table can take all of them. A process keeps what it has read of a table, so a table goes to the
process that had it last, if that is free.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from typing import ParamSpec, TypeVar

from symkripke.errors import BudgetExceeded, SymkripkeError
from symkripke.limits import within
from symkripke.play.workers import Worker
from symkripke.web.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")

_WAITING = 400
"""So many calls wait for a kind of process at most."""

_GRACE = 5.0
"""A process that has not stopped so long after its time is ended."""

_REMEMBERED = 64

_START = 120.0
"""So many seconds a process may take to start."""


class Busy(SymkripkeError):
    """Too many are waiting already."""


class _Kind:
    """Processes of one kind."""

    def __init__(self, number: int) -> None:
        self.free: list[Worker] = [Worker() for _ in range(number)]
        self.every = tuple(self.free)
        self.turn = asyncio.Semaphore(number)
        self.waiting = 0
        self.last: OrderedDict[str, Worker] = OrderedDict()

    async def take(self, key: str) -> Worker:
        """A free process; that which had this key last, if it is free."""
        if self.waiting >= _WAITING:
            raise Busy("the server has too much to do just now: try again in a moment")
        self.waiting += 1
        try:
            await self.turn.acquire()
        finally:
            self.waiting -= 1
        known = self.last.get(key)
        taken = known if known is not None and known in self.free else self.free[0]
        self.free.remove(taken)
        self.last[key] = taken
        self.last.move_to_end(key)
        while len(self.last) > _REMEMBERED:
            self.last.popitem(last=False)
        return taken

    def give_back(self, worker: Worker) -> None:
        """A process is free again."""
        self.free.append(worker)
        self.turn.release()


class Work:
    """The processes of a server."""

    def __init__(self, settings: Settings) -> None:
        """None of them runs before it is needed."""
        self.settings = settings
        self._quick = _Kind(settings.quick)
        self._slow = _Kind(settings.slow)
        self._threads = ThreadPoolExecutor(settings.quick + settings.slow, "work")
        self._turns: dict[str, tuple[asyncio.Lock, int]] = {}

    async def quick(self, key: str, task: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Do what takes a moment; raises what the task raises, `BudgetExceeded`, `Busy`."""
        assert not more
        return await self._do(self._quick, key, task, args, self.settings.seconds)

    async def slow(self, key: str, task: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Do what may take long; one such call of a key at a time."""
        assert not more
        async with self.alone(f"slow {key}"):
            return await self._do(self._slow, key, task, args, self.settings.patience)

    @asynccontextmanager
    async def alone(self, key: str) -> AsyncIterator[None]:
        """The body is done for one at a time who has this key."""
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
        job = asyncio.get_running_loop().run_in_executor(
            self._threads,
            worker.do,
            limited,
            (task, arguments, seconds, self.settings.memory),
            seconds + _GRACE,
        )

        def done(job: asyncio.Future[T]) -> None:
            kind.give_back(worker)
            if not job.cancelled():
                job.exception()  # if nobody waits any longer, it is nobody's

        # Also if who asked has gone away, the process is taken until it has done.
        job.add_done_callback(done)
        return await asyncio.shield(job)

    async def warm_up(self) -> None:
        """Start all processes, so that nobody waits for that."""
        for kind in (self._quick, self._slow):
            for number in range(len(kind.every)):
                await self._do(kind, f"start {number}", ready, (), _START)

    def end(self) -> None:
        """End all processes."""
        for worker in (*self._quick.every, *self._slow.every):
            worker.end()
        self._threads.shutdown(wait=False, cancel_futures=True)


def ready() -> None:
    """In the other process: import what is needed most."""
    from symkripke.web.views import asking, hosting, noting, watching

    assert asking, (hosting, noting, watching)


def limited(
    task: Callable[..., T], arguments: tuple[object, ...], seconds: float, memory: int
) -> T:
    """In the other process: do a task within its budget."""
    try:
        with within(seconds, memory):
            return task(*arguments)
    except RecursionError as error:
        raise BudgetExceeded("this is nested too deeply") from error
