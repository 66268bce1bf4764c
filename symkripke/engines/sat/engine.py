"""The default engine: knowledge as satisfiability.

It answers K, M, Kw, Kv, E, D, C, B, EB and CB in any nesting, Boolean combinations, public
announcements inside formulas (before C and CB with the limits of `announcement_operator`), and
announcements about knowledge as events. P raises `Unsupported`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from symkripke.engines.asked import first_world, parsed, structure_of
from symkripke.engines.base import BaseEngine, CannotCount
from symkripke.engines.protocol import Mark
from symkripke.engines.sat import sheets
from symkripke.engines.sat.announcement_operator import reduced
from symkripke.engines.sat.evaluator import Evaluator
from symkripke.engines.sat.group_query import possible_to
from symkripke.engines.sat.tuning import DEFAULT, Tuning
from symkripke.errors import InputError
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.walk import has_announcements, is_propositional
from symkripke.model import (
    Beliefs,
    EpistemicState,
    KnowledgeStructure,
    Perspective,
    Scene,
    World,
    evaluate,
)

if TYPE_CHECKING:
    from symkripke.explain.evidence import Evidence


class SatEngine(CannotCount, BaseEngine):
    """An engine that answers by satisfiability checks; see `symkripke.engines.protocol.Engine`.

    It resolves the names in questions, calls its evaluator, and wraps the answers. One engine may
    serve any number of structures, and several threads in turn.

    Attributes:
        evaluator: the evaluator, which decides the truth of formulas.
    """

    name = "sat"

    def __init__(self, *, tuning: Tuning = DEFAULT) -> None:
        """Create an engine with these settings and empty caches."""
        super().__init__()
        self.evaluator = Evaluator(tuning)
        self._new = self._kept = 0
        self._resolved: WeakKeyDictionary[KnowledgeStructure, dict[Formula | str, Formula]] = (
            WeakKeyDictionary()
        )

    def _anew(self) -> SatEngine:
        """See `BaseEngine._anew`: learnt clauses affect which worlds the solvers find."""
        return SatEngine(tuning=self.evaluator.tuning)

    def _truth(self, state: EpistemicState, formula: Formula) -> bool:
        self._evict()
        return self.evaluator.truth(state, formula)

    def _evidence(self, state: EpistemicState, formula: Formula) -> Evidence:
        from symkripke.engines.sat.explain.explainer import SatExplainer

        return SatExplainer.at(self.evaluator, state).evidence(state, formula)

    def _valid(self, structure: KnowledgeStructure, formula: Formula) -> bool:
        self._evict()
        return self.evaluator.valid(structure, formula)

    def _why_valid(self, structure: KnowledgeStructure, formula: Formula, truth: bool) -> Evidence:
        from symkripke.engines.explainer import Asked
        from symkripke.engines.sat.explain.explainer import SatExplainer

        onlooker = self.evaluator.cache(structure).onlooker(structure)
        explainer = SatExplainer(self.evaluator, structure)
        return explainer.all_worlds(onlooker, Asked((), formula, formula))

    def _possible_to(
        self, scene: Scene, formula: Formula, agents: tuple[str, ...]
    ) -> frozenset[str]:
        self._evict()
        return possible_to(self.evaluator, scene, formula, agents)

    def _world(self, state: EpistemicState | KnowledgeStructure, formula: Formula) -> World | None:
        self._evict()
        if not is_propositional(formula):
            raise InputError(f"expected a formula without knowledge in it, got {formula}")
        if isinstance(state, Scene):
            return state.world if evaluate(formula, state.world) else None
        structure = structure_of(state)
        if isinstance(state, Perspective):
            solver = self.evaluator.world_solver(state)
        else:
            solver = self.evaluator.law_solver(state)
        encoding, stated = solver.encoding, solver.encoding.conjuncts(formula)
        model = solver.model(stated)
        if model is None:
            return None

        def another(atoms: Iterable[Formula]) -> World | None:
            model = solver.find([*stated, *map(encoding.literal, atoms)])
            return None if model is None else encoding.world(structure, model)

        fluents = structure.vocabulary.fluents.values()
        return first_world(encoding.world(structure, model), fluents, another)

    def _marks(self, perspective: Perspective, atoms: tuple[Atom, ...]) -> Iterator[Mark]:
        self._new += 1
        self._evict()
        solver = self.evaluator.world_solver(perspective)
        return sheets.marks(solver, self._literals(perspective.structure, atoms))

    def _possibilities(
        self, perspective: Perspective, atoms: tuple[Atom, ...], limit: int
    ) -> frozenset[frozenset[Atom]]:
        """See `Reasoner.possibilities`. Later calls check only what may have changed."""
        self._new += 1
        self._evict()
        solver = self.evaluator.world_solver(perspective)
        literals = self._literals(perspective.structure, atoms)
        cache = self.evaluator.cache(perspective.structure)
        return sheets.possibilities(cache, solver, atoms, literals, limit)

    def _beliefs(self, perspective: Perspective) -> Beliefs:
        self._new += 1
        self._evict()
        return self.evaluator.beliefs.believed(perspective)

    def _literals(self, structure: KnowledgeStructure, atoms: tuple[Atom, ...]) -> list[int | bool]:
        def resolve(atom: Atom) -> Formula:
            return self._resolve(structure, atom)

        return sheets.literals_of(self.evaluator.cache(structure), structure, atoms, resolve)

    def _resolve(self, structure: KnowledgeStructure, formula: Formula | str) -> Formula:
        """Return the formula with resolved names and reduced announcements."""
        known = self._resolved.get(structure)
        if known is None:
            self._check_changes(structure)
            known = self._resolved[structure] = {}
        try:
            resolved = known.get(formula)
        except TypeError:  # an unhashable object is not a formula; `parsed` rejects it
            resolved = None
        if resolved is None:
            stated = parsed(structure, formula)
            if _is_plain(structure, stated):
                self._keep(known, formula, stated)
                return stated
            resolved = structure.resolve(stated)
            if not is_propositional(resolved) and has_announcements(resolved):
                resolved = reduced(structure, resolved)
            self._keep(known, formula, resolved)
        return resolved

    def _keep(
        self, known: dict[Formula | str, Formula], formula: Formula | str, resolved: Formula
    ) -> None:
        """Cache the resolved form of a formula at a structure."""
        if self._kept >= self.evaluator.tuning.resolved:
            for every in list(self._resolved.values()):
                every.clear()
            self._kept = 0
        self._kept += 1
        self._new += 1
        known[formula] = resolved

    def _evict(self) -> None:
        """Evict results if they take too much memory. Call this between questions only."""
        if self._new >= self.evaluator.tuning.formulas_a_look:
            self._new = 0
            self.evaluator.evict()


def _is_plain(structure: KnowledgeStructure, formula: Formula) -> bool:
    """Return whether `formula` is `K[i] atom` or `M[i] atom` with names that need no resolving.

    These are by far the most frequent questions. They skip the traversals that check and resolve
    other formulas.
    """
    if not isinstance(formula, f.K | f.M) or formula.agent not in structure.agents:
        return False
    atom = formula.operand
    if not isinstance(atom, Atom) or atom.fluent in structure.versions or atom.value == "false":
        return False
    fluent = structure.vocabulary.fluents.get(atom.fluent)
    return fluent is not None and atom.value in fluent.values
