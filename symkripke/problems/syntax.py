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
from typing import TypeAlias

from symkripke.errors import UnknownName, hint
from symkripke.language.grammars import Grammar
from symkripke.language.lalr import NotRead, Reader, Token, Tree
from symkripke.limits import LOOK_EVERY, look

Node: TypeAlias = Tree

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

_AFTER_AGENTS = ("sees", "believes")
"""The words of statements that begin with the name of an agent."""

_OPENING = {"LPAR", "LSQB", "LBRACE", "_OPEN"}
_CLOSING = {"RPAR", "RSQB", "RBRACE"}


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


class _Diamonds:
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


def grammar() -> Grammar:
    """The grammar of statements."""
    files = ("symkripke.language", "grammar.lark"), ("symkripke.problems", "problem.lark")
    return Grammar(
        "problems",
        files,
        {
            "start": "statement",
            "postlex": _Diamonds(),
            "maybe_placeholders": False,
            "propagate_positions": True,
        },
    )


@functools.cache
def _reader() -> Reader:
    return Reader(grammar().tables(_Diamonds.always_accept), _Diamonds().process)


def _unknown_statement(text: str, word: re.Match[str]) -> Fault:
    """The fault of a text that begins with no word of a statement: that word, or the second one."""
    unknown = str(UnknownName("statement", word[1], KEYWORDS))
    second = re.compile(r"\s+([^\W\d]\w*)").match(text, word.end(1))
    if "did you mean" not in unknown and second is not None:
        near = hint(second[1], _AFTER_AGENTS)
        if "did you mean" in near:
            return Fault(f"unknown word {second[1]!r}{near}", 1, second.start(1) + 1)
    return Fault(unknown, 1, word.start(1) + 1)


def tree(text: str) -> Node:
    """The tree of one statement; raises `Fault`."""
    word = re.match(r"\s*([^\W\d]\w*)\s*(\S?)", text)
    if word and word[1] not in KEYWORDS:
        question = f"{word[1]}?" in KEYWORDS and word[2] == "?"
        if not question and not re.match(r"\s*\w+\s+(sees|believes)\b", text):
            raise _unknown_statement(text, word)
    try:
        return _reader().read(text)
    except NotRead:
        from symkripke.problems.syntax_faults import syntax_fault_of  # with Lark

        raise Fault(*syntax_fault_of(text, grammar)) from None
