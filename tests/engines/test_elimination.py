"""Elimination of numbers: the result is true exactly where the eliminated numbers have values."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest
import z3

from symkripke.engines.smt.numbers import Numbers
from symkripke.language import Atom, Formula, conjunction, disjunction, negation
from symkripke.language.formulas import linear
from symkripke.language.linear import Sum, constant
from symkripke.model import evaluate

NAMES = ("x", "y", "z")


def random_formula(chance: random.Random, depth: int, *, is_real: bool) -> Formula:
    """Return a Boolean combination of constraints with coefficients up to 4."""
    if depth:
        parts = [random_formula(chance, depth - 1, is_real=is_real) for _ in range(3)]
        return chance.choice((conjunction, disjunction))(parts)
    total = constant(chance.randint(-6, 6))
    for name in NAMES:
        if chance.random() < 0.7:
            total = total.plus(Sum.of(name, is_real=is_real), chance.choice((1, -1, 2, -3, 4)))
    kind = chance.random()
    if kind < 0.25 and not is_real:
        formula = linear(total, "|", chance.choice((2, 3, 4)))
    else:
        formula = linear(total, "=" if kind < 0.4 else "<" if kind < 0.6 else "<=")
    return negation(formula) if chance.random() < 0.3 else formula


@pytest.mark.parametrize("is_real", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_elimination_is_exact(seed: int, is_real: bool) -> None:
    chance = random.Random(seed)
    formula = random_formula(chance, 2, is_real=is_real)
    kept = set(chance.sample(NAMES, chance.choice((1, 2))))
    numbers = Numbers(z3.Context(), lambda _: ())
    found = numbers.exists(formula, lambda atom: isinstance(atom, Atom) and atom.fluent in kept)
    values = [Fraction(n, 2) for n in range(-9, 10)] if is_real else range(-8, 9)
    for point in product(values, repeat=len(kept)):
        world = dict(zip(sorted(kept), map(str, point), strict=True))
        here = conjunction(
            linear(Sum.of(name, is_real=is_real).plus(constant(-Fraction(value))), "=")
            for name, value in world.items()
        )
        assert evaluate(found, world) is numbers.satisfiable(formula, here), (str(formula), world)
