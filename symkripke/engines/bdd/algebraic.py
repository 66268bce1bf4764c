"""Probabilities in all cells at once: diagrams with numbers at their leaves.

The number of worlds of a set that agree with a valuation of an agent's observations is an integer
function of this valuation. The diagram of the function is built from the diagram of the set, from
the bottom up, by summing over the variables that the agent does not observe (R. I. Bahar et al.:
Algebraic decision diagrams and their applications, 1993).
"""

from __future__ import annotations

from collections.abc import Callable, Set
from fractions import Fraction
from typing import NamedTuple

from symkripke import limits
from symkripke.engines.bdd.diagram import Diagrams
from symkripke.engines.bdd.interruptible import Diagram
from symkripke.language.formulas import COMPARE, Comparison


class WeighedCells(NamedTuple):
    """Sets of worlds whose counts are their weights, in the cells of an agent.

    Attributes:
        whole: the worlds that the agent considers possible at which the condition is true.
        part: the worlds of `whole` at which the operand is true.
        observed: the variables that distinguish the cells.
        hidden: an upper bound for the number of other variables in the two diagrams.
    """

    whole: Diagram
    part: Diagram
    observed: frozenset[int]
    hidden: int


def compare_shares(
    diagrams: Diagrams, weighed: WeighedCells, relation: Comparison, bound: Fraction
) -> Diagram:
    """Return the worlds in cells where the share of the part has this relation to `bound`."""
    compare = COMPARE[relation]

    def fits(share: int, all_of_them: int) -> int:
        return int(compare(share * bound.denominator, all_of_them * bound.numerator))

    whole, part, observed, hidden = weighed
    if not observed:
        share, all_of_them = diagrams.count(part, hidden), diagrams.count(whole, hidden)
        return diagrams.true if fits(share, all_of_them) else diagrams.false
    numbers = AlgebraicDiagrams(diagrams, observed, 1 << hidden)
    return numbers.positive(numbers.apply(fits, numbers.counts(part), numbers.counts(whole)))


def all_shares(diagrams: Diagrams, weighed: WeighedCells, cells: Diagram) -> frozenset[Fraction]:
    """Return the different shares of the part in the whole in all cells with a world in `cells`."""
    whole, part, observed, hidden = weighed
    if not observed:
        return frozenset((Fraction(diagrams.count(part, hidden), diagrams.count(whole, hidden)),))
    numbers = AlgebraicDiagrams(diagrams, observed, 1 << hidden)
    place_of: dict[Fraction, int] = {}

    def place(share: int, all_of_them: int) -> int:
        """Return the number of the share, from 1; 0 if the cell is empty."""
        if not all_of_them:
            return 0
        return place_of.setdefault(Fraction(share, all_of_them), len(place_of) + 1)

    shares = numbers.apply(place, numbers.counts(part), numbers.counts(whole))
    asked = numbers.apply(lambda share, here: share if here else 0, shares, numbers.counts(cells))
    values = numbers.values(asked)
    return frozenset(share for share, number in place_of.items() if number in values)


class AlgebraicDiagrams:
    """Diagrams with integers at their leaves; nodes are indices, above those of their children."""

    def __init__(self, diagrams: Diagrams, observed: Set[int], scale: int) -> None:
        """Create diagrams over the `observed` variables; the others have `scale` valuations."""
        self.diagrams = diagrams
        self.observed = observed
        self.scale = scale
        self._nodes: list[tuple[int, int, int]] = []  # level, high, low; or -1, value, 0
        self._known: dict[tuple[int, int, int], int] = {}
        self._means: dict[tuple[int, int], int] = {}

    def _node(self, level: int, high: int, low: int) -> int:
        if level >= 0 and high == low:
            return high
        key = (level, high, low)
        if key not in self._known:
            self._known[key] = len(self._nodes)
            self._nodes.append(key)
        return self._known[key]

    def counts(self, diagram: Diagram) -> int:
        """Return the number of worlds of the diagram for each valuation of the observed variables.

        A leaf counts all valuations of the hidden variables, and a hidden variable takes the mean
        of its two sides. So hidden variables that a path skips need no special treatment.
        """
        results = {
            self.diagrams.true: self._node(-1, self.scale, 0),
            self.diagrams.false: self._node(-1, 0, 0),
        }
        stack = [diagram]
        while stack:
            current = stack[-1]
            parts = current.cofactors()
            if current in results or parts is None:
                stack.pop()
                continue
            missing = [part for part in parts if part not in results]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            limits.check()
            high, low = (results[part] for part in parts)
            variable, level = current.node_var(), current.node_level()
            assert level is not None
            if variable in self.observed:
                results[current] = self._node(level, high, low)
            else:
                results[current] = self.apply(_mean, high, low, self._means)
        return results[diagram]

    def apply(
        self,
        function: Callable[[int, int], int],
        first: int,
        second: int,
        done: dict[tuple[int, int], int] | None = None,
    ) -> int:
        """Return the diagram of a function of the values of two diagrams.

        `done` is the cache of results for this function.
        """
        results = {} if done is None else done
        stack = [(first, second)]
        while stack:
            limits.check()
            left, right = pair = stack[-1]
            if pair in results:
                stack.pop()
                continue
            a, b = self._nodes[left], self._nodes[right]
            if a[0] < 0 and b[0] < 0:
                results[pair] = self._node(-1, function(a[1], b[1]), 0)
                continue
            level = min(node[0] for node in (a, b) if node[0] >= 0)
            high, low = (
                (
                    a[side] if a[0] == level else left,
                    b[side] if b[0] == level else right,
                )
                for side in (1, 2)
            )
            missing = [part for part in (high, low) if part not in results]
            if missing:
                stack.extend(missing)
                continue
            results[pair] = self._node(level, results[high], results[low])
        return results[first, second]

    def values(self, node: int) -> set[int]:
        """Return all values of the diagram."""
        needed, values = {node}, set()
        for current in range(node, -1, -1):
            level, high, low = self._nodes[current]
            if current in needed and level >= 0:
                needed |= {high, low}
            elif current in needed:
                values.add(high)
        return values

    def positive(self, node: int) -> Diagram:
        """Return the valuations at which the diagram's value is not 0."""
        needed = {node}
        for current in range(node, -1, -1):
            level, high, low = self._nodes[current]
            if current in needed and level >= 0:
                needed |= {high, low}
        results: dict[int, Diagram] = {}
        for current in sorted(needed):
            limits.check()
            level, high, low = self._nodes[current]
            if level < 0:
                results[current] = self.diagrams.true if high else self.diagrams.false
            else:
                variable = self.diagrams.manager.level_to_var(level)
                literal = self.diagrams.literal(variable + 1)
                results[current] = literal.ite(results[high], results[low])
        return results[node]


def _mean(first: int, second: int) -> int:
    return (first + second) >> 1
