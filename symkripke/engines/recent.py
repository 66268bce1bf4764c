"""Caches with bounds: by number of entries, by size, and bounds that adapt."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")

# A raised bound is lowered again after so many times `soon` looks without need.
_LONG = 4


class Recent(OrderedDict[Key, Value]):
    """A dictionary with a bound: the entry that was not used for longest is dropped."""

    def __init__(self, most: int) -> None:
        """Room for so many entries."""
        super().__init__()
        self.most = most

    def recall(self, key: Key) -> Value | None:
        """The value under that key, or None; it counts as used now."""
        found = self.get(key)
        if found is not None:
            self.move_to_end(key)
        return found

    def keep(self, key: Key, value: Value) -> Value:
        """Keep the value, which is returned."""
        self[key] = value
        self.move_to_end(key)
        if len(self) > self.most:
            self.popitem(last=False)
        return value


class RecentBySize(Recent[Key, Value]):
    """The same, with a bound for the sum of the values' sizes, too.

    The newest value is always kept, however large it is.
    """

    def __init__(self, most: int, room: int, size_of: Callable[[Value], int]) -> None:
        """Room for so many entries, whose sizes sum up to at most `room`."""
        super().__init__(most)
        self._room = room
        self._size_of = size_of

    @property
    def size(self) -> int:
        """The size of all values, summed up each time because values may grow."""
        return sum(map(self._size_of, self.values()))

    def keep(self, key: Key, value: Value) -> Value:
        """Keep the value, which is returned."""
        super().keep(key, value)
        while len(self) > 1 and self.size > self._room:
            self.popitem(last=False)
        return value


class Room:
    """A bound of a cache that adapts.

    When the cache outgrows its bound, it is emptied. If that happens again soon, the bound is too
    small for the questions of now, and is raised; so little time is spent on computing results
    again. When a raised bound was enough for a long time, it is lowered.

    Attributes:
        least: the least value of the bound.
        most: the bound now.
        soon: fewer looks than this count as soon.
    """

    def __init__(self, least: int, soon: int) -> None:
        """A bound that starts at its least value."""
        self.least = self.most = least
        self.soon = soon
        self._looks = 0

    def is_outgrown(self, size: int) -> bool:
        """Whether the cache is to be emptied. To be called at regular intervals of questions."""
        self._looks += 1
        if self.most > self.least and self._looks > _LONG * self.soon:
            self.most = max(self.least, self.most // 2)
            # If the lower bound is too small, the cache is emptied: it was used for long enough.
            self._looks = self.soon + 1
        if size <= self.most:
            return False
        forget = self._looks > self.soon
        if not forget:
            self.most = 2 * size
        self._looks = 0
        return forget
