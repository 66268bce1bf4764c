"""One error for each broken file about numbers without bounds, at the right place."""

from __future__ import annotations

import pytest

from tests.problems.test_faults import fault_of

HEAD = """agents a, b
fluent x, y in integers
fluent n in naturals
fluent r, s in reals
fluent p
fluent c in {red, blue}
"""

ACTUAL = "actual x = 1, y = 1, n = 0, r = 0, s = 0, c = red\n"

BROKEN = [
    ("law §x * y = 3", "not linear: x * y"),
    ("law §x * x = 4", "not linear: x * x"),
    ("law §x div y = 1", "not linear: the divisor y is"),
    ("law §x mod n = 1", "not linear: the divisor n is"),
    ("law §x div 0 = 1", "a number cannot be divided by"),
    ("law §x mod 0 = 1", "a number cannot be divided by"),
    ("law §r div 2 = s", "`div` and `mod` are for integers"),
    ("law §r mod 2 = 1", "`div` and `mod` are for integers"),
    ("law §x + r = 3", "integers and reals cannot be in"),
    ("law §x <= s", "integers and reals cannot be in"),
    ("law §(x + 1) * (y - 1) > 0", "not linear: (x + 1) *"),
    ("law §x div (0 - 2) = 1", "`div` and `mod` are for integers"),
    ("law §x", "expected a formula, got a number:"),
    ("law §x + 1", "expected a formula, got a number:"),
    ("law ~§x", "expected a formula, got a number:"),
    ("law §x & p", "expected a formula, got a number:"),
    ("law p + x = §red", "expected an integer, got red"),
    ("law x = §red", "expected an integer, got red"),
    ("law §c = x", "expected numbers, got 'red'"),
    ("law x > §blue", "unknown name 'blue'; expected one of"),
    ("law x = y = §red", "expected an integer, got red"),
    ("law §if p then x = 1 else y", "expected a formula, got a number:"),
    ("law if §x then p else p", "expected a formula, got a number:"),
    ("law §z > 3", "unknown name 'z'; expected one of"),
    ("law x >§", "expected a name, a number, '(',"),
    ("law x + §= 3", "expected a name, a number, '(',"),
    ("law 3 §x = y", "expected an operator such as &,"),
    ("law x = §1.5", "expected an integer, got 3/2"),
    ("law §x + 1/2 = 3", "integers cannot be combined with the fraction 1/2"),
    ("law §x * 0.5 = 3", "integers cannot be combined with the fraction 1/2"),
    ("law r = §1/0", "a fraction cannot have the denominator 0"),
    ("law x =§= y", "expected a name, a number, '(',"),
    ("law x = -§", "expected a name, a number, '(',"),
    ("law §K[a] x = 3", "the law cannot contain knowledge; use"),
    ("fluent m in integers >= §red", "expected a number after >=, got"),
    ("fluent m in integers >=§", "expected a name, a number, '(',"),
    ("fluent m in {1, 2} §>= 1", "expected the end of the statement,"),
    ("fluent m in §c >= 1", "expected one of integers, naturals, reals"),
    ("fluent m in integers §> 3", "expected an operator such as +,"),
    ("fluent m in naturals actual §-1", "the value of m is at"),
    ("fluent m in naturals actual §red", "expected an integer as the value"),
    ("fluent m in §integer", "unknown domain 'integer'; did you mean 'integers'?"),
    ("fluent §x in reals", "fluent 'x' already exists"),
    ("fluent q in §-3..3", "expected values of 0 or more;"),
    ("a sees §x * y", "not linear: x * y"),
    ("a sees §z", "unknown name 'z'; expected one of"),
    ("a sees §K[b] x = 1", "a fluent cannot depend on knowledge:"),
    ("actual x = §1.5, y = 0", "expected an integer, got 3/2"),
    ("actual x = §red", "expected an integer, got red"),
    ("actual §x = y", "expected p, ~p or x ="),
    ("actual §x > 3, y = 1, n = 0, r = 0, s = 0", "expected p, ~p or x ="),
    ("§actual x = 1, y = 1, n = -1, r = 0, s = 0, c = red\ntrue? p", "the value of n is at"),
    (ACTUAL + "§change n := n - 1", "what changes would have no value"),
    (ACTUAL + "§change n := x - 5", "what changes would have no value"),
    ("change x := §red", "unknown name 'red'; expected one of"),
    ("change x := §r", "x cannot get this kind of"),
    ("change r := §x", "r cannot get this kind of"),
    ("change c := §x", "more values than c has"),
    ("change p := §x", "expected a formula for p, got"),
    ("change x := §x * x", "not linear: x * x"),
    ("change x := §K[a] p", "the new value of a fluent"),
    ("change n := §-4", "the value of n is at"),
    ("valid? for every §x: p", "x has a meaning already: take"),
    ("valid? for every m: m = §red", "expected an integer, got red"),
    ("valid? for every§: p", "expected a name, got ':'"),
    ("valid? for every m §p", "expected ',' or ':', got 'p'"),
    ("true? for §every m: m = m", "expected an operator such as &,"),
    ("valid? K[a] §x + 1", "expected a formula, got a number:"),
    ("valid? Kv[a] (§x + 1)", "Kv is about fluents: define a"),
    ("valid? Kv[a] §3", "expected a name or '(', got"),
    ("valid? atleast(§x; p, p)", "expected a number of 0 or"),
    ("valid? §x(1) = 2", "x takes 0 arguments, got 1:"),
    ("valid? §x#1 = 2", "x has no version #1"),
    ("valid? forall i in §integers: p", "unknown list 'integers'; expected one of"),
    ("let k = integers\nlaw x = §k", "expected an integer, got integers"),
    ("§announce x > y & y > x", "no world is left: this cannot"),
    ("announce x = 1\n§announce x = 2", "no world is left: this cannot"),
    ("action go: x := §r\n  everybody sees which", "x cannot get this kind of"),
    ("§action go: x := x + 1", "nobody would notice it: say who"),
    (
        "action go(i in §integers): x := i\n everybody sees which",
        "unknown list 'integers'; expected one of",
    ),
    ("do §go", "unknown action 'go': there is no"),
]


@pytest.mark.parametrize(("marked", "problem"), BROKEN)
def test_a_broken_line(marked: str, problem: str) -> None:
    """The mark § is the place of the error."""
    assert fault_of(marked, HEAD).startswith(problem)
