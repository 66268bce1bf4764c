"""The most plausible worlds of all cells of an agent at once, as a diagram.

The soft constraints s are applied in their order. In a cell with a world at which s is true, only
the worlds with s remain; in the other cells, s is given up. With S the worlds so far, and H the
variables that the agent does not observe:

    S'  =  S & s   where  exists H. (S & s),   else  S
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symkripke import limits
from symkripke.engines.bdd.diagram import Diagrams
from symkripke.engines.bdd.interruptible import (
    Diagram,
    and_exists,
    both,
    choice,
    either,
    exists,
    minus,
)


def most_plausible(worlds: Diagram, order: Iterable[Diagram], hidden: Diagram) -> Diagram:
    """Return the most plausible worlds of each cell of `worlds`.

    Args:
        worlds: whole cells, or the worlds of whole cells at which a condition is true.
        order: for each soft constraint, the worlds at which it is true, most trusted first.
        hidden: the variables that the agent does not observe, as a cube.
    """
    for soft in order:
        limits.check()
        better = both(worlds, soft)
        worlds = choice(exists(better, hidden), better, worlds)
    return worlds


def leading_out(
    diagrams: Diagrams,
    outside: Diagram,
    best: Sequence[Diagram],
    hidden: Sequence[Diagram],
) -> Diagram:
    """Return the worlds from which one or more steps of belief lead to a world of `outside`.

    Args:
        diagrams: all diagrams.
        outside: the target worlds.
        best: for each agent of a group, the most plausible worlds of its cells.
        hidden: for each agent of the group, the variables that it does not observe, as a cube.
    """
    inside, fresh = diagrams.false, outside
    while fresh.satisfiable():
        limits.check()
        reached = diagrams.some(
            [and_exists(mine, fresh, cube) for mine, cube in zip(best, hidden, strict=True)]
        )
        fresh = minus(reached, inside)
        inside = either(inside, fresh)
    return inside
