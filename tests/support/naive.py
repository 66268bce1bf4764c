"""Kripke semantics once more, slowly: lists of dictionaries, and the definitions by recursion.

Shares nothing with the engines: worlds come from `itertools.product`, an agent's cell is a
list comprehension, common knowledge a search.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
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
class Naive:
    """A Kripke model: its worlds, and the structure whose observables make the cells."""

    structure: KnowledgeStructure
    worlds: tuple[World, ...]
    # What was asked before, by the worlds' identity: only for speed.
    answers: dict[tuple[int, f.Formula], bool] = field(default_factory=dict)
    cells: dict[tuple[int, tuple[str, ...]], list[World]] = field(default_factory=dict)
    models: dict[f.Formula, Naive] = field(default_factory=dict)

    @classmethod
    def of(cls, structure: KnowledgeStructure) -> Naive:
        """The model of a structure, stage by stage."""
        worlds: list[World] = [{}]
        earlier: Naive | None = None
        for stage in structure.history:
            known = set(worlds[0]) if worlds else set()
            new = [x for name, x in stage.vocabulary.fluents.items() if name not in known]
            made: list[World] = []
            for world in worlds:
                if earlier is not None and not all(
                    earlier.true(world, c.formula) for c in stage.added if c.is_modal
                ):
                    continue
                for values in product(*(fluent.values for fluent in new)):
                    fresh = {x.name: value for x, value in zip(new, values, strict=True)}
                    made.append({**world, **fresh})
            boolean = [c.formula for c in stage.added if not c.is_modal]
            here = cls(stage, ())
            worlds = [world for world in made if all(here.defined(world, b) for b in boolean)]
            earlier = cls(stage, tuple(worlds))
        assert earlier is not None
        return earlier

    def same(self, agents: Iterable[str], one: World, other: World) -> bool:
        """Whether these agents together cannot tell the two worlds apart."""
        return all(
            (one[o.atom.fluent] == o.atom.value) == (other[o.atom.fluent] == o.atom.value)
            for agent in agents
            for o in self.structure.observables[agent]
        )

    def cell(self, agents: Iterable[str], world: World) -> list[World]:
        """The worlds that these agents together cannot tell from `world`."""
        key = id(world), tuple(agents)
        if key not in self.cells:
            self.cells[key] = [t for t in self.worlds if self.same(key[1], world, t)]
        return self.cells[key]

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
        """The most plausible of the worlds with what is given in the agent's cell."""
        softs = [(stage, one) for stage, s in enumerate(self.structure.history) for one in s.soft]
        mine = [
            (one.rank if isinstance(one.rank, int) else one.rank[agent], stage, -place, one.formula)
            for place, (stage, one) in enumerate(softs)
            if isinstance(one.rank, int) or agent in one.rank
        ]
        order = [formula for *_, formula in sorted(mine, key=lambda x: x[:3], reverse=True)]
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
        """Whether the resolved formula is true at the world (one of this model's)."""
        key = id(world), formula
        if key not in self.answers:
            self.answers[key] = self.defined(world, formula)
        return self.answers[key]

    def defined(self, world: World, formula: f.Formula) -> bool:
        """The definitions."""

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
                return len({tuple(t[x] for x in fluents) for t in self.cell([agent], world)}) == 1
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

    def announced(self, said: f.Formula) -> Naive:
        """The model in which only the worlds with `said` are left."""
        if said not in self.models:
            left = tuple(t for t in self.worlds if self.true(t, said))
            self.models[said] = Naive(self.structure, left)
        return self.models[said]
