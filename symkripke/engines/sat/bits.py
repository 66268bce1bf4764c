"""Worlds and sets of literals as integers: bit v of a world is the truth of variable v."""

from __future__ import annotations

from collections.abc import Iterable

Literals = tuple[int, ...]

Bits = tuple[int, int]
"""A set of literals: the variables that are to be true, and those that are to be false."""


def bits_of(literals: Iterable[int]) -> Bits:
    """Literals as bits: the variables that are to be true, and those that are to be false."""
    true = false = 0
    for literal in literals:
        if literal > 0:
            true |= 1 << literal
        else:
            false |= 1 << -literal
    return true, false


def literals_of(true: int, false: int) -> list[int]:
    """The literals that bits stand for, in order of their variables."""
    found = []
    for sign, rest in ((1, true), (-1, false)):
        while rest:
            lowest = rest & -rest
            found.append(sign * (lowest.bit_length() - 1))
            rest ^= lowest
    return sorted(found, key=abs)


def mask_of(variables: Iterable[int]) -> int:
    """These variables as bits."""
    mask = 0
    for variable in variables:
        mask |= 1 << variable
    return mask


def is_true(literal: int, world: int) -> bool:
    """Whether a literal is true at a world."""
    return bool(world >> literal & 1) if literal > 0 else not world >> -literal & 1


def literals_at(variables: Iterable[int], world: int) -> list[int]:
    """The literals of these variables that are true at a world."""
    return [variable if world >> variable & 1 else -variable for variable in variables]
