"""The product update: the structure after an action.

A pair (w, e) of a world and an event becomes one world, with values for these new fluents:

* *which event* happened, observed only by agents who see which;
* the new versions of the fluents that change;
* for each agent whose way of observing depends on a condition, its *signal*, which it observes;
* for each atom that an agent observes at some worlds only, because it does not notice the action
  at the others or has nothing to see there: a *conditional sight*, true where the agent observes
  the atom and the atom is true;
* for each modal part of a postcondition or of an observation condition: a *prior truth*, its truth
  value before the action.

The law ties all of these to the world before and to the event. So the worlds after the action
correspond one to one to the pairs, and nothing is listed. A tie about knowledge refers to a
*preparation*: the structure before with the action's own fluents, which may have any value and
which nobody observes. It is a separate stage in the history, but not a moment: see
`KnowledgeStructure.moments`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from symkripke.errors import InputError
from symkripke.language import FALSE, TRUE, Atom, Formula, Name, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.linear import Sum
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
from symkripke.model.additions import Additions, Prior, Watching, number_cases, tied
from symkripke.model.beliefs import Soft
from symkripke.model.events import Change, Constraint, Event, Observable
from symkripke.model.occurrence import NOTHING_NOTICED, Occurrence
from symkripke.model.origin import Origin
from symkripke.model.resolution_cache import Fixed
from symkripke.model.resolver import Resolver
from symkripke.model.vocabulary import BOOLEAN, Fluent, Number, check_plain


def as_event(action: ActionModel, names_before: Resolver) -> Event | None:
    """Return the action as an event if all agents notice all of it; else None."""
    if len(action.events) != 1:
        return None
    for agent in names_before.vocabulary.agents:
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
        _open(names_before, action),
        tuple(_change(names_before, change, action.source) for change in only.postconditions),
        soft=action.soft,
    )


def _open(before: Resolver, action: ActionModel) -> dict[str, tuple[Observable, ...]]:
    """Return the observations after an action with one event, without commonly known values."""
    known = {name for name, version in before.versions.items() if isinstance(version, Fixed)}
    for change in action.events[0].postconditions:
        known.discard(change.fluent)
        first, condition = change.cases[0]
        if len(change.cases) == 1 and condition is TRUE and isinstance(first, str):
            known.add(change.fluent)
    return {
        agent: tuple(observable for observable in seen if observable.atom.fluent not in known)
        for agent, seen in action.observes.items()
    }


def _change(before: Resolver, change: Postcondition, source: Origin) -> Change:
    """Return the change for a postcondition of an event that always happens."""
    fluent = _changing(before, change)
    first, condition = change.cases[0]
    if len(change.cases) == 1 and condition is TRUE and isinstance(first, str):
        return Change(fluent.name, first, source)
    return Change(fluent.name, tuple(_new_values(fluent, change).items()), source, total=True)


def _changing(before: Resolver, change: Postcondition) -> Fluent:
    """Return the fluent that changes; raise `UnknownName` for an unknown fluent or value."""
    fluent = before.changing(change.fluent)
    for value, _ in change.cases:
        if isinstance(value, str):
            fluent.equals(value)
        elif not isinstance(fluent, Number):
            raise InputError(f"{fluent.name} is not a number, so it cannot become {value}")
    return fluent


def _new_values(fluent: Fluent, change: Postcondition | None) -> dict[str | Sum, Formula]:
    """Return, for each possible new value, its condition on the world before."""
    taken: dict[str | Sum, list[Formula]] = {}
    not_earlier: dict[Formula, None] = {}
    for value, condition in () if change is None else change.cases:
        look()
        taken.setdefault(value, []).append(conjunction((condition, *not_earlier)))
        if condition is TRUE or condition in not_earlier:
            break
        not_earlier[negation(condition)] = None
    else:
        for same in fluent.values:
            look()
            taken.setdefault(same, []).append(conjunction((fluent.equals(same), *not_earlier)))
        if isinstance(fluent, Number):
            taken.setdefault(fluent.sum, []).append(conjunction(not_earlier))
    if isinstance(fluent, Number):
        return {value: disjunction(conditions) for value, conditions in taken.items()}
    return {value: disjunction(taken[value]) for value in fluent.values if value in taken}


class Product:
    """The product update by an action that is not an event (see `as_event`)."""

    def __init__(self, before: Prior, action: ActionModel) -> None:
        """Create the fluents that the action needs before it happens.

        Raises:
            UnknownName: the action names an unknown agent or fluent.
            InputError: a new fluent has the name of another fluent.
        """
        self.before = before
        self.action = action
        self.number = str(before.number)
        vocabulary = before.resolver.vocabulary
        for agent in (*action.sees, *action.observes):
            vocabulary.agent(agent)
        check_plain(action.fluents)
        self.taken = {*vocabulary.fluents, *vocabulary.derived}
        self.taken.update(fluent.name for fluent in action.fluents)
        self.auxiliary: list[Fluent] = []
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
        self.prior_truths: dict[str, Formula] = {
            self._make("prior", (self.number, str(index))): leaf
            for index, leaf in enumerate(self._about_knowledge(), start=1)
        }
        self.put_in = {leaf: Atom(name) for name, leaf in self.prior_truths.items()}
        self.early = (*action.fluents, *self.auxiliary)
        self.names = before.resolver.extended(self.early)
        self.signals: dict[str, str] = {}
        self.labels: dict[str, dict[Signal, str]] = {}
        self.watching = Watching(before, action.source, self.names.vocabulary)

    def additions(self) -> Additions:
        """Return the additions of the action to the structure before it, or to its preparation.

        Raise `UnknownName` if the action names an unknown fluent or value.
        """
        action, source = self.action, self.action.source
        self._tie_events()
        changed = self._tie_changes()
        self._tie_signals()
        after = self.names.with_versions(changed)
        self._tie_observations(changed, after)
        watching, known = self.watching, self.names.vocabulary.fluents
        auxiliary = (fluent for fluent in self.auxiliary if fluent.name not in known)
        versions = {name: version.name for name, version in changed.items()}
        return Additions(
            Event(
                source,
                fluents=action.fluents,
                changes=tuple(Change(name, None, source) for name in versions),
            ),
            after.extended((*auxiliary, *watching.made)),
            (),
            (*self.added, *watching.ties),
            watching.observables,
            watching.traces((x.name for x in self.auxiliary), missed=bool(self.missed_by)),
            soft=(*self._unnoticed(), *self._soft()),
            occurrence=Occurrence(
                action,
                self.before.resolver.extended(action.fluents),
                self.events,
                self.which,
                versions,
                self.signals,
                self.labels,
                self.prior_truths,
            ),
        )

    @property
    def preparation(self) -> Event | None:
        """The event that creates the preparation; None if the ties are not about knowledge."""
        conditions = (event.precondition for event in self.action.events)
        if not self.prior_truths and all(map(is_propositional, conditions)):
            return None
        return Event(self.action.source, fluents=self.early)

    def _make(
        self, functor: str, arguments: tuple[str, ...], values: tuple[str, ...] = BOOLEAN
    ) -> Name:
        """Create a new fluent with this name, extended by `_` if it is taken; return the name."""
        while (name := Name(functor, arguments)) in self.taken:
            functor += "_"
        what = "one of its events happens" if functor == "event" else f"{functor} has one value"
        self.taken.add(name)
        self.auxiliary.append(Fluent(name, values, self._source(what)))
        return name

    def _about_knowledge(self) -> dict[Formula, None]:
        """Return the modal parts of postconditions and observation conditions, each once."""
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
        """Return the resolved formula, with prior truths in place of its modal parts."""
        put = replace_leaves(formula, lambda leaf: self.put_in.get(leaf, leaf))
        return self.names.resolve(put)

    def _state(self, formula: Formula, what: str) -> None:
        """Add a formula to the law; `what` is its subject in words."""
        if formula is not TRUE:
            self.added.append(Constraint(formula, self._source(what)))

    def _source(self, what: str) -> Origin:
        source = self.action.source
        return replace(source, text=f"{source}: {what}")

    def _happened(self, events: Collection[str]) -> Formula:
        """Return the formula stating that one of these events happened; each is named once."""
        if 2 * len(events) <= len(self.events):
            return disjunction(map(self._event, events))
        excluded = set(events)
        return negation(disjunction(self._event(e) for e in self.events if e not in excluded))

    def _event(self, name: str) -> Atom:
        look()
        return Atom(self.which, self.action.event(name).value)

    # ---- ties -------------------------------------------------------------------------------

    def _tie_events(self) -> None:
        """Add the preconditions of events, and the definitions of prior truths, to the law."""
        for event in self.action.events:
            needed = self.names.resolve(event.precondition)
            if needed is not TRUE:
                happened = self._happened((event.name,))
                tie = needed if happened is TRUE else f.Implies(happened, needed)
                self._state(tie, f"when {event.name} can happen")
        for name, leaf in self.prior_truths.items():
            self._state(f.Iff(Atom(name), self.names.resolve(leaf)), f"whether {leaf} before")

    def _tie_changes(self) -> dict[str, Fluent]:
        """Add the definitions of new versions to the law; return the versions by plain names."""
        by_fluent: dict[str, dict[str, Postcondition]] = {}
        for event in self.action.events:
            for change in event.postconditions:
                _changing(self.before.resolver, change)
                by_fluent.setdefault(change.fluent, {})[event.name] = change
        versions: dict[str, Fluent] = {}
        for name, changes in by_fluent.items():
            version = versions[name] = self.before.resolver.next_version(name)
            fluent = self.before.resolver.changing(name)
            new: dict[str | Sum, list[Formula]] = {value: [] for value in fluent.values}
            cases: list[tuple[Formula, Postcondition | None]] = []
            cases += [(self._happened((event,)), change) for event, change in changes.items()]
            if len(changes) < len(self.events):
                cases.append((negation(self._happened(changes)), None))
            for happened, made in cases:
                for value, condition in _new_values(fluent, made).items():
                    part = conjunction((happened, self._plain(condition)))
                    new.setdefault(value, []).append(part)
            if isinstance(version, Number):
                sums = number_cases([(v, disjunction(c)) for v, c in new.items()], self.names)
                self._state(tied(version, sums), f"the new value of {name}")
                continue
            for value in ("true",) if fluent.is_boolean else fluent.values:
                tie = f.Iff(version.equals(value), disjunction(new[value]))
                self._state(tie, f"the new value of {name}")
        return versions

    def _tie_signals(self) -> None:
        """Let each agent observe its signal."""
        for agent in self.before.agents:
            cases = self.action.cases(agent)
            seen = self._direct(cases[0][1]) if len(cases) == 1 else None
            if seen is None:
                seen = self._signal(agent, cases)
            for atom in seen:
                self.watching.see(agent, atom, self.action.source)

    def _direct(self, how: Sees) -> tuple[Atom, ...] | None:
        """Return the atoms of the event that express the agent's signal; None if none do."""
        if how.kind == "nothing" or not self.which:
            return ()
        classes = self._classes(how)
        alone = [events[0] for events in classes.values() if len(events) == 1]
        if len(classes) - len(alone) > 1:
            return None
        return tuple(map(self._event, alone))

    def _classes(self, how: Sees) -> dict[Signal, list[str]]:
        """Return the events of each signal."""
        classes: dict[Signal, list[str]] = {}
        for event in self.events:
            classes.setdefault(how.signal(event), []).append(event)
        return classes

    def _signal(self, agent: str, cases: Cases) -> tuple[Atom, ...]:
        """Create a fluent for the agent's signal; return its atoms, which the agent observes."""
        where: dict[Signal, list[Formula]] = {}
        earlier: list[Formula] = []
        for condition, how in cases:
            here = self._plain(condition)
            for signal, events in self._classes(how).items():
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
        """Return the formula stating that the agent noticed the action."""
        if agent in self.signals:
            label = self.labels[agent].get(None)
            return TRUE if label is None else negation(Atom(self.signals[agent], label))
        if self.action.cases(agent)[0][1].kind == "nothing":
            return FALSE
        return self._happened([event for event in self.events if event != SKIP])

    def _tie_observations(self, versions: Mapping[str, Fluent], names: Resolver) -> None:
        """Let agents observe new versions, and the action's observables, named by `names`."""
        watched = self.before.watched(versions)
        for agent in self.before.agents:
            noticed = self._noticed(agent)
            for plain, (where, _) in watched.get(agent, {}).items():
                atom = Atom(versions[plain.fluent].name, plain.value)
                # Where nothing happens, the new version equals the old one, which is observed.
                directly = (agent, plain) not in self.before.traces.watched
                always = directly and noticed is not FALSE and agent not in self.signals
                seen = self.watching.see(
                    agent, atom, self.action.source, TRUE if always else noticed, where
                )
                self.watching.watch(agent, plain, where, directly=seen)
            for observable in self.action.observes.get(agent, ()):
                self.watching.show(agent, observable.atom, names, self.action.source, noticed)

    def _soft(self) -> Iterator[Soft]:
        """Yield the beliefs that the action gives to the agents, where they notice it."""
        for soft in self.names.soft(self.action.soft):
            by_formula: dict[Formula, dict[str, int]] = {}
            for agent in self.before.agents:
                rank, noticed = soft.rank_for(agent), self._noticed(agent)
                if rank is not None and noticed is not FALSE:
                    formula = soft.formula if noticed is TRUE else f.Implies(noticed, soft.formula)
                    by_formula.setdefault(formula, {})[agent] = rank
            for formula, ranks in by_formula.items():
                yield Soft(formula, ranks, soft.source)

    def _unnoticed(self) -> Iterator[Soft]:
        """Yield, for each agent that may notice nothing, the belief that nothing happened."""
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
    """Return a descriptive value for each signal."""
    events = {event.name: event.value for event in action.events}
    places = {name: place for place, name in enumerate(events)}
    taken = set(events.values())
    labels: dict[Signal, str] = {}
    for signal in signals:
        if signal is None:
            label = NOTHING_NOTICED
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
