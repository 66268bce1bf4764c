"""Lemmas: conditions, true at some worlds, that imply something at every world of the law."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from symkripke.engines.sat.bits import literals_of
from symkripke.engines.sat.swaps.swap import Swap


@dataclass(eq=False, slots=True)
class Lemma:
    """Conditions that together imply a proxy, or (as `Proxy.lemmas` says) its negation.

    Attributes:
        true: the variables (bits) that are to be true.
        false: those that are to be false.
        literals: those of them that imply the others.
        swap: for a lemma from a counter-world, the swap that leads to it.
        clauses: clauses that are to be true, too: their variables (bits), positive and negative.
        either: for each of them a variable that is true where the clause is, see `meaning`.
        free: the variables (bits) whose values after the swap are left open: see `projection`.
    """

    true: int
    false: int
    literals: list[int]
    swap: Swap | None = None
    clauses: tuple[tuple[int, int], ...] = ()
    either: tuple[int, ...] = ()
    free: int = 0

    def clause(self, head: int) -> list[int]:
        """That it implies this literal, as a clause."""
        return [
            *(-literal for literal in self.literals),
            *(-either for either in self.either),
            head,
        ]

    def meaning(self, known: set[int]) -> Iterator[list[int]]:
        """What the variables of `either` mean, as clauses; those `known`, which grow, left out."""
        for (positive, negative), either in zip(self.clauses, self.either, strict=True):
            if either not in known:
                known.add(either)
                for literal in literals_of(positive, negative):
                    yield [-literal, either]

    def applies(self, world: int) -> bool:
        """Whether all its conditions are true at the world."""
        if world & self.true != self.true or world & self.false:
            return False
        return all(world & positive or ~world & negative for positive, negative in self.clauses)

    def implicant(self, world: int) -> list[int]:
        """Literals, true at a world at which it applies, wherever which are true it applies."""
        found = list(self.literals)
        for positive, negative in self.clauses:
            true, false = world & positive, ~world & negative
            if true & self.true or false & self.false:
                continue
            found.append(true.bit_length() - 1 if true else 1 - false.bit_length())
        return found


def applying(lemmas: Iterable[Lemma], world: int) -> Lemma | None:
    """The first of these lemmas that applies at the world."""
    for lemma in lemmas:
        # As `applies`, without a call for the many that do not.
        if world & lemma.true != lemma.true or world & lemma.false:
            continue
        if not lemma.clauses or lemma.applies(world):
            return lemma
    return None
