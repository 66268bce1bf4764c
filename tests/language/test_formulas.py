"""Formulas as values: interned, immutable, picklable, and of any depth."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

from symkripke.language import (
    FALSE,
    TRUE,
    And,
    Atom,
    C,
    Cardinality,
    Formula,
    Iff,
    Implies,
    K,
    Kv,
    M,
    Not,
    Or,
    P,
    atleast,
    conjunction,
    disjunction,
    negation,
    parse,
)
from symkripke.language.walk import (
    atoms,
    is_propositional,
    modal_subformulas,
    negation_normal_form,
    rewrite,
    subformulas,
    substitute,
)
from symkripke.model import evaluate
from symkripke.testing.random_models import BOOLEAN, NAMES, all_worlds
from tests.support.strategies import formulas

p, q, r = Atom("p"), Atom("q"), Atom("r")
WRONG: Any = "most"


@given(formulas())
def test_text_round_trips(formula: Formula) -> None:
    assert parse(str(formula)) is formula


@given(formulas())
def test_values_round_trip(formula: Formula) -> None:
    assert pickle.loads(pickle.dumps(formula)) is formula
    assert copy.copy(formula) is formula
    assert copy.deepcopy(formula) is formula
    assert rewrite(formula, lambda part: part) is formula
    assert eval(repr(formula), {"parse": parse}) is formula


def test_equal_formulas_are_identical() -> None:
    assert Atom("p", "true") is p
    assert K("ann", p & q) is K("ann", conjunction([p, q]))
    assert P("ann", p, ">=", Fraction(2, 4)) is P("ann", p, ">=", Fraction(1, 2))
    assert C(("ann", "bob", "ann"), p) is C(("ann", "bob"), p)
    assert Kv("ann", "x") is Kv("ann", ["x"])
    assert len({K("ann", p), M("ann", p), K("bob", p), K("ann", q)}) == 4


def test_threads_share_formulas() -> None:
    def build(_: int) -> list[Formula]:
        return [K("ann", Atom(f"x({n})") & q) for n in range(200)]

    with ThreadPoolExecutor(8) as pool:
        first, *others = pool.map(build, range(8))
    assert all(a is b for other in others for a, b in zip(first, other, strict=True))


def test_unused_formulas_are_freed() -> None:
    """The test refers only to its own formulas, because others may be freed meanwhile."""
    formula = K("ann", Atom("only here"))
    parts = [weakref.ref(part) for part in (formula, formula.operand)]
    assert all(part() is not None for part in parts)
    del formula
    gc.collect()
    assert all(part() is None for part in parts)


def test_formulas_cannot_be_changed() -> None:
    formula = K("ann", p)
    with pytest.raises(AttributeError, match="immutable: cannot set 'agent'"):
        formula.agent = "bob"
    with pytest.raises(AttributeError, match="immutable: cannot delete 'operand'"):
        del formula.operand
    with pytest.raises(AttributeError):
        formula.more = 1


def test_python_operators() -> None:
    assert (p & q) is And((p, q))
    assert (p | q) is Or((p, q))
    assert (p >> q) is Implies(p, q)
    assert ~p is Not(p)
    assert ~~p is p
    assert (p & q & r) is And((p, q, r))
    assert (p & (q & p)) is And((p, q))


def test_constants_fold() -> None:
    assert conjunction([]) is TRUE
    assert disjunction([]) is FALSE
    assert conjunction([p, TRUE]) is p
    assert conjunction([p, FALSE, q]) is FALSE
    assert disjunction([p, TRUE]) is TRUE
    assert disjunction([FALSE, p]) is p
    assert negation(TRUE) is FALSE


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Cardinality(WRONG, 1, [p]), "expected atleast, atmost or exactly"),
        (lambda: atleast(-1, [p]), "bound of 0 or more, got -1"),
        (lambda: Kv("ann", []), "at least one fluent"),
        (lambda: C([], p), "at least one agent"),
        (lambda: P("ann", p, WRONG, Fraction(1)), "expected one of >="),
        (lambda: P("ann", p, "=", Fraction(3, 2)), "between 0 and 1, got 3/2"),
    ],
)
def test_invalid_formulas(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=message):
        make()


def test_depth_is_bounded_by_memory_only() -> None:
    formula: Formula = p
    for number in range(1_100):
        formula = negation(K(f"a{number % 3}", Implies(q, Iff(formula, q))))
    assert parse(str(formula)) is formula
    assert set(atoms(formula)) == {p, q}
    assert substitute(formula, {p: q}) is not formula
    assert negation_normal_form(formula) is not formula


def test_subformulas_occur_once_and_after_their_operands() -> None:
    formula = K("ann", p & q) | Not(p & q)
    listed = list(subformulas(formula))
    assert listed == [p, q, p & q, K("ann", p & q), Not(p & q), formula]


@given(formulas())
def test_modal_subformulas_are_those_that_are_not_propositional(formula: Formula) -> None:
    listed = [part for part in subformulas(formula) if not is_propositional(part)]
    assert list(modal_subformulas(formula)) == listed


def test_shared_subformulas_cost_once() -> None:
    formula: Formula = p
    for _ in range(60):  # a tree of 2**60 leaves, a graph of 61 nodes
        formula = Iff(formula, formula)
    assert len(list(subformulas(formula))) == 61
    assert evaluate(formula, {"p": "true"})


def test_propositional_formulas_have_no_modal_operator() -> None:
    assert is_propositional(parse("p -> atleast(1; q, r)"))
    assert not is_propositional(parse("p -> [!q] r"))


@given(formulas(operators=BOOLEAN, depth=3))
def test_negation_normal_form_is_equivalent(formula: Formula) -> None:
    normal = negation_normal_form(formula)
    for part in subformulas(normal):
        assert not isinstance(part, Implies | Iff)
        assert not isinstance(part, Not) or isinstance(part.operand, Atom)
    used = {atom.fluent for atom in atoms(formula)}
    for world in all_worlds([x for x in NAMES.fluents if x.name in used])[:64]:
        assert evaluate(formula, world) == evaluate(normal, world)
