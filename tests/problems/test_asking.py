"""Belief, numbers, and worlds up to bisimilarity in problem files."""

from __future__ import annotations

from fractions import Fraction
from math import log2

import pytest

from symkripke.problems.checker import check
from symkripke.problems.outcome import Outcome
from symkripke.problems.outcome_words import data, details
from symkripke.problems.reader import read

MODEL = """\
agents a, b
fluent x in 1..6
fluent y in 1..20
fluent p, q
law p | q
a sees p, y
actual p, x = 3, y = 4
"""


def outcomes(more: str, model: str = MODEL) -> list[Outcome]:
    return list(check(read(f"{model}{more}\n")))[1:]


def asked(more: str, model: str = MODEL) -> list[bool]:
    return [bool(told.answer) for told in outcomes(more, model) if told.answer is not None]


def number(question: str) -> Fraction | float | None:
    return outcomes(question)[-1].number


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("how? P[b](x = 2)", Fraction(1, 6)),
        ("how? P[b | x > 3](x = 4 | x = 1)", Fraction(1, 3)),
        ("how? P[b](K[a] p)", Fraction(2, 3)),
        ("how? P[a](y = 4)", Fraction(1)),
        ("count? p & q", 120),
        ("count? false", 0),
        ("expected? b: x", Fraction(7, 2)),
        ("expected? b: x + y", Fraction(14)),
        ("expected? a: x * y", Fraction(14)),
        ("expected? b: p", Fraction(2, 3)),
        ("expected? a: if p then y else 0 - y", Fraction(4)),
        ("entropy? b: p, q", log2(3)),
        ("entropy? a: p", 0.0),
        ("entropy? a", log2(12)),
    ],
)
def test_numbers(question: str, value: Fraction | float) -> None:
    found = number(question)
    assert found == pytest.approx(value) if isinstance(value, float) else found == value


def test_numbers_as_data() -> None:
    problem = read(f"{MODEL}how? P[b](x = 2)\ncount? p\nexpected? b: x\nentropy? a: q\n")
    found = [data(problem, outcome, why=False) for outcome in check(problem)][1:]
    keys = ("probability", "worlds", "value", "bits")
    verdicts = [outcome.verdict for outcome in check(problem)][1:]
    assert verdicts == ["1/6 (16.7%)", "240 worlds", "7/2 (3.5)", "1 bits"]
    told = [one[key] for one, key in zip(found, keys, strict=True)]
    assert told == ["1/6", 240, "7/2", 1.0]


def test_a_goal_that_is_missed_is_explained() -> None:
    reached, missed = outcomes("goal? K[a] p\ngoal? K[a] q")
    problem = read(MODEL)
    assert reached.verdict == "yes"
    assert list(details(problem, reached, why=False)) == []
    assert missed.verdict == "no"
    told = [line.text for line in details(problem, missed, why=False)]
    assert told[0] == "a does not know that q, because a considers this possible:"


def test_worlds_up_to_bisimilarity() -> None:
    model = "agents a, b\nfluent p, q\na sees p\nb sees p <-> q\n"
    (whole,) = outcomes("contract?", model)
    assert list(details(read(model), whole, why=False))
    assert whole.verdict == "4 worlds of 4"
    # Only one value is left of an unnamed fluent that makes no difference to anybody.
    (told,) = outcomes("tell a: true\ncontract?", "agents a, b\nfluent p\na sees p\n")[1:]
    assert told.contraction is not None
    assert (told.contraction.number, told.contraction.of) == (2, 4)
    assert told.contraction.worlds == (({"p": "false"}, 2), ({"p": "true"}, 2))


def test_irrelevant_differences_do_not_count() -> None:
    """A world has the rank of the best similar one: nobody can tell that the action happened."""
    missed = "action act: {}\n  everybody notices nothing\ndo act\n{}contract?"
    wait = missed.format("", "")
    assert outcomes(wait, "agents a\nfluent p\nlaw p\n")[-1].verdict == "1 world of 2"
    # A past value does not count either: p is true now, whatever happened.
    turn = missed.format("p := true", "announce p\n")
    assert outcomes(turn, "agents a\nfluent p\n")[-1].verdict == "1 world of 3"
    # For a single agent that sees nothing, worlds with the same facts are alike (Andersen et al.
    # 2013).
    both = "agents a\nfluent p, q\nbelieve p\na believes p -> q\ntell a: true\ncontract?"
    assert outcomes("", both)[-1].verdict == "4 worlds of 8"
