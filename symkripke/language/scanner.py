"""The base class of the parsers of formulas, problem files and SMCDEL files.

A parser looks at one word at a time. `Scanner` records the words that a parser tried at the current
place; an error message lists them as expected. Recursive rules of a grammar are generators: they
yield their inner rules to `completed`, which has its own stack. The nesting of a text is thus
limited by memory, not by the depth of recursion.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping
from types import GeneratorType
from typing import Any, ClassVar, NamedTuple, Never, Self, TypeAlias

from symkripke.errors import clipped
from symkripke.limits import LOOK_EVERY, look

NAME, INT, STRING, VERSION, SIGN = "NAME", "INT", "STRING", "VERSION", "SIGN"
"""The kinds of words. Symbols are matched by their own text."""

END = ""
"""The word at the end of a text."""

Rule: TypeAlias = Generator[Any, Any, Any]
"""A rule being read: a generator that yields its inner rules and returns its result."""


def completed(rule: Rule) -> Any:
    """Run a rule to completion, and return its result.

    A rule that yields an inner rule is sent the result of the inner rule. Any other value that it
    yields is sent back to it.
    """
    outer: list[Rule] = []
    value = None
    while True:
        try:
            value = rule.send(value)
        except StopIteration as done:
            value = done.value
            if not outer:
                return value
            rule = outer.pop()
            continue
        if isinstance(value, GeneratorType):
            outer.append(rule)
            rule, value = value, None


def place_of(text: str, start: int) -> tuple[int, int]:
    """Return the line and the column of an index of the text, both from 1."""
    return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)


class Placed:
    """A part of a text.

    Attributes:
        source: the text.
        start_pos: the index of its first character.
    """

    __slots__ = ()

    source: str
    start_pos: int

    @property
    def line(self) -> int:
        """The line on which it starts, from 1."""
        return place_of(self.source, self.start_pos)[0]

    @property
    def column(self) -> int:
        """The column in which it starts, from 1."""
        return place_of(self.source, self.start_pos)[1]


class Token(Placed, str):
    """A word of a text, with its place."""

    __slots__ = ("source", "start_pos")

    def __new__(cls, word: str, source: str, start: int) -> Self:
        """Create the word that starts at index `start` of the source."""
        token = super().__new__(cls, word)
        token.source = source
        token.start_pos = start
        return token


class Group(NamedTuple):
    """Words that messages summarise by one expression, such as all beginnings of a formula.

    Attributes:
        signs: the words that must all be expected for the expression to be used.
        words: the expression.
        covers: the words that the expression replaces.
    """

    signs: frozenset[str]
    words: str
    covers: frozenset[str]


class Wording(NamedTuple):
    """The expressions for expected words in error messages.

    Attributes:
        words: expressions for kinds of words; other words are quoted.
        end: the expression for the end of the text.
        groups: groups of words with one expression, in order of priority.
        comment: the characters that begin a comment; empty if there are no comments.
    """

    words: Mapping[str, str]
    end: str
    groups: tuple[Group, ...] = ()
    comment: str = ""

    def wanted(self, expected: Iterable[str]) -> str:
        """Return one expression for words and kinds: named kinds first, then quoted words."""
        left = set(expected)
        expressions = set()
        for group in self.groups:
            if group.signs <= left:
                expressions.add(group.words)
                left -= group.covers
        expressions |= {self.words.get(word) or repr(word) for word in left}
        *first, last = sorted(expressions, key=lambda words: (words.startswith("'"), words))
        return f"{', '.join(first)} or {last}" if first else last


class Scanner(ABC):
    """A text being read; the current word is the next word to take.

    Attributes:
        text: the text.
        kind: the kind of the current word.
        word: the current word.
        start: the index of its first character.
        stop: the index after its last character.
        end: the index after the last word taken.
    """

    pattern: ClassVar[re.Pattern[str]]
    """The pattern of a word after blanks and comments; each kind of word is a named group.

    At the end of the text it matches an empty word.
    """

    wording: ClassVar[Wording]
    """The expressions for error messages."""

    def __init__(self, text: str) -> None:
        """Start at the first word of the text."""
        self.text = text
        self.stop = 0
        self._match = self.pattern.match
        self._left = LOOK_EVERY
        self._tried: list[Iterable[str]] = []
        self._tried_at = -1
        self.advance()

    def advance(self) -> None:
        """Advance to the next word; raise `BudgetExceeded` at a limit."""
        self.end = self.stop
        match = self._match(self.text, self.stop)
        assert match is not None
        kind = match.lastgroup
        assert kind is not None
        self.kind = kind
        self.word = match[kind]
        self.start, self.stop = match.span(kind)
        self._left -= 1
        if not self._left:
            self._left = LOOK_EVERY
            look()

    def read_as(self, pattern: re.Pattern[str], kind: str = SIGN) -> None:
        """Read the current word again with another pattern, if it matches."""
        match = pattern.match(self.text, self.start)
        if match is not None:
            self.kind, self.word, self.stop = kind, match[0], match.end()

    def back(self, start: int) -> None:
        """Go back to the word at index `start`."""
        self.stop = start
        self.advance()

    def has_ahead(self, pattern: re.Pattern[str]) -> bool:
        """Return whether the pattern matches after the current word."""
        return pattern.match(self.text, self.stop) is not None

    # ---- looking for words --------------------------------------------------------------------

    def tried(self, *words: str) -> None:
        """Record words and kinds that the current place allows."""
        if self._tried_at != self.start:
            self._tried_at = self.start
            self._tried = []
        self._tried.append(words)

    def at(self, *words: str) -> bool:
        """Return whether the current word is one of these; if not, record them."""
        if self.word in words:
            return True
        self.tried(*words)
        return False

    def took(self, word: str) -> bool:
        """Take the current word if it is this one, and return whether it was."""
        if self.word != word:
            self.tried(word)
            return False
        self.advance()
        return True

    def take(self, word: str) -> None:
        """Take this word; raise `error` for any other."""
        if not self.took(word):
            self.fail()

    def token(self, *kinds: str) -> Token:
        """Take a word of one of these kinds (without kinds, any word); raise `error` for others."""
        if kinds and self.kind not in kinds:
            self.fail(*kinds)
        token = Token(self.word, self.text, self.start)
        self.advance()
        return token

    # ---- errors -------------------------------------------------------------------------------

    def fail(self, *words: str) -> Never:
        """Raise `error`, with these words as further expected words."""
        self.tried(*words)
        raise self.error(frozenset().union(*self._tried))

    @abstractmethod
    def error(self, expected: frozenset[str]) -> Exception:
        """Return the error for the current word, given the expected words and kinds."""

    def problem(self, expected: frozenset[str], came: str = "") -> tuple[str, int, int]:
        """Return the problem with the current word in one line, and its line and column.

        Args:
            expected: the expected words and kinds.
            came: an expression for the current word, if not the word itself.
        """
        if self.word != END:
            actual = repr(clipped(self.text[self.start : self.stop]))
            place = place_of(self.text, self.start)
        else:
            actual, place = self.wording.end, self._last_place()
        return f"expected {self.wording.wanted(expected)}, got {came or actual}", *place

    def _last_place(self) -> tuple[int, int]:
        """Return the line and column after the last character of the text."""
        lines = self.text.split("\n")
        line = max((number for number, line in enumerate(lines, 1) if line.strip()), default=1)
        bare = lines[line - 1]
        if self.wording.comment:
            bare = bare.split(self.wording.comment)[0]
        return line, len(bare.rstrip()) + 1
