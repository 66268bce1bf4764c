"""The grammar on the page and the parsers: each production occurs in texts that are parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

import pytest

from symkripke.errors import SymkripkeError
from symkripke.language import Syntax, parse_question
from symkripke.language.operators import PREFIXES, SYMBOLS
from symkripke.problems.smcdel.syntax import written
from symkripke.problems.syntax import Fault, tree
from symkripke.testing.random_models import Seeded
from tests.support.ebnf import FORMULAS, PAGE, SMCDEL, STATEMENTS, Grammar


class Names(Syntax):
    """A syntax that accepts all names, with two agents for `*`."""

    agents = ("p", "x_1")


FORMULA_WORDS = {
    "NAME": ("p", "x_1", "K", "true_", "\u00e4", "atleast"),
    "INT": ("0", "12"),
    "VERSION": ("#2",),
    "OPERATOR": PREFIXES,
    "COUNT": ("atleast", "atmost", "exactly"),
    "COMPARISON": (">=", "<=", ">", "<", "="),
    "BOUND": ("1", "0.25", "2 / 3"),
}
STATEMENT_WORDS = FORMULA_WORDS | {
    "NAME": ("p", "q", "x_1", "\u00e4"),
    "STRING": ('"words -- of {x}"', '""'),
    "RELATION": ("=", "!=", ">=", "<=", "<"),
    "QUANTIFIER": ("forall", "exists"),
    "COUNTED": ("atleast", "atmost", "exactly"),
    "RANK": ("rank",),
}
SMCDEL_WORDS = {
    "INT": ("1", "2", "03", "14"),
    "AGENT": ("ann", "Bob", "c3", "knows", "Kww", "notes", "iffy", "Exists1"),
    "LIST": ("AND", "OR", "XOR", "ONEOF"),
    "NOT": ("~", "\u00ac", "not", "Not"),
    "AND": ("&", "\u2227"),
    "OR": ("|", "\u2228"),
    "ARROW": ("->", "\u2192"),
    "FORALL": ("Forall", "ForAll"),
    "THAT": ("knows that", "knows\n that"),
    "WHETHER": ("knows whether", "knows  whether"),
    "TOGETHER": ("comknow that", "distknow whether", "comknow\twhether", "distknow that"),
}


def refused(read: Callable[[str], object], text: str) -> str:
    """Return the parser's error for a text; empty if it parses the text."""
    try:
        read(text)
    except (Fault, SymkripkeError) as error:
        return str(error)
    return ""


# Errors in texts that the grammar allows.
_BEHIND_IT = r"takes one agent|can have a condition|stands for all agents|denominator"

# Texts with these words are ambiguous, and the parser takes the longest formula.
_FAR = re.compile(r"(?<!\S)(else|forall|exists|<|\* (sees?|notices?))(?!\S)")


@pytest.mark.parametrize(
    ("page", "start", "words", "read"),
    [
        (FORMULAS, "question", FORMULA_WORDS, partial(parse_question, signature=Names())),
        (STATEMENTS, "statement", STATEMENT_WORDS, tree),
        (SMCDEL, "file", SMCDEL_WORDS, written),
    ],
    ids=["formulas", "problem files", "SMCDEL's files"],
)
def test_every_production_occurs_in_a_parsed_text(
    page: str, start: str, words: Mapping[str, tuple[str, ...]], read: Callable[[str], object]
) -> None:
    grammar = Grammar(page, words)
    for seed in range(20_000):
        if seed > 300 and all(part.used == part.wanted for part in grammar.parts):
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


def test_the_page_lists_every_operator() -> None:
    row = re.search(r"\| `OPERATOR` \|(.*?);", PAGE)
    assert row is not None
    assert re.findall(r"`(\w+)`", row[1]) == [*PREFIXES]
    for symbol in {*SYMBOLS} - {*PREFIXES}:
        for rules in (FORMULAS, STATEMENTS):
            assert f'| "{symbol}" "["' in rules
