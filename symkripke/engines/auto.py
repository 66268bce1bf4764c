"""The engine that chooses: by the question, and by how the situation came about.

* What some agents know goes to `sat`: deals of cards are small to it and huge to a diagram.
* After announcements about knowledge ("nobody knows yet"), and for a question that makes one about
  many agents, a diagram with little room is tried first: what follows from others' ignorance is
  often symmetric (muddy children), small as a diagram, and needs very many lemmas. If it
  outgrows its room, which takes about a second, `sat` has its turn, from then on at once for all
  situations of the same beginning; after a minute of both, a diagram with all its room. Where
  things are dealt out, so many to each, `sat` is asked first: deals are the hard case of diagrams,
  after announcements as before. Not if so few are dealt (Russian cards) that no diagram can be
  large.
* What many agents know goes to a diagram, too, if the law says so little that it is surely small:
  a solver for each agent would take longer to set up.
* Beliefs are asked for in the same way: the most plausible worlds of all cells of an agent are one
  diagram, if it is small (dice are); where things are dealt out, and for want of room, `sat`.
* Where the first law says nothing (dice, coins: things that have nothing to do with each other),
  what agents know of each other's knowledge is a small diagram, too, and is tried so.
* Counts and probabilities go to `bdd`.
* What one of them does not answer, or not within its budget, goes to the other. A budget of time
  is shared: who is asked first has half of it.

`Answer.engine` says who answered, and `Answer.reason` why it was asked.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeVar
from weakref import WeakKeyDictionary, WeakSet

from symkripke.engines.asked import agents_asked, perspective_asked
from symkripke.engines.one_at_a_time import one_at_a_time
from symkripke.engines.protocol import Answer, Budget, Engine, Sheet
from symkripke.engines.weighting import checked
from symkripke.errors import BudgetExceeded, TooManyNodes, Unsupported
from symkripke.explain.evidence import Evidence
from symkripke.language import (
    EB,
    And,
    Announced,
    AnnouncedTrue,
    Atom,
    B,
    Cardinality,
    Formula,
    M,
    Not,
    Or,
    P,
    disjunction,
)
from symkripke.language.formulas import MODAL
from symkripke.language.walk import (
    has_beliefs,
    is_propositional,
    knowers,
    remembered,
    subformulas,
)
from symkripke.model import Beliefs, KnowledgeStructure, Perspective, Scene, State, World

if TYPE_CHECKING:
    from symkripke.engines.bdd import BddEngine
    from symkripke.engines.markov_chain import Chain
    from symkripke.engines.sat import SatEngine

T = TypeVar("T")

Question = Callable[[Engine, Budget | None], T]
"""How an engine is asked, within a budget."""

# Room for a diagram that is tried first: 640 muddy children need a third of it, and what needs more
# has filled it in about a second.
_TRIAL_NODES = 500_000

# If no budget is given, a diagram that is tried first has so many seconds, and `sat` after it the
# rest of so many.
_TRIAL_SECONDS = 5.0
_SECOND_SECONDS = 60.0

# Seconds to look for reasons of a belief that a diagram has found, if no budget is given.
_REASON_SECONDS = 20.0

# Announcements about the knowledge of so many agents.
_MANY = 8

# So many valuations are always a small diagram.
_FEW = 1 << 16


@dataclass(frozen=True, slots=True)
class _Attempt:
    """Whom to ask (the attribute of `AutoEngine`), why, and until when.

    Without a budget it may go on until so many seconds after the question was asked.
    """

    whom: Literal["sat", "bdd", "trial"]
    reason: str
    until: float | None = None


@one_at_a_time
class AutoEngine:
    """Implements `symkripke.engines.protocol.Engine` by asking the engine that fits.

    Facts, and who knows what of them: `sat`. A law that speaks about knowledge: first `bdd`, with
    little room, then `sat`. Counts and probabilities: `bdd`. If one cannot answer, the other.
    """

    name = "auto"

    def __init__(self, weighting: str = "equal") -> None:
        """With engines of its own, each imported when it is first needed.

        Raises `UnknownName` for no weighting.
        """
        self.weighting = checked(weighting)
        # First structures of which a diagram has outgrown the room for a trial.
        self._outgrown: WeakSet[KnowledgeStructure] = WeakSet()
        self._dealt: WeakKeyDictionary[KnowledgeStructure, bool] = WeakKeyDictionary()
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

    # ---- whom to ask --------------------------------------------------------------------------

    def _attempts(
        self, structure: KnowledgeStructure, formula: Formula | None, *, belief: bool = False
    ) -> tuple[_Attempt, ...]:
        """Whom to ask, one after the other; `belief`: the question is about one, formula or not."""
        if formula is not None and _weighs(formula):
            return (
                _Attempt("bdd", "counts and probabilities are read off a diagram"),
                _Attempt("sat", "no diagram"),
            )
        if structure.is_modal:
            reason = "the law speaks about knowledge"
        elif belief or (formula is not None and has_beliefs(formula)):
            reason = "the question is about belief"
        elif formula is not None and len(knowers(formula)) >= _MANY and _announces(formula):
            reason = "the question announces what many agents know"
        elif formula is not None and len(knowers(formula)) >= _MANY and _says_little(structure):
            reason = "the question is about what many agents know, and the law says little"
        elif formula is not None and not structure.root.added and _nests(formula):
            reason = "the question is about knowledge of knowledge, and nothing was dealt out"
        else:
            reason = "the law speaks of facts only"
            return _Attempt("sat", reason), _Attempt("bdd", reason)
        small, deals = reason, self._dealt.get(structure.root)
        if deals is None:
            deals = self._dealt[structure.root] = _deals(structure.root)
        why_later = "cards were dealt out" if deals else "a diagram of it is too large"
        reason = f"{small}, and {why_later}"
        later: tuple[_Attempt, ...]
        later = (_Attempt("sat", reason, _SECOND_SECONDS), _Attempt("bdd", reason))
        if not deals and "bdd" in self.__dict__ and self.bdd.drawn(structure):
            # Its worlds have been counted, say: the large diagram is there.
            later = (_Attempt("bdd", f"{small}, with a diagram at hand", _SECOND_SECONDS), *later)
        if deals or structure.root in self._outgrown:
            return later
        return _Attempt("trial", small, _TRIAL_SECONDS), *later

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
        start = time.monotonic()
        refusals: list[tuple[str, Exception]] = []
        attempts = self._attempts(structure, formula, belief=belief)
        for attempt in attempts:
            last = attempt is attempts[-1]
            share = _share(budget, time.monotonic() - start, attempt.until, last)
            engine: Engine = getattr(self, attempt.whom)
            try:
                result = question(engine, share)
            except (Unsupported, BudgetExceeded) as refused:
                refusals.append((engine.name, refused))
                if attempt.whom == "trial" and (
                    isinstance(refused, TooManyNodes) or budget is None
                ):
                    self._outgrown.add(structure.root)
            else:
                gave_up = "; ".join(f"{name} gave up: {why}" for name, why in refusals)
                return result, f"{attempt.reason}; {gave_up}" if gave_up else attempt.reason
        raise _refusal(refusals, budget) from None

    # ---- the engine's interface ---------------------------------------------------------------

    def holds(self, state: State, formula: Formula | str, budget: Budget | None = None) -> Answer:
        """See `Engine.holds`. The evidence comes from `sat` where the answering engine has none."""
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
                if any(isinstance(one, P) for one in subformulas(asked)):
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
                    self.sat.beliefs.adopt(view, self.believed(view, limit))
            return self.sat.holds(state, asked, limit).why()
        except BudgetExceeded as ran_out:
            if limit is budget:
                raise
            raise Unsupported(f"no sources were found: {ran_out}") from None

    def valid(
        self, structure: KnowledgeStructure, formula: Formula | str, budget: Budget | None = None
    ) -> Answer:
        """See `Engine.valid`."""
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
        """See `Engine.possible_to`."""
        asked, whose = _read(scene.structure, formula), agents_asked(agents)
        question = disjunction(M(one, asked) for one in whose)
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
        """See `Engine.witness`."""
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
        """See `Engine.sheet`."""
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
        """See `Engine.possibilities`."""
        return self._ask(
            perspective.structure,
            lambda engine, share: engine.possibilities(perspective, atoms, limit, share),
            budget=budget,
        )[0]

    def believed(self, perspective: Perspective, budget: Budget | None = None) -> Beliefs:
        """See `Engine.believed`."""
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
        """See `Engine.worlds`."""
        return self.bdd.worlds(state, over, budget)

    def probability(
        self, perspective: Perspective, formula: Formula | str, budget: Budget | None = None
    ) -> Fraction:
        """See `Engine.probability`."""
        return self.bdd.probability(perspective, formula, budget)

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

    def stepwise(self, perspective: Perspective, names: Sequence[str]) -> Chain:
        """See `Engine.stepwise`."""
        return self.bdd.stepwise(perspective, names)


def _read(structure: KnowledgeStructure, formula: Formula | str) -> Formula:
    return structure.parse(formula) if isinstance(formula, str) else formula


def _deals(first: KnowledgeStructure) -> bool:
    """Whether the first law counts the values of fluents: so many cards are with this player.

    Not if there are so few cards that no diagram of them can be large.
    """
    fluents = first.vocabulary.fluents
    if math.prod(len(fluent.values) for fluent in fluents.values()) <= _FEW:
        return False
    return any(
        isinstance(constraint.formula, Cardinality)
        and all(
            isinstance(part, Atom) and not fluents[part.fluent].is_boolean
            for part in constraint.formula.operands
        )
        for constraint in first.added
    )


def _says_little(structure: KnowledgeStructure) -> bool:
    """Whether the law is one or two counts, clauses or lists of facts: surely a small diagram."""
    law = structure.law
    return len(law) <= 2 and all(
        isinstance(part.operand if isinstance(part, Not) else part, Atom)
        for constraint in law
        for part in (
            constraint.formula.operands
            if isinstance(constraint.formula, Cardinality | And | Or)
            else (constraint.formula,)
        )
    )


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


@remembered
def _weighs(formula: Formula) -> bool:
    """Whether the formula compares probabilities."""
    return any(isinstance(part, P) for part in subformulas(formula))


@remembered
def _nests(formula: Formula) -> bool:
    """Whether the formula speaks of what somebody knows of what somebody knows."""
    return any(
        isinstance(part, MODAL) and not all(map(is_propositional, part.operands))
        for part in subformulas(formula)
    )


@remembered
def _announces(formula: Formula) -> bool:
    """Whether something about knowledge is announced in the formula."""
    return any(
        isinstance(part, Announced | AnnouncedTrue) and not is_propositional(part.left)
        for part in subformulas(formula)
    )


def _share(budget: Budget | None, spent: float, until: float | None, last: bool) -> Budget | None:
    """What of the budget an attempt has: half the time that is left, or all if it is the last."""
    if budget is None:
        return None if until is None else Budget(seconds=max(0.0, until - spent))
    if budget.seconds is None:
        return budget
    left = max(0.0, budget.seconds - spent)
    return Budget(left if last else left / 2, budget.conflicts)


def _refusal(refusals: Sequence[tuple[str, Exception]], budget: Budget | None) -> Exception:
    """The one error for several: that a budget ran out, if one of them would have answered."""
    ran_out = [(name, error) for name, error in refusals if isinstance(error, BudgetExceeded)]
    late = [one for one in ran_out if str(one[1]).startswith("no answer within")]
    if late == ran_out and late and budget is not None and budget.seconds is not None:
        # Each had a share: the time that was given is what there was in all.
        return BudgetExceeded(f"no answer within {budget.seconds:.3g} seconds")
    if len(ran_out) > 1:
        return BudgetExceeded("; ".join(f"{name}: {error}" for name, error in ran_out))
    return ran_out[0][1] if ran_out else refusals[0][1]
