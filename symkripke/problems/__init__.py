"""Situations written down: a model, what happens in it, and what is asked, in order."""

from symkripke.problems.problem import (
    Happening,
    Place,
    Problem,
    Question,
    Remark,
    Step,
    Whether,
)

__all__ = ["Happening", "Place", "Problem", "Question", "Remark", "Step", "Whether"]
