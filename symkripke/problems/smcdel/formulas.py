"""Formulas of SMCDEL's text format: the two operators that our language lacks.

    Heard(G, a, f)          f holds after G, and nobody else, has heard whether a is true. All know
                            that G heard it. `[G ?! a] f` says this, `[G ! a] f` says a -> this.
    Heard((), a, f)         the same if all agents hear it: `[?! a] f`.
    Varied(True, (p,), f)   f, whatever p is here (`Forall`); with False: for one value (`Exists`)

SMCDEL defines the first by a new proposition that is true where `a` is, and that the members of the
group observe (M. Gattinger: New directions in model checking dynamic epistemic logic, 2018); the
second by quantifying over the truth value of p at the world in question.

The variable n becomes our fluent `pn`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from symkripke.language import formulas as f
from symkripke.language.walk import subformulas


class Heard(f.Formula):
    """A formula: after `group` (if empty, all) has heard whether `said` is true, `after` holds."""

    __slots__ = ("after", "group", "said")
    __match_args__ = ("group", "said", "after")
    group: tuple[str, ...]
    said: f.Formula
    after: f.Formula
    _is_boolean = False

    def __new__(cls, group: Iterable[str], said: f.Formula, after: f.Formula) -> Self:
        return cls._intern(tuple(group), said, after)

    @property
    def operands(self) -> tuple[f.Formula, ...]:
        return self.said, self.after

    def rebuild(self, operands: tuple[f.Formula, ...]) -> f.Formula:
        return Heard(self.group, *operands)


class Varied(f.Formula):
    """A formula: `operand` holds for all (or some) truth values of `names` at this world."""

    __slots__ = ("every", "names", "operand")
    __match_args__ = ("every", "names", "operand")
    every: bool
    names: tuple[str, ...]
    operand: f.Formula

    def __new__(cls, every: bool, names: Iterable[str], operand: f.Formula) -> Self:
        return cls._intern(every, tuple(names), operand)

    @property
    def operands(self) -> tuple[f.Formula, ...]:
        return (self.operand,)

    def rebuild(self, operands: tuple[f.Formula, ...]) -> f.Formula:
        return Varied(self.every, self.names, operands[0])


def fluent(number: int | str) -> str:
    """Return the name of our fluent for a variable of SMCDEL."""
    return f"p{int(number)}"


def is_plain(formula: f.Formula) -> bool:
    """Return whether the formula has none of the two operators."""
    return not any(isinstance(part, Heard | Varied) for part in subformulas(formula))
