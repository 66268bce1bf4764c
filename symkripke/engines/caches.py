"""The LRU cache of all engines, an adaptive bound, and values cached along a history."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, MutableMapping, ValuesView
from typing import Generic, TypeVar

from symkripke.model import KnowledgeStructure

Key = TypeVar("Key")
Value = TypeVar("Value")

# A raised bound is lowered after `_LONG * soon` checks without outgrowing it.
_LONG = 4


class LRUCache(Generic[Key, Value]):
    """A bounded dictionary that evicts the least recently used entry.

    With `size_of`, the sum of the values' sizes is bounded, too. The newest value is always kept,
    however large it is.

    Attributes:
        entries: the maximum number of entries.
    """

    def __init__(
        self, entries: int, size: int = 0, size_of: Callable[[Value], int] | None = None
    ) -> None:
        """Set bounds for the number of entries and, with `size_of`, for the sum of value sizes."""
        self.entries = entries
        self._most = size
        self._size_of = size_of
        self._values: OrderedDict[Key, Value] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, and mark it as recently used; None if the key is missing."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: Key, value: Value) -> Value:
        """Store the value under the key, evict entries beyond the bounds, and return the value."""
        kept = self._values
        kept[key] = value
        kept.move_to_end(key)
        if len(kept) > self.entries:
            kept.popitem(last=False)
        if self._size_of is not None:
            while len(kept) > 1 and self.size > self._most:
                kept.popitem(last=False)
        return value

    def __contains__(self, key: Key) -> bool:
        return key in self._values

    def __len__(self) -> int:
        return len(self._values)

    def __delitem__(self, key: Key) -> None:
        del self._values[key]

    def values(self) -> ValuesView[Value]:
        """Return the values, least recently used first."""
        return self._values.values()

    def clear(self) -> None:
        """Remove all entries."""
        self._values.clear()

    @property
    def size(self) -> int:
        """The total size of the values, computed each time because values may grow."""
        return 0 if self._size_of is None else sum(map(self._size_of, self._values.values()))


def along_history(
    structure: KnowledgeStructure,
    kept: MutableMapping[KnowledgeStructure, Value | None],
    start: Value,
    after: Callable[[Value, KnowledgeStructure], Value | None],
) -> Value | None:
    """Return the value of a structure, computed stage by stage along its history.

    Args:
        structure: the last stage.
        kept: the known values of stages; missing values are added.
        start: the value before the first stage.
        after: a function that computes the value of a stage from the previous value; it returns
            None if there are no values from this stage on.
    """
    missing: list[KnowledgeStructure] = []
    here: KnowledgeStructure | None = structure
    while here is not None and here not in kept:
        missing.append(here)
        here = here.history.before
    value = start if here is None else kept[here]
    for stage in reversed(missing):
        value = kept[stage] = None if value is None else after(value, stage)
    return value


class AdaptiveBound:
    """An adaptive bound on the size of a cache.

    A cache that outgrows its bound is cleared. If it outgrows the bound again soon, the bound is
    too small for the current questions. Then the bound is raised and the cache is kept, so that few
    results are computed again. A raised bound that has sufficed for a long time is lowered.

    Attributes:
        least: the minimal bound.
        most: the current bound.
        soon: the number of checks within which an outgrown bound is raised.
    """

    def __init__(self, least: int, soon: int) -> None:
        """Create a bound at its minimal value."""
        self.least = self.most = least
        self.soon = soon
        self._looks = 0

    def is_outgrown(self, size: int) -> bool:
        """Update the bound, and return whether to clear a cache of this size.

        Call this method at regular intervals of questions.
        """
        self._looks += 1
        if self.most > self.least and self._looks > _LONG * self.soon:
            self.most = max(self.least, self.most // 2)
            # If the lowered bound is too small, the cache is cleared and the bound is not raised.
            self._looks = self.soon + 1
        if size <= self.most:
            return False
        forget = self._looks > self.soon
        if not forget:
            self.most = 2 * size
        self._looks = 0
        return forget
