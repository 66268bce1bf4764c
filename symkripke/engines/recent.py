"""Results that are kept for the next question, and how many: those used last, or as they fit."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")

# What was needed once is over if there was enough room for so many times as long as "soon".
_LONG = 4


class Recent(OrderedDict[Key, Value]):
    """A dictionary with a bound: the entry that was not used for longest goes."""

    def __init__(self, most: int) -> None:
        """Room for so many entries."""
        super().__init__()
        self.most = most

    def recall(self, key: Key) -> Value | None:
        """What is kept under that key, if anything is; it counts as used now."""
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
    """The same for values that may be large: their sizes together have a bound, too.

    The value that was kept last stays, however large it is.
    """

    def __init__(self, most: int, room: int, size_of: Callable[[Value], int]) -> None:
        """Room for so many entries, whose values have no more than the size `room` together."""
        super().__init__(most)
        self._room = room
        self._size_of = size_of

    @property
    def size(self) -> int:
        """That of all values. Summed up each time: there are few, and they may have grown."""
        return sum(map(self._size_of, self.values()))

    def keep(self, key: Key, value: Value) -> Value:
        """Keep the value, which is returned."""
        super().keep(key, value)
        while len(self) > 1 and self.size > self._room:
            self.popitem(last=False)
        return value


class Room:
    """How much may come together before it is forgotten and found again as it is needed.

    What is outgrown soon after it was forgotten is too small for what is asked now, and grows: so
    that only a small part of the time goes into what was found before. It shrinks again as soon as
    it was enough for a long time: one large question leaves nothing behind.

    Attributes:
        least: how much there may be at least.
        most: how much there may be now.
        soon: after so many looks it is no longer soon.
    """

    def __init__(self, least: int, soon: int) -> None:
        """Room for so much."""
        self.least = self.most = least
        self.soon = soon
        self._looks = 0

    def is_outgrown(self, size: int) -> bool:
        """Whether so much is too much. Asked again and again, after about as many questions."""
        self._looks += 1
        if self.most > self.least and self._looks > _LONG * self.soon:
            self.most = max(self.least, self.most // 2)
            # If that is too little, it is forgotten: it was used for long enough.
            self._looks = self.soon + 1
        if size <= self.most:
            return False
        forget = self._looks > self.soon
        if not forget:
            self.most = 2 * size
        self._looks = 0
        return forget
