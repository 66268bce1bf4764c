"""Which call gets which process: each table has its own, unless that one is busy for long."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from symkripke.errors import SymkripkeError
from symkripke.web import settings, work
from symkripke.web.settings import Settings
from symkripke.web.work import Busy, Work, _Kind


async def keys_of(kind: _Kind) -> list[list[str]]:
    """Three tables for each process."""
    found: list[list[str]] = [[] for _ in kind.every]
    for number in range(200):
        worker = await kind.take(f"table {number}")
        found[kind.every.index(worker)].append(f"table {number}")
        kind.give_back(worker)
    return [keys[:3] for keys in found]


def run(kind: _Kind, scene: Callable[[list[list[str]]], Awaitable[None]]) -> None:
    """Play a scene with the tables of each process; in the end all are free."""

    async def played() -> None:
        await scene(await keys_of(kind))

    # In a thread of its own: tests in a browser leave a loop in this one.
    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, played()).result(60)
    assert not kind.since
    assert not kind.waiting


def test_a_free_process_goes_to_the_next_call_of_its_own_tables() -> None:
    kind = _Kind(2, 0)

    async def scene(keys: list[list[str]]) -> None:
        one, other = await kind.take(keys[0][0]), await kind.take(keys[1][0])
        assert [one, other] == list(kind.every)
        served: list[str] = []

        async def call(key: str) -> None:
            worker = await kind.take(key)
            served.append(key)
            await asyncio.sleep(0)
            kind.give_back(worker)

        asked = [keys[1][1], keys[0][1], keys[0][2], keys[1][2]]
        calls = [asyncio.create_task(call(key)) for key in asked]
        await asyncio.sleep(0)
        kind.give_back(one)
        await asyncio.gather(calls[1], calls[2])
        assert served == [keys[0][1], keys[0][2]]  # in turn, and nobody else's
        kind.give_back(other)
        await asyncio.gather(*calls)
        assert served[2:] == [keys[1][1], keys[1][2]]

    run(kind, scene)


def test_who_goes_away_while_waiting_takes_nothing_along() -> None:
    kind = _Kind(2, 0)

    async def scene(keys: list[list[str]]) -> None:
        worker = await kind.take(keys[0][0])
        waits = [asyncio.create_task(kind.take(keys[0][1])) for _ in range(2)]
        await asyncio.sleep(0)
        waits[0].cancel()
        kind.give_back(worker)  # goes to the first of them, who is about to leave
        assert await waits[1] is worker
        with pytest.raises(asyncio.CancelledError):
            await waits[0]
        kind.give_back(worker)

    run(kind, scene)


def test_another_process_takes_the_place_of_one_that_is_busy_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work, "_PATIENCE", 0.0)
    kind = _Kind(2, 0)

    async def scene(keys: list[list[str]]) -> None:
        workers = [await kind.take(keys[0][0]), await kind.take(keys[0][1])]
        assert set(workers) == set(kind.every)
        waits = asyncio.create_task(kind.take(keys[0][2]))
        await asyncio.sleep(0)
        kind.give_back(workers[1])  # not its own either, but its own has been busy for long
        assert await waits is workers[1]
        for worker in workers:
            kind.give_back(worker)

    run(kind, scene)


def test_too_many_that_wait_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "_WAITING", 1)
    kind = _Kind(1, 0)

    async def scene(keys: list[list[str]]) -> None:
        worker = await kind.take(keys[0][0])
        waits = asyncio.create_task(kind.take(keys[0][1]))
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await kind.take(keys[0][2])
        kind.give_back(worker)
        kind.give_back(await waits)

    run(kind, scene)


# ---- priorities ----------------------------------------------------------------------------------


def priority() -> int:
    """How much this process gives way."""
    return os.nice(0)


def hang() -> None:
    """Ends its process."""
    os._exit(1)


def test_slow_calls_give_way_even_after_their_process_had_to_be_ended(tmp_path: Path) -> None:
    async def played() -> list[int]:
        found = Work(Settings(tmp_path, quick=1, slow=1, long=1))
        try:
            told = [await do("a", priority) for do in (found.quick, found.slow, found.long)]
            with pytest.raises(SymkripkeError):
                await found.slow("a", hang)
            return [*told, await found.slow("a", priority)]
        finally:
            found.end()

    with ThreadPoolExecutor(1) as threads:
        quick, slow, long, again = threads.submit(asyncio.run, played()).result(120)
    assert quick == os.nice(0)
    assert quick < slow == again < long


def test_a_worker_holds_a_part_of_the_memory_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settings, "_machine_memory", lambda: 2_400_000_000)
    assert settings.Settings().held == 200_000_000
    monkeypatch.setattr(settings, "_machine_memory", lambda: 240_000_000_000)
    assert settings.Settings().held == 800_000_000
    assert settings.Settings(held=5).held == 5
