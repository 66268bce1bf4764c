"""The caches of a process, shared by requests.

Each process serves the same tables repeatedly (see `symkripke.web.work`). It therefore caches the
most recently used tables, with their engines, and the most recent pages of each table. Everything
in the caches comes from logs, and can be evicted at any time: when a cache is full, or when the
process uses too much memory. A process that uses a good part of its limit also evicts the tables
that have been idle for some minutes. Most idle tables are games that are over. The memory therefore
depends on the tables in use, not on all tables opened during the day.
"""

from __future__ import annotations

import gc
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from symkripke import process_memory

T = TypeVar("T")

_PAGES = 48
"""The maximum number of cached pages, and parts of pages, of a table."""

_PARTS = 4
"""If memory is short, every cache of tables evicts a fraction of 1 / `_PARTS` at a time."""

_IDLE = 180.0
"""The time without a call after which a table is idle, in seconds."""

_LOOK_AGAIN = 45.0
"""The time between two searches for idle tables, in seconds; evicting takes up to a second."""

_SMALL = 4
"""A process that uses less than 1 / `_SMALL` of its limit keeps its idle tables."""

_TABLES: list[TableCache[Any]] = []
"""All caches of tables of this process."""

_looked = 0.0
"""The time of the last search for idle tables."""


class TableCache(Generic[T]):
    """A cache of recently used values by key, with at most `most` values."""

    def __init__(self, most: int = _PAGES) -> None:
        """Create an empty cache."""
        self.most = most
        self._values: OrderedDict[Hashable, T] = OrderedDict()
        self._used: dict[Hashable, float] = {}

    @classmethod
    def tables(cls, most: int) -> TableCache[T]:
        """Create a cache of tables, which shrinks if this process uses too much memory."""
        made = cls(most)
        _TABLES.append(made)
        return made

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._values

    def get(self, key: Hashable) -> T | None:
        """Return the value of a key and mark it as used; None if it is missing."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        self._used[key] = time.monotonic()
        return self._values[key]

    def put(self, key: Hashable, value: T) -> T:
        """Cache a value and return it."""
        self._values[key] = value
        self._values.move_to_end(key)
        self._used[key] = time.monotonic()
        self.shorten(self.most)
        return value

    def get_or_create(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key, creating it if it is missing."""
        value = self.get(key)
        return self.put(key, make()) if value is None else value

    def drop(self, key: Hashable) -> None:
        """Remove a value."""
        self._values.pop(key, None)
        self._used.pop(key, None)

    def idle(self, since: float) -> int:
        """Return the number of values that were last used before `since`."""
        return sum(used < since for used in self._used.values())

    def shorten(self, most: int) -> None:
        """Evict the least recently used values until at most `most` are left."""
        while len(self._values) > most:
            del self._used[self._values.popitem(last=False)[0]]


def evict(memory: int) -> None:
    """Evict tables, least recently used first, to free memory for others.

    Tables are evicted until the process uses at most `memory` bytes. If it uses more than 1 /
    `_SMALL` of that, all idle tables are evicted first.
    """
    global _looked
    now = time.monotonic()
    if now - _looked >= _LOOK_AGAIN:
        _looked = now
        idle = [tables.idle(now - _IDLE) for tables in _TABLES]
        if any(idle) and process_memory.resident() > memory // _SMALL:
            for tables, number in zip(_TABLES, idle, strict=True):
                tables.shorten(len(tables) - number)
            _collect()
    while process_memory.resident() > memory and any(map(len, _TABLES)):
        for tables in _TABLES:
            tables.shorten(len(tables) * (_PARTS - 1) // _PARTS)
        _collect()


def _collect() -> None:
    """Return unused memory to the operating system."""
    gc.collect()
    process_memory.trim()
