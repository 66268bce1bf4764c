"""Models of structures, computed from the definitions: all worlds of the law, stage by stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from symkripke.model import KnowledgeStructure, World
from tests.support.product_update import Listed, Preference


def listed(structure: KnowledgeStructure) -> Listed:
    """List the worlds of a structure without actions, in the order of the product of the values."""
    worlds: list[World] = [{}]
    model = Listed(structure.agents, ())
    known: set[str] = set()
    for stage in structure.stages:
        said = [model.truths(c.formula) for c in stage.law.added if c.is_modal]
        worlds = [world for place, world in enumerate(worlds) if all(true[place] for true in said)]
        fluents = stage.vocabulary.fluents
        new = {name: fluent.values for name, fluent in fluents.items() if name not in known}
        known.update(new)
        worlds = [
            {**world, **dict(zip(new, values, strict=True))}
            for world in worlds
            for values in product(*new.values())
        ]
        wide = model_of(stage, worlds)
        facts = [wide.truths(c.formula) for c in stage.law.added if not c.is_modal]
        worlds = [world for place, world in enumerate(worlds) if all(true[place] for true in facts)]
        model = model_of(stage, worlds)
    return model


def model_of(stage: KnowledgeStructure, worlds: Sequence[World]) -> Listed:
    """Return the model with these worlds, which may have more values, without actions."""
    observed = {
        agent: [(seen.atom.fluent, seen.atom.value) for seen in stage.observables[agent]]
        for agent in stage.agents
    }
    model = Listed.of(stage.agents, worlds, observed)
    softs = [
        (since, order, soft)
        for since, earlier in enumerate(stage.stages)
        for order, soft in enumerate(earlier.soft.added)
    ]
    preferences = [
        Preference(
            {a: r for a in stage.agents if (r := soft.rank_for(a)) is not None}, since, order
        )
        for since, order, soft in softs
    ]
    kept = [model.truths(soft.formula) for *_, soft in softs]
    points = [
        replace(point, keeps=tuple(true[place] for true in kept))
        for place, point in enumerate(model.points)
    ]
    return Listed(stage.agents, points, preferences)
