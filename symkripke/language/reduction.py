"""Formulas reduced to more basic ones: definitions written out, announcements taken out.

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
from symkripke.language.formulas import Cases
from symkripke.language.walk import is_propositional, rewrite, substitute


def definition(
    operator: f.Modal, cases: Cases, change: Callable[[f.Formula], f.Formula] = lambda same: same
) -> f.Formula | None:
    """What a formula means by the definition of its outermost operator; None if it has none.

    Args:
        operator: the formula.
        cases: the values of a fluent, for definitions that speak of values.
        change: what to do with the definition before it is applied to the operands, which stay as
            they are.
    """
    holes = {f.Atom(f"operand {n}"): operand for n, operand in enumerate(operator.operands)}
    of_holes = operator.rebuild(tuple(holes))
    assert isinstance(of_holes, f.Modal)
    defined = of_holes.definition(cases)
    return None if defined is None else substitute(change(defined), holes)


def write_out(formula: f.Formula, cases: Cases) -> f.Formula:
    """An equivalent formula of operators that engines know.

    An operator that they do not know (`Modal.is_written_out`) gives way to its definition. See
    `definition` for `cases`.
    """
    return rewrite(formula, lambda part: write_out_one(part, cases))


def write_out_one(formula: f.Formula, cases: Cases) -> f.Formula:
    """The same where only the outermost operator may be one that engines do not know."""
    if not isinstance(formula, f.Modal) or not formula.is_written_out:
        return formula
    defined = definition(formula, cases, lambda meant: write_out(meant, cases))
    assert defined is not None, f"{formula.symbol} is written out, and has no definition"
    return defined


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


# In the place of what is announced, while a definition is relativised.
_ANNOUNCED = f.Atom("what is announced")


def relativise(formula: f.Formula, to: f.Formula, cases: Cases) -> f.Formula:
    """What `formula` (without announcements) says where only the worlds with `to` are left."""

    def change(current: f.Formula) -> f.Formula:
        if not isinstance(current, f.Modal):
            return current
        found = current.relativised(to)
        if found is None:
            found = definition(current, cases, by_definition)
        if found is None:
            raise Unsupported(
                f"an announcement before {current.symbol}[...] has no reduction; "
                "the explicit engine answers it at small sizes"
            )
        return found

    def by_definition(defined: f.Formula) -> f.Formula:
        return substitute(relativise(defined, _ANNOUNCED, cases), {_ANNOUNCED: to})

    return formula if is_propositional(formula) else rewrite(formula, change)
