"""Worlds up to bisimilarity: worlds are one if no formula about the values shown separates them.

The formulas are those of K, M, B, conditional B, C and CB. D and P are left out: they can separate
worlds that these operators do not. A past version of a fluent (`x#0`) counts only if it is shown.

In a cell, the worlds that an agent cannot tell apart, a class of worlds is as plausible as the best
of its worlds there. A partition of the worlds is *stable* if two worlds of one class always have,
for each agent, cells with the same classes in the same order of plausibility. Wanted is the
coarsest stable partition of worlds with the same values.

It separates no more than formulas do. `classes` starts with the values, and splits a class if the
cells of two of its worlds differ. With formulas for the classes so far, M[i] X separates these two
worlds if only one of the cells has X, and B[i | X | Y] ~X if Y is better than X in only one of
them. Because the order is that of classes, it is found anew after each split. A class is as
plausible as the best of the classes into which it is split, so the finer order determines the
coarser one: no split divides a class of a stable partition, and the result is the coarsest.

It separates no less. By induction a formula is true at all worlds of a class or at none. In a cell,
the most plausible worlds at which it is true are the best worlds of those of its classes that come
first, and by stability these are the same classes for all worlds of a class.

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
"""Whether each soft constraint of an agent, in order, is false: the lesser is better."""


def classes(
    values: Sequence[Hashable],
    cells: Mapping[str, Sequence[int]],
    plausible: Mapping[str, Sequence[Falsehoods]],
) -> list[int]:
    """Return for each world the number of its class, counted from 0 in order of appearance.

    Args:
        values: the visible values of each world, marks included.
        cells: for each agent the number of each world's cell.
        plausible: for each agent how plausible each world is.
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
    """Return for each class of a cell its level of plausibility: 1 for the best classes.

    `members` has for each world of the cell its class, and how plausible it is.
    """
    best: dict[int, Falsehoods] = {}
    for number, key in members:
        best[number] = min(key, best.get(number, key))
    order = {key: level for level, key in enumerate(sorted(set(best.values())), 1)}
    return {number: order[key] for number, key in best.items()}


def numbered(keys: Sequence[Hashable]) -> list[int]:
    """Return for each key a number, the same for equal keys, from 0 in order of appearance."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]
