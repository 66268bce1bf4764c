"""Preconditions of swaps: what is to be true before a swap, so that it leads where it should."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from symkripke.engines.sat.bits import Bits, bits_of, variables_of
from symkripke.engines.sat.swaps.swap import Swap


@dataclass(slots=True)
class Precondition:
    """What is to be true before a swap; grows.

    Attributes:
        true: variables that are to be true, as bits.
        false: those that are to be false.
        clauses: clauses that are to be true: their variables (bits), positive and negative.
    """

    true: int = 0
    false: int = 0
    clauses: dict[tuple[int, int], None] = field(default_factory=dict)

    def clause(self, positive: int, negative: int) -> None:
        """A clause, by its variables (bits); of one literal, that literal."""
        if (positive | negative) & ((positive | negative) - 1):
            self.clauses[positive, negative] = None
        else:
            self.true |= positive
            self.false |= negative

    def add(self, variables: int, world: int) -> None:
        """These variables as they are at a world."""
        self.true |= variables & world
        self.false |= variables & ~world

    def add_all(self, literals: Iterable[int]) -> None:
        """These literals."""
        true, false = bits_of(literals)
        self.true |= true
        self.false |= false

    def hide(self, observed: int, swap: Swap, world: int) -> None:
        """Let a swap that leaves these variables (bits) as they are at a world always do so."""
        for variable in variables_of(observed & swap.mask):
            # It is seen to be the same after the swap: so it is if both stay as they are.
            self.add(1 << variable, world)
            if swap.renamed[variable] > 0:
                self.add(1 << swap.renamed[variable], world)

    def after(self, swap: Swap, literals: Bits) -> None:
        """What has to be true before the swap for these (bits, true and false) to be so after it.

        They are so where the swap makes them so in any case.
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
        """What has to be true before the swap for these literals, true after it, to be so."""
        self.after(swap, bits_of(literals))
