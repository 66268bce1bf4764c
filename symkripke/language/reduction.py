"""Announcements inside formulas, reduced to formulas without them.

[!a] f is equivalent to `a -> f'`, and <!a> f to `a & f'`, where f' is f relativised to a: every
operator that looks at other worlds looks only at those with a. (J. Plaza: Logics of public
communications, 1989; the reduction axioms, read as a translation. Its result is linear in
the size of f for one announcement.) For belief, what is announced is given: [!a] B[i] f is
a -> B[i | a] f'. There is no such translation for common knowledge and common belief.
"""

from __future__ import annotations

from collections.abc import Callable

from symkripke.errors import Unsupported
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional, rewrite

Cases = Callable[[str], tuple[f.Formula, ...]]
"""For a fluent, the formulas that say that it has this or that value."""


def reduce_announcements(formula: f.Formula, cases: Cases) -> f.Formula:
    """An equivalent formula without announcements.

    Args:
        formula: any formula.
        cases: the values of a fluent, for `Kv` behind an announcement.

    Raises:
        Unsupported: an announcement stands before `C`, `CB` or `P`.
    """

    def change(current: f.Formula) -> f.Formula:
        if isinstance(current, f.Announced):
            return f.Implies(current.left, relativise(current.right, current.left, cases))
        if isinstance(current, f.AnnouncedTrue):
            return current.left & relativise(current.right, current.left, cases)
        return current

    return rewrite(formula, change)


def relativise(formula: f.Formula, to: f.Formula, cases: Cases) -> f.Formula:
    """`formula` (without announcements) as it is where only the worlds with `to` are left."""

    def change(current: f.Formula) -> f.Formula:
        match current:
            case f.K(agent, operand):
                return f.K(agent, f.Implies(to, operand))
            case f.M(agent, operand):
                return f.M(agent, to & operand)
            case f.Kw(agent, operand):
                return f.K(agent, f.Implies(to, operand)) | f.K(
                    agent, f.Implies(to, f.negation(operand))
                )
            case f.Kv(agent, fluents):
                return f.conjunction(
                    f.disjunction(f.K(agent, f.Implies(to, case)) for case in cases(fluent))
                    for fluent in fluents
                )
            case f.E(group, operand):
                return f.E(group, f.Implies(to, operand))
            case f.D(group, operand):
                return f.D(group, f.Implies(to, operand))
            case f.B(agent, operand, given):
                return f.B(agent, operand, to & given)
            case f.EB(group, operand):
                return f.conjunction(f.B(agent, operand, to) for agent in group)
            case f.C() | f.CB() | f.P():
                raise Unsupported(
                    f"an announcement before {type(current).__name__}[...] has no reduction; "
                    "the explicit engine answers it at small sizes"
                )
        return current

    return formula if is_propositional(formula) else rewrite(formula, change)
