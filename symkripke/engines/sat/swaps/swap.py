"""Swaps: small changes of a world, written as renamings of variables.

Some fluents take the values of others, whatever these are, or fixed values. A formula is true after
the swap iff its renaming is true before the swap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from symkripke.engines.sat.bits import variables_of
from symkripke.records import dataclass

TRUE, FALSE = -1, 0
"""The results of renaming a variable to a constant instead of another variable."""


@dataclass(frozen=True, slots=True)
class Swap:
    """A change of a world: some fluents take the values of others, or fixed values.

    Attributes:
        names: the fluents that change.
        mask: their variables, as bits.
        renamed: for each of these variables, the variable from which it takes its truth, or `TRUE`
            or `FALSE`.
    """

    names: tuple[str, ...]
    mask: int
    renamed: Mapping[int, int]

    def clause(self, literals: Iterable[int]) -> tuple[int, int] | None:
        """Return the renaming of a clause; None if it is always true.

        The renaming is true before the swap iff the clause is true after it. It is returned as the
        variables (bits) of its positive and of its negative literals.
        """
        positive = negative = 0
        for literal in literals:
            renamed = self.renamed.get(abs(literal), abs(literal))
            if renamed > 0:
                if literal > 0:
                    positive |= 1 << renamed
                else:
                    negative |= 1 << renamed
            elif (renamed == TRUE) is (literal > 0):
                return None
        return None if positive & negative else (positive, negative)

    def counted(self, variables: int) -> tuple[int, int] | None:
        """Return variables whose number before the swap gives the number of these (bits) after it.

        Returns:
            the variables (bits), and a constant to add to their number. None if a variable would be
            counted more than once.
        """
        rest = variables & ~self.mask
        constant = 0
        for variable in variables_of(variables & self.mask):
            renamed = self.renamed[variable]
            if renamed > 0:
                if rest >> renamed & 1:
                    return None
                rest |= 1 << renamed
            elif renamed == TRUE:
                constant += 1
        return rest, constant

    def sources(self, variables: int) -> int:
        """Return the variables (bits) from which these variables (bits) take their truth."""
        mask = 0
        for variable in variables_of(variables & self.mask):
            if self.renamed[variable] > 0:
                mask |= 1 << self.renamed[variable]
        return mask

    def applied(self, world: int) -> int:
        """Return the world after the swap."""
        after = world & ~self.mask
        for variable, renamed in self.renamed.items():
            if renamed == TRUE or (renamed > 0 and (world >> renamed) & 1):
                after |= 1 << variable
        return after
