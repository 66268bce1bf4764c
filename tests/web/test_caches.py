"""Caches of tables in a process: they keep the most recently used tables, within a memory limit."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from symkripke import process_memory
from symkripke.web.views import caches
from symkripke.web.views.caches import TableCache, evict


class Machine:
    """A clock, and a process whose memory consists of its tables, one byte each."""

    def __init__(self, tables: TableCache[str]) -> None:
        self.now = 1_000.0
        self.tables = tables
        self.collected = 0

    def memory(self) -> int:
        return len(self.tables)

    def collect(self) -> None:
        self.collected += 1


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr(caches, "_TABLES", [])
    monkeypatch.setattr(caches, "_looked", 0.0)
    found = Machine(TableCache.tables(64))
    clock = SimpleNamespace(monotonic=lambda: found.now)
    monkeypatch.setattr("symkripke.web.views.caches.time", clock)
    monkeypatch.setattr(process_memory, "resident", found.memory)
    monkeypatch.setattr(caches, "_collect", found.collect)
    return found


def keys(tables: TableCache[str]) -> list[str]:
    return [key for key in "abcdefgh" if key in tables]


def test_idle_tables_are_evicted(machine: Machine) -> None:
    for name in "abcd":
        machine.tables.put(name, name.upper())
    machine.now += 170
    assert machine.tables.get("b") == "B"
    machine.now += 30
    evict(8)
    assert keys(machine.tables) == ["b"]
    assert machine.collected == 1


def test_idle_tables_are_checked_only_from_time_to_time(machine: Machine) -> None:
    for name in "abcd":
        machine.tables.put(name, name)
    evict(8)
    machine.now += 170
    evict(8)
    machine.now += 20  # now all tables are idle, but the last check was not long ago
    evict(8)
    assert len(machine.tables) == 4
    machine.now += 30
    evict(8)
    assert len(machine.tables) == 0


def test_when_memory_is_short_the_oldest_tables_are_evicted_too(machine: Machine) -> None:
    for name in "abcdefgh":
        machine.tables.put(name, name)
    machine.tables.get("a")
    evict(4)
    assert keys(machine.tables) == ["a", "f", "g", "h"]


def test_dropped_tables_do_not_count_as_idle() -> None:
    tables: TableCache[str] = TableCache(2)
    for name in "abc":
        tables.put(name, name)
    tables.drop("b")
    tables.drop("b")
    assert tables.idle(float("inf")) == len(tables) == 1
    assert tables.get("c") == "c"
    assert tables.get("a") is None
