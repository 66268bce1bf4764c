"""What is shared by all structures that come from one first structure."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.modal.lemma_transfer import move, moves
from symkripke.engines.sat.modal.modal_law import Announcement
from symkripke.engines.sat.modal.search import ModalSolver
from symkripke.engines.sat.world_solver import WorldSolver
from symkripke.language import Atom, Formula
from symkripke.model import KnowledgeStructure, Perspective

# Solvers for knowledge about knowledge kept, each for one structure.
_MODAL_SOLVERS = 8


@dataclass(eq=False)
class Line:
    """What is shared by all structures that come from one first structure."""

    encoding: Encoding = field(default_factory=Encoding)
    solvers: list[WorldSolver] = field(default_factory=list)
    at: WeakKeyDictionary[Perspective, WorldSolver] = field(default_factory=WeakKeyDictionary)
    """The solvers that stand at perspectives."""
    consistent: WeakSet[Perspective] = field(default_factory=WeakSet)
    """Perspectives at which some world is possible."""
    columns: dict[tuple[Atom, ...], list[int | bool]] = field(default_factory=dict)
    """The literals of lists of atoms that are asked for again and again: of a note sheet."""
    modal_encoding: Encoding = field(default_factory=Encoding)
    """An encoding of its own, so that proxies do not burden the solvers of the hot path."""
    names: dict[Formula, Atom] = field(default_factory=dict)
    """The names of proxies: variables that stand for "this is known"."""
    modal: dict[KnowledgeStructure, ModalSolver] = field(default_factory=dict)
    alive: WeakValueDictionary[KnowledgeStructure, ModalSolver] = field(
        default_factory=WeakValueDictionary
    )
    """Those that are kept, and those of earlier structures on which they rest."""
    announced: WeakKeyDictionary[KnowledgeStructure, tuple[Announcement, ...]] = field(
        default_factory=WeakKeyDictionary
    )
    """What the last event of a structure announced about knowledge."""
    sets: dict[tuple[Hashable, ...], dict[int, frozenset[Atom]]] = field(default_factory=dict)
    """Possibilities as bits, and as sets of atoms."""
    onlooker: Perspective | None = None
    """Who has seen nothing, at the structure that was asked last about all worlds of its law.

    Only that one: a perspective holds its structure, which else would never be freed.
    """

    def heard(self, structure: KnowledgeStructure) -> tuple[Announcement, ...]:
        """What the last event of `structure` announced about knowledge."""
        before = structure.before
        if before is None:
            return ()
        announced = self.announced.get(structure)
        if announced is None:
            stated = [constraint for constraint in structure.added if constraint.is_modal]
            if not stated:
                return ()
            worlds = WorldSolver(self.encoding, before, (), frozenset(), self.heard)
            announced = self.announced[structure] = tuple(
                Announcement(
                    self.encoding,
                    before,
                    constraint.formula,
                    str(constraint.source),
                    worlds,
                    self.solver,
                )
                for constraint in stated
            )
        return announced

    def latest(self, structure: KnowledgeStructure) -> ModalSolver | None:
        """The solver of the latest structure before this one that there is, to learn from."""
        before = structure.before
        while before is not None:
            if before in self.modal:
                return self.modal[before]
            before = before.before
        return None

    def solver(self, structure: KnowledgeStructure) -> ModalSolver:
        """The solver for knowledge about knowledge in this structure, with all it has learned."""
        modal = self.modal.pop(structure, None) or self.alive.get(structure)
        if modal is None:
            # Those of earlier times first: the later ones learn from them.
            for stage in structure.history:
                announced = any(one.is_modal for one in stage.added)
                if announced and stage.before is not None and stage.before not in self.alive:
                    self.solver(stage.before)
            modal = self._moved(structure)
            self.alive[structure] = modal
            for oldest in list(self.modal)[: len(self.modal) + 1 - _MODAL_SOLVERS]:
                del self.modal[oldest]
        self.modal[structure] = modal
        return modal

    def _moved(self, structure: KnowledgeStructure) -> ModalSolver:
        """A solver that has moved on to this structure, or else a new one."""
        earlier = self.latest(structure)
        if earlier is None:
            # Where another way on was taken from, what holds there is learned once for all ways.
            branch = max(
                (_common(structure, other) for other in self.modal), key=_age, default=None
            )
            if branch is not None and branch is not structure and branch.before is not None:
                earlier = self.solver(branch)
        elif moves(earlier, structure):
            del self.modal[earlier.structure], self.alive[earlier.structure]
            move(earlier, structure)
            return earlier
        modal = ModalSolver(self.modal_encoding, structure, self.solver, self.names, earlier)
        modal.pinned = any(_common(structure, other) is structure for other in self.modal)
        return modal


def _common(one: KnowledgeStructure, other: KnowledgeStructure) -> KnowledgeStructure:
    """The latest structure that both of them come from (of one first structure)."""
    return next(
        a for a, b in reversed(list(zip(one.history, other.history, strict=False))) if a is b
    )


def _age(structure: KnowledgeStructure) -> int:
    return len(structure.history)


def line_of(engine: object, structure: KnowledgeStructure) -> Line:
    """What that engine shares between all structures that come from the same first one.

    It is kept with the first structure, to which it refers, so that both are freed together; and
    not longer than the engine.
    """
    kept = structure.root.__dict__
    lines: WeakKeyDictionary[object, Line] | None = kept.get("_sat_lines")
    if lines is None:
        lines = kept["_sat_lines"] = WeakKeyDictionary()
    line = lines.get(engine)
    if line is None:
        line = lines[engine] = Line()
    return line
