"""Index variables, and shortcuts for terms and comparisons with them.

`forall c in agents: forall d in agents: d != c -> Kw[c] muddy(d)` is expanded n**2 times, but
`muddy(d)` has only n meanings, and `d != c` compares two values. `Shortcuts` caches such terms for
each place of a statement.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Self, TypeAlias

from symkripke.errors import LONGEST_NUMBER, InputError, UnknownName
from symkripke.language import formulas as f
from symkripke.language.scanner import Token
from symkripke.problems.syntax import Fault, Tree
from symkripke.problems.values import COMPARE, Thing, Value

Indices: TypeAlias = Mapping[str, Value | f.Formula]
"""The values of index variables; parameters of definitions can be formulas, too."""

# The signs of comparisons; equations apply to words, too.
_EQUATION: Mapping[str, Callable[[object, object], bool]] = {"=": operator.eq, "!=": operator.ne}
_COMPARISONS: Mapping[str, Callable[..., bool]] = {**_EQUATION, **COMPARE}


class NamedFormula(str):
    """An argument that is both a word and the name of a formula; its use decides."""

    formula: f.Formula

    def __new__(cls, word: str, formula: f.Formula) -> Self:
        """Return a word with the formula of this name."""
        name = super().__new__(cls, word)
        name.formula = formula
        return name


def fault(problem: str, node: Tree | Token) -> Fault:
    """Return a fault at a part of the statement."""
    return Fault(problem, node.line, node.column)


def unknown(kind: str, name: str, known: Iterable[str], node: Tree | Token) -> Fault:
    """Return a fault about an unknown name at a part of the statement."""
    return fault(str(UnknownName(kind, name, known)), node)


def filled(text: str, known: Mapping[str, Any], wrong: Callable[[str, int], Fault]) -> str:
    """Return a text in which names in braces are replaced by their values.

    Args:
        text: the text.
        known: the values by name.
        wrong: a function that returns the fault for an unknown name at an index of the text.
    """

    def substitute(match: re.Match[str]) -> str:
        value = known.get(match[1])
        if value is None:
            raise wrong(match[1], match.start(1))
        return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)

    return re.sub(r"\{([^\W\d]\w*)\}", substitute, text)


@contextmanager
def faults_at(node: Tree | Token) -> Iterator[None]:
    """Turn input errors in the context into faults at this part of the statement."""
    try:
        yield
    except InputError as error:
        raise fault(str(error), node) from None


def value_of(written: str) -> Value:
    """Return the value of a written form: a number if it is written as a number."""
    if len(written) > LONGEST_NUMBER or not written.isdecimal():
        return written
    return int(written) if str(int(written)) == written else written


@lru_cache(maxsize=256)
def members_of(listed: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the members of a named list, with numerals converted to numbers."""
    return tuple(value_of(member) if isinstance(member, str) else member for member in listed)


def bare(node: Tree | Token) -> str | None:
    """Return the word of a name without arguments; None for other trees."""
    if isinstance(node, Tree) and node.data == "name":
        (term,) = node.children
        if len(term.children) == 1:
            return str(term.children[0])
    return None


class Shortcuts:
    """Caches for the places of one statement; meanings of names must not change meanwhile."""

    def __init__(self) -> None:
        """Create an empty cache."""
        # The keys are the identities of trees.
        self._words: dict[int, tuple[str, ...]] = {}
        self._things: dict[tuple[int, tuple[Value | f.Formula | None, ...]], Thing] = {}
        self._sides: dict[int, tuple[str, tuple[str | int, ...]]] = {}

    def term(self, node: Tree, indices: Indices, meant: Callable[[Tree, Indices], Thing]) -> Thing:
        """Return the meaning of a term that is not a definition, computed by `meant` and cached."""
        words = self._words.get(id(node))
        if words is None:
            words = self._words[id(node)] = _arguments(node)
        given = tuple([indices.get(word) for word in words])
        # A named formula equals its bare word, so it must not be a key of the cache.
        if not given or NamedFormula in map(type, given):
            return meant(node, indices)
        thing = self._things.get((id(node), given))
        if thing is None:
            thing = self._things[id(node), given] = meant(node, indices)
        return thing

    def comparison(self, node: Tree, indices: Indices) -> bool | None:
        """Return the truth of a comparison of two indices or numbers; None for other trees."""
        known = self._sides.get(id(node))
        if known is None:
            known = self._sides[id(node)] = _sides(node)
        sign, sides = known
        values = [side if isinstance(side, int) else indices.get(side) for side in sides]
        kinds = set(map(type, values))
        if kinds == {int} or (values and sign in _EQUATION and kinds <= {int, str}):
            return _COMPARISONS[sign](*values)
        return None


def _arguments(node: Tree) -> tuple[str, ...]:
    """Return the arguments of a term if all are bare words; otherwise an empty tuple."""
    words = [bare(argument) for argument in node.children[1:]]
    return tuple([word for word in words if word is not None]) if all(words) else ()


def _sides(node: Tree) -> tuple[str, tuple[str | int, ...]]:
    """Return the sign and the sides of a comparison of words or numbers; empty for other trees."""
    if len(node.children) != 3:
        return "", ()
    left, sign, right = node.children
    sides: list[str | int] = []
    for side in (left, right):
        word = bare(side)
        if word is not None:
            sides.append(word)
        elif side.data == "number":
            sides.append(int(str(side.children[0])))
    return str(sign), tuple(sides) if len(sides) == 2 else ()
