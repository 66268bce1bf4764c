"""The caches that the sat engine shares between structures with the same first structure."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

from symkripke.engines.caches import LRUCache
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.tuning import Tuning
from symkripke.engines.sat.world_solver import WorldSolver
from symkripke.language import Atom, Formula
from symkripke.model import Beliefs, KnowledgeStructure, Perspective
from symkripke.records import dataclass

if TYPE_CHECKING:
    from symkripke.engines.sat.modal.modal_law import AnnouncementAtWorlds
    from symkripke.engines.sat.modal.search import ModalSolver


@dataclass(frozen=True)
class MostPlausible:
    """The most plausible of the worlds that an agent considers possible.

    Attributes:
        formula: the conjunction of the condition and the soft constraints that are kept.
        literals: the same conjunction as literals of the agent's solver; None if the condition is
            about knowledge.
        beliefs: the soft constraints that are kept and given up.
    """

    formula: Formula
    literals: tuple[int, ...] | None
    beliefs: Beliefs


class SolverCache:
    """The encodings, solvers and results for the structures with one first structure.

    A solver for an earlier structure is moved on to a later structure instead of being rebuilt, so
    questions in the course of a game take microseconds. A question about the past needs a new
    solver.
    """

    def __init__(self, tuning: Tuning) -> None:
        """Create an empty cache."""
        self.tuning = tuning
        self.encoding = Encoding(tuning)
        """The encoding of all world solvers."""
        self.world_solvers: list[WorldSolver] = []
        """The world solvers, least recently used first."""
        self.by_perspective: WeakKeyDictionary[Perspective, WorldSolver] = WeakKeyDictionary()
        """The solver last used for each perspective, which may have moved on since. This avoids a
        search through all solvers."""
        self.consistent: WeakSet[Perspective] = WeakSet()
        """The perspectives known to have a possible world, which need no further search."""
        self.sheet_literals: LRUCache[tuple[Atom, ...], list[int | bool]] = LRUCache(tuning.lists)
        """The literals of lists of atoms that are asked about repeatedly, such as the atoms of a
        sheet. This avoids resolving them again."""
        self.possibility_sets: LRUCache[tuple[Hashable, ...], dict[int, frozenset[Atom]]] = (
            LRUCache(tuning.lists)
        )
        """The sets of atoms that correspond to sets of bits. This avoids building them again."""
        self.believed: WeakKeyDictionary[Perspective, LRUCache[Formula, MostPlausible | None]] = (
            WeakKeyDictionary()
        )
        """The most plausible worlds at each perspective, by condition. This avoids going down the
        order of soft constraints again."""
        self.modal_encoding = Encoding(tuning)
        """The encoding of the modal solvers. It is separate, so that world solvers have no proxy
        variables."""
        self.proxy_names: dict[Formula, Atom] = {}
        """The atom of the proxy of each modal subformula."""
        self.modal_solvers: dict[KnowledgeStructure, ModalSolver] = {}
        """The modal solvers, least recently used first."""
        self.alive: WeakValueDictionary[KnowledgeStructure, ModalSolver] = WeakValueDictionary()
        """All modal solvers, including solvers of earlier structures to which others refer."""
        self.observed: WeakKeyDictionary[Perspective, list[int]] = WeakKeyDictionary()
        """The observations at each perspective, as literals of the modal solvers. This avoids
        examining each observable for each question."""
        self.announced: WeakKeyDictionary[KnowledgeStructure, tuple[AnnouncementAtWorlds, ...]] = (
            WeakKeyDictionary()
        )
        """The announcements about knowledge in the last event of each structure."""
        self.asked = 0
        """The time of the last question about these structures, as an increasing counter."""
        self._onlooker: Perspective | None = None
        """The last onlooker. Only one is cached, because a perspective keeps its structure in
        memory."""

    def onlooker(self, structure: KnowledgeStructure) -> Perspective:
        """Return the perspective of an onlooker, who considers all worlds of the law possible."""
        if self._onlooker is None or self._onlooker.structure is not structure:
            self._onlooker = Perspective(structure, "", frozenset())
        return self._onlooker

    # ---- bounds --------------------------------------------------------------------------

    def size_of_worlds(self) -> int:
        """Return the size of the shared encoding: variables, and clauses from announcements.

        Each formula in a question gets a variable, which every solver has.
        """
        return self.encoding.variables + sum(
            announcement.size for announced in self.announced.values() for announcement in announced
        )

    def size_of_knowledge(self) -> int:
        """Return the size of the modal solvers: variables, lemmas, proxies and targets."""
        return self.modal_encoding.variables + sum(modal.size for modal in self.alive.values())

    def forget_worlds(self) -> None:
        """Drop the world solvers and all literals of their encoding.

        The encoding is replaced last, so that after an interrupt nothing refers to a wrong
        encoding.
        """
        self.world_solvers.clear()
        self.by_perspective.clear()
        self.sheet_literals.clear()
        self.possibility_sets.clear()
        self.believed.clear()
        self.announced.clear()
        self.encoding = Encoding(self.tuning)

    def forget_knowledge(self) -> None:
        """Drop the modal solvers with everything that they have learned."""
        self.modal_solvers.clear()
        self.alive.clear()
        self.observed.clear()
        self.proxy_names = {}
        self.modal_encoding = Encoding(self.tuning)

    # ---- solvers of worlds ---------------------------------------------------------------

    def world_solver(
        self, perspective: Perspective, group: tuple[str, ...] | None = None
    ) -> WorldSolver:
        """Return a solver for a perspective: a cached one, moved on if necessary, or a new one.

        Args:
            perspective: the structure and the observations.
            group: the agents with these pooled observations, sorted; None for the perspective's
                agent.
        """
        structure, seen = perspective.structure, perspective.seen
        if group is None:
            solver = self.by_perspective.get(perspective)
            if solver is not None and solver.structure is structure:
                return solver
        own = (perspective.agent,) if perspective.agent else ()
        agents = own if group is None else group
        best: WorldSolver | None = None
        for candidate in self.world_solvers:
            if (
                candidate.agents == agents
                and candidate.reaches(structure, seen)
                and (
                    best is None
                    or len(candidate.structure.history.past) > len(best.structure.history.past)
                )
            ):
                best = candidate
        if best is None:
            best = WorldSolver(self.encoding, structure, agents, seen, self.announcements)
            del self.world_solvers[: len(self.world_solvers) + 1 - self.tuning.world_solvers]
        else:
            self.world_solvers.remove(best)
            try:
                best.advance(structure, seen)
            except BaseException:
                # The solver has only a part of the later constraints.
                self._drop(best)
                raise
        self.world_solvers.append(best)
        if agents == own:
            self.by_perspective[perspective] = best
        return best

    def _drop(self, solver: WorldSolver) -> None:
        """Remove a solver in an incomplete state from the cache."""
        for perspective, kept in list(self.by_perspective.items()):
            if kept is solver:
                del self.by_perspective[perspective]

    def announcements(self, structure: KnowledgeStructure) -> tuple[AnnouncementAtWorlds, ...]:
        """Return the announcements about knowledge in the last event of `structure`."""
        before = structure.history.before
        if before is None:
            return ()
        announced = self.announced.get(structure)
        if announced is None:
            stated = [constraint for constraint in structure.law.added if constraint.is_modal]
            if not stated:
                return ()
            from symkripke.engines.sat.modal.modal_law import AnnouncementAtWorlds

            worlds = WorldSolver(self.encoding, before, (), frozenset(), self.announcements)
            announced = self.announced[structure] = tuple(
                AnnouncementAtWorlds(
                    self.encoding,
                    before,
                    constraint.formula,
                    str(constraint.source),
                    worlds,
                    self.modal_solver,
                )
                for constraint in stated
            )
        return announced

    # ---- solvers for knowledge about knowledge -------------------------------------------

    def modal_solver(self, structure: KnowledgeStructure) -> ModalSolver:
        """Return the solver for nested knowledge in this structure, with its learned lemmas."""
        modal = self.modal_solvers.pop(structure, None) or self.alive.get(structure)
        if modal is None:
            # Create the solvers of earlier structures first, because later solvers take over their
            # lemmas.
            for stage in structure.stages:
                before = stage.history.before
                announced = any(constraint.is_modal for constraint in stage.law.added)
                if announced and before is not None and before not in self.alive:
                    self.modal_solver(before)
            modal = self._moved(structure)
            self.alive[structure] = modal
            while len(self.modal_solvers) >= self.tuning.modal_solvers:
                del self.modal_solvers[next(iter(self.modal_solvers))]
        self.modal_solvers[structure] = modal
        return modal

    def _moved(self, structure: KnowledgeStructure) -> ModalSolver:
        """Return an earlier solver moved on to this structure, or a new solver."""
        earlier = self._latest(structure)
        if earlier is None:
            # A structure that several others continue keeps its solver, whose lemmas serve them
            # all.
            branch = max(
                (_common(structure, other) for other in self.modal_solvers), key=_age, default=None
            )
            if branch is not None and branch is not structure and branch.history.before is not None:
                earlier = self.modal_solver(branch)
        elif earlier.moves(structure):
            del self.modal_solvers[earlier.structure], self.alive[earlier.structure]
            earlier.move(structure)
            return earlier
        from symkripke.engines.sat.modal.search import ModalSolver

        modal = ModalSolver(
            self.modal_encoding, structure, self.modal_solver, self.proxy_names, earlier
        )
        modal.pinned = any(_common(structure, other) is structure for other in self.modal_solvers)
        return modal

    def _latest(self, structure: KnowledgeStructure) -> ModalSolver | None:
        """Return the solver of the latest earlier structure that has one; None if there is none."""
        before = structure.history.before
        while before is not None:
            if before in self.modal_solvers:
                return self.modal_solvers[before]
            before = before.history.before
        return None


def _common(left: KnowledgeStructure, right: KnowledgeStructure) -> KnowledgeStructure:
    """Return the latest common stage of two structures with the same first structure."""
    return next(
        a for a, b in reversed(list(zip(left.stages, right.stages, strict=False))) if a is b
    )


def _age(structure: KnowledgeStructure) -> int:
    return len(structure.history.past)
