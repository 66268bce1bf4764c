"""The additions of an event to a knowledge structure: names, law, observations and beliefs.

`added_by` computes the `Additions` of an event, with all names resolved, from the `Prior`, which
represents the structure before the event.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import NamedTuple

from symkripke.errors import InputError
from symkripke.language import FALSE, TRUE, Atom, Formula, Name, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.linear import Sum, constant, read_number
from symkripke.language.walk import is_propositional
from symkripke.limits import repeated
from symkripke.model.beliefs import Soft
from symkripke.model.events import Change, Constraint, Event, Likelihood, Observable
from symkripke.model.occurrence import Occurrence
from symkripke.model.origin import NOWHERE, Origin
from symkripke.model.resolution_cache import Fixed
from symkripke.model.resolver import Resolver
from symkripke.model.vocabulary import (
    BOOLEAN,
    VALUE,
    Fluent,
    Number,
    Vocabulary,
    check_plain,
)
from symkripke.records import dataclass


@dataclass(frozen=True)
class Sight:
    """The meaning of a conditional sight: the agent sees that the atom is true.

    Attributes:
        agent: the agent.
        atom: the atom, by its version.
        where: the condition under which the agent watches the atom if it notices the event: a
            formula about earlier signals.
    """

    agent: str
    atom: Atom
    where: Formula


@dataclass(frozen=True)
class Traces:
    """The records that action models leave in a structure, besides the law.

    Attributes:
        auxiliary: the fluents that actions added for their own use: which event happened, signals,
            conditional sights and prior truths.
        conditional_sights: the meaning of each conditional sight.
        watched: for agents and atoms, by plain names, the condition under which the agent observes
            the atom and its later versions, if it notices the changes. Without an entry, an agent
            watches the atoms that it observes of the last version.
        can_be_missed: whether some action can go unnoticed.
    """

    auxiliary: frozenset[str] = frozenset()
    conditional_sights: Mapping[str, Sight] = field(default_factory=dict)
    watched: Mapping[tuple[str, Atom], Formula] = field(default_factory=dict)
    can_be_missed: bool = False


class Watching:
    """The observations of agents after an event.

    Attributes:
        made: the conditional sights, as fluents.
        ties: the law of the conditional sights.
        conditional_sights: the meaning of each conditional sight.
        watched: as in `Traces`.
    """

    def __init__(self, before: Prior, source: Origin, vocabulary: Vocabulary) -> None:
        """Begin with the observations before the event.

        Args:
            before: the structure before the event.
            source: the origin of the event.
            vocabulary: all names in use after the event.
        """
        self.made: list[Fluent] = []
        self.ties: list[Constraint] = []
        self.conditional_sights: dict[str, Sight] = {}
        self.watched = dict(before.traces.watched)
        self._before = before
        self._source = source
        self._vocabulary = vocabulary
        self._new: dict[str, dict[Atom, Observable]] = {}
        self._known: dict[str, set[Atom]] = {}
        self._where: dict[tuple[str, Atom], Formula] = {}

    @property
    def observables(self) -> Mapping[str, tuple[Observable, ...]]:
        """The observables of each agent."""
        before = self._before.observables
        if not self._new:
            return before
        new = {agent: (*before[agent], *seen.values()) for agent, seen in self._new.items()}
        return MappingProxyType({**before, **new})

    def see(
        self, agent: str, atom: Atom, source: Origin, noticed: Formula = TRUE, where: Formula = TRUE
    ) -> bool:
        """Let the agent observe an atom, by its version, at worlds where both formulas are true.

        Args:
            agent: the agent.
            atom: the atom.
            source: the origin of the observation.
            noticed: the formula stating that the agent notices the event.
            where: the formula stating that the agent watches the atom.

        Returns:
            whether the agent observes the atom at all worlds.
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
        """Let the agent observe an atom from now on, at worlds where it notices the event.

        `named` is the atom as named in the event, and `names` resolves names after the event. The
        agent watches the atom; if the fluent is a past version, the agent sees only this version.
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
        """Record where the agent watches an atom, by its plain name, from now on.

        `directly` states whether the agent observes the last version at all worlds.
        """
        self._where[agent, atom] = where
        if directly and where is TRUE:
            self.watched.pop((agent, atom), None)
        else:
            self.watched[agent, atom] = where

    def traces(self, auxiliary: Iterable[str] = (), *, missed: bool = False) -> Traces:
        """Return the traces after an event that adds these fluents, and that may be `missed`."""
        before = self._before.traces
        made = before.auxiliary.union(auxiliary, self.conditional_sights)
        missed = before.can_be_missed or missed
        if (made, self.watched, missed) == (before.auxiliary, before.watched, before.can_be_missed):
            return before
        conditional_sights = {**before.conditional_sights, **self.conditional_sights}
        return Traces(made, conditional_sights, self.watched, missed)

    def _sight(self, agent: str, atom: Atom, noticed: Formula, where: Formula) -> Atom:
        """Create the fluent that is true where the agent sees that the atom is true."""
        named = [] if atom.value in ("true", VALUE) else [atom.value]
        words = [atom.fluent.plain, *named]
        plain = "_".join(re.findall(r"\w+", " ".join(words)))
        event = str(self._before.number)
        name, known = "sight", self._vocabulary
        while (written := Name(name, (agent, event, plain))) in self.conditional_sights or (
            written in known.fluents or written in known.derived
        ):
            name += "_"
        source = replace(self._source, text=f"{self._source}: what {agent} sees of it")
        self.conditional_sights[written] = Sight(agent, atom, where)
        number = known.fluents[atom.fluent.plain]
        if isinstance(number, Number):
            # The agent's signals tell it whether the number is the value or 0.
            seen = Number(written, is_real=number.is_real, source=source)
            here = conjunction((noticed, where))
            value = Sum.of(atom.fluent, is_real=number.is_real)
            cases = ((value, here), (constant(0), negation(here)))
            self.made.append(seen)
            self.ties.append(Constraint(tied(seen, cases), source))
            return seen.atoms[0]
        self.made.append(Fluent(written, BOOLEAN, source))
        self.ties.append(
            Constraint(f.Iff(Atom(written), conjunction((noticed, where, atom))), source)
        )
        return Atom(written)


UNTOUCHED = Traces()
"""The traces of a history in which every agent notices every action completely."""


class Prior(NamedTuple):
    """The parts of the structure before an event on which the additions depend.

    Attributes:
        resolver: the resolver of its names.
        observables: the observables of each agent.
        traces: the traces of earlier events.
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
        """Return each agent's watched atoms of these fluents, with their conditions and sources.

        An agent that watches an atom observes it now, and also its later versions if it notices
        the changes. An agent that observes the last version that is a variable watches it at all
        worlds, unless `traces` states otherwise. The atoms have plain names.
        """
        names = dict.fromkeys(names)
        if not names:
            return {}
        last = {self.resolver.last_variable(name): name for name in names}
        watched: dict[str, dict[Atom, tuple[Formula, Origin]]] = {}
        for agent, seen in self.observables.items():
            for observable in [o for o in seen if o.atom.fluent in last]:
                plain = last[observable.atom.fluent]
                atoms = watched.setdefault(agent, {})
                atoms[Atom(plain, observable.atom.value)] = TRUE, observable.source
        for (agent, atom), where in self.traces.watched.items():
            if atom.fluent in names:
                watched.setdefault(agent, {})[atom] = where, NOWHERE
        return watched


@dataclass(frozen=True, eq=False)
class Additions:
    """The additions of an event to a structure; all names are resolved.

    Attributes:
        event: the event.
        resolver: the resolver of names after it.
        stated: its constraints.
        ties: the constraints that define new versions and auxiliary fluents.
        observables: the observables of each agent after it.
        traces: the traces of this and earlier events.
        likelihoods: its likelihoods.
        soft: its soft constraints.
        occurrence: the action that happened, if it is an action model that some agent may have
            missed completely or in part.
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
    """Return the additions of an event.

    Raises:
        UnknownName: the event names an unknown fluent, value or agent.
        InputError: a new fluent has the name of another fluent.
    """
    check_plain(event.fluents)
    if twice := repeated(change.fluent for change in event.changes):
        raise InputError(f"{event.source}: {twice} changes twice in one event")
    wide = before.resolver.extended(event.fluents)
    # Constraints and likelihoods can name new versions whose values are unknown.
    named = wide.extended(
        wide.next_version(change.fluent) for change in event.changes if change.to is None
    )
    stated = tuple(
        (before.resolver if constraint.is_modal else named).constraint(constraint)
        for constraint in event.constraints
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
        named.likelihoods(event.likelihoods) if event.likelihoods else (),
        wide.soft(event.soft) if event.soft else (),
    )


def _ties(change: Change, version: Fluent, wide: Resolver, source: Origin) -> list[Constraint]:
    """Return the constraints that define the new version of a fluent, from the world before."""
    if change.to is None:
        return []
    assert not isinstance(change.to, str)
    fluent = wide.vocabulary.fluents[change.fluent]
    if isinstance(version, Number):
        sums = number_cases(change.to, wide)
        if not all(is_propositional(formula) for _, formula in sums):
            raise InputError(f"{source}: the new value of {change.fluent} depends on knowledge")
        return [Constraint(tied(version, sums), source)]
    cases = {str(value): wide.resolve(formula) for value, formula in change.to}
    for value, formula in cases.items():
        fluent.equals(value)
        if not is_propositional(formula):
            raise InputError(
                f"{source}: the new value of {change.fluent} cannot depend on knowledge ({formula})"
            )
    stated = version.values
    if version.is_boolean:  # one case determines the other
        stated = ("true",) if "true" in cases else tuple(cases)[:1]
    return [
        Constraint(f.Iff(version.equals(value), cases.get(value, FALSE)), source)
        for value in stated
    ]


def number_cases(
    cases: Iterable[tuple[str | Sum, Formula]], names: Resolver
) -> list[tuple[Sum, Formula]]:
    """Return the new values of a number as sums, with their conditions; all names are resolved."""
    resolved = []
    for value, formula in cases:
        total = value if isinstance(value, Sum) else constant(read_number(value) or 0)
        resolved.append((names.resolved_sum(total), names.resolve(formula)))
    return resolved


def tied(number: Number, cases: Iterable[tuple[Sum, Formula]]) -> Formula:
    """Return the formula "the number has the value of the case that is true"."""
    return disjunction(
        conjunction((f.linear(number.sum.plus(total, -1), "="), condition))
        for total, condition in cases
    )


def _watching(event: Event, before: Prior, made: Mapping[str, Fluent], names: Resolver) -> Watching:
    """Return the observations of agents after an event that creates these versions of fluents."""
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
