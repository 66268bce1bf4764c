"""The nodes of a diagram as arrays: counts of all parts in a few passes, level by level.

Visiting nodes one by one from Python takes longer than building them. The library writes a diagram
to a file twenty times as fast (DDDMP, one line for each node, in the order of the levels). numpy
reads this file, so a pass takes a few array operations for each variable.

An edge may be complemented, so a set is a node with a sign: 2n for the set of node n, and 2n + 1
for its complement. Numbers 2 and 3 are the set of all valuations and the empty set.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from symkripke import limits
from symkripke.engines.bdd.diagram import Diagrams
from symkripke.engines.bdd.interruptible import Diagram, afford
from symkripke.engines.bdd.tuning import SLICING
from symkripke.errors import SymkripkeError

Ints: TypeAlias = NDArray[np.int64]

# Bytes of a set with its counts, as numpy integers or as Python integers.
_MACHINE_SIZE, _LONG_SIZE = 80, 200

# Counts below this bound, and sums of two of them, are exact as numpy integers.
_MACHINE = 1 << 62

TRUE, FALSE = 2, 3


class Nodes:
    """The nodes of a diagram, from the top.

    Attributes:
        variables: the variables that the diagram depends on, in order. A *level* is an index into
            it.
        root: the set of the whole diagram.
        total: the number of valuations of `variables` in the diagram.
        level: for each set, the level of its first variable; for constants, the level after the
            last.
        high: for each set, the part with that variable true.
        low: for each set, the part with that variable false.
        layers: for each level, the sets that start there and are reachable from the root.
    """

    def __init__(self, diagrams: Diagrams, diagram: Diagram) -> None:
        """Export the nodes of a diagram into arrays."""
        levels, root, lines = _exported(diagrams, diagram)
        self.variables = tuple(diagrams.order[level] for level in levels)
        self.root = 2 * abs(root) + (root < 0)
        self.total = diagrams.count(diagram, len(levels))
        size = len(lines) + 2
        depth, self.high, self.low = (np.zeros(2 * size, dtype=np.int64) for _ in range(3))
        node = lines[:, 0]
        for sign in (0, 1):
            depth[2 * node + sign] = lines[:, 1]
            for side, column in ((self.high, lines[:, 2]), (self.low, lines[:, 3])):
                side[2 * node + sign] = 2 * np.abs(column) + ((column < 0) ^ sign)
        depth[[TRUE, FALSE]] = len(levels)
        self.level: Ints = depth
        self.layers = self._layers(lines)

    @property
    def size(self) -> int:
        """The approximate memory of the arrays and the counts, in bytes."""
        each = _MACHINE_SIZE if self._kind is np.int64 else _LONG_SIZE
        return each * len(self.level)

    def _layers(self, lines: Ints) -> list[Ints]:
        """Return the sets of each level that are reachable from the root."""
        levels = np.arange(len(self.variables))
        starts = np.searchsorted(-lines[:, 1], -levels, side="left")
        ends = np.searchsorted(-lines[:, 1], -levels, side="right")
        reached = np.zeros(len(self.level), dtype=np.bool_)
        reached[self.root] = True
        layers = []
        for start, end in zip(starts, ends, strict=True):
            limits.look()
            here = np.concatenate([2 * lines[start:end, 0], 2 * lines[start:end, 0] + 1])
            here = here[reached[here]]
            reached[self.high[here]] = True
            reached[self.low[here]] = True
            layers.append(here)
        return layers

    @cached_property
    def _edges(self) -> list[tuple[Ints, NDArray[Any]]]:
        """The targets of the edges of each level: all high sides, then all low sides.

        A second array contains the number of variables that each edge skips.
        """
        edges: list[tuple[Ints, NDArray[Any]]] = []
        for level, here in enumerate(self.layers):
            limits.look()
            sides = np.concatenate([self.high[here], self.low[here]])
            past: NDArray[Any] = self.level[sides] - level - 1
            edges.append((sides, past.astype(self._kind)))
        return edges

    @property
    def _kind(self) -> type:
        """The integer type in which every count is exact.

        A set that is reachable from the root has at most as many valuations as the root, and at
        most that number of paths lead to it. (For `FALSE`, an overflow is multiplied by its count
        0.)
        """
        return np.int64 if self.total < _MACHINE else object

    @cached_property
    def counts(self) -> NDArray[Any]:
        """The number of valuations in each set, over its own level and all later levels."""
        counts: NDArray[Any] = np.zeros(len(self.level), dtype=self._kind)
        counts[TRUE] = 1
        for here, (sides, past) in zip(reversed(self.layers), reversed(self._edges), strict=True):
            limits.look()
            parts = counts[sides] << past
            counts[here] = parts[: len(here)] + parts[len(here) :]
        return counts

    @cached_property
    def marginals(self) -> dict[int, Fraction]:
        """The share of the valuations at which each variable is true.

        The diagram must not be empty. The pass goes downwards with the number of paths to each set.
        A valuation passes through one set of each level or skips the level. Of the valuations that
        skip the level, half have the variable true.
        """
        ways: NDArray[Any] = np.zeros(len(self.level), dtype=self._kind)
        ways[self.root] = 1 << int(self.level[self.root])
        marginals = {}
        for variable, here, (sides, past) in zip(
            self.variables, self.layers, self._edges, strict=True
        ):
            limits.look()
            above = np.concatenate([ways[here]] * 2)
            np.add.at(ways, sides, above << past)
            through = above * (self.counts[sides] << past)
            true, false = int(through[: len(here)].sum()), int(through[len(here) :].sum())
            marginals[variable] = Fraction(self.total + true - false, 2 * self.total)
        return marginals


def _exported(diagrams: Diagrams, diagram: Diagram) -> tuple[list[int], int, Ints]:
    """Return the levels that the diagram tests, its root, and its nodes from the lowest level up.

    A row contains the number of a node, its level (an index into the tested levels), and its high
    and low sides: numbers of nodes, negative for a complement. Number 1 is the terminal node and
    has no row.

    Raises:
        SymkripkeError: the folder for temporary files is full or missing.
    """
    afford(diagram, SLICING.seconds_per_written_node)
    try:
        with _scratch_file() as (file, name):
            diagrams.manager.export_dddmp(name, [diagram], ascii=True)
            text = file.read()
    except OSError as error:
        raise SymkripkeError(f"cannot write a temporary file: {error.strerror or error}") from error
    if not text.endswith(".end\n"):
        # The library does not report a full disk, but the end of the file is then missing.
        raise SymkripkeError(f"cannot write a temporary file: no room left for {name}")
    header, _, body = text.partition(".nodes\n1 T 0 0\n")
    fields = dict(line.partition(" ")[::2] for line in header.splitlines())
    levels = sorted(int(level) for level in fields[".permids"].split())
    lines = body.partition(".end")[0].strip()
    numbers = np.fromstring(lines, dtype=np.int64, sep=" ") if lines else np.zeros(0, np.int64)
    return levels, int(fields[".rootids"]), numbers.reshape(-1, 4)


@contextmanager
def _scratch_file() -> Iterator[tuple[IO[str], str]]:
    """Yield an empty temporary file, open for reading, and the name for writing to it.

    The file is in memory where the system supports it. Creating and removing a file on disk takes
    milliseconds, longer than writing most diagrams.
    """
    if sys.platform == "linux" and Path("/proc/self/fd").is_dir():
        number = os.memfd_create("symkripke")
        with open(number, encoding="utf-8") as file:
            yield file, f"/proc/self/fd/{number}"
    else:
        with NamedTemporaryFile("r", prefix="symkripke", suffix=".dddmp") as file:
            yield file, file.name
