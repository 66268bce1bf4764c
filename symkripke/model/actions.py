"""Action models: actions that agents observe completely, in part or not at all.

An *action* is a set of possible events. Each event has a precondition (where it can happen) and
postconditions (what it changes). The action states how each agent observes it: the agent sees
*which* event happens, sees *that* one of some events happens, or notices *nothing*. The way of
observing may depend on a condition ("everyone who is in the room").

The semantics is the product update (A. Baltag, L. Moss, S. Solecki: The logic of public
announcements, common knowledge, and private suspicions, 1998), with signals. The worlds after the
action are the pairs (w, e) of a world w and an event e whose precondition is true at w. At (w, e)
agent i gets a *signal*: e itself, the class of e, or *nothing*, by how it observes at w. Then

    (w, e) ~i (w', e')   iff   w ~i w', i gets the same signal at both, and, if i notices the
                               action, the atoms that i then observes are equally true at both.

Those atoms are the new versions of what i watches, and what the action lets i observe.

If an agent may notice nothing, the action has one more event, `skip`. It is always possible,
changes nothing, and its signal is *nothing* for everybody. So an agent that notices nothing does
not know whether anything happened, and knowledge stays S5. The agent believes that nothing
happened: for it, `skip` is a soft constraint, with the rank that the action states (by default
`ABOVE_ALL`). Within a rank the newest action comes first. So belief is KD45: it can be revised, and
is always consistent. If no rank is lower than an earlier one, this is the action-priority update
(A. Baltag, S. Smets: A qualitative theory of dynamic interactive belief revision, 2008).

An agent that observes an atom watches it: at worlds where the agent notices the action that changes
the atom, it observes the new version, too; elsewhere it keeps its last observation. The
observations and beliefs that an action gives to an agent hold where the agent notices the action.

Preconditions, postconditions and observation conditions may be about knowledge and belief. They
refer to the world before the action, and to the action's own new fluents, which nobody has observed
yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property
from itertools import chain, groupby
from operator import itemgetter
from typing import Final, Literal, TypeAlias

from symkripke.argument_types import checked, checked_all, unexpected
from symkripke.errors import InputError, UnknownName
from symkripke.language import FALSE, TRUE, Formula, disjunction, negation
from symkripke.language.linear import Sum
from symkripke.limits import repeated
from symkripke.model.beliefs import Soft
from symkripke.model.events import Observable, new_values
from symkripke.model.origin import Origin
from symkripke.model.vocabulary import BOOLEAN, Fluent
from symkripke.records import dataclass

SKIP: Final = "skip"
"""The name of the event in which nothing happens."""

ABOVE_ALL: Final = 10**18
"""A rank above all others in practice, for the most trusted constraints."""


@dataclass(frozen=True, slots=True, init=False)
class Postcondition:
    """The new value of one fluent after an event.

    Attributes:
        fluent: the name of the fluent.
        cases: new values, each with a condition on the world before. The first true condition
            determines the new value; if none is true, the fluent keeps its value.
    """

    fluent: str
    cases: tuple[tuple[str | Sum, Formula], ...]

    def __init__(
        self, fluent: str, to: str | Formula | Iterable[tuple[str | Sum, Formula]]
    ) -> None:
        """Create a postcondition.

        Args:
            fluent: the name of the fluent that changes.
            to: its new value; or, for a Boolean fluent, the formula whose truth value it takes; or
                new values with their conditions. A new value of a number may be a sum.
        """
        object.__setattr__(self, "fluent", checked(fluent, str, "the name of a fluent"))
        if isinstance(to, str):
            cases: tuple[tuple[str | Sum, Formula], ...] = ((to, TRUE),)
        elif isinstance(to, Formula):
            cases = (("true", to), ("false", negation(to)))
        else:
            cases = new_values(to, "a value and its condition", f"postcondition of {fluent}")
        object.__setattr__(self, "cases", cases)


_EVENT = re.compile(r"\w+(\((\w+)(, \w+)*\))?")
_TAKEN: Final = (SKIP, "nothing", *BOOLEAN)


@dataclass(frozen=True, slots=True, init=False)
class PossibleEvent:
    """A possible event of an action.

    Attributes:
        name: a word, such as `heads`, or a term, such as `call(ann, bob)`; not `skip`.
        precondition: the condition under which it can happen, about the world before and the
            action's own fluents.
        postconditions: the simultaneous changes; each fluent at most once.
    """

    name: str
    precondition: Formula
    postconditions: tuple[Postcondition, ...]

    def __init__(
        self,
        name: str,
        precondition: Formula = TRUE,
        postconditions: Iterable[Postcondition] = (),
    ) -> None:
        """Create an event; raise `InputError` for an invalid name or a repeated change."""
        checked(name, str, "the name of an event")
        if not _EVENT.fullmatch(name) or name in _TAKEN:
            raise InputError(
                f"expected a word or a term as the name of an event, other than "
                f"{', '.join(_TAKEN)}, got {name!r}"
            )
        object.__setattr__(self, "name", name)
        object.__setattr__(
            self, "precondition", checked(precondition, Formula, where=f"event {name}")
        )
        changes = checked_all(postconditions, Postcondition, f"event {name}")
        if twice := repeated(change.fluent for change in changes):
            raise InputError(f"event {name}: {twice} changes twice")
        object.__setattr__(self, "postconditions", changes)

    @property
    def value(self) -> str:
        """The name as one word, for the fluent that states which event happened."""
        return "_".join(re.findall(r"\w+", self.name))


@dataclass(frozen=True)
class Sees:
    """An agent's way of observing an action: `WHICH`, `NOTHING`, or a result of `that`.

    Attributes:
        kind: "which" event happens; "that" one of a class happens; "nothing".
        classes: for "that", the classes of events that the agent cannot tell apart. An event in no
            class is a separate class; without classes, all events are one class.
    """

    kind: Literal["which", "that", "nothing"]
    classes: tuple[frozenset[str], ...] = ()

    def of(self, events: Iterable[str]) -> Sees:
        """Return the way of observing with explicit classes, for an action with these events."""
        if self.kind != "that" or self.classes:
            return self
        return Sees("that", (frozenset(events),))

    def signal(self, event: str) -> Signal:
        """Return the signal of the agent when the event happens."""
        if event == SKIP or self.kind == "nothing":
            return None
        if self.kind == "which":
            return event
        return self._class_of.get(event) or frozenset((event,))

    @cached_property
    def _class_of(self) -> Mapping[str, frozenset[str]]:
        """The class of each event that belongs to a class."""
        return {event: events for events in self.classes for event in events}


Signal: TypeAlias = str | frozenset[str] | None
"""The signal that an agent receives: an event, a class of events, or nothing (None)."""

WHICH: Final = Sees("which")
"""The agent sees which event happens."""

NOTHING: Final = Sees("nothing")
"""The agent notices nothing."""


def that(*classes: Iterable[str]) -> Sees:
    """Return the way of observing by which the agent sees the class of the event, not the event.

    Without classes, the agent sees that the action happens, and nothing more. Raise `InputError` if
    an event is in two classes.
    """
    partition = tuple(frozenset(checked_all(each, str, "a class of events")) for each in classes)
    if not all(partition):
        raise InputError("expected one or more events in a class, got none")
    if twice := repeated(chain.from_iterable(map(sorted, partition))):
        raise InputError(f"the event {twice} is in two classes")
    return Sees("that", partition)


Cases: TypeAlias = tuple[tuple[Formula, Sees], ...]
"""Conditions, each with a way of observing. The first true condition applies, or NOTHING."""


@dataclass(frozen=True, init=False)
class ActionModel:
    """An action: its possible events, and each agent's way of observing it. See the module.

    Attributes:
        source: the action in words: "Anne moves the marble".
        name: its name in formulas, as in `[peek(ann)] f`; by default its source.
        events: the possible events, each named once, without `skip`.
        sees: for each agent its ways of observing, by conditions on the world before. The default
            for other agents is `otherwise`.
        otherwise: the way of observing of all other agents; by default NOTHING.
        actual: the names of the events that may be the actual one; by default all.
        fluents: new fluents. They may have any value that the preconditions allow, and nobody has
            observed them before.
        observes: the atoms that agents observe from now on, where they notice the action (names
            refer to the world after).
        soft: the beliefs of agents where they notice the action, about the world before and the
            new fluents.
        rank: the rank of the belief that nothing happened, for agents that notice nothing: see
            `Soft`.
    """

    source: Origin
    name: str
    events: tuple[PossibleEvent, ...]
    sees: Mapping[str, Cases] = field(hash=False)
    otherwise: Sees
    actual: tuple[str, ...]
    fluents: tuple[Fluent, ...]
    observes: Mapping[str, tuple[Observable, ...]] = field(hash=False)
    soft: tuple[Soft, ...]
    rank: int

    def __init__(
        self,
        source: Origin | str,
        events: Iterable[PossibleEvent],
        sees: Mapping[str, Sees | Iterable[tuple[Formula, Sees]]] | None = None,
        otherwise: Sees = NOTHING,
        *,
        actual: Iterable[str] | None = None,
        fluents: Iterable[Fluent] = (),
        observes: Mapping[str, Iterable[Observable]] | None = None,
        soft: Iterable[Soft] = (),
        rank: int = ABOVE_ALL,
        name: str = "",
    ) -> None:
        """Create an action; raise `InputError` for events that are unknown or named twice."""

        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        put("source", Origin.of(source))
        put("name", checked(name, str, where="name") or str(self.source))
        put("events", checked_all(events, PossibleEvent, "events"))
        names = tuple(event.name for event in self.events)
        if not names:
            raise InputError(f"{self.source}: an action needs at least one event")
        if twice := repeated(names):
            raise InputError(f"{self.source}: the event {twice} is given twice")
        if twice := repeated(event.value for event in self.events):
            raise InputError(f"{self.source}: two events are called {twice}")
        known = frozenset(names)
        put("sees", {agent: _cases(how, agent, known) for agent, how in (sees or {}).items()})
        checked(otherwise, Sees, "WHICH, NOTHING or that(...)", "otherwise")
        put("otherwise", otherwise.of(known))
        for how in self.ways:
            for name in (event for events in how.classes for event in sorted(events)):
                if name not in known:
                    raise UnknownName("event", name, names)
        put("actual", names if actual is None else checked_all(actual, str, "actual"))
        for name in self.actual:
            if name not in known and not (name == SKIP and any(map(_misses, self.ways))):
                raise UnknownName("event", name, names)
        put("fluents", checked_all(fluents, Fluent, "fluents"))
        put(
            "observes",
            {
                agent: checked_all(seen, Observable, f"observes of {agent}")
                for agent, seen in (observes or {}).items()
            },
        )
        put("soft", checked_all(soft, Soft, "soft"))
        if not isinstance(rank, int) or isinstance(rank, bool):
            raise unexpected("a whole number as a rank", rank)
        put("rank", rank)

    @property
    def ways(self) -> tuple[Sees, ...]:
        """All ways of observing the action."""
        stated = [how for cases in self.sees.values() for _, how in cases]
        return (*stated, self.otherwise)

    def cases(self, agent: str) -> Cases:
        """Return the agent's ways of observing; the last condition is true."""
        found = self.sees.get(agent)
        if found is None:
            return ((TRUE, self.otherwise),)
        kept: list[tuple[Formula, Sees]] = []
        for how, alike in groupby(found, key=itemgetter(1)):
            condition = disjunction(condition for condition, _ in alike)
            if condition is FALSE:
                continue
            kept.append((condition, how))
            if condition is TRUE:
                return tuple(kept)
        return (*kept, (TRUE, NOTHING))

    def can_be_missed_by(self, agent: str) -> bool:
        """Return whether the agent may notice nothing."""
        return any(_misses(how) for _, how in self.cases(agent))

    def event(self, name: str) -> PossibleEvent:
        """Return the event of this name, or `skip`; raise `UnknownName` if there is none."""
        found = self._by_name.get(name)
        if found is None:
            raise UnknownName("event", name, [event.name for event in self.events])
        return found

    @cached_property
    def _by_name(self) -> Mapping[str, PossibleEvent]:
        """The events, including `skip`, by name."""
        return {SKIP: _SKIPPED, **{event.name: event for event in self.events}}


def _misses(how: Sees) -> bool:
    return how.kind == "nothing"


def _cases(how: Sees | Iterable[tuple[Formula, Sees]], agent: str, events: Iterable[str]) -> Cases:
    if isinstance(how, Sees):
        return ((TRUE, how.of(events)),)
    cases = checked_all(how, tuple, f"how {agent} observes")
    for case in cases:
        if len(case) != 2:
            raise unexpected("a condition and how the agent observes", case, agent)
        checked(case[0], Formula, where=f"how {agent} observes")
        checked(case[1], Sees, "WHICH, NOTHING or that(...)", f"how {agent} observes")
    return tuple((condition, way.of(events)) for condition, way in cases)


def _skip() -> PossibleEvent:
    event = object.__new__(PossibleEvent)
    for name, value in (("name", SKIP), ("precondition", TRUE), ("postconditions", ())):
        object.__setattr__(event, name, value)
    return event


_SKIPPED: Final = _skip()
