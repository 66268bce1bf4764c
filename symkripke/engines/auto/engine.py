"""The engine that chooses: `Answer.engine` says who answered, `Answer.reason` why it was asked."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from symkripke.engines.asked import agents_asked, perspective_asked
from symkripke.engines.auto.attempt import Question, first_answer
from symkripke.engines.auto.choice import Choice, Whom
from symkripke.engines.clock import Budget
from symkripke.engines.counting.weighting import checked
from symkripke.engines.protocol import Answer, Engine, Sheet
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.explain.evidence import Evidence
from symkripke.language import EB, Atom, B, Formula, M, P, disjunction
from symkripke.language.walk import has_beliefs, remembered, subformulas
from symkripke.model import Beliefs, KnowledgeStructure, Perspective, Scene, State, World

if TYPE_CHECKING:
    from symkripke.engines.bdd import BddEngine
    from symkripke.engines.counting.markov_chain import Chain
    from symkripke.engines.sat import SatEngine

T = TypeVar("T")

# Room for a diagram that is tried first: 640 muddy children need a third of it, and what needs more
# has filled it in about a second.
_TRIAL_NODES = 500_000

# Seconds to look for reasons of a belief that a diagram has found, if no budget is given.
_REASON_SECONDS = 20.0


class AutoEngine:
    """Implements `symkripke.engines.protocol.Engine` by asking the engine that fits.

    `symkripke.engines.auto.choice` says which one that is; if it cannot answer, the other is asked.
    `bdd` counts.
    """

    name = "auto"

    def __init__(self, weighting: str = "equal") -> None:
        """With engines of its own, each imported when it is first needed.

        Raises `UnknownName` for no weighting.
        """
        self.weighting = checked(weighting)
        self._choice = Choice()
        # The last answer: what is asked at a scene and then announced is judged once more there.
        self._last: tuple[State, Formula, Answer] | None = None

    @cached_property
    def sat(self) -> SatEngine:
        """The engine of clauses."""
        from symkripke.engines.sat import SatEngine

        return SatEngine()

    @cached_property
    def bdd(self) -> BddEngine:
        """The engine of diagrams."""
        from symkripke.engines.bdd import BddEngine

        return BddEngine(weighting=self.weighting)

    @cached_property
    def trial(self) -> BddEngine:
        """Diagrams with little room, so that it is soon clear if they do not fit."""
        from symkripke.engines.bdd import BddEngine

        return BddEngine(_TRIAL_NODES)

    # ---- asking them --------------------------------------------------------------------------

    def _is_drawn(self, structure: KnowledgeStructure) -> bool:
        """Whether the large diagram of the law is there; makes no engine to find out."""
        return "bdd" in self.__dict__ and self.bdd.drawn(structure)

    def _engine(self, whom: Whom) -> Engine:
        match whom:
            case "sat":
                return self.sat
            case "bdd":
                return self.bdd
            case "trial":
                return self.trial

    def _ask(
        self,
        structure: KnowledgeStructure,
        question: Question[T],
        formula: Formula | None = None,
        budget: Budget | None = None,
        *,
        belief: bool = False,
    ) -> tuple[T, str]:
        """The answer of the first engine that has one, and why it was asked."""
        return first_answer(
            self._choice.attempts(structure, formula, belief, self._is_drawn),
            self._engine,
            question,
            budget,
            lambda: self._choice.outgrown(structure),
        )

    # ---- the engine's interface ---------------------------------------------------------------

    def holds(self, state: State, formula: Formula | str, budget: Budget | None = None) -> Answer:
        """See `Reasoner.holds`. `sat` gives the evidence where the answering engine has none."""
        asked = _read(state.structure, formula)
        if self._last is not None and self._last[0] is state and self._last[1] is asked:
            return self._last[2]
        answer, reason = self._ask(
            state.structure, lambda engine, share: engine.holds(state, asked, share), asked, budget
        )

        def why() -> Evidence:
            try:
                return answer.why()
            except Unsupported:
                if answer.engine == "sat":
                    raise
                if any(isinstance(part, P) for part in subformulas(asked)):
                    told = "it was counted: a probability rests on all that is possible"
                    raise Unsupported(told) from None
                return self._reason(state, asked, budget)

        given = Answer(bool(answer), answer.formula, answer.engine, why, reason)
        self._last = (state, asked, given)
        return given

    def _reason(self, state: State, asked: Formula, budget: Budget | None) -> Evidence:
        """The evidence of `sat` for what another engine has answered."""
        limit = budget
        if limit is None and has_beliefs(asked):
            limit = Budget(seconds=_REASON_SECONDS)
        try:
            # What is kept may be the hard part for `sat`, and is known.
            for agent in _believers(asked):
                if isinstance(state, Scene) or state.agent == agent:
                    view = state.perspective(agent) if isinstance(state, Scene) else state
                    self.sat.evaluator.beliefs.adopt(view, self.believed(view, limit))
            return self.sat.holds(state, asked, limit).why()
        except BudgetExceeded as ran_out:
            if limit is budget:
                raise
            raise Unsupported(f"no sources were found: {ran_out}") from None

    def valid(
        self, structure: KnowledgeStructure, formula: Formula | str, budget: Budget | None = None
    ) -> Answer:
        """See `Reasoner.valid`."""
        asked = _read(structure, formula)
        answer, reason = self._ask(
            structure, lambda engine, share: engine.valid(structure, asked, share), asked, budget
        )

        def why() -> Evidence:
            try:
                return answer.why()
            except Unsupported:
                if answer.engine == "sat":
                    raise
                return self.sat.valid(structure, asked, budget).why()

        return Answer(bool(answer), answer.formula, answer.engine, why, reason)

    def possible_to(
        self,
        scene: Scene,
        formula: Formula | str,
        agents: Iterable[str],
        budget: Budget | None = None,
    ) -> frozenset[str]:
        """See `Reasoner.possible_to`."""
        asked, whose = _read(scene.structure, formula), agents_asked(agents)
        question = disjunction(M(agent, asked) for agent in whose)
        return self._ask(
            scene.structure,
            lambda engine, share: engine.possible_to(scene, asked, whose, share),
            question,
            budget,
        )[0]

    def witness(
        self,
        state: State | KnowledgeStructure,
        formula: Formula | str,
        budget: Budget | None = None,
    ) -> World | None:
        """See `Reasoner.witness`."""
        structure = state if isinstance(state, KnowledgeStructure) else state.structure
        asked = _read(structure, formula)
        return self._ask(
            structure, lambda engine, share: engine.witness(state, asked, share), asked, budget
        )[0]

    def sheet(
        self,
        perspective: Perspective,
        atoms: Iterable[Atom] | None = None,
        budget: Budget | None = None,
    ) -> Sheet:
        """See `Reasoner.sheet`."""
        asked = None if atoms is None else tuple(atoms)
        return self._ask(
            perspective.structure,
            lambda engine, share: engine.sheet(perspective, asked, share),
            budget=budget,
        )[0]

    def possibilities(
        self,
        perspective: Perspective,
        atoms: Sequence[Atom],
        limit: int = 100_000,
        budget: Budget | None = None,
    ) -> frozenset[frozenset[Atom]]:
        """See `Reasoner.possibilities`."""
        return self._ask(
            perspective.structure,
            lambda engine, share: engine.possibilities(perspective, atoms, limit, share),
            budget=budget,
        )[0]

    def believed(self, perspective: Perspective, budget: Budget | None = None) -> Beliefs:
        """See `Reasoner.believed`."""
        return self._ask(
            perspective_asked(perspective).structure,
            lambda engine, share: engine.believed(perspective, share),
            budget=budget,
            belief=True,
        )[0]

    def worlds(
        self,
        state: KnowledgeStructure | Perspective,
        over: Iterable[str] | None = None,
        budget: Budget | None = None,
    ) -> int:
        """See `Counter.worlds`."""
        return self.bdd.worlds(state, over, budget)

    def probability(
        self, perspective: Perspective, formula: Formula | str, budget: Budget | None = None
    ) -> Fraction:
        """See `Counter.probability`."""
        return self.bdd.probability(perspective, formula, budget)

    def marginals(
        self, perspective: Perspective, atoms: Iterable[Atom] | None = None
    ) -> Mapping[Atom, Fraction]:
        """See `Counter.marginals`."""
        return self.bdd.marginals(perspective, atoms)

    def distribution(
        self, perspective: Perspective, atoms: Sequence[Atom], limit: int = 100_000
    ) -> Mapping[frozenset[Atom], Fraction]:
        """See `Counter.distribution`."""
        return self.bdd.distribution(perspective, atoms, limit)

    def entropy(
        self, perspective: Perspective, atoms: Sequence[Atom], limit: int = 100_000
    ) -> float:
        """See `Counter.entropy`."""
        return self.bdd.entropy(perspective, atoms, limit)

    def sample(
        self,
        perspective: Perspective,
        number: int,
        chance: random.Random,
        over: Iterable[str] | None = None,
    ) -> list[World]:
        """See `Counter.sample`."""
        return self.bdd.sample(perspective, number, chance, over)

    def stepwise(self, perspective: Perspective, names: Sequence[str]) -> Chain:
        """See `Counter.stepwise`."""
        return self.bdd.stepwise(perspective, names)


def _read(structure: KnowledgeStructure, formula: Formula | str) -> Formula:
    if isinstance(formula, Formula):
        return formula
    # What is neither text nor a formula is refused there.
    return structure.parse(formula) if isinstance(formula, str) else structure.resolve(formula)


@remembered
def _believers(formula: Formula) -> frozenset[str]:
    """The agents of whose own beliefs the formula speaks."""
    agents: set[str] = set()
    for part in subformulas(formula):
        match part:
            case B(agent):
                agents.add(agent)
            case EB(group):
                agents.update(group)
    return frozenset(agents)
