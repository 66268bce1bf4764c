"""Lemmas: conditions that imply a modal formula, or its negation, at every world of the law."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symkripke.engines.sat.bits import literals_of
from symkripke.engines.sat.swaps.swap import Swap
from symkripke.records import dataclass


@dataclass(eq=False, slots=True)
class Lemma:
    """Conditions that together imply a proxy or its negation: see `Proxy.lemmas`.

    Attributes:
        true: the variables (bits) that must be true.
        false: the variables (bits) that must be false.
        literals: literals of these variables that imply all the others.
        swap: for a lemma from a counter-world, the swap that leads to it.
        clauses: further conditions: the positive and negative variables (bits) of clauses.
        either: for each clause, a variable that the clause implies: see `meaning`.
    """

    true: int
    false: int
    literals: list[int]
    swap: Swap | None = None
    clauses: tuple[tuple[int, int], ...] = ()
    either: tuple[int, ...] = ()

    def clause(self, head: int) -> list[int]:
        """Return the clause stating that the conditions imply `head`."""
        return [
            *(-literal for literal in self.literals),
            *(-either for either in self.either),
            head,
        ]

    def meaning(self, known: set[int]) -> Iterator[list[int]]:
        """Yield clauses that define `either`, except for variables in `known`; extend `known`."""
        for (positive, negative), either in zip(self.clauses, self.either, strict=True):
            if either not in known:
                known.add(either)
                for literal in literals_of(positive, negative):
                    yield [-literal, either]

    def applies(self, world: int) -> bool:
        """Return whether all conditions are true at the world."""
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
    """Return the first of these lemmas that applies at the world; None if none does."""
    for lemma in lemmas:
        # The first test of `applies` is inlined, because most lemmas fail it.
        if world & lemma.true != lemma.true or world & lemma.false:
            continue
        if not lemma.clauses or lemma.applies(world):
            return lemma
    return None
