"""Statements are read to the trees that Lark makes; what Lark refuses is refused."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from lark import Token as LarkToken
from lark import Tree as LarkTree
from lark import UnexpectedInput

from benchmarks.problem_files import problem_files
from symkripke.language.lalr import Reader, Token, Tree
from symkripke.problems import syntax, syntax_faults
from symkripke.problems.puzzles import puzzle, puzzles
from symkripke.problems.syntax import Fault, grammar, statements, tree
from symkripke.testing.random_models import Seeded


def ours(node: Any) -> Any:
    """A tree or word with all places."""
    if isinstance(node, Token):
        return node.type, str(node), node.line, node.column, node.start_pos, node.end_pos
    assert isinstance(node, Tree)
    place = (node.line, node.column, node.start_pos, node.end_pos)
    return node.data, place, [ours(child) for child in node.children]


def of_lark(node: Any) -> Any:
    """The same of a tree of Lark."""
    if isinstance(node, LarkToken):
        return node.type, str(node), node.line, node.column, node.start_pos, node.end_pos
    assert isinstance(node, LarkTree)
    meta = node.meta
    place = (meta.line, meta.column, meta.start_pos, meta.end_pos)
    return str(node.data), place, [of_lark(child) for child in node.children]


def compare(text: str) -> bool:
    """Whether it is a statement; both readers must say the same."""
    try:
        expected = of_lark(syntax_faults._parser(grammar).parse(text))
    except UnexpectedInput:
        with pytest.raises(Fault):
            tree(text)
        return False
    assert ours(tree(text)) == expected, text
    return True


@functools.cache
def texts() -> list[str]:
    """Of all puzzles, and of problem files by chance."""
    files = [puzzle(name).text for name in puzzles()] + [text for _, text in problem_files(20)]
    found = [statement.text for file in files for statement in statements(file)]
    return list(dict.fromkeys(found))


def test_statements_of_files() -> None:
    found = texts()
    assert len(found) > 300
    assert all(map(compare, found))


@pytest.mark.parametrize("block", range(2))
def test_texts_that_are_nearly_right(block: int) -> None:
    """A piece is left out, doubled, or put elsewhere: many of these are no statements."""
    found, choices = texts(), Seeded(block)
    right = []
    for _ in range(200):
        text = found[choices.integer(0, len(found) - 1)]
        start = choices.integer(0, len(text) - 1)
        end = min(len(text), start + choices.integer(1, 6))
        place = choices.integer(0, len(text))
        piece, without = text[start:end], text[:start] + text[end:]
        right.append(
            compare(
                (without, text[:place] + piece + text[place:], without[:place] + piece)[
                    choices.integer(0, 2)
                ]
            )
        )
    assert any(right)
    assert not all(right)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "law ",
        "law (((p)))",
        "law (p & q) & (r)",
        "law <! p > q> r",
        "true? <! (a > b) > K[a] p",
        "law p -- a comment\n  & q\n  | r",
        "where? muddy(anna)#2 = 3",
        "let x = {a, b, 1..3, f(c) for c in d if c != a}",
        'law "a text": atleast(2; p for c in d)',
        "law K = Kv & atleast",
        "fluent K, P, agents in {law, true_}",
        "law \u00e4pfel & \u03b1",
        "law p ? q",
    ],
)
def test_texts_at_the_edges(text: str) -> None:
    compare(text)


def test_a_long_formula_is_read_in_time_that_is_linear() -> None:
    """Deep brackets need no recursion."""
    deep = "law " + "(" * 20_000 + "p" + ")" * 20_000
    assert [str(word) for word in tree(deep).words()] == ["p"]


def test_tables_from_the_cache_read_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = 'law "why": <!p> q & forall c in {a, b}: K[c] p'
    found = []
    for _ in range(2):
        diamonds = syntax._Diamonds()
        tables = syntax.grammar().tables(diamonds.always_accept)
        found.append(ours(Reader(tables, diamonds.process).read(text)))
    assert found[0] == found[1] == of_lark(syntax_faults._parser(grammar).parse(text))
    assert sorted(file.name for file in (tmp_path / "symkripke").iterdir()) == [
        "problems.states.json",
        "problems.tables.json",
    ]
