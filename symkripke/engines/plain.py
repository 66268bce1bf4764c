"""Formulas in fewer operators, for engines that need not know them all."""

from __future__ import annotations

from symkripke.language import Formula, Kv, Kw, conjunction
from symkripke.language.walk import has_values, rewrite
from symkripke.model import KnowledgeStructure


def without_values(structure: KnowledgeStructure, formula: Formula) -> Formula:
    """The resolved `formula` without `Kv`: to know a value is to know of each whether."""
    if not has_values(formula):
        return formula

    def change(part: Formula) -> Formula:
        if not isinstance(part, Kv):
            return part
        cases = (case for name in part.fluents for case in structure.fluents(name))
        return conjunction(Kw(part.agent, case) for case in cases)

    return rewrite(formula, change)
