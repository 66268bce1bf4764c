"""Numbers of what is no plain fluent: a swap keeps them, if it does for what it touches.

"A player holds five cards after the draw" may be said of formulas, "had it and did not give it
away", or with weights, a pair being two cards. Of all these a swap touches a few.
"""

from __future__ import annotations

from collections import Counter

from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.swaps.implicants import Certificates, Swap
from symkripke.engines.sat.swaps.precondition import Kept
from symkripke.language import Formula
from symkripke.language import formulas as f
from symkripke.language.walk import atoms


class Balances:
    """Finds out what keeps a number that a swap does not change."""

    def __init__(self, encoding: Encoding, certificates: Certificates) -> None:
        """With the variables of atoms, and where certificates come from."""
        self._encoding = encoding
        self._certificates = certificates
        self._parts: dict[f.Cardinality, list[tuple[Formula, int]]] = {}
        """What is counted, with the variables (bits) that it speaks of."""

    def balanced(
        self, formula: f.Cardinality, swap: Swap, kept: Kept, world: int, after: int
    ) -> bool:
        """Keep the number by what the swap touches alone, if it does not change for the worse.

        Args:
            formula: true at `world` and at `after`.
            swap: the swap.
            kept: what is to be true before it; grows.
            world: a world.
            after: the same after the swap.

        Returns:
            Whether it can be kept so.
        """
        parts = self._parts.get(formula)
        if parts is None:
            parts = self._parts[formula] = [(one, self._bits(one)) for one in formula.operands]
        touched = Counter(part for part, variables in parts if variables & swap.mask)
        true = self._certificates.true
        change = sum(n * (true(part, after) - true(part, world)) for part, n in touched.items())
        allowed = {"exactly": change == 0, "atleast": change >= 0, "atmost": change <= 0}
        if not allowed[formula.relation]:
            return False
        keeping = self._certificates.keeping
        for part in touched:
            kept.add_all(keeping(part, world, true(part, world)))
            kept.before(swap, keeping(part, after, true(part, after)))
        return True

    def _bits(self, formula: Formula) -> int:
        return sum(1 << abs(self._encoding.atom(one)) for one in atoms(formula))
