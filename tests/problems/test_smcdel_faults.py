"""Broken, deep and long files in SMCDEL's format: each gives one clear error with its place."""

from __future__ import annotations

import pytest

from symkripke.errors import ImpossibleStep, ProblemError, Unsupported
from symkripke.problems.checker import check
from symkripke.problems.smcdel.reader import read_smcdel
from symkripke.problems.smcdel.syntax import Written, written
from symkripke.testing.random_models import Seeded

GOOD = "VARS 1, 2, 3\nLAW ONEOF(1, 2, 3)\nOBS ann: 1\n    bob: 2, 3\n"

# The text after the good file, or a whole file; and a name or word of the message.
FAULTS = [
    ("§", "'VARS', got the end of the file"),
    ("VARS 1, 2§", "',' or 'LAW', got the end"),
    ("VARS 1 LAW§", "a formula, got the end"),
    ("VARS 1, 2 LAW Top§", "'OBS'"),
    ("VARS 1, 2 LAW Top OBS§ -- who?", "an agent, got the end"),
    ("§VAR 1 LAW Top OBS ann: 1", "'VARS', got 'VAR'"),
    ("VARS §p LAW p OBS ann: p", "a number, got 'p'"),
    ("VARS 1\n§LA 1", "'LAW', got 'LA'"),
    ("VARS 1 LAW AND(1, 2 §OBS", "'&', ')', ',', '->', 'iff' or '|', got 'OBS'"),
    ("VARS 1 LAW 1 §AND(1, 2)", "'&', '->', 'OBS', 'iff' or '|', got 'AND'"),
    ("VARS 1 LAW 1 OBS a: 1 §K", "'TRUE?', 'UPDATE!', 'VALID?' or 'WHERE?', got 'K'"),
    ("VARS 1 LAW Top OBS ann: 1, §2", "'2'"),
    ("VARS 1, 2, §01 LAW Top OBS ann: 1", "'01' is given twice"),
    ("VARS 1 LAW Top OBS ann: 1\n§ann:", "'ann' is given twice"),
    ("VARS 1 LAW Top OBS ann: 1, §1", "'1' is given twice"),
    ("VARS 1\n§LAW 1 & ~1\nOBS ann: 1\nTRUE? {1} 1", "no state"),
    ("VARS 1\n\n§LAW ann knows that 1 OBS ann: 1", "knowledge"),
    ("VARS 1\n§LAW [ann ! 1] 1 & ann knows that 1 OBS ann: 1", "knowledge"),
    ("+VALID?§", "a formula, got the end"),
    ("+VALID? (1 & 2§", "')'"),
    ("+VALID? AND(§)", "a formula, got ')'"),
    ("+VALID? 1 §=> 2", "'='"),
    ("+VALID? 1 §and 2", "got 'and'"),
    ("+VALID? ann §knows 1", "'knows that' or 'knows whether', got 'knows'"),
    ("+VALID §1", "got '1'"),
    ("+VALID? K §1", "an agent, got '1'"),
    ("+VALID? ann §comknow which 1", "got 'comknow'"),
    ("+VALID? (ann, bob) §knows that 1", "'comknow that' or 'distknow that', got"),
    ("+VALID? (ann, bob §& 1)", "')', ',' or 'comknow that' or 'distknow that', got '&'"),
    ("+VALID? [ann §1", "'!', ',' or '?', got '1'"),
    ("+VALID? [! 1§", "']'"),
    ("+TRUE? §1", "'{', got '1'"),
    ("+TRUE? {1§", "'}'"),
    ("+VALID? 1 | §7", "one of 1, 2, 3"),
    ("+VALID? ~§Ann knows that 1", "did you mean 'ann'"),
    ("+WHERE? [ann, §cleo ! 1] 1", "'cleo'"),
    ("+TRUE? {§4} Top", "'4'"),
    ("+VALID? Forall §9 1", "'9'"),
    ("+VALID? ann, bob, §ann comknow that 1", "'ann' is given twice"),
    ("+TRUE? {1, §1} 1", "'1' is given twice"),
    ("+VALID? Exists 1, §1 1", "'1' is given twice"),
    ("+-- not one\n§TRUE? {1, 2} 1", "outside the law"),
    ("+§TRUE? {} Top", "outside the law"),
]


@pytest.mark.parametrize(("marked", "fact"), FAULTS)
def test_a_broken_file_is_one_clear_error(marked: str, fact: str) -> None:
    marked = marked.replace("+", GOOD, 1)
    above, _, below = marked.partition("§")
    text, line, column = above + below, above.count("\n") + 1, len(above) - above.rfind("\n")
    with pytest.raises(ProblemError) as caught:
        read_smcdel(text, "some.txt")
    assert fact in caught.value.problem
    shown = f"some.txt, line {line}, column {column}: {caught.value.problem}"
    if text:
        shown += f"\n  {text.splitlines()[line - 1]}\n{'':{column + 1}}^"
    assert str(caught.value) == shown


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("UPDATE! 1 & 2", 5, "no world is left"),
        ("UPDATE! 1\nUPDATE! ann knows that 2", 6, "no world is left"),
        ("UPDATE! 1\nTRUE? {2} Top", 6, "line 5 is impossible"),
    ],
)
def test_impossible_steps_are_errors_with_their_line(text: str, line: int, message: str) -> None:
    with pytest.raises(ImpossibleStep, match=message) as caught:
        list(check(read_smcdel(GOOD + text).problem))
    assert caught.value.line == line


def test_untranslatable_questions_are_refused_with_their_line() -> None:
    with pytest.raises(Unsupported, match=r"line 6: .*Exists"):
        read_smcdel(f"{GOOD}VALID? 1\nVALID? Exists 1 [ann ! 1 | 2] bob knows that 3")


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
    """Neither valid nor nearly valid texts are limited by the stack."""
    text = f"VARS 1 LAW {opening * 1_100}1{closing * 1_100} OBS a: 1"
    assert written(text).variables[0].text == "1"
    with pytest.raises(ProblemError, match="expected"):
        written(f"{text} ) VALID? 1")


def test_lists_of_literals() -> None:
    """They are parsed as one word, with duplicates removed. In brackets, a literal is a formula."""
    for seed in range(60):
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
        assert Written(text).whole() is Written(bracketed).whole()
        twice, once = (
            written(f"VARS 1 LAW {one} & ({one} | 3) OBS a: 1 VALID? K a {one}")
            for one in (text, bracketed)
        )
        assert twice.law is once.law
        assert list(twice.used_variables) == list(once.used_variables)
