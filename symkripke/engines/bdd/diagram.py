"""Binary decision diagrams: sets of valuations of Boolean variables.

A diagram is a graph in which every node asks one variable, variables come in one order on every
path, and equal subgraphs are one (R. Bryant: Graph-based algorithms for Boolean function
manipulation, 1986). So a set has one diagram, tests of emptiness and equality cost nothing, and
a count is one pass over the nodes. The nodes are OxiDD's (N. Husung, C. Dubslaff, H. Hermanns,
M. Koehl: OxiDD, 2024), with complemented edges: a set and its complement are the same nodes, so
negation costs nothing (measured: a third to a half less time than without).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, pairwise
from itertools import count as numbers
from typing import TypeAlias

from symkripke import heap, limits
from symkripke.engines.bdd.library import BCDDManager
from symkripke.engines.bdd.sliced import Diagram, both, choice, count, either, shadow
from symkripke.language.formulas import Relation

Literal: TypeAlias = int
"""A variable v is true (v + 1) or false (-v - 1); 0 is never true."""

# Bytes for a result that is remembered, and for a node.
_RESULT, _NODE = 20, 16

# Results of operations that are remembered. Four times as many are no faster, at full Cluedo or for
# 320 muddy children, and to set them up takes 30 ms to 0.3 s. Where there is room for few nodes
# only, a quarter of their number is as good.
_CACHE = 1 << 20

# Nodes that may be there before it is looked which of them nobody needs any more. The library only
# looks when it runs out of room.
_UNSWEPT = 1 << 18

_managers = numbers()
"""How many managers were made."""


class Diagrams:
    """The variables in their order, and all diagrams over them.

    Attributes:
        max_nodes: how many nodes there may be at any time. An operation that needs more raises
            `oxidd.util.DDMemoryError`, and everything that was there before is intact.
        true: the set of all valuations.
        false: the empty set.
        orders: how many orders the variables have had; places are right for one of them.
        live: how many nodes somebody needed when that was looked at last.
        peak: how many nodes there have been; their memory stays set aside as long as the manager.
    """

    def __init__(self, max_nodes: int) -> None:
        """No variables yet."""
        self.max_nodes = max_nodes
        if next(_managers):  # one comes after another: a process that goes on
            heap.keep_large_blocks_apart()
        self._results = min(_CACHE, max(1024, max_nodes // 4))
        self.manager = BCDDManager(max_nodes, self._results, 1)
        self.true: Diagram = self.manager.true()
        self.false: Diagram = self.manager.false()
        self.order: list[int] = []
        self.orders = 0
        self.live = self.peak = 0
        self._moved = self._gathers = False

    @property
    def size(self) -> int:
        """About how many bytes the manager holds."""
        return _RESULT * self._results + _NODE * self.peak

    def sweep(self) -> None:
        """Let go of the nodes that nobody needs, if there may be as many of them as of others."""
        nodes = self.manager.num_inner_nodes()
        self.peak = max(self.peak, nodes)
        if nodes > max(_UNSWEPT, 2 * self.live):
            self.manager.gc()
            self.live = self.manager.num_inner_nodes()

    # ---- variables ------------------------------------------------------------------------

    def add(self, number: int, after: Iterable[int] | None = None) -> tuple[int, ...]:
        """So many new variables, together in the order: after all of `after`, or at the end."""
        end = self.order if after is None else after
        return self.spread([end] * number)

    def spread(self, after: Sequence[Iterable[int]]) -> tuple[int, ...]:
        """One new variable for each of `after`: behind all of these; at the end, if there are none.

        New variables with the same place stand there in the order in which they are given.
        """
        new = tuple(self.manager.add_vars(len(after)))
        place_of = {variable: place for place, variable in enumerate(self.order)}
        # By place, and those of one place in order: put in from the last one.
        places = [
            (1 + max((place_of[v] for v in near), default=len(self.order) - 1), number)
            for number, near in enumerate(after)
        ]
        moved = any(place < len(self.order) for place, _ in places)
        for place, number in sorted(places, reverse=True):
            self.order.insert(place, new[number])
        self.orders += 1
        self._moved |= moved
        if not self._gathers:
            self._arrange()
        return new

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """New variables in the body come to their places all at once at its end.

        Each time takes a pass over all nodes. The body must not build diagrams.
        """
        self._gathers = True
        try:
            yield
        finally:
            self._gathers = False
            self._arrange()

    def _arrange(self) -> None:
        if self._moved:
            limits.spend(len(self.order) + self.manager.approx_num_inner_nodes() // 25)
            self.manager.set_var_order(self.order)
            self._moved = False

    def literal(self, literal: Literal) -> Diagram:
        """Where the literal is true."""
        if literal == 0:
            return self.false
        if literal > 0:
            return self.manager.var(literal - 1)
        return self.manager.not_var(-literal - 1)

    def at(self, level: int) -> Diagram:
        """Where the variable at this place of the order is true."""
        return self.manager.var(self.order[level])

    def cube(self, literals: Iterable[Literal]) -> Diagram:
        """Where all the literals are true."""
        unique = set(literals)
        chosen = {abs(literal) - 1: literal for literal in unique}
        if len(chosen) < len(unique) or 0 in unique:
            return self.false
        result = self.true
        # From the last variable up: each conjunction then makes one node.
        for variable in sorted(chosen, key=self.manager.var_to_level, reverse=True):
            result = self.literal(chosen[variable]) & result
        return result

    def is_cube(self, diagram: Diagram) -> bool:
        """Whether it says no more than that some literals are true: one way to true."""
        while (sides := diagram.cofactors()) is not None:
            high, low = sides
            if high != self.false and low != self.false:
                return False
            diagram = low if high == self.false else high
        return diagram == self.true

    # ---- building -------------------------------------------------------------------------

    def every(self, parts: Iterable[Diagram]) -> Diagram:
        """Where all of `parts` are."""
        result = self.true
        for part in self._from_below(parts):
            result = both(part, result)
        return result

    def some(self, parts: Iterable[Diagram]) -> Diagram:
        """Where at least one of `parts` is."""
        result = self.false
        for part in self._from_below(parts):
            result = either(part, result)
        return result

    def number(self, relation: Relation, bound: int, parts: Iterable[Diagram]) -> Diagram:
        """Where at least, at most or exactly `bound` of `parts` are.

        Built upwards from the last of the parts: `rows[k]` is where the parts so far fit, if k
        of those before them are true. There are at most `bound` + 2 rows, and for literals each
        step makes one node a row: no clauses, and nothing larger than the result.
        """
        ordered = self._from_below(parts)
        bound = min(bound, len(ordered) + 1)  # no more of them can be true
        full = bound + 1  # that many or more: all one
        goal = {
            "atleast": [k >= bound for k in range(full + 1)],
            "atmost": [k <= bound for k in range(full + 1)],
            "exactly": [k == bound for k in range(full + 1)],
        }[relation]
        rows = [self.true if good else self.false for good in goal]
        for part in ordered:
            limits.look()
            rows = [choice(part, more, less) for less, more in pairwise([*rows, rows[full]])]
        return rows[0]

    def _from_below(self, parts: Iterable[Diagram]) -> Sequence[Diagram]:
        return sorted(parts, key=self.level, reverse=True)

    def level(self, diagram: Diagram) -> int:
        """Which variable, counted along the order, is asked first; after all others: none."""
        level = diagram.node_level()
        return len(self.order) if level is None else level

    # ---- asking ---------------------------------------------------------------------------

    def count(self, diagram: Diagram, variables: int) -> int:
        """How many valuations of the `variables` variables that it may speak of are in it."""
        whole = self.manager.num_vars()
        return count(diagram, whole) >> (whole - variables)

    def forced(self, diagram: Diagram, hidden: Diagram) -> frozenset[Literal]:
        """The literals of all but the `hidden` variables that are true all over the diagram.

        The diagram must not be empty. One pass over the nodes of what is left without the hidden
        variables: every node is on a way to true, so a variable can have a value if a node asks
        for it and that side is not false, and both if an edge goes past it.
        """
        left = shadow(diagram, hidden)
        end = len(self.order)
        can: tuple[set[int], set[int]] = (set(), set())
        # For each level how many edges begin to go past it, less those that ended before.
        past = [0] * (end + 1)
        past[0] += 1
        past[self.level(left)] -= 1
        stack, seen = [left], {left}
        while stack:
            limits.look()
            current = stack.pop()
            sides = current.cofactors()
            if sides is None:
                continue
            level = self.level(current)
            for side, values in zip(sides, can, strict=True):
                if side == self.false:
                    continue
                values.add(level)
                past[level + 1] += 1
                past[self.level(side)] -= 1
                if side not in seen:
                    seen.add(side)
                    stack.append(side)
        literals = []
        for level, number in enumerate(accumulate(past[:end])):
            if not number and (level in can[0]) != (level in can[1]):
                variable = self.order[level]
                literals.append(variable + 1 if level in can[0] else -variable - 1)
        return frozenset(literals)

    def pick(self, diagram: Diagram) -> frozenset[int] | None:
        """The variables that are true in one valuation of the set; None if it is empty."""
        chosen = diagram.pick_cube()
        if chosen is None:
            return None
        return frozenset(variable for variable, value in enumerate(chosen) if value)

    def members(self, diagram: Diagram, variables: Iterable[int]) -> Iterator[frozenset[int]]:
        """Every valuation of these variables, the only ones of the set: those that are true."""
        order = sorted(variables, key=self.manager.var_to_level)
        stack: list[tuple[Diagram, int, tuple[int, ...]]] = [(diagram, 0, ())]
        while stack:
            limits.look()
            current, place, true = stack.pop()
            if not current.satisfiable():
                continue
            if place == len(order):
                yield frozenset(true)
                continue
            high = low = current
            if current.node_var() == order[place]:
                parts = current.cofactors()
                assert parts is not None
                high, low = parts
            stack.append((high, place + 1, (*true, order[place])))
            stack.append((low, place + 1, true))
