"""Reduction of formulas to more basic operators: definitions expanded, announcements eliminated.

[!a] f is equivalent to a -> f', and <!a> f to a & f', where f' is f relativised to a: its operators
consider only worlds with a. (J. Plaza: Logics of public communications, 1989; the reduction axioms
as a translation. For one announcement the result is linear in the size of f.) For belief, a becomes
a condition: [!a] B[i] f is a -> B[i | a] f'. There is no such translation for common knowledge and
common belief.
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
    """Return the formula that defines the outermost operator; None if it has no definition.

    Args:
        operator: the formula.
        cases: a function that returns the cases of a fluent, for definitions about values.
        change: a function applied to the definition before the operands are substituted.
    """
    holes = {f.Atom(f"operand {n}"): operand for n, operand in enumerate(operator.operands)}
    of_holes = operator.rebuild(tuple(holes))
    assert isinstance(of_holes, f.Modal)
    defined = of_holes.definition(cases)
    return None if defined is None else substitute(change(defined), holes)


def write_out(formula: f.Formula, cases: Cases) -> f.Formula:
    """Return an equivalent formula that uses only operators implemented by engines.

    Other operators (`Modal.is_written_out`) are replaced by their definitions. See `definition` for
    `cases`.
    """
    return rewrite(formula, lambda part: write_out_one(part, cases))


def write_out_one(formula: f.Formula, cases: Cases) -> f.Formula:
    """Return the formula with only its outermost operator written out."""
    if not isinstance(formula, f.Modal) or not formula.is_written_out:
        return formula
    defined = definition(formula, cases, lambda basic: write_out(basic, cases))
    assert defined is not None, f"{formula.symbol} is written out, and has no definition"
    return defined


def reduce_announcements(formula: f.Formula, cases: Cases) -> f.Formula:
    """Return an equivalent formula without announcements.

    Args:
        formula: any formula.
        cases: a function that returns the cases of a fluent, for `Kv` after an announcement.

    Raises:
        Unsupported: an announcement is applied to `C`, `CB` or `P`.
    """

    def change(current: f.Formula) -> f.Formula:
        if isinstance(current, f.Announced):
            return f.Implies(current.left, relativise(current.right, current.left, cases))
        if isinstance(current, f.AnnouncedTrue):
            return current.left & relativise(current.right, current.left, cases)
        return current

    return rewrite(formula, change)


# A placeholder for the announced formula while a definition is relativised.
_ANNOUNCED = f.Atom("what is announced")


def relativise(formula: f.Formula, to: f.Formula, cases: Cases) -> f.Formula:
    """Return `formula`, which has no announcements, relativised to the worlds with `to`."""

    def change(current: f.Formula) -> f.Formula:
        if not isinstance(current, f.Modal):
            return current
        relativised = current.relativised(to)
        if relativised is None:
            relativised = definition(current, cases, by_definition)
        if relativised is None:
            raise Unsupported(
                f"an announcement before {current.symbol}[...] has no reduction; "
                "the explicit engine answers it at small sizes"
            )
        return relativised

    def by_definition(defined: f.Formula) -> f.Formula:
        return substitute(relativise(defined, _ANNOUNCED, cases), {_ANNOUNCED: to})

    return formula if is_propositional(formula) else rewrite(formula, change)
