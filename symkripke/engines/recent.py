"""Results that are kept for the next question: so many, and those used last."""

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
