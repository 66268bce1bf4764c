"""Results that are kept for the next question, and how many: those used last, or as they fit."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


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


class Room:
    """How much may come together before it is forgotten and found again as it is needed.

    What is outgrown soon after it was forgotten is too small for what is asked now, and grows: so
    that only a small part of the time goes into what was found before.

    Attributes:
        most: how much there may be.
        soon: after so many looks it is no longer soon.
    """

    def __init__(self, most: int, soon: int) -> None:
        """Room for so much."""
        self.most = most
        self.soon = soon
        self._looks = 0

    def is_outgrown(self, size: int) -> bool:
        """Whether so much is too much. Asked again and again, after about as many questions."""
        self._looks += 1
        if size <= self.most:
            return False
        forget = self._looks > self.soon
        if not forget:
            self.most = 2 * size
        self._looks = 0
        return forget
