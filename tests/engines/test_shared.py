"""Formulas with shared subformulas, such as binary arithmetic: each is processed once."""

from __future__ import annotations

from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.swaps import implicants
from symkripke.language import Atom, Iff, Not
from symkripke.problems import check, read

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


def test_a_formula_that_doubles_in_every_step() -> None:
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


def test_three_ages_after_two_announcements() -> None:
    """The puzzle of the three ages: the answer is 2, 2 and 9, because 1, 6 and 6 have no eldest."""
    *_, valid, where = check(read(AGES))
    assert valid.answer is not None
    assert bool(valid.answer)
    assert where.where is not None
    assert where.where.worlds == ({"a": "2", "b": "2", "c": "9"},)
