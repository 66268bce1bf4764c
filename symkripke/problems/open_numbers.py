"""Expressions over numbers without bounds, as linear sums under conditions.

`x div 3` is (x - r) / 3 where the remainder r of x is 0, 1 or 2, and `if p then x else y` is x
where p is true. So every expression is a sum in each of finitely many cases, and a comparison is a
Boolean combination of linear constraints.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from fractions import Fraction

from symkripke.errors import InputError
from symkripke.language import FALSE, TRUE, Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.linear import Sum, constant
from symkripke.records import dataclass

_CASES = 10_000
"""The maximum number of pairs of cases of two expressions."""


class TooManyCases(Exception):
    """More pairs of cases than can be combined."""


@dataclass(frozen=True, eq=False)
class Open:
    """A number without bounds.

    Attributes:
        cases: sums with their conditions, of which exactly one is true at every world.
        fluent: the fluent, if the expression is just a fluent.
    """

    cases: tuple[tuple[Sum, Formula], ...]
    fluent: str | None = None

    @property
    def constant(self) -> None:
        """None: the expression has more than one value."""
        return None

    @property
    def is_real(self) -> bool:
        """True if its numbers are reals."""
        return any(total.is_real for total, _ in self.cases)


def _pairs(left: Open, right: Open) -> Iterable[tuple[Sum, Sum, Formula]]:
    if len(left.cases) * len(right.cases) > _CASES:
        raise TooManyCases
    for one, case in left.cases:
        for other, other_case in right.cases:
            both = conjunction((case, other_case))
            if both is not FALSE:
                yield one, other, both


def combined(left: Open, right: Open, of: Callable[[int, int], int]) -> Open:
    """Return the sum, difference, product, quotient or remainder, as `of` computes it.

    Raises:
        InputError: the result is not linear, or divides reals.
        TooManyCases: there are too many cases.
        ZeroDivisionError: the divisor is 0.
    """
    cases: dict[Sum, list[Formula]] = {}
    for one, other, both in _pairs(left, right):
        for total, condition in _results(one, other, of):
            cases.setdefault(total, []).append(conjunction((both, condition)))
    return Open(tuple((total, disjunction(parts)) for total, parts in cases.items()))


def _results(one: Sum, other: Sum, of: Callable[[int, int], int]) -> Iterable[tuple[Sum, Formula]]:
    for number, other_number in ((one, other), (other, one)):
        is_fraction = not number.terms and number.constant.denominator != 1
        if is_fraction and other_number.terms and not other_number.is_real:
            raise InputError(f"integers cannot be combined with the fraction {number}")
    if of is operator.add or of is operator.sub:
        yield one.plus(other, 1 if of is operator.add else -1), TRUE
    elif of is operator.mul:
        if one.terms and other.terms:
            raise InputError(f"not linear: {_bracketed(one)} * {_bracketed(other)}")
        factor, total = (one, other) if not one.terms else (other, one)
        yield total.times(factor.constant), TRUE
    else:
        yield from _quotients(one, other, is_quotient=of is operator.floordiv)


def _bracketed(total: Sum) -> str:
    return f"({total})" if " " in str(total) else str(total)


def _quotients(one: Sum, other: Sum, *, is_quotient: bool) -> Iterable[tuple[Sum, Formula]]:
    """Yield the quotient or the remainder of a division for each remainder."""
    if other.terms:
        raise InputError(f"not linear: the divisor {other} is not a constant")
    divisor = other.constant
    if not divisor:
        raise ZeroDivisionError
    if one.is_real or divisor < 0 or divisor.denominator != 1:
        raise InputError("`div` and `mod` are for integers and divisors above 0")
    for remainder in range(int(divisor)):
        rest = one.plus(constant(-remainder))
        condition = f.linear(rest, "|", int(divisor))
        if condition is not FALSE:
            value = rest.times(Fraction(1, int(divisor))) if is_quotient else constant(remainder)
            yield value, condition


def compared(left: Open, sign: str, right: Open) -> Formula:
    """Return the formula of a comparison by `=`, `<`, `<=`, `>` or `>=`."""
    return disjunction(
        conjunction((both, f.compared(one, sign, other)))
        for one, other, both in _pairs(left, right)
    )


def chosen(condition: Formula, yes: Open, no: Open) -> Open:
    """Return the number `yes` where the condition is true, `no` where it is false."""
    cases: dict[Sum, list[Formula]] = {}
    for number, guard in ((yes, condition), (no, negation(condition))):
        for total, case in number.cases:
            cases.setdefault(total, []).append(conjunction((guard, case)))
    return Open(tuple((total, disjunction(parts)) for total, parts in cases.items()))
