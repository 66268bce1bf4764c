"""The engine that chooses another engine for each question.

`Answer.engine` names the engine that answered, and `Answer.reason` says why it was chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

from symkripke.engines.asked import parsed, state_asked, structure_of
from symkripke.engines.auto.rules import Asked, EngineName, turns, weighs
from symkripke.engines.auto.tuning import DEFAULT, AutoTuning
from symkripke.engines.auto.turns import first_answer
from symkripke.engines.base import BaseEngine, CountingEngine, in_turn
from symkripke.engines.count.weighting import checked
from symkripke.engines.protocol import Answer, Engine, Mark
from symkripke.errors import TooManyNodes, Unsupported
from symkripke.language import Atom, Formula, M, disjunction
from symkripke.limits import Budget
from symkripke.model import (
    Beliefs,
    EpistemicState,
    KnowledgeStructure,
    MultiPointedStructure,
    Perspective,
    Scene,
    World,
)

if TYPE_CHECKING:
    from symkripke.engines.bdd import BddEngine
    from symkripke.engines.sat import SatEngine
    from symkripke.engines.smt import SmtEngine
    from symkripke.explain.evidence import Evidence

T = TypeVar("T")


class AutoEngine(CountingEngine):
    """An engine (`symkripke.engines.protocol.Engine`) that asks the most suitable other engine.

    The rules in `symkripke.engines.auto.rules` choose it. If it cannot answer, another engine is
    asked. The bdd engine does all counting. The engines can also be asked directly, because all of
    them share one lock.
    """

    name = "auto"
    takes_numbers = True

    def __init__(self, weighting: str | None = None, tuning: AutoTuning = DEFAULT) -> None:
        """Create an engine with its own engines, each imported on first use.

        Raise `UnknownName` for an unknown weighting.
        """
        super().__init__()
        self.weighting = checked(weighting)
        self.tuning = tuning
        self._sat: SatEngine | None = None
        self._bdd: BddEngine | None = None
        self._bdd_small: BddEngine | None = None
        self._smt: SmtEngine | None = None
        # First structures whose diagrams have outgrown the small bound.
        self._outgrown: WeakSet[KnowledgeStructure] = WeakSet()
        # The last answer, because a formula that is asked and then announced is evaluated twice at
        # one scene. Without this cache, files take 1.05 times as long (`python -m benchmarks
        # engines`).
        self._last: tuple[EpistemicState, Formula, Answer] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.weighting, self.tuning)

    @property
    def sat(self) -> SatEngine:
        """The sat engine, which uses clauses."""
        with self._lock:
            if self._sat is None:
                from symkripke.engines.sat import SatEngine

                self._sat = self._part(SatEngine())
            return self._sat

    @property
    def bdd(self) -> BddEngine:
        """The bdd engine, which uses diagrams."""
        with self._lock:
            if self._bdd is None:
                from symkripke.engines.bdd import BddEngine

                self._bdd = self._part(BddEngine(weighting=self.weighting))
            return self._bdd

    @property
    def smt(self) -> SmtEngine:
        """The smt engine, for numbers without bounds."""
        with self._lock:
            if self._smt is None:
                from symkripke.engines.smt import SmtEngine

                self._smt = self._part(SmtEngine())
            return self._smt

    @property
    def bdd_small(self) -> BddEngine:
        """The bdd engine with a small bound on nodes, which large diagrams reach quickly."""
        with self._lock:
            if self._bdd_small is None:
                from symkripke.engines.bdd import BddEngine

                self._bdd_small = self._part(BddEngine(self.tuning.small_nodes, self.weighting))
            return self._bdd_small

    # ---- asking them --------------------------------------------------------------------------

    def _engine(self, name: EngineName) -> Engine:
        engine: Engine = getattr(self, name)
        return engine

    def _ask(
        self,
        structure: KnowledgeStructure,
        question: Callable[[Engine], T],
        formula: Formula | None = None,
        *,
        belief: bool = False,
    ) -> tuple[T, str]:
        """Return the answer of the first engine that has one, and the reason for asking it."""
        first = turns(Asked(structure, formula, belief, self.tuning))
        root = structure.root
        if root in self._outgrown or (self._bdd is not None and self._bdd.drawn(structure)):
            first = tuple(turn.with_all_room() for turn in first)
        if root in self._outgrown:  # a large diagram is likely, so sat comes first
            first = tuple(sorted(first, key=lambda turn: turn.engine != "sat"))
        return first_answer(
            first, self._engine, question, self.tuning.growth, lambda: self._outgrown.add(root)
        )

    # ---- truth --------------------------------------------------------------------------------

    @in_turn
    def holds(
        self,
        state: EpistemicState | MultiPointedStructure,
        formula: Formula | str,
        budget: Budget | None = None,
    ) -> Answer:
        """See `Reasoner.holds`."""
        if isinstance(state, MultiPointedStructure):
            return self._at_all(state, formula, budget)
        asked = parsed(state_asked(state).structure, formula)
        if self._last is not None and self._last[0] is state and self._last[1] is asked:
            return self._last[2]
        answer, reason = self._ask(
            state.structure,
            lambda engine: engine.holds(state, asked),
            asked,
        )

        def why() -> Evidence:
            if not weighs(asked):
                return self._anew()._evidence(state, asked)
            try:
                return answer.why()
            except Unsupported:
                remark = "it was counted: a probability depends on all worlds that are possible"
                raise Unsupported(remark) from None

        explained = self._later(why, budget)
        given = Answer(bool(answer), answer.formula, answer.engine, explained, reason)
        self._last = (state, asked, given)
        return given

    @in_turn
    def valid(
        self, structure: KnowledgeStructure, formula: Formula | str, budget: Budget | None = None
    ) -> Answer:
        """See `Reasoner.valid`."""
        asked = parsed(structure, formula)
        answer, reason = self._ask(structure, lambda engine: engine.valid(structure, asked), asked)
        truth = bool(answer)
        why = self._later(lambda: self._anew()._why_valid(structure, asked, truth), budget)
        return Answer(truth, answer.formula, answer.engine, why, reason)

    # ---- evidence -----------------------------------------------------------------------------

    def _anew(self) -> AutoEngine:
        """See `BaseEngine._anew`. Earlier questions affect which engine answers later ones."""
        return AutoEngine(self.weighting, self.tuning)

    def _evidence(self, state: EpistemicState, formula: Formula) -> Evidence:
        """Return the evidence of the engine that answers, or of `sat` if that engine has none."""
        engine = self._answering(
            state.structure, lambda engine: engine.holds(state, formula), formula
        )
        resolved = state.structure.resolve(formula)
        try:
            return engine._evidence(state, resolved)
        except (Unsupported, TooManyNodes):
            if engine in (self.sat, self._smt):
                raise
        return self.sat._evidence(state, resolved)

    def _why_valid(self, structure: KnowledgeStructure, formula: Formula, truth: bool) -> Evidence:
        """Return the evidence for the truth or falsity of a formula at all worlds."""
        engine = self._answering(
            structure, lambda engine: engine.valid(structure, formula), formula
        )
        resolved = structure.resolve(formula)
        try:
            return engine._why_valid(structure, resolved, truth)
        except (Unsupported, TooManyNodes):
            if engine in (self.sat, self._smt):
                raise
        return self.sat._why_valid(structure, resolved, truth)

    def _answering(
        self,
        structure: KnowledgeStructure,
        question: Callable[[Engine], Answer],
        formula: Formula,
    ) -> BaseEngine:
        """Return the engine that answers a question."""

        def asked(engine: Engine) -> Engine:
            question(engine)
            return engine

        engine, _ = self._ask(structure, asked, formula)
        assert isinstance(engine, BaseEngine)
        return engine

    # ---- counting ---------------------------------------------------------------------------

    @in_turn
    def worlds(
        self,
        state: KnowledgeStructure | Perspective,
        over: Iterable[str] | None = None,
        budget: Budget | None = None,
    ) -> int:
        """See `Counter.worlds`."""
        if structure_of(state).vocabulary.numbers:
            return self.smt.worlds(state, over)
        return super().worlds(state, over)

    @in_turn
    def probability(
        self, perspective: Perspective, formula: Formula | str, budget: Budget | None = None
    ) -> Fraction:
        """See `Counter.probability`."""
        if perspective.structure.vocabulary.numbers:
            return self.smt.probability(perspective, formula)
        return super().probability(perspective, formula)

    # ---- the hooks of `BaseEngine`, asked of the engine that fits -----------------------------

    def _resolve(self, structure: KnowledgeStructure, formula: Formula | str) -> Formula:
        """Return the formula as stated, because the engine that answers resolves it."""
        return parsed(structure, formula)

    def _truth(self, state: EpistemicState, formula: Formula) -> bool:
        return bool(self.holds(state, formula))

    def _possible_to(
        self, scene: Scene, formula: Formula, agents: tuple[str, ...]
    ) -> frozenset[str]:
        return self._ask(
            scene.structure,
            lambda engine: engine.possible_to(scene, formula, agents),
            _possible_to_some(formula, agents),
        )[0]

    def _world(self, state: EpistemicState | KnowledgeStructure, formula: Formula) -> World | None:
        return self._ask(
            structure_of(state),
            lambda engine: engine.witness(state, formula),
            formula,
        )[0]

    def _marks(self, perspective: Perspective, atoms: tuple[Atom, ...]) -> Iterable[Mark]:
        return self._ask(
            perspective.structure,
            lambda engine: engine.sheet(perspective, atoms).marks,
        )[0]

    def _possibilities(
        self, perspective: Perspective, atoms: tuple[Atom, ...], limit: int
    ) -> frozenset[frozenset[Atom]]:
        return self._ask(
            perspective.structure,
            lambda engine: engine.possibilities(perspective, atoms, limit),
        )[0]

    def _beliefs(self, perspective: Perspective) -> Beliefs:
        return self._ask(
            perspective.structure,
            lambda engine: engine.believed(perspective),
            belief=True,
        )[0]

    @property
    def _counting(self) -> BddEngine:
        return self.bdd


@lru_cache(maxsize=256)
def _possible_to_some(formula: Formula, agents: tuple[str, ...]) -> Formula:
    """Return the formula stating that at least one of these agents considers `formula` possible.

    The formula is cached because the same question follows each event, and engines drop their
    results together with the formula.
    """
    return disjunction(M(agent, formula) for agent in agents)
