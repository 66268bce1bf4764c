"""The most plausible worlds as diagrams: of all of an agent's cells at once.

Down the order, each soft constraint s keeps its worlds in those cells that still have one, and is
given up in the others. With S the worlds so far, and H what the agent does not observe:

    S'  =  S & s   where  exists H. (S & s),   else  S
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from symkripke.engines.bdd.diagram import Diagrams
from symkripke.engines.bdd.sliced import (
    Diagram,
    both,
    choice,
    either,
    minus,
    shadow,
    shadow_of_both,
)


def most_plausible(
    worlds: Diagram, order: Iterable[Diagram], hidden: Diagram, check: Callable[[], None]
) -> Diagram:
    """The most plausible worlds of each cell of `worlds`; none where a cell has none.

    Args:
        worlds: whole cells, or those of their worlds at which something given is true.
        order: where soft constraints are true, most trusted first.
        hidden: what the agent does not observe, as a cube.
        check: called now and then; may raise `BudgetExceeded`.
    """
    for soft in order:
        check()
        better = both(worlds, soft)
        worlds = choice(shadow(better, hidden), better, worlds)
    return worlds


def leading_out(
    diagrams: Diagrams,
    outside: Diagram,
    best: Sequence[Diagram],
    hidden: Sequence[Diagram],
    check: Callable[[], None],
) -> Diagram:
    """From where one or more steps of belief lead to a world of `outside`.

    Args:
        diagrams: all diagrams.
        outside: some worlds.
        best: for each agent of a group the most plausible worlds of its cells.
        hidden: for each of them what it does not observe, as a cube.
        check: called now and then; may raise `BudgetExceeded`.
    """
    found, fresh = diagrams.false, outside
    while fresh.satisfiable():
        check()
        reached = diagrams.some(
            [shadow_of_both(mine, fresh, cube) for mine, cube in zip(best, hidden, strict=True)]
        )
        fresh = minus(reached, found)
        found = either(found, fresh)
    return found
