"""Counting without a diagram, where the law allows it: which questions, and what is kept of them.

Hands of so many cards are the hard case of diagrams: from the seat of one of seven players with
five cards each a diagram has to remember 6**6 combinations of hand sizes at each card. Where a law
is made of sums (see `symkripke.engines.counting.sums`), its worlds are counted over states in an
order that suits the moment (`symkripke.engines.counting.dynamic_programme`), anew after each event,
which is quicker. It is not the way for a law that says more, for weights, and where private fluents
of events are to be left out of a count.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

from symkripke.engines.clock import Deadline
from symkripke.engines.counting.sums import Sum, as_sums
from symkripke.errors import BudgetExceeded, TooManyNodes
from symkripke.language import Atom, Constant, Formula, Not, negation
from symkripke.model import Fluent, KnowledgeStructure, Perspective

if TYPE_CHECKING:
    from symkripke.engines.counting.dynamic_programme import Walk
    from symkripke.engines.counting.markov_chain import Chain
    from symkripke.engines.counting.path_counts import Value, Ways

# Laws kept with their counts; the one not used for longest goes.
_KEPT = 16

Sums: TypeAlias = tuple[Sum, ...]
State: TypeAlias = KnowledgeStructure | Perspective
Seen: TypeAlias = frozenset[tuple[Atom, bool]]


class Tallies:
    """The laws of one line of structures, as far as they are sums."""

    def __init__(self, most: int, weighting: str) -> None:
        """At most so many steps for each; with likelihoods or without."""
        self.most = most
        self.weighting = weighting
        self._laws: WeakKeyDictionary[KnowledgeStructure, tuple[Sums | None]] = WeakKeyDictionary()
        self._keys: WeakKeyDictionary[KnowledgeStructure, object] = WeakKeyDictionary()
        self._ways: OrderedDict[tuple[object, Seen, Walk], Ways | None] = OrderedDict()

    def forget(self) -> None:
        """Let go of everything that can be worked out again."""
        self._ways.clear()

    def ways(
        self, state: State, walk: Walk = "short", deadline: Deadline | None = None
    ) -> Ways | None:
        """The worlds of a state; None if they cannot be counted so, or are too many for it.

        A weight of worlds is not a matter of sums: there must be none.
        """
        structure = state if isinstance(state, KnowledgeStructure) else state.structure
        law = self._law(structure)
        if law is None:
            return None
        seen = _seen(state)
        key = self._keys.setdefault(structure, object()), seen, walk
        if key not in self._ways:
            self._ways[key] = self._counted(structure, law, seen, walk, deadline)
            if len(self._ways) > _KEPT:
                self._ways.popitem(last=False)
        self._ways.move_to_end(key)
        return self._ways[key]

    def among(
        self, state: State, formula: Formula, deadline: Deadline | None = None
    ) -> Ways | None:
        """The worlds of a state at which a propositional formula is true; None as for `ways`."""
        structure = state if isinstance(state, KnowledgeStructure) else state.structure
        law, said = self._law(structure), as_sums(formula, structure.vocabulary.fluents)
        if law is None or said is None:
            return None
        return self._counted(structure, (*law, *said), _seen(state), "short", deadline)

    def number(
        self, state: State, names: Iterable[str] | None, deadline: Deadline | None = None
    ) -> int | None:
        """How many valuations these fluents (None: all) have; None as for `ways`.

        Also None if others have several values that these do not decide.
        """
        ways = self.ways(state, deadline=deadline)
        if ways is None or names is None:
            return None if ways is None else ways.total
        structure = state if isinstance(state, KnowledgeStructure) else state.structure
        asked = set(names)
        told = asked.union(
            name
            for name, values in ways.domains.items()
            if len(values) <= 1 or name in ways.frontier.loose
        )
        # A fluent that is defined by others is decided by them.
        left = ways.domains.keys() - told
        defined = [one for one in self._law(structure) or () if one.defines in left]
        grown = True
        while grown:
            found = {one.defines for one in defined if one.parts.keys() - {one.defines} <= told}
            grown = not found <= told
            told.update(name for name in found if name is not None)
        return ways.over(asked) if ways.domains.keys() <= told else None

    def share(
        self, perspective: Perspective, formula: Formula, deadline: Deadline | None = None
    ) -> Fraction | None:
        """The probability of a propositional formula; the state must have a world."""
        whole = self.ways(perspective, deadline=deadline)
        for asked, truth in ((formula, True), (negation(formula), False)):
            part = self.among(perspective, asked, deadline)
            if whole is not None and part is not None:
                share = Fraction(part.total, whole.total)
                return share if truth else 1 - share
        return None

    def joint(
        self, perspective: Perspective, resolved: Mapping[Atom, Formula], limit: int
    ) -> dict[frozenset[Atom], Fraction] | None:
        """For each set of these atoms that can be what is true of them, its probability.

        Raises:
            BudgetExceeded: there are more than `limit`.
        """
        fluents = perspective.structure.vocabulary.fluents
        asked: dict[str, set[int]] = {}
        for atom in map(_bare, resolved.values()):
            if isinstance(atom, Atom):
                place = fluents[atom.fluent].values.index(atom.value)
                asked.setdefault(atom.fluent, set()).add(place)
        found = self._joint(perspective, asked, limit)
        if found is None:
            return None
        joint: dict[frozenset[Atom], Fraction] = {}
        for true, share in found.items():
            said = {Atom(name, fluents[name].values[place]) for name, place in true}
            told = frozenset(atom for atom, formula in resolved.items() if _true(formula, said))
            joint[told] = joint.get(told, Fraction(0)) + share
        return joint

    def _joint(
        self, perspective: Perspective, asked: Mapping[str, Set[int]], limit: int
    ) -> dict[frozenset[Value], Fraction] | None:
        ways = self.ways(perspective)
        found = None if ways is None else ways.apart(asked)
        if found is None and (ways := self.ways(perspective, "all")) is not None:
            try:
                found = ways.joint(asked, limit)
            except TooManyNodes:
                return None
        if found is not None and len(found) > limit:
            raise BudgetExceeded(f"there are {len(found):,} possibilities, more than {limit:,}")
        return found

    def chain(self, perspective: Perspective, names: Sequence[str]) -> Chain | None:
        """The chain over these fluents; the state must have a world. None as for `ways`."""
        ways = self.ways(perspective, "in order")
        return None if ways is None else ways.chain(names)

    # ---- behind it --------------------------------------------------------------------------

    def _law(self, structure: KnowledgeStructure) -> Sums | None:
        """All constraints of the history as sums."""
        if structure not in self._laws:
            before: Sums = ()
            for stage in structure.history:
                if stage not in self._laws:
                    self._laws[stage] = (self._with(before, stage),)
                law = self._laws[stage][0]
                if law is None:
                    self._laws[structure] = (None,)
                    break
                before = law
        return self._laws[structure][0]

    def _with(self, before: Sums, stage: KnowledgeStructure) -> Sums | None:
        """What a stage adds, too."""
        if self.weighting != "equal" and stage.likelihoods:
            return None
        law = list(before)
        for constraint in stage.added:
            fluents = stage.vocabulary.fluents
            said = None if constraint.is_modal else as_sums(constraint.formula, fluents)
            if said is None:
                return None
            law.extend(said)
        return tuple(law)

    def _counted(
        self,
        structure: KnowledgeStructure,
        law: Sums,
        seen: Seen,
        walk: Walk,
        deadline: Deadline | None,
    ) -> Ways | None:
        # With numpy: not before something is counted.
        from symkripke.engines.counting.dynamic_programme import Frontier
        from symkripke.engines.counting.path_counts import Ways

        fluents = structure.vocabulary.fluents
        literals = [_literal(fluents[atom.fluent], atom, truth) for atom, truth in seen]
        try:
            return Ways(Frontier(fluents, (*law, *literals), self.most, walk, deadline))
        except TooManyNodes:
            return None


def _seen(state: State) -> Seen:
    if isinstance(state, KnowledgeStructure):
        return frozenset()
    return frozenset((observable.atom, truth) for observable, truth in state.observation)


def _true(formula: Formula, said: Container[Formula]) -> bool:
    """Whether a literal or constant is true where these atoms are, and no others."""
    if isinstance(formula, Constant):
        return formula.value
    return (_bare(formula) in said) is not isinstance(formula, Not)


def _bare(formula: Formula) -> Formula:
    return formula.operand if isinstance(formula, Not) else formula


def _literal(fluent: Fluent, atom: Atom, truth: bool) -> Sum:
    """What somebody has seen, as a sum."""
    return Sum(
        {fluent.name: tuple(int(value == atom.value) for value in fluent.values)}, 1 << truth
    )
