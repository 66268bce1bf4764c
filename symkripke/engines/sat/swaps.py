"""The law in bits, and small changes of a world that keep it.

A world is an integer (bit v for variable v). A *swap* gives some fluents other values. For a swap
at a world of the law, `Law.keep` finds conditions with which the same swap leads from any world of
the law to a world of the law; this is what lifts a counter-world to a lemma (see `modulo`).
`Law.exchange` looks for the smallest ones without a solver: cards are interchangeable as far as the
law counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from symkripke.engines.sat.certificates import (
    FALSE,
    TRUE,
    Certificates,
    Lemma,
    Swap,
    bits_of,
    literals_of,
)
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.kept import Kept
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.walk import subformulas
from symkripke.model import KnowledgeStructure
from symkripke.model.evaluate import counts

Neighbour = tuple[int, tuple[str, ...]]
"""A world, and the fluents in which it differs from another one."""

# Clauses with more literals are made sure of by one of these.
_WIDE = 8


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: its literals, and the variables of the positive and the negative ones as bits."""

    literals: tuple[int, ...]
    positive: int
    negative: int


@dataclass(slots=True)
class Touching:
    """The constraints that speak about one fluent."""

    clauses: list[Clause] = field(default_factory=list)
    counting: list[tuple[int, f.Relation, int]] = field(default_factory=list)
    others: list[Formula] = field(default_factory=list)


@dataclass(slots=True)
class Whole:
    """All clauses and all that is counted, to look something up in.

    `always` and `never` are the variables (bits) that clauses of one literal settle.
    """

    clauses: set[tuple[int, int]] = field(default_factory=set)
    counting: set[tuple[int, f.Relation, int]] = field(default_factory=set)
    always: int = 0
    never: int = 0

    def add(self, positive: int, negative: int) -> None:
        """Take up a clause."""
        self.clauses.add((positive, negative))
        if not negative and not positive & (positive - 1):
            self.always |= positive
        elif not positive and not negative & (negative - 1):
            self.never |= negative


class Law:
    """The constraints of a structure (those that do not speak about knowledge), by fluent.

    Attributes:
        fluents: the variables of each fluent, in the order of its values.
        masks: the same as bits.
        alike: for each fluent, all those of the same domain.
    """

    def __init__(self, encoding: Encoding, certificates: Certificates) -> None:
        """No fluents and no constraints yet."""
        self.encoding = encoding
        self.certificates = certificates
        self.fluents: dict[str, tuple[int, ...]] = {}
        self.masks: dict[str, int] = {}
        self.alike: dict[str, list[str]] = {}
        self.whole = Whole()
        self.touching: dict[str, Touching] = {}
        self._fluent_of: dict[int, str] = {}
        self.one_of: dict[int, int] = {}
        """For variables of fluents with several of them, all of these (bits): one is true."""
        self._domains: dict[tuple[str, ...], list[str]] = {}
        self._places: dict[tuple[int, int], int] = {}
        """For a domain and the place of a value in it, the variables (bits) that say so."""

    # ---- stating it ------------------------------------------------------------------------

    def open(self, structure: KnowledgeStructure) -> None:
        """Take up the fluents of the structure, as far as they are new."""
        fluents = structure.vocabulary.fluents
        for name, fluent in islice(fluents.items(), len(self.fluents), None):
            variables = tuple(self.encoding.atom(atom) for atom in fluent.atoms)
            self.fluents[name] = variables
            self.masks[name] = sum(1 << one for one in variables)
            self._fluent_of.update(dict.fromkeys(variables, name))
            if len(variables) > 1:
                self.one_of.update(dict.fromkeys(variables, self.masks[name]))
            alike = self._domains.setdefault(fluent.values, [])
            alike.append(name)
            self.alike[name] = alike
            for place, variable in enumerate(variables):
                key = id(alike), place
                self._places[key] = self._places.get(key, 0) | 1 << variable

    def share(self, law: Law, visible: int) -> None:
        """Have the fluents of another law, as far as they are among these variables (bits)."""
        self.alike, self._fluent_of = law.alike, law._fluent_of
        self._places = {key: mask & visible for key, mask in law._places.items()}

    def names(self, variables: int) -> set[str]:
        """The fluents of these variables (bits)."""
        return {self._fluent_of[one] for one in literals_of(variables, 0)}

    def atom(self, variable: int) -> Atom:
        """What this variable says."""
        atom = self.encoding.atoms[variable]
        assert atom is not None
        return atom

    def name(self, variable: int) -> str:
        """The fluent of this variable."""
        return self._fluent_of[variable]

    def beside(self, variable: int) -> int:
        """The variables (bits) that say of all fluents of one domain what this one says of its."""
        name = self._fluent_of[variable]
        return self._places[id(self.alike[name]), self.fluents[name].index(variable)]

    def add(self, formula: Formula) -> None:
        """Take up a constraint."""
        for part in formula.operands if isinstance(formula, f.And) else (formula,):
            self._add(part)

    def _add(self, part: Formula) -> None:
        if isinstance(part, f.Cardinality):
            counted = self._counted(part)
            if counted is not None:
                constraint = counted, part.relation, part.bound
                self.whole.counting.add(constraint)
                for name in self.names(counted):
                    self.touching.setdefault(name, Touching()).counting.append(constraint)
                return
        else:
            compiled = self.encoding.asserted(part)
            if not compiled.atmosts and not compiled.variables() & self.encoding.defined:
                for literals in compiled.clauses:
                    positive, negative = bits_of(literals)
                    self.whole.add(positive, negative)
                    clause = Clause(tuple(literals), positive, negative)
                    for name in {self._fluent_of[abs(one)] for one in literals}:
                        self.touching.setdefault(name, Touching()).clauses.append(clause)
                return
        for name in {one.fluent for one in subformulas(part) if isinstance(one, Atom)}:
            self.touching.setdefault(name, Touching()).others.append(part)

    def _counted(self, part: f.Cardinality) -> int | None:
        """The atoms that are counted, as bits; None if it counts something else."""
        if len(set(part.operands)) < len(part.operands):
            return None
        literals = [self.encoding.atom(one) for one in part.operands if isinstance(one, Atom)]
        if len(literals) < len(part.operands) or any(one < 0 for one in literals):
            return None
        return sum(1 << one for one in literals)

    def hands(self) -> Iterator[tuple[tuple[str, ...], dict[int, int]]]:
        """Fluents that are dealt out: how many of them have each of their values.

        Yields:
            The fluents, all of one domain; and for some of their values (counted from 0) how many
            of the fluents have it.
        """
        dealt: dict[int, dict[frozenset[str], int]] = {}
        for counted, relation, number in self.whole.counting:
            variables = literals_of(counted, 0)
            names = frozenset(self._fluent_of[one] for one in variables)
            places = {self.fluents[self._fluent_of[v]].index(v) for v in variables}
            if relation == "exactly" and len(names) == len(variables) > 1 == len(places):
                dealt.setdefault(places.pop(), {})[names] = number
        deals: dict[frozenset[str], dict[int, int]] = {}
        for place, numbers in dealt.items():
            for names, number in numbers.items():
                deals.setdefault(names, {})[place] = number
        for names, known in deals.items():
            for place, numbers in dealt.items():
                # Counted by kind: of the suspects, of the weapons, of the rooms.
                kinds = [kind for kind in numbers if kind < names]
                whole = frozenset[str]().union(*kinds)
                if place not in known and whole == names and sum(map(len, kinds)) == len(names):
                    known[place] = sum(numbers[kind] for kind in kinds)
            if len(known) > 2:
                yield tuple(sorted(names)), known

    # ---- worlds ------------------------------------------------------------------------------

    def value(self, name: str, world: int) -> int:
        """The literal of a fluent's value at a world."""
        bits = world & self.masks[name]
        return bits.bit_length() - 1 if bits else -self.fluents[name][0]

    def bits(self, names: Iterable[str]) -> int:
        """The variables of these fluents, as bits."""
        found = 0
        for name in names:
            found |= self.masks[name]
        return found

    def lemma(self, true: int, false: int, swap: Swap | None = None) -> Lemma:
        """A lemma from variables (bits) that are to be true, and that are to be false."""
        found = self.settled(Kept(true, false), swap)
        assert found is not None
        return found

    def settled(self, kept: Kept, swap: Swap | None, free: int = 0) -> Lemma | None:
        """A lemma from what is to be true; None if that cannot be.

        Of each fluent one value says it all, if it is known; and of clauses only those stay that
        are not true or down to one literal by then.
        """
        clauses = kept.clauses
        while True:
            true, false, needed = self._completed(kept.true, kept.false)
            if true & false:
                return None
            above, below = true | self.whole.always, false | self.whole.never
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
                    kept = Kept(kept.true | positive, kept.false | negative)
                    more = True
                else:
                    left[positive, negative] = None
            clauses = left
            if not more:
                break
        either = tuple(self.encoding.implied(*one) for one in clauses)
        return Lemma(true, false, literals_of(true, needed), swap, tuple(clauses), either, free)

    def _completed(self, true: int, false: int) -> tuple[int, int, int]:
        """All that follows by fluents having one value; and the false ones that are needed."""
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

    def place(self, name: str, world: int) -> int:
        """Which of its values (counted from 0) a fluent has at a world."""
        variables = self.fluents[name]
        if len(variables) == 1:
            return (world >> variables[0]) & 1
        return variables.index((world & self.masks[name]).bit_length() - 1)

    def differing(self, one: int, other: int) -> list[str]:
        """The fluents that have different values at two worlds."""
        different = one ^ other
        return [name for name, mask in self.masks.items() if different & mask]

    def exchange(
        self, world: int, names: Sequence[str], fixed: int, goal: Callable[[int], bool]
    ) -> Neighbour | None:
        """A world of the law that is one small swap away from `world`, which is one.

        One of `names` gets another value, or exchanges its value with a fluent of the same domain.

        Args:
            world: where to start.
            names: one of these fluents is to change.
            fixed: the variables (bits) that must not.
            goal: what is to be true there.

        Returns:
            The world, and the fluents that change; None if there is none.
        """
        always, never = self.whole.always, self.whole.never
        for name in names:
            mine = self.fluents[name]
            here = self.place(name, world)
            if (fixed >> mine[here if len(mine) > 1 else 0]) & 1:
                continue
            for place in range(max(2, len(mine))):
                if place == here:
                    continue
                change = self._change(mine, here, place)
                if change & (fixed | change & world & always | change & ~world & never):
                    continue
                if self._allows(world ^ change, (name,)) and goal(world ^ change):
                    return world ^ change, (name,)
                for other in self._those(name, place, world):
                    theirs = self.fluents[other]
                    both = change | self._change(theirs, place, here)
                    swapped = name, other
                    if (
                        not both & (fixed | both & world & always | both & ~world & never)
                        and self._allows(world ^ both, swapped)
                        and goal(world ^ both)
                    ):
                        return world ^ both, swapped
        return None

    @staticmethod
    def _change(variables: tuple[int, ...], here: int, place: int) -> int:
        """The variables (bits) that change if a fluent gets another of its values."""
        return (
            1 << variables[0]
            if len(variables) == 1
            else 1 << variables[here] | 1 << variables[place]
        )

    def _those(self, name: str, place: int, world: int) -> Iterator[str]:
        """The fluents of the same domain that have this value at the world."""
        key = id(self.alike[name])
        if len(self.fluents[name]) == 1:
            boolean = self._places[key, 0]
            rest = boolean & (world if place else ~world)
        else:
            rest = self._places[key, place] & world
        while rest:
            lowest = rest & -rest
            rest ^= lowest
            yield self._fluent_of[lowest.bit_length() - 1]

    def _allows(self, other: int, names: Iterable[str]) -> bool:
        """Whether a world that differs from one of the law in these fluents only is of the law."""
        for name in names:
            touching = self.touching.get(name)
            if touching is None:
                continue
            for clause in touching.clauses:
                if not other & clause.positive and not ~other & clause.negative:
                    return False
            for counted, relation, bound in touching.counting:
                if not counts(relation, bound, (other & counted).bit_count()):
                    return False
            if any(not self.certificates.true(one, other) for one in touching.others):
                return False
        return True

    # ---- lifting -----------------------------------------------------------------------------

    def swap(self, world: int, other: int, names: Sequence[str]) -> Swap:
        """How to get from `world` to `other`, which differs in these fluents, as a renaming.

        Where fluents of one domain pass their values round, each takes the value of another one,
        whatever that is; what is left over gets a fixed value.
        """
        before: dict[tuple[int, int], list[str]] = {}
        for name in names:
            key = id(self.alike[name]), self.place(name, world)
            before.setdefault(key, []).append(name)
        renamed: dict[int, int] = {}
        for name in names:
            mine = self.fluents[name]
            place = self.place(name, other)
            sources = before.get((id(self.alike[name]), place))
            if sources:
                renamed.update(zip(mine, self.fluents[sources.pop()], strict=True))
            elif len(mine) == 1:
                renamed[mine[0]] = TRUE if place else FALSE
            else:
                renamed.update((v, TRUE if n == place else FALSE) for n, v in enumerate(mine))
        return Swap(tuple(names), self.bits(names), renamed)

    def keep(self, swap: Swap, kept: Kept, world: int | None) -> bool:
        """Add to `kept` what makes sure that the swap leads to a world of the law.

        A clause is true after the swap if its renaming is true before it: if that is a clause of
        the law, too, nothing is needed; else one of its literals. What is counted after the swap
        is what its renaming counts before it: most often something that the law counts alike.

        Args:
            swap: the swap.
            kept: what is to be true before it; grows.
            world: a world at which the swap works and `kept` is true, to choose literals that
                are true there, if there is one.

        Returns:
            Whether it can be made sure.
        """
        return all(
            self._keep_clauses(touching.clauses, swap, kept, world)
            and self._keep_counts(touching.counting, swap, kept, world)
            and self._keep_others(touching.others, swap, kept, world)
            for name in swap.names
            if (touching := self.touching.get(name)) is not None
        )

    def _keep_clauses(
        self, clauses: Sequence[Clause], swap: Swap, kept: Kept, world: int | None
    ) -> bool:
        whole = self.whole
        for clause in clauses:
            renamed = swap.clause(clause.literals)
            if renamed is None or renamed in whole.clauses:
                continue
            positive, negative = renamed
            if positive & (kept.true | whole.always) or negative & (kept.false | whole.never):
                continue
            positive, negative = positive & ~whole.never, negative & ~whole.always
            if not positive and not negative:
                return False
            if not negative and positive.bit_count() <= _WIDE:
                kept.clause(positive, negative)
                continue
            if world is not None:
                positive, negative = positive & world, negative & ~world
            # That something is not so excludes less than that it is; and of what the swap does
            # not touch less is kept already.
            for low in (negative & ~swap.mask, negative):
                if low:
                    kept.false |= low & -low
                    break
            else:
                if not positive:
                    return False
                high = positive & ~swap.mask or positive
                kept.true |= high & -high
        return True

    def _keep_counts(
        self,
        counting: Sequence[tuple[int, f.Relation, int]],
        swap: Swap,
        kept: Kept,
        world: int | None,
    ) -> bool:
        for counted, relation, bound in counting:
            renamed, constant = swap.counted(counted)
            if not constant and (renamed, relation, bound) in self.whole.counting:
                continue
            gone, come = counted & ~renamed, renamed & ~counted
            if world is None:
                # What is not sure already has no world to be read off.
                if (gone | come) & ~(kept.true | kept.false):
                    return False
                change = constant + (kept.true & come).bit_count() - (kept.true & gone).bit_count()
                if change == 0:
                    continue
                return False
            kept.add(gone | come, world)
            change = constant + (world & come).bit_count() - (world & gone).bit_count()
            if change == 0 or (relation == "atleast" and change > 0):
                continue
            if relation == "atmost" and change < 0:
                continue
            # The number changes: enough of what is counted has to stay as it is here.
            number = (world & renamed).bit_count() + constant
            if relation != "atmost":
                spare = number - bound
                true = world & renamed & ~kept.true
                kept.true |= _lowest(true, true.bit_count() - spare)
            if relation != "atleast":
                spare = bound - number
                false = renamed & ~world & ~kept.false
                kept.false |= _lowest(false, false.bit_count() - spare)
        return True

    def _keep_others(
        self, others: Sequence[Formula], swap: Swap, kept: Kept, world: int | None
    ) -> bool:
        if not others:
            return True
        if world is None:
            return False
        after = swap.applied(world)
        for formula in others:
            kept.before(swap, self.certificates.keeping(formula, after))
        return True


def _lowest(mask: int, number: int) -> int:
    """The lowest so many bits of `mask`."""
    rest = mask
    while rest and number > 0:
        rest &= rest - 1
        number -= 1
    return mask ^ rest
