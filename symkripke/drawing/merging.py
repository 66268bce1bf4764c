"""Worlds up to bisimilarity: merging worlds that no formula about the shown values separates.

The formulas have the operators K, M, B, conditional B, C and CB. D and P are left out, because they
can separate worlds that the other operators do not. A past version of a fluent (`x#0`) counts only
if it is shown.

A cell contains the worlds that an agent cannot tell apart. In a cell, a class of worlds is as
plausible as its most plausible world there. A partition of the worlds is *stable* if two worlds of
one class always have, for each agent, cells with the same classes in the same order of
plausibility. The goal is the coarsest stable partition whose classes have worlds with the same
values.

This partition separates no more than formulas do. `classes` starts with the values, and splits a
class if the cells of two of its worlds differ. With formulas for the classes so far, M[i] X
separates these two worlds if only one of the cells has X, and B[i | X | Y] ~X if Y is better than X
in only one of them. Because the order compares classes, it is recomputed after each split. A class
is as plausible as the best of the classes into which it is split, so the finer order determines the
coarser one: no split divides a class of a stable partition, and the result is the coarsest.

The partition separates no less than formulas do. By induction, a formula is true at all worlds of a
class or at none. In a cell, the most plausible worlds at which it is true are the best worlds of
the first classes at which it is true. By stability, these classes are the same for all worlds of a
class.

Source: M. B. Andersen, T. Bolander, H. van Ditmarsch, M. H. Jensen, Bisimulation and expressivity
for conditional belief, degrees of belief, and safe belief, Synthese 194, 2017. Refinement: P.
Kanellakis, S. Smolka, CCS expressions, finite state processes, and three problems of equivalence,
1990.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias

from symkripke.limits import look

Falsehoods: TypeAlias = tuple[bool, ...]
"""For each soft constraint of an agent, in order, whether it is false; smaller is better."""


def classes(
    values: Sequence[Hashable],
    cells: Mapping[str, Sequence[int]],
    plausible: Mapping[str, Sequence[Falsehoods]],
) -> list[int]:
    """Return the number of each world's class, from 0 in order of appearance.

    Args:
        values: the visible values of each world, marks included.
        cells: for each agent, the number of each world's cell.
        plausible: for each agent, the plausibility of each world.
    """
    numbers = numbered(values)
    while True:
        signatures: list[list[Hashable]] = [[number] for number in numbers]
        for agent, mine in cells.items():
            look()
            members: dict[int, list[tuple[int, Falsehoods]]] = {}
            for cell, number, key in zip(mine, numbers, plausible[agent], strict=True):
                members.setdefault(cell, []).append((number, key))
            orders = {cell: frozenset(levels(each).items()) for cell, each in members.items()}
            for signature, cell in zip(signatures, mine, strict=True):
                signature.append(orders[cell])
        finer = numbered([tuple(signature) for signature in signatures])
        if finer == numbers:
            return numbers
        numbers = finer


def levels(members: Iterable[tuple[int, Falsehoods]]) -> dict[int, int]:
    """Return the level of plausibility of each class of a cell: 1 for the best classes.

    `members` has, for each world of the cell, its class and its plausibility.
    """
    best: dict[int, Falsehoods] = {}
    for number, key in members:
        best[number] = min(key, best.get(number, key))
    order = {key: level for level, key in enumerate(sorted(set(best.values())), 1)}
    return {number: order[key] for number, key in best.items()}


def numbered(keys: Sequence[Hashable]) -> list[int]:
    """Return a number for each key, the same for equal keys, from 0 in order of appearance."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]
