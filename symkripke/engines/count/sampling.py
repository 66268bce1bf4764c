"""Worlds drawn from a diagram: the n-th of its valuations, for a random n.

The valuations of a diagram are ordered (at each variable first those with it true). At each node,
counts tell on which side the n-th valuation is. So a random number below the count
(`random.Random.randrange`) gives a valuation: exactly uniform, and the same on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from symkripke.engines.count.nodes import TRUE, Nodes
from symkripke.limits import look


def draw(
    nodes: Nodes, number: int, chance: random.Random, variables: Iterable[int]
) -> Iterator[frozenset[int]]:
    """Yield `number` random valuations of the non-empty set, each as the variables that are true.

    Variables of `variables` that the diagram does not test are drawn, too.
    """
    asked = set(nodes.variables)
    free = [variable for variable in variables if variable not in asked]
    place = _Places(nodes)
    for _ in range(number):
        look()
        rank, rest = divmod(chance.randrange(nodes.total << len(free)), 1 << len(free))
        yield frozenset((*place(rank), *_bits(rest, free)))


def _bits(number: int, variables: list[int]) -> Iterator[int]:
    return (variable for place, variable in enumerate(variables) if number >> place & 1)


class _Places:
    """Finds valuations by their place in the order."""

    def __init__(self, nodes: Nodes) -> None:
        self.variables = nodes.variables
        self.root = nodes.root
        # Lists and integers of Python are quicker than arrays for one path at a time.
        self.counts = [int(count) for count in nodes.counts]
        self.level = nodes.level.tolist()
        self.high = nodes.high.tolist()
        self.low = nodes.low.tolist()

    def __call__(self, rank: int) -> list[int]:
        """Return the variables that are true in the valuation of that rank, counted from 0."""
        true: list[int] = []
        current, level = self.root, -1
        while True:
            # Skipped variables are the leading part of the rank.
            past = self.level[current] - level - 1
            if past:
                leading, rank = divmod(rank, self.counts[current])
                true.extend(_bits(leading, list(self.variables[level + 1 : level + 1 + past])))
            if current == TRUE:
                return true
            level = self.level[current]
            high = self.high[current]
            with_it = self.counts[high] << (self.level[high] - level - 1)
            if rank < with_it:
                true.append(self.variables[level])
                current = high
            else:
                rank -= with_it
                current = self.low[current]
