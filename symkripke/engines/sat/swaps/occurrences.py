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
        positive: the variables of the positive ones, as bits.
        negative: those of the negative ones.
        names: its fluents.
        defines: the fluent whose definition it is part of, if there is one.
    """

    literals: tuple[int, ...]
    positive: int
    negative: int
    names: frozenset[str]
    defines: str = ""


@dataclass(slots=True)
class Occurrences:
    """The constraints in which one fluent occurs: its occurrence list.

    Attributes:
        clauses: the clauses.
        counting: cardinality constraints: variables (bits), relation and bound.
        others: the formulas that are neither.
    """

    clauses: list[Clause] = field(default_factory=list)
    counting: list[tuple[int, f.Relation, int]] = field(default_factory=list)
    others: list[Formula] = field(default_factory=list)


@dataclass(slots=True)
class ConstraintIndex:
    """All clauses and cardinality constraints of a law, for look-up.

    `always` and `never` are the variables (bits) that unit clauses make true and false.
    """

    clauses: set[tuple[int, int]] = field(default_factory=set)
    counting: set[tuple[int, f.Relation, int]] = field(default_factory=set)
    always: int = 0
    never: int = 0

    def add(self, positive: int, negative: int) -> None:
        """Add a clause."""
        self.clauses.add((positive, negative))
        if not negative and not positive & (positive - 1):
            self.always |= positive
        elif not positive and not negative & (negative - 1):
            self.never |= negative
