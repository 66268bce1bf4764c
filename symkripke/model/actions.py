"""Action models: actions that agents observe completely, in part or not at all.

An *action* is a set of possible events. Each event has a precondition (where it can happen) and
postconditions (what it changes). The action states how each agent observes it: the agent sees
*which* event happens, sees *that* one of some events happens, or notices *nothing*. The way of
observing may depend on a condition ("whoever is in the room").

The semantics is the product update (A. Baltag, L. Moss, S. Solecki: The logic of public
announcements, common knowledge, and private suspicions, 1998), by signals. The worlds after the
action are the pairs (w, e) of a world w and an event e whose precondition is true at w. At (w, e)
agent i gets a *signal*: e itself, the class of e, or *nothing*, by how it observes at w. Then

    (w, e) ~i (w', e')   iff   w ~i w', i gets the same signal at both, and, if i notices the
                               action, the atoms that i then observes are equally true at both.

Those atoms are the new versions of what i watches, and what the action lets i observe.

If an agent may notice nothing, the action has one more event, `skip`. It is always possible,
changes nothing, and its signal is *nothing* for everybody. So an agent that notices nothing does
not know whether anything happened, and knowledge stays S5. The agent believes that nothing
happened: for it, `skip` is a soft constraint, with the rank that the action states (the default is
`ABOVE_ALL`). Within a rank the newest action counts first. So belief is KD45: it can be revised,
and is never empty. Where no rank is
lower than an earlier one, this is the action-priority update (A. Baltag, S. Smets: A qualitative
theory of dynamic interactive belief revision, 2008).

An agent that observes an atom watches it: it observes the new version, too, where it notices the
action that changes it. Where it does not, it goes by what it saw last. What an action lets an agent
observe, and the beliefs that it gives, count for the agent where it notices the action.

Preconditions, postconditions and conditions of observing may be about knowledge and belief. They
speak of the world before the action, and of the action's own new fluents, which nobody has observed
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
from symkripke.limits import repeated
from symkripke.model.beliefs import Soft
from symkripke.model.events import Observable, new_values
from symkripke.model.origin import Origin
from symkripke.model.vocabulary import BOOLEAN, Fluent
from symkripke.records import dataclass

SKIP: Final = "skip"
"""The name of the event in which nothing happens."""

ABOVE_ALL: Final = 10**18
"""The rank of what is trusted more than anything that has a rank of its own."""


@dataclass(frozen=True, slots=True, init=False)
class Postcondition:
    """The new value of one fluent after an event.

    Attributes:
        fluent: the name of the fluent.
        cases: new values, each with a condition on the world before. The first whose condition is
            true is the new value; where none is, the fluent keeps its value.
    """

    fluent: str
    cases: tuple[tuple[str, Formula], ...]

    def __init__(self, fluent: str, to: str | Formula | Iterable[tuple[str, Formula]]) -> None:
        """A postcondition.

        Args:
            fluent: the name of the fluent that changes.
            to: its new value; or, for a Boolean fluent, the formula whose truth value it gets; or
                new values with their conditions.
        """
        object.__setattr__(self, "fluent", checked(fluent, str, "the name of a fluent"))
        if isinstance(to, str):
            cases: tuple[tuple[str, Formula], ...] = ((to, TRUE),)
        elif isinstance(to, Formula):
            cases = (("true", to), ("false", negation(to)))
        else:
            cases = new_values(to, "a value and its condition", f"postcondition of {fluent}")
        object.__setattr__(self, "cases", cases)


_EVENT = re.compile(r"\w+(\((\w+)(, \w+)*\))?")
_TAKEN: Final = (SKIP, "nothing", *BOOLEAN)


@dataclass(frozen=True, slots=True, init=False)
class PossibleEvent:
    """One of the events of an action.

    Attributes:
        name: a word, such as `heads`, or a term, such as `call(ann, bob)`; not `skip`.
        precondition: where it can happen: about the world before, and the action's own fluents.
        postconditions: what it changes, all at once; each fluent at most once.
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
        """An event; raises `InputError` for no such name, or for a fluent that changes twice."""
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
        """The name as one word, for the fluent that says which event happened."""
        return "_".join(re.findall(r"\w+", self.name))


@dataclass(frozen=True)
class Sees:
    """How an agent observes an action: `WHICH`, `NOTHING`, or as `that` says.

    Attributes:
        kind: "which" event happens; "that" one of a class happens; "nothing".
        classes: for "that", the classes of events that look alike. An event that is in none of them
            is a class of its own; if there are none at all, all events are one class.
    """

    kind: Literal["which", "that", "nothing"]
    classes: tuple[frozenset[str], ...] = ()

    def of(self, events: Iterable[str]) -> Sees:
        """The same with its classes written out, for an action with these events."""
        if self.kind != "that" or self.classes:
            return self
        return Sees("that", (frozenset(events),))

    def signal(self, event: str) -> Signal:
        """What the agent gets when that event happens: see `Signal`."""
        if event == SKIP or self.kind == "nothing":
            return None
        if self.kind == "which":
            return event
        return self._class_of.get(event) or frozenset((event,))

    @cached_property
    def _class_of(self) -> Mapping[str, frozenset[str]]:
        """The class of each event that is in one."""
        return {event: alike for alike in self.classes for event in alike}


Signal: TypeAlias = str | frozenset[str] | None
"""What reaches an agent: an event; a class of events; or nothing."""

WHICH: Final = Sees("which")
"""The agent sees which event happens."""

NOTHING: Final = Sees("nothing")
"""The agent notices nothing."""


def that(*classes: Iterable[str]) -> Sees:
    """The agent sees that one of these events happens: of each class it does not see which.

    Without classes: it sees that the action happens, and nothing more. Raises `InputError` if an
    event is in two classes.
    """
    alike = tuple(frozenset(checked_all(each, str, "a class of events")) for each in classes)
    if not all(alike):
        raise InputError("expected one or more events in a class, got none")
    if twice := repeated(chain.from_iterable(map(sorted, alike))):
        raise InputError(f"the event {twice} is in two classes")
    return Sees("that", alike)


Cases: TypeAlias = tuple[tuple[Formula, Sees], ...]
"""Conditions with how the agent observes there. The first that is true counts; if none: nothing."""


@dataclass(frozen=True, init=False)
class ActionModel:
    """An action: its possible events, and how each agent observes it. See the module.

    Attributes:
        source: what happens, in words: "Anne moves the marble".
        name: how formulas name it, as in `[peek(ann)] f`; its source, if nothing is said.
        events: what may happen, each named once. `skip` is not among them.
        sees: for each agent how it observes, by conditions on the world before. Agents that are not
            named observe as `otherwise` says.
        otherwise: how all others observe; by default they notice nothing.
        actual: the names of the events that may be the actual one; all by default.
        fluents: new fluents. They may have any value, as far as preconditions allow, and nobody has
            observed them before.
        observes: what agents observe from now on, where they notice the action (names mean the
            world after).
        soft: what agents believe because of it, where they notice it: about the world before and
            the new fluents.
        rank: how far those who notice nothing trust that nothing happened: see `Soft`.
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
        """An action; raises `InputError` for events that it does not have, or names twice."""

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
            for name in (event for alike in how.classes for event in sorted(alike)):
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
        """All the ways in which agents may observe it."""
        stated = [how for cases in self.sees.values() for _, how in cases]
        return (*stated, self.otherwise)

    def cases(self, agent: str) -> Cases:
        """How that agent observes: disjoint by order, and the last one always applies."""
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
        """Whether that agent may notice nothing, by its stated ways of observing."""
        return any(_misses(how) for _, how in self.cases(agent))

    def event(self, name: str) -> PossibleEvent:
        """The event of that name, also `skip`; raises `UnknownName`."""
        found = self._by_name.get(name)
        if found is None:
            raise UnknownName("event", name, [event.name for event in self.events])
        return found

    @cached_property
    def _by_name(self) -> Mapping[str, PossibleEvent]:
        """The events, also `skip`, by name."""
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
