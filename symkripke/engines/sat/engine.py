"""The default engine: knowledge as satisfiability.

It answers K, M, Kw, Kv, E, D, C, B, EB and CB in any nesting, Boolean combinations, public
announcements inside formulas (before C and CB as far as `announcement_operator` goes), and
announcements about knowledge as events. P raises `Unsupported`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from weakref import WeakKeyDictionary

from symkripke.engines.asked import agents_asked, perspective_asked
from symkripke.engines.base import CannotCount
from symkripke.engines.clock import Budget, Meter
from symkripke.engines.explainer import Asked
from symkripke.engines.nesting import NESTING_LIMIT
from symkripke.engines.protocol import Answer, Sheet
from symkripke.engines.sat import sheets
from symkripke.engines.sat.announcement_operator import reduced
from symkripke.engines.sat.evaluator import Evaluator
from symkripke.engines.sat.explain.explainer import SatExplainer
from symkripke.engines.sat.group_query import possible_to
from symkripke.errors import InputError
from symkripke.explain.evidence import Evidence
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.walk import has_announcements, is_propositional
from symkripke.model import Beliefs, KnowledgeStructure, Perspective, Scene, State, World, evaluate


class SatEngine(CannotCount):
    """An engine that answers by satisfiability checks; see `symkripke.engines.protocol.Engine`.

    It resolves the names of what it is asked, asks its evaluator, and wraps the answers. One engine
    may serve any number of structures; it is not safe for several threads.

    Attributes:
        evaluator: where the truth of formulas is decided.
    """

    name = "sat"

    def __init__(self) -> None:
        """An engine with nothing in memory yet."""
        self.evaluator = Evaluator()
        self._resolved: WeakKeyDictionary[KnowledgeStructure, dict[Formula | str, Formula]] = (
            WeakKeyDictionary()
        )

    def holds(self, state: State, formula: Formula | str, budget: Budget | None = None) -> Answer:
        """See `Reasoner.holds`."""
        resolved = self._resolve(state.structure, formula)
        truth = self.evaluator.truth(state, resolved, Meter.of(budget))

        def why() -> Evidence:
            asked = state.structure.resolve(_read(state.structure, formula))
            return SatExplainer.at(self.evaluator, state, Meter.of(budget)).evidence(state, asked)

        return Answer(truth, resolved, self.name, why)

    def valid(
        self, structure: KnowledgeStructure, formula: Formula | str, budget: Budget | None = None
    ) -> Answer:
        """See `Reasoner.valid`."""
        resolved = self._resolve(structure, formula)
        truth = self.evaluator.valid(structure, resolved, Meter.of(budget))

        def why() -> Evidence:
            onlooker = self.evaluator.cache(structure).onlooker(structure)
            explainer = SatExplainer(self.evaluator, structure, Meter.of(budget))
            return explainer.all_worlds(onlooker, Asked((), resolved, resolved))

        return Answer(truth, resolved, self.name, why)

    def possible_to(
        self,
        scene: Scene,
        formula: Formula | str,
        agents: Iterable[str],
        budget: Budget | None = None,
    ) -> frozenset[str]:
        """See `Reasoner.possible_to`."""
        resolved = self._resolve(scene.structure, formula)
        with NESTING_LIMIT:
            return possible_to(
                self.evaluator, scene, resolved, agents_asked(agents), Meter.of(budget)
            )

    def witness(
        self,
        state: State | KnowledgeStructure,
        formula: Formula | str,
        budget: Budget | None = None,
    ) -> World | None:
        """See `Reasoner.witness`."""
        structure = state if isinstance(state, KnowledgeStructure) else state.structure
        resolved = self._resolve(structure, formula)
        if not is_propositional(resolved):
            raise InputError(f"expected a formula without knowledge in it, got {resolved}")
        if isinstance(state, Scene):
            return state.world if evaluate(resolved, state.world) else None
        if isinstance(state, Perspective):
            solver = self.evaluator.world_solver(state)
        else:
            solver = self.evaluator.law_solver(state)
        model = solver.model(solver.encoding.conjuncts(resolved), Meter.of(budget))
        return None if model is None else solver.encoding.world(structure, model)

    def sheet(
        self,
        perspective: Perspective,
        atoms: Iterable[Atom] | None = None,
        budget: Budget | None = None,
    ) -> Sheet:
        """See `Reasoner.sheet`."""
        asked = perspective.structure.atoms if atoms is None else tuple(atoms)
        solver = self.evaluator.world_solver(perspective)
        literals = self._literals(perspective.structure, asked)
        return Sheet(perspective, asked, tuple(sheets.marks(solver, literals, Meter.of(budget))))

    def possibilities(
        self,
        perspective: Perspective,
        atoms: Sequence[Atom],
        limit: int = 100_000,
        budget: Budget | None = None,
    ) -> frozenset[frozenset[Atom]]:
        """See `Reasoner.possibilities`. Later calls along a game ask only what may have changed."""
        solver = self.evaluator.world_solver(perspective)
        asked = tuple(dict.fromkeys(atoms))
        literals = self._literals(perspective.structure, asked)
        cache = self.evaluator.cache(perspective.structure)
        return sheets.possibilities(cache, solver, asked, literals, limit, Meter.of(budget))

    def believed(self, perspective: Perspective, budget: Budget | None = None) -> Beliefs:
        """See `Reasoner.believed`."""
        beliefs = self.evaluator.beliefs
        return beliefs.believed(perspective_asked(perspective), Meter.of(budget))

    def _literals(self, structure: KnowledgeStructure, atoms: tuple[Atom, ...]) -> list[int | bool]:
        def resolve(atom: Atom) -> Formula:
            return self._resolve(structure, atom)

        return sheets.literals_of(self.evaluator.cache(structure), structure, atoms, resolve)

    def _resolve(self, structure: KnowledgeStructure, formula: Formula | str) -> Formula:
        """The formula with all names resolved, and announcements inside it reduced."""
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


def _read(structure: KnowledgeStructure, formula: Formula | str) -> Formula:
    return structure.parse(formula) if isinstance(formula, str) else formula


def _is_plain(structure: KnowledgeStructure, formula: Formula) -> bool:
    """Whether `formula` is `K[i] atom` or `M[i] atom` and means what it says.

    These are by far the most frequent questions, asked by the thousand: they need none of the
    walks over the formula by which others are checked and resolved.
    """
    if not isinstance(formula, f.K | f.M) or formula.agent not in structure.agents:
        return False
    atom = formula.operand
    if not isinstance(atom, Atom) or atom.fluent in structure.versions or atom.value == "false":
        return False
    fluent = structure.vocabulary.fluents.get(atom.fluent)
    return fluent is not None and atom.value in fluent.values
