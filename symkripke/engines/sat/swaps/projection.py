"""Projection: the elimination of fluents that matter neither to the agents nor to the formula.

A fluent that only two agents see may not matter for what a third agent knows about the rest. To the
third agent, "a card was shown" means only "one of these three cards was there". So a swap that must
be hidden from the third agent need not specify the new value of the fluent. This is variable
elimination (existential quantification) by resolution.

Let d be a fluent that G does not observe and f does not mention, and let all constraints on d be
clauses. Let R_v be these clauses with d = v substituted. Some value of d is consistent with the
other fluents iff the *residue* "R_v for some v" is true. The residue is written as clauses.
Consider a valuation of the other fluents that satisfies the rest of the law and the residue. With
some value of d it is a world of the law. G cannot distinguish the values of d, and f does not
depend on d. Several such fluents can be eliminated together if no clause mentions two of them,
because their values can then be chosen independently.

A lemma from such a swap is valid until the next event.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod

from symkripke.engines.sat.bits import literals_of
from symkripke.engines.sat.swaps.law import Law
from symkripke.engines.sat.swaps.occurrences import Clause, Occurrences
from symkripke.limits import check

_NOTHING = Occurrences()


def residue(law: Law, name: str) -> list[Clause] | None:
    """Return the residue of a fluent, as clauses that the law implies.

    Return None if constraints on the fluent are not clauses, or if the residue is too large.
    """
    mask, variables = law.masks[name], law.fluents[name]
    domain = (mask, "exactly", 1)
    occurrences = law.occurrences.get(name, _NOTHING)
    if occurrences.others or any(counted != domain for counted in occurrences.counting):
        return None
    # Split each clause into the literals of this fluent and the others.
    parts = [
        (
            clause.positive & mask,
            clause.negative & mask,
            (clause.positive & ~mask, clause.negative & ~mask),
        )
        for clause in occurrences.clauses
    ]
    cases: list[list[tuple[int, int]]] = []
    for value in [0, mask] if len(variables) == 1 else [1 << variable for variable in variables]:
        check()
        left = {rest for yes, no, rest in parts if not (yes & value or no & ~value)}
        if not left:
            return []  # with this value, all clauses are true
        if (0, 0) not in left:
            cases.append(sorted(left))
    if prod(map(len, cases)) > law.encoding.tuning.residue_clauses:
        return None
    clauses = []
    for chosen in product(*cases):
        positive = negative = 0
        for more, less in chosen:
            positive, negative = positive | more, negative | less
        if not positive & negative:
            literals = literals_of(positive, negative)
            clauses.append(Clause(tuple(literals), positive, negative, law.names(literals)))
    return clauses


def projected_occurrences(law: Law, residues: Mapping[str, list[Clause]]) -> dict[str, Occurrences]:
    """Return the occurrence lists of the law with these fluents eliminated."""
    hidden = law.bits(residues)
    linked: dict[str, None] = {}
    more: dict[str, list[Clause]] = {}
    for name, clauses in residues.items():
        occurrences = law.occurrences.get(name)
        if occurrences is not None:
            together = frozenset[str]().union(*[clause.names for clause in occurrences.clauses])
            linked.update(dict.fromkeys(together.difference(residues)))
        for clause in clauses:
            for other in clause.names:
                more.setdefault(other, []).append(clause)
    constraints = {
        name: mentioned for name, mentioned in law.occurrences.items() if name not in residues
    }
    for name in linked:
        old = law.occurrences[name]
        left = [
            clause for clause in old.clauses if not (clause.positive | clause.negative) & hidden
        ]
        constraints[name] = Occurrences([*left, *more.get(name, ())], old.counting, old.others)
    return constraints


class ProjectedLaw(Law):
    """A law from which some fluents are eliminated."""

    def __init__(self, law: Law, eliminated: Mapping[str, list[Clause]]) -> None:
        """Create a copy of `law` without the `eliminated` fluents, given with their residues."""
        super().__init__(law.encoding, law.implicants)
        gone = law.bits(eliminated)
        self.fluents, self.one_of, self.constraints = law.fluents, law.one_of, law.constraints
        self.masks = {name: mask for name, mask in law.masks.items() if name not in eliminated}
        self.share(law)
        self.defined = {
            name: definition
            for name, definition in law.defined.items()
            if name not in eliminated and not definition.support & gone
        }
        self.occurrences = projected_occurrences(law, eliminated)


class Projections:
    """The projections of a law, by the fluents that are eliminated."""

    def __init__(self, law: Law, residues: Mapping[str, list[Clause]]) -> None:
        """Create projections, given the residues of fluents that can be eliminated together."""
        self._law = law
        self._residues = residues
        self._gone = law.bits(residues)
        self._of: dict[int, ProjectedLaw] = {}

    @classmethod
    def stated(cls, law: Law) -> Projections:
        """Return the projections of a complete law, and add the residues to its constraints.

        The residues follow from the law. They are added to its index of constraints, so that a swap
        that turns one residue into another needs no condition.
        """
        residues: dict[str, list[Clause]] = {}
        gone = 0
        for name, mask in law.masks.items():
            clauses = residue(law, name)
            if clauses is not None and not any(
                (clause.positive | clause.negative) & gone
                for clause in law.occurrences.get(name, _NOTHING).clauses
            ):
                residues[name] = clauses
                gone |= mask
                for clause in clauses:
                    law.constraints.add(clause.positive, clause.negative)
        return cls(law, residues)

    def of(self, seen: int) -> ProjectedLaw:
        """Return the law without the eliminable fluents, except those with variables in `seen`."""
        key = seen & self._gone
        projected = self._of.get(key)
        if projected is None:
            eliminated = {
                name: clauses
                for name, clauses in self._residues.items()
                if not self._law.masks[name] & key
            }
            projected = self._of[key] = ProjectedLaw(self._law, eliminated)
        return projected
