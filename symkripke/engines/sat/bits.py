"""Worlds and sets of literals as integers: bit v of a world is the truth of variable v."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod

Literals = tuple[int, ...]

Bits = tuple[int, int]
"""A set of literals as bits: the variables that must be true, and those that must be false."""


def bits_of(literals: Iterable[int]) -> Bits:
    """Return literals as `Bits`."""
    true = false = 0
    for literal in literals:
        if literal > 0:
            true |= 1 << literal
        else:
            false |= 1 << -literal
    return true, false


def variables_of(bits: int) -> list[int]:
    """Return the variables whose bits are set, in ascending order."""
    variables = []
    while bits:
        lowest = bits & -bits
        variables.append(lowest.bit_length() - 1)
        bits ^= lowest
    return variables


def literals_of(true: int, false: int) -> list[int]:
    """Return these true and false variables as literals, in ascending order of variables."""
    return [
        variable if true >> variable & 1 else -variable for variable in variables_of(true | false)
    ]


def mask_of(variables: Iterable[int]) -> int:
    """Return an integer with the bits of these variables set."""
    mask = 0
    for variable in variables:
        mask |= 1 << variable
    return mask


def union(masks: Iterable[int]) -> int:
    """Return the union of these sets of bits."""
    bits = 0
    for mask in masks:
        bits |= mask
    return bits


def ways(fluents: Sequence[Sequence[int]], most: int) -> Iterator[int]:
    """Yield all combinations of the fluents' values, as bits, if there are at most `most`.

    Each fluent is given by the variables of its values.
    """
    choices = [
        [0, 1 << variables[0]] if len(variables) == 1 else [1 << variable for variable in variables]
        for variables in fluents
    ]
    if prod(map(len, choices)) <= most:
        yield from map(sum, product(*choices))


def is_true(literal: int, world: int) -> bool:
    """Return whether a literal is true at a world."""
    return bool(world >> literal & 1) if literal > 0 else not world >> -literal & 1


def literals_at(variables: Iterable[int], world: int) -> list[int]:
    """Return the literals of these variables that are true at a world."""
    return [variable if world >> variable & 1 else -variable for variable in variables]
