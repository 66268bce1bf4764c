"""The reader of SMCDEL's text, which is written by hand, against the grammar."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import UnexpectedInput

from symkripke.errors import ProblemError
from symkripke.problems.smcdel.grammar import fault
from symkripke.problems.smcdel.syntax import Written, written
from symkripke.testing.random_models import Choices, Seeded
from tests.support.smcdel_grammar import Texts, written_by_grammar

FILES = sorted((Path(__file__).parent.parent / "data" / "smcdel").glob("*.smcdel.txt"))
BETWEEN = (" ", " ", " ", "\n", "", "\t -- Top & ann, bob)\n", "  ")


def text_of(words: list[str], choices: Choices) -> str:
    """The words with blanks, comments or nothing between them."""
    return "".join(word + choices.one_of(BETWEEN) for word in words)


def mutated(text: str, choices: Choices) -> str:
    """The text with something left out, put in or exchanged."""
    start = choices.integer(0, len(text))
    end = min(len(text), start + choices.integer(0, 4))
    other = choices.integer(0, len(text))
    put = choices.one_of(
        (text[other : other + 5], "K a ", "(", ")", ",", "?", "1", "#", "-", "not")
    )
    return text[:start] + put + text[end:]


def compared(text: str) -> bool:
    """Whether the grammar allows the text; the reader finds the same."""
    try:
        expected = written_by_grammar(text)
    except UnexpectedInput:
        expected = None
    if expected is not None:
        assert sorted_(written(text)) == sorted_(expected), text
        return True
    with pytest.raises(ProblemError) as caught:
        written(text, "a.txt")
    error = caught.value
    assert (error.problem, error.line, error.column) == fault(text, "start")
    return False


def sorted_(said: Written) -> tuple[object, ...]:
    """All of it. In which order warnings are found does not matter: they are sorted by place."""
    used = list(said.used_variables.items()), list(said.used_agents.items())
    said.warnings.sort()
    return said, used


@pytest.mark.parametrize("block", range(4))
def test_texts_that_the_grammar_allows(block: int) -> None:
    allowed = 0
    for seed in range(30 * block, 30 * block + 30):
        choices = Seeded(seed)
        words = Texts(choices).words("start", 6 + seed % 30)
        allowed += compared(" ".join(words))
        compared(text_of(words, choices))
    assert allowed == 30


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.partition(".")[0])
def test_files_and_what_is_nearly_one(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert compared(text)
    choices = Seeded(len(text))
    for _ in range(12):
        compared(mutated(text, choices))


@pytest.mark.parametrize("block", range(4))
def test_texts_that_are_nearly_right(block: int) -> None:
    found = set()
    for seed in range(50 * block, 50 * block + 50):
        choices = Seeded(seed)
        text = " ".join(Texts(choices).words("start", 8 + seed % 12))
        for _ in range(1 + seed % 2):
            text = mutated(text, choices)
        found.add(compared(text))
    assert False in found


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


@pytest.mark.parametrize("block", range(4))
def test_lists_of_literals(block: int) -> None:
    """They are read as one word, and the same ones once: all of it is found as by the grammar."""
    allowed = 0
    for seed in range(15 * block, 15 * block + 15):
        choices = Seeded(seed)

        def literal(choices: Choices = choices) -> str:
            sign = choices.one_of(("", "", "~", "~ ", "\u00ac", "not ", "~~", "-- ann\n", "\n"))
            return sign + str(choices.integer(0, 12)) + choices.one_of(("", "", " ", "\n"))

        def one_list(choices: Choices = choices) -> str:
            parts = ",".join(literal() for _ in range(choices.integer(1, 4)))
            return choices.one_of(("AND", "OR ", "XOR", "ONEOF\n")) + "(" + parts + ")"

        lists = [one_list() for _ in range(3)]
        again = [choices.one_of(lists) for _ in range(8)]
        law = f"AND({', '.join(again)}, OR({again[0]}, 3)) {choices.one_of('&|')} ~ {one_list()}"
        text = f"VARS 1, 2 LAW {law} OBS a: 1 VALID? K a {again[1]} TRUE? {{1}} a knows {again[2]}"
        text = text.replace("knows AND", "knows that AND").replace("knows O", "knows whether O")
        allowed += compared(text)
        for _ in range(3):
            compared(mutated(text, choices))
    assert allowed
