"""Knowledge structures: the commonly known law, and the observables of each agent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any
from weakref import WeakKeyDictionary

from symkripke.argument_types import checked, checked_all, described
from symkripke.errors import InputError
from symkripke.language import Atom, Formula, Name, exactly, parse
from symkripke.model.actions import ActionModel
from symkripke.model.additions import UNTOUCHED, Additions, Prior, Traces, added_by
from symkripke.model.beliefs import Soft, SoftConstraints
from symkripke.model.events import (
    Change,
    Constraint,
    Event,
    Law,
    Likelihood,
    Observable,
    announcement,
)
from symkripke.model.html import shortened, table
from symkripke.model.layers import Layers
from symkripke.model.occurrence import Occurrence
from symkripke.model.origin import Origin
from symkripke.model.picture import Drawable, small_picture
from symkripke.model.product import Product, as_event
from symkripke.model.resolution_cache import Fixed
from symkripke.model.resolver import Resolver, Versions
from symkripke.model.vocabulary import Vocabulary
from symkripke.records import dataclass

# The distance between the structures of a history that are pickled first, so that the depth of
# recursion does not grow with the length of the history.
_PICKLED_FIRST = 16

# The maximum number of cached structures after the actions in formulas, for one structure.
_ACTIONS = 8


@dataclass(frozen=True, eq=False, repr=False)
class KnowledgeStructure(Drawable):
    """A knowledge structure F = (V, theta, O_1, ..., O_n).

    V is the vocabulary; the law theta is a formula over V, here a list of constraints with
    their sources; O_i is the set of atoms of V that agent i observes. A *world* has a value for
    every fluent; the worlds of F are those at which the law is true; agent i cannot tell two
    of them apart if they agree on O_i. (J. van Benthem, J. van Eijck, M. Gattinger, K. Su:
    Symbolic model checking for dynamic epistemic logic, 2018; K. Su, A. Sattar, X. Luo, 2007.)

    Structures are immutable: `update` returns a new structure, which shares most of its data.

    Attributes:
        vocabulary: V. A changed fluent has one entry per version (`x`, `x#1`, ...).
        law: theta; the constraints of each event are a layer of it. A modal constraint is about
            the structure before the event that added it.
        observables: O_i for each agent, in order of appearance.
        soft: the soft constraints, which make worlds more or less plausible, one layer per event.
            See `plausibility`.
        likelihoods: the probability of each event at each world, one layer per event. The first
            layer has the prior probability of each world.
        resolver: the current meaning of names.
        history: the events that led to the structure.
    """

    vocabulary: Vocabulary
    law: Law
    observables: Mapping[str, tuple[Observable, ...]]
    soft: SoftConstraints
    likelihoods: Layers[Likelihood]
    resolver: Resolver
    history: History

    def __reduce__(self) -> tuple[Any, ...]:
        values = tuple(getattr(self, each.name) for each in fields(self))
        return _unpickled, (self.history.past[::_PICKLED_FIRST], *values)

    def __repr__(self) -> str:
        return (
            f"<KnowledgeStructure: {len(self.vocabulary.fluents)} fluents, "
            f"{len(self.law)} constraints, {self.history.events} events>"
        )

    def _repr_html_(self) -> str:
        return small_picture(self) + self.tables

    @property
    def tables(self) -> str:
        """The fluents, the observables of each agent, and the law with its sources, as HTML."""
        domains = (
            (name, "true or false" if fluent.is_boolean else ", ".join(fluent.values))
            for name, fluent in self.vocabulary.fluents.items()
        )
        observed = (
            (agent, shortened([str(observable.atom) for observable in self.observables[agent]]))
            for agent in self.agents
        )
        law = ((str(constraint.formula), constraint.source) for constraint in self.law)
        return "\n".join(
            (
                f"<p>Knowledge structure: {len(self.vocabulary.fluents):,} fluents, "
                f"{len(self.law):,} constraints, {self.history.events:,} events</p>",
                table("Fluents", ("fluent", "values"), domains),
                table("Observables", ("agent", "observes"), observed),
                table("Law", ("constraint", "source"), law),
            )
        )

    # ---- state it -------------------------------------------------------------------

    @classmethod
    def of(
        cls,
        vocabulary: Vocabulary,
        law: Iterable[Constraint],
        observables: Mapping[str, Iterable[Observable]],
        soft: Iterable[Soft] = (),
        likelihoods: Iterable[Likelihood] = (),
        facts: Iterable[Constraint] = (),
    ) -> KnowledgeStructure:
        """Create a first structure.

        Args:
            vocabulary: the names.
            law: the law.
            observables: the observables of each agent.
            soft: the soft constraints.
            likelihoods: the likelihoods of worlds.
            facts: atoms that belong to the law, too. While their fluents keep these values, all
                formulas are resolved with truth values in place of their atoms, as after a change
                to a commonly known value. So questions about them are faster.

        Raises:
            UnknownName: a name or a value is unknown.
            InputError: the law is about knowledge, or a fact is not an atom.
        """
        for agent in observables:
            vocabulary.agent(agent)
        resolver = Resolver(vocabulary)
        added: list[Constraint] = []
        fixed: dict[str, Fixed] = {}
        for fact in (facts := checked_all(facts, Constraint, "facts")):
            known = checked(fact.formula, Atom, "an atom", "facts")
            resolver.changing(known.fluent).equals(known.value)
            fixed[known.fluent] = Fixed(known.value, 0)
        for constraint in (*law, *facts):
            if not isinstance(constraint, Constraint):
                raise InputError(
                    f"expected constraints as the law, as in Constraint(formula, source), got "
                    f"{described(constraint)}"
                )
            if constraint.is_modal:
                raise InputError(
                    f"the first law cannot be about knowledge: {constraint.formula}; "
                    "announce it as an event"
                )
            added.append(resolver.constraint(constraint))
        resolved: dict[Atom, Atom | None] = {}  # many agents observe the same atoms

        def observed(seen: Observable) -> Observable:
            checked(seen, Observable, where="observables")
            if seen.atom not in resolved:
                resolved[seen.atom] = resolver.observed(seen.atom)
            atom = resolved[seen.atom]
            assert atom is not None  # nothing has changed yet
            return seen if atom is seen.atom else Observable(atom, seen.source)

        seen = {
            agent: tuple(map(observed, observables.get(agent, ()))) for agent in vocabulary.agents
        }
        stated_likelihoods = checked_all(likelihoods, Likelihood, "likelihoods")
        names = resolver.with_versions({}, fixed)
        return cls(
            names.vocabulary,
            Law(tuple(added)),
            MappingProxyType(seen),
            SoftConstraints(names.soft(soft)),
            Layers(names.likelihoods(stated_likelihoods)),
            names,
            History(),
        )

    def update(self, event: Event | ActionModel) -> KnowledgeStructure:
        """Return the structure after `event`: for an action model, the product update.

        Raises:
            UnknownName: the event names an unknown fluent, value or agent.
            InputError: a new fluent has the name of another fluent.
        """
        here = Prior(self.resolver, self.observables, self.history.traces, self.history.events + 1)
        if isinstance(event, ActionModel):
            noticed = as_event(event, self.resolver)
            if noticed is None:
                product, before = Product(here, event), self
                if product.preparation is not None:
                    prepared = added_by(product.preparation, here)
                    before = self._with(prepared, is_preparation=True)
                return before._with(product.additions())
            event = noticed
        return self._with(added_by(event, here))

    def _with(self, added: Additions, *, is_preparation: bool = False) -> KnowledgeStructure:
        """Return the next structure of the history."""
        history = self.history
        return KnowledgeStructure(
            added.resolver.vocabulary,
            self.law.and_then((*added.stated, *added.ties)),
            added.observables,
            self.soft.and_then(added.soft),
            self.likelihoods.and_then(added.likelihoods),
            added.resolver,
            History(
                before=self,
                event=added.event,
                stated=added.stated,
                ties=added.ties,
                traces=added.traces,
                occurrence=added.occurrence,
                is_preparation=is_preparation,
                events=history.events + (not is_preparation),
                settled=self.settled if self._is_kept_by(added) and not is_preparation else None,
                unchecked=self.unchecked,
                engine_caches=history.engine_caches,
            ),
        )

    def _is_kept_by(self, added: Additions) -> bool:
        """Return whether an event changes neither the worlds nor the knowledge of any agent."""
        return (
            not (added.stated or added.ties or added.likelihoods or added.occurrence)
            and added.resolver is self.resolver
            and added.traces is self.history.traces
            and added.observables == self.observables
        )

    def after_action(self, action: ActionModel) -> KnowledgeStructure:
        """Return the structure after an action in a formula, from a cache."""
        cache = self.history.after_actions
        after = cache.get(action)
        if after is None:
            while len(cache) >= _ACTIONS:
                del cache[next(iter(cache))]
            after = cache[action] = self.update(action)
        return after

    def announce(self, formula: Formula | str, source: Origin | str = "") -> KnowledgeStructure:
        """Return the structure after the public announcement of `formula`."""
        stated = self.parse(formula) if isinstance(formula, str) else formula
        return self.update(announcement(stated, source))

    # ---- ask it ----------------------------------------------------------------------

    @property
    def agents(self) -> tuple[str, ...]:
        """All agents, in order."""
        return self.vocabulary.agents

    @property
    def stages(self) -> tuple[KnowledgeStructure, ...]:
        """All structures from the first one to this one."""
        return (*self.history.past, self)

    @property
    def moments(self) -> tuple[KnowledgeStructure, ...]:
        """The stages at which questions can be asked: all but the preparations of actions."""
        return tuple(stage for stage in self.stages if not stage.history.is_preparation)

    @property
    def root(self) -> KnowledgeStructure:
        """The first structure of the history."""
        past = self.history.past
        return past[0] if past else self

    @property
    def settled(self) -> KnowledgeStructure:
        """The earliest structure of the history with the same worlds and the same observables.

        The events since then, such as bids, have neither announced nor changed anything. The
        agents' knowledge is therefore the same. Their beliefs can differ, because an event may
        change only the plausibilities.
        """
        return self.history.settled or self

    @property
    def versions(self) -> Versions:
        """The current version of each changed fluent, by its plain name."""
        return self.resolver.versions

    def plausibility(self, agent: str) -> tuple[Soft, ...]:
        """Return the soft constraints that the agent takes up, most trusted first.

        They order the worlds lexicographically by plausibility; see `symkripke.model.beliefs`.
        """
        return self.soft.order(agent)

    @property
    def unchecked(self) -> tuple[KnowledgeStructure, ...]:
        """The stages of the history with changes whose cases may be incomplete, oldest first."""
        return (*self.history.unchecked, *([self] if self._doubtful else []))

    @cached_property
    def _doubtful(self) -> tuple[tuple[Change, tuple[Formula, ...]], ...]:
        """The last event's changes whose cases may be incomplete or overlap, with their cases."""
        event = self.history.event
        return tuple(
            (change, tuple(formula for _, formula in change.to))
            for change in (() if event is None else event.changes)
            if not change.total and isinstance(change.to, tuple)
            # For a Boolean fluent one case determines the other.
            if len(change.to) != 1 or not self.vocabulary.fluents[change.fluent].is_boolean
        )

    def coverings(self) -> tuple[KnowledgeStructure, tuple[tuple[Change, Formula], ...]]:
        """Return the conditions under which the changes of the last event are well-defined.

        Returns:
            the structure just before the changes, with the event's constraints and its own fluents;
            and for each change to check, the formula stating that exactly one case is true. This
            formula must be true at all worlds of that structure.

        Raises:
            InputError: no event has happened yet.
        """
        before, event = self.history.before, self.history.event
        if before is None or event is None:
            raise InputError("this is a first structure: no event has changed anything yet")
        during = before.update(Event(event.source, event.constraints, event.fluents))
        return during, tuple(
            (change, during.resolve(exactly(1, cases))) for change, cases in self._doubtful
        )

    @cached_property
    def domains(self) -> tuple[Constraint, ...]:
        """The constraints stating that each fluent has exactly one value, with their sources."""
        return tuple(
            Constraint(fluent.domain, fluent.source or f"{fluent.name} has exactly one value")
            for fluent in self.vocabulary.fluents.values()
            if not fluent.is_boolean
        )

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """The atoms of all fluents except auxiliary ones, by their plain names."""
        return tuple(
            atom
            for fluent in self.vocabulary.fluents.values()
            if not fluent.name.is_version and fluent.name not in self.history.traces.auxiliary
            for atom in fluent.atoms
        )

    def fluents(self, name: str) -> tuple[Formula, ...]:
        """Return, for each value of a plain or derived fluent, the formula "it has this value".

        The formulas are resolved. Raise `UnknownName` if the fluent is unknown.
        """
        return self.resolver.fluents(name)

    def parse(self, text: str) -> Formula:
        """Parse a formula with the names of this structure; raise `FormulaError` if invalid."""
        return parse(text, self.vocabulary)

    def resolve(self, formula: Formula) -> Formula:
        """Return `formula` with every plain name replaced by its current version.

        Raise `UnknownName` for an unknown name, or `InputError` for anything but a formula.
        """
        return self.resolver.resolve(formula)

    def words(self, atom: Atom, truth: bool) -> str:
        """Return `atom` or its negation in words; an old version is followed by its time."""
        sight = self.history.traces.conditional_sights.get(atom.fluent)
        if sight is not None:
            words = f"{sight.agent} sees that {sight.atom}"
            return words if truth else f"it is not true that {words}"
        if atom.fluent in self.history.traces.auxiliary:
            return self._auxiliary_words(atom, truth)
        name, when = atom.fluent, self.when(atom.fluent)
        if not when:
            return self.vocabulary.words(Atom(name.plain, atom.value), truth)
        past = name if name.is_version else name.at(0)
        return f"{self.vocabulary.words(Atom(past, atom.value), truth)} ({when})"

    def when(self, version: str) -> str:
        """Return the time of a version of a fluent, in words; empty for the last version.

        If the current value is commonly known, the first version is treated as the last one.
        """
        name = Name.of(version)
        current = self.versions.get(name.plain, name.plain)
        if current == name or (isinstance(current, Fixed) and not name.is_version):
            return ""
        if not name.is_version:
            return "at first"
        stages = (stage for stage in self.stages if name in stage.vocabulary.fluents)
        made = next(stages, self).history.event
        return "" if made is None else f"after {made.source.moment}"

    def _auxiliary_words(self, atom: Atom, truth: bool) -> str:
        """Return an atom of an auxiliary fluent in words."""
        for stage in self.stages:
            occurrence = stage.history.occurrence
            words = occurrence and occurrence.say(atom.fluent, atom.value)
            if words:
                return words if truth else f"it is not true that {words}"
        return self.vocabulary.words(atom, truth)


@dataclass(eq=False)
class History:
    """The history of a structure.

    Attributes:
        before: the structure before the last event; None for a first structure.
        event: the last event.
        stated: its constraints, with names resolved.
        ties: the constraints that it added to define new versions and auxiliary fluents.
        traces: the traces of the action models of the history.
        occurrence: the last event, if it was an action model that some agent may have missed
            completely or in part.
        is_preparation: whether the structure is only the stage before such an action, with the
            action's own fluents: see `symkripke.model.product`.
        events: the number of events.
        settled: the earliest structure with the same worlds and observables; None if it is the
            structure itself, to avoid a reference cycle.
        unchecked: the earlier structures with changes whose cases may be incomplete.
        engine_caches: the caches of engines for all structures of this history, each under its own
            key. A cache is freed with the engine's key, or with the structures.
        after_actions: a cache of structures after the actions in formulas.
    """

    before: KnowledgeStructure | None = None
    event: Event | None = None
    stated: tuple[Constraint, ...] = ()
    ties: tuple[Constraint, ...] = ()
    traces: Traces = UNTOUCHED
    occurrence: Occurrence | None = None
    is_preparation: bool = False
    events: int = 0
    settled: KnowledgeStructure | None = None
    unchecked: tuple[KnowledgeStructure, ...] = ()
    engine_caches: WeakKeyDictionary[object, Any] = field(
        default_factory=WeakKeyDictionary, repr=False
    )
    after_actions: dict[ActionModel, KnowledgeStructure] = field(
        default_factory=dict, init=False, repr=False
    )
    _past: tuple[KnowledgeStructure, ...] | None = field(default=None, init=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        kept = [each.name for each in fields(self) if each.init and each.name != "engine_caches"]
        return History, tuple(getattr(self, name) for name in kept)

    @property
    def past(self) -> tuple[KnowledgeStructure, ...]:
        """All structures before this one, oldest first."""
        if self._past is None:
            line: list[KnowledgeStructure] = []
            known, before = None, self.before
            while before is not None and known is None:
                line.append(before)
                known, before = before.history._past, before.history.before
            self._past = (*(known or ()), *reversed(line))
        return self._past


def _unpickled(_: tuple[KnowledgeStructure, ...], *values: Any) -> KnowledgeStructure:
    return KnowledgeStructure(*values)
