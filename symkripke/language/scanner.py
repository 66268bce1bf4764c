"""Reading texts word by word: the base of the parsers of formulas, problem files and SMCDEL files.

A parser looks at one word at a time. `Scanner` notes which words a parser has looked for in vain at
the present place; these are what an error message says was expected. Rules of a grammar that can
contain themselves are generators: they yield the rules inside them to `completed`, which keeps a
stack of its own. So memory bounds the nesting of a text, not recursion.
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
"""The kinds of words. Signs are looked for by the sign itself."""

END = ""
"""The word at the end of a text."""

Rule: TypeAlias = Generator[Any, Any, Any]
"""A rule that is being read: it yields rules inside it, and returns what it has read."""


def completed(rule: Rule) -> Any:
    """Read a rule to its end.

    A rule that yields a rule is sent what this inner rule returns. It may yield anything else, and
    is sent the same.
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
    """The line and the column of an index of the text, both from 1."""
    return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)


class Placed:
    """A part of a text.

    Attributes:
        source: the text.
        start_pos: the index of its first sign.
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
        """The word that starts there in the source."""
        token = super().__new__(cls, word)
        token.source = source
        token.start_pos = start
        return token


class Group(NamedTuple):
    """Words for which messages use one expression, such as all that can begin a formula.

    Attributes:
        signs: the expression is used if all of these words are expected.
        words: the expression.
        covers: words that are not listed beside the expression.
    """

    signs: frozenset[str]
    words: str
    covers: frozenset[str]


class Wording(NamedTuple):
    """The expressions for what a parser looks for.

    Attributes:
        words: expressions for kinds of words; others are shown as they are written.
        end: the expression for the end of the text.
        groups: groups with one expression, in the order in which they are tried.
        last: the separator before the last of several expressions.
        comment: the sign that begins a comment until the end of the line; empty if there is none.
    """

    words: Mapping[str, str]
    end: str
    groups: tuple[Group, ...] = ()
    last: str = ", "
    comment: str = ""

    def wanted(self, expected: Iterable[str]) -> str:
        """These words and kinds in one expression: first what has a name, then the signs."""
        left = set(expected)
        found = set()
        for group in self.groups:
            if group.signs <= left:
                found.add(group.words)
                left -= group.covers
        found |= {self.words.get(word) or repr(word) for word in left}
        *first, last = sorted(found, key=lambda words: (words.startswith("'"), words))
        return self.last.join([", ".join(first), last]) if first else last


class Scanner(ABC):
    """A text that is being read; the present word is the next one that was not taken yet.

    Attributes:
        text: the text.
        kind: the kind of the present word.
        word: the present word.
        start: the index of its first sign.
        stop: the index behind its last sign.
        end: the index behind the word that was taken last.
    """

    pattern: ClassVar[re.Pattern[str]]
    """Finds a word, with blanks and comments before it; each kind of words is a named group.

    At the end of the text it finds an empty word.
    """

    wording: ClassVar[Wording]
    """The expressions for error messages."""

    def __init__(self, text: str) -> None:
        """Nothing is taken yet."""
        self.text = text
        self.stop = 0
        self._match = self.pattern.match
        self._left = LOOK_EVERY
        self._tried: list[Iterable[str]] = []
        self._tried_at = -1
        self.advance()

    def advance(self) -> None:
        """Go on to the next word. Raises `BudgetExceeded`."""
        self.end = self.stop
        found = self._match(self.text, self.stop)
        assert found is not None
        kind = found.lastgroup
        assert kind is not None
        self.kind = kind
        self.word = found[kind]
        self.start, self.stop = found.span(kind)
        self._left -= 1
        if not self._left:
            self._left = LOOK_EVERY
            look()

    def read_as(self, pattern: re.Pattern[str], kind: str = SIGN) -> None:
        """Read the present word again, by another pattern if that fits."""
        found = pattern.match(self.text, self.start)
        if found is not None:
            self.kind, self.word, self.stop = kind, found[0], found.end()

    def back(self, start: int) -> None:
        """Go back to the word that starts there."""
        self.stop = start
        self.advance()

    def has_ahead(self, pattern: re.Pattern[str]) -> bool:
        """Whether the pattern fits behind the present word."""
        return pattern.match(self.text, self.stop) is not None

    # ---- looking for words --------------------------------------------------------------------

    def tried(self, *words: str) -> None:
        """Note words and kinds that would have been right here."""
        if self._tried_at != self.start:
            self._tried_at = self.start
            self._tried = []
        self._tried.append(words)

    def at(self, *words: str) -> bool:
        """Whether the present word is one of these; if not, they are noted."""
        if self.word in words:
            return True
        self.tried(*words)
        return False

    def took(self, word: str) -> bool:
        """Whether the present word was this one, and was taken."""
        if self.word != word:
            self.tried(word)
            return False
        self.advance()
        return True

    def take(self, word: str) -> None:
        """Take this word; raises `error` for any other."""
        if not self.took(word):
            self.fail()

    def token(self, *kinds: str) -> Token:
        """Take a word of one of these kinds, or any word; raises `error` for others."""
        if kinds and self.kind not in kinds:
            self.fail(*kinds)
        token = Token(self.word, self.text, self.start)
        self.advance()
        return token

    # ---- errors -------------------------------------------------------------------------------

    def fail(self, *words: str) -> Never:
        """Raise `error`; these words would have been right as well."""
        self.tried(*words)
        raise self.error(frozenset().union(*self._tried))

    @abstractmethod
    def error(self, expected: frozenset[str]) -> Exception:
        """The error for the present word, where one of these was expected."""

    def problem(self, expected: frozenset[str], came: str = "") -> tuple[str, int, int]:
        """What is wrong with the present word, in one line; its line and its column.

        Args:
            expected: the words and kinds that would have been right.
            came: an expression for what came, if not the word itself.
        """
        if self.word != END:
            found = repr(clipped(self.text[self.start : self.stop]))
            place = place_of(self.text, self.start)
        else:
            found, place = self.wording.end, self._last_place()
        return f"expected {self.wording.wanted(expected)}, got {came or found}", *place

    def _last_place(self) -> tuple[int, int]:
        """The place behind the last sign of the text."""
        lines = self.text.split("\n")
        line = max((number for number, line in enumerate(lines, 1) if line.strip()), default=1)
        bare = lines[line - 1]
        if self.wording.comment:
            bare = bare.split(self.wording.comment)[0]
        return line, len(bare.rstrip()) + 1
