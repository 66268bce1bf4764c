"""Formulas as texts: most are valid, some are invalid, and some are very deep or long."""

from __future__ import annotations

import re
from random import Random

from symkripke.model import Fluent
from symkripke.testing.random_models import ALL, BELIEF, Names, Seeded, random_formula

NAMES = Names(
    (
        *map(Fluent, "pqr"),
        Fluent("x", ("1", "two", "3")),
        Fluent("y", ("1", "2")),
        Fluent("at(rope)", ("ann", "envelope")),
    ),
    ("a", "b", "c"),
)
"""The names in the structure of the odd calls."""

FEW = Names(NAMES.fluents[:2], ("a", "b"))
"""A few names that most problem files also have."""

_ATOM = re.compile(r"\b[pq]\b|x = \w+")
_ODD = ("K", "p q", "K[]", "()", "K[a", "C[*]", "atleast(1; )", "atleast(99999999999; p)", "x=", "")
# Valid parts that random formulas do not contain.
_RARE = ("x != 3", "x > y", "y#0 = 1", "Kv[a] z", "P[a](p) >= 3/0", "P[b | q](p) < 7", "C[*] p")


def formula(chance: Random, depth: int = 4, names: Names = NAMES) -> str:
    """Return a formula over the names, sometimes with a rare part, seldom with an invalid one."""
    choices = Seeded(chance.randrange(2**32))
    text = str(random_formula(choices, names, depth, (*ALL, *BELIEF)))
    places = list(_ATOM.finditer(text))
    if places and chance.random() < 0.2:
        place = chance.choice(places)
        part = chance.choice(_ODD if chance.random() < 0.3 else _RARE)
        text = f"{text[: place.start()]}{part}{text[place.end() :]}"
    return text


_AROUND = (
    *("~", "K[a] ", "K[a] ~M[b] ", "[!p | q] ", "[!K[a] p] ", "<!p> ", "C[a, b] ", "B[a] "),
    *("(", "p & (", "(p -> ", "atleast(1; q, "),
)


def deep(chance: Random) -> str:
    """Return a formula that is nested very deeply, or very long."""
    number = chance.choice((30, 100, 500, 1_000, 5_000))
    if chance.random() < 0.15:
        return " & ".join(chance.choice(("p", "x = 1")) for _ in range(number))
    start = chance.choice(_AROUND)
    return start * number + chance.choice("pqr") + ")" * number * start.count("(")
