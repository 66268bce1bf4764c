"""Truth and bisimilarity in listed models with any relations.

Only the explicit engine answers such models; K, M, Kw, E, D and C have their usual definitions. An
agent that considers no world possible knows everything: `K[i] false` is true. C is about the worlds
that are reached by *one* or more steps, which makes no difference in S5.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeAlias

import numpy as np

from symkripke.engines.explicit.model import KripkeModel
from symkripke.engines.explicit.table import Vector
from symkripke.errors import NestedTooDeeply, Unsupported
from symkripke.language import formulas as f
from symkripke.limits import look
from symkripke.model import KnowledgeStructure
from symkripke.model.listed import Arrows, ListedModel, Worlds, numbers


class Truth:
    """The truth of formulas in a listed model. Each subformula is evaluated once.

    Attributes:
        model: the model.
    """

    __slots__ = ("_known", "model")

    def __init__(self, model: ListedModel) -> None:
        """Start with the atoms of the model."""
        self.model = model
        self._known: dict[f.Formula, Worlds] = {}

    def __call__(self, formula: f.Formula) -> Worlds:
        """Return the set of worlds at which a formula is true.

        Raises:
            Unsupported: the formula has an operator without a meaning in listed models.
            NestedTooDeeply: the formula is nested too deeply for Python's stack.
        """
        try:
            return self._of(formula)
        except RecursionError:
            raise NestedTooDeeply from None

    def holds(self, formula: f.Formula) -> bool:
        """Return whether a formula is true at all designated worlds."""
        return not self.model.designated & ~self(formula)

    def _of(self, formula: f.Formula) -> Worlds:
        worlds = self._known.get(formula)
        if worlds is None:
            meaning = _MEANINGS.get(type(formula))
            if meaning is None:
                raise Unsupported(f"{formula}: this operator has no meaning in a listed model")
            worlds = self._known[formula] = meaning(self, formula)
        return worlds

    # ---- operators ----------------------------------------------------------------------------

    def _constant(self, formula: f.Constant) -> Worlds:
        return self.model.worlds if formula.value else 0

    def _atom(self, formula: f.Atom) -> Worlds:
        return self.model.truth[formula] & self.model.worlds

    def _not(self, formula: f.Not) -> Worlds:
        return self.model.worlds & ~self._of(formula.operand)

    def _and(self, formula: f.And) -> Worlds:
        worlds = self.model.worlds
        for part in formula.operands:
            worlds &= self._of(part)
            if not worlds:
                break
        return worlds

    def _or(self, formula: f.Or) -> Worlds:
        worlds = 0
        for part in formula.operands:
            worlds |= self._of(part)
            if worlds == self.model.worlds:
                break
        return worlds

    def _implies(self, formula: f.Implies) -> Worlds:
        return (self.model.worlds & ~self._of(formula.left)) | self._of(formula.right)

    def _iff(self, formula: f.Iff) -> Worlds:
        return self.model.worlds & ~(self._of(formula.left) ^ self._of(formula.right))

    def _knows(self, formula: f.K) -> Worlds:
        return self.model.worlds & ~self._seeing(formula.agent, self._of(~formula.operand))

    def _possible(self, formula: f.M) -> Worlds:
        return self._seeing(formula.agent, self._of(formula.operand))

    def _knows_whether(self, formula: f.Kw) -> Worlds:
        true = self._of(formula.operand)
        some_true = self._seeing(formula.agent, true)
        some_false = self._seeing(formula.agent, self.model.worlds & ~true)
        return self.model.worlds & ~(some_true & some_false)

    def _everybody(self, formula: f.E) -> Worlds:
        false = self._of(~formula.operand)
        seeing = 0
        for agent in formula.group:
            seeing |= self._seeing(agent, false)
        return self.model.worlds & ~seeing

    def _together(self, formula: f.D) -> Worlds:
        true = self._of(formula.operand)
        worlds = 0
        for world in numbers(self.model.worlds):
            seen = self.model.worlds
            for agent in formula.group:
                seen &= self.model.successors(agent, world)
            if not seen & ~true:
                worlds |= 1 << world
        return worlds

    def _common(self, formula: f.C) -> Worlds:
        new = self._of(~formula.operand)
        leading = 0
        while new:
            look()
            before = 0
            for agent in formula.group:
                before |= self._seeing(agent, new)
            new = before & ~leading
            leading |= new
        return self.model.worlds & ~leading

    def _seeing(self, agent: str, seen: Worlds) -> Worlds:
        """Return the set of worlds at which the agent considers a world of `seen` possible."""
        if not seen:
            return 0
        worlds = 0
        for sources, targets in self.model.arrows[agent]:
            if targets & seen:
                worlds |= sources
        return worlds & self.model.worlds


_MEANINGS: Mapping[type[f.Formula], Callable[..., Worlds]] = {
    f.Constant: Truth._constant,
    f.Atom: Truth._atom,
    f.Not: Truth._not,
    f.And: Truth._and,
    f.Or: Truth._or,
    f.Implies: Truth._implies,
    f.Iff: Truth._iff,
    f.K: Truth._knows,
    f.M: Truth._possible,
    f.Kw: Truth._knows_whether,
    f.E: Truth._everybody,
    f.D: Truth._together,
    f.C: Truth._common,
}


def listed(structure: KnowledgeStructure, model: KripkeModel, actual: Vector) -> ListedModel:
    """Return a Kripke model of a structure as a listed model.

    Args:
        structure: the structure. The atoms are those of its current fluents.
        model: its Kripke model.
        actual: the worlds that may be the actual one.
    """
    truth = {
        atom: worlds_of(model.table.truth(structure.resolve(atom))) for atom in structure.atoms
    }
    arrows = {agent: cells_of(model, (agent,)) for agent in structure.agents}
    return ListedModel(model.size, (1 << model.size) - 1, worlds_of(actual), truth, arrows)


def cells_of(model: KripkeModel, group: Iterable[str]) -> Arrows:
    """Return the cells of an agent, or of the pooled observations of a group."""
    cells = model.cells(group)
    masks = [worlds_of(np.equal(cells, cell)) for cell in range(int(cells.max(initial=-1)) + 1)]
    return tuple((mask, mask) for mask in masks)


def worlds_of(vector: Vector) -> Worlds:
    """Return a column of truth values as a set of worlds."""
    return int.from_bytes(np.packbits(vector, bitorder="little").tobytes(), "little")


Type: TypeAlias = int
"""The type of a world: the number of its behaviour up to some depth, the same in all models."""


class Contractor:
    """Contraction of listed models up to bisimilarity, with canonical types of worlds.

    The type of depth 0 of a world is its label. The type of depth k + 1 is its type of depth k
    with, for each agent, the set of the types of depth k that the agent considers possible. When a
    round adds no types, bisimilar worlds have the same type, and the types of the next round
    describe the whole model. So two models are bisimilar if and only if their worlds, and their
    designated worlds, have the same sets of types. Types are numbered in a table that all models of
    a search share.
    """

    def __init__(self) -> None:
        """Start with an empty table of types."""
        self._types: dict[tuple[object, ...], Type] = {}

    def types(
        self, model: ListedModel, labels: Mapping[Hashable, Worlds]
    ) -> tuple[Mapping[Type, Worlds], Mapping[str, Mapping[Worlds, Worlds]]]:
        """Return the worlds of each type, and the sources of each set of targets by agent.

        Worlds that are not reachable from the designated worlds are left out.

        Args:
            model: the model.
            labels: the set of worlds of each label.
        """
        look()
        reached = model.reachable()
        arrows = {agent: _merged(each, reached) for agent, each in model.arrows.items()}
        blocks = {
            self._type(label): worlds & reached
            for label, worlds in labels.items()
            if worlds & reached
        }
        while True:
            finer = self._refined(blocks, arrows)
            if len(finer) == len(blocks):
                return finer, arrows
            blocks = finer

    def _type(self, *described: object) -> Type:
        return self._types.setdefault(described, len(self._types))

    def seen(self, agent: str, targets: Worlds, blocks: Mapping[Type, Worlds]) -> Hashable:
        """Return the types of the worlds that an agent considers possible."""
        return frozenset([block for block, worlds in blocks.items() if worlds & targets])

    def _refined(
        self, blocks: Mapping[Type, Worlds], arrows: Mapping[str, Mapping[Worlds, Worlds]]
    ) -> dict[Type, Worlds]:
        """Return the set of worlds of each type of the next depth."""
        seen: list[tuple[tuple[object, ...], Worlds]] = [
            ((block,), worlds) for block, worlds in blocks.items()
        ]
        for agent, relation in arrows.items():
            groups: dict[Hashable, Worlds] = {}
            for targets, sources in relation.items():
                types = self.seen(agent, targets, blocks)
                groups[types] = groups.get(types, 0) | sources
            split: list[tuple[tuple[object, ...], Worlds]] = []
            for described, worlds in seen:
                rest = worlds
                for types, sources in groups.items():
                    if inside := rest & sources:
                        split.append(((*described, types), inside))
                        rest &= ~sources
                        if not rest:
                            break
                if rest:
                    split.append(((*described, None), rest))
            seen = split
        return {self._type(*described): worlds for described, worlds in seen}


def _merged(arrows: Arrows, reached: Worlds) -> dict[Worlds, Worlds]:
    """Return the sources of each set of targets, among the reachable worlds."""
    merged: dict[Worlds, Worlds] = {}
    for sources, targets in arrows:
        sources, targets = sources & reached, targets & reached
        if sources and targets:
            merged[targets] = merged.get(targets, 0) | sources
    return merged
