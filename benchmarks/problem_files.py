"""Problem files by chance: those that ship, at several sizes and with more questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from random import Random

from symkripke.errors import SymkripkeError
from symkripke.problems.problem import Problem
from symkripke.problems.reader import read
from symkripke.testing.random_models import Names
from tests.soak.fuzz.shipped import problems
from tests.support.formula_texts import formula

_N = re.compile(r"^let n = \d+$", re.MULTILINE)
_TITLE = re.compile(r"\w+")

# Questions that are put behind those of a file.
_QUESTIONS = 3

# What is not said of so many fluents is said of some of them.
_ATOMS = 12

# How large `n` is, at least and at most, by the first words of a file; others are from 3 to 12.
_SIZES = {
    "Consecutive": (9, 80),
    "Gossip": (4, 5),
    "Prisoners": (2, 4),
    "Sum": (65, 130),
    "Dining": (3, 25),
    "Muddy": (3, 40),
    "Drinking": (3, 40),
    "One": (2, 4),
    "let": (65, 130),
}


def problem_files(number: int) -> Iterator[tuple[str, str]]:
    """So many files, each with its name; those before are the same for a larger number."""
    given = problems()
    for place in range(number):
        chance = Random(f"{place}/problem files")
        text = given[place % len(given)]
        title = (_TITLE.search(text) or [""])[0]
        least, most = _SIZES.get(title, (3, 12))
        size = chance.randint(least, most)
        if _N.search(text):
            text = _N.sub(f"let n = {size}", text)
            title = f"{title}-{size}"
        problem = read(text)
        asked = [_question(problem, chance) for _ in range(_QUESTIONS)]
        yield f"problem {place}, {title}", "\n".join([text.rstrip(), *asked, ""])


def _question(problem: Problem, chance: Random) -> str:
    """A question about what the file speaks of."""
    fluents = [
        fluent
        for fluent in problem.structure.vocabulary.fluents.values()
        if fluent.name not in problem.hidden
    ]
    some = chance.sample(fluents, min(_ATOMS, len(fluents)))
    names = Names(tuple(some), problem.structure.agents)
    kind = "valid?" if problem.actual is None else "true?"
    if not (some and names.agents):
        return f"{kind} true"
    while True:
        made = formula(chance, chance.choice((2, 3)), names)
        # Some formulas have a part that is none.
        with suppress(SymkripkeError):
            problem.structure.parse(made)
            return f"{kind} {made}"
