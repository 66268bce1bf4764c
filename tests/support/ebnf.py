"""A grammar in EBNF, and random texts that it allows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources

from symkripke.testing.random_models import Choices

PAGE = resources.files("symkripke.language").joinpath("GRAMMAR.md").read_text("utf-8")
FORMULAS, STATEMENTS, SMCDEL = re.findall(r"```ebnf\n(.*?)```", PAGE, re.DOTALL)
"""The grammars on the page."""

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
        used: the indices of the alternatives that occurred in parsed texts; -1 stands for an
            omitted bracket.
    """

    kind: str
    text: str = ""
    options: list[list[Part]] = field(default_factory=list)
    used: set[int] = field(default_factory=set)

    @property
    def wanted(self) -> set[int]:
        """The required value of `used`."""
        return {*range(len(self.options)), *([-1] if self.kind in "[{" else [])}


class Grammar:
    """A grammar in EBNF that generates texts."""

    def __init__(self, text: str, words: Mapping[str, tuple[str, ...]]) -> None:
        """Parse a grammar; `words` gives the spellings of its words in capitals."""
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
        """Return the number of words in the shortest known text of a part."""
        if part.kind == "word":
            return 1
        if part.kind == "rule":
            return self._sizes.get(part.text, 999)
        return 0 if part.kind in "[{" else min(self.sizes(part))

    def sizes(self, part: Part) -> list[int]:
        """Return the same number for each alternative."""
        return [sum(map(self.size, option)) for option in part.options]

    def text(self, start: str, choices: Choices, depth: int) -> tuple[str, list[tuple[Part, int]]]:
        """Return a text that the grammar allows, and the alternatives in it."""
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
