"""The words and signs of SMCDEL's text format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from symkripke.language.scanner import END
from symkripke.limits import LOOK_EVERY, look

KEYWORDS = frozenset(
    ("VARS", "LAW", "OBS", "Top", "Bot", "AND", "OR", "XOR", "ONEOF", "K", "Kw", "iff")
)
"""Words that have the form of a name but are keywords."""

# Possessive: skipped text is never matched again in another way, however long it is.
_SPACE = r"(?:\s+|--[^\n]*)*+"
_NAME = r"[a-zA-Z][a-zA-Z0-9]*"
_ENDS = r"(?![a-zA-Z0-9])"
_LITERAL = r"[~\u00ac]?\s*+[0-9]++\s*+"
WORD = re.compile(
    rf"""{_SPACE}(?:
        (?P<number>[0-9]+)
      | (?P<sign>->|[()\[\]<>{{}},:!&|~\u00ac\u2227\u2228\u2192]|(?:VALID|WHERE|TRUE)\?|UPDATE!|\?)
      | (?P<knows_that>knows\s+that{_ENDS})
      | (?P<knows_whether>knows\s+whether{_ENDS})
      | (?P<together>(?:comknow|distknow)\s+(?:that|whether){_ENDS})
      | (?P<literals>(?:AND|OR|XOR|ONEOF)\s*+\(\s*+{_LITERAL}(?:,\s*+{_LITERAL})*+\))
      | (?P<name>{_NAME})
      | (?P<unknown>.)
      | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_LITERALS = re.compile(r"([~\u00ac]?)\s*+([0-9]+)")
_NAMES_IN_BRACKETS = re.compile(rf"{_NAME}(?:{_SPACE},{_SPACE}{_NAME})*+{_SPACE}\)")

NUMBER, NAME, THAT, WHETHER = "number", "name", "knows_that", "knows_whether"
TOGETHER, FORALL, EXISTS = "together", "forall", "exists"
"""The kinds of the words that can be written in several ways; other words are their own kind."""

LITERALS = "literals"
"""The kind of a whole list of literals, such as `AND(~ 1, 2)`.

Files that list worlds consist of such lists, and the same ones occur again and again. To read each
as one word takes a fifth of the time.
"""

UNKNOWN = "unknown"
"""The kind of a sign that means nothing."""

_JOBS = ("VALID?", "WHERE?", "TRUE?", "UPDATE!")
_KINDS = {word: word for word in (*"()[]<>{},:!&|~?", "->", *_JOBS, *KEYWORDS)}
_KINDS |= {"\u00ac": "~", "\u2227": "&", "\u2228": "|", "\u2192": "->", "not": "~", "Not": "~"}
_KINDS |= {"Forall": FORALL, "ForAll": FORALL, "Exists": EXISTS, END: END}
_GROUPS = ("", *WORD.groupindex)


class Word(NamedTuple):
    """A word of the text, and where it starts."""

    text: str
    start: int


def words(text: str) -> Iterator[tuple[str, str, int]]:
    """The kind of each word or sign, its text and its start; `END` comes last."""
    kinds, groups, left = _KINDS.get, _GROUPS, LOOK_EVERY
    for found in WORD.finditer(text):
        left -= 1
        if not left:
            look()
            left = LOOK_EVERY
        group = found.lastindex
        assert group is not None
        word = found[group]
        yield kinds(word, groups[group]), word, found.start(group)


def literals(text: str) -> tuple[str, list[tuple[bool, str, int]]]:
    """The operator of a list of literals; whether each is positive, its number, and its place.

    Args:
        text: a word of the kind `LITERALS`.
    """
    operator = re.match("[A-Z]+", text)
    assert operator is not None
    return operator[0], [
        (not found[1], found[2], found.start(2)) for found in _LITERALS.finditer(text)
    ]


def names_to_bracket(text: str, start: int) -> bool:
    """Whether there are names only from there to the bracket that closes."""
    found = _NAMES_IN_BRACKETS.match(text, start)
    if found is None:
        return False
    return KEYWORDS.isdisjoint(re.findall(_NAME, re.sub("--.*", "", found[0])))
