"""Knowledge structures: what is commonly known, and who observes what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, fields, replace
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from symkripke.argument_types import (
    checked,
    checked_all,
    described,
    explained,
    repeated,
    unexpected,
)
from symkripke.errors import InputError, NestedTooDeeply, UnknownName
from symkripke.language import FALSE, TRUE, Atom, Formula, Kv, Kw, conjunction, parse
from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.language.reduction import write_out_one
from symkripke.language.walk import (
    has_actions,
    has_announcements,
    is_propositional,
    rewrite,
    under,
)
from symkripke.model import product
from symkripke.model.actions import WHICH, ActionModel, PossibleEvent
from symkripke.model.beliefs import Soft, in_order
from symkripke.model.display import Drawn, drawn
from symkripke.model.events import Change, Constraint, Event, Likelihood, Observable, announcement
from symkripke.model.origin import NOWHERE, Origin
from symkripke.model.resolution_cache import Fixed, ResolutionCache
from symkripke.model.vocabulary import Fluent, Vocabulary
from symkripke.records import dataclass

# Every so many structures of a history are pickled before the others, so that the recursion is not
# as deep as the history is long.
_PICKLED_FIRST = 16

# Structures after actions that formulas speak of, kept for one structure.
_ACTIONS = 8

_UNTOUCHED = product.Traces()
"""Those of a history without action models of which anybody misses anything."""


@dataclass(frozen=True, eq=False, repr=False)
class KnowledgeStructure:
    """A knowledge structure F = (V, theta, O_1, ..., O_n).

    V is the vocabulary; the law theta is a formula over V, here a list of constraints with
    their sources; O_i is what agent i observes: a set of atoms of V. A *world* is a value for
    every fluent; the worlds of F are those at which the law is true; agent i cannot tell two
    of them apart that agree on O_i. (J. van Benthem, J. van Eijck, M. Gattinger, K. Su:
    Symbolic model checking for dynamic epistemic logic, 2018; K. Su, A. Sattar, X. Luo, 2007.)

    Structures are values: `update` returns the next one and shares all it can with this one.

    Attributes:
        vocabulary: the names. A changed fluent has one entry a version (`x`, `x#1`, ...).
        added: the constraints that the last event added; of a first structure, its law.
        observables: O_i for each agent, in order of appearance.
        versions: for each changed fluent what its plain name means now: the name of a
            version, or a value that is publicly known.
        before: the structure before the last event; None for a first one.
        event: the last event.
        likelihoods: how probable the last event was at each world, with names resolved; of a
            first structure, how probable each world is at the start.
        soft: the soft constraints that the last event added, with names resolved; of a first
            structure, those that agents start with. See `plausibility`.
        traces: what the action models of the history have left.
        occurrence: the last event, if it was an action model that somebody may have missed, or of
            which somebody may have missed something.
        is_preparation: whether this is only the stage before such an action, with the action's own
            fluents: see `symkripke.model.product`.
    """

    vocabulary: Vocabulary
    added: tuple[Constraint, ...]
    observables: Mapping[str, tuple[Observable, ...]]
    versions: Mapping[str, str | Fixed] = field(default_factory=dict)
    before: KnowledgeStructure | None = None
    event: Event | None = None
    likelihoods: tuple[Likelihood, ...] = ()
    soft: tuple[Soft, ...] = ()
    traces: product.Traces = _UNTOUCHED
    occurrence: product.Occurrence | None = None
    is_preparation: bool = False
    _resolutions: ResolutionCache = field(default_factory=ResolutionCache)

    def __reduce__(self) -> tuple[Any, ...]:
        values = tuple(getattr(self, each.name) for each in fields(self))
        return _unpickled, (self.past[::_PICKLED_FIRST], *values)

    def __repr__(self) -> str:
        return (
            f"<KnowledgeStructure: {len(self.vocabulary.fluents)} fluents, "
            f"{len(self.law)} constraints, {len(self.moments) - 1} events>"
        )

    def _repr_html_(self) -> str:
        from symkripke.model.html import structure_html

        return structure_html(self)

    def draw(self, formula: Formula | str | None = None, **options: Any) -> Drawn:
        """The picture of its worlds, and of who cannot tell them apart.

        Worlds with `formula` are grey. The options are those of `symkripke.drawing.draw`: `near`,
        `why`, `agents`, `fluents`, `layout` and so on; it raises as that does.
        """
        return drawn(self, formula, options)

    # ---- state it -------------------------------------------------------------------

    @classmethod
    @explained
    def of(
        cls,
        vocabulary: Vocabulary,
        law: Iterable[Constraint],
        observables: Mapping[str, Iterable[Observable]],
        soft: Iterable[Soft] = (),
        likelihoods: Iterable[Likelihood] = (),
    ) -> KnowledgeStructure:
        """A first structure. Raises `InputError` for names that the vocabulary does not have."""
        for agent in observables:
            vocabulary.agent(agent)
        defined = {
            name: [formula for _, formula in derived.cases]
            for name, derived in vocabulary.derived.items()
        }
        resolutions = ResolutionCache(vocabulary.fluents, defined)
        bare = cls(vocabulary, (), {}, _resolutions=resolutions)
        added = []
        for constraint in law:
            if not isinstance(constraint, Constraint):
                raise InputError(
                    f"expected constraints as the law, as in Constraint(formula, source), got "
                    f"{described(constraint)}"
                )
            if constraint.is_modal:
                raise InputError(
                    f"the first law cannot speak about knowledge: {constraint.formula}; "
                    "announce it as an event"
                )
            added.append(Constraint(bare.resolve(constraint.formula), constraint.source))
        meant: dict[Atom, Atom | None] = {}  # many agents observe the same atoms

        def observed(seen: Observable) -> Observable:
            checked(seen, Observable, where="observables")
            if seen.atom not in meant:
                meant[seen.atom] = bare._observed(seen.atom)
            atom = meant[seen.atom]
            assert atom is not None  # nothing has changed yet
            return seen if atom is seen.atom else Observable(atom, seen.source)

        seen = {
            agent: tuple(map(observed, observables.get(agent, ()))) for agent in vocabulary.agents
        }
        return cls(
            vocabulary,
            tuple(added),
            MappingProxyType(seen),
            likelihoods=bare._resolve_likelihoods(
                checked_all(likelihoods, Likelihood, "likelihoods")
            ),
            soft=bare._resolve_soft(soft),
            _resolutions=resolutions,
        )

    @explained
    def update(self, event: Event | ActionModel) -> KnowledgeStructure:
        """The structure after `event`: for an action model, the product update.

        Raises:
            UnknownName: the event speaks of fluents, values or agents that are not here.
            InputError: a new fluent has the name of another.
        """
        if isinstance(event, ActionModel):
            noticed = product.as_event(self, event)
            if noticed is None:
                return product.update(self, event)
            event = noticed
        for fluent in event.fluents:
            if "#" in fluent.name:
                raise InputError(f"a fluent's name cannot have a # (for versions): {fluent.name!r}")
        if twice := repeated(change.fluent for change in event.changes):
            raise InputError(f"{event.source}: {twice} changes twice in one event")
        wide = self.with_names(event.fluents) if event.fluents else self
        added = []
        for stated in event.constraints:
            resolved = (self if stated.is_modal else wide).resolve(stated.formula)
            same = resolved is stated.formula
            added.append(stated if same else Constraint(resolved, stated.source))
        versions = dict(self.versions) if event.changes else {}
        made: dict[str, Fluent] = {}
        constants: dict[str, str] = {}
        for change in event.changes:
            version, ties = wide._version(change, event)
            added.extend(ties)
            if isinstance(version, Fixed):
                versions[change.fluent] = version
                constants[f"{change.fluent}#{version.number}"] = version.value
            else:
                versions[change.fluent] = version.name
                made[change.fluent] = version
        vocabulary, observables, traces = wide.vocabulary, self.observables, self.traces
        if event.changes:
            vocabulary = vocabulary.extended(made.values(), constants)
        current = MappingProxyType(versions) if event.changes else self.versions
        if made or event.observes:
            watching = self._watching(event, made, vocabulary, current)
            vocabulary = vocabulary.extended(watching.made)
            added.extend(watching.ties)
            observables, traces = watching.observables, watching.traces()
        return KnowledgeStructure(
            vocabulary,
            tuple(added),
            observables,
            current,
            self,
            event,
            wide._resolve_likelihoods(event.likelihoods) if event.likelihoods else (),
            wide._resolve_soft(event.soft) if event.soft else (),
            traces,
            _resolutions=self._resolutions,
        )

    def _watching(
        self,
        event: Event,
        made: Mapping[str, Fluent],
        vocabulary: Vocabulary,
        versions: Mapping[str, str | Fixed],
    ) -> product.Watching:
        """What agents observe after an event that makes these versions of fluents."""
        watching = product.Watching(self, event.source, vocabulary)
        for agent, atoms in self.watched(made).items():
            for plain, (where, source) in atoms.items():
                atom = Atom(made[plain.fluent].name, plain.value)
                seen = watching.see(agent, atom, source, where=where)
                watching.watch(agent, plain, where, directly=seen)
        names = KnowledgeStructure(vocabulary, (), {}, versions, _resolutions=self._resolutions)
        for agent, shown in event.observes.items():
            self.vocabulary.agent(agent)
            for observable in shown:
                meant = names._observed(observable.atom)
                watching.show(agent, observable.atom, meant, observable.source)
        return watching

    def after_action(self, action: ActionModel) -> KnowledgeStructure:
        """The structure after an action that formulas speak of; kept, as far as there is room."""
        found = self._after.get(action)
        if found is None:
            while len(self._after) >= _ACTIONS:
                del self._after[next(iter(self._after))]
            found = self._after[action] = self.update(action)
        return found

    def preparation(self, event: Event) -> KnowledgeStructure:
        """The stage before an action model, for which `event` adds the action's own fluents."""
        return replace(self.update(event), is_preparation=True)

    def with_names(self, fluents: Iterable[Fluent]) -> KnowledgeStructure:
        """This structure's names, observables and versions, with more fluents and without a law.

        It resolves formulas of an event about the world before it. Raises `InputError`.
        """
        wide = self.vocabulary.extended(fluents)
        return KnowledgeStructure(
            wide, (), self.observables, self.versions, _resolutions=self._resolutions
        )

    @explained
    def announce(self, formula: Formula | str, source: Origin | str = "") -> KnowledgeStructure:
        """The structure after the public announcement of `formula`."""
        stated = self.parse(formula) if isinstance(formula, str) else formula
        return self.update(announcement(stated, source))

    def _resolve_likelihoods(self, likelihoods: Iterable[Likelihood]) -> tuple[Likelihood, ...]:
        return tuple(
            Likelihood(
                tuple((self.resolve(case), value) for case, value in likelihood.cases),
                likelihood.source,
            )
            for likelihood in likelihoods
        )

    def _resolve_soft(self, soft: Iterable[Soft]) -> tuple[Soft, ...]:
        resolved = []
        for belief in checked_all(soft, Soft, "soft"):
            for agent in belief.rank if isinstance(belief.rank, Mapping) else ():
                self.vocabulary.agent(agent)
            resolved.append(Soft(self.resolve(belief.formula), belief.rank, belief.source))
        return tuple(resolved)

    def _observed(self, atom: Atom) -> Atom | None:
        """The atom that an agent observes who observes this one; None if everybody knows it."""
        resolved = self.resolve(atom)
        if isinstance(resolved, f.Not):  # to see whether `p = false` is to see whether p
            resolved = resolved.operand
        return resolved if isinstance(resolved, Atom) else None

    def _version(
        self, change: Change, event: Event
    ) -> tuple[Fluent | Fixed, tuple[Constraint, ...]]:
        fluent = self.vocabulary.fluents.get(change.fluent)
        if fluent is None or "#" in change.fluent:
            raise UnknownName("fluent", change.fluent, self.vocabulary.fluents)
        source = change.source or event.source
        if isinstance(change.to, str):
            fluent.equals(change.to)
            return Fixed(change.to, self._next_number(fluent.name)), ()
        version = self.next_version(fluent.name)
        if change.to is None:
            return version, ()
        cases = {value: self.resolve(formula) for value, formula in change.to}
        for value, formula in cases.items():
            fluent.equals(value)
            if not is_propositional(formula):
                raise InputError(
                    f"{source}: what {fluent.name} becomes cannot depend on knowledge ({formula})"
                )
        # Of a Boolean fluent one case says it all.
        stated = tuple(cases)[:1] if fluent.is_boolean else fluent.values
        if fluent.is_boolean and "true" in cases:
            stated = ("true",)
        ties = tuple(
            Constraint(f.Iff(version.equals(value), cases.get(value, FALSE)), source)
            for value in stated
        )
        return version, ties

    def next_version(self, name: str) -> Fluent:
        """The version of a fluent that its next change makes."""
        return self.vocabulary.version(name, self._next_number(name))

    def _next_number(self, name: str) -> int:
        """The number of the version of a fluent that its next change makes."""
        last = self.versions.get(name, name)
        number = last.number if isinstance(last, Fixed) else int(last.partition("#")[2] or 0)
        return number + 1

    def watched(self, names: Iterable[str]) -> Mapping[str, Mapping[Atom, tuple[Formula, Origin]]]:
        """Return which atoms of these fluents each agent watches, where, and by which source.

        An agent that watches an atom observes it now, and in later versions as far as it notices
        the changes. Whoever observes the last version that is a variable watches at all worlds,
        unless `traces` says otherwise. The atoms have plain names.
        """
        names = dict.fromkeys(names)
        last = {self.last_variable(name): name for name in names}
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

    def last_variable(self, name: str) -> str:
        """Return the name of a fluent's last version that is a variable."""
        last = self.versions.get(name, name)
        if not isinstance(last, Fixed):
            return last
        numbers = range(last.number - 1, 0, -1)
        earlier = (f"{name}#{number}" for number in numbers)
        return next((one for one in earlier if one in self.vocabulary.fluents), name)

    # ---- ask it ----------------------------------------------------------------------

    @property
    def agents(self) -> tuple[str, ...]:
        """All agents, in order."""
        return self.vocabulary.agents

    @cached_property
    def past(self) -> tuple[KnowledgeStructure, ...]:
        """All structures before this one, the first one first.

        What is kept here is without this one: it would refer to itself, and would be freed long
        after the game, by the collector of cycles.
        """
        line: list[KnowledgeStructure] = []
        before = self.before
        while before is not None:
            line.append(before)
            if "past" in before.__dict__:
                return (*before.past, *reversed(line))
            before = before.before
        return tuple(reversed(line))

    @property
    def history(self) -> tuple[KnowledgeStructure, ...]:
        """All structures from the first one to this one."""
        return (*self.past, self)

    @property
    def moments(self) -> tuple[KnowledgeStructure, ...]:
        """The structures of the history at which something can be asked: one before each event.

        And this one. All but the preparations of action models.
        """
        if self.traces is _UNTOUCHED:
            return self.history
        return tuple(stage for stage in self.history if not stage.is_preparation)

    @property
    def root(self) -> KnowledgeStructure:
        """The first structure of the history."""
        past = self.past
        return past[0] if past else self

    @property
    def settled(self) -> KnowledgeStructure:
        """The earliest structure of the history with the same worlds, known to the same agents.

        The events since then have told and changed nothing, as bids do not. So everybody knows the
        same there; what agents believe can differ, because events can change plausibilities alone.
        """
        return self._settled_before or self

    @cached_property
    def _settled_before(self) -> KnowledgeStructure | None:
        """The same; None for this one, which must not refer to itself (see `past`)."""
        stage = self
        while "_settled_before" not in stage.__dict__ and stage._says_nothing():
            assert stage.before is not None
            stage = stage.before
        earlier: KnowledgeStructure | None = stage.__dict__.get("_settled_before")
        return earlier or (None if stage is self else stage)

    def _says_nothing(self) -> bool:
        """Whether the last event has left everything as it was."""
        before = self.before
        return (
            before is not None
            and not (self.added or self.likelihoods or self.is_preparation)
            and self.occurrence is None
            and self.traces is before.traces
            and self.vocabulary is before.vocabulary
            and self.versions == before.versions
            and self.observables == before.observables
        )

    @cached_property
    def engine_caches(self) -> WeakKeyDictionary[object, Any]:
        """The caches of engines for all structures of this history, each under a key of its own.

        They are kept with the first structure, because they may refer to it: so both are freed
        together, and a cache is freed with the engine's key.
        """
        if self.before is not None:
            return self.root.engine_caches
        # One dictionary for all threads: an engine must find its cache again.
        caches: WeakKeyDictionary[object, Any]
        caches = self.__dict__.setdefault("engine_caches", WeakKeyDictionary())
        return caches

    @cached_property
    def law(self) -> tuple[Constraint, ...]:
        """All constraints of the history, oldest first (modal ones about their own stage)."""
        return tuple(chain.from_iterable(stage.added for stage in self.history))

    @explained
    def plausibility(self, agent: str) -> tuple[Soft, ...]:
        """The soft constraints of the history that the agent takes up, most trusted first.

        Worlds are more or less plausible by these, lexicographically; see
        `symkripke.model.beliefs`.
        """
        order = self._orders.get(agent)
        if order is None:
            order = in_order([stage.soft for stage in self.history], agent)
            self._orders[agent] = order
        return order

    @cached_property
    def is_modal(self) -> bool:
        """Whether the law has constraints about knowledge.

        Only events after the last structure that was asked are examined, so that long games are not
        slower.
        """
        stage: KnowledgeStructure | None = self
        while stage is not None:
            known: bool | None = stage.__dict__.get("is_modal")
            if known is not None:
                return known
            if any(constraint.is_modal for constraint in stage.added):
                return True
            stage = stage.before
        return False

    @cached_property
    def unchecked(self) -> tuple[KnowledgeStructure, ...]:
        """The stages of the history with changes whose cases may leave worlds out, oldest first.

        Only events after the last structure that was asked are examined, as for `is_modal`.
        """
        found: list[KnowledgeStructure] = []
        stage: KnowledgeStructure | None = self
        known: tuple[KnowledgeStructure, ...] = ()
        while stage is not None:
            if "unchecked" in stage.__dict__:
                known = stage.unchecked
                break
            if stage.event is not None and any(map(stage._is_doubtful, stage.event.changes)):
                found.append(stage)
            stage = stage.before
        return (*known, *reversed(found))

    def _is_doubtful(self, change: Change) -> bool:
        """Whether at some world not exactly one case may be true."""
        if change.total or change.to is None or isinstance(change.to, str):
            return False
        # Of a Boolean fluent one case says it all.
        return len(change.to) != 1 or not self.vocabulary.fluents[change.fluent].is_boolean

    def coverings(self) -> tuple[KnowledgeStructure, tuple[tuple[Change, Formula], ...]]:
        """The conditions under which the changes of the last event are well-defined.

        Returns:
            the structure just before the changes, with the event's constraints and its own fluents;
            and for each change that must be checked the formula that exactly one case is true. It
            must be true at all worlds of that structure.
        """
        assert self.before is not None
        assert self.event is not None
        stated = Event(self.event.source, self.event.constraints, self.event.fluents)
        during = self.before.update(stated)
        return during, tuple(
            (change, during.resolve(f.exactly(1, [formula for _, formula in change.to or ()])))
            for change in self.event.changes
            if self._is_doubtful(change) and not isinstance(change.to, str)
        )

    @cached_property
    def domains(self) -> tuple[Constraint, ...]:
        """The constraints that each fluent has exactly one value, with sources."""
        return tuple(
            Constraint(fluent.domain, fluent.source or f"{fluent.name} has exactly one value")
            for fluent in self.vocabulary.fluents.values()
            if not fluent.is_boolean
        )

    @cached_property
    def changed(self) -> frozenset[str]:
        """The fluents that ever changed."""
        return frozenset(self.versions)

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """The atoms of all fluents that somebody named, by their plain names."""
        return tuple(
            atom
            for name, fluent in self.vocabulary.fluents.items()
            if "#" not in name and name not in self.traces.made_up
            for atom in fluent.atoms
        )

    @cached_property
    def _cases(self) -> dict[str, tuple[Formula, ...]]:
        """What the values of derived fluents stand for, of those that were asked about."""
        return {}

    @explained
    def fluents(self, name: str) -> tuple[Formula, ...]:
        """For each value of the (plain or derived) fluent, the formula that it has that value.

        The formulas are resolved. Raises `UnknownName`.
        """
        derived = self.vocabulary.derived.get(name)
        if derived is not None:
            cases = self._cases.get(name)
            if cases is None:
                resolved = [self.resolve(formula) for _, formula in derived.cases]
                cases = self._cases[name] = tuple(resolved)
            return cases
        fluent = self.vocabulary.fluents.get(name)
        if fluent is None:
            raise UnknownName("fluent", name, (*self.vocabulary.fluents, *self.vocabulary.derived))
        return tuple(fluent.equals(value) for value in fluent.values)

    @explained
    def parse(self, text: str) -> Formula:
        """Read a formula with this structure's names; raises `FormulaError`."""
        return parse(text, self.vocabulary)

    @cached_property
    def _resolved(self) -> WeakSet[Formula]:
        """Formulas that mean themselves, with names that not all structures of the history have.

        Where names keep their meaning, structures share them.
        """
        stage = self
        while (
            "_resolved" not in stage.__dict__
            and (before := stage.before) is not None
            and stage.vocabulary is before.vocabulary
            and stage.versions is before.versions
        ):
            stage = before
        if stage is self:
            return WeakSet()
        return stage._resolved

    @cached_property
    def _after(self) -> dict[ActionModel, KnowledgeStructure]:
        """What `after_action` keeps."""
        return {}

    @cached_property
    def _orders(self) -> dict[str, tuple[Soft, ...]]:
        """What `plausibility` keeps."""
        return {}

    def resolve(self, formula: Formula) -> Formula:
        """`formula` with every plain name replaced by the version that it means now.

        Engines and laws work on resolved formulas, in which `x` is always the first version.
        Checks all names; raises `UnknownName`, or `InputError` for what is no formula. Linear in
        the size of the formula. Results are kept for all structures that come from the same first
        one.
        """
        if isinstance(formula, Atom):  # by far the most frequent case
            return self._resolve_atom(formula)
        if not isinstance(formula, f.Formula):
            raise unexpected("a formula", formula)
        key = self._resolutions.key(formula, self.versions)
        if key is not None:
            meaning = self._resolutions.get(key)
            if meaning is None:
                meaning = self._resolve_anew(formula)
                self._resolutions.add(key, meaning)
            return meaning
        if formula in self._resolved:
            return formula
        resolved = self._resolve_anew(formula)
        if resolved is formula:
            self._resolved.add(formula)
        return resolved

    def _resolve_anew(self, formula: Formula) -> Formula:
        if has_announcements(formula) and has_actions(formula):
            formula = rewrite(formula, _as_action)
        if not self.versions and self._means_itself(formula):
            return formula

        def visit(part: Formula, operands: tuple[Formula, ...]) -> Formula:
            if isinstance(part, Atom):
                return self._resolve_atom(part)
            same = part if operands == part.operands else part.rebuild(operands)
            if not isinstance(same, f.Modal) or (isinstance(same, Kv) and same is not part):
                return same  # only a part is left, which is resolved
            return self._resolve_operator(same)

        def as_it_is(part: Formula) -> Formula | None:
            return part if part.propositional and self._means_itself(part) else None

        return fold(formula, visit, None if self.versions else as_it_is)

    def _resolve_operator(self, operator: f.Modal) -> Formula:
        """An operator over resolved operands; operators that engines do not know are replaced."""
        self._check(operator)
        if isinstance(operator, f.AfterAction):
            after = self.after_action(checked(operator.action, ActionModel))
            try:
                after.resolve(operator.then)
            except RecursionError:
                raise NestedTooDeeply from None
        resolved = self._resolve_value(operator) if isinstance(operator, Kv) else operator
        return write_out_one(resolved, self.fluents)

    def _means_itself(self, formula: Formula) -> bool:
        """Whether the formula is its own resolved form: it names fluents that never changed.

        So do most formulas. False also for unknown names, which are reported later.
        """
        core = under(formula)
        while formula is not core:
            assert isinstance(formula, f.K | f.M | f.Kw | f.B)
            if not self.vocabulary.is_agent(formula.agent):
                return False
            formula = formula.operand
        key = self._resolutions.key(core, self.versions)
        if key is not None and self._resolutions.get(key) is core:
            return True
        if not core.propositional:
            return False
        fluents = self.vocabulary.fluents
        stack, seen = [core], {core}
        while stack:
            part = stack.pop()
            if type(part) is Atom:
                fluent = fluents.get(part.fluent)
                if fluent is None or part.value == "false" or part.value not in fluent.positions:
                    return False
                continue
            for inner in part.operands:
                if inner not in seen:
                    seen.add(inner)
                    stack.append(inner)
        if key is not None:
            self._resolutions.add(key, core)
        return True

    def _check(self, operator: f.Modal) -> None:
        """Check that the agents and fluents of the operator exist."""
        for agent in operator.agents:
            self.vocabulary.agent(agent)
        if isinstance(operator, Kv):
            for name in operator.fluents:
                if self.vocabulary.domain(name) is None:
                    self.fluents(name)

    def _resolve_name(self, name: str) -> str | Fixed:
        if name.endswith("#0"):
            return name.removesuffix("#0")
        if name in self.vocabulary.constants:
            return Fixed(self.vocabulary.constants[name], int(name.partition("#")[2]))
        return self.versions.get(name, name)

    def _resolve_atom(self, atom: Atom) -> Formula:
        name, value, fluents = atom.fluent, atom.value, self.vocabulary.fluents
        fluent = self.vocabulary.domain(name)
        if fluent is None:
            raise UnknownName("fluent", name, fluents)
        if value not in fluent.positions:
            raise UnknownName(f"value of {name}", value, fluent.values)
        version = self._resolve_name(name)
        if isinstance(version, Fixed):
            return TRUE if version.value == value else FALSE
        if version == name and value != "false":
            return atom
        # `equals`, so that `p = false` becomes `~p`.
        return fluents[version].equals(value)

    def _resolve_value(self, part: Kv) -> Formula:
        names: list[str] = []
        known: list[Formula] = []
        for name in part.fluents:
            derived = self.vocabulary.derived.get(name)
            if derived is not None:
                cases = [(formula, self.resolve(formula)) for _, formula in derived.cases]
                if all(formula is resolved for formula, resolved in cases):
                    names.append(name)
                else:
                    # The name would mean something else at another stage: use its formula.
                    known.extend(Kw(part.agent, resolved) for _, resolved in cases)
                continue
            version = self._resolve_name(name)
            if not isinstance(version, Fixed):
                names.append(version)
        values = [Kv(part.agent, names)] if names else []
        return conjunction([*values, *known])

    def words(self, atom: Atom, truth: bool) -> str:
        """`atom` or its negation in words; for an old version, with the event before it."""
        sight = self.traces.sights.get(atom.fluent)
        if sight is not None:
            said = f"{sight.agent} sees that {sight.atom}"
            return said if truth else f"it is not true that {said}"
        if atom.fluent in self.traces.made_up:
            return self._made_up_words(atom, truth)
        plain, when = atom.fluent.partition("#")[0], self.when(atom.fluent)
        if not when:
            return self.vocabulary.words(Atom(plain, atom.value), truth)
        past = atom.fluent if "#" in atom.fluent else f"{plain}#0"
        return f"{self.vocabulary.words(Atom(past, atom.value), truth)} ({when})"

    def when(self, version: str) -> str:
        """Return when a version of a fluent was current, in words; nothing for the last version.

        Once everybody knows the value, the first version is the last one that is spoken of.
        """
        plain, sign, _ = version.partition("#")
        current = self.versions.get(plain, plain)
        if current == version or (isinstance(current, Fixed) and not sign):
            return ""
        if not sign:
            return "at first"
        stages = (stage for stage in self.history if version in stage.vocabulary.fluents)
        made = next(stages, self).event
        return "" if made is None else f"after {made.source.moment}"

    def _made_up_words(self, atom: Atom, truth: bool) -> str:
        """An atom of a fluent that an action brought, in words."""
        for stage in self.history:
            said = stage.occurrence and stage.occurrence.say(atom.fluent, atom.value)
            if said:
                return said if truth else f"it is not true that {said}"
        return self.vocabulary.words(atom, truth)


def _unpickled(_: tuple[KnowledgeStructure, ...], *values: Any) -> KnowledgeStructure:
    return KnowledgeStructure(*values)


def _as_action(formula: Formula) -> Formula:
    """An announcement before what is so after an action: as an action itself.

    Names after it mean then what they mean there, as they do after the other.
    """
    match formula:
        case f.Announced(said, then) if has_actions(then):
            return f.AfterAction(_saying(said), then)
        case f.AnnouncedTrue(said, then) if has_actions(then):
            return f.after_some(_saying(said), then)
    return formula


def _saying(formula: Formula) -> ActionModel:
    return ActionModel(
        f"it is announced that {formula}",
        (PossibleEvent("said", formula),),
        otherwise=WHICH,
        name=f"!{formula}",
    )
