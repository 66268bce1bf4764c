"""The text of formulas that may be too long to print. `str(formula)` is the full text."""

from __future__ import annotations

from symkripke.language.formulas import Formula, fold


def brief(formula: Formula, most: int = 2_000) -> str:
    """Return the text of a formula, or a remark if it has more than `most` operators and atoms.

    Formulas about binary numbers share parts, so their full texts can be extremely long.
    """
    operators_and_atoms = fold(formula, lambda _, parts: 1 + sum(parts))
    return str(formula) if operators_and_atoms <= most else "a formula that is too long to be shown"
