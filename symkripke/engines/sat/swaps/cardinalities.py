"""Preservation of cardinality constraints over compound formulas.

"Five fluents have this value after the change" may count formulas ("had it and did not change"), or
have weights (a formula that counts twice). A swap touches only a few of the counted parts. It
preserves the constraint if it preserves the number of these parts that are true.
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
    """A finder of conditions under which a swap preserves a cardinality constraint."""

    def __init__(self, encoding: Encoding, implicants: Implicants) -> None:
        """Create a finder that uses this encoding and these implicants."""
        self._encoding = encoding
        self._implicants = implicants
        self._parts: dict[f.Cardinality, list[tuple[Formula, int]]] = {}
        """The formulas that each constraint counts, with their variables (bits)."""

    def preserved(
        self, formula: f.Cardinality, swap: Swap, precondition: Precondition, world: int, after: int
    ) -> bool:
        """Add conditions that preserve the constraint by fixing the parts that the swap touches.

        The constraint is true at `world` and, after the swap, at `after`. Return whether such
        conditions exist.
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
