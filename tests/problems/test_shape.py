"""Statements that are very deep, or very large when written out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symkripke.engines import engine
from symkripke.errors import ProblemError
from symkripke.problems.checker import check
from symkripke.problems.expansion import Expansion
from symkripke.problems.problem import Question
from symkripke.problems.reader import Reader, read
from symkripke.problems.shape import Size
from symkripke.problems.smcdel.reader import read_smcdel
from symkripke.problems.syntax import Statement, tree


def test_quantifiers_nested_too_deeply_are_one_error() -> None:
    deep = "fluent p\nlaw " + "".join(f"forall x{n} in 1..1: " for n in range(1000)) + "p\n"
    with pytest.raises(ProblemError, match="nested too deeply"):
        read(deep)


DEEP = {
    "negation": ("~K[a] ", "~a knows that "),
    "implication": ("p -> (", "1 -> ("),
    "brackets": ("(", "("),
    "definition": ("K[a] ", "a knows that "),
}


@pytest.mark.parametrize("levels", [120, 1500])
@pytest.mark.parametrize("kind", DEEP)
def test_depth_is_unlimited_in_every_format(kind: str, levels: int) -> None:
    """Our format, SMCDEL's and questions all parse, and have the same meaning."""
    ours, theirs = (part * levels for part in DEEP[kind])
    end = ")" * ours.count("(")
    said = f"{ours}p{end}"
    law = f"agents a\nfluent p, q\na sees p\ndefine deep(x) = {said}\n"
    asked = "deep(q)" if kind == "definition" else said
    quantified = f"forall n in 1..2: atleast(1; {said})"
    problem = read(f"{law}valid? {asked}\nvalid? {quantified}\n")
    both = [step.formula for step in problem.steps if isinstance(step, Question)]
    smcdel = read_smcdel(f"VARS 1,2\nLAW Top\nOBS a: 1\nVALID? {theirs}1{end}\n").problem
    structure = problem.structure
    question = structure.parse(said)
    answers = {bool(engine("auto").valid(structure, one)) for one in (*both, question)}
    assert answers == {
        bool(outcome.answer) for outcome in check(smcdel) if outcome.answer is not None
    }
    assert both[0] is question


SIZES = {
    "one list": "law forall x in 1..3000, y in 1..3000: p",
    "nested": "law forall x in 1..100000: forall y in 1..100000: p",
    "dependent": "law forall x in 1..100000: forall y in x..100000: p",
    "growing": "law forall x in 1..100000, y in 1..x: p",
    "condition": "law forall x in 1..3000, y in 1..3000 if x < y: p",
    "lists": "law exactly(1; p for x in 1..2000 for y in 1..2000)",
    "statements": "for x in 1..2000: for y in 1..2000: { law p; law q }",
    "beside": "law (forall x in 1..9: p) & exists x in 1..9: atleast(1; q for y in 1..400000)",
    "sets": "law forall x in {y * z for y in 1..2000 for z in 1..2000}: p",
    "definition": "law f(100000)",
    "constants": "law forall x in all: forall y in all: p",
}


@pytest.mark.parametrize("kind", SIZES)
def test_too_large_statements_are_refused_at_once(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the place of the outermost list, and nothing is written out before it."""
    start = "agents a\nfluent p, q\nlet all = 1..2000\n"
    start += "define f(n) = forall x in 1..n: forall y in 1..n: p\n"

    def late(*_: object) -> None:
        raise AssertionError("written out")

    monkeypatch.setattr("symkripke.problems.expansion.f.conjunction", late)
    monkeypatch.setattr("symkripke.problems.expansion.f.Cardinality", late)
    with pytest.raises(ProblemError, match="more than 3,000,000 parts when written out") as caught:
        read(f"{start}{SIZES[kind]}\n")
    assert (caught.value.line, caught.value.column > 4) == (5, True)


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 2), st.booleans())
def test_sizes_are_computed_correctly(a: int, b: int, shape: int, conditional: bool) -> None:
    """The size is compared with the number of resulting atoms, which are all different."""
    inner = (f"1..{b}", f"x..{b}", f"{{x * k for k in 1..{b}}}")[shape]
    condition = " if x != y" if conditional else ""
    text = f"law atleast(0; p(x, y) for x in 1..{a} for y in {inner}{condition}) "
    with_parts = tree(text)
    reader = Reader()
    for one in ("agents a", "fluent p(x, y) for x in 0..9 for y in 0..9"):
        reader.take(Statement(one, 1))
    expansion = Expansion(reader.names)
    number = sum(len({y for y in ys(shape, x, b)}) for x in range(1, a + 1))
    for most, refused in ((number - 1, True), (number, False)):
        size = Size(expansion.collection, lambda: 0, most)
        assert (size.too_much(with_parts, {}) is not None) == refused or not number


def ys(shape: int, x: int, b: int) -> list[int]:
    return [list(range(1, b + 1)), list(range(x, b + 1)), [x * k for k in range(1, b + 1)]][shape]
