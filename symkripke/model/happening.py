"""The actual world after an action model, computed from the definitions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from symkripke.errors import ImpossibleEvent, InputError, UnknownName
from symkripke.language import FALSE, TRUE, Formula
from symkripke.language.formulas import Modal
from symkripke.language.printer import brief
from symkripke.language.walk import names, replace_leaves
from symkripke.model.actions import SKIP, Postcondition
from symkripke.model.evaluate import World, evaluate
from symkripke.model.resolution_cache import Fixed

if TYPE_CHECKING:
    from symkripke.model.scene import Scene
    from symkripke.model.structure import KnowledgeStructure


class Happening:
    """An action that happens at a scene."""

    def __init__(
        self,
        scene: Scene,
        after: KnowledgeStructure,
        values: World,
        judge: Callable[[Scene, Formula], object] | None,
    ) -> None:
        """With `values` of the action's own fluents; raises `ImpossibleEvent` if one is missing."""
        assert after.occurrence is not None
        self._scene = scene
        self._after = after
        self._occurrence = after.occurrence
        self._judge = judge
        self._source = self._occurrence.action.source
        own = self._occurrence.action.fluents
        self._own = frozenset(fluent.name for fluent in own)
        self._world = dict(scene.world)
        for fluent in own:
            if fluent.name not in values:
                raise ImpossibleEvent(f"no value is given for {fluent.name}", self._source)
            fluent.equals(values[fluent.name])
            self._world[fluent.name] = values[fluent.name]
        for name in values:
            if name not in self._own:
                raise UnknownName("fluent of the action", name, [*self._own])

    def world(self, happens: str | None) -> dict[str, str]:
        """The actual world after the action."""
        occurrence, fluents = self._occurrence, self._after.vocabulary.fluents
        name = self._event(happens)
        changes = {c.fluent: c for c in occurrence.action.event(name).postconditions}
        world = dict(self._world)
        if occurrence.which:
            world[occurrence.which] = occurrence.action.event(name).value
        for plain, version in occurrence.versions.items():
            world[version] = self._new_value(plain, changes.get(plain))
        for finding, leaf in occurrence.findings.items():
            world[finding] = "true" if self._true(leaf) else "false"
        signals = {}
        for agent in self._scene.structure.agents:
            cases = occurrence.action.cases(agent)
            how = next(how for condition, how in cases if self._true(condition))
            signals[agent] = how.signal(name)
        for agent, fluent in occurrence.signals.items():
            world[fluent] = occurrence.labels[agent][signals[agent]]
        for name, sight in self._after.traces.sights.items():
            if name not in world:
                noticed = signals[sight.agent] is not None
                seen = noticed and evaluate(sight.where, world) and evaluate(sight.atom, world)
                world[name] = "true" if seen else "false"
        return {name: world[name] for name in fluents}

    def _event(self, happens: str | None) -> str:
        """The event that happens; raises `ImpossibleEvent`."""
        action, events = self._occurrence.action, self._occurrence.events
        if happens is not None:
            if happens not in events:
                raise UnknownName("event", happens, events)
            if happens not in (*action.actual, SKIP):
                raise ImpossibleEvent(
                    f"{happens} is none of the events that may be the actual one", self._source
                )
            if not self._true(action.event(happens).precondition):
                raise ImpossibleEvent(
                    f"{happens} cannot happen: its precondition is not so in the actual world "
                    f"({brief(action.event(happens).precondition)})",
                    self._source,
                )
            return happens
        possible = [e for e in action.actual if self._true(action.event(e).precondition)]
        if len(possible) != 1:
            found = ", ".join(possible) or "none of them"
            raise ImpossibleEvent(
                f"expected one event of {', '.join(action.actual)} that can happen here, got "
                f"{found}",
                self._source,
            )
        return possible[0]

    def _new_value(self, fluent: str, change: Postcondition | None) -> str:
        for value, condition in () if change is None else change.cases:
            if self._true(condition):
                return value
        now = self._scene.structure.versions.get(fluent, fluent)
        return now.value if isinstance(now, Fixed) else self._world[now]

    def _true(self, formula: Formula) -> bool:
        """The truth of a formula before the action."""

        def decided(leaf: Formula) -> Formula:
            if not isinstance(leaf, Modal):
                return leaf
            if self._judge is None:
                raise InputError(
                    f"{self._source}: whether {brief(leaf)} is true is a question for an engine; "
                    "give one as judge, as in scene.update(action, judge=engine())"
                )
            where = self._scene if self._own.isdisjoint(names(leaf)) else self._prepared
            return TRUE if self._judge(where, leaf) else FALSE

        plain = replace_leaves(formula, decided)
        return evaluate(self._occurrence.names.resolve(plain), self._world)

    @cached_property
    def _prepared(self) -> Scene:
        """The scene with the action's own fluents, before it happens."""
        stage = self._after.before
        assert stage is not None
        fluents = stage.vocabulary.fluents
        world = {name: self._world.get(name, fluents[name].values[0]) for name in fluents}
        return replace(self._scene, structure=stage, world=MappingProxyType(world), _views={})
