"""An oracle for bisimilarity: which worlds some formula separates, by evaluating all of them.

It works with sets of worlds as bit masks, by the definitions of `SEMANTICS.md`, and shares no code
with the package but the listing of the worlds.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain, combinations
from typing import TypeVar

from symkripke.model import KnowledgeStructure, World, evaluate

T = TypeVar("T")


def separated(
    structure: KnowledgeStructure, worlds: Sequence[World], values: Sequence[Hashable]
) -> list[int]:
    """Return for each world the first world that no formula about `values` separates from it.

    The formulas are those of K, M, B, conditional B, C and CB. Level by level, every operator is
    applied to every set of worlds that a formula of the level before describes.
    """
    frame = _Frame(structure, worlds)
    signs: list[tuple[object, ...]] = [(value,) for value in values]
    while True:
        first = [signs.index(sign) for sign in signs]
        blocks = [
            sum(1 << place for place, block in enumerate(first) if block == number)
            for number in sorted(set(first))
        ]
        described = [sum(some) for some in _subsets(blocks)]
        truths = [truth for stated in described for truth in frame.about(stated, described)]
        signs = [
            (block, *(truth >> place & 1 for truth in truths)) for place, block in enumerate(first)
        ]
        if [signs.index(sign) for sign in signs] == first:
            return first


class _Frame:
    """For each agent and world the cell, and the order of plausibility."""

    def __init__(self, structure: KnowledgeStructure, worlds: Sequence[World]) -> None:
        self._places = range(len(worlds))
        self._agents = structure.agents
        self._groups = [group for group in _subsets(structure.agents) if group]
        self._cells: dict[str, list[int]] = {}
        self._falsehoods: dict[str, list[list[bool]]] = {}
        for agent in structure.agents:
            atoms = [observable.atom for observable in structure.observables[agent]]
            seen = [[evaluate(atom, world) for atom in atoms] for world in worlds]
            self._cells[agent] = [self._mask(seen[place], seen) for place in self._places]
            order = structure.plausibility(agent)
            self._falsehoods[agent] = [
                [not evaluate(soft.formula, world) for soft in order] for world in worlds
            ]

    def _mask(self, wanted: object, found: Sequence[object]) -> int:
        return sum(1 << place for place in self._places if found[place] == wanted)

    def _best(self, agent: str, among: int) -> int:
        """The most plausible of these worlds."""
        falsehoods = self._falsehoods[agent]
        inside = [place for place in self._places if among >> place & 1]
        if not inside:
            return 0
        least = min(falsehoods[place] for place in inside)
        return sum(1 << place for place in inside if falsehoods[place] == least)

    def about(self, stated: int, described: Sequence[int]) -> list[int]:
        """The worlds at which the formulas K, B, C and CB of `stated` are true."""
        found = []
        for agent in self._agents:
            cells = self._cells[agent]
            found.append(self._where(cells, stated))
            for given in described:
                best = {cell: self._best(agent, cell & given) for cell in set(cells)}
                found.append(self._where([best[cell] for cell in cells], stated))
        for group in self._groups:
            known = [self._cells[agent] for agent in group]
            believed = [[self._best(agent, cell) for cell in self._cells[agent]] for agent in group]
            for steps in (known, believed):
                found.append(self._where(self._reached(steps), stated))
        return found

    def _where(self, considered: Sequence[int], stated: int) -> int:
        return sum(1 << place for place in self._places if not considered[place] & ~stated)

    def _reached(self, steps: Sequence[Sequence[int]]) -> list[int]:
        """For each world those that are reached from it by one or more steps."""
        reached = []
        for place in self._places:
            found, last = 0, -1
            while found != last:
                last = found
                for here in self._places:
                    if (found | 1 << place) >> here & 1:
                        for step in steps:
                            found |= step[here]
            reached.append(found)
        return reached


def _subsets(items: Sequence[T]) -> list[tuple[T, ...]]:
    sizes = range(len(items) + 1)
    return list(chain.from_iterable(combinations(items, size) for size in sizes))
