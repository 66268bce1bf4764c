"""The truth of a propositional formula at one world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from symkripke.argument_types import checked, unexpected
from symkripke.errors import InputError
from symkripke.language import formulas as f
from symkripke.language.formulas import fold

World = Mapping[str, str]
"""A value for every fluent, by name."""

PlaceT = TypeVar("PlaceT")


class Engine(Protocol):
    """An object that decides formulas: the part of an engine that the model needs."""

    def holds(self, state: Any, formula: Any, /) -> object:
        """Return the truth of a formula at a state, as an object with a truth value."""


def deciding(
    judge: Engine | Callable[[PlaceT, f.Formula], object],
) -> Callable[[PlaceT, f.Formula], object]:
    """Return the method `holds` of an engine; a function is returned unchanged."""
    return judge if callable(judge) else judge.holds


# The maximum depth of formulas that are evaluated by plain recursion, which evaluates shared
# subformulas each time. Negations of atoms are not counted. Most constraints of games are clauses,
# or clauses of clauses.
_DEPTH = 3

_JUNCTIONS = (f.And, f.Or)


class _Deep(Exception):
    """The signal that a formula is too deep for plain recursion."""


def counts(relation: f.Relation, bound: int, number: int) -> bool:
    """Return whether `number` is at least, at most or exactly `bound`."""
    if relation == "atleast":
        return number >= bound
    if relation == "atmost":
        return number <= bound
    return number == bound


def evaluate(formula: f.Formula, world: World) -> bool:
    """Return whether a propositional formula is true at `world`.

    The time is linear in the size of the formula. For a shallow formula, evaluation stops at the
    first true operand of a disjunction or false operand of a conjunction.

    Raises:
        InputError: the formula has a modal operator, so that one world does not decide it; or the
            world has no value for a fluent that was evaluated.
    """
    try:
        if not formula.propositional:
            raise InputError(f"one world does not decide {formula}")
        return _at(formula, world, _DEPTH)
    except _Deep:
        pass
    except KeyError as missing:
        raise _no_value(missing) from None
    except (AttributeError, TypeError):
        checked(formula, f.Formula)
        if not isinstance(world, Mapping):
            raise unexpected("a world, with values of fluents", world) from None
        raise

    def visit(current: f.Formula, parts: tuple[bool, ...]) -> bool:
        if isinstance(current, f.Atom):
            return world[current.fluent] == current.value
        if isinstance(current, f.Linear):
            return current.row.at(world)
        return combined(current, parts)

    try:
        return fold(formula, visit)
    except KeyError as missing:
        raise _no_value(missing) from None


def _no_value(missing: KeyError) -> InputError:
    return InputError(f"the world has no value for {missing.args[0]}")


def _at(formula: f.Formula, world: World, depth: int) -> bool:
    if isinstance(formula, f.Atom):
        return world[formula.fluent] == formula.value
    if isinstance(formula, f.Not) and isinstance(formula.operand, f.Atom):
        return world[formula.operand.fluent] != formula.operand.value
    if not depth:
        raise _Deep
    if isinstance(formula, _JUNCTIONS):
        decisive = isinstance(formula, f.Or)
        for part in formula.operands:
            if _at(part, world, depth - 1) is decisive:
                return decisive
        return not decisive
    if isinstance(formula, f.Linear):
        return formula.row.at(world)
    return combined(formula, [_at(part, world, depth - 1) for part in formula.operands])


def combined(formula: f.Formula, parts: tuple[bool, ...] | list[bool]) -> bool:
    """Return the truth of a formula, given the truth of its operands."""
    match formula:
        case f.And():
            return all(parts)
        case f.Or():
            return any(parts)
        case f.Not():
            return not parts[0]
        case f.Implies():
            return parts[1] if parts[0] else True
        case f.Iff():
            return parts[0] == parts[1]
        case f.Cardinality(relation, bound, _):
            return counts(relation, bound, sum(parts))
        case f.Constant(value):
            return value
    raise InputError(f"one world does not decide {formula}")
