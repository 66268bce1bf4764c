"""What a process keeps, so that the next request need not make it again.

Each process is asked about the same tables again and again (see `symkripke.web.work`). So it keeps
the tables that it was asked about last, with their engines, and of each table the pages that were
made last. All that is kept comes from logs, and can be dropped at any time. It is dropped when
there is too much of it, or when the process holds too much memory.
"""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from symkripke import heap
from symkripke.limits import resident_memory

T = TypeVar("T")

_PAGES = 48
"""So many pages, or parts of pages, are kept of a table."""

_PARTS = 4
"""When memory is short, every cache of tables drops one of so many parts at once."""

_TABLES: list[Kept[Any]] = []
"""All caches of tables of this process."""


class Kept(Generic[T]):
    """The values that were used last, by their keys; no more than `most`."""

    def __init__(self, most: int = _PAGES) -> None:
        """Nothing yet."""
        self.most = most
        self._values: OrderedDict[Hashable, T] = OrderedDict()

    @classmethod
    def tables(cls, most: int) -> Kept[T]:
        """A cache of tables: it is shortened when this process holds too much memory."""
        made = cls(most)
        _TABLES.append(made)
        return made

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable) -> T | None:
        """The value of a key, which is used now; None if it is not there."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key]

    def put(self, key: Hashable, value: T) -> T:
        """Keep a value; returns it."""
        self._values[key] = value
        self._values.move_to_end(key)
        self.shorten(self.most)
        return value

    def made(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of a key; it is made if it is not there."""
        found = self.get(key)
        return self.put(key, make()) if found is None else found

    def drop(self, key: Hashable) -> None:
        """Keep this no longer."""
        self._values.pop(key, None)

    def shorten(self, most: int) -> None:
        """Drop what was used longest ago, so that no more than so many are left."""
        while len(self._values) > most:
            self._values.popitem(last=False)


def make_room(memory: int) -> None:
    """Drop the tables that were used longest ago, until the process holds at most so many bytes."""
    while resident_memory() > memory and any(map(len, _TABLES)):
        for tables in _TABLES:
            tables.shorten(len(tables) * (_PARTS - 1) // _PARTS)
        gc.collect()
        heap.trim()
