"""Calls of engines in worker processes, each within a budget.

There are three pools of workers: `quick` for steps, sheets and entries, `slow` for questions and
probabilities, and `long` for calls that may take many seconds (reviews, advice, puzzles, questions
that turned out to be long). A long search therefore never delays a question, and a question never
delays a step. The later pools also have lower priorities, which matters if there are few
processors. The number of workers does not depend on the machine.

A worker caches the tables that it has read (`symkripke.web.views.caches`), up to a memory limit.
Each table therefore stays with one worker of each pool. A worker can always read its tables again
from the logs. A table has at most one call in a pool at a time, so that no table can take all
workers.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, partial
from typing import Any, ParamSpec, TypeVar
from weakref import WeakValueDictionary
from zlib import crc32

from symkripke.errors import BudgetExceeded
from symkripke.limits import within
from symkripke.play.runs.workers import Worker
from symkripke.web.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")

_SLOW, _LONG = ("odds",), ("others", "suggest")
"""The slow views (probabilities), and the long ones (nested knowledge, advice)."""

_GRACE = 5.0
"""The extra time in seconds that a worker gets after its time limit, before it is killed."""

_PATIENCE = 3.0
"""The time in seconds that a call waits for the worker of its table before it takes another one.

The other worker must read the table first, which is extra work.
"""

_LOOK_AGAIN = 0.2
"""The time in seconds between two checks for a free worker."""

_START = 120.0
"""The time limit for the start of a worker, in seconds."""


class Turns:
    """Locks by key, each kept only while it is in use."""

    def __init__(self) -> None:
        """Create an empty collection of locks."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def __call__(self, key: str) -> asyncio.Lock:
        """Return the lock of a key."""
        return self._locks.setdefault(key, asyncio.Lock())


class _Lane:
    """A worker, and the thread that waits for it."""

    def __init__(self) -> None:
        # Before Python 3.14, a ProcessPoolExecutor cannot end a call that takes too long. It also
        # has a higher overhead per call.
        self.worker = Worker()
        self.thread = ThreadPoolExecutor(1, "work")
        self.jobs: list[Future[Any]] = []

    @property
    def is_free(self) -> bool:
        """True if the worker has nothing to do."""
        return all(job.done() for job in self.jobs)

    def begin(self, call: Callable[[], T], seconds: float) -> Future[T]:
        """Queue a call for the worker."""
        job: Future[T] = self.thread.submit(self.worker.do, call, (), seconds)
        self.jobs = [*(job for job in self.jobs if not job.done()), job]
        return job


class Pool:
    """Workers for calls of one kind; a table stays with one of them."""

    def __init__(self, workers: int, nice: int, settings: Settings) -> None:
        """Create a pool; workers start on first use.

        Args:
            workers: the number of workers.
            nice: the nice value of the workers; a higher value is a lower priority.
            settings: the settings of the server.
        """
        self._nice = nice
        self._settings = settings
        self._lanes = [_Lane() for _ in range(workers)]
        self._turns = Turns()

    async def __call__(self, key: str, task: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Run a task for a table. Raise the error of the task, or `BudgetExceeded`."""
        assert not more
        place = crc32(key.encode()) % len(self._lanes)
        # The order is fixed, so that few workers read the same table.
        own, *others = self._lanes[place:] + self._lanes[:place]
        seconds = self._settings.seconds + _GRACE
        call = partial(limited, self._nice, self._settings, task, *args)
        async with self._turns(key):
            job = own.begin(call, seconds)
            answer = asyncio.wrap_future(job)
            patience = _PATIENCE
            while not (await asyncio.wait([answer], timeout=patience))[0] and not job.running():
                free = next((lane for lane in others if lane.is_free), None)
                if free is not None and job.cancel():
                    answer = asyncio.wrap_future(free.begin(call, seconds))
                    break
                patience = _LOOK_AGAIN
            return await answer

    async def warm_up(self) -> None:
        """Start all workers, so that no call waits for a start."""
        for lane in self._lanes:
            await asyncio.wrap_future(lane.begin(partial(prepare, self._nice), _START))

    def end(self) -> None:
        """End all workers."""
        for lane in self._lanes:
            lane.thread.shutdown(wait=False, cancel_futures=True)
            lane.worker.end()


class WorkerPools:
    """The worker processes of a server."""

    def __init__(self, settings: Settings) -> None:
        """Create pools; workers start on first use."""
        # With equal priorities, busy slow and long workers would delay quick calls if there are few
        # processors.
        self.quick = Pool(settings.quick, 0, settings)
        self.slow = Pool(settings.slow, 10, settings)
        self.long = Pool(settings.long, 19, settings)
        self.changing = Turns()
        """Locks for changes to tables, by the name of the table."""

    def showing(self, show: str) -> Pool:
        """Return the pool for this way to show a player's knowledge."""
        return self.slow if show in _SLOW else self.long if show in _LONG else self.quick

    def waits(self, show: str, given: Mapping[str, str]) -> bool:
        """Return whether a page is first shown without this view, which a script then loads."""
        return show in _LONG and "now" not in given

    async def warm_up(self) -> None:
        """Start all workers."""
        for pool in (self.quick, self.slow, self.long):
            await pool.warm_up()

    def end(self) -> None:
        """End all workers."""
        for pool in (self.quick, self.slow, self.long):
            pool.end()


@cache
def prepare(nice: int) -> None:
    """Prepare a worker: lower its priority, and import the modules that it needs."""
    if hasattr(os, "nice"):
        os.nice(nice)
    from symkripke.engines import bdd, sat
    from symkripke.engines.count import path_counts  # with numpy
    from symkripke.web.views import asking, hosting, noting, watching

    assert asking, (bdd, hosting, noting, path_counts, sat, watching)
    gc.collect()
    gc.freeze()


def limited(nice: int, settings: Settings, task: Callable[..., T], *args: object) -> T:
    """Run a task in a worker within its budget, after evicting tables if memory is short."""
    from symkripke.web.views.caches import evict

    prepare(nice)
    evict(settings.held)
    try:
        with within(settings.seconds, settings.memory):
            return task(*args)
    except RecursionError as error:
        raise BudgetExceeded("this is nested too deeply") from error
