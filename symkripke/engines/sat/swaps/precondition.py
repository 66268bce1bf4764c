"""Preconditions of swaps: conditions under which a swap leads to a world of the law."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from symkripke.engines.sat.bits import Bits, bits_of, variables_of
from symkripke.engines.sat.swaps.swap import Swap
from symkripke.records import dataclass


@dataclass(slots=True)
class Precondition:
    """A growing set of conditions that must be true before a swap.

    Attributes:
        true: the variables (bits) that must be true.
        false: the variables (bits) that must be false.
        clauses: the clauses that must be true, as positive and negative variables (bits).
    """

    true: int = 0
    false: int = 0
    clauses: dict[tuple[int, int], None] = field(default_factory=dict)

    def clause(self, positive: int, negative: int) -> None:
        """Add a clause by its positive and negative variables (bits)."""
        if (positive | negative) & ((positive | negative) - 1):
            self.clauses[positive, negative] = None
        else:
            self.true |= positive
            self.false |= negative

    def add(self, variables: int, world: int) -> None:
        """Add the condition that these variables (bits) have their values at `world`."""
        self.true |= variables & world
        self.false |= variables & ~world

    def add_all(self, literals: Iterable[int]) -> None:
        """Add the condition that these literals are true."""
        true, false = bits_of(literals)
        self.true |= true
        self.false |= false

    def hide(self, observed: int, swap: Swap, world: int) -> None:
        """Add conditions, true at `world`, under which the swap keeps these variables (bits)."""
        for variable in variables_of(observed & swap.mask):
            # At this world, the swap keeps the value of the variable. It also does so wherever the
            # variable and its replacement have the same values as here.
            self.add(1 << variable, world)
            if swap.renamed[variable] > 0:
                self.add(1 << swap.renamed[variable], world)

    def after(self, swap: Swap, literals: Bits) -> None:
        """Add the conditions before the swap under which these literals (bits) are true after it.

        Literals that the swap always makes true need no conditions.
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
