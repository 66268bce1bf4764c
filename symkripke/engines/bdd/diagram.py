"""Binary decision diagrams: sets of valuations of Boolean variables.

A diagram is a graph. Each node tests one variable, all paths have the same order of variables, and
equal subgraphs are shared (R. Bryant: Graph-based algorithms for Boolean function manipulation,
1986). So each set has exactly one diagram, tests of emptiness and equality take constant time, and
a count is one pass over the nodes. The library is OxiDD (N. Husung, C. Dubslaff, H. Hermanns, M.
Koehl: OxiDD, 2024), with complemented edges: a set and its complement share their nodes, so
negation takes constant time. (Measured: this saves a third to a half of the total time.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, pairwise
from typing import TypeAlias

from symkripke import limits
from symkripke.engines.bdd.interruptible import Diagram, both, choice, count, either, exists
from symkripke.engines.bdd.library import BCDDManager
from symkripke.engines.bdd.tuning import BddTuning
from symkripke.language.formulas import Relation

Literal: TypeAlias = int
"""A literal: v + 1 if the variable v is true, -v - 1 if it is false, 0 if never true."""

# Bytes of a result in the cache of operations, and of a node.
_RESULT, _NODE = 20, 16


class Diagrams:
    """The variables in their order, and all diagrams over them.

    Attributes:
        max_nodes: the maximum number of nodes at any time. An operation that needs more raises
            `oxidd.util.DDMemoryError` and leaves existing diagrams intact.
        true: the set of all valuations.
        false: the empty set.
        orders: the number of changes of the variable order. Levels are valid for one order only.
        live: the number of nodes in use after the last collection.
        peak: the greatest number of nodes so far. The manager never releases their memory.
    """

    def __init__(
        self, max_nodes: int, tuning: BddTuning | None = None, *, small: bool = False
    ) -> None:
        """Create diagrams without variables; `small` means that few nodes are expected."""
        tuning = tuning or BddTuning()
        self.max_nodes = max_nodes
        self._uncollected = tuning.uncollected_nodes
        results = tuning.few_operations if small else tuning.operations
        # If there is room for only a few nodes, a quarter of their number is enough.
        self._results = min(results, max(1024, max_nodes // 4))
        self.manager = BCDDManager(max_nodes, self._results, 1)
        self.true: Diagram = self.manager.true()
        self.false: Diagram = self.manager.false()
        self.order: list[int] = []
        self.orders = 0
        self.live = self.peak = 0
        self._moved = self._gathers = False

    @property
    def size(self) -> int:
        """The approximate memory of the manager, in bytes."""
        return _RESULT * self._results + _NODE * self.peak

    def sweep(self) -> None:
        """Collect unused nodes if they may be half of all nodes.

        The library itself collects them only when it runs out of room.
        """
        nodes = self.manager.num_inner_nodes()
        self.peak = max(self.peak, nodes)
        if nodes > max(self._uncollected, 2 * self.live):
            self.manager.gc()
            self.live = self.manager.num_inner_nodes()

    # ---- variables ------------------------------------------------------------------------

    def add(self, number: int, after: Iterable[int] | None = None) -> tuple[int, ...]:
        """Return `number` new variables, adjacent in the order.

        They are placed below all variables of `after`, or at the end if it is None.
        """
        if after is not None:
            return self.spread([after] * number)
        new = tuple(self.manager.add_vars(number))
        self.order += new
        self.orders += 1
        return new

    def spread(self, after: Sequence[Iterable[int]]) -> tuple[int, ...]:
        """Return a new variable for each set of `after`, placed below all variables of the set.

        For an empty set, the variable is placed at the end. New variables in the same place keep
        their order.
        """
        place_of = {variable: place for place, variable in enumerate(self.order)}
        behind: dict[int, int] = {}
        for near in after:
            if id(near) not in behind:
                limits.check()
                last = max((place_of[v] for v in near), default=len(self.order) - 1)
                behind[id(near)] = 1 + last
        new = tuple(self.manager.add_vars(len(after)))  # no limit may interrupt from here on
        # Inserting from the last place on keeps the other places valid.
        places = [(behind[id(near)], number) for number, near in enumerate(after)]
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
        """Delay the moves of new variables until the end of the body, and do them in one step.

        Each move takes a pass over all nodes. The body must not build diagrams.
        """
        self._gathers = True
        try:
            yield
        finally:
            self._gathers = False
            self._arrange()

    def _arrange(self) -> None:
        if self._moved:
            self.manager.set_var_order(self.order)
            self._moved = False
            # This may raise, so it comes last, when the order agrees with that of the nodes.
            limits.spend(len(self.order) + self.manager.approx_num_inner_nodes() // 25)

    def literal(self, literal: Literal) -> Diagram:
        """Return the valuations at which the literal is true."""
        if literal == 0:
            return self.false
        if literal > 0:
            return self.manager.var(literal - 1)
        return self.manager.not_var(-literal - 1)

    def at(self, level: int) -> Diagram:
        """Return the valuations at which the variable of this level is true."""
        return self.manager.var(self.order[level])

    def cube(self, literals: Iterable[Literal]) -> Diagram:
        """Return the valuations at which all literals are true."""
        unique = set(literals)
        chosen = {abs(literal) - 1: literal for literal in unique}
        if len(chosen) < len(unique) or 0 in unique:
            return self.false
        result = self.true
        # From the last variable up, each conjunction creates only one node.
        for variable in sorted(chosen, key=self.manager.var_to_level, reverse=True):
            result = self.literal(chosen[variable]) & result
        return result

    def cube_of(self, variables: Iterable[int]) -> Diagram:
        """Return the cube in which all these variables are true, to quantify over them."""
        return self.cube(variable + 1 for variable in variables)

    def is_cube(self, diagram: Diagram) -> bool:
        """Return whether the set is a cube: whether there is exactly one path to true."""
        while (sides := diagram.cofactors()) is not None:
            high, low = sides
            if high != self.false and low != self.false:
                return False
            diagram = low if high == self.false else high
        return diagram == self.true

    # ---- building -------------------------------------------------------------------------

    def every(self, parts: Iterable[Diagram]) -> Diagram:
        """Return the intersection of `parts`."""
        result = self.true
        for part in self._from_below(parts):
            result = both(part, result)
        return result

    def some(self, parts: Iterable[Diagram]) -> Diagram:
        """Return the union of `parts`."""
        result = self.false
        for part in self._from_below(parts):
            result = either(part, result)
        return result

    def number(self, relation: Relation, bound: int, parts: Iterable[Diagram]) -> Diagram:
        """Return the valuations that are in at least, at most or exactly `bound` of `parts`.

        The result is built from the last part to the first: `rows[k]` has the valuations that fit
        if they are in k of the earlier parts. There are at most `bound` + 2 rows. For literals,
        each step creates one node for each row, so no intermediate diagram is larger than the
        result.
        """
        ordered = self._from_below(parts)
        bound = min(bound, len(ordered) + 1)  # a greater number of parts is impossible
        full = bound + 1  # this index stands for itself and all greater numbers
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
        """Return the level of the diagram's first variable; for a constant, the lowest level."""
        level = diagram.node_level()
        return len(self.order) if level is None else level

    # ---- asking ---------------------------------------------------------------------------

    def count(self, diagram: Diagram, variables: int) -> int:
        """Return the number of valuations of the set over `variables` variables.

        These must include all variables on which the diagram depends.
        """
        whole = self.manager.num_vars()
        return count(diagram, whole) >> (whole - variables)

    def forced(self, diagram: Diagram, hidden: Diagram) -> frozenset[Literal]:
        """Return the literals that are true at all valuations, except those of `hidden` variables.

        The diagram must not be empty. The hidden variables are quantified out, and then one pass
        over the nodes suffices. Every node is on a path to true, so a variable can have a value if
        the corresponding side of some node for it is not false. It can have both values if an edge
        skips it.
        """
        left = exists(diagram, hidden)
        end = len(self.order)
        can: tuple[set[int], set[int]] = (set(), set())
        # For each level: the number of edges that begin to skip it, minus those that end there.
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
        """Return the variables that are true in one valuation of the set; None if it is empty."""
        chosen = diagram.pick_cube()
        if chosen is None:
            return None
        return frozenset(variable for variable, value in enumerate(chosen) if value)

    def members(self, diagram: Diagram, variables: Iterable[int]) -> Iterator[frozenset[int]]:
        """Yield all valuations of `variables` in the set, each as its true variables.

        The diagram must not depend on other variables.
        """
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
