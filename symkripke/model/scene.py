"""Scenes, with the actual world; perspectives, with what one agent has seen of it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import field, replace
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import Any

from symkripke.argument_types import checked, explained
from symkripke.errors import FalseConstraint, ImpossibleEvent, InputError, UnknownName
from symkripke.language import Atom, Formula, Iff, Not
from symkripke.language.printer import brief
from symkripke.language.walk import atoms, substitute
from symkripke.model.actions import ActionModel
from symkripke.model.beliefs import Soft
from symkripke.model.display import Drawn, drawn
from symkripke.model.evaluate import Engine, World, deciding, evaluate
from symkripke.model.events import Constraint, Event, Observable
from symkripke.model.happening import Happening
from symkripke.model.product import as_event
from symkripke.model.resolution_cache import Fixed
from symkripke.model.structure import KnowledgeStructure
from symkripke.records import dataclass

Judge = Callable[["Scene", Formula], object] | Engine
"""An engine, or a function like its `holds`: decides formulas, in the names of a scene, there."""


def _deciding(judge: Judge | None) -> Callable[[Scene, Formula], object] | None:
    return None if judge is None else deciding(judge)


@dataclass(frozen=True, eq=False, repr=False)
class Scene:
    """A scene (F, s): a knowledge structure with its actual world s, which obeys the law.

    Attributes:
        structure: F.
        world: s, a value for every fluent (each version of a changed one).
    """

    structure: KnowledgeStructure
    world: World
    _views: dict[str, Perspective] = field(default_factory=dict)
    """For each agent the last perspective that was made from scenes of this history."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Scene, (self.structure, self.world)

    def __repr__(self) -> str:
        return f"<Scene at {self.structure!r}>"

    def _repr_html_(self) -> str:
        from symkripke.model.html import scene_html

        return scene_html(self)

    def draw(self, formula: Formula | str | None = None, **options: Any) -> Drawn:
        """The picture of its worlds, the actual one marked.

        Worlds with `formula` are grey. The options are those of `symkripke.drawing.draw`: `near`,
        `why`, `agents`, `fluents`, `layout` and so on; it raises as that does.
        """
        return drawn(self, formula, options)

    @classmethod
    @explained
    def of(cls, structure: KnowledgeStructure, world: World, *, called: str = "actual") -> Scene:
        """A scene; `world` needs values for the fluents of the first structure only.

        Args:
            structure: a first structure.
            world: a world of it.
            called: what errors call that world.

        Raises:
            InputError: the world has no value for a fluent, or one that it cannot have, or
                breaks the law; the message names the constraint.
        """
        if structure.before is not None:
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
        for constraint in structure.added:
            if not evaluate(constraint.formula, scene.world):
                raise InputError(f"the {called} world breaks the law: {constraint.source}")
        return scene

    @explained
    def update(
        self,
        event: Event | ActionModel,
        values: World | None = None,
        judge: Judge | None = None,
        *,
        happens: str | None = None,
    ) -> Scene:
        """The scene after `event`.

        Args:
            event: what happens.
            values: the values, at the actual world, of the event's own fluents, and of fluents that
                change to a value of which nothing is known. Values of other fluents may be given,
                too, and must be right.
            judge: an engine, or a function like its `holds`: decides constraints about knowledge
                at this scene.
            happens: of an action model, the name of the event that happens. It need not be given if
                only one of those that may be the actual one can happen here.

        Raises:
            ImpossibleEvent: it cannot happen here: a constraint is false at the actual world.
        """
        if isinstance(event, ActionModel):
            if (noticed := as_event(self.structure, event)) is None:
                after = self.structure.update(event)
                made = Happening(self, after, values or {}, _deciding(judge)).world(happens)
                return Scene(after, MappingProxyType(made))
            if happens is not None:
                event.event(happens)
            event = noticed
        return self._updated(event, values or {}, _deciding(judge), None)

    def _updated(
        self,
        event: Event,
        values: World,
        judge: Callable[[Scene, Formula], object] | None,
        after: KnowledgeStructure | None,
    ) -> Scene:
        """The scene after an event; `after` is the structure there, if it is known."""
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
            now = self.structure.versions.get(name, name)
            actual = now.value if isinstance(now, Fixed) else self.world[now]
            if actual != value:
                raise ImpossibleEvent(
                    f"{name} is {actual} in the actual world, not {value}", event.source
                )
        after = after or self.structure.update(event)
        stated, ties = after.added[: len(event.constraints)], after.added[len(event.constraints) :]
        for number, (said, constraint) in enumerate(zip(event.constraints, stated, strict=True)):
            if constraint.is_modal:
                if judge is None:
                    raise InputError(
                        f"{constraint.source}: whether this is true is a question for an engine; "
                        "give one as judge, as in scene.update(event, judge=engine())"
                    )
                holds = judge(self, said.formula)
            else:
                holds = evaluate(constraint.formula, world)
            if not holds:
                raise FalseConstraint(constraint.source, brief(constraint.formula), number)
        for likelihood in after.likelihoods:
            true = sum(evaluate(formula, world) for formula, _ in likelihood.cases)
            if true != 1:
                raise ImpossibleEvent(
                    "expected one case of the likelihood to be true in the actual world, "
                    f"got {true}",
                    likelihood.source or event.source,
                )
        self._change(event, after, world, new_values)
        for name, sight in after.traces.sights.items():
            if name not in world:
                seen = evaluate(sight.where, world) and evaluate(sight.atom, world)
                world[name] = "true" if seen else "false"
        for constraint in ties:
            if not evaluate(constraint.formula, world):
                raise ImpossibleEvent(
                    f"no single new value fits ({constraint.formula})", constraint.source
                )
        return Scene(after, MappingProxyType(world), dict(self._views))

    @explained
    def outcomes(self, action: ActionModel, judge: Judge | None = None) -> list[Scene]:
        """All scenes to which an action may lead from here.

        One for each event that can happen here and may be the actual one, and for each choice of
        values of the action's own fluents with which it can. `judge` as for `update`.
        """
        after = self.structure.after_action(action)
        noticed = as_event(self.structure, action)
        own = [fluent.name for fluent in action.fluents]
        found = []
        for name, *chosen in product(action.actual, *(x.values for x in action.fluents)):
            values = dict(zip(own, chosen, strict=True))
            try:
                if noticed is not None:
                    found.append(self._updated(noticed, values, _deciding(judge), after))
                else:
                    world = Happening(self, after, values, _deciding(judge)).world(name)
                    found.append(Scene(after, MappingProxyType(world)))
            except ImpossibleEvent:
                continue
        return found

    def _change(
        self, event: Event, after: KnowledgeStructure, world: dict[str, str], given: World
    ) -> None:
        """Give the new versions their values at the actual world, in place."""
        now = world
        names: KnowledgeStructure | None = None
        for change in event.changes:
            version = after.versions[change.fluent]
            if isinstance(version, Fixed) or isinstance(change.to, str):
                continue
            if now is world:
                now = dict(world)
            if change.to is None:
                if change.fluent not in given:
                    raise ImpossibleEvent(
                        f"no new value is given for {change.fluent}", event.source
                    )
                after.vocabulary.fluents[version].equals(given[change.fluent])
                world[version] = given[change.fluent]
                continue
            # Cases speak about the world before; the event's own fluents are new, not changed.
            if names is None:
                names = self._names_before(event)
            cases = [(value, names.resolve(formula)) for value, formula in change.to]
            true = [value for value, formula in cases if evaluate(formula, now)]
            values = after.vocabulary.fluents[version].values
            if not true and len(cases) == 1 and values == ("false", "true"):
                true = ["false" if cases[0][0] == "true" else "true"]
            if len(true) != 1:
                raise ImpossibleEvent(
                    f"expected one new value of {change.fluent}, got {len(true)}",
                    change.source or event.source,
                )
            world[version] = true[0]

    def _names_before(self, event: Event) -> KnowledgeStructure:
        """A structure in which names mean what they meant before the event's changes."""
        return self.structure.with_names(event.fluents) if event.fluents else self.structure

    @explained
    def after(self, events: int) -> Scene:
        """This scene as it was after so many events (0: the first); raises `InputError`."""
        structure = _stage(self.structure, events)
        fluents = structure.vocabulary.fluents
        return Scene(structure, MappingProxyType({n: self.world[n] for n in fluents}))

    def perspective(self, agent: str) -> Perspective:
        """What `agent` has seen of this scene; raises `UnknownName`."""
        try:
            structure, known = self.structure, self._views.get(agent)
        except TypeError:  # an unhashable object is no name
            checked(agent, str, where="agent")
            raise
        if known is not None and known.structure is structure:
            return known
        structure.vocabulary.agent(agent)
        observed = structure.observables[agent]
        if known is not None and known.structure.observables[agent] is observed:
            seen = known.seen  # fluents keep their values: changes make new versions
        else:
            seen = frozenset(o.atom for o in observed if self.world[o.atom.fluent] == o.atom.value)
        made = self._views[agent] = Perspective(structure, agent, seen)
        return made


@dataclass(frozen=True, eq=False, repr=False)
class Perspective:
    """A perspective (F, i, o): all that an agent at a real table has.

    Attributes:
        structure: F.
        agent: i.
        seen: o, the atoms that i observes to be true; all others that it observes are false.
    """

    structure: KnowledgeStructure
    agent: str
    seen: frozenset[Atom]

    def __reduce__(self) -> tuple[Any, ...]:
        return Perspective, (self.structure, self.agent, self.seen)

    def __repr__(self) -> str:
        return f"<Perspective of {self.agent} at {self.structure!r}>"

    def _repr_html_(self) -> str:
        from symkripke.model.html import perspective_html

        return perspective_html(self)

    def draw(self, formula: Formula | str | None = None, **options: Any) -> Drawn:
        """The picture of its worlds, those marked that the agent considers possible.

        Worlds with `formula` are grey. The options are those of `symkripke.drawing.draw`: `near`,
        `why`, `agents`, `fluents`, `layout` and so on; it raises as that does.
        """
        return drawn(self, formula, options)

    @classmethod
    @explained
    def of(cls, structure: KnowledgeStructure, agent: str, seen: Iterable[Atom]) -> Perspective:
        """A perspective; raises `InputError` if the agent does not observe one of the atoms."""
        structure.vocabulary.agent(agent)
        observed = {observable.atom for observable in structure.observables[agent]}
        resolved = []
        for atom in seen:
            found = structure.resolve(atom)
            if not isinstance(found, Atom) or found not in observed:
                raise InputError(f"{agent} does not observe {atom}")
            resolved.append(found)
        return cls(structure, agent, frozenset(resolved))

    @cached_property
    def observation(self) -> tuple[tuple[Observable, bool], ...]:
        """Everything that the agent observes, with what it sees."""
        mine = self.structure.observables[self.agent]
        return tuple((observable, observable.atom in self.seen) for observable in mine)

    @explained
    def update(self, event: Event | ActionModel, seen: Iterable[Atom] = ()) -> Perspective:
        """The perspective after `event`, in which the agent saw `seen` (atoms now true).

        New values of its own fluents that follow ("I drew a jack, so I hold one") need not be
        given.

        Raises:
            InputError: the agent does not observe one of these atoms.
        """
        after = self.structure.update(event)
        told = Perspective.of(after, self.agent, (*self.seen_now(after), *seen))
        became = self._became(told)
        return Perspective(after, self.agent, told.seen | became) if became else told

    def _became(self, told: Perspective) -> frozenset[Atom]:
        """The observed atoms of new versions that, by what the agent has seen, are true now."""
        observed = {observable.atom for observable in told.structure.observables[self.agent]}
        known = _values(observed, told.seen)
        became = set()
        event, occurrence = told.structure.event, told.structure.occurrence
        assert event is not None
        for tie in told.structure.added[len(event.constraints) :] if occurrence is None else ():
            # The law says of a new version: it has this value iff a formula was true before.
            assert isinstance(tie.formula, Iff)
            now, before = tie.formula.operands
            atom = now.operand if isinstance(now, Not) else now
            if atom not in observed or atom in told.seen:
                continue
            assert isinstance(atom, Atom)
            # Atoms that do not follow must be given in `seen`; those not given are false.
            worked_out = all(needed in observed for needed in atoms(before))
            if worked_out and evaluate(before, known) != isinstance(now, Not):
                became.add(atom)
        return frozenset(became)

    def seen_now(self, after: KnowledgeStructure) -> frozenset[Atom]:
        """The atoms that were seen, with names that mean the same in `after`, a later structure."""
        return frozenset(
            Atom(f"{atom.fluent}#0", atom.value) if atom.fluent in after.versions else atom
            for atom in self.seen
        )

    @explained
    def believing(self, kept: Iterable[Soft]) -> Perspective:
        """The perspective in which the agent takes these soft constraints for known.

        With the soft constraints that it keeps (`Engine.believed`), its worlds are the most
        plausible
        ones: for probabilities, sheets and so on by its beliefs. Use it only for questions about
        the agent's own mind: for the others, it is as if the beliefs had been announced.
        """
        constraints = tuple(
            Constraint(
                self._named(soft.formula), replace(soft.source, text=f"{soft.source} (believed)")
            )
            for soft in kept
        )
        if not constraints:
            return self
        after = self.structure.update(Event("what is believed is so", constraints))
        return Perspective(after, self.agent, self.seen)

    def _named(self, formula: Formula) -> Formula:
        """The resolved formula with names that mean the same in an event."""
        changed = self.structure.versions
        return substitute(
            formula,
            {
                atom: Atom(f"{atom.fluent}#0", atom.value)
                for atom in atoms(formula)
                if atom.fluent in changed
            },
        )

    @explained
    def after(self, events: int) -> Perspective:
        """This perspective as it was after so many events; raises `InputError`."""
        structure = _stage(self.structure, events)
        observed = {observable.atom for observable in structure.observables[self.agent]}
        return Perspective(structure, self.agent, self.seen & observed)


State = Scene | Perspective
"""A scene or a perspective: questions are asked at it."""


def _stage(structure: KnowledgeStructure, events: int) -> KnowledgeStructure:
    moments = structure.moments
    if not 0 <= events < len(moments):
        raise InputError(f"expected a number of events from 0 to {len(moments) - 1}, got {events}")
    return moments[events]


def _values(observed: Iterable[Atom], seen: Container[Atom]) -> World:
    """The values of fluents that follow from observed atoms, of which `seen` are the true ones."""
    values: dict[str, str] = {}
    for atom in observed:
        if atom in seen:
            values[atom.fluent] = atom.value
        else:
            values.setdefault(atom.fluent, "false" if atom.value == "true" else "")
    return values
