"""Assignment of calls to workers: each table keeps its worker, unless a long call occupies it."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest

from symkripke.errors import SymkripkeError
from symkripke.web import settings, work
from symkripke.web.settings import Settings
from symkripke.web.work import Pool, WorkerPools

T = TypeVar("T")


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[[Callable[[WorkerPools], Coroutine[Any, Any, T]]], T]]:
    """Return a function that plays a scene with some workers."""

    def played(scene: Callable[[WorkerPools], Coroutine[Any, Any, T]]) -> T:
        # Use a separate thread, because browser tests leave an event loop in this one.
        with ThreadPoolExecutor(1) as threads:
            return threads.submit(asyncio.run, scene(found)).result(120)

    found = WorkerPools(Settings(tmp_path, quick=1, slow=2, long=1, seconds=60))
    yield played
    found.end()


def waits(gate: str) -> tuple[int, float]:
    """Wait in a worker until the gate exists; return the worker's process and the starting time."""
    begun = time.monotonic()
    while gate and not os.path.exists(gate):
        time.sleep(0.005)
    return os.getpid(), begun


async def keys_of(pool: Pool) -> tuple[int, list[str], list[str]]:
    """Return a worker, the tables assigned to it, and the other tables."""
    keys = [f"table {number}" for number in range(8)]
    told = [await pool(key, waits, "") for key in keys]
    first = told[0][0]
    mine = [key for key, (worker, _) in zip(keys, told, strict=True) if worker == first]
    return first, mine, [key for key in keys if key not in mine]


async def begun(*calls: Coroutine[Any, Any, T]) -> list[asyncio.Task[T]]:
    """Start these calls, and let them run until they wait for an answer."""
    tasks = [asyncio.create_task(call) for call in calls]
    for _ in range(10):
        await asyncio.sleep(0)
    return tasks


def test_a_table_stays_with_its_worker_and_has_one_call_at_a_time(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "_PATIENCE", 1_000)
    gate = tmp_path / "gate"

    async def scene(pools: WorkerPools) -> None:
        worker, mine, others = await keys_of(pools.slow)
        assert len(mine) > 1
        asked = [mine[0], mine[0], mine[0], mine[1], others[0]]
        calls = await begun(*(pools.slow(key, waits, str(gate)) for key in asked))
        # A cancelled call does not affect the others.
        gone = await begun(*(pools.slow(key, waits, str(gate)) for key in mine[:2]))
        for call in gone:
            call.cancel()
        gate.touch()
        told = await asyncio.gather(*calls)
        assert [found[0] == worker for found in told] == [True] * 4 + [False]
        # Calls run in turn, but a table with many calls does not delay other tables.
        assert sorted(range(4), key=lambda call: told[call][1]) == [0, 3, 1, 2]
        for call in gone:
            with pytest.raises(asyncio.CancelledError):
                await call
        assert (await pools.slow(mine[1], waits, ""))[0] == worker

    run(scene)


def test_another_worker_replaces_one_that_is_busy_for_long(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "_PATIENCE", 0.1)
    gate = tmp_path / "gate"

    async def scene(pools: WorkerPools) -> None:
        worker, mine, _ = await keys_of(pools.slow)
        (long,) = await begun(pools.slow(mine[0], waits, str(gate)))
        assert (await pools.slow(mine[1], waits, ""))[0] != worker
        gate.touch()
        assert (await long)[0] == worker

    run(scene)


def priority() -> int:
    """Return the nice value of this process."""
    return os.nice(0)


def hang() -> None:
    """End the process."""
    os._exit(1)


def test_slow_calls_have_low_priority_even_after_a_worker_was_stopped(run: Any) -> None:
    async def scene(pools: WorkerPools) -> list[int]:
        told = [await do("a", priority) for do in (pools.quick, pools.slow, pools.long)]
        with pytest.raises(SymkripkeError):
            await pools.slow("a", hang)
        return [*told, await pools.slow("a", priority)]

    quick, slow, long, again = run(scene)
    assert quick == os.nice(0)
    assert quick < slow == again < long


def test_a_worker_may_use_a_share_of_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settings, "_machine_memory", lambda: 2_400_000_000)
    assert settings.Settings().held == 200_000_000
    monkeypatch.setattr(settings, "_machine_memory", lambda: 240_000_000_000)
    assert settings.Settings().held == 800_000_000
    assert settings.Settings(held=5).held == 5
