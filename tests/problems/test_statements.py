"""Statements are read to trees, with the places of all their parts."""

from __future__ import annotations

from typing import Any

import pytest

from symkripke.errors import NoAnswerWithin
from symkripke.language.scanner import Token
from symkripke.limits import within
from symkripke.problems.puzzles import puzzle, puzzles
from symkripke.problems.syntax import Fault, Tree, statements, tree
from tests.support.problem_files import problem_files


def shown(node: Tree | Token) -> Any:
    """A word, or a tree as its rule and its parts."""
    if isinstance(node, Token):
        return str(node)
    return (node.data, *map(shown, node.children))


def name(word: str) -> Any:
    """The tree of a name that is an operand."""
    return "name", ("term", word)


P, Q, R = map(name, "pqr")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(p & q) & (r)", ("conjunction", ("conjunction", P, Q), R)),
        ("p & q & r", ("conjunction", P, Q, R)),
        ("p | q & r -> p", ("implies", ("disjunction", P, ("conjunction", Q, R)), P)),
        ("p -> q -> r", ("implies", P, ("implies", Q, R))),
        ("p <-> q <-> r", ("iff", ("iff", P, Q), R)),
        (
            "~p + q * r - 2 = r",
            (
                "negation",
                (
                    "comparison",
                    ("minus", ("plus", P, ("times", Q, R)), ("number", "2")),
                    "=",
                    R,
                ),
            ),
        ),
        (
            "p < q <= r",
            ("comparison", P, "<", Q, "<=", R),
        ),
        ("<! p > q", ("announced_true", P, Q)),
        (
            "<! (p > q)> r",
            ("announced_true", ("comparison", P, ">", Q), R),
        ),
        (
            "[peek] <peek> p",
            ("after_action", ("term", "peek"), ("after_action_possible", ("term", "peek"), P)),
        ),
        (
            "p & forall x in q: p | q",
            (
                "conjunction",
                P,
                ("quantified", "forall", ("binder", "x", ("one_set", Q)), ("disjunction", P, Q)),
            ),
        ),
        (
            "1 + if p then q else r = 2",
            (
                "plus",
                ("number", "1"),
                ("choice", P, Q, ("comparison", R, "=", ("number", "2"))),
            ),
        ),
        (
            "K = Kv & atleast",
            (
                "conjunction",
                ("comparison", name("K"), "=", name("Kv")),
                name("atleast"),
            ),
        ),
        ("\u00e4pfel & \u03b1", ("conjunction", name("\u00e4pfel"), name("\u03b1"))),
    ],
)
def test_formulas(text: str, expected: Any) -> None:
    assert shown(tree(f"law {text}")) == ("law", expected)


def test_each_part_has_its_place() -> None:
    text = "law (p & q) & -- a comment\n  f(x, y)#2"
    found = {part.data: text[part.start_pos : part.end_pos] for part in tree(text).subtrees()}
    assert found == {
        "law": text,
        "conjunction": text[4:],
        "name": "f(x, y)#2",
        "term": "f(x, y)#2",
    }
    (last,) = [part for part in tree(text).words() if part == "f"]
    assert (last.line, last.column) == (2, 3)


def test_statements_of_files() -> None:
    """Of all puzzles, and of problem files by chance: what a part says is a text of its own."""
    files = [puzzle(name).text for name in puzzles()] + [text for _, text in problem_files(20)]
    found = {statement.text for file in files for statement in statements(file)}
    assert len(found) > 300
    for text in found:
        for part in tree(text).subtrees():
            if part.data in ("conjunction", "disjunction", "comparison", "modal", "quantified"):
                alone = f"law {text[part.start_pos : part.end_pos]}"
                assert shown(tree(alone)) == ("law", shown(part)), alone


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ("law ", 1, 4, 'expected a formula or a text in "...", got the end of the statement'),
        (
            "law p ? q",
            1,
            7,
            "expected an operator such as &, -> or =, the end of the statement or '(', got '?'",
        ),
        (
            "law <! <peek> p> q",
            1,
            13,
            "expected a version such as #2, '(' or '>', got '>'; "
            "inside `<! f` a part with '>' needs brackets",
        ),
        (
            "law p\n  & q\u00a0",
            2,
            6,
            "expected an operator such as &, -> or =, the end of the statement or '(', got '\\xa0'",
        ),
        (
            "action x:\n  everybody seethat",
            2,
            13,
            "expected 'notice', 'notices', 'see' or 'sees', got 'seethat'; did you mean 'see'?",
        ),
        ("true? p &\n  -- a comment", 2, 1, "expected a formula, got the end of the statement"),
    ],
)
def test_faults(text: str, line: int, column: int, problem: str) -> None:
    with pytest.raises(Fault) as caught:
        tree(text)
    assert (caught.value.line, caught.value.column, caught.value.problem) == (line, column, problem)


MANY = 20_000


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(", ")"),
        ("~", ""),
        ("p & ", ""),
        ("[!p] ", ""),
        ("[!", "] p"),
        ("f(", ")"),
        ("if p then q else ", ""),
        ("1 + ", ""),
    ],
)
def test_nesting_and_length_have_no_limit(before: str, after: str) -> None:
    text = f"law {before * MANY}p"
    assert tree(text + after * MANY).data == "law"
    with pytest.raises(Fault, match="expected"):
        tree(f"{text} )")


def test_limits_hold_while_a_text_is_read() -> None:
    with within(seconds=0), pytest.raises(NoAnswerWithin):
        tree(f"law {'p & ' * 1_000}p")
