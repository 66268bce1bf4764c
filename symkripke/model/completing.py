"""Completion of a formula while it is typed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from symkripke.language.operators import SYMBOLS
from symkripke.model.vocabulary import Vocabulary

_IN_GROUP = re.compile(rf"\b({'|'.join(SYMBOLS)})\s*\[[^\]]*$")

OPERATORS = tuple(f"{symbol}[" for symbol in SYMBOLS)
"""The beginnings of modal operators, for completion."""


def wants_agents(before: str) -> bool:
    """Return whether the text ends within the brackets of an operator."""
    return _IN_GROUP.search(before) is not None


def words_of_formulas(vocabulary: Vocabulary, before: str) -> Iterable[tuple[int, str]]:
    """Yield completions of the formula at the end of a text: start positions and new words."""
    typed = re.search(r"\w*$", before)
    start = typed.start() if typed else len(before)
    for word in names_after(vocabulary, before):
        if word.startswith(before[start:]):
            yield start, word


def names_after(vocabulary: Vocabulary, before: str) -> Iterable[str]:
    """Return the words that can follow the beginning of a formula."""
    if wants_agents(before):
        return vocabulary.agents
    call = re.search(r"(\w+)\s*\(([^()]*)$", before)
    if call and call[1] in vocabulary.definitions:
        parameters = vocabulary.definitions[call[1]].parameters
        position = call[2].count(",")
        return parameters[position][1] if position < len(parameters) else ()
    if call:
        fitting = (name for name in vocabulary.plain if name.functor == call[1])
        return [", ".join(name.arguments) for name in fitting if name.arguments]
    value = re.search(r"(\w+(?:\([^()]*\))?)\s*!?=\s*\w*$", before)
    if value and value[1] in vocabulary.fluents:
        return vocabulary.fluents[value[1]].values
    return (*OPERATORS, *vocabulary.names)
