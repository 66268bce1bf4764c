"""Base classes of engines: the methods of `Reasoner` and `Counter`, implemented once.

`BaseEngine` reads and resolves the formula, checks the arguments, starts the clock and wraps the
answer. An engine that derives from it implements *hooks* only: methods for resolved formulas.
`CountingEngine` does the same for counting. `CannotCount` is for engines that do not count.

Threads may share an engine, which answers one question at a time. Solvers and diagrams would answer
wrongly if two threads used them at once, so each engine has a lock. Every question takes the lock,
and so does the explanation of an answer. Engines that are parts of another engine share its lock.
Threads that answer at the same time need separate engines; they may share formulas, structures,
scenes and perspectives.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from threading import RLock
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar, cast
from weakref import WeakSet

from symkripke.argument_types import checked_all
from symkripke.engines.asked import (
    agents_asked,
    check_listed,
    parsed,
    perspective_asked,
    state_asked,
    structure_of,
    uncovered,
    undecided,
    without_values,
)
from symkripke.engines.count.fluents_asked import current, named
from symkripke.engines.count.weighting import bits
from symkripke.engines.protocol import Answer, Counter, Mark, Reasoner, Sheet
from symkripke.errors import InputError, NestedTooDeeply, Unsupported, check_name
from symkripke.language import Atom, Formula, M, negation
from symkripke.limits import Budget, within_budget
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
    from symkripke.engines.count.steps import Names, Order, Steps
    from symkripke.explain.evidence import Evidence

Method = TypeVar("Method", bound=Callable[..., Any])
Part = TypeVar("Part", bound="BaseEngine")


def in_turn(ask: Method) -> Method:
    """Decorate a method of an engine to take the lock and to apply its budget.

    The budget limits everything that the method calls: see `symkripke.limits`. A formula that is
    nested too deeply for Python's stack raises `NestedTooDeeply`. This relies on Python's recursion
    limit, not on a count of operators. The number of frames that an operator needs depends on the
    method of deciding it, and the number of frames left depends on the caller, so a safe count
    would reject formulas that can be answered.
    """
    code = cast(FunctionType, ask).__code__
    parameters = code.co_varnames[: code.co_argcount]
    place = parameters.index("budget") - 1 if "budget" in parameters else None

    @wraps(ask)
    def waiting(self: BaseEngine, *arguments: Any, **options: Any) -> Any:
        budget = options.get("budget")
        if place is not None and len(arguments) > place:
            budget = arguments[place]
        try:
            with self._lock:
                if budget is None:  # usual; a context manager takes a twentieth of the time
                    return ask(self, *arguments, **options)
                with within_budget(budget):
                    return ask(self, *arguments, **options)
        except RecursionError:
            raise NestedTooDeeply from None

    return cast(Method, waiting)


# The values of `symkripke.engines.count.steps.Order`, whose module imports numpy.
_ORDERS = ("given", "any")


class BaseEngine(ABC):
    """The base class of engines, which implements `symkripke.engines.protocol.Reasoner`.

    Derived classes implement the hooks, which work within the limits of the question: see
    `symkripke.limits`.
    """

    name: str
    takes_numbers: ClassVar[bool] = False
    """True for engines that answer questions about numbers without bounds."""

    def __init__(self) -> None:
        """Create an engine without caches."""
        self._lock = RLock()
        # The stages whose changes have been checked.
        self._covering: WeakSet[KnowledgeStructure] = WeakSet()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()

    def _part(self, engine: Part) -> Part:
        """Share the lock with an engine that this engine asks, and return that engine.

        Other callers may ask it, too. With two locks, two threads could deadlock.
        """
        engine._lock = self._lock
        return engine

    # ---- the interface ------------------------------------------------------------------------

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
        structure = state_asked(state).structure
        self._check_changes(structure)
        resolved = self._resolve(structure, formula)
        truth = self._truth(state, resolved)
        if truth is None:
            assert isinstance(state, Perspective)
            raise undecided(state, resolved)

        def why() -> Evidence:
            # Not `resolved`: an engine may have removed the announcements from it.
            asked = state.structure.resolve(parsed(state.structure, formula))
            return self._anew()._evidence(state, asked)

        return Answer(truth, resolved, self.name, self._later(why, budget))

    def _at_all(
        self, state: MultiPointedStructure, formula: Formula | str, budget: Budget | None
    ) -> Answer:
        """Return the truth of a formula at all actual worlds."""
        stated = parsed(state.structure, formula)
        answer = self.valid(state.structure, state.where(stated), budget)
        return Answer(
            bool(answer), state.structure.resolve(stated), answer.engine, answer.why, answer.reason
        )

    @in_turn
    def valid(
        self, structure: KnowledgeStructure, formula: Formula | str, budget: Budget | None = None
    ) -> Answer:
        """See `Reasoner.valid`."""
        self._check_changes(structure)
        resolved = self._resolve(structure, formula)
        truth = self._valid(structure, resolved)
        return Answer(
            truth,
            resolved,
            self.name,
            self._later(lambda: self._anew()._why_valid(structure, resolved, truth), budget),
        )

    @in_turn
    def possible_to(
        self,
        scene: Scene,
        formula: Formula | str,
        agents: Iterable[str],
        budget: Budget | None = None,
    ) -> frozenset[str]:
        """See `Reasoner.possible_to`."""
        self._check_changes(scene.structure)
        resolved = self._resolve(scene.structure, formula)
        return self._possible_to(scene, resolved, agents_asked(agents))

    @in_turn
    def witness(
        self,
        state: EpistemicState | KnowledgeStructure,
        formula: Formula | str,
        budget: Budget | None = None,
    ) -> World | None:
        """See `Reasoner.witness`. Most engines take modal formulas here, too."""
        self._check_changes(structure_of(state))
        resolved = self._resolve(structure_of(state), formula)
        return self._world(state, resolved)

    @in_turn
    def sheet(
        self,
        perspective: Perspective,
        atoms: Iterable[Atom] | None = None,
        budget: Budget | None = None,
    ) -> Sheet:
        """See `Reasoner.sheet`."""
        self._check_changes(perspective.structure)
        asked = perspective.structure.atoms if atoms is None else tuple(atoms)
        return Sheet(perspective, asked, tuple(self._marks(perspective, asked)))

    @in_turn
    def possibilities(
        self,
        perspective: Perspective,
        atoms: Sequence[Atom],
        limit: int = 100_000,
        budget: Budget | None = None,
    ) -> frozenset[frozenset[Atom]]:
        """See `Reasoner.possibilities`."""
        self._check_changes(perspective.structure)
        asked = tuple(dict.fromkeys(atoms))
        return self._possibilities(perspective, asked, limit)

    @in_turn
    def believed(self, perspective: Perspective, budget: Budget | None = None) -> Beliefs:
        """See `Reasoner.believed`."""
        view = perspective_asked(perspective)
        self._check_changes(view.structure)
        return self._beliefs(view)

    def _check_changes(self, structure: KnowledgeStructure) -> None:
        """Check that each change of the history has exactly one true case at each world.

        Raises:
            ImpossibleEvent: a change has no true case, or several, at the world in the message.
            Unsupported: the engine does not take numbers without bounds.
        """
        if not self.takes_numbers:
            check_listed(structure, f"the {self.name} engine")
        for stage in structure.unchecked:
            if stage in self._covering:
                continue
            during, requirements = stage.coverings()
            for change, required in requirements:
                world = self._world(during, negation(required))
                if world is not None:
                    raise uncovered(change, during, required, world)
            self._covering.add(stage)

    def _later(self, why: Callable[[], Evidence], budget: Budget | None) -> Callable[[], Evidence]:
        """Return the function that explains an answer, with the lock and a new budget."""

        def explain() -> Evidence:
            with self._lock, within_budget(budget):
                return why()

        return explain

    # ---- hooks --------------------------------------------------------------------------------

    def _anew(self) -> BaseEngine:
        """Return the engine for evidence: a new engine if evidence depends on earlier questions.

        Otherwise the world in an answer could reveal the questions of other users.
        """
        return self

    def _resolve(self, structure: KnowledgeStructure, formula: Formula | str) -> Formula:
        """Return the formula, parsed if it is text, with current versions of fluents."""
        return structure.resolve(parsed(structure, formula))

    @abstractmethod
    def _truth(self, state: EpistemicState, formula: Formula) -> bool | None:
        """Return the truth of a formula at a state; None if a perspective does not decide it."""

    @abstractmethod
    def _evidence(self, state: EpistemicState, formula: Formula) -> Evidence:
        """Explain why a formula has the truth value that `_truth` found."""

    @abstractmethod
    def _world(self, state: EpistemicState | KnowledgeStructure, formula: Formula) -> World | None:
        """Return the first world of a state at which a formula is true: see `first_world`."""

    @abstractmethod
    def _marks(self, perspective: Perspective, atoms: tuple[Atom, ...]) -> Iterable[Mark]:
        """Return the agent's knowledge of each atom."""

    @abstractmethod
    def _possibilities(
        self, perspective: Perspective, atoms: tuple[Atom, ...], limit: int
    ) -> frozenset[frozenset[Atom]]:
        """Return the set of true `atoms` at each possible world; the given atoms are distinct."""

    @abstractmethod
    def _beliefs(self, perspective: Perspective) -> Beliefs:
        """Return the soft constraints that the agent keeps."""

    def _valid(self, structure: KnowledgeStructure, formula: Formula) -> bool:
        """Return whether a formula is true at all worlds of the law."""
        return self._world(structure, negation(formula)) is None

    def _why_valid(self, structure: KnowledgeStructure, formula: Formula, truth: bool) -> Evidence:
        """Explain why a formula has the truth value that `_valid` found."""
        if truth:
            raise Unsupported(
                f"{formula} is true at every world; the sat engine finds minimal sources"
            )
        from symkripke.explain.evidence import CounterWorld, Possible

        world = self._world(structure, negation(formula))
        assert world is not None
        return Possible(formula, False, (CounterWorld((), world, negation(formula)),))

    def _possible_to(
        self, scene: Scene, formula: Formula, agents: tuple[str, ...]
    ) -> frozenset[str]:
        """Return the agents that consider a formula possible."""
        for agent in agents:
            scene.structure.vocabulary.agent(agent)  # raises `UnknownName`
        return frozenset(agent for agent in agents if self._truth(scene, M(agent, formula)))


class CountingHooks(ABC):
    """The hooks of an engine that counts. `names` are the names of fluent versions."""

    @property
    @abstractmethod
    def _method(self) -> str:
        """The method of the last count, with the reason for it; "" before the first one."""

    @abstractmethod
    def _number(
        self,
        state: KnowledgeStructure | Perspective,
        names: tuple[str, ...] | None,
    ) -> int:
        """Return the number of worlds, or with `names`, of valuations of these fluents."""

    @abstractmethod
    def _share(self, perspective: Perspective, formula: Formula) -> Fraction:
        """Return the probability of a formula without `Kv`."""

    @abstractmethod
    def _marginals(
        self, perspective: Perspective, meanings: Mapping[Atom, Formula]
    ) -> Mapping[Atom, Fraction]:
        """Return the probability of each atom; `meanings` maps it to its resolved formula."""

    @abstractmethod
    def _distribution(
        self, perspective: Perspective, meanings: Mapping[Atom, Formula], limit: int
    ) -> Mapping[frozenset[Atom], Fraction]:
        """Return, for each set of the atoms, the probability that exactly these are true."""

    @abstractmethod
    def _draw(
        self, perspective: Perspective, number: int, chance: random.Random, names: Sequence[str]
    ) -> list[World]:
        """Return `number` random worlds, with values for at least these fluents."""

    @abstractmethod
    def _steps(self, perspective: Perspective, names: Names, order: Order, merged: Names) -> Steps:
        """Return the worlds over these fluents, fluent by fluent, counted by weight."""


class CountingEngine(BaseEngine):
    """The base class of engines that also implement `symkripke.engines.protocol.Counter`."""

    @property
    @abstractmethod
    def _counting(self) -> CountingHooks:
        """The object that counts, usually the engine itself."""

    @property
    def method(self) -> str:
        """The method of the last count, with the reason for it; "" before the first one."""
        return self._counting._method

    @in_turn
    def worlds(
        self,
        state: KnowledgeStructure | Perspective,
        over: Iterable[str] | None = None,
        budget: Budget | None = None,
    ) -> int:
        """See `Counter.worlds`."""
        self._check_changes(structure_of(state))
        names = None if over is None else current(structure_of(state), over)
        return self._counting._number(state, names)

    @in_turn
    def probability(
        self, perspective: Perspective, formula: Formula | str, budget: Budget | None = None
    ) -> Fraction:
        """See `Counter.probability`."""
        structure = perspective.structure
        self._check_changes(structure)
        plain = without_values(structure, structure.resolve(parsed(structure, formula)))
        return self._counting._share(perspective, plain)

    @in_turn
    def marginals(
        self, perspective: Perspective, atoms: Iterable[Atom] | None = None
    ) -> Mapping[Atom, Fraction]:
        """See `Counter.marginals`."""
        structure = perspective.structure
        self._check_changes(structure)
        asked = structure.atoms if atoms is None else atoms
        meanings = {atom: structure.resolve(atom) for atom in asked}
        return self._counting._marginals(perspective, meanings)

    @in_turn
    def distribution(
        self, perspective: Perspective, atoms: Sequence[Atom], limit: int = 100_000
    ) -> Mapping[frozenset[Atom], Fraction]:
        """See `Counter.distribution`."""
        self._check_changes(perspective.structure)
        meanings = {atom: perspective.structure.resolve(atom) for atom in atoms}
        return self._counting._distribution(perspective, meanings, limit)

    @in_turn
    def entropy(
        self, perspective: Perspective, atoms: Sequence[Atom], limit: int = 100_000
    ) -> float:
        """See `Counter.entropy`."""
        return bits(self.distribution(perspective, atoms, limit).values())

    @in_turn
    def sample(
        self,
        perspective: Perspective,
        number: int,
        chance: random.Random,
        over: Iterable[str] | None = None,
    ) -> list[World]:
        """See `Counter.sample`."""
        if number < 0:
            raise InputError(f"expected a number of worlds of 0 or more, got {number}")
        structure = perspective.structure
        self._check_changes(structure)
        if over is None:
            everything = tuple(structure.vocabulary.fluents)
            return self._counting._draw(perspective, number, chance, everything)
        asked = tuple(over)
        names = current(structure, asked)
        drawn = self._counting._draw(perspective, number, chance, names)
        return [named(structure, asked, world) for world in drawn]

    @in_turn
    def steps(
        self,
        perspective: Perspective,
        names: Sequence[str],
        order: Order = "any",
        merged: Iterable[str] = (),
    ) -> Steps:
        """See `Counter.steps`."""
        structure = perspective.structure
        self._check_changes(structure)
        plain = checked_all(names, str, "the fluents")
        asked = current(structure, plain)
        check_name("order", order, _ORDERS)
        together = checked_all(merged, str, "the values to merge")
        fluents = structure.vocabulary.fluents
        values = dict.fromkeys(value for name in plain for value in fluents[name].values)
        for value in together:
            check_name("value", value, values)
        return self._counting._steps(perspective, asked, order, together)


class CannotCount:
    """The methods of `Counter`, for an engine that only reasons: each raises `Unsupported`."""

    name: str

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        """Raise `Unsupported`, because this engine does not count."""
        raise _refusal(self.name)

    _refused: Any = _refuse
    worlds = probability = marginals = distribution = entropy = sample = steps = _refused


def counter(engine: Reasoner) -> Counter:
    """Return this engine as a `Counter`; raise `Unsupported` if it does not count."""
    if isinstance(engine, CannotCount) or not isinstance(engine, Counter):
        raise _refusal(engine.name)
    return engine


def _refusal(name: str) -> Unsupported:
    return Unsupported(f"the {name} engine does not count worlds; ask the bdd engine")
