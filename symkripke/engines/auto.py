"""The engine that chooses: by the question, and by how the situation came about.

* What some agents know goes to `sat`: deals of cards are small to it and huge to a diagram.
* After announcements about knowledge ("nobody knows yet") it goes to `bdd` first: what follows from
  others' ignorance is often symmetric (muddy children), small as a diagram, and needs very many
  lemmas. If the diagram outgrows its budget, `sat` has its turn.
* Counts and probabilities go to `bdd`.
* What one of them does not answer, or not within its budget, goes to the other.

`Answer.engine` says who answered.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from symkripke.engines.evidence import Evidence
from symkripke.engines.protocol import Answer, Budget, Engine, Sheet
from symkripke.engines.sat import SatEngine
from symkripke.engines.weighting import checked
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.language import Atom, Formula
from symkripke.model import KnowledgeStructure, Perspective, State, World

if TYPE_CHECKING:
    from symkripke.engines.bdd import BddEngine

T = TypeVar("T")


class AutoEngine:
    """Implements `symkripke.engines.protocol.Engine` by asking the engine that fits."""

    name = "auto"

    def __init__(self, weighting: str = "equal") -> None:
        """With engines of its own; the diagrams are imported when they are first needed.

        Raises `UnknownName` for no weighting.
        """
        self.weighting = checked(weighting)
        self.sat = SatEngine()

    @cached_property
    def bdd(self) -> BddEngine:
        """The engine of diagrams."""
        from symkripke.engines.bdd import BddEngine

        return BddEngine(weighting=self.weighting)

    def _ask(self, structure: KnowledgeStructure, question: Callable[[Engine], T]) -> T:
        """Put the question to the engine that fits, and to the other one if that cannot answer."""
        first, second = (self.bdd, self.sat) if structure.is_modal else (self.sat, None)
        try:
            return question(first)
        except (Unsupported, BudgetExceeded) as refused:
            try:
                return question(second or self.bdd)
            except (Unsupported, BudgetExceeded):
                raise refused from None

    def holds(self, state: State, formula: Formula | str, budget: Budget | None = None) -> Answer:
        """See `Engine.holds`. The evidence comes from `sat` where the answering engine has none."""
        answer = self._ask(state.structure, lambda engine: engine.holds(state, formula, budget))
        if answer.engine == self.sat.name:
            return answer

        def why() -> Evidence:
            try:
                return answer.why()
            except Unsupported:
                return self.sat.holds(state, formula, budget).why()

        return Answer(bool(answer), answer.formula, answer.engine, why)

    def valid(
        self, structure: KnowledgeStructure, formula: Formula | str, budget: Budget | None = None
    ) -> Answer:
        """See `Engine.valid`."""
        return self._ask(structure, lambda engine: engine.valid(structure, formula, budget))

    def witness(self, state: State | KnowledgeStructure, formula: Formula | str) -> World | None:
        """See `Engine.witness`."""
        structure = state if isinstance(state, KnowledgeStructure) else state.structure
        return self._ask(structure, lambda engine: engine.witness(state, formula))

    def sheet(self, perspective: Perspective, atoms: Iterable[Atom] | None = None) -> Sheet:
        """See `Engine.sheet`."""
        asked = None if atoms is None else tuple(atoms)
        return self._ask(perspective.structure, lambda engine: engine.sheet(perspective, asked))

    def possibilities(
        self, perspective: Perspective, atoms: Sequence[Atom], limit: int = 100_000
    ) -> frozenset[frozenset[Atom]]:
        """See `Engine.possibilities`."""
        return self._ask(
            perspective.structure, lambda engine: engine.possibilities(perspective, atoms, limit)
        )

    def worlds(
        self, state: KnowledgeStructure | Perspective, over: Iterable[str] | None = None
    ) -> int:
        """See `Engine.worlds`."""
        return self.bdd.worlds(state, over)

    def probability(self, perspective: Perspective, formula: Formula | str) -> Fraction:
        """See `Engine.probability`."""
        return self.bdd.probability(perspective, formula)

    def marginals(
        self, perspective: Perspective, atoms: Iterable[Atom] | None = None
    ) -> Mapping[Atom, Fraction]:
        """See `Engine.marginals`."""
        return self.bdd.marginals(perspective, atoms)

    def distribution(
        self, perspective: Perspective, atoms: Sequence[Atom], limit: int = 100_000
    ) -> Mapping[frozenset[Atom], Fraction]:
        """See `Engine.distribution`."""
        return self.bdd.distribution(perspective, atoms, limit)

    def entropy(
        self, perspective: Perspective, atoms: Sequence[Atom], limit: int = 100_000
    ) -> float:
        """See `Engine.entropy`."""
        return self.bdd.entropy(perspective, atoms, limit)

    def sample(
        self,
        perspective: Perspective,
        number: int,
        chance: random.Random,
        over: Iterable[str] | None = None,
    ) -> list[World]:
        """See `Engine.sample`."""
        return self.bdd.sample(perspective, number, chance, over)
