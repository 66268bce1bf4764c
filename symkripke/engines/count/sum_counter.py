"""Counting without a diagram, for laws that are sums.

Hands of known sizes are hard for diagrams: for one of seven players with five cards each, a diagram
must distinguish 6**6 combinations of hand sizes at each card. If a law consists of sums (see
`symkripke.engines.count.sums`), it is faster to count its worlds over states after each event, in
an order chosen for the question (`symkripke.engines.count.dynamic_programme`). This method cannot
handle other laws, weights, or private fluents that must be summed out. The steps over fluents are
more general: they support weights and sum out private fluents (see
`symkripke.engines.count.weighed_events`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

from symkripke.engines.asked import contradiction, structure_of
from symkripke.engines.caches import LRUCache, along_history
from symkripke.engines.count.components import Components
from symkripke.engines.count.sums import SumConstraint, as_sums, count_disjoint
from symkripke.engines.count.tuning import CountingTuning
from symkripke.engines.count.value_counts import ValueCounter, ValueCounts
from symkripke.engines.count.weighed_events import EventSums, Seen, event_sums
from symkripke.errors import BudgetExceeded, TooManyNodes
from symkripke.language import Atom, Constant, Formula, Not, negation
from symkripke.limits import look
from symkripke.model import Fluent, KnowledgeStructure, Perspective

if TYPE_CHECKING:
    from symkripke.engines.count.cells import Cells
    from symkripke.engines.count.dynamic_programme import Walk
    from symkripke.engines.count.open_law import OpenLaw
    from symkripke.engines.count.path_counts import PathCounts, Value
    from symkripke.engines.count.steps import Names, Order, Steps

Sums: TypeAlias = tuple[SumConstraint, ...]
State: TypeAlias = KnowledgeStructure | Perspective


class SumCounter:
    """The counter for laws of sums of one family of structures."""

    def __init__(self, most: int, weighting: str, tuning: CountingTuning | None = None) -> None:
        """Create a counter with at most `most` steps per law; `weighting` is "equal" or "bayes"."""
        self.most = most
        self.tuning = tuning = tuning or CountingTuning()
        self.weighting = weighting
        self._laws: WeakKeyDictionary[KnowledgeStructure, Sums | None] = WeakKeyDictionary()
        # Avoids narrowing the law again for each agent: about a tenth of the time of marginals in
        # Kwartet.
        self._narrowed: WeakKeyDictionary[KnowledgeStructure, OpenLaw | None] = WeakKeyDictionary()
        self._keys: WeakKeyDictionary[KnowledgeStructure, object] = WeakKeyDictionary()
        # Saves counting equivalent cells again in each scene.
        self._cells: LRUCache[tuple[object, str, Formula], Cells] = LRUCache(tuning.laws)
        # Avoids repeated counts: marginals, counts and samples are often asked for one perspective.
        self._paths: LRUCache[tuple[object, Seen, Walk], PathCounts | None]
        self._paths = LRUCache(tuning.laws, tuning.states, _states)
        # Avoids narrowing a law again for each order of its fluents.
        self._open: LRUCache[tuple[object, Seen, Sequence[str]], OpenLaw] = LRUCache(tuning.laws)
        self._components = Components(tuning.components)
        self._by_value = ValueCounter(weighting, tuning)
        self._events: WeakKeyDictionary[KnowledgeStructure, EventSums | None] = WeakKeyDictionary()

    def paths(self, state: State) -> PathCounts | ValueCounts | None:
        """Return the counts of the worlds of a state; None if this method cannot count them."""
        return self._by_value.counts(state) or self._paths_of_sums(state)

    def _paths_of_sums(self, state: State, walk: Walk = "short") -> PathCounts | None:
        """Return the counts of a state whose law consists of sums; None for other laws."""
        structure, seen = structure_of(state).settled, _seen(state)
        if self._law(structure) is None:
            return None
        key = self._keys.setdefault(structure, object()), seen, walk
        if key not in self._paths:
            return self._paths.put(key, self._counted_at(structure, seen, walk))
        return self._paths.get(key)

    def number(self, state: State, names: Iterable[str] | None) -> int | None:
        """Return the number of valuations of these fluents, or of all if `names` is None.

        Return None if this method cannot count the worlds, or if these fluents do not determine the
        others.
        """
        structure = structure_of(state)
        by_value = self._by_value.number(state, names)
        if by_value is not None:
            return by_value
        if not _seen(state) and (law := self._law(structure.settled)) is not None:
            names = None if names is None else frozenset(names)
            apart = count_disjoint(
                law, structure.vocabulary.fluents, names, self.tuning.disjoint_parts
            )
            if apart is not None:
                return apart
        paths = self._paths_of_sums(state)
        if paths is None or names is None:
            return None if paths is None else paths.total
        asked = set(names)
        determined = asked.union(
            name
            for name, values in paths.domains.items()
            if len(values) <= 1 or name in paths.programme.unconstrained
        )
        # A fluent defined by determined fluents is determined, too.
        left = paths.domains.keys() - determined
        defined = [sum_ for sum_ in self._law(structure) or () if sum_.defines in left]
        grown = True
        while grown:
            defined_fluents = {
                sum_.defines for sum_ in defined if sum_.parts.keys() - {sum_.defines} <= determined
            }
            grown = not defined_fluents <= determined
            determined.update(name for name in defined_fluents if name is not None)
        return paths.over(asked) if paths.domains.keys() <= determined else None

    def probability(self, perspective: Perspective, formula: Formula) -> Fraction | None:
        """Return the probability of a propositional formula; None if sums cannot express it.

        The perspective must have a world.
        """
        from symkripke.engines.count.open_law import OpenLaw

        share = self._by_value.probability(perspective, formula)
        if share is not None:
            return share
        whole = self._paths_of_sums(perspective)
        if whole is None:
            return None
        fluents = perspective.structure.vocabulary.fluents
        for asked, truth in ((formula, True), (negation(formula), False)):
            said = as_sums(asked, fluents)
            if said is None:
                continue
            share = self._components.share(
                whole.programme,
                said,
                lambda part, sums: _total(self._counted(OpenLaw.of(part, sums), "short")),
            )
            if share is None:
                seen = _seen(perspective)
                both = self._counted_at(perspective.structure, seen, "short", said)
                share = None if both is None else Fraction(both.total, whole.total)
            if share is not None:
                return share if truth else 1 - share
        return None

    def cells(self, structure: KnowledgeStructure, agent: str, fact: Formula) -> Cells | None:
        """Return an agent's cells with the probability of a fact; None if the law is not sums."""
        from symkripke.engines.count.cells import Cells  # only a few questions need this import

        law = self._law(structure)
        if law is None:
            return None
        key = self._keys.setdefault(structure, object()), agent, fact
        cached = self._cells.get(key)
        return cached or self._cells.put(key, Cells(self.probability, law, structure, agent, fact))

    def distribution(
        self, perspective: Perspective, resolved: Mapping[Atom, Formula], limit: int
    ) -> dict[frozenset[Atom], Fraction] | None:
        """Return, for each set of these atoms, the probability that exactly these are true.

        Return None if this method cannot count the worlds.

        Raises:
            BudgetExceeded: there are more than `limit` sets.
        """
        asked: dict[str, set[str]] = {}
        for atom in map(_without_not, resolved.values()):
            if isinstance(atom, Atom):
                asked.setdefault(atom.fluent, set()).add(atom.value)
        shares = self._distribution(perspective, asked, limit)
        if shares is None:
            return None
        joint: dict[frozenset[Atom], Fraction] = {}
        otherwise = frozenset(atom for atom, formula in resolved.items() if _true(formula))
        depending: dict[Formula, list[Atom]] = {}
        for atom, formula in resolved.items():
            depending.setdefault(_without_not(formula), []).append(atom)
        for true, share in shares.items():
            look()
            changed = chain.from_iterable(depending.get(Atom(*value), ()) for value in true)
            atoms = otherwise.symmetric_difference(changed)
            joint[atoms] = joint.get(atoms, Fraction(0)) + share
        return joint

    def _distribution(
        self, perspective: Perspective, asked: Mapping[str, Set[str]], limit: int
    ) -> dict[frozenset[Value], Fraction] | None:
        by_value = self._by_value.distribution(perspective, asked, limit)
        paths = None if by_value is not None else self._paths_of_sums(perspective)
        by_value = by_value if paths is None else paths.exclusive(asked)
        if by_value is None and (paths := self._paths_of_sums(perspective, "all")) is not None:
            try:
                by_value = paths.distribution(asked, limit)
            except TooManyNodes:
                return None
        if by_value is not None and len(by_value) > limit:
            raise BudgetExceeded(f"there are {len(by_value):,} possibilities, more than {limit:,}")
        return by_value

    def steps(
        self, perspective: Perspective, names: Names, order: Order, merged: Names
    ) -> Steps | None:
        """See `Counter.steps`. Return None if this method cannot count the worlds."""
        key = self._keys.setdefault(perspective.structure, object()), _seen(perspective), names
        law = self._open.get(key) or self._open_law(perspective, names)
        while law is not None:
            walked = self._walked(perspective, law, names, order, merged)
            exact = None if walked is None or order == "given" else walked.possible(law)
            if exact is None or exact == law.domains:
                self._open.put(key, law)
                return walked
            # Bounds can leave impossible values. Without these values, more values and fluents are
            # interchangeable, and there are fewer sums.
            law = law.within(exact)
        return None

    def _walked(
        self, perspective: Perspective, law: OpenLaw, names: Names, order: Order, merged: Names
    ) -> Steps | None:
        """Return the steps over these fluents by a law; None if it leaves others undetermined."""
        from symkripke.engines.count.steps import Steps  # imports numpy

        reduced = law.merged(merged)
        paths = self._counted(reduced, names if order == "given" else "all")
        if paths is None:
            return None
        if paths.is_empty:
            raise contradiction(perspective)
        if order == "any":
            places = {level.fluent: place for place, level in enumerate(paths.programme.levels)}
            names = (*sorted(names, key=lambda name: places.get(name, len(places))),)
        steps = paths.steps(names)
        return None if steps is None else Steps(steps, reduced.groups, law.interchangeable)

    def _open_law(self, perspective: Perspective, names: Sequence[str]) -> OpenLaw | None:
        """Return the agent's knowledge of these fluents as sums; None if that is impossible."""
        from symkripke.engines.count.open_law import OpenLaw

        structure, seen = perspective.structure, _seen(perspective)
        weighed = self._weighed(structure, seen, names)
        if weighed is not None:
            fluents, law, seen = weighed
        elif (plain := self._law(structure)) is not None:
            fluents, law = structure.vocabulary.fluents, plain
        else:
            return None
        said = (*law, *_as_sums(seen, fluents))
        return OpenLaw.of(fluents, _without_definitions(said, frozenset(names))).distinct()

    def _weighed(
        self, structure: KnowledgeStructure, seen: Seen, names: Sequence[str]
    ) -> tuple[Mapping[str, Fluent], Sums, Seen] | None:
        """Return fluents and weighted sums without private fluents, and the other observations.

        Return None if part of the law is neither sums nor events with private fluents, or if a
        private fluent is asked for or mentioned by a later event.
        """
        fluents = dict(structure.vocabulary.fluents)
        law: list[SumConstraint] = []
        for stage in structure.stages:
            if stage not in self._events:
                self._events[stage] = event_sums(stage, self.weighting, self.tuning)
            event = self._events[stage]
            # The private fluents of earlier events are no longer fluents.
            if event is None or not event.fluents_asked <= fluents.keys():
                return None
            own = frozenset(literal for literal in seen if literal[0].fluent in event.secret)
            weights = event.weights(own)
            if weights is None or not event.secret.keys().isdisjoint(names):
                return None
            law += [*event.plain, *weights]
            seen -= own
            for name in event.secret:
                del fluents[name]
        return fluents, tuple(law), seen

    # ---- behind it --------------------------------------------------------------------------

    def _law(self, structure: KnowledgeStructure) -> Sums | None:
        """Return all constraints of the history as sums; None if that is impossible."""
        return along_history(structure, self._laws, (), self._with)

    def _with(self, before: Sums, stage: KnowledgeStructure) -> Sums | None:
        """Return the sums extended by the sums of a stage; None if the stage adds anything else."""
        if self.weighting != "equal" and stage.likelihoods.added:
            return None
        law = list(before)
        for constraint in stage.law.added:
            fluents = stage.vocabulary.fluents
            said = None if constraint.is_modal else as_sums(constraint.formula, fluents)
            if said is None:
                return None
            law.extend(said)
        return tuple(law)

    def _counted_at(
        self, structure: KnowledgeStructure, seen: Seen, walk: Walk, said: Sums = ()
    ) -> PathCounts | None:
        """Return the counts of the worlds of a structure at which the sums `said` hold, too."""
        from symkripke.engines.count.open_law import OpenLaw

        if self._law(structure) is None:
            return None
        law = along_history(structure, self._narrowed, OpenLaw({}, {}, ()), self._extended)
        assert law is not None
        fluents = structure.vocabulary.fluents
        more = (*said, *_as_sums(seen, fluents))
        return self._counted(law.extended(fluents, more) if more else law, walk)

    def _extended(self, before: OpenLaw, stage: KnowledgeStructure) -> OpenLaw:
        """Return the law extended by the sums of a stage."""
        earlier = stage.history.before
        known = () if earlier is None else self._law(earlier) or ()
        return before.extended(stage.vocabulary.fluents, (self._law(stage) or ())[len(known) :])

    def _counted(self, law: OpenLaw, walk: Walk) -> PathCounts | None:
        # These import numpy, which is slow.
        from symkripke.engines.count.dynamic_programme import DynamicProgramme
        from symkripke.engines.count.path_counts import PathCounts

        try:
            return PathCounts(DynamicProgramme(law, self.most, walk, self.tuning))
        except TooManyNodes:
            return None


def _total(paths: PathCounts | None) -> int | None:
    return None if paths is None else paths.total


def _states(paths: PathCounts | None) -> int:
    return 0 if paths is None else paths.programme.states


def _seen(state: State) -> Seen:
    if isinstance(state, KnowledgeStructure):
        return frozenset()
    return frozenset((observable.atom, truth) for observable, truth in state.observation)


def _as_sums(seen: Seen, fluents: Mapping[str, Fluent]) -> Sums:
    """Return the observations of an agent as sums over one fluent each."""
    return tuple(
        SumConstraint({atom.fluent: tuple(int(v == atom.value) for v in values)}, 1 << truth)
        for atom, truth in seen
        for values in (fluents[atom.fluent].values,)
    )


def _without_definitions(sums: Sums, asked: Set[str]) -> Sums:
    """Return the sums without definitions of unused fluents that are not in `asked`."""
    spoken = Counter(name for law_sum in sums for name in law_sum.parts)
    return tuple(
        law_sum
        for law_sum in sums
        if law_sum.defines is None or law_sum.defines in asked or spoken[law_sum.defines] > 1
    )


def _true(formula: Formula) -> bool:
    """Return whether a literal or constant is true when all atoms are false."""
    return formula.value if isinstance(formula, Constant) else isinstance(formula, Not)


def _without_not(formula: Formula) -> Formula:
    return formula.operand if isinstance(formula, Not) else formula
