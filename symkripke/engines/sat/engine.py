"""The default engine: knowledge as satisfiability.

    K[i] f at s   iff   law & (what i has seen) & ~f is unsatisfiable.

It answers K, M, Kw, Kv, E, D, C, B, EB and CB in any nesting (`search` where they are nested),
Boolean combinations, public announcements inside formulas (before C and CB as far as
`announcement_operator` goes), and announcements about knowledge as events. P raises `Unsupported`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from weakref import WeakKeyDictionary

from symkripke.engines.asked import agents_asked, perspective_asked
from symkripke.engines.one_at_a_time import one_at_a_time
from symkripke.engines.protocol import Answer, Budget, Mark, Sheet
from symkripke.engines.sat.announcement_operator import opened, reduced, said, too_deep
from symkripke.engines.sat.belief import Believing
from symkripke.engines.sat.explain.explainer import Explainer, unsupported
from symkripke.engines.sat.group_query import possible_to
from symkripke.engines.sat.modal.normal_form import normalise
from symkripke.engines.sat.modal.search import ModalSolver
from symkripke.engines.sat.solver_cache import Line, line_of
from symkripke.engines.sat.world_solver import Meter, WorldSolver
from symkripke.engines.uncounted import Uncounted
from symkripke.errors import InputError, Unsupported
from symkripke.explain.evidence import Evidence
from symkripke.language import FALSE, TRUE, Atom, Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.walk import (
    has_announcements,
    is_propositional,
    remembered,
    replace_leaves,
)
from symkripke.model import (
    Beliefs,
    KnowledgeStructure,
    Observable,
    Perspective,
    Scene,
    State,
    World,
    evaluate,
)

# Solvers kept for one line of structures. One an agent serves a running game; questions about
# the past make more, and the one not used for longest goes.
_SOLVERS = 24


@one_at_a_time
class SatEngine(Uncounted):
    """An engine that answers by satisfiability checks; see `symkripke.engines.protocol.Engine`.

    Keeps one incremental solver an agent and moves it on with the structure, so that asking
    along a game costs microseconds; a question about the past builds another solver. One engine
    may serve any number of structures (threads in turn).
    """

    name = "sat"
    LOCKED = ("holds",)
    _lock: AbstractContextManager[object]

    def __init__(self) -> None:
        """An engine with nothing in memory yet."""
        self.beliefs = Believing(self)
        self._resolved: WeakKeyDictionary[KnowledgeStructure, dict[Formula | str, Formula]] = (
            WeakKeyDictionary()
        )

    # ---- the engine's interface -------------------------------------------------------

    def holds(self, state: State, formula: Formula | str, budget: Budget | None = None) -> Answer:
        """See `Engine.holds`."""
        with self._lock:
            resolved = self._resolve(state.structure, formula)
            truth = self.truth(state, resolved, Meter.of(budget))

        def why() -> Evidence:
            with self._lock:
                asked = state.structure.resolve(_read(state.structure, formula))
                return Explainer(self, Meter.of(budget)).evidence(state, asked)

        return Answer(truth, resolved, self.name, why)

    def truth(self, state: State, formula: Formula, meter: Meter | None) -> bool:
        """The truth of a resolved formula; see `Engine.holds`."""
        with _not_too_deep():
            if isinstance(state, Perspective):
                if state.structure.is_modal:
                    self._solver(state).require_consistent(meter)
                return self._at_perspective(state, formula, meter)
            return self._true(state, formula, meter)

    def valid(
        self, structure: KnowledgeStructure, formula: Formula | str, budget: Budget | None = None
    ) -> Answer:
        """See `Engine.valid`."""
        resolved = self._resolve(structure, formula)
        nobody = self._nobody(structure)
        meter = Meter.of(budget)
        # A law without worlds makes everything valid.
        consistent = self._solver(nobody).consistent(meter)
        with _not_too_deep():
            truth = not consistent or self.all_worlds(nobody, (), resolved, meter)

        def why() -> Evidence:
            return Explainer(self, Meter.of(budget)).all_worlds(nobody, (), resolved, resolved)

        return Answer(truth, resolved, self.name, why)

    def possible_to(
        self,
        scene: Scene,
        formula: Formula | str,
        agents: Iterable[str],
        budget: Budget | None = None,
    ) -> frozenset[str]:
        """See `Engine.possible_to`."""
        resolved = self._resolve(scene.structure, formula)
        with _not_too_deep():
            return possible_to(self, scene, resolved, agents_asked(agents), Meter.of(budget))

    def witness(
        self,
        state: State | KnowledgeStructure,
        formula: Formula | str,
        budget: Budget | None = None,
    ) -> World | None:
        """See `Engine.witness`."""
        structure = state if isinstance(state, KnowledgeStructure) else state.structure
        resolved = self._resolve(structure, formula)
        if not is_propositional(resolved):
            raise InputError(f"expected a formula without knowledge in it, got {resolved}")
        if isinstance(state, Scene):
            return state.world if evaluate(resolved, state.world) else None
        perspective = state if isinstance(state, Perspective) else self._nobody(state)
        solver = self._solver(perspective)
        model = solver.model(self._literals(solver, resolved), Meter.of(budget))
        if model is None:
            return None
        true = [v for v in range(1, model.bit_length()) if (model >> v) & 1]
        return solver.encoding.world(structure, true)

    def sheet(
        self,
        perspective: Perspective,
        atoms: Iterable[Atom] | None = None,
        budget: Budget | None = None,
    ) -> Sheet:
        """See `Engine.sheet`. One backbone computation; only what is still open costs a call."""
        structure = perspective.structure
        asked = structure.atoms if atoms is None else tuple(atoms)
        solver = self._solver(perspective)
        literals = self._columns(structure, asked)
        always, never = solver.marks(
            [abs(one) for one in literals if not isinstance(one, bool)], Meter.of(budget)
        )
        yes, no, either = Mark.YES, Mark.NO, Mark.OPEN
        marks = []
        for literal in literals:
            if literal is True or literal is False:
                marks.append(yes if literal else no)
            elif (always >> abs(literal)) & 1:
                marks.append(yes if literal > 0 else no)
            elif (never >> abs(literal)) & 1:
                marks.append(no if literal > 0 else yes)
            else:
                marks.append(either)
        return Sheet(perspective, asked, tuple(marks))

    def possibilities(
        self,
        perspective: Perspective,
        atoms: Sequence[Atom],
        limit: int = 100_000,
        budget: Budget | None = None,
    ) -> frozenset[frozenset[Atom]]:
        """See `Engine.possibilities`. Later calls along a game ask only what may have changed."""
        solver = self._solver(perspective)
        asked = tuple(dict.fromkeys(atoms))
        columns = self._columns(perspective.structure, asked)
        literals = tuple(dict.fromkeys(abs(one) for one in columns if not isinstance(one, bool)))
        meter = Meter.of(budget)
        if not solver.consistent(meter):
            return frozenset()
        # The sets made for an earlier event of the game are most often those of this one.
        known = self.line(perspective.structure).sets.setdefault((asked, tuple(columns)), {})
        found = []
        for key in solver.projection(literals, limit, meter):
            true = known.get(key)
            if true is None:
                true = known[key] = frozenset(
                    atom
                    for atom, one in zip(asked, columns, strict=True)
                    if (one if isinstance(one, bool) else ((key >> abs(one)) & 1) == (one > 0))
                )
            found.append(true)
        return frozenset(found)

    def believed(self, perspective: Perspective, budget: Budget | None = None) -> Beliefs:
        """See `Engine.believed`."""
        return self.beliefs.believed(perspective_asked(perspective), Meter.of(budget))

    # ---- solvers -------------------------------------------------------------------------

    def _resolve(self, structure: KnowledgeStructure, formula: Formula | str) -> Formula:
        known = self._resolved.get(structure)
        if known is None:
            known = self._resolved[structure] = {}
        resolved = known.get(formula)
        if resolved is None:
            stated = _read(structure, formula)
            if _is_plain(structure, stated):
                known[formula] = stated
                return stated
            resolved = structure.resolve(stated)
            if not is_propositional(resolved) and has_announcements(resolved):
                resolved = reduced(structure, resolved)
            known[formula] = resolved
        return resolved

    def _columns(self, structure: KnowledgeStructure, atoms: tuple[Atom, ...]) -> list[int | bool]:
        """The literal of each atom now; or its truth, if that is publicly known."""
        line = self.line(structure)
        columns = None if structure.versions else line.columns.get(atoms)
        if columns is None:
            columns = []
            literals, fluents, versions = (
                line.encoding.known,
                structure.vocabulary.fluents,
                structure.versions,
            )
            for atom in atoms:
                literal = literals.get(atom)
                if literal and atom.fluent in fluents and atom.fluent not in versions:
                    columns.append(literal)
                    continue
                resolved = self._resolve(structure, atom)
                if isinstance(resolved, f.Constant):
                    columns.append(resolved.value)
                else:
                    columns.append(line.encoding.literal(resolved))
            first = structure.root.vocabulary.fluents
            if not structure.versions and all(atom.fluent in first for atom in atoms):
                line.columns[atoms] = columns
        return columns

    def line(self, structure: KnowledgeStructure) -> Line:
        """What is shared by all structures that come from the same first one."""
        return line_of(self, structure)

    def everywhere(self, structure: KnowledgeStructure) -> WorldSolver:
        """The solver for all worlds of the law."""
        return self._solver(self._nobody(structure))

    def solver(self, perspective: Perspective) -> WorldSolver:
        """The solver for the worlds that the perspective's agent considers possible."""
        return self._solver(perspective)

    def _nobody(self, structure: KnowledgeStructure) -> Perspective:
        """The perspective of an onlooker who has seen nothing: all worlds of the law."""
        line = self.line(structure)
        if line.onlooker is None or line.onlooker.structure is not structure:
            line.onlooker = Perspective(structure, "", frozenset())
        return line.onlooker

    def _solver(
        self,
        perspective: Perspective,
        agents: tuple[str, ...] | None = None,
        seen: frozenset[Atom] | None = None,
    ) -> WorldSolver:
        """The solver that stands at this perspective: kept, moved on, or new."""
        structure = perspective.structure
        line = self.line(structure)
        if agents is None:
            solver = line.at.get(perspective)
            if solver is not None and solver.structure is structure:
                return solver
            agents = _agents(perspective)
            seen = perspective.seen
        assert seen is not None
        best: WorldSolver | None = None
        for candidate in line.solvers:
            if (
                candidate.agents == agents
                and candidate.reaches(structure, seen)
                and (best is None or len(candidate.structure.history) > len(best.structure.history))
            ):
                best = candidate
        if best is None:
            best = WorldSolver(line.encoding, structure, agents, seen, line.heard)
            del line.solvers[: len(line.solvers) + 1 - _SOLVERS]
        else:
            line.solvers.remove(best)
            best.advance(structure, seen)
        line.solvers.append(best)
        if agents == _agents(perspective):
            line.at[perspective] = best
        return best

    def group_view(self, scene: Scene, group: tuple[str, ...]) -> tuple[Perspective, WorldSolver]:
        """What the members of a group, pooling all they have seen, consider possible."""
        members = tuple(dict.fromkeys(group))
        if len(members) == 1:
            perspective = scene.perspective(members[0])
            return perspective, self._solver(perspective)
        seen = frozenset(
            itertools.chain.from_iterable(scene.perspective(one).seen for one in members)
        )
        perspective = Perspective(scene.structure, members[0], seen)
        return perspective, self._solver(perspective, tuple(sorted(members)), seen)

    def solver_of(self, perspective: Perspective, agents: tuple[str, ...]) -> WorldSolver | None:
        """The solver for what a group has seen together; None if it is one agent, or nobody."""
        if len(agents) < 2:
            return None
        return self._solver(perspective, tuple(sorted(agents)), perspective.seen)

    @staticmethod
    def _literals(solver: WorldSolver, formula: Formula) -> list[int]:
        """Literals that together are equivalent to the propositional `formula`."""
        parts = formula.operands if isinstance(formula, f.And) else (formula,)
        return [solver.encoding.literal(part) for part in parts if part is not TRUE]

    # ---- truth ---------------------------------------------------------------------------

    def _true(self, scene: Scene, formula: Formula, meter: Meter | None) -> bool:
        if isinstance(formula, f.K | f.M):
            return self._modal(scene, formula, meter)
        if is_propositional(formula):
            return evaluate(formula, scene.world)

        def decided(leaf: Formula) -> Formula:
            if isinstance(leaf, f.MODAL):
                return TRUE if self._modal(scene, leaf, meter) else FALSE
            return leaf

        return evaluate(replace_leaves(formula, decided), scene.world)

    def _modal(self, scene: Scene, formula: Formula, meter: Meter | None) -> bool:
        """The truth of a formula whose outermost operator is modal."""
        match formula:
            case f.K(agent) | f.M(agent) | f.Kw(agent) | f.Kv(agent) | f.B(agent):
                return self._of_agent(scene.perspective(agent), formula, meter)
            case f.E(group, operand) | f.EB(group, operand):
                kind = f.K if isinstance(formula, f.E) else f.B
                return all(self._modal(scene, kind(agent, operand), meter) for agent in group)
            case f.D(group, operand):
                perspective, solver = self.group_view(scene, group)
                return self.all_worlds(perspective, group, operand, meter, solver)
            case f.C() | f.CB():
                modal = self.modal(scene.structure)
                refuted = modal.target(normalise(negation(formula), scene.structure))
                return modal.find(modal.here(scene.world), refuted, meter) is None
            case f.Announced(announced, then) | f.AnnouncedTrue(announced, then):
                if not self._true(scene, reduced(scene.structure, announced), meter):
                    return isinstance(formula, f.Announced)
                after = scene.update(said(scene.structure, announced), judge=lambda *_: True)
                return self._true(after, reduced(after.structure, then), meter)
        raise unsupported(formula)

    def _of_agent(self, perspective: Perspective, formula: Formula, meter: Meter | None) -> bool:
        """The truth of K, M, Kw, Kv or B of the perspective's own agent."""
        own = (perspective.agent,)
        match formula:
            case f.B():
                return self.beliefs.believes(perspective, formula, meter)
            case f.K(_, operand):
                return self.all_worlds(perspective, own, operand, meter)
            case f.M(_, operand):
                return not self.all_worlds(perspective, own, negation(operand), meter)
            case f.Kw(_, operand):
                return self.all_worlds(perspective, own, operand, meter) or self.all_worlds(
                    perspective, own, negation(operand), meter
                )
            case f.Kv(_, fluents):
                return all(
                    any(
                        self.all_worlds(perspective, own, case, meter)
                        for case in perspective.structure.fluents(name)
                    )
                    for name in fluents
                )
        raise unsupported(formula)

    def all_worlds(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        formula: Formula,
        meter: Meter | None,
        solver: WorldSolver | None = None,
    ) -> bool:
        """Whether `formula` holds at all worlds that these agents consider possible."""
        if not is_propositional(formula):
            if has_announcements(formula):
                return self._all_after(perspective, agents, formula, meter)
            settled = self.settle(perspective, agents, formula, meter)
            if not is_propositional(settled):
                return self._search(perspective, agents, settled, meter)
            formula = settled
        if solver is None:
            solver = self._solver(perspective)
        if isinstance(formula, Atom):
            solver.require_consistent(meter)
            return not solver.possible(-solver.encoding.atom(formula), meter)
        solver.require_consistent(meter)
        if isinstance(formula, f.And):
            return all(
                self.all_worlds(perspective, agents, part, meter, solver)
                for part in formula.operands
            )
        refuted = _refuted(formula)
        if solver.found(refuted):
            return False
        return not solver.possible_together(self._literals(solver, refuted), meter)

    def _all_after(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        formula: Formula,
        meter: Meter | None,
    ) -> bool:
        """The same for what has an announcement before common knowledge."""

        def all_have(there: Perspective, part: Formula) -> bool:
            # A solver moves on with what is asked of it: it is looked up each time.
            return self.all_worlds(there, agents, part, meter, self.solver_of(there, agents))

        if isinstance(formula, f.And):
            return all(all_have(perspective, part) for part in formula.operands)
        asked = opened(formula)
        if asked is None:
            raise too_deep()
        structure = perspective.structure
        can_be_said = reduced(structure, asked.left)
        if isinstance(asked, f.AnnouncedTrue) and not all_have(perspective, can_be_said):
            return False
        if all_have(perspective, negation(can_be_said)):
            return True
        after = structure.update(said(structure, asked.left))
        there = Perspective(after, perspective.agent, perspective.seen)
        return all_have(there, reduced(after, asked.right))

    def _search(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        formula: Formula,
        meter: Meter | None,
    ) -> bool:
        """Whether there is no world with ~`formula` that these agents consider possible.

        By lemmas: for knowledge about knowledge, and for laws that speak about it.
        """
        modal, seen = self._seen(perspective, agents)
        refuted = modal.target(normalise(negation(formula), perspective.structure))
        if modal.find(seen, refuted, meter) is not None:
            return False
        consistent = self.line(perspective.structure).consistent
        if perspective not in consistent:
            if modal.find(seen, modal.target(TRUE), meter) is None:
                self._solver(perspective).require_consistent(meter)
            consistent.add(perspective)
        return True

    def _seen(
        self, perspective: Perspective, agents: tuple[str, ...]
    ) -> tuple[ModalSolver, list[int]]:
        """The solver with the lemmas, and what these agents have seen, as its literals."""
        modal = self.modal(perspective.structure)
        return modal, self.seen_literals(perspective, agents)

    def seen_literals(self, perspective: Perspective, agents: tuple[str, ...]) -> list[int]:
        """What these agents have seen, as literals of the solvers with lemmas."""
        literal = self.line(perspective.structure).modal_encoding.atom
        return [
            literal(observable.atom) if truth else -literal(observable.atom)
            for observable, truth in self.observation(perspective, agents)
        ]

    def modal(self, structure: KnowledgeStructure) -> ModalSolver:
        """The solver for knowledge about knowledge in this structure, with all it has learned."""
        return self.line(structure).solver(structure)

    @staticmethod
    def observation(
        perspective: Perspective, agents: tuple[str, ...]
    ) -> Iterable[tuple[Observable, bool]]:
        """What these agents observe, each atom once, with what they see."""
        done: set[Atom] = set()
        for agent in agents:
            for observable in perspective.structure.observables[agent]:
                if observable.atom not in done:
                    done.add(observable.atom)
                    yield observable, observable.atom in perspective.seen

    def settle(
        self,
        perspective: Perspective,
        agents: tuple[str, ...],
        formula: Formula,
        meter: Meter | None,
    ) -> Formula:
        """`formula` with what these agents know of their own knowledge put in.

        At all worlds that i considers possible, K[i] f has the same truth: introspection.
        """
        if len(agents) != 1:
            return formula

        def settled(part: Formula) -> Formula:
            if isinstance(part, f.K | f.M | f.Kw | f.Kv | f.B) and part.agent == agents[0]:
                return TRUE if self._of_agent(perspective, part, meter) else FALSE
            return part

        return replace_leaves(formula, settled)

    def _at_perspective(
        self, perspective: Perspective, formula: Formula, meter: Meter | None
    ) -> bool:
        own = (perspective.agent,)
        if isinstance(formula, f.K | f.M | f.B) and formula.agent == perspective.agent:
            return self._of_agent(perspective, formula, meter)
        settled = self.settle(perspective, own, formula, meter)
        if isinstance(settled, f.Constant):
            return settled.value
        if self.all_worlds(perspective, own, settled, meter):
            return True
        if self.all_worlds(perspective, own, negation(settled), meter):
            return False
        raise InputError(
            f"what {perspective.agent} has seen does not decide whether {formula}; "
            f"ask for K[{perspective.agent}] ({formula})"
        )


def _read(structure: KnowledgeStructure, formula: Formula | str) -> Formula:
    return structure.parse(formula) if isinstance(formula, str) else formula


@contextmanager
def _not_too_deep() -> Iterator[None]:
    """Only operators of knowledge recurse, one level each: too many of them are `Unsupported`."""
    try:
        yield
    except RecursionError:
        raise Unsupported("the formula has too many operators inside each other") from None


def _refuted(formula: Formula) -> Formula:
    """The negation of `formula`, taken apart where that gives a conjunction."""
    match formula:
        case f.Or():
            return _none(formula)
        case f.Implies(left, right):
            return conjunction((left, negation(right)))
    return negation(formula)


@remembered
def _none(either: Formula) -> Formula:
    """That no part of a disjunction is true."""
    return conjunction(negation(part) for part in either.operands)


def _agents(perspective: Perspective) -> tuple[str, ...]:
    """Whose perspective it is; nobody's, if it is that of an onlooker."""
    return (perspective.agent,) if perspective.agent else ()


def _is_plain(structure: KnowledgeStructure, formula: Formula) -> bool:
    """Whether `formula` is `K[i] atom` or `M[i] atom` and means what it says.

    The most frequent questions by far, asked by the thousand: seen at a glance, without the
    walks over the formula by which others are checked and resolved.
    """
    if not isinstance(formula, f.K | f.M) or formula.agent not in structure.agents:
        return False
    atom = formula.operand
    if not isinstance(atom, Atom) or atom.fluent in structure.versions or atom.value == "false":
        return False
    fluent = structure.vocabulary.fluents.get(atom.fluent)
    return fluent is not None and atom.value in fluent.values
