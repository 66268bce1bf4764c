"""Elimination of fluents from a conjunction of literals, guided by a world that satisfies it.

Literals are atoms, linear constraints, and negations of atoms, equations and congruences.
`eliminate` returns literals without the given fluents. They are true at the world, and they imply
that the eliminated fluents have values for which the given literals are true. Often the converse
holds, too; otherwise finitely many worlds lead to all cases, so that a search for further worlds
ends.

The methods for one number x are, in this order:

* an equation a x = t: substitution, with "a divides t" for integers;
* reals: every lower bound is at most every upper bound (J. Fourier, 1826; T. Motzkin, 1936);
* integers with bounds on one side only and at most one congruence: the divisibility by a gcd;
* integers with bounds on both sides, all lower or all upper ones with the coefficient 1, and no
  congruence: as for reals. Real and dark shadow agree (W. Pugh: The Omega test, 1991);
* other integers: x is (L + k) / a for a lower bound a x >= L and an offset k, of which there are
  finitely many (D. Cooper: Theorem proving in arithmetic without multiplication, 1972). The world
  gives L and k, as in the projection by models of N. Bjorner and M. Janota (Playing with quantified
  satisfaction, 2015).

The theory of integers with + and < has quantifier elimination by M. Presburger (1929).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from symkripke.language import Atom, Formula, Name, Not, negation
from symkripke.language import formulas as f
from symkripke.language import linear as l
from symkripke.language.linear import Row, Sum, constant
from symkripke.limits import look


class _Literal(NamedTuple):
    """A constraint, or the negation of a congruence or of an equation."""

    row: Row
    positive: bool = True


def eliminate(
    literals: Iterable[Formula], is_kept: Callable[[Formula], bool], world: Mapping[str, str]
) -> tuple[Formula, ...]:
    """Return literals about kept fluents: see the module.

    Args:
        literals: the literals, which are true at the world.
        is_kept: whether an atom or (with `VALUE`) a number is kept.
        world: values for all fluents of the literals.
    """
    kept: list[Formula] = []
    numbers: list[_Literal] = []
    for literal in literals:
        bare = literal.operand if isinstance(literal, Not) else literal
        if isinstance(bare, f.Linear):
            numbers.append(_Literal(bare.row, bare is literal))
        elif is_kept(bare):
            kept.append(literal)
    gone = {name for one in numbers for name, _ in one.row.sum.terms}
    gone = {name for name in gone if not is_kept(Atom(name, "?"))}
    while gone:
        look()
        name = min(gone, key=lambda name: _cost(name, numbers))
        gone.remove(name)
        numbers = _tightest(_without(name, numbers, world))
    for one in numbers:
        kept.append(f.Linear(one.row) if one.positive else negation(f.Linear(one.row)))
    return tuple(dict.fromkeys(kept))


def _cost(name: str, literals: list[_Literal]) -> tuple[int, int, str]:
    """Return the key by which the next number is chosen: first those with equations."""
    mine = [one for one in literals if one.row.sum.coefficient(name)]
    equations = [abs(_factor(one.row, name)) for one in mine if _is_equation(one)]
    if equations:
        return 0, min(equations), name
    lower = sum(one.row.sum.coefficient(name) < 0 for one in mine)
    congruences = sum(one.row.relation == "|" for one in mine)
    return 1 + congruences, lower * (len(mine) - lower), name


def _tightest(literals: Iterable[_Literal | None]) -> list[_Literal]:
    """Return the literals without duplicates, and only the tightest of parallel bounds."""
    bounds: dict[tuple[tuple[Name, l.Rational], ...], _Literal] = {}
    others: dict[_Literal, None] = {}
    for one in literals:
        if one is None:
            continue
        if one.row.relation not in ("<=", "<"):
            others[one] = None
            continue
        known = bounds.get(one.row.sum.terms)
        if known is None or _key(one.row) > _key(known.row):
            bounds[one.row.sum.terms] = one
    return [*others, *bounds.values()]


def _key(row: Row) -> tuple[l.Rational, bool]:
    return row.sum.constant, row.relation == "<"


def _made(total: Sum, relation: l.Relation, modulus: int = 0) -> _Literal | None:
    """Return the literal, which is true at the world; None if it is always true."""
    row = l.row(total, relation, modulus)
    if isinstance(row, bool):
        assert row, "the world satisfies the literals"
        return None
    return _Literal(row)


def _without(
    name: str, literals: list[_Literal], world: Mapping[str, str]
) -> list[_Literal | None]:
    mine = [one for one in literals if one.row.sum.coefficient(name)]
    rest: list[_Literal | None] = [one for one in literals if not one.row.sum.coefficient(name)]
    if not mine:
        return rest
    equations = [one.row for one in mine if _is_equation(one)]
    if equations:
        by = min(equations, key=lambda row: abs(_factor(row, name)))
        return rest + _solved(name, by.sum, mine)
    congruences = [one for one in mine if one.row.relation == "|"]
    lower, upper = _bounds(name, mine)
    if not (lower and upper):
        # Far away from the bounds, inequations are true.
        return rest + _periodic(name, congruences, world)
    mine = [_side(one, world) for one in mine]
    lower, upper = _bounds(name, mine)
    is_exact = any(
        all(abs(one.sum.coefficient(name)) == 1 for one in side) for side in (lower, upper)
    )
    if mine[0].row.sum.is_real or (is_exact and not congruences):
        return rest + _shadow(name, lower, upper)
    return rest + _cooper(name, lower, mine, world)


def _factor(row: Row, name: str) -> int:
    return int(row.sum.coefficient(name))


def _is_equation(one: _Literal) -> bool:
    return one.row.relation == "=" and one.positive


def _bounds(name: str, literals: Iterable[_Literal]) -> tuple[list[Row], list[Row]]:
    """Return the lower and the upper bounds of a number."""
    rows = [one.row for one in literals if one.row.relation in ("<=", "<")]
    lower = [row for row in rows if row.sum.coefficient(name) < 0]
    return lower, [row for row in rows if row.sum.coefficient(name) > 0]


def _side(one: _Literal, world: Mapping[str, str]) -> _Literal:
    """Return the side of an inequation that is true at the world; other literals unchanged."""
    if one.positive or one.row.relation != "=":
        return one
    total = one.row.sum if one.row.sum.at(world) < 0 else one.row.sum.times(-1)
    side = l.row(total, "<")
    assert isinstance(side, Row)
    return _Literal(side)


def _solved(name: str, equation: Sum, literals: Iterable[_Literal]) -> list[_Literal | None]:
    """Return the literals with the solution of an equation in place of a number."""
    factor = int(equation.coefficient(name))
    value = equation.put(name, constant(0)).times(Fraction(-1) / factor)
    result: list[_Literal | None] = []
    if not equation.is_real and abs(factor) != 1:
        result.append(_made(value.times(abs(factor)), "|", abs(factor)))
    for one in literals:
        if one.row.sum == equation and _is_equation(one):
            continue
        made = l.row(one.row.sum.put(name, value), one.row.relation, one.row.modulus)
        if isinstance(made, Row):
            result.append(_Literal(made, one.positive))
        else:
            assert made is one.positive, "the world satisfies the literals"
    return result


def _shadow(name: str, lower: list[Row], upper: list[Row]) -> list[_Literal | None]:
    """Return the consequences of each pair of a lower and an upper bound."""
    result = []
    for low in lower:
        for high in upper:
            one, other = -low.sum.coefficient(name), high.sum.coefficient(name)
            total = low.sum.times(other).plus(high.sum, one)
            strict = "<" in (low.relation, high.relation)
            result.append(_made(total, "<" if strict else "<="))
    return result


def _periodic(
    name: str, congruences: list[_Literal], world: Mapping[str, str]
) -> list[_Literal | None]:
    """Return the literals without a number that has bounds on at most one side."""
    if not congruences:
        return []
    if len(congruences) == 1 and congruences[0].positive:
        (only,) = congruences
        factor = math.gcd(int(only.row.sum.coefficient(name)), only.row.modulus)
        if factor == 1:
            return []
        return [_made(only.row.sum.put(name, constant(0)), "|", factor)]
    period = math.lcm(*(one.row.modulus for one in congruences))
    value = constant(int(world[name]) % period)
    return [_put(one, name, value) for one in congruences]


def _put(one: _Literal, name: str, value: Sum) -> _Literal | None:
    made = l.row(one.row.sum.put(name, value), one.row.relation, one.row.modulus)
    return _Literal(made, one.positive) if isinstance(made, Row) else None


def _cooper(
    name: str, lower: list[Row], mine: list[_Literal], world: Mapping[str, str]
) -> list[_Literal | None]:
    """Return the literals with (L + k) / a in place of a number: see the module."""
    period = math.lcm(*(one.row.modulus for one in mine if one.row.relation == "|"))
    here = int(world[name])

    def least(row: Row) -> Fraction:
        factor = -row.sum.coefficient(name)
        return Fraction(row.sum.put(name, constant(0)).at(world)) / factor

    bound = max(lower, key=least)
    lowest = math.ceil(least(bound))
    value = lowest + (here - lowest) % period
    at_value = bound.sum.put(name, constant(value)).at(world)  # minus the offset k
    equation = bound.sum.plus(constant(-at_value))
    return _solved(name, equation, mine)
