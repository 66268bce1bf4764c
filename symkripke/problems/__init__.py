"""Problems: text files with a model, events and questions, in order.

problem     a problem as data
syntax      from text to statements, as trees; the grammar is language/GRAMMAR.md
indices     the values of index variables
shape       the size of a statement before its quantifiers are expanded
values      numbers and words in formulas
expansion   from trees to formulas: quantifiers, lists, comparisons
expansion_actions      changes of fluents; action blocks, and actions that happen
modelling   the statements of the model
reader      statements about events and questions; whole files
files       files of all formats
checker     running a problem, step by step
contraction the worlds up to bisimilarity
outcome     the result of a step
outcome_words    results in words, and as data
step_words  steps as sentences
story       the moments of a problem, to draw
scenery     the look of a problem: the thing that stands for each fact
staging     scenes: people, things, words and thoughts after each step
puzzles     the installed puzzles
epddl/      the language EPDDL: its reader, and ground tasks
planning/   plans: their search and their validation
smcdel/     the text format of SMCDEL: its formulas, its reader, and its conversion
export/     questions for other solvers

Most names below are imported on first use, so that reading a file stays quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

# Imported eagerly: the function `puzzles` must replace the module of the same name.
from symkripke.problems.puzzles import Puzzle, puzzle, puzzles

if TYPE_CHECKING:
    from symkripke.problems.checker import check
    from symkripke.problems.outcome import Outcome
    from symkripke.problems.problem import (
        Doing,
        Happening,
        Plan,
        Problem,
        Question,
        Step,
    )
    from symkripke.problems.reader import read

_HOME = {"Outcome": "outcome", "check": "checker", "read": "reader"}

__all__ = [
    "Doing",
    "Happening",
    "Outcome",
    "Plan",
    "Problem",
    "Puzzle",
    "Question",
    "Step",
    "check",
    "puzzle",
    "puzzles",
    "read",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME.get(name, 'problem')}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
