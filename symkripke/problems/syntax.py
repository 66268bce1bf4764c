"""From the text of a problem file to statements, as trees.

A statement starts at the beginning of a line and goes on in the lines below it that are indented or
close a bracket. Its grammar is `problem.lark`, beside this file, on top of that of formulas. `--`
begins a comment.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from lark import Lark, Token, Tree, UnexpectedInput
from lark.lark import PostLex
from lark.lexer import PatternStr

from symkripke.errors import UnknownName, hint
from symkripke.language import grammars
from symkripke.language.syntax_errors import (
    Group,
    Wording,
    at_sign,
    expected_terminals,
    syntax_fault,
    unexpected_token,
)
from symkripke.limits import LOOK_EVERY, look

Node: TypeAlias = "Tree[Token]"

KEYWORDS = (
    "agents",
    "fluent",
    "law",
    "sees",
    "believe",
    "believes",
    "actual",
    "announce",
    "show",
    "tell",
    "change",
    "action",
    "do",
    "plan",
    "valid?",
    "true?",
    "where?",
    "knows?",
    "how?",
    "count?",
    "expected?",
    "entropy?",
    "contract?",
    "goal?",
    "expect",
    "say",
    "words",
    "let",
    "define",
    "for",
)
"""The words of the statements."""

_OPENING = {"LPAR", "LSQB", "LBRACE", "_OPEN"}
_CLOSING = {"RPAR", "RSQB", "RBRACE"}

# What may begin a formula, and what may continue one; messages use one word for each group.
_FORMULA = Group(
    frozenset({"TILDE", "LPAR"}),
    "a formula",
    frozenset({"TILDE", "QUANTIFIER", "OPERATOR", "VALUE_OPERATOR", "CHANCE", "COUNT", "_OPEN"})
    | {"SUM", "TRUE", "FALSE", "IF", "LSQB", "LESSTHAN", "NAME", "INT", "LPAR"},
)
_GOING_ON = frozenset({"AMPERSAND", "VBAR", "MORETHAN", "LESSTHAN", "PLUS", "MINUS", "STAR", "DIV"})
_GOING_ON |= {"MOD", "EQUAL", "VERSION", "->", "<->", "!=", ">=", "<="}
_WORDING = Wording(
    words={
        "NAME": "a name",
        "INT": "a number",
        "DECIMAL": "a number",
        "FRACTION": "a fraction",
        "CHANCE": "a probability such as P[ann](p)",
        "STRING": 'a text in "..."',
        "$END": "the end of the statement",
        "_CLOSE": "'>'",
    },
    end="the end of the statement",
    groups=(
        _FORMULA,
        Group(
            frozenset({"PLUS", "MINUS", "AMPERSAND"}),
            "an operator such as &, -> or =",
            _GOING_ON,
        ),
        Group(frozenset({"PLUS", "MINUS"}), "an operator such as +", _GOING_ON),
    ),
    last=" or ",
    comment="--",
)


class Fault(Exception):
    """An error at a place in a statement; lines count from the statement's first line."""

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
    """Tells the `>` that ends `<! f` from a comparison, which needs brackets inside `<! f`."""

    always_accept = ("MORETHAN",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        brackets: list[str] = []
        for number, token in enumerate(stream):
            if not number % LOOK_EVERY:
                look()
            if token.type in _OPENING:
                brackets.append(token.type)
            elif token.type in _CLOSING and brackets:
                brackets.pop()
            elif token.type == "MORETHAN" and brackets and brackets[-1] == "_OPEN":
                brackets.pop()
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
        if not question and not re.match(r"\s*\w+\s+(sees|believes)\b", text):
            raise Fault(str(UnknownName("statement", word[1], KEYWORDS)), 1, word.start(1) + 1)
    try:
        found: Any = _lark().parse(text)
    except UnexpectedInput as error:
        raise _syntax_fault(text, error) from None
    assert isinstance(found, Tree)
    return found


def _syntax_fault(text: str, error: UnexpectedInput) -> Fault:
    negative = unexpected_token(error) == "MINUS" and "INT" in expected_terminals(error)
    opened = at_sign(error) and text[error.pos_in_stream or 0 :].startswith('"')
    came = "a text that does not end on its line" if opened else ""
    problem, line, column = syntax_fault(text, error, _lark(), _WORDING, came)
    if negative:
        problem = "expected a number of 0 or more: numbers begin at 0"
    if "THEN" in expected_terminals(error) and text.lstrip().startswith("action"):
        problem += "; conditions of an action begin with 'when'"
    elif english := _in_english(error, line, column, text):
        return Fault(f"{problem}; {english}", line, column)
    elif unexpected_token(error) in ("NAME", "NOTHING"):
        return _near_word(error, problem, line, column, text)
    return Fault(problem, line, column)


# What is written for words of English: hints, where they are not understood.
_SIGNS = {"not": "~", "and": "&", "or": "|", "implies": "->", "iff": "<->"}
_SIGNS |= {"knows": "K[ann] ...", "believes": "B[ann] ..."}
_OPERATORS = ("K", "M", "B", "Kw", "Kv")


def _in_english(error: UnexpectedInput, line: int, column: int, text: str) -> str:
    """What to write for a word that is not understood: it, or the word before. Empty if none is."""
    if at_sign(error):
        return ""
    before = re.search(r"([^\W\d]\w*)\s+$", text.split("\n")[line - 1][: column - 1])
    last = before[1] if before else ""
    if last in _OPERATORS:
        return f"write {last}[ann] ..."
    for word in (last, str(getattr(error, "token", ""))):
        if word in _SIGNS:
            return f"for {word!r} write {_SIGNS[word]}"
    return ""


_CLAUSES = ("event", "rank", "when", "others", "everybody")


def _near_word(error: UnexpectedInput, problem: str, line: int, column: int, text: str) -> Fault:
    """The fault of an unexpected word: this word, or the word before it, may be misspelt."""
    token = str(getattr(error, "token", ""))
    literals = {
        terminal.name: terminal.pattern.value
        for terminal in _lark().terminals
        if isinstance(terminal.pattern, PatternStr)
    }
    wanted = [literals[name] for name in expected_terminals(error) if name in literals]
    if token == "nothing" and "which" in wanted:
        return Fault(f"{problem}: who sees nothing `notices nothing`", line, column)
    near = hint(token, [word for word in wanted if word.isalpha()])
    if "did you mean" in near:
        return Fault(f"{problem}{near}", line, column)
    ahead = text.split("\n")[line - 1][: column - 1]
    before = re.search(r"([^\W\d]\w*)\s+$", ahead)
    if line > 1 and not ahead.strip():
        problem += "; or the line above lacks something"
    if before is not None and text.lstrip().startswith("action"):
        if before[1] == "rank":
            return Fault(f"expected a number after 'rank', got {token!r}", line, column)
        near = hint(before[1], _CLAUSES)
        if "did you mean" in near:
            return Fault(f"unknown word {before[1]!r}{near}", line, before.start(1) + 1)
    return Fault(problem, line, column)
