"""Scenes: knowledge structures with an actual world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import Any

from symkripke.argument_types import checked
from symkripke.errors import FalseConstraint, ImpossibleEvent, InputError, UnknownName
from symkripke.language import FALSE, TRUE, Atom, Formula, Iff, conjunction
from symkripke.language.formulas import And, Linear, Modal, Or
from symkripke.language.linear import Sum, constant, rational
from symkripke.language.printer import brief
from symkripke.language.walk import names, replace_leaves
from symkripke.model.actions import SKIP, ActionModel
from symkripke.model.evaluate import Engine, World, deciding, evaluate
from symkripke.model.events import Constraint, Event
from symkripke.model.html import table
from symkripke.model.perspective import Perspective, seen_atom, stage_after
from symkripke.model.picture import Drawable, small_picture
from symkripke.model.product import as_event
from symkripke.model.resolution_cache import Fixed
from symkripke.model.structure import KnowledgeStructure
from symkripke.model.vocabulary import VALUE
from symkripke.records import dataclass

Judge = Callable[["Scene", Formula], object] | Engine
"""An engine, or a function like its `holds`, which decides formulas at a scene."""


@dataclass(frozen=True, eq=False, repr=False)
class Scene(Drawable):
    """A scene (F, s): a knowledge structure with its actual world s, which obeys the law.

    Attributes:
        structure: F.
        world: s, a value for every fluent (for each version of a changed fluent).
    """

    structure: KnowledgeStructure
    world: World
    _views: dict[str, Perspective] = field(default_factory=dict)
    """The last perspective of each agent from the scenes of this history."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Scene, (self.structure, self.world)

    def __repr__(self) -> str:
        return f"<Scene at {self.structure!r}>"

    def _repr_html_(self) -> str:
        world = table("Actual world", ("fluent", "value"), self.world.items())
        return f"{small_picture(self)}{world}\n{self.structure.tables}"

    @classmethod
    def of(cls, structure: KnowledgeStructure, world: World, *, called: str = "actual") -> Scene:
        """Create a scene at a first structure.

        Args:
            structure: a first structure.
            world: a world of it, with a value for every fluent.
            called: the name of the world in errors.

        Raises:
            InputError: the world lacks a value for a fluent, has an invalid value, or breaks the
                law. In the last case, the message names the constraint.
        """
        if structure.history.before is not None:
            raise InputError("a scene starts at a first structure; then update it")
        fluents = structure.vocabulary.fluents
        for name in world:
            if name not in fluents:
                raise UnknownName("fluent", name, fluents)
        for name, fluent in fluents.items():
            if name not in world:
                raise InputError(f"the {called} world has no value for {name}")
            fluent.equals(world[name])
        scene = cls(structure, MappingProxyType(dict(world)))
        for constraint in structure.law:
            if not evaluate(constraint.formula, scene.world):
                raise InputError(f"the {called} world breaks the law: {constraint.source}")
        return scene

    def update(
        self,
        event: Event | ActionModel,
        values: World | None = None,
        judge: Judge | None = None,
        *,
        happens: str | None = None,
    ) -> Scene:
        """Return the scene after `event`.

        Args:
            event: the event or action.
            values: the values, at the actual world, of the event's own fluents, and of fluents that
                change to an unknown value. Values of other fluents are allowed, and are checked.
            judge: an engine, or a function like its `holds`, which decides constraints about
                knowledge at this scene.
            happens: for an action model, the name of the event that happens; optional if only one
                of the action's `actual` events can happen here.

        Raises:
            ImpossibleEvent: the event cannot happen here: a constraint is false, or a value is
                missing.
        """
        if isinstance(event, ActionModel):
            if (noticed := as_event(event, self.structure.resolver)) is None:
                after = self.structure.update(event)
                made = _Happening(self, after, values or {}, judge).world(happens)
                return Scene(after, MappingProxyType(made))
            if happens is not None:
                event.event(happens)
            event = noticed
        return self._updated(event, values or {}, judge, None)

    def _updated(
        self,
        event: Event,
        values: World,
        judge: Judge | None,
        after: KnowledgeStructure | None,
    ) -> Scene:
        """Return the scene after an event; `after` is the structure after it, if known."""
        given = dict(values)
        world = dict(self.world)
        for fluent in event.fluents:
            if fluent.name not in given:
                raise ImpossibleEvent(f"no value is given for {fluent.name}", event.source)
            fluent.equals(given[fluent.name])
            world[fluent.name] = given.pop(fluent.name)
        free = [change.fluent for change in event.changes if change.to is None]
        new_values = {name: given.pop(name) for name in free if name in given}
        for name, value in given.items():
            if name not in self.world:
                raise UnknownName("fluent of the event", name, [f.name for f in event.fluents])
            actual = self.structure.resolver.value(name, self.world)
            if actual != value:
                raise ImpossibleEvent(
                    f"{name} is {actual} in the actual world, not {value}", event.source
                )
        after = after or self.structure.update(event)
        for name in free:
            if name not in new_values:
                raise ImpossibleEvent(f"no new value is given for {name}", event.source)
            version = after.versions[name]
            assert not isinstance(version, Fixed)
            after.vocabulary.fluents[version].equals(new_values[name])
            world[version] = new_values[name]
        stated = zip(event.constraints, after.history.stated, strict=True)
        for number, (original, constraint) in enumerate(stated):
            if constraint.is_modal:
                if judge is None:
                    raise InputError(
                        f"{constraint.source}: whether this is true is a question for an engine; "
                        "give one as judge, as in scene.update(event, judge=engine())"
                    )
                holds = deciding(judge)(self, original.formula)
            else:
                holds = evaluate(constraint.formula, world)
            if not holds:
                raise FalseConstraint(constraint.source, brief(constraint.formula), number)
        for likelihood in after.likelihoods.added:
            true = sum(evaluate(formula, world) for formula, _ in likelihood.cases)
            if true != 1:
                raise ImpossibleEvent(
                    "expected one case of the likelihood to be true in the actual world, "
                    f"got {true}",
                    likelihood.source or event.source,
                )
        self._change(event, after, world)
        for constraint in after.history.ties:
            _settle(constraint, world)
            if not evaluate(constraint.formula, world):
                raise ImpossibleEvent(
                    f"no single new value fits ({constraint.formula})", constraint.source
                )
        return Scene(after, MappingProxyType(world), dict(self._views))

    def outcomes(self, action: ActionModel, judge: Judge | None = None) -> list[Scene]:
        """Return all scenes to which an action may lead from here.

        There is one scene for each event that can happen here and may be the actual one, and for
        each possible choice of values of the action's own fluents. See `update` for `judge`.
        """
        after = self.structure.after_action(action)
        noticed = as_event(action, self.structure.resolver)
        own = [fluent.name for fluent in action.fluents]
        scenes = []
        for name, *chosen in product(action.actual, *(x.values for x in action.fluents)):
            values: dict[str, str] = dict(zip(own, chosen, strict=True))
            try:
                if noticed is not None:
                    scenes.append(self._updated(noticed, values, judge, after))
                else:
                    world = _Happening(self, after, values, judge).world(name)
                    scenes.append(Scene(after, MappingProxyType(world)))
            except ImpossibleEvent:
                continue
        return scenes

    def _change(self, event: Event, after: KnowledgeStructure, world: dict[str, str]) -> None:
        """Set the new versions with cases to their values at the actual world, in place."""
        if not event.changes:
            return
        now, names = world, self.structure.resolver.extended(event.fluents)
        for change in event.changes:
            version = after.versions[change.fluent]
            if isinstance(version, Fixed) or change.to is None or isinstance(change.to, str):
                continue
            if now is world:
                now = dict(world)
            # Cases are about the world before; the event's own fluents are new, not changed.
            cases = [(value, names.resolve(formula)) for value, formula in change.to]
            true = [
                str(names.resolved_sum(value).at(now)) if isinstance(value, Sum) else value
                for value, formula in cases
                if evaluate(formula, now)
            ]
            values = after.vocabulary.fluents[version].values
            if not true and len(cases) == 1 and values == ("false", "true"):
                true = ["false" if cases[0][0] == "true" else "true"]
            if len(true) != 1:
                raise ImpossibleEvent(
                    f"expected one new value of {change.fluent}, got {len(true)}",
                    change.source or event.source,
                )
            world[version] = true[0]

    def after(self, events: int) -> Scene:
        """Return the scene after `events` events; raise `InputError` if there are fewer."""
        structure = stage_after(self.structure, events)
        fluents = structure.vocabulary.fluents
        return Scene(structure, MappingProxyType({n: self.world[n] for n in fluents}))

    def perspective(self, agent: str) -> Perspective:
        """Return the perspective of `agent`; raise `UnknownName` if the agent is unknown."""
        try:
            structure, known = self.structure, self._views.get(agent)
        except TypeError:  # an unhashable object is not a name
            checked(agent, str, where="agent")
            raise
        if known is not None and known.structure is structure:
            return known
        structure.vocabulary.agent(agent)
        observed, seen, old = structure.observables[agent], frozenset[Atom](), 0
        if known is not None:
            before = known.structure.observables[agent]
            if observed[: len(before)] == before:
                # Fluents keep their values: changes make new versions.
                seen, old = known.seen, len(before)
        new = {
            seen_atom(o.atom, self.world[o.atom.fluent])
            for o in observed[old:]
            if o.atom.value in (self.world[o.atom.fluent], VALUE)
        }
        seen = seen | new if new else seen
        made = self._views[agent] = Perspective(structure, agent, seen)
        return made


def _settle(tie: Constraint, world: dict[str, str]) -> None:
    """Set a new fluent to the value that a tie of the law determines, in place.

    Such a tie has the form `fluent = value <-> formula`, where all fluents of the formula have
    values already.
    """
    match tie.formula:
        case Iff(Atom(fluent, value), formula) if fluent not in world:
            if evaluate(formula, world):
                world[fluent] = value
            elif value == "true":
                world[fluent] = "false"
        case Or() | And() | Linear():
            _settle_number(tie.formula, world)


def _settle_number(formula: Formula, world: dict[str, str]) -> None:
    """Set a new number to the value that a tie determines (see `additions.tied`), in place."""
    unknown = [name for name in names(formula) if name not in world]
    if len(unknown) != 1:
        return
    for case in formula.operands if isinstance(formula, Or) else (formula,):
        parts = case.operands if isinstance(case, And) else (case,)
        for part in parts:
            if not isinstance(part, Linear) or not part.row.sum.coefficient(unknown[0]):
                continue
            others = conjunction(other for other in parts if other is not part)
            if evaluate(others, world):
                rest = part.row.sum.put(unknown[0], constant(0))
                factor = Fraction(part.row.sum.coefficient(unknown[0]))
                world[unknown[0]] = str(rational(-rest.at(world) / factor))
                return


EpistemicState = Scene | Perspective
"""A scene or a perspective, at which questions are asked."""


class _Happening:
    """An action that happens at a scene."""

    def __init__(
        self,
        scene: Scene,
        after: KnowledgeStructure,
        values: World,
        judge: Judge | None,
    ) -> None:
        """Store the values of the action's fluents; raise `ImpossibleEvent` if one is missing."""
        occurrence = after.history.occurrence
        assert occurrence is not None
        self._scene = scene
        self._after = after
        self._occurrence = occurrence
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
        """Return the actual world after the action."""
        occurrence, name = self._occurrence, self._event(happens)
        world = dict(self._world)
        if occurrence.which:
            world[occurrence.which] = occurrence.action.event(name).value
        for name, leaf in occurrence.prior_truths.items():
            world[name] = "true" if self._true(leaf) else "false"
        for tie in self._after.history.ties:
            _settle(tie, world)
        return {name: world[name] for name in self._after.vocabulary.fluents}

    def _event(self, happens: str | None) -> str:
        """Return the event that happens; raise `ImpossibleEvent` unless only one can happen."""
        action, events = self._occurrence.action, self._occurrence.events
        if happens is not None:
            if happens not in events:
                raise UnknownName("event", happens, events)
            if happens not in (*action.actual, SKIP):
                raise ImpossibleEvent(f"{happens} cannot be the actual event", self._source)
            if not self._true(action.event(happens).precondition):
                raise ImpossibleEvent(
                    f"{happens} cannot happen: its precondition is false in the actual world "
                    f"({brief(action.event(happens).precondition)})",
                    self._source,
                )
            return happens
        possible = [e for e in action.actual if self._true(action.event(e).precondition)]
        if len(possible) != 1:
            actual = ", ".join(possible) or "none of them"
            raise ImpossibleEvent(
                f"expected one event of {', '.join(action.actual)} that can happen here, got "
                f"{actual}",
                self._source,
            )
        return possible[0]

    def _true(self, formula: Formula) -> bool:
        """Return the truth of a formula before the action."""

        def decided(leaf: Formula) -> Formula:
            if not isinstance(leaf, Modal):
                return leaf
            if self._judge is None:
                raise InputError(
                    f"{self._source}: whether {brief(leaf)} is true is a question for an engine; "
                    "give one as judge, as in scene.update(action, judge=engine())"
                )
            where = self._scene if self._own.isdisjoint(names(leaf)) else self._prepared
            return TRUE if deciding(self._judge)(where, leaf) else FALSE

        plain = replace_leaves(formula, decided)
        return evaluate(self._occurrence.names.resolve(plain), self._world)

    @cached_property
    def _prepared(self) -> Scene:
        """The scene with the action's own fluents, before it happens."""
        stage = self._after.history.before
        assert stage is not None
        fluents = stage.vocabulary.fluents
        world = {name: self._world.get(name, fluents[name].values[0]) for name in fluents}
        return replace(self._scene, structure=stage, world=MappingProxyType(world), _views={})
