"""Lemmas: conditions that imply a modal formula, or its negation, at every world of the law."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symkripke.engines.sat.bits import literals_of
from symkripke.engines.sat.swaps.swap import Swap
from symkripke.records import dataclass


@dataclass(eq=False, slots=True)
class Lemma:
    """Conditions that together imply a proxy or its negation; `Proxy.lemmas` says which.

    Attributes:
        true: the variables (bits) that must be true.
        false: those that must be false.
        literals: the literals of these that imply the others.
        swap: for a lemma from a counter-world, the swap that leads to it.
        clauses: clauses that must be true, too: their variables (bits), positive and negative.
        either: for each clause a variable that implies it: see `meaning`.
    """

    true: int
    false: int
    literals: list[int]
    swap: Swap | None = None
    clauses: tuple[tuple[int, int], ...] = ()
    either: tuple[int, ...] = ()

    def clause(self, head: int) -> list[int]:
        """Return the clause that says that the conditions imply `head`."""
        return [
            *(-literal for literal in self.literals),
            *(-either for either in self.either),
            head,
        ]

    def meaning(self, known: set[int]) -> Iterator[list[int]]:
        """Yield definitions of the variables of `either`, except those in `known`, which grows."""
        for (positive, negative), either in zip(self.clauses, self.either, strict=True):
            if either not in known:
                known.add(either)
                for literal in literals_of(positive, negative):
                    yield [-literal, either]

    def applies(self, world: int) -> bool:
        """Return whether all its conditions are true at the world."""
        if world & self.true != self.true or world & self.false:
            return False
        return all(world & positive or ~world & negative for positive, negative in self.clauses)

    def implicant(self, world: int) -> list[int]:
        """Return literals, true at this world, that imply the conditions of the lemma."""
        literals = list(self.literals)
        for positive, negative in self.clauses:
            true, false = world & positive, ~world & negative
            if true & self.true or false & self.false:
                continue
            literals.append(true.bit_length() - 1 if true else 1 - false.bit_length())
        return literals


def applying(lemmas: Iterable[Lemma], world: int) -> Lemma | None:
    """Return the first of these lemmas that applies at the world."""
    for lemma in lemmas:
        # As `applies`, without a call for the many that do not.
        if world & lemma.true != lemma.true or world & lemma.false:
            continue
        if not lemma.clauses or lemma.applies(world):
            return lemma
    return None
