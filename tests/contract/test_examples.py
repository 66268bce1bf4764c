"""Worked examples with known answers, for every engine: a structure, formulas, answers."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from symkripke.engines import engine
from symkripke.problems.checker import check
from symkripke.problems.reader import read
from symkripke_games.puzzles import PUZZLES

ENGINES = ("sat", "bdd", "smt", "explicit", "auto")

# The answers to the questions of a puzzle, by size.
KNOWN: Mapping[tuple[str, int | None], list[bool]] = {
    ("muddy_children", 4): [True, False, True, False],
    ("muddy_children", 7): [True, False, True, False],
    ("russian_cards", None): [False, True, True, True, True, True, True],
    ("dining_cryptographers", 3): [True, True, True],
    ("dining_cryptographers", 5): [True, True, True],
    ("drinking_logicians", 3): [True, True, True],
    ("three_hats", 3): [True, True],
}

THREE_CARDS = """
agents ann, bob, cat
fluent red, white, blue in agents
for a in agents: law exactly(1; red = a, white = a, blue = a)
for a in agents: a sees red = a, white = a, blue = a
actual red = ann, white = bob, blue = cat
"""

STATED = {
    "three cards": (
        THREE_CARDS,
        {
            "K[ann] red = ann & ~Kw[ann] white = bob": True,
            "K[ann] white = bob": False,
            "M[ann] M[bob] red = cat": True,
            "K[ann] ~M[bob] M[cat] red = bob": False,
            "E[cat, ann] white = bob": False,
            "D[cat, ann] white = bob": True,
            "C[ann, bob] red = ann": False,
            "C[*] (red = ann | red = bob | red = cat)": True,
            "[!white != cat] K[ann] white = bob": True,
            "<!red = ann> Kw[bob] white = cat": True,
        },
    ),
    "who sees what of two coins": (
        "agents ann, bob\nfluent p, q\nlaw p | q\nann sees p\nbob sees q\nactual p, q\n",
        {
            "K[ann] p": True,
            "K[ann] q": False,
            "M[ann] K[bob] p": True,
            "K[ann] Kw[bob] q": True,
            "C[*] (p | q)": True,
            "D[ann, bob] (p & q)": True,
            "[!p] C[*] p": True,
            "[!~(p & q)] false": True,
        },
    ),
    "worlds in a row": (
        "agents ann, bob\nfluent p(i) for i in 0..5\n"
        "for i in 0..4: law p(i + 1) -> p(i)\n"
        "for i in {0, 2, 4}: ann sees p(i)\nfor i in {1, 3, 5}: bob sees p(i)\n"
        "actual p(0), p(1)\n",
        {
            "C[*] ~p(5)": False,
            "C[*] (p(0) | ~p(5))": True,
            "K[ann] C[*] ~p(5)": False,
            "K[bob] p(0)": True,
            "K[ann] ~p(3)": True,
        },
    ),
}


# After many events about knowledge, the quantified formulas of the smt engine are too hard.
@pytest.mark.parametrize("name", [name for name in ENGINES if name != "smt"])
@pytest.mark.parametrize("example", KNOWN, ids=str)
def test_puzzles(example: tuple[str, int | None], name: str) -> None:
    puzzle, size = example
    problem = next(made for made in PUZZLES if made.name == puzzle).problem(size)
    found = [bool(one.answer) for one in check(problem, engine(name)) if one.answer is not None]
    assert found == KNOWN[example]


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("example", STATED)
def test_examples(example: str, name: str) -> None:
    text, answers = STATED[example]
    problem = read(text + "".join(f"true? {formula}\n" for formula in answers))
    found = [bool(one.answer) for one in check(problem, engine(name)) if one.answer is not None]
    assert dict(zip(answers, found, strict=True)) == answers
