"""The product update: the structure after an action.

A pair (w, e) of a world and an event becomes one world, with values for these new fluents:

* *which event* happened, observed only by agents who see which;
* the new versions of the fluents that change;
* for each agent whose way of observing depends on a condition, its *signal*, which it observes;
* for each atom that an agent observes at some worlds only, because it does not notice the action
  at the others or has nothing to see there: a *sight*, true where the agent observes the atom and
  the atom is true;
* for each modal part of a postcondition or of a condition of observing: a *finding*, its truth
  value before the action.

The law ties all of these to the world before and to the event. So the worlds after are the pairs,
one for one, and nothing is listed. A tie that is about knowledge speaks of a *preparation*: the
structure before with the action's own fluents, which may have any value and which nobody observes.
It is a stage of its own in the history, and no moment: see `KnowledgeStructure.moments`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from symkripke.errors import InputError, UnknownName
from symkripke.language import FALSE, TRUE, Atom, Formula, conjunction, disjunction, negation, term
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional, leaves, names, replace_leaves
from symkripke.limits import look
from symkripke.model.actions import (
    SKIP,
    ActionModel,
    Cases,
    Postcondition,
    Sees,
    Signal,
)
from symkripke.model.beliefs import Soft
from symkripke.model.evaluate import World
from symkripke.model.events import Change, Constraint, Event, Observable
from symkripke.model.origin import Origin
from symkripke.model.resolution_cache import Fixed
from symkripke.model.vocabulary import BOOLEAN, Fluent, Vocabulary
from symkripke.records import dataclass

if TYPE_CHECKING:
    from symkripke.model.structure import KnowledgeStructure

_NOTHING = "nothing"


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

    def __init__(self, before: KnowledgeStructure, source: Origin, vocabulary: Vocabulary) -> None:
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
        self, agent: str, named: Atom, atom: Atom | None, source: Origin, noticed: Formula = TRUE
    ) -> None:
        """Let the agent observe an atom from now on, where it notices the event.

        `named` is the atom in the event. By a plain name, the agent watches it; by the name of a
        version, it sees that version only. `atom` is what it means; None if everybody knows it.
        """
        name, past, _ = named.fluent.partition("#")
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
        words = [atom.fluent.partition("#")[0], *([] if atom.value == "true" else [atom.value])]
        plain = "_".join(re.findall(r"\w+", " ".join(words)))
        number = str(len(self._before.moments))
        name, known = "sight", self._vocabulary
        while (written := term(name, (agent, number, plain))) in self.sights or (
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


@dataclass(frozen=True, eq=False)
class Occurrence:
    """An action that happened: what its fluents stand for. Names mean the world before.

    Attributes:
        action: the action.
        before: the structure before it.
        names: that structure's names, with the action's own fluents.
        events: the names of the events that can have happened: with `skip`, if it can be missed.
        which: the fluent that says which; empty if there is one event only.
        versions: for each fluent that changes the name of its new version.
        signals: for agents whose signal is a fluent, this fluent.
        labels: for these agents the values of that fluent, by what they stand for.
        findings: for each fluent that is a finding, the formula that was true or false before.
    """

    action: ActionModel
    before: KnowledgeStructure
    names: KnowledgeStructure
    events: tuple[str, ...]
    which: str
    versions: Mapping[str, str]
    signals: Mapping[str, str]
    labels: Mapping[str, Mapping[Signal, str]]
    findings: Mapping[str, Formula]

    def happened(self, event: str) -> Formula:
        """The formula "this event happened"."""
        return Atom(self.which, self.action.event(event).value) if self.which else TRUE

    def event_at(self, world: World) -> str:
        """The name of the event that happened at a world after the action."""
        if not self.which:
            return self.events[0]
        return next(e for e in self.events if self.action.event(e).value == world[self.which])

    def say(self, name: str, value: str) -> str | None:
        """The value of a fluent that the action added, in words; None for any other fluent."""
        what = self.action.source
        if name == self.which:
            happened = "nothing happened" if value == SKIP else f"the event is {value}"
            return f"{happened} ({what})"
        if name in self.findings:
            return f"before ({what}), {self.findings[name]}"
        for agent, signal in self.signals.items():
            if name == signal:
                seen = "nothing" if value == _NOTHING else value
                return f"{agent} notices {seen} ({what})"
        return None


def as_event(structure: KnowledgeStructure, action: ActionModel) -> Event | None:
    """The event that the action is, if all agents notice all of it; else None."""
    if len(action.events) != 1:
        return None
    for agent in structure.agents:
        cases = action.cases(agent)
        if len(cases) > 1 or cases[0][1].kind == "nothing":
            return None
    only = action.events[0]
    own = {fluent.name for fluent in action.fluents}
    conditions = [case for change in only.postconditions for _, case in change.cases]
    if not all(map(is_propositional, conditions)):
        return None
    if not is_propositional(only.precondition) and not own.isdisjoint(names(only.precondition)):
        return None
    return Event(
        action.source,
        () if only.precondition is TRUE else (Constraint(only.precondition, action.source),),
        action.fluents,
        {agent: tuple(seen) for agent, seen in _open(structure, action).items()},
        tuple(_change(structure, change, action.source) for change in only.postconditions),
        soft=action.soft,
    )


def _open(structure: KnowledgeStructure, action: ActionModel) -> dict[str, list[Observable]]:
    """What agents observe after an action with one event, without what all of them know anyway."""
    known = {name for name, version in structure.versions.items() if isinstance(version, Fixed)}
    for change in action.events[0].postconditions:
        known.discard(change.fluent)
        if len(change.cases) == 1 and change.cases[0][1] is TRUE:
            known.add(change.fluent)
    return {
        agent: [observable for observable in seen if observable.atom.fluent not in known]
        for agent, seen in action.observes.items()
    }


def _change(structure: KnowledgeStructure, change: Postcondition, source: Origin) -> Change:
    """The change of an event that always happens."""
    fluent = changing(structure, change)
    if len(change.cases) == 1 and change.cases[0][1] is TRUE:
        return Change(fluent.name, change.cases[0][0], source)
    return Change(fluent.name, tuple(_new_values(fluent, change).items()), source, total=True)


def changing(structure: KnowledgeStructure, change: Postcondition) -> Fluent:
    """The fluent that changes; raises `UnknownName` for no fluent, or no value of it."""
    fluent = structure.vocabulary.fluents.get(change.fluent)
    if fluent is None or "#" in change.fluent:
        raise UnknownName("fluent", change.fluent, structure.vocabulary.fluents)
    for value, _ in change.cases:
        fluent.equals(value)
    return fluent


def _new_values(fluent: Fluent, change: Postcondition | None) -> dict[str, Formula]:
    """Return for each possible new value the condition on the world before under which it is."""
    taken: dict[str, list[Formula]] = {}
    not_earlier: dict[Formula, None] = {}
    for value, condition in () if change is None else change.cases:
        look()
        taken.setdefault(value, []).append(conjunction((condition, *not_earlier)))
        if condition is TRUE or condition in not_earlier:
            break
        not_earlier[negation(condition)] = None
    else:
        for value in fluent.values:
            look()
            taken.setdefault(value, []).append(conjunction((fluent.equals(value), *not_earlier)))
    return {
        value: disjunction(taken[value])
        for value in sorted(taken, key=fluent.positions.__getitem__)
    }


def update(structure: KnowledgeStructure, action: ActionModel) -> KnowledgeStructure:
    """The structure after the action.

    Raises:
        UnknownName: the action speaks of fluents, values or agents that are not here.
        InputError: a new fluent has the name of another.
    """
    return _Product(structure, action).after()


class _Product:
    """One product update."""

    def __init__(self, before: KnowledgeStructure, action: ActionModel) -> None:
        """Make the fluents that the action needs before it happens."""
        self.before = before
        self.action = action
        self._check()
        self.number = str(len(before.moments))
        self.taken = {*before.vocabulary.fluents, *before.vocabulary.derived}
        self.taken.update(fluent.name for fluent in action.fluents)
        self.made_up: list[Fluent] = []
        self.added: list[Constraint] = []
        self.missed_by = [i for i in before.agents if action.can_be_missed_by(i)]
        self.events = tuple(event.name for event in action.events)
        if self.missed_by:
            self.events = (*self.events, SKIP)
        self.which = ""
        if len(self.events) > 1:
            self.which = self._make(
                "event", (self.number,), tuple(action.event(name).value for name in self.events)
            )
        self.findings = {
            self._make("found", (self.number, str(number))): leaf
            for number, leaf in enumerate(self._about_knowledge(), start=1)
        }
        self.put_in = {leaf: Atom(name) for name, leaf in self.findings.items()}
        early = (*action.fluents, *self.made_up)
        self.stage, self.names = before, before.with_names(early)
        if self.findings or not all(is_propositional(e.precondition) for e in action.events):
            self.stage = self.names = before.preparation(Event(action.source, fluents=early))
        self.signals: dict[str, str] = {}
        self.labels: dict[str, dict[Signal, str]] = {}
        self.watching = Watching(before, action.source, self.names.vocabulary)

    def after(self) -> KnowledgeStructure:
        """The structure after the action."""
        from symkripke.model.structure import KnowledgeStructure

        before, action, source = self.before, self.action, self.action.source
        self._tie_events()
        versions = self._tie_changes()
        self._tie_signals()
        current = MappingProxyType(
            {**before.versions, **{name: version.name for name, version in versions.items()}}
        )
        self._tie_sights(versions)
        watching = self.watching
        known = self.stage.vocabulary.fluents
        new = (*action.fluents, *versions.values(), *self.made_up, *watching.made)
        return KnowledgeStructure(
            self.stage.vocabulary.extended(x for x in new if x.name not in known),
            (*self.added, *watching.ties),
            watching.observables,
            current if versions else before.versions,
            self.stage,
            Event(
                source,
                fluents=action.fluents,
                changes=tuple(Change(name, None, source) for name in versions),
            ),
            soft=(*self._unnoticed(), *self._soft()),
            _resolutions=before._resolutions,
            traces=watching.traces(
                (fluent.name for fluent in self.made_up), missed=bool(self.missed_by)
            ),
            occurrence=Occurrence(
                action,
                before,
                before.with_names(action.fluents),
                self.events,
                self.which,
                {name: version.name for name, version in versions.items()},
                self.signals,
                self.labels,
                self.findings,
            ),
        )

    def _check(self) -> None:
        """Raises `InputError` if the action names anything that the structure does not have."""
        action, vocabulary = self.action, self.before.vocabulary
        for agent in (*action.sees, *action.observes):
            vocabulary.agent(agent)
        for fluent in action.fluents:
            if "#" in fluent.name:
                raise InputError(f"a fluent's name cannot have a # (for versions): {fluent.name!r}")

    def _make(
        self, name: str, arguments: tuple[str, ...], values: tuple[str, ...] = BOOLEAN
    ) -> str:
        """A new fluent of that name, or a like one."""
        while term(name, arguments) in self.taken:
            name += "_"
        what = "one of its events happens" if name == "event" else f"{name} has one value"
        made = Fluent(term(name, arguments), values, self._source(what))
        self.taken.add(made.name)
        self.made_up.append(made)
        return made.name

    def _about_knowledge(self) -> dict[Formula, None]:
        """The modal parts of postconditions and conditions of observing, each once."""
        conditions = [
            condition
            for event in self.action.events
            for change in event.postconditions
            for _, condition in change.cases
        ]
        conditions += [c for agent in self.before.agents for c, _ in self.action.cases(agent)]
        return {
            leaf: None
            for condition in conditions
            for leaf in leaves(condition)
            if isinstance(leaf, f.Modal)
        }

    def _plain(self, formula: Formula) -> Formula:
        """The formula, resolved, with findings in the place of its modal parts."""
        put = replace_leaves(formula, lambda leaf: self.put_in.get(leaf, leaf))
        return self.names.resolve(put)

    def _state(self, formula: Formula, what: str) -> None:
        """Make it law; `what` says in words what it is about."""
        if formula is not TRUE:
            self.added.append(Constraint(formula, self._source(what)))

    def _source(self, what: str) -> Origin:
        source = self.action.source
        return replace(source, text=f"{source}: {what}")

    def _happened(self, events: Collection[str]) -> Formula:
        """Return the formula that one of these events happened; each is named once."""
        if 2 * len(events) <= len(self.events):
            return disjunction(map(self._event, events))
        found = set(events)
        return negation(disjunction(self._event(e) for e in self.events if e not in found))

    def _event(self, name: str) -> Atom:
        look()
        return Atom(self.which, self.action.event(name).value)

    # ---- ties -------------------------------------------------------------------------------

    def _tie_events(self) -> None:
        """State that an event needs its precondition, and what each finding means."""
        for event in self.action.events:
            needed = self.names.resolve(event.precondition)
            if needed is not TRUE:
                happened = self._happened((event.name,))
                said = needed if happened is TRUE else f.Implies(happened, needed)
                self._state(said, f"when {event.name} can happen")
        for name, leaf in self.findings.items():
            self._state(f.Iff(Atom(name), self.names.resolve(leaf)), f"whether {leaf} before")

    def _tie_changes(self) -> dict[str, Fluent]:
        """The new versions of what changes, by plain names."""
        by_fluent: dict[str, dict[str, Postcondition]] = {}
        for event in self.action.events:
            for change in event.postconditions:
                changing(self.before, change)
                by_fluent.setdefault(change.fluent, {})[event.name] = change
        versions: dict[str, Fluent] = {}
        for name, changes in by_fluent.items():
            version = versions[name] = self.before.next_version(name)
            fluent = self.before.vocabulary.fluents[name]
            new: dict[str, list[Formula]] = {value: [] for value in fluent.values}
            told: list[tuple[Formula, Postcondition | None]] = []
            told += [(self._happened((event,)), change) for event, change in changes.items()]
            if len(changes) < len(self.events):
                told.append((negation(self._happened(changes)), None))
            for happened, made in told:
                for value, condition in _new_values(fluent, made).items():
                    new[value].append(conjunction((happened, self._plain(condition))))
            for value in ("true",) if fluent.is_boolean else fluent.values:
                tie = f.Iff(version.equals(value), disjunction(new[value]))
                self._state(tie, f"what becomes of {name}")
        return versions

    def _tie_signals(self) -> None:
        """Let the agents observe which event happened, as far as they see it."""
        for agent in self.before.agents:
            cases = self.action.cases(agent)
            seen = self._direct(cases[0][1]) if len(cases) == 1 else None
            if seen is None:
                seen = self._signal(agent, cases)
            for atom in seen:
                self.watching.see(agent, atom, self.action.source)

    def _direct(self, how: Sees) -> tuple[Atom, ...] | None:
        """The atoms that say which event happened, as far as the agent sees; None: none do."""
        if how.kind == "nothing" or not self.which:
            return ()
        classes: dict[Signal, list[str]] = {}
        for event in self.events:
            classes.setdefault(how.signal(event), []).append(event)
        alone = [alike[0] for alike in classes.values() if len(alike) == 1]
        if len(classes) - len(alone) > 1:
            return None
        return tuple(map(self._event, alone))

    def _signal(self, agent: str, cases: Cases) -> tuple[Atom, ...]:
        """Make a fluent for the agent's signal; the atoms of this fluent, which it observes."""
        where: dict[Signal, list[Formula]] = {}
        earlier: list[Formula] = []
        for condition, how in cases:
            here = self._plain(condition)
            classes: dict[Signal, list[str]] = {}
            for event in self.events:
                classes.setdefault(how.signal(event), []).append(event)
            for signal, events in classes.items():
                where.setdefault(signal, []).append(
                    conjunction((self._happened(events), here, *map(negation, earlier)))
                )
            earlier.append(here)
        labels = self.labels[agent] = _labelled(where, self.action)
        name = self._make("signal", (agent, self.number), tuple(labels.values()))
        self.signals[agent] = name
        for signal, conditions in where.items():
            tie = f.Iff(Atom(name, labels[signal]), disjunction(conditions))
            self._state(tie, f"what {agent} sees of it")
        return tuple(Atom(name, label) for label in labels.values())

    def _noticed(self, agent: str) -> Formula:
        """That the agent noticed the action."""
        if agent in self.signals:
            label = self.labels[agent].get(None)
            return TRUE if label is None else negation(Atom(self.signals[agent], label))
        if self.action.cases(agent)[0][1].kind == "nothing":
            return FALSE
        return self._happened([event for event in self.events if event != SKIP])

    def _tie_sights(self, versions: Mapping[str, Fluent]) -> None:
        """Let agents observe what changes, and what the action shows them."""
        watched = self.before.watched(versions)
        for agent in self.before.agents:
            noticed = self._noticed(agent)
            for plain, (where, _) in watched.get(agent, {}).items():
                atom = Atom(versions[plain.fluent].name, plain.value)
                # Where nothing happens, the new version is the old one, which is observed.
                directly = (agent, plain) not in self.before.traces.watched
                always = directly and noticed is not FALSE and agent not in self.signals
                seen = self.watching.see(
                    agent, atom, self.action.source, TRUE if always else noticed, where
                )
                self.watching.watch(agent, plain, where, directly=seen)
            for observable in self.action.observes.get(agent, ()):
                meant = self._meant(observable.atom, versions)
                self.watching.show(agent, observable.atom, meant, self.action.source, noticed)

    def _meant(self, atom: Atom, versions: Mapping[str, Fluent]) -> Atom | None:
        """What an atom means after the action; None if everybody knows it."""
        if atom.fluent in versions:
            version = versions[atom.fluent]
            version.equals(atom.value)
            return Atom(version.name, "true" if version.is_boolean else atom.value)
        return self.names._observed(atom)

    def _soft(self) -> Iterator[Soft]:
        """The beliefs that the action gives to the agents, where they notice it."""
        for soft in self.names._resolve_soft(self.action.soft):
            told: dict[Formula, dict[str, int]] = {}
            for agent in self.before.agents:
                rank, noticed = soft.rank_for(agent), self._noticed(agent)
                if rank is not None and noticed is not FALSE:
                    said = soft.formula if noticed is TRUE else f.Implies(noticed, soft.formula)
                    told.setdefault(said, {})[agent] = rank
            for said, ranks in told.items():
                yield Soft(said, ranks, soft.source)

    def _unnoticed(self) -> Iterator[Soft]:
        """That those who notice nothing believe that nothing happened."""
        source = self.action.source
        for agent in self.missed_by:
            words = Origin(
                f"{agent} does not notice: {source}",
                source.turn,
                (agent,),
                "unnoticed",
                source.when,
            )
            yield Soft(self._event(SKIP), {agent: self.action.rank}, words)


def _labelled(signals: Iterable[Signal], action: ActionModel) -> dict[Signal, str]:
    """A value for each signal, which says what it is."""
    events = {event.name: event.value for event in action.events}
    places = {name: place for place, name in enumerate(events)}
    taken = set(events.values())
    labels: dict[Signal, str] = {}
    for signal in signals:
        if signal is None:
            label = _NOTHING
        elif isinstance(signal, str):
            label = events[signal]
        elif len(signal) == len(events):
            label = "some"
        else:
            label = "_or_".join(events[name] for name in sorted(signal, key=places.__getitem__))
        while isinstance(signal, frozenset) and label in taken:
            label += "_"
        taken.add(label)
        labels[signal] = label
    return labels
