"""Numbers in formulas, compared with Python's own numbers at every world."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import TooManyWorlds
from symkripke.language import Atom
from symkripke.model import World, evaluate
from symkripke.problems.checker import check
from symkripke.problems.reader import read
from symkripke.problems.values import (
    COMPARE,
    Bits,
    Cases,
    Number,
    chosen,
    combined,
    compared,
    constant,
    equal,
    in_a_row,
    in_binary,
    truth_value,
    values,
)
from symkripke.testing.random_models import Seeded

DIGITS = 3
OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
}


def binary(name: str) -> Bits:
    """Return a number from 0 to 7, in three Boolean fluents."""
    return Bits(tuple(Atom(f"{name}{n}") for n in range(DIGITS)), 0, 0, 7, name)


def listed(name: str) -> Cases:
    """Return the same number by its values."""
    number = binary(name)
    return Cases({value: number.equals(value) for value in range(8)}, name)


def world(x: int, y: int) -> World:
    return {
        f"{name}{n}": "true" if value >> n & 1 else "false"
        for name, value in (("x", x), ("y", y))
        for n in range(DIGITS)
    }


def value_at(number: Number, at: World) -> int:
    """Return the unique value of the expression at a world."""
    found = [value for value, case in values(number).items() if evaluate(case, at)]
    assert len(found) == 1
    assert isinstance(found[0], int)
    return found[0]


@st.composite
def expressions(draw: st.DrawFn, depth: int = 2) -> tuple[Number, Callable[[int, int], int]]:
    """Draw an expression over x and y, and the corresponding Python function."""
    kind = draw(st.sampled_from(["x", "y", "constant", "truth"] + ["binary"] * (depth > 0) * 4))
    form = binary if draw(st.booleans()) else listed
    if kind == "x":
        return form("x"), lambda x, y: x
    if kind == "y":
        return form("y"), lambda x, y: y
    if kind == "constant":
        number = draw(st.integers(0, 9))
        return constant(number), lambda x, y: number
    if kind == "truth":
        return truth_value(binary("x").equals(3)), lambda x, y: int(x == 3)
    left, left_value = draw(expressions(depth=depth - 1))
    right, right_value = draw(expressions(depth=depth - 1))
    sign = draw(st.sampled_from(["+", "-", "*", "if"]))
    if sign == "if":
        return chosen(
            binary("y").equals(2), left, right
        ), lambda x, y: left_value(x, y) if y == 2 else right_value(x, y)
    of = OPERATIONS[sign]
    return combined(left, right, of), lambda x, y: of(left_value(x, y), right_value(x, y))


@given(expressions(), st.integers(0, 7), st.integers(0, 7))
def test_expressions_match_python(
    expression: tuple[Number, Callable[[int, int], int]], x: int, y: int
) -> None:
    number, meant = expression
    wanted = meant(x, y)
    at, inside = world(x, y), in_binary(number)
    assert inside.low <= wanted <= inside.high
    assert evaluate(inside.equals(wanted), at)
    assert not evaluate(inside.equals(wanted + 1), at)
    if isinstance(number, Cases):
        assert value_at(number, at) == wanted


@given(expressions(), expressions(), st.integers(0, 7), st.integers(0, 7))
def test_comparisons_match_python(
    one: tuple[Number, Callable[[int, int], int]],
    other: tuple[Number, Callable[[int, int], int]],
    x: int,
    y: int,
) -> None:
    at, left, right = world(x, y), one[1](x, y), other[1](x, y)
    for sign, of in COMPARE.items():
        assert evaluate(compared(one[0], sign, other[0]), at) is of(left, right)
    assert evaluate(equal(one[0], other[0]), at) is (left == right)


@pytest.mark.parametrize("sign", ["div", "mod"])
@pytest.mark.parametrize("form", [binary, listed])
def test_quotient_and_remainder(sign: str, form: Callable[[str], Number]) -> None:
    above = combined(form("y"), constant(1), operator.add)
    number = combined(form("x"), above, OPERATIONS[sign])
    for x, y in product(range(8), repeat=2):
        assert value_at(number, world(x, y)) == OPERATIONS[sign](x, y + 1)
    with pytest.raises(ZeroDivisionError):
        combined(form("x"), form("y"), OPERATIONS[sign])


def test_digits_and_bounds_of_nonnegative_numbers() -> None:
    number = combined(combined(binary("x"), constant(9), operator.add), binary("y"), operator.sub)
    assert isinstance(number, Bits)
    digits, within = number.plain(), number.within(3, 9)
    for x, y in product(range(8), repeat=2):
        at = world(x, y)
        assert sum(evaluate(bit, at) << n for n, bit in enumerate(digits)) == x + 9 - y
        assert evaluate(within, at) is (3 <= x + 9 - y <= 9)


def test_values_that_are_stored_in_binary() -> None:
    assert in_a_row(range(1, 30)) == (1, 29)
    assert in_a_row(range(16)) is None
    assert in_a_row([*range(1, 30), 40]) is None
    assert in_a_row([*range(1, 30), "none"]) is None


def test_computed_numbers_add_no_worlds_to_a_list() -> None:
    """The explicit engine lists the pairs, not the possible digits of the sums."""
    n = 20
    problem = read(
        f"agents sam, polly\nfluent x, y in 1..{n}\nlaw x < y & x + y <= {n}\n"
        "sam sees x + y\npolly sees x * y\nactual x = 4, y = 13\n"
        "true? Kv[polly] (x, y)\ntrue? Kv[sam] (x, y)\nwhere? Kv[polly] (x, y)\n"
    )
    pairs = [(x, y) for x in range(1, n + 1) for y in range(x + 1, n - x + 1)]
    asked = ExplicitEngine(max_worlds=2 ** (2 * n.bit_length()))
    start, polly, sam, where = check(problem, asked)
    assert start.worlds == asked.worlds(problem.structure) == len(pairs)
    alone = [pair for pair in pairs if sum(pair[0] * pair[1] == x * y for x, y in pairs) == 1]
    assert bool(polly.answer) == ((4, 13) in alone)
    assert not sam.answer
    assert where.where is not None
    assert where.where.number == len(alone)
    with pytest.raises(TooManyWorlds, match=r"^more than 50 possible worlds to list: the explicit"):
        ExplicitEngine(max_worlds=50).worlds(problem.structure)


def test_a_given_product_of_wide_ranges() -> None:
    """One agent is told the sum, the other the greatest of three factors of 7200."""
    text = (
        "agents ann, bob\nfluent x, y, z in 1..200\nlaw x <= y & y <= z\nlaw x * y * z = 7200\n"
        "ann sees x + y + z\nbob sees z\nannounce ~Kv[ann] (x, y, z)\n"
        "announce ~Kv[bob] (x, y, z)\nannounce Kv[ann] (x, y, z)\nwhere? true\n"
    )
    left = [
        (x, y, 7200 // (x * y))
        for x in range(1, 201)
        for y in range(x, 201)
        if 7200 % (x * y) == 0 and y <= 7200 // (x * y) <= 200
    ]
    for seen, known in ((sum, False), (max, False), (sum, True)):
        number = Counter(map(seen, left))
        left = [triple for triple in left if (number[seen(triple)] == 1) is known]
    for name in ("sat", "bdd"):
        *_, last = check(read(text), engine(name), count=False)
        assert last.where is not None
        found = {tuple(int(world[name]) for name in "xyz") for world in last.where.worlds}
        assert found == set(left)
        assert last.where.number == len(left)


@pytest.mark.parametrize("seed", range(20))
def test_given_products_match_the_numbers(seed: int) -> None:
    """There are two or three factors, one of them perhaps a sum, and also impossible values."""
    choices = Seeded(seed)
    low = choices.integer(0, 3)
    goal = choices.one_of((0, 1, 7, 36, 60, 72, 96, 120, 210, 360))
    made: dict[str, Callable[[int, int, int], int]] = {
        "x * y * z": lambda x, y, z: x * y * z,
        "x * (y + z)": lambda x, y, z: x * (y + z),
        "2 * x * y": lambda x, y, _: 2 * x * y,
        "x * y * 3": lambda x, y, _: x * y * 3,
    }
    product = choices.one_of(tuple(made))
    text = (
        f"agents a\nfluent x, y, z in {low}..{low + 17}\nfluent p\na sees x\n"
        f"law p <-> {product} = {goal}\nlaw z = x\nwhere? p\n"
    )
    *_, last = check(read(text), engine("bdd"), count=False)
    values = range(low, low + 18)
    right = sum(made[product](x, y, x) == goal for x in values for y in values)
    assert last.where is not None
    assert last.where.number == right
