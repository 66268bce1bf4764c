"""Formulas whose subformulas occur often, as those about numbers in binary: each is seen once."""

from __future__ import annotations

import pytest

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine, compiled_formula
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.swaps import implicants
from symkripke.language import Atom, Iff, Not
from symkripke.problems import check, read
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula, random_history

NESTED = (*BOOLEAN, "K", "M", "Kw", "Kv", "E", "D", "announced")

AGES = """\
agents census
fluent a, b, c in 1..36
law a*b*c = 36
law a <= b & b <= c
census sees a+b+c
announce ~Kv[census] (a,b,c)
announce b < c
valid? Kv[census] (a,b,c)
where? true
"""


def test_a_formula_that_doubles_with_every_step() -> None:
    p, q = Atom("p"), Atom("q")
    encoding = Encoding()
    true, false = encoding.atom(p), encoding.atom(q)
    proved = implicants.Implicants(encoding, {})
    formula = Iff(p, p & Not(q))
    for _ in range(60):
        formula = Iff(formula & p, Not(q) & formula)
    world = 1 << true
    assert proved.true(formula, world)
    assert set(proved.implicant(formula, world)) <= {true, -false}
    assert not proved.true(formula & q, world)


@pytest.mark.parametrize("block", range(3))
def test_looking_once_finds_the_same(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for room in (implicants, compiled_formula):
        monkeypatch.setattr(room, "is_shared", lambda formula: True)
    for seed in range(block * 15, block * 15 + 15):
        scene, choices = random_history(Seeded(seed)), Seeded(20_000 + seed)
        names = Names.of(scene.structure)
        sat, explicit = SatEngine(), ExplicitEngine()
        for _ in range(6):
            formula = random_formula(choices, names, choices.integer(1, 4), NESTED)
            answer = sat.holds(scene, formula)
            assert bool(answer) == bool(explicit.holds(scene, formula)), (seed, str(formula))
            assert answer.why().truth == bool(answer), (seed, str(formula))


def test_three_ages_after_two_announcements() -> None:
    """The puzzle of the three ages: 2, 2 and 9, for 1, 6 and 6 have no eldest."""
    *_, valid, where = check(read(AGES))
    assert valid.answer is not None
    assert bool(valid.answer)
    assert where.where is not None
    assert where.where.worlds == ({"a": "2", "b": "2", "c": "9"},)
