"""Broken files in SMCDEL's format: one clear error each, with the place; none is answered."""

from __future__ import annotations

import pytest

from symkripke.errors import ImpossibleStep, InputError, ProblemError, Unsupported
from symkripke.problems.checker import check
from symkripke.problems.smcdel.reader import read_smcdel

GOOD = "VARS 1, 2, 3\nLAW ONEOF(1, 2, 3)\nOBS ann: 1\n    bob: 2, 3\n"

BROKEN = [
    # Truncated.
    ("", 1, "expected 'VARS', got the end of the file"),
    ("VARS 1, 2", 1, "expected ',', 'LAW', got the end of the file"),
    ("VARS 1, 2 LAW Top", 1, "'OBS'"),
    ("VARS 1, 2 LAW Top OBS -- who?", 1, "expected an agent, got the end of the file"),
    (GOOD + "VALID?", 5, "expected a formula, got the end of the file"),
    (GOOD + "VALID? (1 & 2", 5, "')'"),
    (GOOD + "TRUE? {1", 5, "'}'"),
    (GOOD + "VALID? [! 1", 5, "']'"),
    # Misspelt.
    ("VAR 1 LAW Top OBS ann: 1", 1, "expected 'VARS', got 'VAR'"),
    (GOOD + "VALID? 1 => 2", 5, "SMCDEL's format has no sign '='"),
    (GOOD + "VALID? 1 and 2", 5, "got 'and'"),
    (GOOD + "VALID? ann knows 1", 5, "'knows that', 'knows whether', got 'knows'"),
    (GOOD + "VALID 1", 5, "got '1'"),
    (GOOD + "VALID? K 1", 5, "expected an agent, got '1'"),
    (GOOD + "VALID? AND()", 5, "expected a formula, got ')'"),
    (GOOD + "VALID? ann comknow which 1", 5, "got 'comknow'"),
    ("VARS p LAW p OBS ann: p", 1, "expected a number, got 'p'"),
    # Unknown, or given twice.
    (GOOD + "VALID? 1 | 7", 5, "unknown variable '7'; expected one of 1, 2, 3"),
    (GOOD + "VALID? ~Ann knows that 1", 5, "unknown agent 'Ann'; did you mean 'ann'?"),
    (GOOD + "WHERE? [ann, cleo ! 1] 1", 5, "unknown agent 'cleo'"),
    (GOOD + "TRUE? {4} Top", 5, "unknown variable '4'"),
    (GOOD + "VALID? Forall 9 1", 5, "unknown variable '9'"),
    ("VARS 1 LAW Top OBS ann: 1, 2", 1, "unknown variable '2'"),
    ("VARS 1, 2, 01 LAW Top OBS ann: 1", 1, "variable '01' is given twice"),
    ("VARS 1 LAW Top OBS ann: 1\nann:", 2, "agent 'ann' is given twice"),
    ("VARS 1 LAW Top OBS ann: 1, 1", 1, "variable '1' is given twice"),
    (GOOD + "VALID? ann, bob, ann comknow that 1", 5, "agent 'ann' is given twice"),
    (GOOD + "TRUE? {1, 1} 1", 5, "variable '1' is given twice"),
    (GOOD + "VALID? Exists 1, 1 1", 5, "variable '1' is given twice"),
    # What cannot be.
    ("VARS 1\nLAW 1 & ~1\nOBS ann: 1\nVALID? 1", 2, "the law allows no state"),
    ("VARS 1\n\nLAW ann knows that 1 OBS ann: 1", 3, "the law cannot speak about knowledge"),
    ("VARS 1\nLAW [ann ! 1] 1 & ann knows that 1 OBS ann: 1", 2, "cannot speak about knowledge"),
    ("VARS 1\nLAW 1 & ~1\nOBS ann: 1\nTRUE? {1} 1", 2, "the law allows no state"),
    (GOOD + "-- not one\nTRUE? {1, 2} 1", 6, "this state is outside the law"),
    (GOOD + "TRUE? {} Top", 5, "this state is outside the law"),
]


@pytest.mark.parametrize(("text", "line", "message"), BROKEN)
def test_a_broken_file_is_one_clear_error(text: str, line: int, message: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_smcdel(text, "some.txt")
    assert message in str(caught.value)
    assert caught.value.line == line
    if not text.strip():
        assert "\n" not in str(caught.value)
        return
    head, shown, caret = str(caught.value).split("\n")
    assert head.startswith(f"some.txt, line {line}, column {caught.value.column}: ")
    assert shown[2:] == text.split("\n")[line - 1]
    assert caret == " " * (caught.value.column + 1) + "^"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (GOOD + "UPDATE! 1 & 2", 5, "no world is left"),
        (GOOD + "UPDATE! 1\nUPDATE! ann knows that 2", 6, "no world is left"),
        (GOOD + "UPDATE! 1\nTRUE? {2} Top", 6, "line 5 is impossible in the given world"),
    ],
)
def test_what_cannot_have_happened_is_an_error_of_its_line(
    text: str, line: int, message: str
) -> None:
    problem = read_smcdel(text).problem
    with pytest.raises(ImpossibleStep, match=message) as caught:
        list(check(problem))
    assert caught.value.line == line


def test_a_long_formula_is_read_and_a_deep_one_too() -> None:
    many = " | ".join(["1", "2"] * 3000)
    deep = "~(" * 5000 + "1" + ")" * 5000
    for text in (many, deep, f"ann knows that {'~bob knows that ' * 50}1"):
        outcomes = list(check(read_smcdel(GOOD + f"VALID? {text}").problem, count=False))
        assert outcomes[-1].answer is not None or outcomes[-1].refused is not None


def test_what_has_no_translation_is_refused_with_its_line() -> None:
    with pytest.raises(Unsupported, match=r"line 6: .* under Forall or Exists"):
        read_smcdel(GOOD + "VALID? 1\nVALID? Exists 1 [ann ! 1 | 2] bob knows that 3")


def test_errors_are_the_users_faults() -> None:
    assert issubclass(ProblemError, InputError)
