"""The law in bits, by fluent, for finding and checking swaps.

A world is an integer: bit v is the truth of variable v. `Law.swap` writes the difference between
two worlds as a swap. `preservation` finds conditions under which the swap leads from any world of
the law to a world of the law, and `Law.settled` turns them into a lemma. Together they generalise a
counter-world (see `search`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from symkripke.engines.sat.bits import bits_of, literals_of, mask_of, union, variables_of
from symkripke.engines.sat.encoding import Clauses, Encoding
from symkripke.engines.sat.swaps.cardinalities import Cardinalities
from symkripke.engines.sat.swaps.implicants import Implicants
from symkripke.engines.sat.swaps.lemma import Lemma
from symkripke.engines.sat.swaps.occurrences import Clause, ConstraintIndex, Occurrences
from symkripke.engines.sat.swaps.precondition import Precondition
from symkripke.engines.sat.swaps.regression import (
    Definition,
    definitions_in,
    extended_to_defined,
)
from symkripke.engines.sat.swaps.swap import FALSE, TRUE, Swap
from symkripke.language import FALSE as FALSITY
from symkripke.language import TRUE as TRUTH
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.walk import atoms
from symkripke.model import KnowledgeStructure


class Law:
    """The constraints of a structure that are not about knowledge, by fluent.

    Attributes:
        fluents: the variables of each fluent, in the order of its values.
        masks: the variables of each fluent, as bits.
        domain_peers: for each fluent, all fluents of the same domain.
        defined: the definitions of the fluents that are defined by others: see `regression`.
    """

    def __init__(self, encoding: Encoding, implicants: Implicants) -> None:
        """Create a law without fluents or constraints."""
        self.encoding = encoding
        self.implicants = implicants
        self.fluents: dict[str, tuple[int, ...]] = {}
        self.masks: dict[str, int] = {}
        self.domain_peers: dict[str, list[str]] = {}
        self.defined: dict[str, Definition] = {}
        self.defining: dict[Formula, str] = {}
        """The fluent that each defining constraint defines."""
        self.cardinalities = Cardinalities(encoding, implicants)
        self._roots: tuple[tuple[int, int], Mapping[str, int]] = (0, 0), {}
        """The fluents that are not defined by others, cached by the numbers of fluents and of
        definitions."""
        self._stages = 0
        self._supports = 0
        """The variables (bits) that occur in definitions."""
        self.constraints = ConstraintIndex()
        self.occurrences: dict[str, Occurrences] = {}
        self._fluent_of: dict[int, str] = {}
        self.one_of: dict[int, int] = {}
        """For each variable of a fluent with several variables, all variables (bits) of the
        fluent."""
        self._domains: dict[tuple[str, ...], list[str]] = {}
        self._stated: set[tuple[int, int]] = set()
        """The clauses of `occurrences`, as positive and negative variables (bits)."""

    # ---- constraints -----------------------------------------------------------------------

    def open(self, structure: KnowledgeStructure) -> None:
        """Add the new fluents of the structure, and their definitions."""
        fluents, one_of = structure.vocabulary.fluents, self.one_of
        for name, fluent in islice(fluents.items(), len(self.fluents), None):
            variables = self.encoding.values(fluent)
            self.fluents[name] = variables
            mask = self.masks[name] = mask_of(variables)
            self._fluent_of.update(dict.fromkeys(variables, name))
            if len(variables) > 1:
                one_of.update(dict.fromkeys(variables, mask))
            peers = self.domain_peers[name] = self._domains.setdefault(fluent.values, [])
            peers.append(name)
        stages = structure.stages
        for stage in islice(stages, self._stages, None):
            for name, definition in definitions_in(stage, self.implicants).items():
                self.defined[name] = definition
                self._supports |= definition.support
                for equivalence in definition.equivalences:
                    self.defining[equivalence.stated] = name
        self._stages = len(stages)

    def share(self, law: Law) -> None:
        """Share the analyses of another law."""
        self.domain_peers, self._fluent_of = law.domain_peers, law._fluent_of
        self.defining, self._supports = law.defining, law._supports
        self.cardinalities = law.cardinalities

    def names(self, literals: Iterable[int]) -> frozenset[str]:
        """Return the fluents of these literals."""
        return frozenset([self._fluent_of[abs(literal)] for literal in literals])

    def name(self, variable: int) -> str:
        """Return the fluent of this variable."""
        return self._fluent_of[variable]

    def same_value_mask(self, variable: int) -> int:
        """Return the variables (bits) of "fluent = value" for all fluents of a domain.

        The domain and the value are those of this variable.
        """
        name = self._fluent_of[variable]
        place = self.fluents[name].index(variable)
        peers = self.domain_peers[name]
        return mask_of(self.fluents[peer][place] for peer in peers if peer in self.masks)

    def add(self, formula: Formula) -> None:
        """Add a constraint."""
        parts = formula.operands if isinstance(formula, f.And) else (formula,)
        for part, stated in zip(parts, self.encoding.parts(formula), strict=True):
            if isinstance(part, f.Cardinality):
                simple = self._count(part)
            else:
                simple = self._state(stated, self.defining.get(part, ""))
            if not simple:
                for name in dict.fromkeys(atom.fluent for atom in atoms(part)):
                    self._occurrences_of(name).others.append(part)

    def _occurrences_of(self, name: str) -> Occurrences:
        occurrences = self.occurrences.get(name)
        if occurrences is None:
            occurrences = self.occurrences[name] = Occurrences()
        return occurrences

    def _count(self, part: f.Cardinality) -> bool:
        """Add a cardinality constraint over variables; return False if it counts other formulas."""
        constraint = self.counted(part, 0, 0)
        if constraint is None:
            return False
        self.constraints.counting.add(constraint)
        for name in self.names(variables_of(constraint[0])):
            self._occurrences_of(name).counting.append(constraint)
        return True

    def counted(
        self, part: f.Cardinality, always: int, never: int
    ) -> tuple[int, f.Relation, int] | None:
        """Return a cardinality constraint as variables (bits), relation and bound.

        Constants, and variables that are `always` true or `never` true, are eliminated. Return None
        if the constraint counts other formulas or a variable twice, or if the bound is negative.
        """
        counted, bound = 0, part.bound
        for operand in part.operands:
            if operand is TRUTH:
                bound -= 1
            elif operand is not FALSITY:
                literal = self.encoding.atom(operand) if isinstance(operand, Atom) else 0
                bit = 1 << literal if literal > 0 else 0
                if bit & always:
                    bound -= 1
                elif not bit & never:
                    if not bit or counted & bit:
                        return None
                    counted |= bit
        return (counted, part.relation, bound) if bound >= 0 else None

    def _state(self, stated: Clauses, defines: str) -> bool:
        """Add clauses over variables of fluents; return False if they mention other variables.

        `defines` is the fluent whose definition contains the clauses, or empty.
        """
        if stated.atmosts:
            return False
        clauses = []
        for literals in stated.clauses:
            if not all(abs(literal) in self._fluent_of for literal in literals):
                return False
            names = self.names(literals)
            clauses.append(Clause(tuple(literals), *bits_of(literals), names, defines))
        for clause in clauses:
            key = clause.positive, clause.negative
            if key in self._stated:
                continue  # such as when a player passes on the same question again
            self._stated.add(key)
            self.constraints.add(*key)
            for name in clause.names:
                self._occurrences_of(name).clauses.append(clause)
        return True

    def dealt_counts(self) -> Iterator[tuple[tuple[str, ...], dict[int, int]]]:
        """Yield sets of fluents whose values are dealt out in fixed numbers.

        Yields:
            the fluents, all of one domain; and for some of their values (by index, from 0) the
            number of the fluents with this value.
        """
        dealt: dict[int, dict[frozenset[str], int]] = {}
        for counted, relation, number in self.constraints.counting:
            variables = variables_of(counted)
            names = frozenset(self._fluent_of[variable] for variable in variables)
            places = {self.fluents[self._fluent_of[v]].index(v) for v in variables}
            if relation == "exactly" and len(names) == len(variables) > 1 == len(places):
                dealt.setdefault(places.pop(), {})[names] = number
        deals: dict[frozenset[str], dict[int, int]] = {}
        for place, numbers in dealt.items():
            for names, number in numbers.items():
                deals.setdefault(names, {})[place] = number
        for names, known in deals.items():
            for place, numbers in dealt.items():
                # The value may be counted separately for disjoint parts of the fluents.
                kinds = [kind for kind in numbers if kind < names]
                whole = frozenset[str]().union(*kinds)
                if place not in known and whole == names and sum(map(len, kinds)) == len(names):
                    known[place] = sum(numbers[kind] for kind in kinds)
            if len(known) > 2:
                yield tuple(sorted(names)), known

    # ---- worlds ------------------------------------------------------------------------------

    def value(self, name: str, world: int) -> int:
        """Return the literal of a fluent's value at a world."""
        bits = world & self.masks[name]
        return bits.bit_length() - 1 if bits else -self.fluents[name][0]

    def bits(self, names: Iterable[str]) -> int:
        """Return the variables of these fluents, as bits."""
        return union(self.masks[name] for name in names)

    def lemma(self, true: int, false: int, swap: Swap | None = None) -> Lemma:
        """Return a lemma from the variables (bits) that must be true or false."""
        lemma = self.settled(Precondition(true, false), swap)
        assert lemma is not None
        return lemma

    def settled(self, precondition: Precondition, swap: Swap | None) -> Lemma | None:
        """Return a lemma with this precondition; None if the precondition is contradictory.

        If the value of a fluent is known, one literal states it. Clauses that are already true are
        omitted, and clauses with a single literal left become literals.
        """
        clauses = precondition.clauses
        while True:
            true, false, needed = self._completed(precondition.true, precondition.false)
            if true & false:
                return None
            above, below = true | self.constraints.always, false | self.constraints.never
            left: dict[tuple[int, int], None] = {}
            more = False
            for positive, negative in clauses:
                if positive & above or negative & below:
                    continue
                positive, negative = positive & ~below, negative & ~above
                number = positive.bit_count() + negative.bit_count()
                if number == 0:
                    return None
                if number == 1:
                    precondition = Precondition(
                        precondition.true | positive, precondition.false | negative
                    )
                    more = True
                else:
                    left[positive, negative] = None
            clauses = left
            if not more:
                break
        either = tuple(self.encoding.implied(*clause) for clause in clauses)
        return Lemma(true, false, literals_of(true, needed), swap, tuple(clauses), either)

    def _completed(self, true: int, false: int) -> tuple[int, int, int]:
        """Return the literals that follow because each fluent has exactly one value.

        Returns:
            the true variables, the false variables, and the false variables that the other literals
            do not imply, all as bits.
        """
        needed = false
        rest = true | false
        while rest:
            mask = self.one_of.get((rest & -rest).bit_length() - 1, 0)
            rest &= rest - 1 & ~mask
            if not mask:
                continue
            known = true & mask
            if not known:
                left = mask & ~false
                if not left or left & (left - 1):
                    continue
                known = left
                true |= known
            false |= mask & ~known
            needed &= ~mask
        return true, false, needed

    @property
    def roots(self) -> list[str]:
        """The fluents that are not defined by others."""
        return list(self._root_masks())

    def _root_masks(self) -> Mapping[str, int]:
        """Return the variables (bits) of the fluents that are not defined by others."""
        size = len(self.masks), len(self.defined)
        if self._roots[0] != size:
            roots = {name: mask for name, mask in self.masks.items() if name not in self.defined}
            self._roots = size, roots
        return self._roots[1]

    def place(self, name: str, world: int) -> int:
        """Return the index (from 0) of a fluent's value at a world."""
        variables = self.fluents[name]
        if len(variables) == 1:
            return (world >> variables[0]) & 1
        return variables.index((world & self.masks[name]).bit_length() - 1)

    def differing(self, world: int, other: int) -> list[str]:
        """Return the fluents, except defined ones, that have different values at two worlds."""
        different = world ^ other
        return [name for name, mask in self._root_masks().items() if different & mask]

    # ---- swaps -------------------------------------------------------------------------------

    def swap(
        self, world: int, other: int, names: Sequence[str], precondition: Precondition
    ) -> Swap:
        """Return the swap from `world` to `other`, which differ in the roots `names`.

        The swap is a renaming. If fluents of one domain exchange their values, each takes the value
        of another fluent, whatever that value is. The remaining fluents get fixed values. The swap
        is extended to defined fluents, under conditions that are added to `precondition`.
        """
        before: dict[tuple[int, int], list[str]] = {}
        for name in names:
            key = id(self.domain_peers[name]), self.place(name, world)
            before.setdefault(key, []).append(name)
        renamed: dict[int, int] = {}
        for name in names:
            mine = self.fluents[name]
            place = self.place(name, other)
            sources = before.get((id(self.domain_peers[name]), place))
            if sources:
                renamed.update(zip(mine, self.fluents[sources.pop()], strict=True))
            elif len(mine) == 1:
                renamed[mine[0]] = TRUE if place else FALSE
            elif self.masks[name] & self._supports:
                # Only two variables are renamed, so that definitions that depend on the others stay
                # unchanged.
                old = mine[self.place(name, world)]
                precondition.true |= 1 << old
                renamed[old], renamed[mine[place]] = FALSE, TRUE
            else:
                renamed.update((v, TRUE if n == place else FALSE) for n, v in enumerate(mine))
        mask = mask_of(renamed)
        swap = Swap(tuple(names), mask, renamed)
        return extended_to_defined(swap, self.defined, precondition, world)
