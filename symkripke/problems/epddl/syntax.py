"""The brackets and words of EPDDL files, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from symkripke.errors import ProblemError, UnknownName, clipped
from symkripke.language.scanner import Placed, Token, place_of
from symkripke.limits import LOOK_EVERY, look

_WORD = re.compile(
    r"""(?:\s+|;[^\n]*)*+(?:
        (?P<open>[(\[<]) | (?P<close>[)\]>])
      | (?P<word>:?[A-Za-z_][-A-Za-z0-9_']*\.? | \?[A-Za-z_][-A-Za-z0-9_']* | /= | [-=|])
      | (?P<unknown>.) | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_CLOSING = {"(": ")", "[": "]", "<": ">"}
_OPENING = {close: opened for opened, close in _CLOSING.items()}


class Text(str):
    """The text of a file, with its path."""

    __slots__ = ("path",)

    path: str

    def __new__(cls, text: str, path: str = "") -> Text:
        """Create the text of a file; `path` is for messages."""
        made = super().__new__(cls, text)
        made.path = path
        return made


class Node(Placed):
    """A part of a file in brackets.

    Attributes:
        bracket: the opening bracket: `(`, `[` or `<`.
        items: its words and nodes.
    """

    __slots__ = ("bracket", "end_pos", "items", "source", "start_pos")

    def __init__(self, bracket: str, source: Text, start: int) -> None:
        """Start with an opening bracket."""
        self.bracket = bracket
        self.source = source
        self.start_pos = start
        self.end_pos = start
        self.items: list[Item] = []

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def head(self) -> str:
        """The first word; empty if the node does not begin with a word."""
        return str(self.items[0]) if self.items and isinstance(self.items[0], Token) else ""


Item: TypeAlias = Token | Node
"""A word, or a part in brackets."""


def fault(problem: str, item: Item, *, after: bool = False) -> ProblemError:
    """Return the error at the place of an item, or at the bracket that closes it."""
    source = item.source
    start = item.end_pos if after and isinstance(item, Node) else item.start_pos
    path = source.path if isinstance(source, Text) else ""
    return ProblemError(problem, source, *place_of(source, start), path)


def unknown(kind: str, word: Token, known: Sequence[str]) -> ProblemError:
    """Return the error for an unknown name, with similar names."""
    return fault(str(UnknownName(kind, word, known)), word)


def shown(item: Item) -> str:
    """Return an item for a message."""
    return repr(str(item)) if isinstance(item, Token) else repr(clipped(written(item), 40))


def written(item: Item) -> str:
    """Return the text of an item in one line, without comments."""
    if isinstance(item, Token):
        return str(item)
    return f"{item.bracket}{' '.join(map(written, item))}{_CLOSING[item.bracket]}"


def read(text: Text) -> Node:
    """Return the only expression of a file. Raise `ProblemError` for anything else."""
    whole = Node("(", text, 0)
    stack = [whole]
    position = words = 0
    while True:
        words += 1
        if not words % LOOK_EVERY:
            look()
        match = _WORD.match(text, position)
        assert match is not None
        kind = match.lastgroup
        assert kind is not None
        word, start, position = match[kind], match.start(kind), match.end()
        if kind == "end":
            break
        if kind == "open":
            node = Node(word, text, start)
            stack[-1].items.append(node)
            stack.append(node)
        elif kind == "close":
            closed = stack[-1]
            if len(stack) == 1 or word != _CLOSING[closed.bracket]:
                wanted = "the end of the file" if len(stack) == 1 else _CLOSING[closed.bracket]
                raise fault(f"expected {wanted!r}, got {word!r}", Token(word, text, start))
            closed.end_pos = start
            stack.pop()
        elif kind == "unknown":
            raise fault(f"unexpected character {word!r}", Token(word, text, start))
        else:
            stack[-1].items.append(Token(word, text, start))
    if len(stack) > 1:
        opened = stack[-1]
        closing = _CLOSING[opened.bracket]
        raise fault(f"this {opened.bracket!r} has no closing {closing!r}", opened)
    if not whole.items:
        raise fault("expected (define ...), got an empty file", whole)
    first = whole.items[0]
    if not isinstance(first, Node) or first.head != "define":
        raise fault(f"expected (define ...), got {shown(first)}", first)
    if len(whole) > 1:
        raise fault(f"expected the end of the file, got {shown(whole.items[1])}", whole.items[1])
    return first
