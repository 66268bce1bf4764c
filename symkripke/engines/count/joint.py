"""The joint distribution of some variables of a diagram, in one pass from the bottom.

Each set (node) has a row of counts: for each valuation of the asked variables from its level on,
the number of its valuations that agree with it. Near the bottom, where there are most sets, rows
are short. A *band* is the levels between two asked variables. All rows of a band have the same
columns; only columns that some row needs are kept.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from symkripke.engines.count.nodes import FALSE, TRUE, Ints, Nodes
from symkripke.limits import look

Rows: TypeAlias = NDArray[Any]
"""A row for each set of a band; the first one is that of the empty set."""

Columns: TypeAlias = list[frozenset[int]]
"""For each column the asked variables that are true."""


def joint(nodes: Nodes, asked: Set[int], most: int) -> dict[frozenset[int], int] | None:
    """For each valuation of the asked variables the number of valuations of the set, in proportion.

    Asked variables on which the diagram does not depend, and valuations with the count 0, are left
    out. None if some band would need more than `most` numbers.
    """
    return _Pass(nodes, asked, most).run()


class _Pass:
    """The work of `joint`."""

    def __init__(self, nodes: Nodes, asked: Set[int], most: int) -> None:
        self.nodes = nodes
        self.most = most
        self.asked = [level for level, v in enumerate(nodes.variables) if v in asked]
        is_free = np.array([v not in asked for v in nodes.variables], dtype=np.int64)
        # For each level the number of variables before it that are not asked for.
        self.free = np.concatenate([[0], np.cumsum(is_free)])
        self.row = np.zeros(len(nodes.level), dtype=np.int64)
        above = [np.full(2 * len(here), level) for level, here in enumerate(nodes.layers)]
        below = [side for here in nodes.layers for side in (nodes.high[here], nodes.low[here])]
        self.above = np.concatenate([[-1], *above])
        self.below = np.concatenate([[nodes.root], *below]).astype(np.int64)

    def run(self) -> dict[frozenset[int], int] | None:
        """The counts, from the bottom to the top."""
        kind = self.nodes.counts.dtype
        columns: Columns = [frozenset()]
        rows: Rows = np.zeros((2, 1), dtype=kind)
        rows[1] = 1
        self.row[TRUE] = 1
        end = len(self.nodes.variables)
        for start in (*reversed(self.asked), -1):
            grown = self._band(rows, start + 1, end)
            if grown is None:
                return None
            if start < 0:
                rows = grown
                break
            lifted = self._lifted(grown, columns, start)
            if lifted is None:
                return None
            (rows, columns), end = lifted, start
        counts = rows[self.row[self.nodes.root]]
        return {column: int(count) for column, count in zip(columns, counts, strict=True) if count}

    def _band(self, rows: Rows, start: int, end: int) -> Rows | None:
        """Add the rows of the sets that start at levels from `start` to before `end`."""
        layers = self.nodes.layers[start:end]
        size = len(rows) + sum(map(len, layers))
        if size * rows.shape[1] > self.most:
            return None
        grown = np.zeros((size, rows.shape[1]), dtype=rows.dtype)
        grown[: len(rows)] = rows
        used = len(rows)
        for level in range(end - 1, start - 1, -1):
            look()
            here = self.nodes.layers[level]
            self.row[here] = np.arange(used, used + len(here))
            for side in (self.nodes.high[here], self.nodes.low[here]):
                grown[used : used + len(here)] += self._seen(grown, side, level)
            used += len(here)
        return grown

    def _seen(self, rows: Rows, sets: Ints, level: int) -> Rows:
        """The rows of these sets seen from a level, counting the variables in between."""
        past = self.free[self.nodes.level[sets]] - self.free[level + 1]
        if not past.any():
            near: Rows = rows[self.row[sets]]
            return near
        seen: Rows = rows[self.row[sets]] << past.astype(rows.dtype)[:, np.newaxis]
        return seen

    def _lifted(self, rows: Rows, columns: Columns, level: int) -> tuple[Rows, Columns] | None:
        """The rows that are needed from an asked level on, split by the value of its variable."""
        here = self.nodes.layers[level]
        crossing = (self.above < level) & (self.nodes.level[self.below] > level)
        passing = np.unique(self.below[crossing & (self.below != FALSE)])
        width = rows.shape[1]
        if (1 + len(here) + len(passing)) * 2 * width > self.most:
            return None
        wide = np.zeros((1 + len(here) + len(passing), 2 * width), dtype=rows.dtype)
        split = 1 + len(here)
        for side, place in ((self.nodes.high[here], 0), (self.nodes.low[here], width)):
            wide[1:split, place : place + width] = self._seen(rows, side, level)
        # An edge that skips the variable allows both values.
        wide[split:] = np.tile(rows[self.row[passing]], 2)
        self.row[here] = np.arange(1, split)
        self.row[passing] = np.arange(split, len(wide))
        kept = np.flatnonzero((wide != 0).any(axis=0))
        true = [column | {self.nodes.variables[level]} for column in columns]
        both = [*true, *columns]
        return wide[:, kept], [both[place] for place in kept]
