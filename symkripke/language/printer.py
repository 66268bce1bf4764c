"""The text of formulas where there may be too much of it. In full it is `str(formula)`."""

from __future__ import annotations

from symkripke.language.formulas import Formula, fold


def brief(formula: Formula, most: int = 2_000) -> str:
    """The text, if it has no more than `most` operators and atoms; else words that say so.

    A number that is kept in binary makes formulas that share their parts; written out, they would
    not end.
    """
    operators_and_atoms = fold(formula, lambda _, parts: 1 + sum(parts))
    return str(formula) if operators_and_atoms <= most else "a formula that is too long to be shown"
