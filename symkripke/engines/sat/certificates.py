"""Modal subformulas as variables, lemmas about them, and certificates: why a formula is true.

A certificate for the truth of a formula at a world is a set of literals, true there, with which the
formula has that truth at every world of the law. Modal subformulas are certified by lemmas.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from symkripke.engines.sat.encoding import Encoding
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.model.evaluate import counts

Literals = tuple[int, ...]


@dataclass(slots=True)
class Lemma:
    """These literals together imply a proxy, or (as `Proxy.lemmas` says) its negation."""

    true: int
    false: int
    literals: Literals

    @classmethod
    def of(cls, literals: Iterable[int]) -> Lemma:
        """With the literals as bits, for a quick look at a world."""
        listed = tuple(literals)
        true = sum(1 << one for one in listed if one > 0)
        false = sum(1 << -one for one in listed if one < 0)
        return cls(true, false, listed)

    def applies(self, world: int) -> bool:
        """Whether all its literals are true at the world."""
        return world & self.true == self.true and not world & self.false


@dataclass(eq=False, slots=True)
class Proxy:
    """The variable of a modal subformula.

    It says that `agents`, pooling what they see (`observed`), know `operand`; or, if `common`, that
    they have common knowledge of it (`observed` is then what all of them see).
    """

    name: Atom
    literal: int
    agents: tuple[str, ...]
    operand: Formula
    observed: Literals
    common: bool
    refuted: Target | None = None
    lemmas: dict[bool, list[Lemma]] = field(default_factory=lambda: {True: [], False: []})


@dataclass(eq=False, slots=True)
class Target:
    """A formula to be made true at a world, as a literal, and the guesses that it rests on.

    Attributes:
        formula: normalised; in it the modal subformulas are K, D or C.
        literal: equivalent to it, if every proxy is what it stands for.
        proxies: with the guesses (true, false) that have to be checked where they are made.
    """

    formula: Formula
    literal: int
    proxies: tuple[tuple[Proxy, bool, bool], ...]


class Certificates:
    """Finds certificates at worlds at which the guesses about modal subformulas were checked."""

    def __init__(self, encoding: Encoding, proxies: Mapping[Formula, Proxy]) -> None:
        """With the variables of atoms, and the proxies of modal subformulas with their lemmas."""
        self._encoding = encoding
        self._proxies = proxies

    def _true(self, formula: Formula, world: int) -> bool:
        """The truth of a formula at a world, by its lemmas where it is modal."""
        match formula:
            case f.Constant(value):
                return value
            case Atom():
                literal = self._encoding.atom(formula)
                return bool((world >> abs(literal)) & 1) is (literal > 0)
            case f.K() | f.D() | f.C():
                return self._confirmed(formula, world) is not None and self._guess(formula, world)
            case f.Not(operand):
                return not self._true(operand, world)
            case f.And(operands):
                return all(self._true(part, world) for part in operands)
            case f.Or(operands):
                return any(self._true(part, world) for part in operands)
            case f.Implies(left, right):
                return not self._true(left, world) or self._true(right, world)
            case f.Iff(left, right):
                return self._true(left, world) is self._true(right, world)
            case f.Cardinality(relation, bound, operands):
                return counts(relation, bound, sum(self._true(part, world) for part in operands))
        raise TypeError(f"not normalised: {formula}")

    def _guess(self, leaf: Formula, world: int) -> bool:
        return bool((world >> self._proxies[leaf].literal) & 1)

    def _confirmed(self, leaf: Formula, world: int) -> Lemma | None:
        """The lemma that confirmed the guess about `leaf` at `world`, if it was checked."""
        lemmas = self._proxies[leaf].lemmas[self._guess(leaf, world)]
        return next((lemma for lemma in lemmas if lemma.applies(world)), None)

    def keeping(
        self,
        formula: Formula,
        truth: bool,
        other: int,
        inside: set[str],
        kept: Iterable[int],
    ) -> list[int]:
        """Literals outside the swap that, with its values, give `formula` this truth.

        They are true at `other`. Where there is a choice, few and known ones are preferred.
        """
        have = set(kept)
        found = self._cheapest(formula, truth, other, inside, have)
        if found is None:
            raise AssertionError(f"{formula} is not {truth} at the world that was found")
        return found

    def _cheapest(
        self, formula: Formula, truth: bool, other: int, inside: set[str], have: set[int]
    ) -> list[int] | None:
        match formula:
            case f.Constant(value):
                return [] if value is truth else None
            case Atom(fluent):
                if self._true(formula, other) is not truth:
                    return None
                literal = self._encoding.atom(formula)
                return [] if fluent in inside else [literal if truth else -literal]
            case f.K() | f.D() | f.C():
                lemma = self._confirmed(formula, other)
                if lemma is None or self._guess(formula, other) is not truth:
                    return None
                return [one for one in lemma.literals if self._fluent_of(one) not in inside]
            case f.Not(operand):
                return self._cheapest(operand, not truth, other, inside, have)
            case f.Implies(left, right):
                return self._some(((left, False), (right, True)), truth, other, inside, have)
            case f.And(operands) | f.Or(operands):
                # All of a conjunction, one of a disjunction; the other way round if false.
                parts = tuple((part, truth) for part in operands)
                every = isinstance(formula, f.And) is truth
                if every:
                    return self._every(parts, other, inside, have)
                return self._some(parts, True, other, inside, have)
            case f.Iff(left, right):
                one = self._true(left, other)
                return self._every(((left, one), (right, one is truth)), other, inside, have)
            case f.Cardinality(relation, bound, operands):
                return self._counted(relation, bound, operands, truth, other, inside, have)
        raise TypeError(f"not normalised: {formula}")

    def _every(
        self,
        parts: Iterable[tuple[Formula, bool]],
        other: int,
        inside: set[str],
        have: set[int],
    ) -> list[int] | None:
        found: dict[int, None] = {}
        for part, truth in parts:
            literals = self._cheapest(part, truth, other, inside, have)
            if literals is None:
                return None
            found.update(dict.fromkeys(literals))
        return list(found)

    def _some(
        self,
        parts: Iterable[tuple[Formula, bool]],
        truth: bool,
        other: int,
        inside: set[str],
        have: set[int],
    ) -> list[int] | None:
        """One of `parts`; or, if not `truth`, the opposite of all of them."""
        if not truth:
            return self._every([(p, not value) for p, value in parts], other, inside, have)
        best: list[int] | None = None
        for part, value in parts:
            literals = self._cheapest(part, value, other, inside, have)
            if literals is None:
                continue
            cost = len(set(literals) - have)
            if best is None or cost < len(set(best) - have):
                best = literals
            if cost == 0:
                break
        return best

    def _counted(
        self,
        relation: f.Relation,
        bound: int,
        operands: tuple[Formula, ...],
        truth: bool,
        other: int,
        inside: set[str],
        have: set[int],
    ) -> list[int] | None:
        """Enough true ones for "at least", enough false ones for "at most", both for "exactly"."""
        number = sum(self._true(part, other) for part in operands)
        if counts(relation, bound, number) is not truth:
            return None
        if truth:
            least = bound if relation != "atmost" else 0
            most = bound if relation != "atleast" else len(operands)
        elif relation == "atleast" or (relation == "exactly" and number < bound):
            least, most = 0, bound - 1
        else:
            least, most = bound + 1, len(operands)
        found: dict[int, None] = {}
        for value, enough in ((True, least), (False, len(operands) - most)):
            options = [
                literals
                for part in operands
                if (literals := self._cheapest(part, value, other, inside, have)) is not None
            ]
            options.sort(key=lambda literals: len(set(literals) - have))
            for literals in options[: max(0, enough)]:
                found.update(dict.fromkeys(literals))
        return list(found)

    def _fluent_of(self, literal: int) -> str:
        atom = self._encoding.atoms[abs(literal)]
        assert atom is not None
        return atom.fluent
