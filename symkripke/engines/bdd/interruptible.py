"""Operations on large diagrams in slices, so that limits can be checked between them.

An operation on large diagrams can take many seconds, and the library cannot interrupt it. But the
operation can be cut into slices. Let x be the first variable of the operands. Then

    f op g  =  x ? (f1 op g1) : (f0 op g0)        f1, f0: the sides of f

So the upper levels are computed here, from the top, until there are several dozen different pairs
of parts. Each pair is one slice. (Measured on random clauses over 60 variables with up to 3 million
nodes: one operation took 3.8 s, its longest slice 0.3 s, and all slices together a fifth longer
than the operation.)

Without a limit on time or work, nothing is cut. An operation with small operands is not cut either,
because a slice takes longer than most operations. (The number of all nodes does not show whether
operands are small, because it includes unused nodes.)
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import TypeAlias

from symkripke import limits
from symkripke.engines.bdd.library import BCDDFunction, BooleanOperator
from symkripke.engines.bdd.tuning import NODES_A_UNIT, SLICING

Diagram: TypeAlias = BCDDFunction
"""A set of valuations."""

Operands: TypeAlias = tuple[Diagram, ...]

# Bound once, because looking up a member of an enumeration takes as long as a small operation.
_AND, _IMP_STRICT = BooleanOperator.AND, BooleanOperator.IMP_STRICT

_END = 1 << 60


def both(one: Diagram, other: Diagram) -> Diagram:
    """Return the intersection of two sets."""
    if _is_cut(one, other):
        return in_slices(lambda f, g: f & g, (one, other))
    return one & other


def either(one: Diagram, other: Diagram) -> Diagram:
    """Return the union of two sets."""
    if _is_cut(one, other):
        return in_slices(lambda f, g: f | g, (one, other))
    return one | other


def minus(whole: Diagram, part: Diagram) -> Diagram:
    """Return the valuations of `whole` that are not in `part`."""
    if _is_cut(whole, part):
        return in_slices(lambda f, g: g.imp_strict(f), (whole, part))
    return part.imp_strict(whole)


def choice(where: Diagram, there: Diagram, elsewhere: Diagram) -> Diagram:
    """Return the set that equals `there` within `where`, and `elsewhere` outside it."""
    if _is_cut(where, there, elsewhere):
        return in_slices(lambda f, g, h: f.ite(g, h), (where, there, elsewhere))
    return where.ite(there, elsewhere)


def exists(diagram: Diagram, hidden: Diagram) -> Diagram:
    """Return the diagram with the `hidden` variables (a cube) quantified existentially."""
    if _is_cut(diagram):
        return in_slices(lambda f: f.exists(hidden), (diagram,), hidden)
    return diagram.exists(hidden)


def and_exists(one: Diagram, other: Diagram, hidden: Diagram) -> Diagram:
    """Return the intersection, with the `hidden` variables (a cube) quantified existentially."""
    if _is_cut(one, other):
        return in_slices(lambda f, g: f.apply_exists(_AND, g, hidden), (one, other), hidden)
    return one.apply_exists(_AND, other, hidden)


def diff_exists(whole: Diagram, part: Diagram, hidden: Diagram) -> Diagram:
    """Return the difference, with the `hidden` variables (a cube) quantified existentially."""
    if _is_cut(whole, part):
        return in_slices(lambda f, g: g.apply_exists(_IMP_STRICT, f, hidden), (whole, part), hidden)
    return part.apply_exists(_IMP_STRICT, whole, hidden)


def count(diagram: Diagram, variables: int) -> int:
    """Return the number of valuations of `variables` variables that are in the diagram.

    `variables` is at least the number of variables of the manager. A count cannot be cut, because
    parts share most of their nodes. Raise `BudgetExceeded` at once if it would take far longer than
    the time left.
    """
    afford(diagram, SLICING.seconds_per_counted_node)
    return diagram.sat_count(variables)


def afford(diagram: Diagram, each: float) -> None:
    """Raise `BudgetExceeded` if `each` seconds for each node far exceed the time left."""
    limit = limits.current()
    left = None if limit is None else limit.seconds_left()
    if limit is None or left is None:
        return
    nodes = (left + SLICING.lateness) / each
    if diagram.manager.approx_num_inner_nodes() > nodes and diagram.node_count() > nodes:
        raise limit.out_of_time()


def _is_cut(*operands: Diagram) -> bool:
    """Return whether an operation on these operands is cut; also count its work."""
    limit = limits.current()
    if limit is None or (limit.seconds is None and limit.work is None):
        return False
    nodes = operands[0].manager.approx_num_inner_nodes()
    if limit.work is not None:
        _spend(limit.work, nodes)
    if nodes <= SLICING.uncut_in_all:
        return False
    size = sum(operand.node_count() for operand in operands)
    if size <= SLICING.uncut_operands:
        return False
    if limit.work is not None:
        # The operation visits these nodes, often repeatedly, because the library's cache is small.
        limit.work.spend(size // NODES_A_UNIT)
    return True


def _spend(work: limits.Work, nodes: int) -> None:
    """Count the work of the last operation, which left the manager with `nodes` nodes.

    Most of the work is creating nodes, including nodes that are now unused.
    """
    new = 0 if work.nodes is None else max(0, nodes - work.nodes)
    work.nodes = nodes
    work.parts += SLICING.nodes_per_operation + new
    if work.parts >= NODES_A_UNIT:
        units, work.parts = divmod(work.parts, NODES_A_UNIT)
        work.spend(units)


def _level(diagram: Diagram) -> int:
    level = diagram.node_level()
    return _END if level is None else level


def in_slices(
    operation: Callable[..., Diagram],
    operands: Operands,
    hidden: Diagram | None = None,
    number: int = SLICING.slices,
) -> Diagram:
    """Return the result of an operation on these operands, computed in about `number` slices.

    `hidden` is the cube of variables that the operation quantifies out, if any.
    """
    manager = operands[0].manager
    order, slices = _upper_part(operands, number, is_quick=hidden is None and len(operands) == 2)
    results: dict[Operands, Diagram] = {}
    limit = limits.current()
    work = None if limit is None else limit.work
    for parts in slices:
        limits.look()
        results[parts] = operation(*parts)
        if work is not None:
            _spend(work, manager.approx_num_inner_nodes())
    levels = set() if hidden is None else _levels(hidden)
    for parts, level, more, less in reversed(order):
        limits.look()
        if level in levels:
            results[parts] = either(results[more], results[less])
        else:
            variable = manager.var(manager.level_to_var(level))
            results[parts] = variable.ite(results[more], results[less])
    return results[operands]


def _upper_part(
    operands: Operands, number: int, *, is_quick: bool
) -> tuple[list[tuple[Operands, int, Operands, Operands]], list[Operands]]:
    """Return the pairs of the upper levels from the top, with their parts, and the slices.

    `is_quick` means that the operation takes constant time if an operand is a constant.
    """
    order: list[tuple[Operands, int, Operands, Operands]] = []
    slices: list[Operands] = []
    waiting: list[tuple[int, int, Operands]] = []
    seen: set[Operands] = set()

    def wait(parts: Operands) -> None:
        if parts in seen:
            return
        seen.add(parts)
        levels = [_level(part) for part in parts]
        if _END in levels if is_quick else min(levels) == _END:
            slices.append(parts)
        else:
            heappush(waiting, (min(levels), len(seen), parts))

    wait(operands)
    while waiting and len(waiting) < number:
        level, _, parts = heappop(waiting)
        sides = [part.cofactors() if part.node_level() == level else (part, part) for part in parts]
        more = tuple([pair[0] for pair in sides if pair is not None])
        less = tuple([pair[1] for pair in sides if pair is not None])
        order.append((parts, level, more, less))
        wait(more)
        wait(less)
    return order, slices + [parts for _, _, parts in waiting]


def _levels(cube: Diagram) -> set[int]:
    """Return the levels of the variables of a cube."""
    levels = set()
    while (level := cube.node_level()) is not None:
        levels.add(level)
        sides = cube.cofactors()
        assert sides is not None
        cube = sides[0]
    return levels
