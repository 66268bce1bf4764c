"""The grammar on the page and the parsers: each production occurs in texts that are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import resources

import pytest

from symkripke.errors import SymkripkeError
from symkripke.language import Syntax, parse_question
from symkripke.problems.syntax import Fault, tree
from symkripke.testing.random_models import Choices, Seeded

PAGE = resources.files("symkripke.language").joinpath("GRAMMAR.md").read_text("utf-8")
BLOCKS = re.findall(r"```ebnf\n(.*?)```", PAGE, re.DOTALL)
_PIECE = re.compile(r"\"[^\"]*\"|\w+|[=;|\[\]{}()]")
_CLOSING = {"[": "]", "{": "}", "(": ")"}
_LONGEST = 60


@dataclass
class Part:
    """A part of a rule.

    Attributes:
        kind: "word", "rule", or one of the brackets `(`, `[` and `{`.
        text: the word, or the name of the rule.
        options: the alternatives in the bracket, each a sequence.
        used: the numbers of the alternatives that occurred in a text that was read; -1 stands for
            a bracket that was left out.
    """

    kind: str
    text: str = ""
    options: list[list[Part]] = field(default_factory=list)
    used: set[int] = field(default_factory=set)

    @property
    def wanted(self) -> set[int]:
        """What `used` has to be."""
        return {*range(len(self.options)), *([-1] if self.kind in "[{" else [])}


class Grammar:
    """A grammar in EBNF, and texts that it allows."""

    def __init__(self, text: str, words: Mapping[str, tuple[str, ...]]) -> None:
        """A grammar, and ways to write its words in capitals."""
        self._pieces = _PIECE.findall(text)
        self._pieces.reverse()
        self.words = words
        self.rules: dict[str, Part] = {}
        self.parts: list[Part] = []
        while self._pieces:
            name, equals = self._pieces.pop(), self._pieces.pop()
            assert equals == "="
            self.rules[name] = self._options("(", ";")
        self._sizes: dict[str, int] = {}
        for _ in self.rules:
            self._sizes = {name: self.size(rule) for name, rule in self.rules.items()}

    def _options(self, kind: str, closing: str) -> Part:
        made = Part(kind, options=[[]])
        self.parts.append(made)
        while (piece := self._pieces.pop()) != closing:
            if piece == "|":
                made.options.append([])
            elif piece in _CLOSING:
                made.options[-1].append(self._options(piece, _CLOSING[piece]))
            elif piece.startswith('"'):
                made.options[-1].append(Part("word", piece[1:-1]))
            else:
                made.options[-1].append(Part("word" if piece.isupper() else "rule", piece))
        return made

    def size(self, part: Part) -> int:
        """The number of words of the shortest text of a part, as far as it is known yet."""
        if part.kind == "word":
            return 1
        if part.kind == "rule":
            return self._sizes.get(part.text, 999)
        return 0 if part.kind in "[{" else min(self.sizes(part))

    def sizes(self, part: Part) -> list[int]:
        """The same for each alternative."""
        return [sum(map(self.size, option)) for option in part.options]

    def text(self, start: str, choices: Choices, depth: int) -> tuple[str, list[tuple[Part, int]]]:
        """A text that the grammar allows, and the alternatives in it."""
        found: list[str] = []
        used: list[tuple[Part, int]] = []
        left = [(Part("rule", start), depth)]
        while left:
            part, deep = left.pop()
            if part.kind == "word":
                found.append(choices.one_of(self.words.get(part.text, (part.text,))))
                continue
            if part.kind == "rule":
                left.append((self.rules[part.text], deep - 1))
                continue
            ends = deep <= 0 or len(found) + len(left) > _LONGEST
            if part.kind in "[{" and (ends or choices.integer(0, 1)):
                used.append((part, -1))
                continue
            sizes = self.sizes(part)
            new = [number for number in range(len(sizes)) if number not in part.used]
            number = choices.one_of(new if new and choices.integer(0, 1) else range(len(sizes)))
            if ends:
                number = sizes.index(min(sizes))
            used.append((part, number))
            if part.kind == "{" and not ends:
                left.append((part, deep - 1))
            left += [(inner, deep) for inner in reversed(part.options[number])]
        return " ".join(found), used


class Names(Syntax):
    """All names, and two agents for `*`."""

    agents = ("p", "x_1")


FORMULAS = {
    "NAME": ("p", "x_1", "K", "true_", "\u00e4", "atleast"),
    "INT": ("0", "12"),
    "VERSION": ("#2",),
    "OPERATOR": ("K", "M", "Kw", "B", "E", "D", "C", "EB", "CB"),
    "COUNT": ("atleast", "atmost", "exactly"),
    "COMPARISON": (">=", "<=", ">", "<", "="),
    "BOUND": ("1", "0.25", "2 / 3"),
}
STATEMENTS = FORMULAS | {
    "NAME": ("p", "q", "x_1", "\u00e4"),
    "STRING": ('"words -- of {x}"', '""'),
    "RELATION": ("=", "!=", ">=", "<=", "<"),
    "QUANTIFIER": ("forall", "exists"),
    "COUNTED": ("atleast", "atmost", "exactly"),
    "RANK": ("rank",),
}


def refused(read: Callable[[str], object], text: str) -> str:
    """The error that the parser has for a text; empty if it reads the text."""
    try:
        read(text)
    except (Fault, SymkripkeError) as error:
        return str(error)
    return ""


# Faults of texts that the grammar allows.
_BEHIND_IT = r"takes one agent|can have something given|stands for all agents|denominator"

# Texts with these words can be read in several ways, and the parser takes the longest formula.
_FAR = re.compile(r"(?<!\S)(else|forall|exists|<|\* (sees?|notices?))(?!\S)")


@pytest.mark.parametrize(
    ("block", "start", "words", "read"),
    [
        (0, "question", FORMULAS, partial(parse_question, signature=Names())),
        (1, "statement", STATEMENTS, tree),
    ],
    ids=["formulas", "problem files"],
)
def test_every_production_occurs_in_a_text_that_is_read(
    block: int, start: str, words: Mapping[str, tuple[str, ...]], read: Callable[[str], object]
) -> None:
    grammar = Grammar(BLOCKS[block], words)
    for seed in range(20_000):
        if seed > 1_000 and all(part.used == part.wanted for part in grammar.parts):
            break
        text, used = grammar.text(start, Seeded(seed), 4 + seed % 24)
        wrong = refused(read, text)
        if not wrong:
            for part, number in used:
                part.used.add(number)
        else:
            assert _FAR.search(text) or re.search(_BEHIND_IT, wrong), f"{text}\n{wrong}"
    for part in grammar.parts:
        assert part.used == part.wanted, part.options
