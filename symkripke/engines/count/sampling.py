"""Random worlds from a diagram: its n-th valuation, for a random n.

The valuations of a diagram are ordered; at each variable, valuations with the variable true come
first. At each node, the counts show on which side the n-th valuation lies. A random number below
the total count (`random.Random.randrange`) therefore selects a valuation. The selection is exactly
uniform and the same on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from symkripke.engines.count.nodes import TRUE, Nodes
from symkripke.limits import look


def draw(
    nodes: Nodes, number: int, chance: random.Random, variables: Iterable[int]
) -> Iterator[frozenset[int]]:
    """Yield `number` random valuations of a non-empty set, each as its true variables.

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
    """A lookup of valuations by their rank in the order."""

    def __init__(self, nodes: Nodes) -> None:
        self.variables = nodes.variables
        self.root = nodes.root
        # Python lists and integers are faster than arrays for following one path at a time.
        self.counts = [int(count) for count in nodes.counts]
        self.level = nodes.level.tolist()
        self.high = nodes.high.tolist()
        self.low = nodes.low.tolist()

    def __call__(self, rank: int) -> list[int]:
        """Return the true variables of the valuation with this rank, counted from 0."""
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
