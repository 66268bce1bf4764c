"""Linear arithmetic: sums of numbers with coefficients, and the constraints on them.

A `Sum` is a linear expression, and a `Row` is a linear constraint in normal form: an equation, an
inequality, or a congruence. Equal constraints have equal rows: the coefficients of a row are
integers without a common divisor, and a bound on integers is as tight as possible (2 x <= 5 is
x <= 2).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from symkripke.errors import InputError
from symkripke.language.names import Name
from symkripke.records import dataclass

Rational: TypeAlias = int | Fraction
Relation: TypeAlias = Literal["=", "<=", "<", "|"]
"""The relations of rows: `sum = 0`, `sum <= 0`, `sum < 0`, and `modulus divides sum`."""

_MIXED = "integers and reals cannot be in one constraint"


def rational(number: Rational) -> Rational:
    """Return the number as an `int` if it is whole."""
    return number.numerator if number.denominator == 1 else number


def read_number(text: str) -> Rational | None:
    """Return the number with this text, such as "-3" or "1/2"; None for other texts."""
    try:
        number = rational(Fraction(text))
    except (ValueError, ZeroDivisionError):
        return None
    return number if str(number) == text else None


@dataclass(frozen=True, slots=True)
class Sum:
    """A linear expression: a constant plus numbers with coefficients.

    Attributes:
        terms: pairs of a name and its coefficient, which is not 0, sorted by name.
        constant: the constant.
        is_real: whether its numbers are reals; False for integers.
    """

    terms: tuple[tuple[Name, Rational], ...]
    constant: Rational
    is_real: bool = False

    @classmethod
    def of(cls, name: str, *, is_real: bool) -> Sum:
        """Return the sum that is just this number."""
        return cls(((Name.of(name), 1),), 0, is_real)

    @property
    def is_number(self) -> bool:
        """True if the sum has only one number."""
        return len(self.terms) == 1

    def plus(self, other: Sum, factor: Rational = 1) -> Sum:
        """Return this sum plus `factor` times the other; raise `InputError` for mixed numbers."""
        if not other.terms:
            return Sum(self.terms, rational(self.constant + factor * other.constant), self.is_real)
        if self.terms and self.is_real is not other.is_real:
            raise InputError(_MIXED)
        terms = dict(self.terms)
        for name, coefficient in other.terms:
            terms[name] = rational(terms.get(name, 0) + factor * coefficient)
        return _sum(terms, self.constant + factor * other.constant, is_real=other.is_real)

    def times(self, factor: Rational) -> Sum:
        """Return a multiple of the sum."""
        return constant(0).plus(self, factor)

    def coefficient(self, name: str) -> Rational:
        """Return the coefficient of a number; 0 if it does not occur."""
        return next((c for n, c in self.terms if n == name), 0)

    def put(self, name: str, value: Sum) -> Sum:
        """Return the sum with a sum in place of a number."""
        coefficient = self.coefficient(name)
        if not coefficient:
            return self
        rest = Sum(
            tuple(term for term in self.terms if term[0] != name), self.constant, self.is_real
        )
        return rest.plus(value, coefficient)

    def renamed(self, meaning: Callable[[Name], Sum]) -> Sum:
        """Return the sum with a sum in place of each number."""
        total = constant(self.constant)
        for name, coefficient in self.terms:
            total = total.plus(meaning(name), coefficient)
        return total

    def at(self, world: Mapping[str, str]) -> Rational:
        """Return the value at a world; raise `KeyError` if the world has no value for a number."""
        values = (coefficient * Fraction(world[name]) for name, coefficient in self.terms)
        return rational(sum(values, Fraction(self.constant)))

    def __str__(self) -> str:
        return _written(self.terms, self.constant)


def constant(value: Rational) -> Sum:
    """Return the sum without numbers that has this value."""
    return Sum((), rational(value))


def _sum(terms: Mapping[Name, Rational], value: Rational, *, is_real: bool) -> Sum:
    kept = tuple(sorted((name, c) for name, c in terms.items() if c))
    return Sum(kept, rational(value), is_real)


def _written(terms: Iterable[tuple[Name, Rational]], value: Rational) -> str:
    text = ""
    for name, coefficient in terms:
        size = abs(coefficient)
        sign = "-" if coefficient < 0 else "+" if text else ""
        part = name if size == 1 else f"{size} * {name}"
        text += f" {sign} {part}" if text else f"{sign}{part}"
    if value or not text:
        sign = "-" if value < 0 else "+"
        text += f" {sign} {abs(value)}" if text else f"{value}"
    return text


@dataclass(frozen=True, slots=True)
class Row:
    """A linear constraint in normal form, which neither all values nor no values satisfy.

    Attributes:
        sum: the sum, with integer coefficients.
        relation: its relation to 0. `<` is for reals only: for integers, x < 3 is x <= 2.
        modulus: for a congruence, the divisor of the sum, at least 2; otherwise 0.
    """

    sum: Sum
    relation: Relation
    modulus: int = 0

    def solved(self) -> Rational:
        """Return the value of the only number of an equation."""
        ((_, coefficient),) = self.sum.terms
        return rational(Fraction(-self.sum.constant) / coefficient)

    def at(self, world: Mapping[str, str]) -> bool:
        """Return whether the constraint is true at a world."""
        return _holds(self.sum.at(world), self.relation, self.modulus)

    def __str__(self) -> str:
        terms, value = self.sum.terms, self.sum.constant
        if self.relation == "|":
            left = _written(terms, 0)
            bare = len(terms) == 1 and terms[0][1] == 1
            rest = -value % self.modulus
            return f"{left if bare else f'({left})'} mod {self.modulus} = {rest}"
        ahead = [term for term in terms if term[1] > 0]
        behind = [(name, -c) for name, c in terms if c < 0]
        if not ahead:  # -x <= -3 is x >= 3
            sign = {"<=": ">=", "<": ">"}.get(self.relation, self.relation)
            return f"{_written(behind, 0)} {sign} {_written((), value)}"
        return f"{_written(ahead, 0)} {self.relation} {_written(behind, -value)}"


def _holds(value: Rational, relation: Relation, modulus: int) -> bool:
    match relation:
        case "=":
            return value == 0
        case "<=":
            return value <= 0
        case "<":
            return value < 0
    return value % modulus == 0


def row(total: Sum, relation: Relation, modulus: int = 0) -> Row | bool:
    """Return the constraint in normal form; True or False if it does not depend on its numbers.

    Raises:
        InputError: a congruence of reals.
    """
    if not total.terms:
        return _holds(total.constant, relation, modulus)
    scale = math.lcm(*(c.denominator for _, c in total.terms), total.constant.denominator)
    if relation == "|":
        return _congruence(total.times(scale), modulus * scale)
    whole = total if scale == 1 else total.times(scale)
    divisor = math.gcd(*(int(c) for _, c in whole.terms))
    if relation == "=" and whole.terms[0][1] < 0:
        divisor = -divisor
    if whole.is_real:
        least = math.gcd(divisor, int(whole.constant)) * (1 if divisor > 0 else -1)
        return Row(_divided(whole, least, int(whole.constant) // least), relation)
    bound = int(whole.constant)
    if relation == "<":
        bound, relation = bound + 1, "<="
    if relation == "=" and bound % divisor:
        return False
    return Row(_divided(whole, divisor, -(-bound // divisor)), relation)


def _divided(total: Sum, divisor: int, bound: int) -> Sum:
    terms = total.terms
    if divisor != 1:
        terms = tuple((name, int(c) // divisor) for name, c in terms)
    return Sum(terms, bound, total.is_real)


def _congruence(total: Sum, modulus: int) -> Row | bool:
    if total.is_real:
        raise InputError("`div` and `mod` are for integers")
    reduced = {name: c % modulus for name, c in total.terms}
    divisor = math.gcd(modulus, *(int(c) for c in reduced.values()))
    value = total.constant % modulus
    if value % divisor:
        return False
    if modulus == divisor:
        return True
    modulus //= divisor
    kept = {name: rational(Fraction(c, divisor)) for name, c in reduced.items()}
    first = next(c for _, c in sorted(kept.items()) if c)
    value = int(value) // divisor
    if 2 * first > modulus:  # of two equal congruences, the one with the smaller coefficient
        kept = {name: -c % modulus for name, c in kept.items()}
        value = -value % modulus
    return Row(_sum(kept, value, is_real=False), "|", modulus)
