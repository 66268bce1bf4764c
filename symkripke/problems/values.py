"""Expressions with values, and arithmetic on them by formulas.

An expression has a value at every world. It has one of three forms:

* `Cases`: for each possible value, the formula stating that the expression has it. This form is for
  few values, and for words.
* `Open`: a number without bounds (see `symkripke.problems.open_numbers`).
* `Bits`: a number in binary, each digit a formula. Sums are adders and products are shifted sums,
  as in a circuit. Their formulas grow with the number of digits, not with the number of values.

A fluent with up to `FEW` values has an atom for each value. A fluent with more values that are
consecutive numbers is stored in binary, with a Boolean fluent for each digit of its largest value.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias

from symkripke.language import (
    FALSE,
    TRUE,
    Atom,
    Formula,
    Iff,
    conjunction,
    disjunction,
    linear,
    negation,
)
from symkripke.language import formulas as f
from symkripke.model.vocabulary import VALUE
from symkripke.problems import open_numbers
from symkripke.problems.open_numbers import Open
from symkripke.records import dataclass

Value: TypeAlias = int | str | Fraction

FEW = 16
"""Fluents with more values than this, if these are consecutive numbers, are stored in binary."""

# The maximum number of pairs of values of two expressions to combine one by one.
_PAIRS = 1_000_000
# A known product with at least this number of digits is factored if there are few ways to do so.
_LONG_PRODUCT = 10
_DIVISIONS = 10_000
# Expressions with more pairs of values than this are combined in binary.
_SMALL = 4_096

COMPARE: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class NotANumber(Exception):
    """A word where a number is needed."""


class TooMany(Exception):
    """More pairs of values than can be combined."""


@dataclass(frozen=True, eq=False)
class Cases:
    """An expression, represented by its possible values.

    Attributes:
        cases: the condition for each possible value; exactly one is true at every world.
        fluent: the fluent, if the expression is just a fluent.
    """

    cases: Mapping[Value, Formula]
    fluent: str | None = None

    @property
    def constant(self) -> Value | None:
        """The value if there is only one, otherwise None."""
        if len(self.cases) == 1 and self.fluent is None:
            return next(iter(self.cases))
        return None


@dataclass(frozen=True, eq=False)
class Bits:
    """A number in binary.

    Attributes:
        bits: the digits, the lowest first.
        offset: the value minus the number that the digits represent.
        low: the minimum value at every world of the law.
        high: the maximum value at every world of the law.
        fluent: the fluent, if the number is just a fluent.
        factors: the factors, if the number is a product of positive numbers.
    """

    bits: tuple[Formula, ...]
    offset: int
    low: int
    high: int
    fluent: str | None = None
    factors: tuple[Bits, ...] = ()
    constant: None = field(default=None, init=False)

    def equals(self, value: int) -> Formula:
        """Return the condition that the number has this value."""
        digits = value - self.offset
        if not self.low <= value <= self.high or digits < 0 or digits >> len(self.bits):
            return FALSE
        if len(self.bits) >= _LONG_PRODUCT and _divisions(self.factors, value) <= _DIVISIONS:
            return _factored(self.factors, value)
        return conjunction(
            bit if digits >> place & 1 else negation(bit) for place, bit in enumerate(self.bits)
        )

    def plain(self) -> tuple[Formula, ...]:
        """Return the digits of the value itself, which must not be negative."""
        if self.offset == 0:
            return self.bits
        return _added(self.bits, _constant_bits(self.offset, self.high), self.high.bit_length())

    def within(self, low: int, high: int) -> Formula:
        """Return the condition that the value is between `low` and `high`, both included."""
        above, below = constant(low), constant(high)
        return conjunction(
            (
                TRUE if self.low >= low else compared(self, ">=", above),
                TRUE if self.high <= high else compared(self, "<=", below),
            )
        )


def _divisors(factor: Bits, value: int) -> list[int]:
    """Return the values of a factor that divide `value`."""
    return [n for n in range(factor.low, min(factor.high, value) + 1) if value % n == 0]


def _divisions(factors: Sequence[Bits], value: int) -> int:
    """Return an upper bound on the size of `_factored`; too large if there are no factors.

    The bound is the product of the numbers of divisors of all factors but the last.
    """
    if not factors:
        return _DIVISIONS + 1
    return math.prod(len(_divisors(factor, value)) for factor in factors[:-1])


def _factored(factors: Sequence[Bits], value: int) -> Formula:
    """Return the condition that a product of positive numbers has a value, by factoring it.

    The digits would form a multiplier with given outputs, which is hard for both clauses and
    diagrams, because they do not detect that there are few factorings.
    """
    first, *others = factors
    if not others:
        return first.equals(value)
    return disjunction(
        conjunction((first.equals(divisor), _factored(others, value // divisor)))
        for divisor in _divisors(first, value)
    )


@dataclass(frozen=True, eq=False)
class Symbol:
    """A bare word that is not the name of a fluent, but may be a value."""

    word: str


Number: TypeAlias = Cases | Bits | Open
Thing: TypeAlias = Formula | Cases | Bits | Open | Symbol


def atoms_of(thing: Thing) -> list[Atom] | None:
    """Return the atoms of an atom, or of a fluent with values; None for anything else."""
    match thing:
        case Atom():
            return [thing]
        case Cases(cases, str()):
            return [atom for atom in cases.values() if isinstance(atom, Atom)]
        case Bits(bits, fluent=str()):
            return [atom for atom in bits if isinstance(atom, Atom)]
        case Open(fluent=str(fluent)):
            return [Atom(fluent, VALUE)]
    return None


def constant(value: Value) -> Cases:
    """Return an expression that has this value at every world."""
    # Do not cache a named formula: it equals the bare word, and named formulas of other files.
    return _constant(value) if type(value) in (int, str, Fraction) else Cases({value: TRUE})


@lru_cache(maxsize=4096)
def _constant(value: Value) -> Cases:
    return Cases({value: TRUE})


def truth_value(formula: Formula) -> Cases:
    """Return the expression that is 1 where the formula is true, and 0 where it is false."""
    cases: dict[Value, Formula] = {1: formula, 0: negation(formula)}
    return Cases({value: case for value, case in cases.items() if case is not FALSE})


def _has_fractions(*numbers: Cases | Bits) -> bool:
    return any(
        isinstance(value, Fraction)
        for number in numbers
        if isinstance(number, Cases)
        for value in number.cases
    )


def opened(number: Number) -> Open:
    """Return the number as sums under conditions. May raise `NotANumber` or `TooMany`."""
    if isinstance(number, Open):
        return number
    cases = []
    for value, case in values(number).items():
        if isinstance(value, str):
            raise NotANumber(value)
        cases.append((linear.constant(value), case))
    return Open(tuple(cases))


def _closed(number: Open) -> Number:
    """Return the number as `Cases` if it has finitely many values."""
    if any(total.terms for total, _ in number.cases):
        return number
    return Cases({total.constant: case for total, case in number.cases})


def values(number: Number) -> Mapping[Value, Formula]:
    """Return the condition for each value of the expression. Raise `TooMany` for many values."""
    if isinstance(number, Cases):
        return number.cases
    if isinstance(number, Open) or number.high - number.low >= _PAIRS:
        raise TooMany
    return {value: number.equals(value) for value in range(number.low, number.high + 1)}


def numbers_of(side: Cases) -> list[int]:
    """Return the values. Raise `NotANumber` if a value is not a number."""
    for value in side.cases:
        if not isinstance(value, int):
            raise NotANumber(value)
    return [value for value in side.cases if isinstance(value, int)]


def in_binary(number: Number) -> Bits:
    """Return the number in binary. Raise `NotANumber` if a value is not a number."""
    if isinstance(number, Bits):
        return number
    assert isinstance(number, Cases)
    numbers = numbers_of(number)
    low, high = min(numbers), max(numbers)
    pairs = list(zip(numbers, number.cases.values(), strict=True))
    places = range((high - low).bit_length())
    bits = (disjunction(case for n, case in pairs if n - low >> k & 1) for k in places)
    return Bits(tuple(bits), low, low, high)


# ---- arithmetic -------------------------------------------------------------------------------


def combined(left: Number, right: Number, of: Callable[[int, int], int]) -> Number:
    """Return the sum, difference, product, quotient or remainder, as `of` computes it.

    Raises:
        NotANumber: a value is not a number.
        TooMany: a quotient or remainder has too many pairs of values.
        ZeroDivisionError: the divisor may be 0.
    """
    if isinstance(left, Open) or isinstance(right, Open) or _has_fractions(left, right):
        return _closed(open_numbers.combined(opened(left), opened(right), of))
    binary = isinstance(left, Bits) or isinstance(right, Bits)
    if not binary and isinstance(left, Cases) and isinstance(right, Cases):
        binary = len(left.cases) * len(right.cases) > _SMALL
    if binary and of in (operator.add, operator.sub, operator.mul):
        one, other = in_binary(left), in_binary(right)
        if of is operator.mul:
            return _product(one, other)
        return _sum(one, other if of is operator.add else _negative(other))
    lefts, rights = values(left), values(right)
    if len(lefts) * len(rights) > _PAIRS:
        raise TooMany
    cases: dict[int, list[Formula]] = {}
    for one_value, case in lefts.items():
        for other_value, other_case in rights.items():
            if not isinstance(one_value, int) or not isinstance(other_value, int):
                raise NotANumber(other_value if isinstance(one_value, int) else one_value)
            both = conjunction((case, other_case))
            if both is not FALSE:
                cases.setdefault(of(one_value, other_value), []).append(both)
    return Cases({value: disjunction(cases[value]) for value in sorted(cases)})


def _constant_bits(value: int, most: int) -> tuple[Formula, ...]:
    """Return digits of a number, enough for `most`; a negative number is in two's complement."""
    size = max(most, abs(value)).bit_length() + 1
    return tuple(TRUE if value >> place & 1 else FALSE for place in range(size))


def _added(left: Sequence[Formula], right: Sequence[Formula], size: int) -> tuple[Formula, ...]:
    """Return the lowest `size` digits of a sum, with sign extension of negative numbers."""
    carry: Formula = FALSE
    digits = []
    for place in range(size):
        one = left[place] if place < len(left) else FALSE
        other = right[place] if place < len(right) else FALSE
        either = exclusive(one, other)
        digits.append(exclusive(either, carry))
        carry = disjunction((conjunction((one, other)), conjunction((carry, either))))
    return tuple(digits)


def _sum(left: Bits, right: Bits) -> Bits:
    size = max(len(left.bits), len(right.bits)) + 1
    low, high = left.low + right.low, left.high + right.high
    offset = left.offset + right.offset
    size = min(size, max(1, (high - offset).bit_length()))
    return Bits(_added(left.bits, right.bits, size), offset, low, high)


def _negative(number: Bits) -> Bits:
    """Return the negative of a number, with all digits flipped.

    For offset o, digits n, and m with all digits 1, it is -(o + m) + (m - n).
    """
    most = (1 << len(number.bits)) - 1
    return Bits(tuple(map(negation, number.bits)), -number.offset - most, -number.high, -number.low)


def _times(number: Bits, factor: int) -> Bits:
    """Return `factor` times the digits alone, without the offset."""
    most = (1 << len(number.bits)) - 1
    product = Bits((), 0, 0, 0)
    for place in range(abs(factor).bit_length()):
        if abs(factor) >> place & 1:
            shifted = (*[FALSE] * place, *number.bits)
            product = _sum(product, Bits(shifted, 0, 0, most << place))
    return _negative(product) if factor < 0 else product


def _product(left: Bits, right: Bits) -> Bits:
    """Return the product of two numbers.

    For offsets o, p and digits n, m, it is (o + n) (p + m) = o p + o m + p n + n m.
    """
    product = Bits((), 0, 0, 0)
    most = (1 << len(left.bits)) - 1
    for place, bit in enumerate(right.bits):
        shifted = (*[FALSE] * place, *(conjunction((bit, digit)) for digit in left.bits))
        product = _sum(product, Bits(shifted, 0, 0, most << place))
    product = _sum(product, _times(right, left.offset))
    product = _sum(product, _times(left, right.offset))
    ends = [first * second for first in (left.low, left.high) for second in (right.low, right.high)]
    factors: tuple[Bits, ...] = ()
    if left.low > 0 and right.low > 0:
        factors = (*(left.factors or (left,)), *(right.factors or (right,)))
    offset = product.offset + left.offset * right.offset
    return Bits(product.bits, offset, min(ends), max(ends), factors=factors)


def exclusive(left: Formula, right: Formula) -> Formula:
    """Return the formula stating that exactly one of the two is true."""
    return negation(same(left, right))


def same(left: Formula, right: Formula) -> Formula:
    """Return the formula stating that both are true, or neither."""
    for side, other in ((left, right), (right, left)):
        if isinstance(side, f.Constant):
            return other if side.value else negation(other)
    return Iff(left, right)


def folded(part: Formula) -> Formula:
    """Return the formula, with a constant operand of `->` or `<->` folded into it."""
    match part:
        case f.Implies(left, right):
            if isinstance(left, f.Constant) or isinstance(right, f.Constant):
                return negation(left) | right
        case Iff(left, right):
            return same(left, right)
    return part


# ---- comparisons ------------------------------------------------------------------------------


def compared(left: Number, sign: str, right: Number) -> Formula:
    """Return the formula of a comparison by `<`, `<=`, `>` or `>=`. May raise `NotANumber`."""
    if isinstance(left, Open) or isinstance(right, Open) or _has_fractions(left, right):
        return open_numbers.compared(opened(left), sign, opened(right))
    if isinstance(left, Bits) or isinstance(right, Bits):
        return _compared_binary(in_binary(left), sign, in_binary(right))
    lefts, rights = numbers_of(left), numbers_of(right)
    if len(lefts) * len(rights) > _PAIRS:
        return _compared_binary(in_binary(left), sign, in_binary(right))
    of = COMPARE[sign]
    parts = []
    for number, case in zip(lefts, left.cases.values(), strict=True):
        fitting = [
            other_case
            for other, other_case in zip(rights, right.cases.values(), strict=True)
            if of(number, other)
        ]
        either = TRUE if len(fitting) == len(rights) else disjunction(fitting)
        parts.append(conjunction((case, either)))
    return disjunction(parts)


def _compared_binary(left: Bits, sign: str, right: Bits) -> Formula:
    if sign in (">", ">="):
        left, right, sign = right, left, "<" if sign == ">" else "<="
    one, other = _aligned(left, right)
    less: Formula = TRUE if sign == "<=" else FALSE
    for a, b in zip(one, other, strict=True):
        # From the lowest digit up, because a higher digit that differs decides.
        less = disjunction((conjunction((negation(a), b)), conjunction((same(a, b), less))))
    return less


def _aligned(left: Bits, right: Bits) -> tuple[Sequence[Formula], Sequence[Formula]]:
    """Return the digits of both numbers, with the same offset and length."""
    base = min(left.offset, right.offset)
    rows = []
    for side in (left, right):
        shift, bits = side.offset - base, side.bits
        if shift:
            moved = Bits(_constant_bits(shift, shift), 0, shift, shift)
            bits = _sum(Bits(bits, 0, 0, (1 << len(bits)) - 1), moved).bits
        rows.append(bits)
    size = max(map(len, rows))
    one, other = ((*bits, *[FALSE] * (size - len(bits))) for bits in rows)
    return one, other


def equal(left: Number, right: Number) -> Formula:
    """Return the formula stating that the numbers have the same value."""
    if isinstance(left, Open) or isinstance(right, Open) or _has_fractions(left, right):
        return open_numbers.compared(opened(left), "=", opened(right))
    if isinstance(left, Cases) and isinstance(right, Cases):
        return disjunction(
            conjunction((case, right.cases[value]))
            for value, case in left.cases.items()
            if value in right.cases
        )
    side, other = (right, left) if isinstance(left, Cases) else (left, right)
    assert isinstance(side, Bits)
    if isinstance(other, Bits):
        return conjunction(same(a, b) for a, b in zip(*_aligned(side, other), strict=True))
    return disjunction(
        conjunction((case, side.equals(value)))
        for value, case in other.cases.items()
        if isinstance(value, int)
    )


def chosen(condition: Formula, yes: Number, no: Number) -> Number:
    """Return the value `yes` where the condition is true, `no` where it is false."""
    if isinstance(yes, Open) or isinstance(no, Open):
        return _closed(open_numbers.chosen(condition, opened(yes), opened(no)))
    if isinstance(yes, Bits) or isinstance(no, Bits):
        one, other = in_binary(yes), in_binary(no)
        a, b = _aligned(one, other)
        bits = (
            disjunction((conjunction((condition, x)), conjunction((negation(condition), y))))
            for x, y in zip(a, b, strict=True)
        )
        offset, low = min(one.offset, other.offset), min(one.low, other.low)
        return Bits(tuple(bits), offset, low, max(one.high, other.high))
    conditions: dict[Value, list[Formula]] = {}
    for cases, guard in ((yes.cases, condition), (no.cases, negation(condition))):
        for value, case in cases.items():
            conditions.setdefault(value, []).append(conjunction((guard, case)))
    every = {value: disjunction(parts) for value, parts in conditions.items()}
    return Cases({value: case for value, case in every.items() if case is not FALSE})


def has(number: Number, value: Value) -> bool:
    """Return whether an expression can have this value."""
    if isinstance(number, Cases):
        return value in number.cases
    if isinstance(number, Open):
        return isinstance(value, int) or (number.is_real and isinstance(value, Fraction))
    return isinstance(value, int) and number.low <= value <= number.high


def shown(number: Number) -> str:
    """Return the possible values, for messages."""
    if isinstance(number, Bits):
        return f"{number.low}..{number.high}"
    if isinstance(number, Open):
        return "a real number" if number.is_real else "an integer"
    some = list(map(str, number.cases))
    return ", ".join(some[:6]) + (", ..." if len(some) > 6 else "")


def in_a_row(members: Iterable[Value]) -> tuple[int, int] | None:
    """Return the ends of more than `FEW` consecutive numbers; None for other members."""
    ordered = list(members)
    numbers = [value for value in ordered if isinstance(value, int)]
    if not FEW < len(ordered) == len(numbers):
        return None
    low, high = numbers[0], numbers[-1]
    return (low, high) if numbers == list(range(low, high + 1)) and low >= 0 else None
