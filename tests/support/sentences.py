"""Random formulas, and a check that formulas with the same sentence are equivalent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from symkripke.engines import engine
from symkripke.language import Formula, Iff
from symkripke.model import Fluent, KnowledgeStructure
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula

_AGENTS, _FACTS = ("ann", "bob"), ("p", "q")
_KNOWING = ("K", "M", "E", "D", "Kw", "C", "announced", "announced_true")
_OPERATORS = (*BOOLEAN, *_KNOWING, "K", "and", "or")


def texts(
    facts: Iterable[str], agents: Sequence[str], choices: Seeded, number: int
) -> Iterator[str]:
    """Yield random formulas about each pair of facts, small and large, as people type them."""
    names = Names(tuple(map(Fluent, _FACTS)), _AGENTS)
    for pair in combinations(facts, 2):
        meant = dict(zip(_AGENTS, agents, strict=False))
        meant |= {name: f"({fact})" for name, fact in zip(_FACTS, pair, strict=True)}
        for depth in (2, 3):
            for _ in range(number):
                shape = random_formula(choices, names, depth, _OPERATORS)
                words = re.split(r"\b(ann|bob|p|q)\b", str(shape))
                yield "".join(meant.get(word, word) for word in words)


def unambiguous(structure: KnowledgeStructure, told: Iterable[tuple[str | None, Formula]]) -> int:
    """Check that formulas with the same words are equivalent; return the number of texts."""
    first: dict[str, Formula] = {}
    asked = engine("auto")
    for words, formula in told:
        if words:
            other = first.setdefault(words, formula)
            same = other is formula or asked.valid(structure, Iff(other, formula))
            assert same, (words, other, formula)
    return len(first)
