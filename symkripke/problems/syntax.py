"""From the text of a problem file to statements, as trees.

A statement starts at the beginning of a line and goes on in the lines below it that are indented or
close a bracket. Its grammar is `problem.lark`, beside this file, on top of that of formulas. `--`
begins a comment.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from lark import Lark, Token, Tree, UnexpectedInput, UnexpectedToken
from lark.exceptions import UnexpectedCharacters
from lark.lark import PostLex
from lark.lexer import PatternStr

from symkripke.errors import UnknownName, clipped
from symkripke.language import grammars

Node: TypeAlias = "Tree[Token]"

KEYWORDS = (
    "agents",
    "fluent",
    "law",
    "sees",
    "actual",
    "announce",
    "show",
    "tell",
    "change",
    "valid?",
    "true?",
    "where?",
    "knows?",
    "say",
    "let",
    "define",
    "for",
)
"""The words of the statements."""

_OPENING = {"LPAR", "LSQB", "LBRACE", "_OPEN"}
_CLOSING = {"RPAR", "RSQB", "RBRACE"}

# What may open a formula, and what may go on with one: said in one word each in messages.
_FORMULA = {"TILDE", "QUANTIFIER", "OPERATOR", "VALUE_OPERATOR", "CHANCE", "COUNT", "_OPEN", "SUM"}
_FORMULA |= {"TRUE", "FALSE", "IF", "LSQB"}
_GOING_ON = {"AMPERSAND", "VBAR", "MORETHAN", "LESSTHAN", "PLUS", "MINUS", "STAR", "DIV", "MOD"}
_GOING_ON |= {"EQUAL", "VERSION"}
_WORDS = {
    "NAME": "a name",
    "INT": "a number",
    "DECIMAL": "a number",
    "FRACTION": "a fraction",
    "STRING": 'a text in "..."',
    "$END": "the end of the statement",
    "_CLOSE": "'>'",
}


class Fault(Exception):
    """Something wrong at a place of a statement; lines count from the statement's first."""

    def __init__(self, problem: str, line: int, column: int) -> None:
        """The problem, in one line, and its place."""
        super().__init__(problem)
        self.problem = problem
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a file.

    Attributes:
        text: all its lines, with the comments.
        line: the line of the file on which it starts, from 1.
    """

    text: str
    line: int

    @property
    def plain(self) -> str:
        """The text in one line, without comments."""
        bare = re.sub(r'("[^"\n]*")|--[^\n]*', lambda found: found[1] or "", self.text)
        return " ".join(bare.split())


def statements(text: str) -> Iterator[Statement]:
    """The statements of a file; raises `Fault` for text before the first, with its own line."""
    found: list[str] = []
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        empty = not line.strip() or line.lstrip().startswith("--")
        if empty or line[0] in " \t" or (found and line[0] in "})]"):
            if found:
                found.append(line)
            elif not empty:
                column = len(line) - len(line.lstrip()) + 1
                raise Fault("expected a statement at the beginning of a line", number, column)
            continue
        if found:
            yield Statement("\n".join(found).rstrip(), start)
        found, start = [line.rstrip("\r")], number
    if found:
        yield Statement("\n".join(found).rstrip(), start)


class _Diamonds(PostLex):
    """Tells the `>` that ends `<! f` from the one that compares: it is not in brackets."""

    always_accept = ("MORETHAN",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        open_ones: list[str] = []
        for token in stream:
            if token.type in _OPENING:
                open_ones.append(token.type)
            elif token.type in _CLOSING and open_ones:
                open_ones.pop()
            elif token.type == "MORETHAN" and open_ones and open_ones[-1] == "_OPEN":
                open_ones.pop()
                token.type = "_CLOSE"
            yield token


@functools.cache
def _lark() -> Lark:
    return grammars.parser(
        "problems",
        ("symkripke.language", "grammar.lark"),
        ("symkripke.problems", "problem.lark"),
        start="statement",
        postlex=_Diamonds(),
        maybe_placeholders=False,
        propagate_positions=True,
    )


def tree(text: str) -> Node:
    """The tree of one statement; raises `Fault`."""
    word = re.match(r"\s*([^\W\d]\w*)\s*(\S?)", text)
    if word and word[1] not in KEYWORDS:
        question = f"{word[1]}?" in KEYWORDS and word[2] == "?"
        if not question and not re.match(r"\s*\w+\s+sees\b", text):
            raise Fault(str(UnknownName("statement", word[1], KEYWORDS)), 1, word.start(1) + 1)
    try:
        found: Any = _lark().parse(text)
    except UnexpectedInput as error:
        raise _syntax_fault(text, error) from None
    assert isinstance(found, Tree)
    return found


def _syntax_fault(text: str, error: UnexpectedInput) -> Fault:
    lines = text.split("\n")
    terminals: Iterable[str]
    if isinstance(error, UnexpectedCharacters):
        line, column = error.line, error.column
        came = repr(lines[line - 1][column - 1 : column])
        terminals = error.allowed or ()
        if came == "'\"'":
            came = "a text that does not end on its line"
    elif isinstance(error, UnexpectedToken) and error.token.type != "$END":
        line, column = error.line, error.column
        came = repr(clipped(str(error.token)))
        terminals = error.accepts or error.expected
        if error.token.type == "MINUS" and "INT" in terminals:
            return Fault("expected a number of 0 or more: numbers begin at 0", line, column)
    else:
        last = max(n for n, one in enumerate(lines) if one.strip())
        line, column = last + 1, len(lines[last].split("--")[0].rstrip()) + 1
        came = "the end of the statement"
        terminals = getattr(error, "accepts", ()) or getattr(error, "expected", ())
    return Fault(f"expected {_wanted(set(terminals))}, got {came}", line, column)


def _wanted(terminals: set[str]) -> str:
    """These terminals, as people call them."""
    words = set()
    if {"TILDE", "LPAR"} <= terminals:
        words.add("a formula")
        terminals -= _FORMULA | {"NAME", "INT", "LPAR"}
    if {"PLUS", "MINUS"} <= terminals:
        logical = "AMPERSAND" in terminals
        words.add("an operator such as " + ("&, -> or =" if logical else "+"))
        terminals -= _GOING_ON
        terminals = {one for one in terminals if not _sign(one)}
    words |= {_WORDS.get(one) or _literal(one) for one in terminals}
    order = sorted(words, key=lambda word: (word.startswith("'"), word))
    return " or ".join([", ".join(order[:-1]), order[-1]] if len(order) > 1 else order) or "nothing"


def _pattern(terminal: str) -> str | None:
    for definition in _lark().terminals:
        if definition.name == terminal and isinstance(definition.pattern, PatternStr):
            return definition.pattern.value
    return None


def _sign(terminal: str) -> bool:
    return _pattern(terminal) in ("->", "<->", "!=", ">=", "<=")


def _literal(terminal: str) -> str:
    return repr(_pattern(terminal) or terminal.lower().strip("_"))
