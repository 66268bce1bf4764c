"""Preconditions of swaps: conditions under which a swap leads to a world of the law."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from symkripke.engines.sat.bits import Bits, bits_of, variables_of
from symkripke.engines.sat.swaps.swap import Swap
from symkripke.records import dataclass


@dataclass(slots=True)
class Precondition:
    """Conditions that must be true before a swap; they grow.

    Attributes:
        true: variables that must be true, as bits.
        false: those that must be false.
        clauses: clauses that must be true: their variables (bits), positive and negative.
    """

    true: int = 0
    false: int = 0
    clauses: dict[tuple[int, int], None] = field(default_factory=dict)

    def clause(self, positive: int, negative: int) -> None:
        """Add a clause by its variables (bits); a unit clause is added as a literal."""
        if (positive | negative) & ((positive | negative) - 1):
            self.clauses[positive, negative] = None
        else:
            self.true |= positive
            self.false |= negative

    def add(self, variables: int, world: int) -> None:
        """Add that these variables have their values at `world`."""
        self.true |= variables & world
        self.false |= variables & ~world

    def add_all(self, literals: Iterable[int]) -> None:
        """Add these literals."""
        true, false = bits_of(literals)
        self.true |= true
        self.false |= false

    def hide(self, observed: int, swap: Swap, world: int) -> None:
        """Add conditions under which the swap keeps these variables (bits), as at `world`."""
        for variable in variables_of(observed & swap.mask):
            # The variable is the same before and after the swap at this world. So it is wherever it
            # and the variable that replaces it have the values that they have here.
            self.add(1 << variable, world)
            if swap.renamed[variable] > 0:
                self.add(1 << swap.renamed[variable], world)

    def after(self, swap: Swap, literals: Bits) -> None:
        """Add the conditions before the swap under which these literals (bits) are true after it.

        None are needed for literals that the swap makes true in any case.
        """
        true, false = literals
        touched = true | false
        for variable in variables_of(touched) if touched else ():
            renamed = swap.renamed.get(variable, variable)
            if renamed > 0:
                if true >> variable & 1:
                    self.true |= 1 << renamed
                else:
                    self.false |= 1 << renamed

    def before(self, swap: Swap, literals: Iterable[int]) -> None:
        """Add the conditions before the swap under which these literals are true after it."""
        self.after(swap, bits_of(literals))
