"""The bdd engine: sets of worlds as decision diagrams. Counts exactly, and nests as it likes."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakSet

from oxidd.util import DDMemoryError

from symkripke.engines.asked import perspective_asked
from symkripke.engines.bdd.counting import Counting
from symkripke.engines.bdd.diagram import Diagram, Literal, minus
from symkripke.engines.bdd.explain import Explainer
from symkripke.engines.bdd.law import NOTHING, Line
from symkripke.engines.bdd.sum_of_products import Cover, Description, first_members, in_words
from symkripke.engines.bdd.truth import Evaluation, View
from symkripke.engines.clock import Deadline
from symkripke.engines.counting.counter import Tallies
from symkripke.engines.one_at_a_time import one_at_a_time
from symkripke.engines.one_by_one import OneByOne
from symkripke.engines.plain import without_values
from symkripke.engines.protocol import Answer, Budget, Mark, Sheet
from symkripke.engines.weighting import bits, checked, checked_request, current, named
from symkripke.errors import (
    BudgetExceeded,
    ImpossibleEvent,
    InputError,
    TooManyNodes,
    Unsupported,
    in_digits,
)
from symkripke.explain.evidence import CounterWorld, Evidence, Possible
from symkripke.language import Atom, Formula, negation
from symkripke.language.walk import atoms as atoms_of
from symkripke.language.walk import is_propositional
from symkripke.model import (
    Beliefs,
    KnowledgeStructure,
    Perspective,
    Scene,
    Soft,
    State,
    World,
    evaluate,
)

if TYPE_CHECKING:
    from symkripke.engines.counting.path_counts import Ways
    from symkripke.engines.markov_chain import Chain

_NOWHERE: World = {}


@one_at_a_time
class BddEngine(OneByOne):
    """Answers from binary decision diagrams; implements `symkripke.engines.protocol.Engine`.

    The law given what an agent has seen is one diagram, built when it is first asked for and
    kept; an event adds to it. Nothing is refused; where a diagram would have more nodes than
    allowed, `BudgetExceeded` is raised. Threads are answered in turn.
    """

    name = "bdd"

    def __init__(self, max_nodes: int = 24_000_000, weighting: str = "equal") -> None:
        """An engine with room for `max_nodes` nodes for each line of structures.

        24 million take about 1 GB, with all that belongs to them; only nodes that are made do.
        `weighting` says what worlds count (see `symkripke.engines.weighting`); raises
        `UnknownName` for none of them.
        """
        self.weighting = checked(weighting)
        if max_nodes < 1:
            raise InputError(f"expected a number of nodes of 1 or more, got {max_nodes}")
        self.max_nodes = max_nodes
        self._lines: WeakKeyDictionary[KnowledgeStructure, Counting] = WeakKeyDictionary()
        self._tallies = Tallies(max_nodes, weighting)
        self._checked: WeakSet[Scene] = WeakSet()

    # ---- the engine's interface -------------------------------------------------------------

    def holds(self, state: State, formula: Formula | str, budget: Budget | None = None) -> Answer:
        """See `Engine.holds`."""
        resolved = _resolved(state.structure, formula)
        plain = without_values(state.structure, resolved)
        with self._room(state.structure):
            work = self._evaluation(state.structure, budget)
            truth, decided = self._decide(work, state, plain)
        if not decided:
            assert isinstance(state, Perspective)
            raise InputError(
                f"what {state.agent} has seen does not decide {resolved}; "
                f"ask K[{state.agent}] ({resolved}) instead"
            )

        def why() -> Evidence:
            with self._room(state.structure):
                again = self._evaluation(state.structure, budget)
                whose = state.agent if isinstance(state, Perspective) else None
                return Explainer(again, whose).evidence(self._view(again, state), plain)

        return Answer(truth, resolved, self.name, why)

    def valid(
        self, structure: KnowledgeStructure, formula: Formula | str, budget: Budget | None = None
    ) -> Answer:
        """See `Engine.valid`."""
        resolved = _resolved(structure, formula)
        with self._room(structure):
            world = self._world(structure, negation(resolved), budget)

        def why() -> Evidence:
            if world is None:
                raise Unsupported(
                    f"{resolved} is true at every world of the diagram; "
                    "the sat engine finds minimal sources"
                )
            shown = CounterWorld((), world, negation(resolved))
            return Possible(resolved, False, (shown,))

        return Answer(world is None, resolved, self.name, why)

    def witness(
        self,
        state: State | KnowledgeStructure,
        formula: Formula | str,
        budget: Budget | None = None,
    ) -> World | None:
        """See `Engine.witness`. Here the formula may be modal, too."""
        structure = state if isinstance(state, KnowledgeStructure) else state.structure
        with self._room(structure):
            return self._world(state, _resolved(structure, formula), budget)

    def sheet(
        self,
        perspective: Perspective,
        atoms: Iterable[Atom] | None = None,
        budget: Budget | None = None,
    ) -> Sheet:
        """See `Engine.sheet`. One pass over the nodes."""
        structure = perspective.structure
        asked = structure.atoms if atoms is None else tuple(atoms)
        with self._room(structure):
            work = self._evaluation(structure, budget)
            law = self._law(work, self._view(work, perspective), perspective)
            literals = [work.line.literal(work.stage, structure.resolve(atom)) for atom in asked]
            known = work.diagrams.forced(law, work.line.others(work.stage, literals))
        marks = []
        for literal in literals:
            if literal is True or literal in known:
                marks.append(Mark.YES)
            else:
                marks.append(Mark.NO if literal is False or -literal in known else Mark.OPEN)
        return Sheet(perspective, asked, tuple(marks))

    def possibilities(
        self,
        perspective: Perspective,
        atoms: Sequence[Atom],
        limit: int = 100_000,
        budget: Budget | None = None,
    ) -> frozenset[frozenset[Atom]]:
        """See `Engine.possibilities`."""
        structure = perspective.structure
        with self._room(structure):
            work = self._evaluation(structure, budget)
            literals = {
                atom: work.line.literal(work.stage, structure.resolve(atom)) for atom in atoms
            }
            asked = {abs(one) - 1 for one in literals.values() if not isinstance(one, bool)}
            law = work.worlds(self._view(work, perspective))
            shadow = law.exists(work.line.others(work.stage, literals.values()))
            number = work.diagrams.count(shadow, len(asked))
            if number > limit:
                raise BudgetExceeded(
                    f"there are {in_digits(number)} possibilities, more than {limit:,}"
                )
            return frozenset(
                frozenset(atom for atom, one in literals.items() if _true(one, true))
                for true in work.diagrams.members(shadow, asked)
            )

    def believed(self, perspective: Perspective, budget: Budget | None = None) -> Beliefs:
        """See `Engine.believed`."""
        structure = perspective_asked(perspective).structure
        kept: list[Soft] = []
        given_up: list[Soft] = []
        with self._room(structure):
            work = self._evaluation(structure, budget)
            view = self._view(work, perspective)
            worlds = self._law(work, view, perspective)
            for soft in structure.plausibility(perspective.agent):
                work.deadline.check()
                better = worlds & work.truth(view, soft.formula)
                (kept if better.satisfiable() else given_up).append(soft)
                worlds = better if better.satisfiable() else worlds
        return Beliefs(tuple(kept), tuple(given_up))

    # ---- counting ---------------------------------------------------------------------------

    def worlds(
        self,
        state: KnowledgeStructure | Perspective,
        over: Iterable[str] | None = None,
        budget: Budget | None = None,
    ) -> int:
        """See `Engine.worlds`."""
        structure = state if isinstance(state, KnowledgeStructure) else state.structure
        names = None if over is None else current(structure, over)
        deadline = Deadline(budget)
        tallied = self._tallies.number(state, names, deadline)
        if tallied is not None:
            return tallied
        with self._room(structure):
            work = self._evaluation(structure, deadline.left())
            if names is None:
                worlds = work.worlds(self._view(work, state))
                return work.diagrams.count(worlds, len(work.stage.variables))
            agent = state.agent if isinstance(state, Perspective) else None
            given = work.line.seen(work.stage, state) if isinstance(state, Perspective) else NOTHING
            deals = self._counting(structure).deals(work, agent, given, names)
            return work.diagrams.count(deals, sum(len(work.stage.blocks[x][1]) for x in names))

    def probability(
        self, perspective: Perspective, formula: Formula | str, budget: Budget | None = None
    ) -> Fraction:
        """See `Engine.probability`."""
        structure = perspective.structure
        plain = without_values(structure, _resolved(structure, formula))
        deadline = Deadline(budget)
        tallied = self._tallied(perspective, deadline)
        if tallied is not None and is_propositional(plain):
            share = self._tallies.share(perspective, plain, deadline)
            if share is not None:
                return share
        with self._room(structure):
            work = self._evaluation(structure, deadline.left())
            if is_propositional(plain):
                names = {atom.fluent for atom in atoms_of(plain)}
                whole = self._possible(work, perspective, names)
                part = whole & work.truth(work.everything(), plain)
            else:
                view = self._view(work, perspective)
                law = self._law(work, view, perspective)
                true = law & work.truth(view, plain)
                whole, part, _ = work.weigh(work, view.given, (), law, true)
            size = work.diagrams.manager.num_vars()
            return Fraction(work.diagrams.count(part, size), work.diagrams.count(whole, size))

    def marginals(
        self, perspective: Perspective, atoms: Iterable[Atom] | None = None
    ) -> Mapping[Atom, Fraction]:
        """See `Engine.marginals`. Counts down and up the nodes, once."""
        structure = perspective.structure
        asked = structure.atoms if atoms is None else tuple(atoms)
        resolved = {atom: structure.resolve(atom) for atom in asked}
        tallied = self._tallied(perspective)
        if tallied is not None:
            return {atom: tallied.share(formula) for atom, formula in resolved.items()}
        with self._room(structure):
            work = self._evaluation(structure)
            law = self._possible(work, perspective, _fluents(resolved.values()))
            shares = self._counting(structure).nodes(law).marginals
            return {
                atom: _share(shares, work.line.literal(work.stage, formula))
                for atom, formula in resolved.items()
            }

    def distribution(
        self, perspective: Perspective, atoms: Sequence[Atom], limit: int = 100_000
    ) -> Mapping[frozenset[Atom], Fraction]:
        """See `Engine.distribution`."""
        structure = perspective.structure
        resolved = {atom: structure.resolve(atom) for atom in atoms}
        if self._tallied(perspective) is not None:
            joint = self._tallies.joint(perspective, resolved, limit)
            if joint is not None:
                return joint
        with self._room(structure):
            work = self._evaluation(structure)
            literals = {
                atom: work.line.literal(work.stage, formula) for atom, formula in resolved.items()
            }
            asked = sorted({abs(one) - 1 for one in literals.values() if not isinstance(one, bool)})
            law = self._possible(work, perspective, _fluents(resolved.values()))
            found = self._counting(structure).split(law, asked, limit)
        return {
            frozenset(atom for atom, one in literals.items() if _true(one, true)): share
            for true, share in found
        }

    def entropy(
        self, perspective: Perspective, atoms: Sequence[Atom], limit: int = 100_000
    ) -> float:
        """See `Engine.entropy`."""
        return bits(self.distribution(perspective, atoms, limit).values())

    def sample(
        self,
        perspective: Perspective,
        number: int,
        chance: random.Random,
        over: Iterable[str] | None = None,
    ) -> list[World]:
        """See `Engine.sample`."""
        structure = perspective.structure
        asked = checked_request(structure, number, over)
        names = structure.vocabulary.fluents if asked is None else current(structure, asked)
        tallied = self._tallied(perspective)
        if tallied is not None:
            drawn = list(tallied.draw(number, chance))
            return drawn if asked is None else [named(asked, world) for world in drawn]
        from symkripke.engines.bdd.sampling import draw  # with numpy

        with self._room(structure):
            work = self._evaluation(structure)
            law = self._possible(work, perspective, names)
            nodes = self._counting(structure).nodes(law)
            variables = [v for name in names for v in work.stage.blocks[name][1]]
            worlds = [
                work.line.world(work.stage, true, names)
                for true in draw(nodes, number, chance, variables)
            ]
        return worlds if asked is None else [named(asked, world) for world in worlds]

    def stepwise(self, perspective: Perspective, names: Sequence[str]) -> Chain:
        """See `Engine.stepwise`. One pass over the nodes, from the top.

        Raises `Unsupported` where the variables of several fluents are mixed in the order; those
        of the first structure never are.
        """
        structure = perspective.structure
        wanted = current(structure, names)
        if self._tallied(perspective) is not None:
            links = self._tallies.chain(perspective, wanted)
            if links is not None:
                return links
        from symkripke.engines.bdd.markov_chain import Asked, chain  # with numpy

        with self._room(structure):
            work = self._evaluation(structure)
            nodes = self._counting(structure).nodes(self._possible(work, perspective, wanted))
            return chain(nodes, (Asked(name, *work.stage.blocks[name]) for name in wanted))

    def describe(
        self,
        structure: KnowledgeStructure,
        formula: Formula | str,
        over: Iterable[str] | None = None,
        *,
        parts: int = 16,
        first: int = 5,
        budget: Budget | None = None,
    ) -> Description:
        """At which worlds of the law a formula, which may be modal, is true.

        A formula of at most so many `parts` that says it, how many worlds these are, and the first
        few, as values of the fluents `over` (resolved names; of all, if none are given).
        """
        plain = without_values(structure, _resolved(structure, formula))
        names = tuple(structure.vocabulary.fluents if over is None else over)
        with self._room(structure):
            work = self._evaluation(structure, budget)
            law = work.worlds(work.everything())
            true = law & work.everywhere(plain)
            number = work.diagrams.count(true, len(work.stage.variables))
            # Where the law does not hold it does not matter; but then there is more to look at.
            bounds = [(true, law.imp(true))]
            if is_propositional(plain):
                plainly = work.everywhere(plain)
                bounds.append((plainly, plainly))
            says = None
            for least, whole in bounds:
                with suppress(BudgetExceeded):
                    says = in_words(work.stage, Cover(work.diagrams, parts).of(least, whole))
                    break
            kept = {v for name in names for v in work.stage.blocks[name][1]}
            seen = true.exists(work.diagrams.cube(v + 1 for v in work.stage.variables - kept))
            found = first_members(work.diagrams, seen, work.stage, names)
            worlds = tuple(
                work.line.world(work.stage, one, names) for one in itertools.islice(found, first)
            )
        return Description(number, says, worlds)

    # ---- behind it ----------------------------------------------------------------------------

    def nodes(self, state: KnowledgeStructure | Perspective) -> int:
        """How many nodes the diagram has that `worlds` counts; without one, how many states."""
        structure = state if isinstance(state, KnowledgeStructure) else state.structure
        tallied = self._tallies.ways(state)
        if tallied is not None:
            return tallied.frontier.states
        with self._room(structure):
            work = self._evaluation(structure)
            return work.worlds(self._view(work, state)).node_count()

    def drawn(self, structure: KnowledgeStructure) -> bool:
        """Whether the diagram of the structure's law is there already."""
        counting = self._lines.get(structure.root)
        return counting is not None and structure in counting.line.stages

    def counted_nodes(self, perspective: Perspective, over: Iterable[str]) -> int:
        """How many nodes the diagram has that questions about these fluents are answered from.

        Without a diagram, how many states.
        """
        structure = perspective.structure
        names = current(structure, over)
        tallied = self._tallied(perspective)
        if tallied is not None:
            return tallied.frontier.states
        with self._room(structure):
            work = self._evaluation(structure)
            return self._possible(work, perspective, names).node_count()

    def _tallied(self, perspective: Perspective, deadline: Deadline | None = None) -> Ways | None:
        """What the agent considers possible, if that needs no diagram."""
        ways = self._tallies.ways(perspective, deadline=deadline)
        if ways is not None and not ways.total:
            raise _contradiction(perspective)
        return ways

    def _counting(self, structure: KnowledgeStructure) -> Counting:
        root = structure.root
        if root not in self._lines:
            self._lines[root] = Counting(Line(self.max_nodes), self.weighting)
        return self._lines[root]

    def _line(self, structure: KnowledgeStructure) -> Line:
        return self._counting(structure).line

    def _possible(
        self, work: Evaluation, perspective: Perspective, names: Iterable[str]
    ) -> Diagram:
        """What the agent considers possible, by weight, for questions about these fluents."""
        given = work.line.seen(work.stage, perspective)
        counting = self._counting(perspective.structure)
        possible = counting.possible(work, perspective.agent, given, names)
        if not possible.satisfiable():
            raise _contradiction(perspective)
        return possible

    @contextmanager
    def _room(self, structure: KnowledgeStructure) -> Iterator[None]:
        """Running out of nodes is running out of a budget; the line is ready for the next one."""
        try:
            yield
        except DDMemoryError:
            self._counting(structure).forget()
            raise TooManyNodes(
                f"the decision diagram would have more than {self.max_nodes:,} nodes; "
                "ask the sat engine, or allow more"
            ) from None

    def _evaluation(
        self, structure: KnowledgeStructure, budget: Budget | None = None
    ) -> Evaluation:
        """A place to work out a question, with all stages of the structure there."""
        deadline = Deadline(budget)
        counting = self._counting(structure)
        line, weigh = counting.line, counting.weighed
        for stage in structure.history if structure not in line.stages else ():
            if stage in line.stages:
                continue
            deadline.check()
            opened = line.open(stage)
            if stage.before is not None:
                # A modal constraint speaks about all worlds of the structure before.
                before = Evaluation(line, stage.before, deadline, weigh)
                opened.added += [
                    before.everywhere(without_values(stage.before, c.formula))
                    for c in stage.added
                    if c.is_modal
                ]
            line.stages[stage] = opened
            here = Evaluation(line, stage, deadline, weigh)
            everything = here.everything()
            try:
                opened.added += [
                    here.truth(everything, c.formula) for c in stage.added if not c.is_modal
                ]
            except BaseException:
                del line.stages[stage]  # half a stage would be a wrong answer later
                raise
        return Evaluation(line, structure, deadline, weigh)

    def _decide(self, work: Evaluation, state: State, plain: Formula) -> tuple[bool, bool]:
        """Whether the formula is true at the state, and whether the state decides that."""
        if isinstance(state, Scene) and work.is_about_many(plain):
            self._check(work, state)
            true = work.everywhere(plain)
            return work.line.contains(work.stage, true, state.world), True
        view = self._view(work, state)
        law = self._law(work, view, state)
        true = work.truth(view, plain)
        truth = (law & true).satisfiable()
        return truth, not truth or not minus(law, true).satisfiable()

    def _view(self, work: Evaluation, state: State | KnowledgeStructure) -> View:
        """The view of the worlds of a state."""
        if isinstance(state, KnowledgeStructure):
            return work.everything()
        if isinstance(state, Perspective):
            return work.view(work.line.seen(work.stage, state))
        self._check(work, state)
        return work.view(work.line.point(work.stage, state.world), complete=True)

    def _check(self, work: Evaluation, scene: Scene) -> None:
        """Raises `InputError` if the actual world is not one of the law's.

        After an event looks at what the event added only, if the scene before was looked at.
        """
        structure, world = scene.structure, scene.world
        if scene in self._checked:
            return
        line = work.line
        stages, known = structure.history, _NOWHERE
        if line.obeyed is not None and structure.before is not None:
            stage, earlier = line.obeyed
            if stage is line.stages[structure.before] and earlier.items() <= world.items():
                stages, known = (structure,), earlier
        fluents = structure.vocabulary.fluents
        possible = len(known) == len(fluents) or all(
            world.get(name) in fluent.values
            for name, fluent in fluents.items()
            if name not in known
        )
        if possible and not known and work.stage.small:
            law = work.worlds(work.everything())
            possible = line.contains(work.stage, law, world)
        elif possible:
            possible = all(
                evaluate(c.formula, world) for one in stages for c in one.added if not c.is_modal
            ) and all(
                line.contains(work.stage, part, world)
                for one in stages
                if any(c.is_modal for c in one.added)
                for part in line.stages[one].added
            )
        if not possible:
            raise InputError("the actual world is none of the worlds that the law allows")
        self._checked.add(scene)
        line.obeyed = work.stage, world

    def _law(self, work: Evaluation, view: View, state: State) -> Diagram:
        """The worlds of the view; there must be one."""
        law = work.worlds(view)
        if not law.satisfiable():
            assert isinstance(state, Perspective)
            raise _contradiction(state)
        return law

    def _world(
        self, state: State | KnowledgeStructure, formula: Formula, budget: Budget | None
    ) -> World | None:
        structure = state if isinstance(state, KnowledgeStructure) else state.structure
        work = self._evaluation(structure, budget)
        view = self._view(work, state)
        true = work.truth(view, without_values(structure, formula))
        return work.world(work.worlds(view) & true)


def _resolved(structure: KnowledgeStructure, formula: Formula | str) -> Formula:
    stated = structure.parse(formula) if isinstance(formula, str) else formula
    return structure.resolve(stated)


def _contradiction(perspective: Perspective) -> ImpossibleEvent:
    return ImpossibleEvent(f"what {perspective.agent} has seen contradicts the law")


def _fluents(formulas: Iterable[Formula]) -> set[str]:
    """The fluents that these speak of."""
    return {atom.fluent for formula in formulas for atom in atoms_of(formula)}


def _share(shares: Mapping[int, Fraction], literal: Literal | bool) -> Fraction:
    """The probability of a literal; a variable that is not asked for may be either."""
    if isinstance(literal, bool):
        return Fraction(literal)
    share = shares.get(abs(literal) - 1, Fraction(1, 2))
    return share if literal > 0 else 1 - share


def _true(literal: Literal | bool, true: frozenset[int]) -> bool:
    """Whether a literal is true where these variables are."""
    return literal if isinstance(literal, bool) else (abs(literal) - 1 in true) == (literal > 0)
