"""Belief in problem files: read as the language reads it, and answered."""

from __future__ import annotations

import pytest

from symkripke.errors import ProblemError
from symkripke.language import parse
from symkripke.problems.checker import check
from symkripke.problems.problem import Question
from symkripke.problems.reader import read

MODEL = "agents a, b\nfluent p, q\na sees p\n"

ANSWERS = {
    "CB[a, b] p": False,
    "CB[a, b] (p -> p)": True,
    "EB[*] p": False,
    "p -> EB[a] p": True,
    "B[a | q] q": True,
    "B[a | p | q] (p | q)": True,
    "B[b | q] p": False,
    "p -> B[a | q & p] (p & q)": True,
}


@pytest.mark.parametrize("written", ANSWERS)
def test_belief_is_read_and_answered(written: str) -> None:
    problem = read(f"{MODEL}valid? {written}\n")
    (step,) = problem.steps
    assert isinstance(step, Question)
    assert step.formula is parse(written, problem.structure.vocabulary)
    _, outcome = check(problem)
    assert outcome.answer is not None
    assert bool(outcome.answer) == ANSWERS[written]


def test_belief_with_a_comparison_and_a_list_of_agents() -> None:
    text = "let few = {a, b}\nagents few\nfluent x in 1..3\nvalid? CB[few] x <= 3\n"
    answers = [o.answer for o in check(read(f"{text}valid? B[a | x > 1] x != 1\n"))][1:]
    assert [bool(answer) for answer in answers] == [True, True]


@pytest.mark.parametrize(
    ("written", "says", "column"),
    [
        ("CB[a, c] p", "unknown agent 'c'; expected one of a, b", 14),
        (
            "K[a | q] p",
            "only B[... | ...] and P[... | ...] can have something given, got K[... | ...]",
            8,
        ),
        ("B[a, b | q] p", "B[...] takes one agent, got 2", 10),
        ("B[a | r] p", "unknown name 'r'", 14),
    ],
)
def test_faults_in_beliefs(written: str, says: str, column: int) -> None:
    with pytest.raises(ProblemError) as caught:
        read(f"{MODEL}valid? {written}\n")
    assert says in caught.value.problem
    assert (caught.value.line, caught.value.column) == (4, column)
