"""The shape of a statement's tree: its size when written out, and its depth.

Both are known before anything is written out. A statement that is far too large is refused at
once; a deeply nested one is worked out from below, so that no depth is too much for the stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from symkripke.problems.syntax import Fault, Node, Tree

# So many levels of a tree are worked out by recursion, a handful of calls each.
_LEVELS = 50

# The limit of work for sets that depend on other indices: enough to see that a size is too large.
_WORK = 30_000


def binders(node: Node) -> tuple[list[Node], Node | None, list[Node]]:
    """The index sets of a node, its condition, and what is written out for each of the indices."""
    children = [child for child in node.children if isinstance(child, Tree)]
    lists = [child for child in children if child.data == "each"]
    bound = [part for each in lists for part in each.children if isinstance(part, Tree)] or children
    sets = [child for child in bound if child.data == "binder"]
    condition = next((child for child in bound if child.data == "condition"), None)
    rest = [child for child in children if child.data not in ("binder", "condition", "each")]
    return sets, condition if sets else None, rest


class Size:
    """How many parts a statement has, at least, when it is written out.

    A part is what stands behind a `for` or a quantifier, once for each value of its indices.
    """

    def __init__(
        self,
        members: Callable[[Node, Mapping[str, Any]], Sequence[Any]],
        work: Callable[[], int],
        most: int,
    ) -> None:
        """A statement.

        Args:
            members: the function that gives the members of a set.
            work: the number of parts that have been worked out so far.
            most: no more than that many parts are allowed.
        """
        self._members = members
        self._work = work
        self._most = most
        self._end = work() + _WORK
        self._names: dict[int, frozenset[str]] = {}

    def too_much(self, node: Node, indices: Mapping[str, Any]) -> Node | None:
        """The outermost list of indices with which there are too many; None if there is none."""
        for inner in _with_indices(node):
            self._names = _names_of_sets(inner)
            if self._parts(inner, indices) > self._most:
                return binders(inner)[0][0]
        return None

    def _parts(self, node: Node, indices: Mapping[str, Any]) -> int:
        sets, condition, rest = binders(node)
        try:
            return self._valuations(sets, [] if condition is not None else rest, indices)
        except Fault:
            return 1  # errors in the set are reported when it is written out

    def _valuations(
        self, sets: Sequence[Node], rest: Sequence[Node], indices: Mapping[str, Any]
    ) -> int:
        """The number of parts that nested index sets lead to."""
        if not sets:
            inside = (inner for part in rest for inner in _with_indices(part))
            return max(1, sum(self._parts(inner, indices) for inner in inside))
        first, *further = sets
        name, written = str(first.children[0]), cast(Node, first.children[1])
        if any(self._parts(inner, indices) > self._most for inner in _with_indices(written)):
            return self._most + 1
        values = self._members(written, indices)
        if not values:
            return 0
        if not any(name in self._names[id(inner)] for inner in (*further, *rest)):
            return len(values) * self._valuations(further, rest, indices)
        total = 0
        for value in values:
            total += self._valuations(further, rest, {**indices, name: value})
            if total > self._most or self._work() > self._end:
                break
        return total


def _with_indices(node: Node) -> Iterator[Node]:
    """The outermost parts of a tree that have index sets."""
    stack = [node]
    while stack:
        current = stack.pop()
        if binders(current)[0]:
            yield current
        else:
            stack.extend(child for child in reversed(current.children) if isinstance(child, Tree))


def _names_of_sets(node: Node) -> dict[int, frozenset[str]]:
    """For each part of a tree all words that the index sets in it have."""
    found: dict[int, frozenset[str]] = {}
    stack = [(node, False)]
    while stack:
        current, ready = stack.pop()
        children = [child for child in current.children if isinstance(child, Tree)]
        if not ready:
            stack.append((current, True))
            stack.extend((child, False) for child in children)
            continue
        names = frozenset[str]().union(*(found[id(child)] for child in children))
        if current.data == "binder":
            sets = cast(Node, current.children[1])
            names |= {
                str(leaf)
                for part in sets.subtrees()
                for leaf in part.children
                if isinstance(leaf, str)
            }
        found[id(current)] = names
    return found


AFTER_ACTION = frozenset({"after_action", "after_action_possible"})
"""Nodes of `[a] f` and `<a> f`."""


def from_below(node: Node) -> dict[int, list[Node]]:
    """The nodes of a tree to work out before the rest, so that no recursion goes deep.

    For each of its outermost operators, and for those behind a list of indices, if it is deep:
    every 50th level of operators in it, the innermost first. Keys are the identities of nodes.
    """
    found: dict[int, list[Node]] = {}
    roots = [node] if _is_large(node) else []
    while roots:
        root = roots.pop()
        if root.data not in _OPERATORS:
            roots += [child for child in root.children if isinstance(child, Tree)]
            continue
        below: list[Node] = []
        heights: dict[int, int] = {}
        stack = [(root, False)]
        while stack:
            current, ready = stack.pop()
            children = [child for child in current.children if isinstance(child, Tree)]
            if binders(current)[0] or current.data in AFTER_ACTION:
                roots += children  # their names mean something else there
                heights[id(current)] = 0
            elif not ready:
                stack.append((current, True))
                stack.extend((child, False) for child in children)
            else:
                height = 1 + max((heights[id(child)] for child in children), default=0)
                heights[id(current)] = height
                if height % _LEVELS == 0 and current.data in _OPERATORS:
                    below.append(current)
        if below:
            found[id(root)] = below
    return found


def _is_large(node: Node) -> bool:
    """Whether a tree has so many nodes that it can be deep."""
    seen = [node]
    for current in seen:
        if len(seen) > _LEVELS:
            return True
        seen += [child for child in current.children if isinstance(child, Tree)]
    return False


# Nodes that are a formula or a value wherever they stand; other nodes are parts of these.
_OPERATORS = {
    "iff",
    "implies",
    "disjunction",
    "conjunction",
    "negation",
    "modal",
    "conditional",
    "announced",
    "announced_true",
    "comparison",
    "choice",
    "plus",
    "minus",
    "times",
}
