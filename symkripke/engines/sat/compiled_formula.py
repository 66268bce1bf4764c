"""Formulas read at worlds that a solver has found before: most that are not known need no solver.

Every world that a solver finds is kept as an integer, bit v for variable v (see
`symkripke.engines.sat.world_solver`). A count, a clause or a list of facts is then two masks, and
its truth there a few operations on integers. To define the formula for a solver, with variables of
its own, to search, and to read off the world takes a hundred times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from weakref import WeakKeyDictionary

from symkripke.engines.sat.encoding import Encoding
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f

Test: TypeAlias = Callable[[int], bool]
"""Whether something is so at a world."""

# Deeper formulas are left to the solver.
_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Glance:
    """How to read a formula at a world.

    Attributes:
        needs: the variables (bits) that it speaks of.
        test: its truth.
    """

    needs: int
    test: Test


_read: WeakKeyDictionary[Encoding, WeakKeyDictionary[Formula, Glance]] = WeakKeyDictionary()


def somewhere(
    formula: Formula,
    worlds: Mapping[int, int],
    encoding: Encoding,
    literals: Sequence[int] = (),
) -> bool:
    """Whether the propositional formula is true, with all literals, at one of the worlds.

    Each of these with the variables that it has a value for. False also where that cannot be told
    at a glance: the formula is deep, or speaks of what no solver has a variable for.
    """
    glance = glance_at(formula, encoding)
    if glance is None:
        return False
    true = false = 0
    for literal in literals:
        if literal > 0:
            true |= 1 << literal
        else:
            false |= 1 << -literal
    needs, test = glance.needs | true | false, glance.test
    for world, covered in worlds.items():
        if covered & needs == needs and world & true == true and not world & false and test(world):
            return True
    return False


def glance_at(formula: Formula, encoding: Encoding) -> Glance | None:
    """How to read a formula; remembered as long as the formula is there."""
    known = _read.get(encoding)
    if known is None:
        known = _read[encoding] = WeakKeyDictionary()
    glance = known.get(formula)
    if glance is None:
        glance = _glance(formula, encoding.known, _DEPTH)
        if glance is not None:
            known[formula] = glance
    return glance


def _glance(formula: Formula, literals: Mapping[Formula, int], depth: int) -> Glance | None:
    if depth == 0:
        return None
    match formula:
        case f.Constant(value):
            return Glance(0, lambda _: value)
        case Atom():
            return _flat(f.And, (formula,), literals)
        case f.Not(inner):
            found = _glance(inner, literals, depth)
            return None if found is None else Glance(found.needs, _not(found.test))
        case f.And(operands) | f.Or(operands):
            found = _flat(type(formula), operands, literals)
            if found is not None:
                return found
    if isinstance(formula, f.Cardinality):
        masks = _masks(formula.operands, literals)
        if masks is not None:
            return Glance(masks[0] | masks[1], _counting(formula, *masks))
    parts: list[Glance] = []
    for operand in formula.operands:
        part = _glance(operand, literals, depth - 1)
        if part is None:
            return None
        parts.append(part)
    needs = 0
    for part in parts:
        needs |= part.needs
    test = _combined(formula, [part.test for part in parts])
    return None if test is None else Glance(needs, test)


def _not(test: Test) -> Test:
    return lambda world: not test(world)


def _combined(formula: Formula, tests: Sequence[Test]) -> Test | None:
    """The truth of a combination, by that of its operands."""
    match formula:
        case f.And():
            return lambda world: all(test(world) for test in tests)
        case f.Or():
            return lambda world: any(test(world) for test in tests)
        case f.Implies():
            one, other = tests
            return lambda world: not one(world) or other(world)
        case f.Iff():
            one, other = tests
            return lambda world: one(world) is other(world)
        case f.Cardinality(relation, bound, _):
            fits = _fits(relation, bound)
            return lambda world: fits(sum(test(world) for test in tests))
    return None


def _flat(
    kind: type[Formula], operands: Sequence[Formula], literals: Mapping[Formula, int]
) -> Glance | None:
    """A conjunction or disjunction of literals."""
    masks = _masks(operands, literals, many=True)
    if masks is None:
        return None
    true, false = masks
    if kind is f.And:
        return Glance(true | false, lambda world: world & true == true and not world & false)
    return Glance(true | false, lambda world: bool(world & true) or world & false != false)


def _masks(
    operands: Sequence[Formula], literals: Mapping[Formula, int], *, many: bool = False
) -> tuple[int, int] | None:
    """The variables (bits) of literals, and of negated ones; None for other operands.

    Also None, without `many`, where one variable comes up twice.
    """
    true = false = 0
    for operand in operands:
        negated = isinstance(operand, f.Not)
        atom = operand.operand if isinstance(operand, f.Not) else operand
        if not isinstance(atom, Atom):
            return None
        literal = literals.get(atom)
        if literal is None or literal < 0:
            return None
        bit = 1 << literal
        if not many and (true | false) & bit:
            return None
        if negated:
            false |= bit
        else:
            true |= bit
    return true, false


def _counting(formula: f.Cardinality, true: int, false: int) -> Test:
    """A count of literals, each of another variable."""
    fits, negated = _fits(formula.relation, formula.bound), false.bit_count()
    if not false:
        return lambda world: fits((world & true).bit_count())
    return lambda world: fits((world & true).bit_count() + negated - (world & false).bit_count())


def _fits(relation: f.Relation, bound: int) -> Test:
    """Whether so many are as many as the relation says."""
    if relation == "atleast":
        return lambda number: number >= bound
    if relation == "atmost":
        return lambda number: number <= bound
    return lambda number: number == bound
