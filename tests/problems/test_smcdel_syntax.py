"""The reader of SMCDEL's text: nesting, lists that are read as one word, and faults."""

from __future__ import annotations

import pytest

from symkripke.errors import ProblemError
from symkripke.problems.smcdel.syntax import written, written_formula
from symkripke.testing.random_models import Seeded


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("(", ")"),
        ("~", ""),
        ("AND(1, ", ")"),
        ("K a ", ""),
        ("[! ", "] 1"),
        ("<a ?! 1> ", ""),
        ("1 -> (", ")"),
        ("a knows whether (1, ", ")"),
        ("Exists 1 ", ""),
        ("a comknow that ", ""),
    ],
)
def test_deep_texts(opening: str, closing: str) -> None:
    """The stack is no limit: not of what is read, nor of what is nearly right."""
    text = f"VARS 1 LAW {opening * 2_500}1{closing * 2_500} OBS a: 1"
    assert written(text).variables[0].text == "1"
    with pytest.raises(ProblemError, match="expected"):
        written(f"{text} ) VALID? 1")


@pytest.mark.parametrize("seed", range(60))
def test_lists_of_literals(seed: int) -> None:
    """They are read as one word, and the same ones once. In brackets a literal is a formula."""
    choices = Seeded(seed)
    parts = [
        (
            choices.one_of(("", "", "~", "~ ", "\u00ac", "not ", "~~", "-- ann\n", "\n"))
            + str(choices.integer(0, 12))
            + choices.one_of(("", " ", "\n"))
        )
        for _ in range(choices.integer(1, 4))
    ]
    operator = choices.one_of(("AND", "OR ", "XOR", "ONEOF\n"))
    text = f"{operator}({','.join(parts)})"
    bracketed = f"{operator}({', '.join(f'({part})' for part in parts)})"
    assert written_formula(text) is written_formula(bracketed)
    twice = written(f"VARS 1 LAW {text} & ({text} | 3) OBS a: 1 VALID? K a {text}")
    once = written(f"VARS 1 LAW {bracketed} & ({bracketed} | 3) OBS a: 1 VALID? K a {bracketed}")
    assert twice.law is once.law
    assert list(twice.used_variables) == list(once.used_variables)


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ("", 1, 1, "expected 'VARS', got the end of the file"),
        ("VARS 1 LAW", 1, 11, "expected a formula, got the end of the file"),
        ("VARS 1\nLA 1", 2, 1, "expected ',', 'LAW', got 'LA'"),
        ("VARS 1 LAW AND(1, 2 OBS", 1, 21, "expected '&', ')', ',', '->', 'iff', '|', got 'OBS'"),
        (
            "VARS 1 LAW 1 AND(1, 2)",
            1,
            14,
            "expected '&', '->', 'OBS', 'iff', '|', got 'AND'",
        ),
        ("VARS 1 LAW 1 # 2", 1, 14, "SMCDEL's format has no sign '#'"),
        (
            "VARS 1 LAW 1 OBS a: 1 K",
            1,
            23,
            "expected an agent, the end, ',', 'TRUE?', 'UPDATE!', 'VALID?', 'WHERE?', got 'K'",
        ),
        (
            "VARS 1 LAW 1 OBS a: 1 VALID? (a, b) knows that 1",
            1,
            37,
            "expected 'comknow that', 'distknow that', got 'knows that'",
        ),
        (
            "VARS 1 LAW 1 OBS a: 1 VALID? (a, b & 1)",
            1,
            36,
            "expected ')', ',', 'comknow that', 'distknow that', got '&'",
        ),
        ("VARS 1 LAW 1 OBS a: 1 VALID? [a 1", 1, 33, "expected '!', ',', '?', got '1'"),
        ("VARS 1 LAW 1 OBS a: 1 TRUE? 1", 1, 29, "expected '{', got '1'"),
    ],
)
def test_faults(text: str, line: int, column: int, problem: str) -> None:
    with pytest.raises(ProblemError) as caught:
        written(text, "a.txt")
    error = caught.value
    assert (error.line, error.column, error.problem) == (line, column, problem)
    assert error.path == "a.txt"
