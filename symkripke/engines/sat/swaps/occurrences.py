"""Occurrence lists: the constraints in which a fluent occurs, and an index of all constraints."""

from __future__ import annotations

from dataclasses import field

from symkripke.language import Formula
from symkripke.language import formulas as f
from symkripke.records import dataclass


@dataclass(eq=False, slots=True)
class Clause:
    """A clause.

    Attributes:
        literals: its literals.
        positive: the variables of its positive literals, as bits.
        negative: the variables of its negative literals, as bits.
        names: its fluents.
        defines: the fluent whose definition contains the clause; empty if there is none.
    """

    literals: tuple[int, ...]
    positive: int
    negative: int
    names: frozenset[str]
    defines: str = ""


@dataclass(slots=True)
class Occurrences:
    """The occurrence list of a fluent: the constraints in which it occurs.

    Attributes:
        clauses: the clauses.
        counting: the cardinality constraints: variables (bits), relation and bound.
        others: all other formulas.
    """

    clauses: list[Clause] = field(default_factory=list)
    counting: list[tuple[int, f.Relation, int]] = field(default_factory=list)
    others: list[Formula] = field(default_factory=list)


@dataclass(slots=True)
class ConstraintIndex:
    """An index of all clauses and cardinality constraints of a law.

    Attributes:
        clauses: the clauses, as positive and negative variables (bits).
        counting: the cardinality constraints: variables (bits), relation and bound.
        always: the variables (bits) that unit clauses make true.
        never: the variables (bits) that unit clauses make false.
    """

    clauses: set[tuple[int, int]] = field(default_factory=set)
    counting: set[tuple[int, f.Relation, int]] = field(default_factory=set)
    always: int = 0
    never: int = 0

    def add(self, positive: int, negative: int) -> None:
        """Add a clause by its positive and negative variables (bits)."""
        self.clauses.add((positive, negative))
        if not negative and not positive & (positive - 1):
            self.always |= positive
        elif not positive and not negative & (negative - 1):
            self.never |= negative
