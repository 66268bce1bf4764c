"""Symmetries: images of a lemma under exchanges of interchangeable fluents.

If a law treats two fluents in the same way, they can be exchanged in every lemma about a formula
that also treats them in the same way. For example, an agent that knows something by the values of
four fluents would also know it by the same values of four other fluents of the same kinds. The
search needs hundreds of such lemmas, and spends most of its time on finding a small core for each.
So the cores of a proxy are kept as patterns: the number of fluents of each kind, with their values.
If a pattern matches at a world, its lemma for the fluents there is learned without a search.

A lemma from a counter-world also has images: an agent does not know something, because two fluents
of these kinds could be exchanged. These images are stated all at once, by counting the fluents of a
kind that meet each condition. They are valid until the next event. This is done for formulas about
knowledge; for facts, `axioms` states all cyclic swaps.

Only names are compared, formula by formula, so some symmetries are missed. A structure whose
fluents have changed, or whose law mentions knowledge, is treated as having no symmetries.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from itertools import combinations, islice
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from symkripke.engines.sat.bits import bits_of
from symkripke.engines.sat.modal.normal_form import fluents_of
from symkripke.engines.sat.modal.proxy import Proxy
from symkripke.engines.sat.swaps.lemma import Lemma
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.language.walk import subformulas
from symkripke.limits import look
from symkripke.model import KnowledgeStructure
from symkripke.records import dataclass

if TYPE_CHECKING:
    from symkripke.engines.sat.modal.state import ModalState


Kinds = tuple[tuple[str, ...], ...]
"""Kinds of fluents that can be exchanged with each other; each kind has at least two fluents."""

Values = frozenset[tuple[int, bool]]
"""A condition on a fluent: the truth of some of its variables, by their indices."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """The conditions of a lemma.

    Attributes:
        fixed: the literals about fluents that belong to no kind.
        kinds: for each kind, conditions that must be met by different fluents of the kind.
    """

    fixed: frozenset[int]
    kinds: tuple[tuple[Values, ...], ...]


@dataclass(eq=False, slots=True)
class _Cores:
    """The patterns of the lemmas of a proxy.

    Attributes:
        kinds: the kinds of fluents that can be exchanged in the lemmas.
        patterns: the patterns of lemmas that imply the proxy, most recently used first.
        known: the same patterns as a set.
        stated: the patterns whose images have been stated.
        covered: the number of lemmas that were turned into patterns.
        refutations: the patterns of lemmas from counter-worlds, whose images have been stated.
        refuted: the number of lemmas from counter-worlds that were turned into patterns.
    """

    kinds: Kinds
    patterns: list[_Pattern] = field(default_factory=list)
    known: set[_Pattern] = field(default_factory=set)
    stated: set[_Pattern] = field(default_factory=set)
    covered: int = 0
    refutations: set[_Pattern] = field(default_factory=set)
    refuted: int = 0


class Symmetries:
    """The images of the lemmas of a search."""

    def __init__(self, state: ModalState) -> None:
        """Create an empty cache."""
        self._state = state
        self._structure: KnowledgeStructure | None = None
        self._kinds: Kinds = ()
        self._cores: WeakKeyDictionary[Proxy, _Cores] = WeakKeyDictionary()
        self._places: dict[int, tuple[str, int]] = {}

    def image(self, proxy: Proxy, world: int) -> Lemma | None:
        """Return an image of a known lemma that implies the proxy at `world`; None if none fits."""
        lemmas = proxy.lemmas[True]
        if len(lemmas) < self._state.encoding.tuning.lemmas_before_images:
            return None
        cores = self._cores_of(proxy)
        if cores is None:
            return None
        for lemma in islice(lemmas, cores.covered, None):
            self._note(cores, lemma)
        cores.covered = len(lemmas)
        image = self._fitting(cores, world)
        if image is not None and cores.patterns[0] not in cores.stated:
            cores.stated.add(cores.patterns[0])
            unless = self._state.unless(proxy, True)
            self._state_images(proxy.literal, unless, cores.kinds, cores.patterns[0])
        return image

    def refute_images(self, proxy: Proxy, unless: Sequence[int]) -> None:
        """State the images of lemmas that imply that the proxy is false, if they can be counted.

        The images apply if all literals of `unless` are assumed.
        """
        lemmas = proxy.lemmas[False]
        if len(lemmas) < self._state.encoding.tuning.lemmas_before_images:
            return
        cores = self._cores_of(proxy)
        if cores is None:
            return
        for lemma in islice(lemmas, cores.refuted, None):
            pattern = self._pattern(cores.kinds, lemma)
            if pattern is not None and pattern not in cores.refutations:
                cores.refutations.add(pattern)
                self._state_images(-proxy.literal, unless, cores.kinds, pattern)
        cores.refuted = len(lemmas)

    def _cores_of(self, proxy: Proxy) -> _Cores | None:
        """Return the patterns of a proxy; None if no fluents can be exchanged in its lemmas."""
        if self._structure is not self._state.structure:
            self._kinds = self._of_law()
            self._cores.clear()
            self._structure = self._state.structure
        if not self._kinds:
            return None
        cores = self._cores.get(proxy)
        if cores is None:
            cores = self._cores[proxy] = _Cores(self._of_operand(proxy.operand))
        return cores if cores.kinds else None

    # ---- interchangeable fluents ----------------------------------------------------------

    def _of_law(self) -> Kinds:
        """Return the kinds of fluents that the law and all observations treat in the same way."""
        state, structure = self._state, self._state.structure
        self._places = {
            variable: (name, place)
            for name, variables in state.law.fluents.items()
            for place, variable in enumerate(variables)
        }
        if structure.versions or structure.law.is_modal or state.modal_law.announcements:
            return ()
        seen = [frozenset(state.observed((agent,))) for agent in structure.vocabulary.agents]
        if not all(variable in self._places for variables in seen for variable in variables):
            return ()  # some agent observes more than values of fluents
        touching: dict[str, dict[Formula, None]] = defaultdict(dict)
        for stage in structure.stages:
            for part in state.encoding.facts(stage):
                for name in fluents_of(part):
                    touching[name][part] = None

        def described(name: str) -> Hashable:
            variables = state.law.fluents[name]
            return (
                structure.vocabulary.fluents[name].values,
                len(touching[name]),
                tuple(tuple(variable in own for variable in variables) for own in seen),
            )

        groups: dict[Hashable, list[str]] = defaultdict(list)
        for name in state.law.fluents:
            groups[described(name)].append(name)
        return _classes(groups.values(), _Shapes(touching).interchangeable)

    def _of_operand(self, operand: Formula) -> Kinds:
        """Divide the kinds of the law into classes that a formula also treats in the same way."""
        if any(part.operands and not isinstance(part, _KNOWN) for part in subformulas(operand)):
            return ()  # belief may depend on fluents that the formula does not mention
        touching = {name: {operand: None} for name in fluents_of(operand)}
        return _classes(self._kinds, _Shapes(touching).interchangeable)

    # ---- patterns --------------------------------------------------------------------------

    def _note(self, cores: _Cores, lemma: Lemma) -> None:
        """Add the pattern of a lemma."""
        pattern = self._pattern(cores.kinds, lemma)
        if pattern is not None and pattern not in cores.known:
            cores.known.add(pattern)
            cores.patterns.insert(0, pattern)

    def _pattern(self, kinds: Kinds, lemma: Lemma) -> _Pattern | None:
        """Return the pattern of a lemma with conditions on fluents only; None for other lemmas."""
        if lemma.clauses or not all(abs(literal) in self._places for literal in lemma.literals):
            return None
        said: dict[str, set[tuple[int, bool]]] = defaultdict(set)
        for literal in lemma.literals:
            name, place = self._places[abs(literal)]
            said[name].add((place, literal > 0))
        conditions = tuple(
            tuple(sorted((frozenset(said.pop(name)) for name in kind if name in said), key=sorted))
            for kind in kinds
        )
        if not any(conditions):
            return None
        fixed = frozenset(
            literal for literal in lemma.literals if self._places[abs(literal)][0] in said
        )
        return _Pattern(fixed, conditions)

    def _fitting(self, cores: _Cores, world: int) -> Lemma | None:
        """Return the image of the first pattern that matches at the world; None if none does."""
        fluents = self._state.law.fluents
        values = {
            name: [bool(world >> variable & 1) for variable in fluents[name]]
            for kind in cores.kinds
            for name in kind
        }
        for number, pattern in enumerate(cores.patterns):
            if any(bool(world >> abs(literal) & 1) != (literal > 0) for literal in pattern.fixed):
                continue
            literals = list(pattern.fixed)
            for kind, wanted in zip(cores.kinds, pattern.kinds, strict=True):
                chosen = _matched(wanted, kind, values)
                if chosen is None:
                    break
                for name, conditions in zip(chosen, wanted, strict=True):
                    literals += [
                        fluents[name][place] if truth else -fluents[name][place]
                        for place, truth in conditions
                    ]
            else:
                cores.patterns.insert(0, cores.patterns.pop(number))
                return self._state.law.lemma(*bits_of(literals))
        return None

    def _state_images(
        self, head: int, unless: Sequence[int], kinds: Kinds, pattern: _Pattern
    ) -> None:
        """State that all images of a pattern imply `head`, if they can be counted.

        This requires that no fluent can meet two of the conditions. Then all conditions can be met
        iff there are enough fluents for each.
        """
        abstraction, fluents = self._state.abstraction, self._state.law.fluents
        wanted = [(kind, Counter(some)) for kind, some in zip(kinds, pattern.kinds, strict=True)]
        if not all(_exclude_each_other(conditions) for _, conditions in wanted):
            return
        clause = [-literal for literal in pattern.fixed]
        for kind, conditions in wanted:
            for values, number in conditions.items():
                meeting = frozenset(
                    abstraction.all_of(
                        fluents[name][place] if truth else -fluents[name][place]
                        for place, truth in values
                    )
                    for name in kind
                )
                clause.append(-abstraction.at_least(meeting, number))
        abstraction.clause([*clause, *(-literal for literal in unless), head])


def _exclude_each_other(conditions: Iterable[Values]) -> bool:
    """Return whether no fluent can meet two of these conditions."""
    return not any(_go_together(one, other) for one, other in combinations(conditions, 2))


def _go_together(one: Values, other: Values) -> bool:
    """Return whether a fluent, which has one value, can meet both conditions."""
    true = {place for place, truth in one | other if truth}
    return len(true) <= 1 and not any((place, not truth) in other for place, truth in one)


def _classes(groups: Iterable[Sequence[str]], interchangeable: Callable[[str, str], bool]) -> Kinds:
    """Divide these groups into classes of two or more interchangeable fluents.

    The relation must be transitive.
    """
    kinds: list[tuple[str, ...]] = []
    for group in groups:
        parts: list[list[str]] = []
        for name in group:
            look()
            part = next((part for part in parts if interchangeable(part[0], name)), None)
            if part is None:
                parts.append([name])
            else:
                part.append(name)
        kinds += [tuple(part) for part in parts if len(part) > 1]
    return tuple(kinds)


def _matched(
    wanted: Sequence[Values], kind: Sequence[str], values: Mapping[str, Sequence[bool]]
) -> list[str] | None:
    """Return a different fluent of the kind for each condition; None if there are too few."""
    taken: dict[str, int] = {}

    def place(number: int, tried: set[str]) -> bool:
        """Find a fluent for a condition; reassign other conditions if necessary."""
        for name in kind:
            if name in tried or any(values[name][at] != truth for at, truth in wanted[number]):
                continue
            tried.add(name)
            if name not in taken or place(taken[name], tried):
                taken[name] = number
                return True
        return False

    if not all(place(number, set()) for number in range(len(wanted))):
        return None
    names = {number: name for name, number in taken.items()}
    return [names[number] for number in range(len(wanted))]


# ---- shapes of formulas ---------------------------------------------------------------------


class _Shapes:
    """A comparison of fluents by the shapes of the formulas that mention them.

    Shapes with at most one fluent renamed are cached, because a law has a few formulas about all
    fluents and many about one.
    """

    def __init__(self, touching: Mapping[str, Mapping[Formula, None]]) -> None:
        """Create a comparison, given the formulas that mention each fluent."""
        self._touching = touching
        self._plain: dict[Formula, Hashable] = {}
        self._of: dict[tuple[str, Formula], Hashable] = {}

    def interchangeable(self, one: str, other: str) -> bool:
        """Return whether exchanging the two fluents leaves the set of all formulas unchanged.

        The formulas about the first alone must correspond to those about the second alone. Each
        formula about both must turn into itself or into another formula about both.
        """
        ones, others = self._touching.get(one, {}), self._touching.get(other, {})
        if len(ones) != len(others):
            return False
        both = [part for part in ones if part in others]
        exchanged = {one: other, other: one}
        return Counter(self._alone(one, part) for part in ones if part not in others) == Counter(
            self._alone(other, part) for part in others if part not in ones
        ) and Counter(map(self._as_it_is, both)) == Counter(
            _shape(part, exchanged) for part in both
        )

    def _alone(self, name: str, part: Formula) -> Hashable:
        """Return the shape of a formula with this fluent renamed to a placeholder."""
        shape = self._of.get((name, part))
        if shape is None:
            shape = self._of[name, part] = _shape(part, {name: ""})
        return shape

    def _as_it_is(self, part: Formula) -> Hashable:
        shape = self._plain.get(part)
        if shape is None:
            shape = self._plain[part] = _shape(part, {})
        return shape


_IN_ANY_ORDER = (f.And, f.Or, f.Cardinality)
_KNOWN = (Atom, f.Not, f.And, f.Or, f.Implies, f.Iff, f.Cardinality, f.K, f.D, f.C)


def _shape(formula: Formula, names: Mapping[str, str]) -> Hashable:
    """Return a canonical form of a formula with fluents renamed.

    A subformula with an operator outside `_KNOWN` is equal to no other.
    """

    def visit(part: Formula, parts: tuple[Hashable, ...]) -> Hashable:
        if isinstance(part, Atom):
            return names.get(part.fluent, part.fluent), part.value
        if not parts:
            return part  # true or false
        if not isinstance(part, _KNOWN):
            return object()
        said: Hashable = parts
        if isinstance(part, _IN_ANY_ORDER):
            said = frozenset(Counter(parts).items())
        whose: Hashable = None
        match part:
            case f.Cardinality(relation, bound):
                whose = relation, bound
            case f.K(agent):
                whose = agent
            case f.D(group) | f.C(group):
                whose = frozenset(group)
        return type(part).__name__, whose, said

    return fold(formula, visit)
