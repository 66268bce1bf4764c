"""What an event adds to a knowledge structure: names, law, observations and beliefs.

`added_by` resolves all that an event says. It knows the structure before the event by its `Prior`,
and structures know how to grow by `Additions`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import NamedTuple

from symkripke.errors import InputError
from symkripke.language import FALSE, TRUE, Atom, Formula, Name, conjunction, disjunction
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional
from symkripke.limits import repeated
from symkripke.model.beliefs import Soft
from symkripke.model.events import Change, Constraint, Event, Likelihood, Observable
from symkripke.model.occurrence import Occurrence
from symkripke.model.origin import NOWHERE, Origin
from symkripke.model.resolution_cache import Fixed
from symkripke.model.resolver import Resolver
from symkripke.model.vocabulary import BOOLEAN, Fluent, Vocabulary, check_plain
from symkripke.records import dataclass


@dataclass(frozen=True)
class Sight:
    """What a sight stands for: an agent sees that an atom is true.

    Attributes:
        agent: the agent.
        atom: the atom, by its version.
        where: where the agent watches the atom, if it notices the event: a formula about what
            agents noticed before.
    """

    agent: str
    atom: Atom
    where: Formula


@dataclass(frozen=True)
class Traces:
    """What the events of a history have left in a structure, besides the law.

    Attributes:
        made_up: the fluents that events added for their own use: which event happened, signals,
            sights and findings.
        sights: what each sight stands for.
        watched: for agents and atoms, by plain names, the formula that says where the agent
            observes the atom and goes on observing it in later versions, as far as it notices
            changes. For all others it is what they observe of the last version.
        can_be_missed: whether some action can go unnoticed.
    """

    made_up: frozenset[str] = frozenset()
    sights: Mapping[str, Sight] = field(default_factory=dict)
    watched: Mapping[tuple[str, Atom], Formula] = field(default_factory=dict)
    can_be_missed: bool = False


class Watching:
    """What agents observe after an event, and go on observing.

    Attributes:
        made: the sights, as fluents.
        ties: the law of the sights.
        sights: what each of them stands for.
        watched: as in `Traces`.
    """

    def __init__(self, before: Prior, source: Origin, vocabulary: Vocabulary) -> None:
        """Begin with what agents observe before the event.

        Args:
            before: the structure before it.
            source: what happens.
            vocabulary: all names that are taken after it.
        """
        self.made: list[Fluent] = []
        self.ties: list[Constraint] = []
        self.sights: dict[str, Sight] = {}
        self.watched = dict(before.traces.watched)
        self._before = before
        self._source = source
        self._vocabulary = vocabulary
        self._new: dict[str, dict[Atom, Observable]] = {}
        self._known: dict[str, set[Atom]] = {}
        self._where: dict[tuple[str, Atom], Formula] = {}

    @property
    def observables(self) -> Mapping[str, tuple[Observable, ...]]:
        """For each agent, what it observes."""
        before = self._before.observables
        if not self._new:
            return before
        new = {agent: (*before[agent], *seen.values()) for agent, seen in self._new.items()}
        return MappingProxyType({**before, **new})

    def see(
        self, agent: str, atom: Atom, source: Origin, noticed: Formula = TRUE, where: Formula = TRUE
    ) -> bool:
        """Let the agent observe an atom, by its version, where it notices the event and watches.

        Returns:
            whether the agent observes it at all worlds.
        """
        if agent not in self._known:
            self._known[agent] = {seen.atom for seen in self._before.observables[agent]}
        new = self._new.setdefault(agent, {})
        if atom in self._known[agent] or atom in new:
            return True
        everywhere = noticed is TRUE and where is TRUE
        if FALSE not in (noticed, where):
            seen = atom if everywhere else self._sight(agent, atom, noticed, where)
            new[seen] = Observable(seen, source)
        return everywhere

    def show(
        self, agent: str, named: Atom, names: Resolver, source: Origin, noticed: Formula = TRUE
    ) -> None:
        """Let the agent observe an atom from now on, where it notices the event.

        `named` is the atom in the event, and `names` are those after it. The agent watches the
        atom; of a past version of a fluent, it sees that version only.
        """
        name, past = named.fluent.plain, names.is_past(named.fluent)
        atom = names.observed(named)
        seen = atom is not None and self.see(agent, atom, source, noticed)
        if atom is None and past:
            return
        is_boolean = self._vocabulary.fluents[name].is_boolean
        plain, where = Atom(name, "true" if is_boolean else named.value), noticed
        if past or noticed is not TRUE:
            before = self._where.get((agent, plain))
            if before is None:
                watched = self._before.watched((name,)).get(agent, {})
                before, _ = watched.get(plain, (FALSE, source))
            where = before if past else disjunction((before, noticed))
        self.watch(agent, plain, where, directly=seen and not past)

    def watch(self, agent: str, atom: Atom, where: Formula, *, directly: bool) -> None:
        """State where the agent watches an atom, by its plain name, from now on.

        `directly` tells whether it observes the last version at all worlds.
        """
        self._where[agent, atom] = where
        if directly and where is TRUE:
            self.watched.pop((agent, atom), None)
        else:
            self.watched[agent, atom] = where

    def traces(self, made_up: Iterable[str] = (), *, missed: bool = False) -> Traces:
        """Return the traces after the event, which made these fluents, and may be missed."""
        before = self._before.traces
        made = before.made_up.union(made_up, self.sights)
        missed = before.can_be_missed or missed
        if (made, self.watched, missed) == (before.made_up, before.watched, before.can_be_missed):
            return before
        return Traces(made, {**before.sights, **self.sights}, self.watched, missed)

    def _sight(self, agent: str, atom: Atom, noticed: Formula, where: Formula) -> Atom:
        """Make the fluent that is true where the agent sees that the atom is true."""
        words = [atom.fluent.plain, *([] if atom.value == "true" else [atom.value])]
        plain = "_".join(re.findall(r"\w+", " ".join(words)))
        number = str(self._before.number)
        name, known = "sight", self._vocabulary
        while (written := Name(name, (agent, number, plain))) in self.sights or (
            written in known.fluents or written in known.derived
        ):
            name += "_"
        said = replace(self._source, text=f"{self._source}: what {agent} sees of it")
        self.made.append(Fluent(written, BOOLEAN, said))
        self.sights[written] = Sight(agent, atom, where)
        self.ties.append(
            Constraint(f.Iff(Atom(written), conjunction((noticed, where, atom))), said)
        )
        return Atom(written)


UNTOUCHED = Traces()
"""The traces of a history without action models of which anybody misses anything."""


class Prior(NamedTuple):
    """The structure before an event, as far as what the event adds depends on it.

    Attributes:
        resolver: its names.
        observables: what each agent observes.
        traces: what earlier events have left.
        number: the number of the event, from 1.
    """

    resolver: Resolver
    observables: Mapping[str, tuple[Observable, ...]]
    traces: Traces
    number: int

    @property
    def agents(self) -> tuple[str, ...]:
        """All agents, in order."""
        return self.resolver.vocabulary.agents

    def watched(self, names: Iterable[str]) -> Mapping[str, Mapping[Atom, tuple[Formula, Origin]]]:
        """Return which atoms of these fluents each agent watches, where, and by which source.

        An agent that watches an atom observes it now, and in later versions as far as it notices
        the changes. Whoever observes the last version that is a variable watches at all worlds,
        unless `traces` says otherwise. The atoms have plain names.
        """
        names = dict.fromkeys(names)
        if not names:
            return {}
        last = {self.resolver.last_variable(name): name for name in names}
        found: dict[str, dict[Atom, tuple[Formula, Origin]]] = {}
        for agent, seen in self.observables.items():
            for observable in seen:
                plain = last.get(observable.atom.fluent)
                if plain is not None:
                    atoms = found.setdefault(agent, {})
                    atoms[Atom(plain, observable.atom.value)] = TRUE, observable.source
        for (agent, atom), where in self.traces.watched.items():
            if atom.fluent in names:
                found.setdefault(agent, {})[atom] = where, NOWHERE
        return found


@dataclass(frozen=True, eq=False)
class Additions:
    """What an event adds to a structure; all names are resolved.

    Attributes:
        event: the event.
        resolver: the names after it.
        stated: its constraints.
        ties: the constraints that say what new versions, and the fluents that the event brings for
            its own use, are.
        observables: what each agent observes after it.
        traces: what it and earlier events have left.
        likelihoods: how probable it was.
        soft: what agents believe because of it.
        occurrence: the action that happened, if it is an action model that somebody may have
            missed, or of which somebody may have missed something.
    """

    event: Event
    resolver: Resolver
    stated: tuple[Constraint, ...]
    ties: tuple[Constraint, ...]
    observables: Mapping[str, tuple[Observable, ...]]
    traces: Traces
    likelihoods: tuple[Likelihood, ...] = ()
    soft: tuple[Soft, ...] = ()
    occurrence: Occurrence | None = None


def added_by(event: Event, before: Prior) -> Additions:
    """Return what an event adds.

    Raises:
        UnknownName: the event speaks of fluents, values or agents that are not here.
        InputError: a new fluent has the name of another.
    """
    check_plain(event.fluents)
    if twice := repeated(change.fluent for change in event.changes):
        raise InputError(f"{event.source}: {twice} changes twice in one event")
    wide = before.resolver.extended(event.fluents)
    stated = tuple(
        (before.resolver if said.is_modal else wide).constraint(said) for said in event.constraints
    )
    made: dict[str, Fluent] = {}
    fixed: dict[str, Fixed] = {}
    ties: list[Constraint] = []
    for change in event.changes:
        if isinstance(change.to, str):
            wide.changing(change.fluent).equals(change.to)
            fixed[change.fluent] = Fixed(change.to, wide.next_number(change.fluent))
            continue
        version = made[change.fluent] = wide.next_version(change.fluent)
        ties.extend(_ties(change, version, wide, change.source or event.source))
    after = wide.with_versions(made, fixed)
    observables, traces = before.observables, before.traces
    if made or event.observes:
        watching = _watching(event, before, made, after)
        after = after.extended(watching.made)
        ties.extend(watching.ties)
        observables, traces = watching.observables, watching.traces()
    return Additions(
        event,
        after,
        stated,
        tuple(ties),
        observables,
        traces,
        wide.likelihoods(event.likelihoods) if event.likelihoods else (),
        wide.soft(event.soft) if event.soft else (),
    )


def _ties(change: Change, version: Fluent, wide: Resolver, source: Origin) -> list[Constraint]:
    """What a new version of a fluent is, by what the change says of the world before."""
    if change.to is None:
        return []
    assert not isinstance(change.to, str)
    fluent = wide.vocabulary.fluents[change.fluent]
    cases = {value: wide.resolve(formula) for value, formula in change.to}
    for value, formula in cases.items():
        fluent.equals(value)
        if not is_propositional(formula):
            raise InputError(
                f"{source}: what {change.fluent} becomes cannot depend on knowledge ({formula})"
            )
    stated: Iterable[str] = version.values
    if version.is_boolean:  # one case says it all
        stated = ("true",) if "true" in cases else tuple(cases)[:1]
    return [
        Constraint(f.Iff(version.equals(value), cases.get(value, FALSE)), source)
        for value in stated
    ]


def _watching(event: Event, before: Prior, made: Mapping[str, Fluent], names: Resolver) -> Watching:
    """What agents observe after an event that makes these versions of fluents."""
    watching = Watching(before, event.source, names.vocabulary)
    for agent, atoms in before.watched(made).items():
        for plain, (where, source) in atoms.items():
            atom = Atom(made[plain.fluent].name, plain.value)
            seen = watching.see(agent, atom, source, where=where)
            watching.watch(agent, plain, where, directly=seen)
    for agent, shown in event.observes.items():
        names.vocabulary.agent(agent)
        for observable in shown:
            watching.show(agent, observable.atom, names, observable.source)
    return watching
