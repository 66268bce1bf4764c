"""The size of an expanded statement, estimated before the expansion.

A statement that is far too large is therefore rejected at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from symkripke.problems.syntax import Fault, Tree
from symkripke.records import dataclass

# The work limit for sets that depend on other indices. It suffices to detect that a size is too
# large.
_WORK = 30_000


@dataclass()
class Size:
    """A lower bound on the number of parts of an expanded statement.

    A part is the body of a `for` or a quantifier, once for each value of its indices.

    Attributes:
        members: the function that returns the members of a set.
        work: the function that returns the number of parts expanded so far.
        most: the maximum number of parts.
    """

    members: Callable[[Tree, Mapping[str, Any]], Sequence[Any]]
    work: Callable[[], int]
    most: int

    def __post_init__(self) -> None:
        """Set the work limit for this statement."""
        self._end = self.work() + _WORK

    def too_much(self, node: Tree, indices: Mapping[str, Any]) -> Tree | None:
        """Return the outermost index set that leads to too many parts; None if there is none."""
        for inner in node.binding():
            if self._parts(inner, indices) > self.most:
                return inner.binders()[0][0]
        return None

    def _parts(self, node: Tree, indices: Mapping[str, Any]) -> int:
        sets, condition = node.binders()
        rest = [
            part
            for part in node.children
            if isinstance(part, Tree) and part.data not in ("binder", "condition", "each")
        ]
        try:
            return self._valuations(sets, [] if condition else rest, indices)
        except Fault:
            return 1  # the expansion reports errors in the set

    def _valuations(
        self, sets: Sequence[Tree], rest: Sequence[Tree], indices: Mapping[str, Any]
    ) -> int:
        """Return the number of parts of nested index sets."""
        if not sets:
            inside = (inner for part in rest for inner in part.binding())
            return max(1, sum(self._parts(inner, indices) for inner in inside))
        first, *further = sets
        name, written = first.children
        if any(self._parts(inner, indices) > self.most for inner in written.binding()):
            return self.most + 1
        values = self.members(written, indices)
        if not values:
            return 0
        if not any(name in inner.words_of_sets for inner in (*further, *rest)):
            return len(values) * self._valuations(further, rest, indices)
        total = 0
        for value in values:
            total += self._valuations(further, rest, {**indices, str(name): value})
            if total > self.most or self.work() > self._end:
                break
        return total
