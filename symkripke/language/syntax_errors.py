"""What is said of a text that its grammar does not allow: where, what came, what was expected.

Lark says which terminals of the grammar could have come; people know signs and words. Each grammar
says in a `Wording` what its terminals are called.
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
    """Terminals that messages sum up in one word, such as all that can begin a formula.

    Attributes:
        signs: where all of these can come, the word is used.
        word: what the group is called.
        covers: what need not be said beside the word: names of terminals, or their texts.
    """

    signs: frozenset[str]
    word: str
    covers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Wording:
    """What a grammar's terminals are called.

    Attributes:
        words: by the names of terminals; one that is not here is called as it is written.
        end: what the end of the text is called.
        groups: what is summed up; the first one that fits comes first.
        last: what stands before the last of several words.
        comment: what begins a comment that goes to the end of its line; empty if nothing does.
    """

    words: Mapping[str, str]
    end: str
    groups: tuple[Group, ...] = ()
    last: str = ", "
    comment: str = ""


def at_sign(error: UnexpectedInput) -> bool:
    """Whether the text has a sign there that begins nothing in the whole grammar."""
    return isinstance(error, UnexpectedCharacters)


def unexpected_token(error: UnexpectedInput) -> str:
    """The terminal that came and was not expected; empty if none came: an unknown sign, the end."""
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        return str(error.token.type)
    return ""


def expected_terminals(error: UnexpectedInput) -> frozenset[str]:
    """The names of the terminals that could have come."""
    if isinstance(error, UnexpectedCharacters):
        return frozenset(error.allowed or ())
    return frozenset(getattr(error, "accepts", ()) or getattr(error, "expected", ()))


def syntax_fault(
    text: str, error: UnexpectedInput, parser: Lark, wording: Wording, came: str = ""
) -> SyntaxFault:
    """The fault that made the parser stop.

    Args:
        text: what it read.
        error: what it raised.
        parser: the parser, which knows how its terminals are written.
        wording: what they are called.
        came: what came instead, if there are better words for it than the sign itself.
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
    """Behind the last sign of the text."""
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
