"""Situations written down: a model, what happens in it, and what is asked, in order.

problem    such a situation as data
syntax     from text to statements, as trees; the grammar is problem.lark
values     numbers and words in formulas
expand     from trees to formulas: quantifiers, lists, comparisons
modelling  the statements that make the model
reading    the statements in which something happens or is asked; whole files
run        going through a problem: what comes of each step
telling    that in words, and as data
puzzle     the puzzles that are installed
"""

from symkripke.problems.checker import Outcome, Run, Where, check
from symkripke.problems.problem import (
    Happening,
    Place,
    Problem,
    Question,
    Remark,
    Step,
    Whether,
)
from symkripke.problems.puzzle import Puzzle, puzzle, puzzles
from symkripke.problems.reader import read, read_file

__all__ = [
    "Happening",
    "Outcome",
    "Place",
    "Problem",
    "Puzzle",
    "Question",
    "Remark",
    "Run",
    "Step",
    "Where",
    "Whether",
    "check",
    "puzzle",
    "puzzles",
    "read",
    "read_file",
]
