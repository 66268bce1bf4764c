"""Cardinalities of compound formulas: a swap preserves them if it preserves the parts it touches.

"Five fluents have this value after the change" may count formulas ("had it and did not change"), or
count with weights (a formula that counts twice). A swap touches few of the parts that are counted.
"""

from __future__ import annotations

from collections import Counter

from symkripke.engines.sat.bits import mask_of
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.swaps.implicants import Implicants
from symkripke.engines.sat.swaps.precondition import Precondition
from symkripke.engines.sat.swaps.swap import Swap
from symkripke.language import Formula
from symkripke.language import formulas as f
from symkripke.language.walk import atoms


class Cardinalities:
    """Finds conditions under which a swap preserves a cardinality constraint."""

    def __init__(self, encoding: Encoding, implicants: Implicants) -> None:
        """Take the variables of atoms, and the finder of implicants."""
        self._encoding = encoding
        self._implicants = implicants
        self._parts: dict[f.Cardinality, list[tuple[Formula, int]]] = {}
        """The formulas that each constraint counts, with their variables (bits)."""

    def preserved(
        self, formula: f.Cardinality, swap: Swap, precondition: Precondition, world: int, after: int
    ) -> bool:
        """Add conditions that preserve the constraint, by the parts that the swap touches.

        The constraint is true at `world` and, after the swap, at `after`. Returns whether such
        conditions were found.
        """
        parts = self._parts.get(formula)
        if parts is None:
            parts = self._parts[formula] = [
                (operand, self._bits(operand)) for operand in formula.operands
            ]
        touched = Counter(part for part, variables in parts if variables & swap.mask)
        true = self._implicants.true
        change = sum(n * (true(part, after) - true(part, world)) for part, n in touched.items())
        allowed = {"exactly": change == 0, "atleast": change >= 0, "atmost": change <= 0}
        if not allowed[formula.relation]:
            return False
        implicant = self._implicants.implicant
        for part in touched:
            precondition.add_all(implicant(part, world, true(part, world)))
            precondition.before(swap, implicant(part, after, true(part, after)))
        return True

    def _bits(self, formula: Formula) -> int:
        return mask_of(abs(self._encoding.atom(atom)) for atom in atoms(formula))
