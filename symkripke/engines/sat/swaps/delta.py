"""The law delta: constraints that events added to the law, and which lemmas and worlds fit them.

A lemma from a swap stays true with further conditions: the swap preserves the new constraints, and
its agents do not see it in what they observe since.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symkripke.engines.sat.bits import variables_of, ways
from symkripke.engines.sat.swaps.law import Law
from symkripke.engines.sat.swaps.lemma import Lemma
from symkripke.engines.sat.swaps.precondition import Precondition
from symkripke.engines.sat.swaps.preservation import preserve
from symkripke.engines.sat.swaps.projection import ProjectedLaw, projected_occurrences
from symkripke.engines.sat.swaps.regression import extended_to_defined
from symkripke.engines.sat.swaps.swap import TRUE
from symkripke.language import Formula
from symkripke.model import KnowledgeStructure

# If new fluents of a known world can have more combinations of values, the world is dropped.
_EXTENSIONS = 64


class LawDelta(Law):
    """The constraints that events added to a law, over all fluents of the later law.

    Attributes:
        fresh: the new fluents.
    """

    def __init__(self, law: Law, fresh: Sequence[str], formulas: Sequence[Formula]) -> None:
        """The delta of the new constraints `formulas`; `law` is the later law, with all."""
        super().__init__(law.encoding, law.implicants)
        self.fluents, self.masks, self.one_of = law.fluents, law.masks, law.one_of
        self.constraints = law.constraints
        self.share(law)
        self.fresh = fresh
        self.defined = {name: law.defined[name] for name in fresh if name in law.defined}
        self._formulas = formulas
        self._touched = 0
        """The variables (bits) of fluents in new constraints."""
        self._projected: dict[ProjectedLaw, LawDelta] = {}

    @classmethod
    def between(cls, law: Law, earlier: KnowledgeStructure, later: KnowledgeStructure) -> LawDelta:
        """The constraints and fluents of `later`, with its `law`, that `earlier` does not have."""
        known = earlier.vocabulary.fluents
        fresh = [name for name in later.vocabulary.fluents if name not in known]
        stages = later.stages[len(earlier.stages) :]
        formulas = [formula for stage in stages for formula in law.encoding.facts(stage)]
        delta = cls(law, fresh, formulas)
        for formula in formulas:
            delta.add(formula)
        delta._touched = delta.bits(delta.occurrences)
        return delta

    def projected(self, law: ProjectedLaw) -> LawDelta:
        """The same, without the fluents that are eliminated from `law`, the later one."""
        delta = self._projected.get(law)
        if delta is None:
            delta = self._projected[law] = LawDelta(self, self.fresh, self._formulas)
            delta.share(law)
            delta.defined = {
                name: definition for name, definition in self.defined.items() if name in law.defined
            }
            eliminated = {
                name: law.eliminated[name] for name in self.fresh if name in law.eliminated
            }
            delta.occurrences, delta._linked = projected_occurrences(self, eliminated)
            delta._touched = self.bits(delta.occurrences)
        return delta

    def renewed(self, lemma: Lemma, observed: int) -> Lemma | None:
        """A lemma from a swap, with the conditions that it needs now; None if none are enough.

        `observed` are the variables (bits) that its agents observe since.
        """
        swap = lemma.swap
        assert swap is not None
        if lemma.free & (self._touched | observed):
            return None
        if not swap.mask & (self._touched | observed):
            return lemma
        precondition = Precondition(lemma.true, lemma.false, dict.fromkeys(lemma.clauses))
        swap = extended_to_defined(swap, self.defined, precondition, None)
        for variable in variables_of(observed & swap.mask):
            renamed = swap.renamed[variable]
            if renamed > 0:
                both = 1 << variable | 1 << renamed
                if both & ~precondition.true and both & ~precondition.false:
                    # The agents see no difference if both are false. (Or both true: that is rare.)
                    precondition.false |= both
            elif renamed == TRUE:
                precondition.true |= 1 << variable
            else:
                precondition.false |= 1 << variable
        if not preserve(self, swap, precondition, None):
            return None
        free = lemma.free | self.free(swap)
        same = swap is lemma.swap and (precondition.true, precondition.false, free) == (
            lemma.true,
            lemma.false,
            lemma.free,
        )
        if same and len(precondition.clauses) == len(lemma.clauses):
            return lemma
        return self.settled(precondition, swap, free)

    def extended(self, world: int) -> Iterator[int]:
        """The world with values for the new fluents, in all ways that fit the new constraints."""
        tests = [self.implicants.test(formula) for formula in self._formulas]
        for chosen in ways([self.fluents[name] for name in self.fresh], _EXTENSIONS):
            whole = world | chosen
            # The formulas are tested, not the clauses: an old world has no values for the variables
            # that stand for their parts.
            if all(test(whole) for test in tests):
                yield whole
