"""Worlds up to bisimilarity: worlds that agree in all formulas about what the picture shows.

The coarsest partition in which worlds of one class have the same values and, for each agent, cells
with worlds of the same classes at the same ranks (by refinement: P. Kanellakis, S. Smolka, CCS
expressions, finite state processes, and three problems of equivalence, 1990).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence


def classes(
    values: Sequence[Hashable],
    cells: Mapping[str, Sequence[int]],
    ranks: Mapping[str, Sequence[int]],
) -> list[int]:
    """For each world the number of its class, counted from 0 in order of appearance.

    Args:
        values: what is shown of each world, marks included.
        cells: for each agent the number of each world's cell.
        ranks: for each agent that has beliefs, how plausible each world is in its cell.
    """
    found = numbered(values)
    while True:
        signatures: list[list[Hashable]] = [[number] for number in found]
        for agent, mine in cells.items():
            rank = ranks.get(agent, [0] * len(found))
            members: dict[int, set[tuple[int, int]]] = {}
            for place, cell in enumerate(mine):
                members.setdefault(cell, set()).add((found[place], rank[place]))
            for place, cell in enumerate(mine):
                signatures[place] += [rank[place], frozenset(members[cell])]
        finer = numbered([tuple(signature) for signature in signatures])
        if finer == found:
            return found
        found = finer


def numbered(keys: Sequence[Hashable]) -> list[int]:
    """For each key a number, the same for equal keys, from 0 in order of appearance."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def rank_numbers(cell: Sequence[int], plausible: Sequence[tuple[bool, ...]]) -> list[int]:
    """How plausible each world is in its cell: 1 for the most plausible ones."""
    levels: dict[int, list[tuple[bool, ...]]] = {}
    for number in set(cell):
        inside = {key for place, key in enumerate(plausible) if cell[place] == number}
        levels[number] = sorted(inside)
    return [levels[number].index(plausible[place]) + 1 for place, number in enumerate(cell)]
