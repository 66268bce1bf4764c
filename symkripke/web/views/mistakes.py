"""Errors in words for a page, which marks the faulty word where a terminal points with a caret."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symkripke.errors import FormulaError, PhraseError, SymkripkeError


@dataclass(frozen=True)
class Mistake:
    """A mistake in an input.

    Attributes:
        words: a sentence.
        marked: the typed line in three parts: the text before the fault, the fault, and the rest;
            empty if the fault has no position.
    """

    words: str
    marked: tuple[str, ...] = ()


def mistake(error: SymkripkeError) -> Mistake:
    """Return an error as a sentence, with the position of the fault if it has one."""
    if isinstance(error, PhraseError):
        marked = _marked(error.text, error.place)
        return Mistake(_sentence(error, marked[1]), marked)
    if isinstance(error, FormulaError):
        above = "".join(f"{line}\n" for line in error.text.split("\n")[: error.line - 1])
        return Mistake(_begun(error.problem), _marked(error.text, len(above) + error.column - 1))
    return Mistake(_begun(str(error)))


def _sentence(error: PhraseError, fault: str) -> str:
    """Return the sentence that names the unknown word, then the likely or expected ones."""
    expected, got, more = error.problem.partition(f", got {fault!r}")
    if not got:
        return _begun(error.problem)
    meant = more.partition("did you mean ")[2]
    if meant:
        return f"“{fault}” is not understood. Did you mean {meant}"
    if expected == f"expected {_END}":
        return f"Leave out “{fault}” and what follows: the rest is complete."
    expected = expected.removesuffix(f" or {_END}")
    return _begun(f"“{fault}” is not understood here: {expected}{more}")


_END = "the end of the event"


def _begun(words: str) -> str:
    """Return words with a capital letter and a full stop."""
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith(('.', '?', '!')) else '.'}"


def _marked(text: str, place: int) -> tuple[str, str, str]:
    """Return the line with the fault in three parts."""
    start = text.rfind("\n", 0, place) + 1
    line = text[start:].partition("\n")[0]
    place = min(place - start, len(line))
    word = re.match(r"\s*(?:[\w'-]+|\S|$)", line[place:])
    end = place + (len(word[0]) if word else 0)
    return line[:place], line[place:end] or "...", line[end:]
