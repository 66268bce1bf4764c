"""Formulas of SMCDEL's text format: two operators that ours lacks, and SMCDEL's notation.

    Heard(G, a, f)          f holds after G, and nobody else, has heard whether a is true. All know
                            that G heard it. `[G ?! a] f` says this, `[G ! a] f` says a -> this.
    Heard((), a, f)         the same where all agents hear it: `[?! a] f`.
    Varied(True, (p,), f)   f, whatever p is here (`Forall`); with False: for one value (`Exists`)

SMCDEL defines the first by a new proposition that is true where `a` is, and that the members of
the group observe (M. Gattinger: New directions in model checking dynamic epistemic logic, 2018);
the second by quantifying over the truth value of p at the world in question.

A variable n is the fluent `pn` of ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from symkripke.errors import Unsupported
from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.language.reduction import write_out
from symkripke.language.walk import subformulas


class Heard(f.Formula):
    """After `group` has heard whether `said` is true, `after` holds; all hear it if it is empty."""

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
    """`operand` for all (or, if not `every`, for some) truth values of `names` at this world."""

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


def smcdel_text(formula: f.Formula) -> str:
    """Return a formula over variables p0, p1, ... in SMCDEL's syntax.

    Reading the text again gives the same formula, if the formula has operators of SMCDEL only:
    `M`, `E` and `<! f>` are written with `K` and `[! f]`; of counting operators, SMCDEL has only
    "exactly one of".

    Raises:
        Unsupported: SMCDEL's format cannot express fluents with several values, P, B, Kv, or how
            many formulas of a list are true.
    """
    return fold(write_out(formula, _no_values), _text)


def _no_values(name: str) -> tuple[f.Formula, ...]:
    raise Unsupported(f"SMCDEL's format has no values, but this formula contains a value of {name}")


def _text(formula: f.Formula, parts: tuple[str, ...]) -> str:
    """Return an atom, a negation, a prefix, or a formula in brackets."""
    match formula:
        case f.Constant(value):
            return "Top" if value else "Bot"
        case f.Atom(name, value):
            if value != "true" or not (name[:1] == "p" and name[1:].isdecimal()):
                raise Unsupported(f"SMCDEL has variables with numbers only, not {formula}")
            return name[1:]
        case f.Not():
            return f"~{parts[0]}"
        case f.And():
            return f"({' & '.join(parts)})"
        case f.Or():
            return f"({' | '.join(parts)})"
        case f.Implies():
            return f"({parts[0]} -> {parts[1]})"
        case f.Iff():
            return f"({parts[0]} iff {parts[1]})"
        case f.Cardinality("exactly", 1, operands) if operands:
            return f"ONEOF({', '.join(parts)})"
        case f.K(agent):
            return f"{agent} knows that {parts[0]}"
        case f.M(agent):
            return f"~{agent} knows that ~{parts[0]}"
        case f.Kw(agent):
            return f"{agent} knows whether {parts[0]}"
        case f.E(group):
            return f"({' & '.join(f'{agent} knows that {parts[0]}' for agent in group)})"
        case f.D(group):
            return f"({', '.join(group)}) distknow that {parts[0]}"
        case f.C(group):
            return f"({', '.join(group)}) comknow that {parts[0]}"
        case f.Announced():
            return f"[! {parts[0]}] {parts[1]}"
        case f.AnnouncedTrue():
            return f"<! {parts[0]}> {parts[1]}"
        case Heard(group):
            who = f"{', '.join(group)} " if group else ""
            return f"[{who}?! {parts[0]}] {parts[1]}"
        case Varied(every, names):
            numbers = ", ".join(name.removeprefix("p") for name in names)
            return f"({'Forall' if every else 'Exists'} {numbers} {parts[0]})"
    raise Unsupported(f"SMCDEL's format has no {type(formula).__name__}: {formula}")
