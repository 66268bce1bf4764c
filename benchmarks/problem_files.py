"""Random problem files: the files of the package at several sizes, with additional questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import symkripke_games
from symkripke.errors import SymkripkeError
from symkripke.problems.problem import Problem
from symkripke.problems.reader import read
from symkripke.testing.random_models import ALL, BELIEF, Names, Seeded, random_formula

_FOLDERS = ("puzzles", "stories")
_N = re.compile(r"^let n = \d+$", re.MULTILINE)

_QUESTIONS = 3
"""The maximum number of questions that are added to each file."""

_FLUENTS = 12
"""The maximum number of fluents that these questions name."""

_SIZES = {
    "consecutive_numbers": (9, 80),
    "gossip": (4, 5),
    "secret_gossip": (4, 5),
    "prisoners": (2, 4),
    "sum_and_product": (65, 130),
    "dining_cryptographers": (3, 25),
    "muddy_children": (3, 40),
    "drinking_logicians": (3, 40),
}
"""The minimum and maximum `n` of a file; any other file uses 3 to 12."""


def problem_files(number: int) -> Iterator[tuple[str, str]]:
    """Yield the first `number` files, each as name and text."""
    package = Path(next(iter(symkripke_games.__path__)))
    paths = [path for folder in _FOLDERS for path in sorted((package / folder).glob("*.skp"))]
    for place in range(number):
        path = paths[place % len(paths)]
        text, title = path.read_text(encoding="utf-8"), path.stem
        if _N.search(text):
            size = Random(f"{place}/problem files").randint(*_SIZES.get(title, (3, 12)))
            text = _N.sub(f"let n = {size}", text)
            title = f"{title}-{size}"
        asked = _questions(read(text), Seeded(place))
        yield f"problem {place}, {title}", "\n".join([text.rstrip(), *asked, ""])


def _questions(problem: Problem, chance: Seeded) -> Iterator[str]:
    """Yield questions about the fluents of the file."""
    fluents = tuple(
        fluent
        for fluent in problem.structure.vocabulary.fluents.values()
        if fluent.name not in problem.hidden
    )
    names = Names(fluents[:_FLUENTS], problem.structure.agents)
    kind = "valid?" if problem.actual is None else "true?"
    for _ in range(_QUESTIONS if fluents else 0):
        made = str(random_formula(chance, names, chance.integer(2, 3), (*ALL, *BELIEF)))
        with suppress(SymkripkeError):  # some values need a fluent's name as prefix
            problem.structure.parse(made)
            yield f"{kind} {made}"
