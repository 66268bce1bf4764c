"""The bdd engine: sets of worlds as decision diagrams, with exact counts."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self, TypeVar
from weakref import WeakKeyDictionary, WeakSet

from symkripke import limits, process_memory
from symkripke.engines.asked import check_listed, contradiction, structure_of, without_values
from symkripke.engines.base import CountingEngine, CountingHooks, in_turn
from symkripke.engines.bdd.interruptible import Diagram, both, exists, minus
from symkripke.engines.bdd.law import NOTHING, Encoding
from symkripke.engines.bdd.library import DDMemoryError
from symkripke.engines.bdd.truth import Evaluation, View
from symkripke.engines.bdd.tuning import BddTuning
from symkripke.engines.count.forward import Present
from symkripke.engines.count.methods import (
    REASONS,
    Counts,
    DiagramCounts,
    ForwardCounts,
    MethodName,
    SumCounts,
    fluents_of,
    is_true,
    variables,
)
from symkripke.engines.count.model_counting import ModelCounter
from symkripke.engines.count.weighting import checked, likelihood_weighting, of_structure
from symkripke.engines.protocol import Mark
from symkripke.errors import BudgetExceeded, InputError, TooManyNodes, in_digits
from symkripke.language import TRUE, Atom, Formula, K, Kw, M, Not, P, conjunction
from symkripke.language.formulas import COMPARE
from symkripke.language.walk import is_propositional
from symkripke.limits import Budget
from symkripke.model import (
    Beliefs,
    EpistemicState,
    KnowledgeStructure,
    Perspective,
    Scene,
    Soft,
    World,
    evaluate,
)

if TYPE_CHECKING:
    from symkripke.engines.bdd.sum_of_products import Description
    from symkripke.engines.count.nodes import Nodes
    from symkripke.engines.count.path_counts import PathCounts
    from symkripke.engines.count.steps import Names, Order, Steps
    from symkripke.engines.count.sum_counter import SumCounter
    from symkripke.engines.count.value_counts import ValueCounts
    from symkripke.explain.evidence import Evidence

T = TypeVar("T")

# Bytes of memory for a node, including its share of the caches.
_NODE = 42


class BddEngine(CountingEngine, CountingHooks):
    """An engine (`symkripke.engines.protocol.Engine`) that answers from binary decision diagrams.

    The worlds that an agent considers possible are one diagram. It is built at the first question
    and cached, and events are added to it. The engine answers all kinds of formulas, with operators
    in any nesting. It raises `BudgetExceeded` if a diagram would have more nodes than allowed.
    Calls from several threads are answered in turn.
    """

    name = "bdd"

    def __init__(
        self,
        max_nodes: int = 24_000_000,
        weighting: str | None = None,
        *,
        tuning: BddTuning | None = None,
    ) -> None:
        """Create an engine with up to `max_nodes` nodes for each family of structures.

        24 million nodes take about 1 GB; memory is used only for nodes that exist. `weighting` is
        the name of a weighting of worlds (see `symkripke.engines.count.weighting`). `tuning`
        contains settings that do not change answers.

        Raise `UnknownName` for an unknown weighting, and `InputError` if `max_nodes` is less than
        1.
        """
        self.weighting = checked(weighting)
        if max_nodes < 1:
            raise InputError(f"expected a number of nodes of 1 or more, got {max_nodes}")
        super().__init__()
        self.max_nodes = max_nodes
        self.tuning = tuning or BddTuning()
        self._counters: WeakKeyDictionary[KnowledgeStructure, ModelCounter] = WeakKeyDictionary()
        self._last_method: MethodName | None = None
        self._turns = itertools.count(1)
        self._families = 0  # their number when their memory was last summed up
        # Saves checking the whole law at each further question about a scene.
        self._checked: WeakSet[Scene] = WeakSet()

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), tuning=self.tuning), (self.max_nodes, self.weighting)

    @cached_property
    def _sum_counter(self) -> SumCounter:
        """The counter without diagrams, which small structures do not need."""
        from symkripke.engines.count.sum_counter import SumCounter

        return SumCounter(
            self.max_nodes, likelihood_weighting(self.weighting), self.tuning.counting
        )

    # ---- truth, knowledge and belief --------------------------------------------------------

    def _truth(self, state: EpistemicState, formula: Formula) -> bool | None:
        structure = state.structure
        plain = without_values(structure, formula)
        bare = plain.operand if isinstance(plain, Not) else plain
        chance = self._chance(state, bare) if isinstance(bare, P) else None
        if isinstance(bare, P) and chance is not None:
            return COMPARE[bare.relation](chance[1], bare.bound * chance[0]) is (bare is plain)
        with self._room(structure):
            work = self._evaluation(structure)
            of_others = self._of_others(work, state, bare)
            if of_others is not None:
                return of_others is (bare is plain)
            if isinstance(state, Scene) and work.is_about_many(plain):
                self._check(work, state)
                true = work.everywhere(plain)
                return work.encoding.contains(work.stage, true, state.world)
            view = self._view(work, state)
            law = self._law(work, view, state)
            true = work.truth(view, plain)
            if not both(law, true).satisfiable():
                return False
            return None if minus(law, true).satisfiable() else True

    def _chance(self, state: EpistemicState, formula: P) -> tuple[Fraction, Fraction] | None:
        """Return the probability of the condition, and of the fact together with the condition.

        Counting this way leaves out fluents that are irrelevant to the fact. Return None if the
        formula is not one agent's probability of a fact. Return None, too, for a small structure,
        because the diagram of the formula is then small, and for a condition with a weighting by
        plausibility, because the most plausible worlds with the condition then matter.
        """
        if formula.given is not TRUE and self._by_plausibility(state.structure):
            return None
        if not all(map(is_propositional, formula.operands)) or self._is_small(state.structure):
            return None
        if isinstance(state, Perspective) and state.agent != formula.agent:
            return None
        view = state.perspective(formula.agent) if isinstance(state, Scene) else state
        part = self._share(view, conjunction([formula.operand, formula.given]))
        whole = Fraction(1) if formula.given is TRUE else self._share(view, formula.given)
        return whole, part

    def _of_others(self, work: Evaluation, state: EpistemicState, formula: Formula) -> bool | None:
        """Return the truth of a formula about knowledge of another's knowledge, after changes.

        Return None for other formulas, and if the law is small, because its diagram is then as
        fast.
        """
        if not isinstance(formula, K | M | Kw) or is_propositional(formula.operand):
            return None
        if isinstance(state, Perspective) and state.agent != formula.agent:
            return None
        if not state.structure.versions or work.is_small():
            return None
        if isinstance(state, Scene):
            self._check(work, state)
        view = state.perspective(formula.agent) if isinstance(state, Scene) else state
        given = work.encoding.seen(work.stage, view)
        counter = self._counter(state.structure)
        can_be = counter.of_others(work, formula.agent, given, formula.operand)
        if can_be is None or not any(can_be):  # if nothing is possible, the caller raises an error
            return None
        true, false = can_be
        match formula:
            case K():
                return not false
            case M():
                return true
        return not (true and false)

    def _evidence(self, state: EpistemicState, formula: Formula) -> Evidence:
        from symkripke.engines.bdd.explain.explainer import BddExplainer  # only for evidence
        from symkripke.explain.evidence import ProbabilityValue

        structure = state.structure
        plain = without_values(structure, formula)
        chance = self._chance(state, plain) if isinstance(plain, P) else None
        if isinstance(plain, P) and chance is not None and chance[0]:
            whole, part = chance
            truth = COMPARE[plain.relation](part, plain.bound * whole)
            return ProbabilityValue(plain, truth, part / whole)
        with self._room(structure):
            work = self._evaluation(structure)
            whose = state.agent if isinstance(state, Perspective) else None
            return BddExplainer(work, plain, whose).evidence(self._view(work, state), plain)

    def _world(self, state: EpistemicState | KnowledgeStructure, formula: Formula) -> World | None:
        structure = structure_of(state)
        with self._room(structure):
            work = self._evaluation(structure)
            view, plain = self._view(work, state), without_values(structure, formula)
            # Cached, because questions for a counter-world follow.
            true = work.everywhere(plain) if state is structure else work.truth(view, plain)
            return work.world(both(work.worlds(view), true))

    def _marks(self, perspective: Perspective, atoms: tuple[Atom, ...]) -> Iterator[Mark]:
        """Yield the marks, computed in one pass over the nodes."""
        structure = perspective.structure
        with self._room(structure):
            work = self._evaluation(structure)
            law = self._law(work, self._view(work, perspective), perspective)
            literals = [work.literal(structure.resolve(atom)) for atom in atoms]
            known = work.diagrams.forced(law, work.encoding.others(work.stage, literals))
        for literal in literals:
            if literal is True or literal in known:
                yield Mark.YES
            else:
                yield Mark.NO if literal is False or -literal in known else Mark.OPEN

    def _possibilities(
        self, perspective: Perspective, atoms: tuple[Atom, ...], limit: int
    ) -> frozenset[frozenset[Atom]]:
        structure = perspective.structure
        with self._room(structure):
            work = self._evaluation(structure)
            literals = {atom: work.literal(structure.resolve(atom)) for atom in atoms}
            asked = variables(literals.values())
            law = work.worlds(self._view(work, perspective))
            left = exists(law, work.encoding.others(work.stage, literals.values()))
            number = work.diagrams.count(left, len(asked))
            if number > limit:
                raise BudgetExceeded(
                    f"there are {in_digits(number)} possibilities, more than {limit:,}"
                )
            return frozenset(
                frozenset(atom for atom, literal in literals.items() if is_true(literal, true))
                for true in work.diagrams.members(left, asked)
            )

    def _beliefs(self, perspective: Perspective) -> Beliefs:
        structure = perspective.structure
        kept: list[Soft] = []
        given_up: list[Soft] = []
        with self._room(structure):
            work = self._evaluation(structure)
            view = self._view(work, perspective)
            worlds = self._law(work, view, perspective)
            for soft in structure.plausibility(perspective.agent):
                limits.check()
                better = both(worlds, work.truth(view, soft.formula))
                (kept if better.satisfiable() else given_up).append(soft)
                worlds = better if better.satisfiable() else worlds
        return Beliefs(tuple(kept), tuple(given_up))

    # ---- counting ---------------------------------------------------------------------------

    @property
    def _counting(self) -> Self:
        return self

    @property
    def _method(self) -> str:
        last = self._last_method
        return "" if last is None else f"{last}: {REASONS[last]}"

    def _number(
        self,
        state: KnowledgeStructure | Perspective,
        names: tuple[str, ...] | None,
    ) -> int:
        if isinstance(state, Scene):
            raise TypeError("a scene is one world")
        structure = structure_of(state)
        if not self._is_small(structure):
            number = self._sum_counter.number(state, names)
            if number is not None:
                return number
        with self._room(structure):
            work = self._evaluation(structure)
            if names is None:
                worlds = work.worlds(self._view(work, state))
                return work.diagrams.count(worlds, len(work.stage.variables))
            agent = state.agent if isinstance(state, Perspective) else None
            given = (
                work.encoding.seen(work.stage, state) if isinstance(state, Perspective) else NOTHING
            )
            counter = self._counter(structure)
            if agent is not None and structure.versions and not self._is_small(structure):
                present = counter.filtered_weights(work, agent, given, names)
                if present is not None:
                    return present.valuations(work.stage.variables_of(names))
            deals = counter.projected_worlds(work, agent, given, names)
            return work.diagrams.count(deals, len(work.stage.variables_of(names)))

    def _share(self, perspective: Perspective, formula: Formula) -> Fraction:
        if is_propositional(formula):
            asked = fluents_of([formula])
            return self._counted(perspective, asked, lambda counts: counts.share(formula))
        self._last_method = "diagram"
        with self._room(perspective.structure):
            work = self._evaluation(perspective.structure)
            view = self._view(work, perspective)
            law = self._law(work, view, perspective)
            if work.by_plausibility:
                law = self._most_plausible(work, perspective)
            true = both(law, work.truth(view, formula))
            whole, part, _ = work.weigh(work, view.given, (), law, true)
            size = work.diagrams.manager.num_vars()
            return Fraction(work.diagrams.count(part, size), work.diagrams.count(whole, size))

    def _marginals(
        self, perspective: Perspective, meanings: Mapping[Atom, Formula]
    ) -> Mapping[Atom, Fraction]:
        asked = fluents_of(meanings.values())
        return self._counted(perspective, asked, lambda counts: counts.marginals(meanings))

    def _distribution(
        self, perspective: Perspective, meanings: Mapping[Atom, Formula], limit: int
    ) -> Mapping[frozenset[Atom], Fraction]:
        asked = fluents_of(meanings.values())
        return self._counted(
            perspective, asked, lambda counts: counts.distribution(meanings, limit)
        )

    def _draw(
        self, perspective: Perspective, number: int, chance: random.Random, names: Sequence[str]
    ) -> list[World]:
        return self._counted(perspective, names, lambda counts: counts.draw(number, chance, names))

    def _counted(
        self, perspective: Perspective, names: Iterable[str], ask: Callable[[Counts], T | None]
    ) -> T:
        """Return the answer of the first method that has one (see `symkripke.engines.count`).

        Args:
            perspective: the perspective whose worlds are counted.
            names: the fluents that the question is about; others may be left out.
            ask: a function that returns a method's answer; None if the method cannot answer.
        """
        paths = self._paths(perspective)
        if paths is not None:
            result = ask(SumCounts(self._sum_counter, perspective, paths))
            if result is not None:
                self._last_method = SumCounts.method
                return result
        with self._room(perspective.structure):
            work = self._evaluation(perspective.structure)
            counter = self._counter(perspective.structure)
            present = self._present(work, perspective, names)
            counts: Counts = (
                DiagramCounts(work, counter, self._possible(work, perspective, names))
                if present is None
                else ForwardCounts(work, present)
            )
            self._last_method = counts.method
            result = ask(counts)
            assert result is not None
            return result

    def _steps(self, perspective: Perspective, names: Names, order: Order, merged: Names) -> Steps:
        """Return the steps, counted by sums or in one pass over the nodes from the top.

        Raise `Unsupported` if variables of several fluents are mixed in the order. This cannot
        happen for fluents of the first structure.
        """
        structure = perspective.structure
        if not (self._by_plausibility(structure) and structure.plausibility(perspective.agent)):
            result = self._sum_counter.steps(perspective, names, order, merged)
            if result is not None:
                return result
        from symkripke.engines.bdd.node_steps import AskedFluent, steps  # imports numpy

        with self._room(structure):
            work = self._evaluation(structure)
            nodes = self._nodes(work, perspective, names)
            asked = [AskedFluent(name, *work.stage.blocks[name]) for name in names]
            return steps(nodes, asked, order)

    def _nodes(self, work: Evaluation, perspective: Perspective, names: Iterable[str]) -> Nodes:
        """Return the nodes of the weighted worlds that the agent considers possible.

        Fluents that are not in `names` may be left out.
        """
        possible = self._possible(work, perspective, names)
        return self._counter(perspective.structure).nodes(possible)

    @in_turn
    def describe(
        self,
        structure: KnowledgeStructure,
        formula: Formula | str,
        over: Iterable[str] | None = None,
        *,
        hidden: Iterable[str] = (),
        parts: int = 16,
        first: int = 5,
        budget: Budget | None = None,
    ) -> Description:
        """Return a description of the worlds of the law at which a formula is true.

        The formula may be modal.

        Returns:
            a formula of at most `parts` parts for these worlds, without the `hidden` fluents (None
            if there is no such formula), the number of worlds, and the first of them (at most
            `first`), as values of the fluents `over` (resolved names; by default all).
        """
        from symkripke.engines.bdd.sum_of_products import (
            Description,
            SumOfProducts,
            first_members,
            in_words,
        )

        plain = without_values(structure, self._resolve(structure, formula))
        names = tuple(structure.vocabulary.fluents if over is None else over)
        with self._room(structure):
            work = self._evaluation(structure)
            law = work.worlds(work.everything())
            true = both(law, work.everywhere(plain))
            number = work.diagrams.count(true, len(work.stage.variables))
            out = work.diagrams.cube_of(work.stage.variables_of(hidden))
            covered, excluded = exists(true, out), exists(minus(law, true), out)
            bounds = []
            if not both(covered, excluded).satisfiable():
                # The formula may have any truth value outside the law. This makes it shorter, but
                # the search longer.
                bounds.append((covered, ~excluded))
            if is_propositional(plain):
                plainly = work.everywhere(plain)
                bounds.append((plainly, plainly))
            says = None
            for least, whole in bounds:
                with suppress(BudgetExceeded):
                    says = in_words(
                        work.stage, SumOfProducts(work.diagrams, parts).of(least, whole)
                    )
                    break
            kept = work.stage.variables_of(names)
            seen = exists(true, work.diagrams.cube_of(work.stage.variables - kept))
            members = first_members(work.diagrams, seen, work.stage, names)
            worlds = tuple(
                work.encoding.world(work.stage, true, names)
                for true in itertools.islice(members, first)
            )
        return Description(number, says, worlds)

    # ---- behind it ----------------------------------------------------------------------------

    @in_turn
    def drawn(self, structure: KnowledgeStructure) -> bool:
        """Return whether the structure has diagrams already."""
        counter = self._counters.get(structure.root)
        return counter is not None and structure in counter.encoding.stages

    @property
    @in_turn
    def all_nodes(self) -> int:
        """The number of nodes of all diagrams, including unused ones."""
        counters = list(self._counters.values())
        return sum(counter.encoding.diagrams.manager.num_inner_nodes() for counter in counters)

    def _paths(self, perspective: Perspective) -> PathCounts | ValueCounts | None:
        """Return the counts of an agent's possible worlds; None if a diagram is needed."""
        if self._by_plausibility(perspective.structure):
            return None
        paths = self._sum_counter.paths(perspective)
        if paths is not None and not paths.total:
            raise contradiction(perspective)
        return paths

    def _counter(self, structure: KnowledgeStructure) -> ModelCounter:
        root = structure.root
        if root not in self._counters:
            encoding = Encoding(self._most_nodes(), self.tuning, small=self._is_small(root))
            self._counters[root] = ModelCounter(encoding, likelihood_weighting(self.weighting))
        return self._counters[root]

    def _is_small(self, structure: KnowledgeStructure) -> bool:
        """Return whether the structure's diagram is small for any law."""
        few = len(structure.vocabulary.fluents) <= self.tuning.small_atoms  # a fast check first
        return few and len(structure.atoms) <= self.tuning.small_atoms

    def _most_nodes(self) -> int:
        """Return the number of nodes for which there is memory now."""
        limit = limits.current()
        memory = None if limit is None else limit.memory_left()
        if memory is None:
            return self.max_nodes
        # The other half of the memory is for other objects.
        return max(1, min(self.max_nodes, max(self.tuning.fewest_nodes, memory // (2 * _NODE))))

    def _possible(
        self, work: Evaluation, perspective: Perspective, names: Iterable[str]
    ) -> Diagram:
        """Return the weighted worlds that the agent considers possible.

        Fluents that are not in `names` may be left out. Raise an error if there is no world.
        """
        if work.by_plausibility:
            return self._most_plausible(work, perspective)
        given = work.encoding.seen(work.stage, perspective)
        counter = self._counter(perspective.structure)
        possible = counter.weighted_worlds(work, perspective.agent, given, names)
        if not possible.satisfiable():
            raise contradiction(perspective)
        return possible

    def _present(
        self, work: Evaluation, perspective: Perspective, names: Iterable[str]
    ) -> Present | None:
        """Return the weighted current worlds that the agent considers possible, without histories.

        Return None if forward filtering is impossible, or if the structure is small and does not
        need it.
        """
        structure = perspective.structure
        if work.by_plausibility or not structure.versions or self._is_small(structure):
            return None
        given = work.encoding.seen(work.stage, perspective)
        counter = self._counter(structure)
        present = counter.filtered_weights(work, perspective.agent, given, names)
        if present is not None and not present.weights.ends:
            raise contradiction(perspective)
        return present

    def _most_plausible(self, work: Evaluation, perspective: Perspective) -> Diagram:
        """Return the most plausible worlds that the agent considers possible."""
        view = self._view(work, perspective)
        self._law(work, view, perspective)
        return work.best(view, perspective.agent, TRUE)

    @contextmanager
    def _room(self, structure: KnowledgeStructure) -> Iterator[None]:
        """Yield a context in which running out of nodes raises `BudgetExceeded`.

        The diagrams are then dropped, so that the next question has room.
        """
        check_listed(structure, "the bdd engine")
        try:
            yield
            self._evict(structure)
        except DDMemoryError:
            # The next counter is created for the memory that is available then.
            most = self._counter(structure).encoding.diagrams.max_nodes
            del self._counters[structure.root]
            raise TooManyNodes(
                f"the decision diagram would have more than {most:,} nodes; "
                "ask the sat engine, or allow more"
            ) from None

    def _evict(self, structure: KnowledgeStructure) -> None:
        """Evict diagrams that hold too much memory; they are built again when needed.

        These are the diagrams of this family, or of the least recently used families.
        """
        counter = self._counter(structure)
        counter.turn = next(self._turns)
        outgrown = counter.is_outgrown()
        is_due = not counter.turn % self.tuning.between_sums
        if not outgrown and not is_due and len(self._counters) == self._families:
            return  # nearly always; summing up takes longer than some questions
        gone = {structure.root} if outgrown else set()
        size = sum(other.size for other in self._counters.values())
        if size > self.tuning.bytes:
            for root, other in sorted(self._counters.items(), key=lambda item: item[1].turn):
                if size <= self.tuning.bytes or other is counter:
                    break
                gone.add(root)
                size -= other.size
        for root in gone:
            del self._counters[root]
        self._families = len(self._counters)
        if gone:
            process_memory.trim()

    def _evaluation(self, structure: KnowledgeStructure) -> Evaluation:
        """Return an evaluation of questions about the structure; open its stages if necessary."""
        counter = self._counter(structure)
        encoding = counter.encoding
        missing: list[KnowledgeStructure] = []
        if structure not in encoding.stages:
            missing = [stage for stage in structure.stages if stage not in encoding.stages]
        if len(missing) > 1:
            encoding.reserve(missing)
        for stage in missing:
            if stage in encoding.stages:
                continue
            limits.check()
            opened = encoding.open(stage)
            if stage.history.before is not None:
                # A modal constraint is about all worlds of the previous structure.
                before = self._opened(counter, stage.history.before)
                opened.added += [
                    before.everywhere(without_values(stage.history.before, c.formula))
                    for c in stage.law.added
                    if c.is_modal
                ]
            encoding.stages[stage] = opened
            here = self._opened(counter, stage)
            everything = here.everything()
            try:
                opened.added += [
                    here.truth(everything, c.formula) for c in stage.law.added if not c.is_modal
                ]
            except BaseException:
                del encoding.stages[stage]  # an incomplete stage would give wrong answers
                raise
        return self._opened(counter, structure)

    def _opened(self, counter: ModelCounter, structure: KnowledgeStructure) -> Evaluation:
        """Return an evaluation of a structure whose stages are all open."""
        return Evaluation(
            counter.encoding,
            structure,
            counter.weighed,
            lambda *asked: self._sum_counter.cells(*asked),
            self._by_plausibility(structure),
            self._evaluation,
        )

    def _by_plausibility(self, structure: KnowledgeStructure) -> bool:
        return of_structure(self.weighting, structure) == "plausible"

    def _view(self, work: Evaluation, state: EpistemicState | KnowledgeStructure) -> View:
        """Return the view of the worlds of a state."""
        if isinstance(state, KnowledgeStructure):
            return work.everything()
        if isinstance(state, Perspective):
            return work.view(work.encoding.seen(work.stage, state))
        self._check(work, state)
        return work.view(work.encoding.point(work.stage, state.world), complete=True)

    def _check(self, work: Evaluation, scene: Scene) -> None:
        """Raise `InputError` if the actual world is not a world of the law."""
        structure, world = scene.structure, scene.world
        if scene in self._checked:
            return
        encoding = work.encoding
        possible = all(
            world.get(name) in fluent.values
            for name, fluent in structure.vocabulary.fluents.items()
        )
        if possible and work.stage.small:
            law = work.worlds(work.everything())
            possible = encoding.contains(work.stage, law, world)
        elif possible:
            possible = all(
                evaluate(c.formula, world)
                for stated in structure.stages
                for c in stated.law.added
                if not c.is_modal
            ) and all(
                encoding.contains(work.stage, part, world)
                for stated in structure.stages
                if any(c.is_modal for c in stated.law.added)
                for part in encoding.stages[stated].added
            )
        if not possible:
            raise InputError("the law does not allow the actual world")
        self._checked.add(scene)

    def _law(self, work: Evaluation, view: View, state: EpistemicState) -> Diagram:
        """Return the worlds of the view; raise an error if there is none."""
        law = work.worlds(view)
        if not law.satisfiable():
            assert isinstance(state, Perspective)
            raise contradiction(state)
        return law
