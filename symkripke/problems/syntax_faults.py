"""Error messages for a statement that the grammar of problem files does not allow.

Only here Lark reads the text: to find what was expected where. `syntax` reads right texts.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import TypeAlias

from lark import Lark, UnexpectedInput
from lark.lexer import PatternStr

from symkripke.errors import hint
from symkripke.language.grammars import Grammar
from symkripke.language.syntax_errors import (
    Group,
    Wording,
    at_sign,
    expected_terminals,
    syntax_fault,
    unexpected_token,
)

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


Found: TypeAlias = tuple[str, int, int]
"""A problem, in one line, with its line and column in the text."""


@functools.cache
def _parser(grammar: Callable[[], Grammar]) -> Lark:
    return grammar().parser()


def syntax_fault_of(text: str, grammar: Callable[[], Grammar]) -> Found:
    """What is wrong with a text that is not in the language of that grammar."""
    parser = _parser(grammar)
    try:
        parser.parse(text)
    except UnexpectedInput as error:
        return _described(text, error, parser)
    raise AssertionError("the grammar allows what was not read")


def _described(text: str, error: UnexpectedInput, parser: Lark) -> Found:
    negative = unexpected_token(error) == "MINUS" and "INT" in expected_terminals(error)
    opened = at_sign(error) and text[error.pos_in_stream or 0 :].startswith('"')
    came = "a text that does not end on its line" if opened else ""
    problem, line, column = syntax_fault(text, error, parser, _WORDING, came)
    if negative:
        problem = "expected a number of 0 or more: numbers begin at 0"
    if "THEN" in expected_terminals(error) and text.lstrip().startswith("action"):
        problem += "; conditions of an action begin with 'when'"
    elif english := _in_english(error, line, column, text):
        return (f"{problem}; {english}", line, column)
    elif unexpected_token(error) in ("NAME", "NOTHING"):
        return _near_word(error, problem, line, column, text, parser)
    return (problem, line, column)


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


def _near_word(
    error: UnexpectedInput, problem: str, line: int, column: int, text: str, parser: Lark
) -> Found:
    """The fault of an unexpected word: this word, or the word before it, may be misspelt."""
    token = str(getattr(error, "token", ""))
    literals = {
        terminal.name: terminal.pattern.value
        for terminal in parser.terminals
        if isinstance(terminal.pattern, PatternStr)
    }
    wanted = [literals[name] for name in expected_terminals(error) if name in literals]
    if token == "nothing" and "which" in wanted:
        return (f"{problem}: who sees nothing `notices nothing`", line, column)
    near = hint(token, [word for word in wanted if word.isalpha()])
    if "did you mean" in near:
        return (f"{problem}{near}", line, column)
    ahead = text.split("\n")[line - 1][: column - 1]
    before = re.search(r"([^\W\d]\w*)\s+$", ahead)
    if line > 1 and not ahead.strip():
        problem += "; or the line above lacks something"
    if before is not None and text.lstrip().startswith("action"):
        if before[1] == "rank":
            return (f"expected a number after 'rank', got {token!r}", line, column)
        near = hint(before[1], _CLAUSES)
        if "did you mean" in near:
            return (f"unknown word {before[1]!r}{near}", line, before.start(1) + 1)
    return (problem, line, column)
