"""The probability of a fact in each cell of an agent, computed once for equivalent cells.

Two fluents that a law of sums and the fact treat in the same way can be exchanged without changing
the law. The image of a cell ("Bob holds the rope and the hall, and nothing else") then has as many
worlds as the cell. A cell is therefore identified by the number of fluents of each kind with each
value. While few cards have been mentioned, most of the 455 possible hands of three cards are
equivalent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence, Set
from fractions import Fraction
from typing import TypeAlias

from symkripke import limits
from symkripke.engines.count.sums import SumConstraint, as_sums
from symkripke.language import Atom, Formula, negation
from symkripke.model import KnowledgeStructure, Perspective

Key: TypeAlias = tuple[object, ...]

Probability: TypeAlias = Callable[[Perspective, Formula], Fraction | None]
"""A function that returns the probability of a fact for an agent.

It returns None if sums cannot express the fact.
"""


class Cells:
    """The cells of an agent in one structure, and the probability of one fact in them."""

    def __init__(
        self,
        probability: Probability,
        law: Sequence[SumConstraint],
        structure: KnowledgeStructure,
        agent: str,
        fact: Formula,
    ) -> None:
        """Create an empty cache. `law` is the law of the structure; `fact` is resolved."""
        self._probability = probability
        self._structure = structure
        self._agent = agent
        self._fact = fact
        self._shares: dict[Key, Fraction | None] = {}
        self._observed: defaultdict[str, list[Atom]] = defaultdict(list)
        for observable in structure.observables[agent]:
            self._observed[observable.atom.fluent].append(observable.atom)
        fluents = structure.vocabulary.fluents
        said = as_sums(fact, fluents) or as_sums(negation(fact), fluents)
        self._kinds: dict[str, Key] | None = None
        if said is not None:
            self._kinds = _kinds(structure, (*law, *said), self._observed.keys())

    def share(self, seen: frozenset[Atom]) -> Fraction | None:
        """Return the probability in the cell in which the agent sees exactly these atoms.

        Return None if sums cannot express the fact. The cell must have a world.
        """
        if self._kinds is None:
            return None
        key = self._key(seen)
        if key not in self._shares:
            limits.check()
            perspective = Perspective(self._structure, self._agent, seen)
            self._shares[key] = self._probability(perspective, self._fact)
        return self._shares[key]

    def _key(self, seen: Set[Atom]) -> Key:
        """Return the key of a cell; equivalent cells have equal keys."""
        assert self._kinds is not None
        number: defaultdict[Key, int] = defaultdict(int)
        for fluent, atoms in self._observed.items():
            values = tuple([(atom.value, atom in seen) for atom in atoms])
            number[self._kinds[fluent], values] += 1
        return (frozenset(number.items()),)


def _kinds(
    structure: KnowledgeStructure, sums: Sequence[SumConstraint], asked: Set[str]
) -> dict[str, Key]:
    """Return the kind of each fluent of `asked`: its values and its contributions to the sums."""
    rows: defaultdict[str, list[object]] = defaultdict(list)
    for place, law_sum in enumerate(sums):
        for fluent in asked & law_sum.parts.keys():
            rows[fluent].append((place, law_sum.parts[fluent], law_sum.defines == fluent))
    fluents = structure.vocabulary.fluents
    return {fluent: (fluents[fluent].values, tuple(rows[fluent])) for fluent in asked}
