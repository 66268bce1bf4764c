"""The truth of a formula at worlds: the semantic definitions as operations on diagrams.

||f|| is the set of worlds at which f is true. With theta the law, O_i the variables that i
observes, and V all variables:

    ||K[i] f||  =  forall (V - O_i). (theta -> ||f||)      ||D[G] f||: with the union of all O_i
    ||C[G] f||  =  theta - X, with X the least set that contains theta - ||f|| and, for each of its
                   worlds, all worlds that some member of G cannot tell from it
    ||B[i] f||  =  forall (V - O_i). (R_i -> ||f||), with R_i the most plausible worlds of i's cells
    ||CB[G] f|| =  V - X, with X the least set that contains each cell of a member i of G in which
                   R_i has a world that is in X or not in ||f||
    ||[!a] f||  =  ||a|| -> ||f||', with theta & ||a|| in place of theta in ||f||'

(J. van Benthem, J. van Eijck, M. Gattinger, K. Su: Symbolic model checking for dynamic epistemic
logic, 2018.) Only relevant worlds are computed. A *view* is the law with some literals given. For a
question at an actual world, all its literals are given; for the operand of K[i], the literals that
i sees there are given. A set computed in a view is correct only at the worlds of that view.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from symkripke import limits
from symkripke.engines.asked import first_world, without_values
from symkripke.engines.bdd.algebraic import WeighedCells, all_shares, compare_shares
from symkripke.engines.bdd.batch_knowledge import KnowledgeQueries, KnowledgeQuery, Mode
from symkripke.engines.bdd.belief import leading_out, most_plausible
from symkripke.engines.bdd.diagram import Diagrams, Literal
from symkripke.engines.bdd.interruptible import (
    Diagram,
    and_exists,
    both,
    diff_exists,
    either,
    exists,
    minus,
)
from symkripke.engines.bdd.law import NOTHING, Encoding, Literals, Stage
from symkripke.engines.bdd.without_recursion import run
from symkripke.errors import Unsupported
from symkripke.language import conjunction, disjunction
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional, knowers
from symkripke.model import KnowledgeStructure, World
from symkripke.records import dataclass

if TYPE_CHECKING:
    from symkripke.engines.count.cells import Cells

# Literals per unit of work. Adding a literal to a conjunction takes one small operation.
_LITERALS_A_UNIT = 4


@dataclass(eq=False)
class View:
    """A set of worlds of the law that includes all relevant worlds.

    Attributes:
        given: literals that are true at all its worlds.
        said: the announced formulas, in order. Only worlds at which they were true are in the view.
        complete: whether `given` describes a single world, which satisfies the law.
        law: the worlds of the view, computed on demand.
        sets: for each formula evaluated so far, a set that is correct at the worlds of the view.
    """

    given: Literals
    said: tuple[f.Formula, ...] = ()
    complete: bool = False
    law: Diagram | None = None
    sets: dict[f.Formula, Diagram] = field(default_factory=dict)


Computation: TypeAlias = Generator["Computation", Diagram, Diagram]
"""A computation that yields other computations and gets their results (see `run`)."""

Walk: TypeAlias = Generator[Computation, Diagram, View]
"""A computation like `Computation`, with a view as its result."""

Weigh: TypeAlias = Callable[
    ["Evaluation", Literals, Iterable[int], Diagram, Diagram], tuple[Diagram, Diagram, int]
]
"""A function that returns sets of worlds whose counts are weights (see `ModelCounter.weighed`)."""

CellsOf: TypeAlias = "Callable[[KnowledgeStructure, str, f.Formula], Cells | None]"
"""A function that returns the counts in the cells of an agent (see `SumCounter.cells`)."""

_MODES: dict[type[f.Formula], Mode] = {
    f.K: "always",
    f.D: "always",
    f.M: "somewhere",
    f.Kw: "decided",
}
_KNOWING = (f.K, f.D, f.M, f.Kw)


def _bare(formula: f.Formula) -> f.Formula:
    """Return the formula without a leading negation."""
    return formula.operand if isinstance(formula, f.Not) else formula


def combined(diagrams: Diagrams, formula: f.Formula, parts: Sequence[Diagram]) -> Diagram:
    """Return the worlds of a Boolean combination, from the worlds of its operands."""
    match formula:
        case f.Constant(value):
            return diagrams.true if value else diagrams.false
        case f.Not():
            return ~parts[0]
        case f.And():
            return diagrams.every(parts)
        case f.Or():
            return diagrams.some(parts)
        case f.Implies():
            return either(~parts[0], parts[1])
        case f.Iff():
            return parts[0].equiv(parts[1])
        case f.Cardinality(relation, bound, _):
            return diagrams.number(relation, bound, parts)
    raise Unsupported(f"the bdd engine does not know the operator of {formula}")


class Evaluation:
    """The evaluation of questions about one structure, with caches shared between questions."""

    def __init__(
        self,
        encoding: Encoding,
        structure: KnowledgeStructure,
        weigh: Weigh,
        cells_of: CellsOf,
        by_plausibility: bool,
        elsewhere: Callable[[KnowledgeStructure], Evaluation],
    ) -> None:
        """Create an evaluation of a structure whose stages are all open.

        If `by_plausibility`, probabilities are about the most plausible worlds only. `elsewhere`
        returns an evaluation of another structure of the family.
        """
        self.weigh = weigh
        self.cells_of = cells_of
        self._elsewhere = elsewhere
        self.by_plausibility = by_plausibility
        self.encoding = encoding
        self.diagrams = encoding.diagrams
        self._tuning = encoding.tuning
        self.structure = structure
        self.stage: Stage = encoding.stages[structure]
        self._views: dict[tuple[Literals, tuple[f.Formula, ...]], View] = {}

    # ---- ask it ---------------------------------------------------------------------------

    def view(
        self, given: Literals, said: tuple[f.Formula, ...] = (), *, complete: bool = False
    ) -> View:
        """Return the view of the worlds with `given` after the announcements `said`."""
        key = (given, said)
        if key not in self._views:
            self._views[key] = View(given, said, complete)
        return self._views[key]

    def everything(self) -> View:
        """Return the view of all worlds of the law."""
        return self.view(NOTHING)

    def worlds(self, view: View) -> Diagram:
        """Return the worlds of the view."""
        return run(self._law(view))

    def truth(self, view: View, formula: f.Formula) -> Diagram:
        """Return the worlds of the view at which the resolved `formula`, without `Kv`, is true.

        Raises:
            BudgetExceeded: the time limit is exceeded.
        """
        return run(self._truth(view, formula))

    def everywhere(self, formula: f.Formula) -> Diagram:
        """Return the worlds of the law at which the formula is true; the result is cached."""
        cached = self.encoding.sets.get((self.stage, formula))
        if cached is None:
            cached = self.truth(self.everything(), formula)
            self.encoding.sets.put((self.stage, formula), cached)
        return cached

    def is_about_many(self, formula: f.Formula) -> bool:
        """Return whether computing all worlds answers a question at one world faster.

        This is the case if the law is small and the formula is about many agents, because
        collecting the observations of each agent takes longer.
        """
        return len(knowers(formula)) >= self._tuning.batch and self.is_small()

    def world(self, worlds: Diagram) -> World | None:
        """Return the first world of `worlds` (see `first_world`); None if the set is empty."""

        def another(stated: Sequence[f.Formula]) -> World | None:
            literals = [self.literal(atom) for atom in stated]
            cube = self.diagrams.cube(literal for literal in literals if literal is not True)
            true = self.diagrams.pick(both(worlds, cube))
            return None if true is None else self.encoding.world(self.stage, true)

        some = another(())
        fluents = self.structure.vocabulary.fluents.values()
        return None if some is None else first_world(some, fluents, another)

    def literal(self, atom: f.Formula) -> Literal | bool:
        """Return the literal of a resolved atom; see `Encoding.literal`."""
        return self.encoding.literal(self.stage, atom)

    def seen(self, view: View, group: Iterable[str]) -> Literals | None:
        """Return the literals that the group observes in the view; None if they are not unique."""
        observed = self._observed(group)
        seen = frozenset(literal for literal in view.given if abs(literal) - 1 in observed)
        unknown = observed.difference(abs(literal) - 1 for literal in seen)
        if unknown:
            seen |= self._forced(self.worlds(view), group)
        return seen if len(seen) == len(observed) else None

    def shared(self, view: View, group: tuple[str, ...]) -> View:
        """Return a view with all worlds that members of the group reach from `view`."""
        return run(self._common(view, self.worlds(view), group))

    def best(self, view: View, agent: str, given: f.Formula) -> Diagram:
        """Return the agent's most plausible worlds with `given`; the view has only whole cells."""
        return run(self._best(view, agent, given))

    def blurred(self, worlds: Diagram, group: Iterable[str]) -> Diagram:
        """Return the valuations that agree with one of `worlds` on what the group observes."""
        return exists(worlds, self.encoding.hidden(self.stage, group))

    # ---- views ----------------------------------------------------------------------------

    def _law(self, view: View) -> Computation:
        if view.law is None:
            if view.said:
                before = self.view(view.given, view.said[:-1], complete=view.complete)
                law = yield self._law(before)
                true = yield self._truth(before, view.said[-1])
                view.law = both(law, true)
            elif view.complete:
                view.law = self.encoding.only(view.given)
            else:
                view.law = self.encoding.law(self.structure, view.given)
        return view.law

    def _step(self, view: View, law: Diagram, group: frozenset[str]) -> View:
        """Return a view with all worlds that the group cannot tell from worlds of `view`.

        `law` is the non-empty set of worlds of `view`.
        """
        if not view.given and self.is_small():
            return view
        observed = self._observed(group)
        known = frozenset(literal for literal in view.given if abs(literal) - 1 in observed)
        unknown = observed.difference(abs(literal) - 1 for literal in known)
        if unknown:
            if self.is_small():
                return self.view(NOTHING, view.said)
            known |= self._forced(law, group)
        return self.view(known, view.said)

    def is_small(self) -> bool:
        """Return whether the law is small enough to compute all cells at once."""
        return self.encoding.is_small(self.structure)

    def _observed(self, group: Iterable[str]) -> frozenset[int]:
        return frozenset[int]().union(*(self.stage.observed[agent] for agent in group))

    def _forced(self, law: Diagram, group: Iterable[str]) -> Literals:
        """Return the literals observed by the group that are true at all these worlds."""
        return self.diagrams.forced(law, self.encoding.hidden(self.stage, group))

    def _common(self, view: View, law: Diagram, group: tuple[str, ...]) -> Walk:
        """Return a view with all worlds that members of the group reach in any number of steps."""
        if self.is_small():
            return self.view(NOTHING, view.said)
        while True:
            seen = [self._step(view, law, frozenset((agent,))).given for agent in group]
            common = frozenset[int].intersection(*seen)
            if common == view.given:
                return view
            # After a step, the agent still sees the same. So literals that all members see stay
            # true.
            view = self.view(common, view.said)
            law = yield self._law(view)

    # ---- truth ----------------------------------------------------------------------------

    def _truth(self, view: View, formula: f.Formula) -> Computation:
        cached = view.sets.get(formula)
        if cached is None:
            stage = self.stage
            cached = stage.facts.get(formula)
            if cached is None:
                limits.check()
                cached = yield self._set(view, formula)
                if is_propositional(formula):
                    stage.facts.put(formula, cached)
            view.sets[formula] = cached
        return cached

    def _set(self, view: View, formula: f.Formula) -> Computation:
        if isinstance(formula, f.Announced | f.AnnouncedTrue):
            said = yield self._truth(view, formula.left)
            after = self.view(view.given, (*view.said, formula.left), complete=view.complete)
            then = yield self._truth(after, formula.right)
            return either(~said, then) if isinstance(formula, f.Announced) else both(said, then)
        if isinstance(formula, f.AfterAction):
            return self._after_action(view, formula)
        if isinstance(formula, f.Modal):
            law = yield self._law(view)
            if not law.satisfiable():
                return self.diagrams.true  # there is no world
            return (yield self._modal(view, law, formula))
        if isinstance(formula, f.And | f.Or):
            of_literals = self._of_literals(formula)
            if of_literals is not None:
                return of_literals
            if not view.given:
                return (yield self._combined(view, formula))
        parts: list[Diagram] = []
        for operand in formula.operands:
            cached = view.sets.get(operand)
            if cached is None and isinstance(operand, f.Atom):  # fast path for most operands
                cached = view.sets[operand] = self.encoding.atom(self.stage, operand)
            parts.append((yield self._truth(view, operand)) if cached is None else cached)
        return self._boolean(formula, parts)

    def _of_literals(self, formula: f.And | f.Or) -> Diagram | None:
        """Return a conjunction or disjunction of literals in one step; None for other operands.

        Binary numbers, clauses and lists of worlds consist of such formulas.
        """
        if not formula.propositional:
            return None
        every = isinstance(formula, f.And)
        literals: list[Literal] = []
        for part in formula.operands:
            positive = not isinstance(part, f.Not)
            atom = part.operand if isinstance(part, f.Not) else part
            if not isinstance(atom, f.Atom):
                return None
            literal = self.stage.literal(atom)
            wanted = positive is every  # a disjunction is false where all its literals are false
            if literal is not True:
                literals.append(literal if wanted else -literal)
            elif not wanted:
                literals.append(0)
        limits.spend(len(literals) // _LITERALS_A_UNIT)
        cube = self.diagrams.cube(literals)
        return cube if every else ~cube

    def _after_action(self, view: View, formula: f.AfterAction) -> Diagram:
        """Return the worlds where the formula is true after each possible event of an action.

        Raise `Unsupported` after an announcement within the same formula.
        """
        if view.said:
            raise Unsupported(f"{formula} is not supported after an announcement")
        after = self.structure.after_action(formula.action)
        there = self._elsewhere(after)
        place = there.view(view.given)
        happened = conjunction(())
        if after.history.occurrence is not None:
            happened = disjunction(map(after.history.occurrence.happened, formula.action.actual))
        asked = without_values(after, f.Implies(happened, after.resolve(formula.then)))
        true = there.truth(place, asked)
        new = there.stage.variables - self.stage.variables
        cube = self.diagrams.cube_of(new)
        return ~diff_exists(there.worlds(place), true, cube)

    def _boolean(self, formula: f.Formula, parts: list[Diagram]) -> Diagram:
        if isinstance(formula, f.Atom):
            return self.encoding.atom(self.stage, formula)
        return combined(self.diagrams, formula, parts)

    def _combined(self, view: View, formula: f.And | f.Or) -> Computation:
        """Return a conjunction or disjunction; compute the knowledge of many agents in one pass."""
        known = [part for part in formula.operands if isinstance(_bare(part), _KNOWING)]
        parts: list[Diagram] = []
        others: Iterable[f.Formula] = formula.operands
        if len(known) >= self._tuning.batch and self.is_small():
            every = isinstance(formula, f.And)
            queries = self.stage.queries.get(formula)
            if queries is None:
                knowledge_queries: list[KnowledgeQuery] = []
                for part in known:
                    bare = _bare(part)
                    true = yield self._truth(view, bare.operands[0])
                    knowledge_queries.append(self._query(bare, true, (part is bare) is every))
                queries = KnowledgeQueries(tuple(knowledge_queries))
                if all(is_propositional(_bare(part).operands[0]) for part in known):
                    self.stage.queries[formula] = queries  # the law does not affect them
            law = yield self._law(view)
            together = self.encoding.batch.all_of(law, queries)
            parts.append(together if every else ~together)
            others = [part for part in formula.operands if not isinstance(_bare(part), _KNOWING)]
        for part in others:
            parts.append((yield self._truth(view, part)))
        return self._boolean(formula, parts)

    def _query(self, formula: f.Formula, true: Diagram, truth: bool) -> KnowledgeQuery:
        """Return the query for a formula of a type in `_KNOWING`, or for its negation."""
        assert isinstance(formula, _KNOWING)
        group = formula.group if isinstance(formula, f.D) else (formula.agent,)
        hidden = self.encoding.hidden(self.stage, group)
        return KnowledgeQuery(_MODES[type(formula)], hidden, true, truth)

    def _modal(self, view: View, law: Diagram, formula: f.Formula) -> Computation:
        match formula:
            case f.K(agent, operand):
                return ~(yield self._possible(view, law, (agent,), operand, False))
            case f.M(agent, operand):
                return (yield self._possible(view, law, (agent,), operand, True))
            case f.Kw(agent, operand):
                yes = yield self._possible(view, law, (agent,), operand, True)
                no = yield self._possible(view, law, (agent,), operand, False)
                return ~both(yes, no)
            case f.E(group, operand) if (
                len(group) >= self._tuning.batch and not view.given and self.is_small()
            ):
                true = yield self._truth(view, operand)
                queries = tuple(self._query(f.K(agent, operand), true, True) for agent in group)
                return self.encoding.batch.all_of(law, KnowledgeQueries(queries))
            case f.E(group, operand):
                result = self.diagrams.true
                for agent in group:
                    doubt = yield self._possible(view, law, (agent,), operand, False)
                    result = minus(result, doubt)
                return result
            case f.D(group, operand):
                return ~(yield self._possible(view, law, group, operand, False))
            case f.C(group, operand):
                return ~(yield self._reachable(view, law, group, operand))
            case f.P():
                return (yield self._probable(view, law, formula))
            case f.B(agent, operand, given):
                return ~(yield self._doubted(view, law, agent, operand, given))
            case f.EB(group, operand):
                result = self.diagrams.true
                for agent in group:
                    result = minus(result, (yield self._doubted(view, law, agent, operand)))
                return result
            case f.CB(group, operand):
                return ~(yield self._led_out(view, law, group, operand))
        raise Unsupported(f"the bdd engine does not know the operator of {formula}")

    def _possible(
        self, view: View, law: Diagram, group: tuple[str, ...], operand: f.Formula, truth: bool
    ) -> Computation:
        """Return the worlds where the group together considers this truth of `operand` possible."""
        there = self._step(view, law, frozenset(group))
        worlds = yield self._law(there)
        true = yield self._truth(there, operand)
        hidden = self.encoding.hidden(self.stage, group)
        if truth:
            return and_exists(worlds, true, hidden)
        return diff_exists(worlds, true, hidden)

    def _reachable(
        self, view: View, law: Diagram, group: tuple[str, ...], operand: f.Formula
    ) -> Computation:
        """Return the worlds from which steps of members reach a world with `operand` false."""
        there = yield from self._common(view, law, group)
        worlds = yield self._law(there)
        true = yield self._truth(there, operand)
        hidden = [self.encoding.hidden(self.stage, (agent,)) for agent in group]
        visited = fresh = minus(worlds, true)
        while fresh.satisfiable():
            limits.check()
            reached = self.diagrams.some([exists(fresh, cube) for cube in hidden])
            fresh = minus(both(worlds, reached), visited)
            visited = either(visited, fresh)
        return visited

    def _doubted(
        self,
        view: View,
        law: Diagram,
        agent: str,
        operand: f.Formula,
        given: f.Formula = f.TRUE,
    ) -> Computation:
        """Return the worlds of cells with a most plausible world with `given` but not `operand`."""
        there = self._step(view, law, frozenset((agent,)))
        best = yield self._best(there, agent, given)
        true = yield self._truth(there, operand)
        return diff_exists(best, true, self.encoding.hidden(self.stage, (agent,)))

    def _led_out(
        self, view: View, law: Diagram, group: tuple[str, ...], operand: f.Formula
    ) -> Computation:
        """Return the worlds from which steps of belief reach a world with `operand` false."""
        there = yield from self._common(view, law, group)
        worlds = yield self._law(there)
        true = yield self._truth(there, operand)
        best: list[Diagram] = []
        for agent in group:
            best.append((yield self._best(there, agent, f.TRUE)))
        hidden = [self.encoding.hidden(self.stage, (agent,)) for agent in group]
        return leading_out(self.diagrams, minus(worlds, true), best, hidden)

    def _best(self, view: View, agent: str, given: f.Formula) -> Computation:
        """Return the agent's most plausible worlds with `given`; the view has only whole cells."""
        worlds = yield self._law(view)
        condition = yield self._truth(view, given)
        order: list[Diagram] = []
        for soft in self.structure.plausibility(agent):
            order.append((yield self._truth(view, soft.formula)))
        hidden = self.encoding.hidden(self.stage, (agent,))
        return most_plausible(both(worlds, condition), order, hidden)

    def part_of(
        self, view: View, observed: Iterable[int], law: Diagram, whole: Diagram, part: Diagram
    ) -> tuple[Diagram, Diagram, int]:
        """Return `whole` and its subset `part`, extended so that their counts are weights.

        Both are sets of worlds of the view's law. `Weigh` does the same if `whole` is all of the
        law. The third result is the number of added variables.
        """
        if whole == law:
            return self.weigh(self, view.given, observed, law, part)
        first, whole, more = self.weigh(self, view.given, observed, law, whole)
        second, part, further = self.weigh(self, view.given, observed, law, part)
        if (first, more) != (second, further):
            raise Unsupported(
                "the condition or the question is about something that was shown to "
                "some agents only, which this engine cannot count; the explicit "
                "engine answers it at small sizes"
            )
        return whole, part, more

    def _probable(self, view: View, law: Diagram, formula: f.P) -> Computation:
        cells = self._cell_by_cell(view, law, formula)
        if cells is not None:
            fits = f.COMPARE[formula.relation]
            there = [cell for cell, share in cells if fits(share, formula.bound)]
            if len(there) == len(cells):
                return self.diagrams.true
            return self.diagrams.some([self.diagrams.cube(cell) for cell in there])
        weighed = yield from self._weighed(view, law, formula)
        return compare_shares(self.diagrams, weighed, formula.relation, formula.bound)

    def _cell_by_cell(
        self, view: View, law: Diagram, formula: f.P
    ) -> list[tuple[Literals, Fraction]] | None:
        """Return the cells of the agent at worlds of the view, each with its probability.

        For facts under a law of sums, the probabilities are counted without a diagram of all cells
        together, which is large if the law is large. Return None for other laws and formulas, for
        too many cells, and for a small law, for which a diagram is faster.
        """
        agent = formula.agent
        if formula.given is not f.TRUE or view.said or not is_propositional(formula.operand):
            return None
        if self.by_plausibility or self.is_small():
            return None
        counted = self.cells_of(self.structure, agent, formula.operand)
        if counted is None:
            return None
        observed = self.stage.observed[agent]
        cells = exists(law, self.encoding.hidden(self.stage, (agent,)))
        if self.diagrams.count(cells, len(observed)) > self._tuning.cells:
            return None
        atoms = [observable.atom for observable in self.structure.observables[agent]]
        literals = [(atom, self.stage.literal(atom)) for atom in atoms]
        shares: list[tuple[Literals, Fraction]] = []
        for true in self.diagrams.members(cells, observed):
            cell = frozenset(v + 1 if v in true else -v - 1 for v in observed)
            seen = frozenset(
                atom for atom, literal in literals if literal is True or literal in cell
            )
            share = counted.share(seen)
            if share is None:
                return None
            shares.append((cell, share))
        return shares

    def _weighed(
        self, view: View, law: Diagram, formula: f.P
    ) -> Generator[Computation, Diagram, WeighedCells]:
        """Return the weighted cells for a probability at the worlds of a view."""
        there = self._step(view, law, frozenset((formula.agent,)))
        worlds = yield self._law(there)
        true = yield self._truth(there, formula.operand)
        # `given` is the same in the whole view. If the agent observes nothing else, there is one
        # cell.
        given = {abs(literal) - 1 for literal in there.given}
        observed = self.stage.observed[formula.agent] - given
        if self.by_plausibility:
            among = yield self._best(there, formula.agent, formula.given)
        else:
            among = both(worlds, (yield self._truth(there, formula.given)))
        whole, part, more = self.part_of(there, observed, worlds, among, both(among, true))
        return WeighedCells(whole, part, observed, len(self.stage.variables - observed) + more)

    def shares(self, view: View, chance: f.P) -> frozenset[Fraction]:
        """Return the different values of the probability in `chance` at the worlds of the view."""
        law = self.worlds(view)
        by_cell = self._cell_by_cell(view, law, chance)
        if by_cell is not None:
            return frozenset(share for _, share in by_cell)
        weighed: list[WeighedCells] = []

        def weigh() -> Computation:
            weighed.append((yield from self._weighed(view, law, chance)))
            return law

        run(weigh())
        return all_shares(self.diagrams, weighed[0], self.blurred(law, (chance.agent,)))
