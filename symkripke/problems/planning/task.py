"""Planning tasks: a listed model, actions with events, and a goal.

The semantics is that of EPDDL. An action is applicable if at each designated world some designated
event is possible. Each agent's way of observing is decided once, by conditions that must hold at
all designated worlds; the last one that holds counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import TypeAlias

from symkripke.engines.explicit.frames import Truth
from symkripke.language import TRUE, Atom, Formula
from symkripke.language.formulas import Modal
from symkripke.language.walk import modal_subformulas
from symkripke.model.listed import EVERYWHERE, ListedEvent, ListedModel, Pairs, product
from symkripke.records import dataclass

Effects: TypeAlias = Mapping[Atom, Formula]
"""For each atom that an event changes, the condition under which it becomes true."""

Rows: TypeAlias = tuple[frozenset[int], ...]
"""A relation over events: for each event, the numbers of the events that the agent considers."""


@dataclass(frozen=True)
class ActionEvent:
    """A possible event of an action.

    Attributes:
        name: its name.
        precondition: the condition under which it can happen.
        effects: its simultaneous effects, about the world before.
    """

    name: str
    precondition: Formula
    effects: Effects


@dataclass(frozen=True, eq=False)
class Action:
    """A ground action.

    Attributes:
        name: its name, as in plans: `tell_ann_bob`.
        kind: the name of its action type.
        events: its events.
        designated: the numbers of the events that may really happen.
        relations: for each observability type, the relation over events.
        observability: for each agent, observability types with their conditions, in order.
    """

    name: str
    kind: str
    events: tuple[ActionEvent, ...]
    designated: tuple[int, ...]
    relations: Mapping[str, Rows]
    observability: Mapping[str, tuple[tuple[str, Formula], ...]]
    _updates: dict[tuple[tuple[int, ...], tuple[str, ...]], Update] = field(
        default_factory=dict, repr=False
    )

    @cached_property
    def is_s5(self) -> bool:
        """True if all relations over events are equivalences."""
        return all(
            place in row and all(rows[other] == row for other in row)
            for rows in self.relations.values()
            for place, row in enumerate(rows)
        )

    def possible(self, truth: Truth) -> list[int]:
        """Return the designated events that can happen; empty if the action is not applicable."""
        left = truth.model.designated
        possible = []
        for number in self.designated:
            here = truth(self.events[number].precondition) & truth.model.designated
            if here:
                possible.append(number)
                left &= ~here
        return [] if left else possible

    def observation(self, truth: Truth) -> tuple[str, ...]:
        """Return the observability type of each agent."""
        if self._fixed is not None:
            return self._fixed
        first = next(iter(self.relations))
        kinds = []
        for cases in self.observability.values():
            kind = first
            for name, condition in cases:
                if condition is TRUE or truth.holds(condition):
                    kind = name
            kinds.append(kind)
        return tuple(kinds)

    @cached_property
    def _fixed(self) -> tuple[str, ...] | None:
        """The observability type of each agent; None if some type depends on the state."""
        cases = self.observability.values()
        if all(condition is TRUE for each in cases for _, condition in each):
            return tuple(each[-1][0] for each in cases)
        return None

    def update(self, truth: Truth, possible: Sequence[int]) -> Update:
        """Return the events that matter, and each agent's view of them.

        Args:
            truth: the truth of formulas before the action.
            possible: the designated events that may happen.
        """
        kinds = self.observation(truth)
        key = tuple(possible), kinds
        update = self._updates.get(key)
        if update is None:
            by_agent = dict(zip(self.observability, kinds, strict=True))
            update = self._updates[key] = self._update(tuple(possible), by_agent)
        return update

    def after(self, truth: Truth, possible: Sequence[int]) -> ListedModel:
        """Return the model after the action. The arguments are those of `update`."""
        update = self.update(truth, possible)
        events = [
            ListedEvent(
                truth(event.precondition),
                {atom: truth(condition) for atom, condition in event.effects.items()},
            )
            for event in update.events
        ]
        return product(truth.model, events, update.sees, update.designated)

    def _update(self, possible: tuple[int, ...], kinds: Mapping[str, str]) -> Update:
        kept = list(possible)
        for number in kept:
            for kind in kinds.values():
                kept += sorted(self.relations[kind][number].difference(kept))
        sees = {}
        for agent, kind in kinds.items():
            classes: dict[frozenset[int], list[int]] = {}
            for number in kept:
                classes.setdefault(self.relations[kind][number], []).append(number)
            sees[agent] = tuple(
                (_pairs(kept, sources), _pairs(kept, targets))
                for targets, sources in classes.items()
                if targets
            )
        events = tuple(self.events[number] for number in kept)
        return Update(events, sees, range(len(possible)))


@dataclass(frozen=True, eq=False)
class Update:
    """The events of an action that matter at some models, and each agent's view of them.

    Attributes:
        events: the events that some agent considers after a designated event, those first.
        sees: each agent's relation over the events, as for `product`.
        designated: the numbers of the designated events.
    """

    events: tuple[ActionEvent, ...]
    sees: Mapping[str, tuple[tuple[Pairs, Pairs], ...]]
    designated: range


def _pairs(kept: Sequence[int], events: Iterable[int]) -> Pairs:
    members = frozenset(events)
    return tuple(EVERYWHERE if number in members else 0 for number in kept)


@dataclass(frozen=True, eq=False)
class Task:
    """A planning task.

    Attributes:
        name: the name of the problem.
        domain: the name of the domain.
        libraries: the names of the libraries of action types.
        requirements: the declared requirements, with those that they entail.
        agents: the agents.
        facts: all atoms that never change, each with its truth value.
        start: the first model.
        names: the names of the worlds of the first model.
        actions: the ground actions, by name.
        goal: the goal.
    """

    name: str
    domain: str
    libraries: tuple[str, ...]
    requirements: tuple[str, ...]
    agents: tuple[str, ...]
    facts: Mapping[Atom, bool]
    start: ListedModel
    names: tuple[str, ...]
    actions: Mapping[str, Action]
    goal: Formula

    @cached_property
    def is_s5(self) -> bool:
        """True if all relations of the first model and of the actions are equivalences."""
        start = self.start
        for arrows in start.arrows.values():
            covered = 0
            for sources, targets in arrows:
                if (sources ^ targets) & start.worlds:
                    return False
                covered |= sources
            if start.worlds & ~covered:
                return False
        return all(action.is_s5 for action in self.actions.values())

    def relevant(self) -> Task:
        """Return the task without the agents that no formula mentions.

        Their relations have no effect on plans. In a task without formulas about knowledge, a state
        is then no more than the labels of the designated worlds.
        """
        formulas = [self.goal]
        for action in self.actions.values():
            for event in action.events:
                formulas += [event.precondition, *event.effects.values()]
            for cases in action.observability.values():
                formulas += [condition for _, condition in cases]
        mentioned = {
            agent
            for formula in set(formulas)
            for part in modal_subformulas(formula)
            if isinstance(part, Modal)
            for agent in part.agents
        }
        agents = tuple(agent for agent in self.agents if agent in mentioned)
        arrows = {agent: self.start.arrows[agent] for agent in agents}
        actions = {
            name: replace(
                action,
                observability={agent: action.observability[agent] for agent in agents},
                _updates={},
            )
            for name, action in self.actions.items()
        }
        return replace(
            self, agents=agents, start=replace(self.start, arrows=arrows), actions=actions
        )

    def applicable(self, truth: Truth) -> Iterator[tuple[Action, list[int]]]:
        """Yield the applicable actions, each with the designated events that may happen."""
        for action in self.actions.values():
            possible = action.possible(truth)
            if possible:
                yield action, possible
