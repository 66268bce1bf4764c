"""Kripke semantics directly from the definitions: lists of worlds, recursion over the formula.

This is slow, and shares no code with the engines. Each world has a label for each agent: what the
agent observes there by the structure, or what it has seen by the rules of a game. An agent cannot
tell worlds with equal labels apart.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from symkripke.language import formulas as f
from symkripke.model import KnowledgeStructure, World

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "=": operator.eq,
}


@dataclass(frozen=True)
class ListedModel:
    """A Kripke model: a list of worlds, and what each agent can tell apart.

    Attributes:
        structure: the knowledge structure; beliefs come from it.
        worlds: the worlds.
        label: for an agent and a world what the agent sees there; it cannot tell two worlds with
            equal labels apart. None: what the structure says that it observes.
    """

    structure: KnowledgeStructure
    worlds: tuple[World, ...]
    label: Callable[[str, World], Hashable] | None = None
    # Earlier results, by the identity of worlds: only for speed.
    _answers: dict[tuple[int, f.Formula], bool] = field(default_factory=dict)
    _cells: dict[tuple[str, ...], dict[Hashable, list[World]]] = field(default_factory=dict)
    _labels: dict[tuple[str, int], Hashable] = field(default_factory=dict)
    _announced: dict[f.Formula, ListedModel] = field(default_factory=dict)

    @classmethod
    def of(cls, structure: KnowledgeStructure) -> ListedModel:
        """The model of a structure, stage by stage."""
        worlds: list[World] = [{}]
        earlier: ListedModel | None = None
        for stage in structure.stages:
            known = set(worlds[0]) if worlds else set()
            new = [found for name, found in stage.vocabulary.fluents.items() if name not in known]
            made: list[World] = []
            for world in worlds:
                if earlier is not None and not all(
                    earlier.true(world, c.formula) for c in stage.law.added if c.is_modal
                ):
                    continue
                for values in product(*(fluent.values for fluent in new)):
                    fresh = {added.name: value for added, value in zip(new, values, strict=True)}
                    made.append(dict(world) | fresh)
            boolean = [c.formula for c in stage.law.added if not c.is_modal]
            here = cls(stage, ())
            worlds = [world for world in made if all(here.defined(world, b) for b in boolean)]
            earlier = cls(stage, tuple(worlds))
        assert earlier is not None
        return earlier

    def seen(self, agent: str, world: World) -> Hashable:
        """The label of the world for the agent."""
        key = agent, id(world)
        if key not in self._labels:
            if self.label is not None:
                self._labels[key] = self.label(agent, world)
            else:
                atoms = (observable.atom for observable in self.structure.observables[agent])
                self._labels[key] = tuple(world[atom.fluent] == atom.value for atom in atoms)
        return self._labels[key]

    def cell(self, agents: Iterable[str], world: World) -> list[World]:
        """The worlds that these agents together cannot tell from `world`."""
        group = tuple(agents)
        if group not in self._cells:
            cells: dict[Hashable, list[World]] = {}
            for there in self.worlds:
                cells.setdefault(tuple(self.seen(agent, there) for agent in group), []).append(
                    there
                )
            self._cells[group] = cells
        return self._cells[group][tuple(self.seen(agent, world) for agent in group)]

    def reach(self, group: Iterable[str], world: World) -> list[World]:
        """All worlds within any number of steps."""
        reached = [world]
        seen = {id(world)}
        for here in reached:
            for agent in group:
                new = [t for t in self.cell([agent], here) if id(t) not in seen]
                reached += new
                seen.update(map(id, new))
        return reached

    def best(self, agent: str, world: World, given: f.Formula = f.TRUE) -> list[World]:
        """The most plausible worlds of the agent's cell at which `given` is true."""
        softs = [
            (number, soft)
            for number, stage in enumerate(self.structure.stages)
            for soft in stage.soft.added
        ]
        mine = [
            (rank, stage, -place, soft.formula)
            for place, (stage, soft) in enumerate(softs)
            if (rank := soft.rank_for(agent)) is not None
        ]
        order = [formula for *_, formula in sorted(mine, key=lambda row: row[:3], reverse=True)]
        cell = [t for t in self.cell([agent], world) if self.true(t, given)]
        kept = [[self.true(t, formula) for formula in order] for t in cell]
        return [t for t, here in zip(cell, kept, strict=True) if here == max(kept)]

    def led(self, group: Iterable[str], world: World) -> list[World]:
        """All worlds after one or more steps to most plausible worlds."""
        reached: list[World] = []
        seen: set[int] = set()
        pending = [world]
        while pending:
            start = pending.pop()
            for agent in group:
                new = [t for t in self.best(agent, start) if id(t) not in seen]
                seen.update(map(id, new))
                reached += new
                pending += new
        return reached

    def true(self, world: World, formula: f.Formula) -> bool:
        """Return whether the resolved formula is true at the world (one of this model's)."""
        key = id(world), formula
        if key not in self._answers:
            self._answers[key] = self.defined(world, formula)
        return self._answers[key]

    def defined(self, world: World, formula: f.Formula) -> bool:
        """The truth of the formula at the world, by the definitions."""

        def at(part: f.Formula) -> bool:
            return self.true(world, part)

        def number(operands: Iterable[f.Formula]) -> int:
            return sum(at(part) for part in operands)

        def knows(agents: Iterable[str], part: f.Formula) -> bool:
            return all(self.true(t, part) for t in self.cell(agents, world))

        match formula:
            case f.Constant(value):
                return value
            case f.Atom(fluent, value):
                return world[fluent] == value
            case f.Not(part):
                return not at(part)
            case f.And(parts):
                return number(parts) == len(parts)
            case f.Or(parts):
                return number(parts) > 0
            case f.Implies(left, right):
                return not at(left) or at(right)
            case f.Iff(left, right):
                return at(left) == at(right)
            case f.Cardinality("atleast", bound, parts):
                return number(parts) >= bound
            case f.Cardinality("atmost", bound, parts):
                return number(parts) <= bound
            case f.Cardinality("exactly", bound, parts):
                return number(parts) == bound
            case f.K(agent, part):
                return knows([agent], part)
            case f.M(agent, part):
                return any(self.true(t, part) for t in self.cell([agent], world))
            case f.Kw(agent, part):
                return len({self.true(t, part) for t in self.cell([agent], world)}) == 1
            case f.Kv(agent, fluents):
                return (
                    len({tuple(t[name] for name in fluents) for t in self.cell([agent], world)})
                    == 1
                )
            case f.E(group, part):
                return all(knows([agent], part) for agent in group)
            case f.D(group, part):
                return knows(group, part)
            case f.C(group, part):
                return all(self.true(t, part) for t in self.reach(group, world))
            case f.B(agent, part, given):
                return all(self.true(t, part) for t in self.best(agent, world, given))
            case f.EB(group, part):
                return all(at(f.B(agent, part)) for agent in group)
            case f.CB(group, part):
                return all(self.true(t, part) for t in self.led(group, world))
            case f.P(agent, part, relation, bound, given):
                cell = [t for t in self.cell([agent], world) if self.true(t, given)]
                there = sum(self.true(t, part) for t in cell)
                return COMPARE[relation](there, bound * len(cell))
            case f.Announced(said, after):
                return not at(said) or self.announced(said).true(world, after)
            case f.AnnouncedTrue(said, after):
                return at(said) and self.announced(said).true(world, after)
        raise AssertionError(formula)

    def announced(self, said: f.Formula) -> ListedModel:
        """The model restricted to the worlds at which `said` is true."""
        if said not in self._announced:
            left = tuple(t for t in self.worlds if self.true(t, said))
            self._announced[said] = ListedModel(self.structure, left, self.label)
        return self._announced[said]
