"""Cardinalities of compound formulas: a swap preserves them if it does for what it touches.

"A player holds five cards after the draw" may be said of formulas, "had it and did not give it
away", or with weights, a pair being two cards. Of all these a swap touches a few.
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
    """Finds conditions that preserve a number which a swap does not change for the worse."""

    def __init__(self, encoding: Encoding, implicants: Implicants) -> None:
        """With the variables of atoms, and where implicants come from."""
        self._encoding = encoding
        self._implicants = implicants
        self._parts: dict[f.Cardinality, list[tuple[Formula, int]]] = {}
        """What is counted, with the variables (bits) that it speaks of."""

    def preserved(
        self, formula: f.Cardinality, swap: Swap, precondition: Precondition, world: int, after: int
    ) -> bool:
        """Preserve the number by what the swap touches alone, if it does not change for the worse.

        The formula is true at `world` and, after the swap, at `after`. Returns whether it can be
        preserved so.
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
