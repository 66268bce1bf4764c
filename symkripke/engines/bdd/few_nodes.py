"""The shares of variables in a small diagram, counted node by node.

The passes are those of `symkripke.engines.bdd.nodes`. But an array operation takes as long as
dozens of steps of Python, and there are several for each variable. So a diagram with a few nodes
for each variable is counted sooner one node at a time, and without a file.
"""

from __future__ import annotations

from fractions import Fraction

from symkripke import limits
from symkripke.engines.bdd.diagram import Diagrams
from symkripke.engines.bdd.sliced import Diagram


def marginals(diagrams: Diagrams, diagram: Diagram) -> dict[int, Fraction]:
    """For each variable of the diagram the share of the valuations at which it is true.

    The diagram must not be empty. An edge may be complemented, so a set and its complement are
    counted apart: the time is linear in twice the number of nodes.
    """
    end = len(diagrams.order)
    number = {diagrams.false: 0, diagrams.true: 1}
    number.setdefault(diagram, 2)
    found = [diagram] if len(number) > 2 else []
    levels, sides = [end, end, *map(diagrams.level, found)], [(0, 0), (1, 1)]
    for current in found:  # which grows meanwhile
        parts = current.cofactors()
        assert parts is not None
        for part in parts:
            if part not in number:
                number[part] = len(number)
                levels.append(diagrams.level(part))
                found.append(part)
        sides.append((number[parts[0]], number[parts[1]]))
    limits.look()
    downwards = sorted(range(2, len(levels)), key=levels.__getitem__)
    # For each set how many valuations of its own and all later levels are in it.
    counts = [0, 1] + [0] * len(found)
    for one in reversed(downwards):
        below = levels[one] + 1
        high, low = sides[one]
        counts[one] = (counts[high] << levels[high] - below) + (counts[low] << levels[low] - below)
    limits.look()
    # For each set in how many ways it is reached, from the first level of the diagram on. For each
    # level how many more valuations go through high sides than through low sides: a valuation that
    # goes past a level is there once with the variable true, and once with it false.
    ways = [0] * len(counts)
    more: dict[int, int] = {}
    total = counts[number[diagram]]
    ways[number[diagram]] = 1
    for one in downwards:
        level, here = levels[one], ways[one]
        high, low = sides[one]
        by_high, by_low = here << levels[high] - level - 1, here << levels[low] - level - 1
        ways[high] += by_high
        ways[low] += by_low
        surplus = by_high * counts[high] - by_low * counts[low]
        more[level] = more.get(level, 0) + surplus
    return {
        diagrams.order[level]: Fraction(total + surplus, 2 * total)
        for level, surplus in more.items()
    }
