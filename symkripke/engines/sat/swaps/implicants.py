"""Modal subformulas as variables, lemmas about them, and certificates: why a formula is true.

A certificate for the truth of a formula at a world is a set of literals, true there, with which the
formula has that truth at every world of the law. Modal subformulas are certified by lemmas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from symkripke.engines.sat.encoding import Encoding
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.language.walk import is_propositional, remembered, subformulas
from symkripke.model.evaluate import counts

Literals = tuple[int, ...]

# Formulas that are no longer than this are gone through as they are written.
_WRITTEN_OUT = 1_000


def bits_of(literals: Iterable[int]) -> tuple[int, int]:
    """Literals as bits: the variables that are to be true, and those that are to be false."""
    true = false = 0
    for literal in literals:
        if literal > 0:
            true |= 1 << literal
        else:
            false |= 1 << -literal
    return true, false


def literals_of(true: int, false: int) -> list[int]:
    """The literals that bits stand for, in order of their variables."""
    found = []
    for sign, rest in ((1, true), (-1, false)):
        while rest:
            lowest = rest & -rest
            found.append(sign * (lowest.bit_length() - 1))
            rest ^= lowest
    return sorted(found, key=abs)


TRUE, FALSE = -1, 0
"""What a variable can be renamed to, besides another variable."""


@dataclass(frozen=True, slots=True)
class Swap:
    """A change of a world: some fluents take the values of others, or fixed ones.

    Attributes:
        names: the fluents that change.
        mask: their variables, as bits.
        renamed: for each of these variables the one whose truth before is its truth after; or
            `TRUE` or `FALSE`.
    """

    names: tuple[str, ...]
    mask: int
    renamed: Mapping[int, int]

    def clause(self, literals: Iterable[int]) -> tuple[int, int] | None:
        """The clause that is true before iff this one is after; None if it is always true.

        Returned as bits: the variables of its positive, and of its negative literals.
        """
        positive = negative = 0
        for literal in literals:
            renamed = self.renamed.get(abs(literal), abs(literal))
            if renamed > 0:
                if literal > 0:
                    positive |= 1 << renamed
                else:
                    negative |= 1 << renamed
            elif (renamed == TRUE) is (literal > 0):
                return None
        return None if positive & negative else (positive, negative)

    def counted(self, variables: int) -> tuple[int, int] | None:
        """What of before is counted where these variables (bits) are counted after.

        Returns:
            Variables (bits), and how many more are counted in any case. None if one of before
            would count more than once.
        """
        found = variables & ~self.mask
        constant = 0
        inside = variables & self.mask
        while inside:
            lowest = inside & -inside
            inside ^= lowest
            renamed = self.renamed[lowest.bit_length() - 1]
            if renamed > 0:
                if found >> renamed & 1:
                    return None
                found |= 1 << renamed
            elif renamed == TRUE:
                constant += 1
        return found, constant

    def sources(self, variables: int) -> int:
        """The variables (bits) whose truth before is that of some of these (bits) after."""
        found = 0
        for variable in literals_of(variables & self.mask, 0):
            if self.renamed[variable] > 0:
                found |= 1 << self.renamed[variable]
        return found

    def applied(self, world: int) -> int:
        """The world after the swap."""
        after = world & ~self.mask
        for variable, renamed in self.renamed.items():
            if renamed == TRUE or (renamed > 0 and (world >> renamed) & 1):
                after |= 1 << variable
        return after


@dataclass(eq=False, slots=True)
class Lemma:
    """Conditions that together imply a proxy, or (as `Proxy.lemmas` says) its negation.

    Attributes:
        true: the variables (bits) that are to be true.
        false: those that are to be false.
        literals: those of them that imply the others.
        swap: for a lemma from a counter-world, the swap that leads to it.
        clauses: clauses that are to be true, too: their variables (bits), positive and negative.
        either: for each of them a variable that is true where the clause is, see `meaning`.
        free: the variables (bits) whose values after the swap are left open: see `projection`.
    """

    true: int
    false: int
    literals: list[int]
    swap: Swap | None = None
    clauses: tuple[tuple[int, int], ...] = ()
    either: tuple[int, ...] = ()
    free: int = 0

    def clause(self, head: int) -> list[int]:
        """That it implies this literal, as a clause."""
        return [*(-literal for literal in self.literals), *(-one for one in self.either), head]

    def meaning(self, known: set[int]) -> Iterator[list[int]]:
        """What the variables of `either` mean, as clauses; those `known`, which grow, left out."""
        for (positive, negative), one in zip(self.clauses, self.either, strict=True):
            if one not in known:
                known.add(one)
                for literal in literals_of(positive, negative):
                    yield [-literal, one]

    def applies(self, world: int) -> bool:
        """Whether all its conditions are true at the world."""
        if world & self.true != self.true or world & self.false:
            return False
        return all(world & positive or ~world & negative for positive, negative in self.clauses)

    def certificate(self, world: int) -> list[int]:
        """Literals, true at a world at which it applies, wherever which are true it applies."""
        found = list(self.literals)
        for positive, negative in self.clauses:
            true, false = world & positive, ~world & negative
            if true & self.true or false & self.false:
                continue
            found.append(true.bit_length() - 1 if true else 1 - false.bit_length())
        return found


@dataclass(eq=False)
class Proxy:
    """The variable of a modal subformula.

    It says that `agents`, pooling what they see (`observed`), know `operand`; or, if `common`, that
    they have common knowledge of it (`observed` is then what all of them see). If it is a `belief`,
    that the one agent believes it, or all of them have common belief of it. `about` are the
    fluents that the operand speaks of, if it does not speak about knowledge itself; `plain` is then
    a literal that says the same. `lasting`: whether the operand, if it is true, stays so as events
    happen. `fixed`: what is observed, as bits.
    """

    formula: Formula
    name: Atom
    literal: int
    agents: tuple[str, ...]
    operand: Formula
    observed: Literals
    common: bool
    about: tuple[str, ...]
    plain: int | None
    lasting: bool
    fixed: int
    refuted: Target | None = None
    lemmas: dict[bool, list[Lemma]] = field(default_factory=lambda: {True: [], False: []})

    def see(self, observed: Literals) -> None:
        """Let the agents observe these variables."""
        self.observed = observed
        self.fixed = sum([1 << one for one in observed])

    @property
    def belief(self) -> bool:
        """Whether it is about belief, not knowledge."""
        return isinstance(self.formula, f.B | f.CB)

    def confirmed(self, truth: bool, world: int) -> Lemma | None:
        """A lemma that says that this is its truth at `world`."""
        return next((lemma for lemma in self.lemmas[truth] if lemma.applies(world)), None)


@dataclass(eq=False, slots=True)
class Target:
    """A formula to be made true at a world, as a literal, and the guesses that it rests on.

    Attributes:
        formula: normalised; in it the modal subformulas are K, D, C, B or CB.
        literal: equivalent to it, if every proxy is what it stands for.
        proxies: with the guesses (true, false) that have to be checked where they are made.
        witnesses: some worlds at which it is true, checked.
    """

    formula: Formula
    literal: int
    proxies: tuple[tuple[Proxy, bool, bool], ...]
    witnesses: list[int] = field(default_factory=list)


@remembered
def _shares(formula: Formula) -> bool:
    """Whether subformulas occur so often that going through all occurrences is out of the question.

    What is reckoned with numbers in binary doubles with every digit, written out.
    """
    written = fold(formula, lambda _, parts: 1 + sum(parts))
    return written > _WRITTEN_OUT and written > 2 * sum(1 for _ in subformulas(formula))


class Certificates:
    """Finds certificates at worlds at which the guesses about modal subformulas were checked."""

    def __init__(self, encoding: Encoding, proxies: Mapping[Formula, Proxy]) -> None:
        """With the variables of atoms, and the proxies of modal subformulas with their lemmas."""
        self._encoding = encoding
        self._proxies = proxies
        # Certificates of subformulas, while one is made for a formula that shares them.
        self._certified: dict[tuple[Formula, bool], list[int] | None] | None = None

    def true(self, formula: Formula, world: int) -> bool:
        """The truth of a formula at a world, by its lemmas where it is modal."""
        return self._true(formula, world, {} if _shares(formula) else None)

    def _true(self, formula: Formula, world: int, found: dict[Formula, bool] | None) -> bool:
        """The same; with `found`, no subformula is looked at twice."""
        if found is not None and formula in found:
            return found[formula]
        match formula:
            case f.Constant(value):
                return value
            case Atom():
                literal = self._encoding.atom(formula)
                return bool((world >> abs(literal)) & 1) is (literal > 0)
            case f.K() | f.D() | f.C() | f.B() | f.CB():
                truth = self._proxies[formula].confirmed(True, world) is not None
            case f.Not(operand):
                truth = not self._true(operand, world, found)
            case f.And(operands):
                truth = all(self._true(part, world, found) for part in operands)
            case f.Or(operands):
                truth = any(self._true(part, world, found) for part in operands)
            case f.Implies(left, right):
                truth = not self._true(left, world, found) or self._true(right, world, found)
            case f.Iff(left, right):
                truth = self._true(left, world, found) is self._true(right, world, found)
            case f.Cardinality(relation, bound, operands):
                number = sum(self._true(part, world, found) for part in operands)
                truth = counts(relation, bound, number)
            case _:
                raise TypeError(f"not normalised: {formula}")
        if found is not None:
            found[formula] = truth
        return truth

    def keeping(
        self, formula: Formula, world: int, truth: bool = True, kept: Iterable[int] = ()
    ) -> list[int]:
        """Literals, true at `world`, that give `formula` this truth wherever they are true.

        Where there is a choice, few are preferred, and those that are `kept` anyway.
        """
        found = self._certificate(formula, truth, world, set(kept))
        if found is None:
            raise AssertionError(f"{formula} is not {truth} at the world that was found")
        return found

    def certified(self, formula: Formula, world: int) -> list[int] | None:
        """Literals, true at `world`, that imply `formula`; None if no lemmas say enough yet."""
        return self._certificate(formula, True, world, set())

    def _certificate(
        self, formula: Formula, truth: bool, world: int, have: set[int]
    ) -> list[int] | None:
        self._certified = {} if _shares(formula) else None
        try:
            return self._cheapest(formula, truth, world, have)
        finally:
            self._certified = None

    def _cheapest(
        self, formula: Formula, truth: bool, world: int, have: set[int]
    ) -> list[int] | None:
        certified = self._certified
        if certified is None:
            return self._found(formula, truth, world, have)
        if (formula, truth) not in certified:
            certified[formula, truth] = self._found(formula, truth, world, have)
        return certified[formula, truth]

    def _found(self, formula: Formula, truth: bool, world: int, have: set[int]) -> list[int] | None:
        match formula:
            case f.Constant(value):
                return [] if value is truth else None
            case Atom():
                if self.true(formula, world) is not truth:
                    return None
                literal = self._encoding.atom(formula)
                return [literal if truth else -literal]
            case f.K() | f.D() | f.C() | f.B() | f.CB():
                return self._modal(formula, truth, world, have)
            case f.Not(operand):
                return self._cheapest(operand, not truth, world, have)
            case f.Implies(left, right):
                return self._some(((left, False), (right, True)), truth, world, have)
            case f.And(operands) | f.Or(operands):
                # All of a conjunction, one of a disjunction; the other way round if false.
                parts = tuple((part, truth) for part in operands)
                every = isinstance(formula, f.And) is truth
                if every:
                    return self._every(parts, world, have)
                return self._some(parts, True, world, have)
            case f.Iff(left, right):
                one = self.true(left, world)
                return self._every(((left, one), (right, one is truth)), world, have)
            case f.Cardinality(relation, bound, operands):
                return self._counted(relation, bound, operands, truth, world, have)
        raise TypeError(f"not normalised: {formula}")

    def _modal(
        self, leaf: f.K | f.D | f.C | f.B | f.CB, truth: bool, world: int, have: set[int]
    ) -> list[int] | None:
        factive = isinstance(leaf, f.K | f.D | f.C) and is_propositional(leaf.operand)
        if not truth and factive and not self.true(leaf.operand, world):
            return self._cheapest(leaf.operand, False, world, have)  # what is known is true
        lemma = self._proxies[leaf].confirmed(truth, world)
        return None if lemma is None else lemma.certificate(world)

    def _every(
        self,
        parts: Iterable[tuple[Formula, bool]],
        world: int,
        have: set[int],
    ) -> list[int] | None:
        found: dict[int, None] = {}
        for part, truth in parts:
            literals = self._cheapest(part, truth, world, have)
            if literals is None:
                return None
            found.update(dict.fromkeys(literals))
        return list(found)

    def _some(
        self,
        parts: Iterable[tuple[Formula, bool]],
        truth: bool,
        world: int,
        have: set[int],
    ) -> list[int] | None:
        """One of `parts`; or, if not `truth`, the opposite of all of them."""
        if not truth:
            return self._every([(p, not value) for p, value in parts], world, have)
        best: list[int] | None = None
        for part, value in parts:
            literals = self._cheapest(part, value, world, have)
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
        world: int,
        have: set[int],
    ) -> list[int] | None:
        """Enough true ones for "at least", enough false ones for "at most", both for "exactly"."""
        number = sum(self.true(part, world) for part in operands)
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
                if (literals := self._cheapest(part, value, world, have)) is not None
            ]
            options.sort(key=lambda literals: len(set(literals) - have))
            for literals in options[: max(0, enough)]:
                found.update(dict.fromkeys(literals))
        return list(found)
