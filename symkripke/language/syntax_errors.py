"""Messages for text with syntax errors: the place, what was found, and what was expected.

Lark reports the terminals of the grammar that were expected. Each grammar has a `Wording` with
words for its terminals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lark import Lark, UnexpectedInput, UnexpectedToken
from lark.exceptions import UnexpectedCharacters
from lark.lexer import PatternStr

from symkripke.errors import clipped


class SyntaxFault(NamedTuple):
    """What is wrong, in one line, and where; lines and columns count from 1."""

    problem: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Group:
    """Terminals for which messages use one word, such as all that can begin a formula.

    Attributes:
        signs: the word is used if all of these terminals are expected.
        word: the word.
        covers: names or texts of terminals that are not listed beside the word.
    """

    signs: frozenset[str]
    word: str
    covers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Wording:
    """The words for a grammar's terminals.

    Attributes:
        words: words by the names of terminals; other terminals are shown as they are written.
        end: the words for the end of the text.
        groups: groups with one word, in the order in which they are tried.
        last: the word before the last of several words.
        comment: the sign that begins a comment until the end of the line; empty if there is none.
    """

    words: Mapping[str, str]
    end: str
    groups: tuple[Group, ...] = ()
    last: str = ", "
    comment: str = ""


def at_sign(error: UnexpectedInput) -> bool:
    """Whether the error is a sign that no terminal of the grammar begins with."""
    return isinstance(error, UnexpectedCharacters)


def unexpected_token(error: UnexpectedInput) -> str:
    """The name of the terminal that was not expected; empty for an unknown sign or the end."""
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        return str(error.token.type)
    return ""


def expected_terminals(error: UnexpectedInput) -> frozenset[str]:
    """The names of the terminals that were expected."""
    if isinstance(error, UnexpectedCharacters):
        return frozenset(error.allowed or ())
    return frozenset(getattr(error, "accepts", ()) or getattr(error, "expected", ()))


def syntax_fault(
    text: str, error: UnexpectedInput, parser: Lark, wording: Wording, came: str = ""
) -> SyntaxFault:
    """The fault that made the parser stop.

    Args:
        text: the text.
        error: the error of the parser.
        parser: the parser.
        wording: the words for its terminals.
        came: words for what was found, if the sign itself is not to be shown.
    """
    lines = text.split("\n")
    if at_sign(error):
        line, column = error.line, error.column
        found = repr(lines[line - 1][column - 1 : column])
    elif isinstance(error, UnexpectedToken) and error.token.type != "$END":
        line, column = error.line, error.column
        found = repr(clipped(str(error.token)))
    else:
        line, column = _end(lines, wording.comment)
        found = wording.end
    wanted = _wanted(expected_terminals(error), parser, wording)
    return SyntaxFault(f"expected {wanted}, got {came or found}", line, column)


def _end(lines: list[str], comment: str) -> tuple[int, int]:
    """The line and column behind the last sign of the text."""
    line = max((number for number, line in enumerate(lines, 1) if line.strip()), default=1)
    bare = lines[line - 1].split(comment)[0] if comment else lines[line - 1]
    return line, len(bare.rstrip()) + 1


def _wanted(terminals: Iterable[str], parser: Lark, wording: Wording) -> str:
    """These terminals in words: first what has a name, then the signs themselves."""
    literals = {
        terminal.name: terminal.pattern.value
        for terminal in parser.terminals
        if isinstance(terminal.pattern, PatternStr)
    }
    left = set(terminals)
    words = set()
    for group in wording.groups:
        if group.signs <= left:
            words.add(group.word)
            left = {
                name
                for name in left
                if name not in group.covers and literals.get(name) not in group.covers
            }
    for name in left:
        written = literals.get(name) or name.lower().strip("_")
        words.add(wording.words.get(name) or repr(written))
    *first, last = sorted(words, key=lambda word: (word.startswith("'"), word)) or ["nothing"]
    return wording.last.join([", ".join(first), last]) if first else last
