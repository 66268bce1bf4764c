"""Operators: their class attributes are correct, and sufficient for a new operator."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import pytest

from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import FormulaError
from symkripke.language import Atom, Formula, Not, disjunction, parse
from symkripke.language import formulas as f
from symkripke.language.operators import SYMBOLS
from symkripke.language.reduction import definition, reduce_announcements, write_out
from symkripke.language.walk import knowers
from symkripke.model import Fluent
from symkripke.testing.random_models import (
    ALL,
    BELIEF,
    BOOLEAN,
    Names,
    Seeded,
    random_formula,
    random_history,
)


class Somebody(f.GroupOperator):
    """`Somebody[i, j, ...] f`: a member of the group knows f. No engine supports it directly."""

    __slots__ = ()
    symbol = "Somebody"
    individual = True
    is_written_out = True

    def definition(self, cases: f.Cases) -> Formula:
        return disjunction(f.K(agent, self.operand) for agent in self.group)


def modal_classes(base: type[f.Modal] = f.Modal) -> Iterator[type[f.Modal]]:
    for kind in base.__subclasses__():
        yield kind
        yield from modal_classes(kind)


def no_cases(name: str) -> tuple[Formula, ...]:
    raise AssertionError(name)


def test_every_operator_with_a_symbol_can_be_written() -> None:
    written = {kind for kind in modal_classes() if kind.symbol} - {Somebody}
    assert written == set(f.OPERATORS)
    assert len(set(SYMBOLS)) == len(f.OPERATORS)


def test_random_formulas_have_every_operator() -> None:
    names = Names((Fluent("p"),), ("a", "b"))
    for operator in f.OPERATORS:
        assert operator.symbol in (*ALL, *BELIEF)
        assert type(random_formula(Seeded(0), names, 1, [operator.symbol])) is operator


@pytest.mark.parametrize("seed", range(20))
def test_definitions_mean_the_same(seed: int) -> None:
    """Each operator with a definition is compared by the oracle, in random situations."""
    scene, choices = random_history(Seeded(seed)), Seeded(seed)
    structure, explicit = scene.structure, ExplicitEngine()
    names = Names.of(structure)
    operand = random_formula(choices, names, 2, BOOLEAN)
    agents, fluent = structure.agents, names.fluents[0].name
    defined = 0
    formulas: tuple[f.Modal, ...] = (
        *(kind(agents[0], operand) for kind in (f.K, f.M, f.Kw, f.B)),
        *(kind(agents, operand) for kind in (f.E, f.D, f.C, f.EB, f.CB, Somebody)),
        f.Kv(agents[0], [fluent]),
    )
    for formula in formulas:
        meant = definition(formula, structure.fluents)
        if meant is not None:
            defined += 1
            assert explicit.valid(structure, f.Iff(formula, meant)), (seed, formula.symbol)
    assert defined == 6


def test_duals_are_duals() -> None:
    p = Atom("p")
    for kind in (f.K, f.M):
        assert kind.dual is not None
        assert kind.dual.dual is kind
    assert f.M("a", p).definition(no_cases) is Not(f.K("a", Not(p)))


@pytest.mark.parametrize("name", ["explicit", "bdd", "smt", "sat", "auto"])
def test_every_engine_answers_an_operator_by_its_definition(name: str) -> None:
    asked = engine(name)
    told = 0
    for seed in range(12):
        scene = random_history(Seeded(300 + seed))
        names, choices = Names.of(scene.structure), Seeded(seed)
        inner = Somebody(names.agents, random_formula(choices, names, 1, BOOLEAN))
        said = random_formula(choices, names, 1, BOOLEAN)
        for formula in (inner, f.K(names.agents[0], Not(inner)), f.Announced(said, inner)):
            meant = write_out(formula, no_cases)
            assert bool(asked.holds(scene, formula)) == bool(asked.holds(scene, meant)), seed
            told += bool(asked.holds(scene, formula))
    assert 0 < told < 36


def test_an_operator_is_expanded_printed_and_traversed_by_its_class_attributes() -> None:
    p, q = Atom("p"), Atom("q")
    inner = Somebody(["a", "b"], p)
    assert str(inner & q) == "Somebody[a, b] p & q"
    assert knowers(Not(inner)) == {"a", "b"}
    assert write_out(f.K("a", Not(inner)), no_cases) is parse("K[a] ~(K[a] p | K[b] p)")
    after = reduce_announcements(f.Announced(q, inner), no_cases)
    assert after is parse("q -> K[a] (q -> p) | K[b] (q -> p)")
    assert write_out(Somebody("a", inner), no_cases) is parse("K[a] (K[a] p | K[b] p)")
    with pytest.raises(FormulaError, match="unknown operator 'Somebody'"):
        parse("Somebody[a] p")


def test_deep_and_shared_formulas_are_pickled() -> None:
    deep: Formula = Atom("p")
    for _ in range(5_000):
        deep = f.K("a", Not(deep))
    assert pickle.loads(pickle.dumps(deep)) is deep
    shared: Formula = Atom("p")
    for _ in range(200):  # written out, it would have 2**200 atoms
        shared = f.Iff(shared, Not(shared))
    assert pickle.loads(pickle.dumps(shared)) is shared
