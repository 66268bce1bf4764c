"""Implicants: few literals, true at a world, that give a formula its truth there.

An *implicant* of a formula is a set of literals such that the formula is true at every world of the
law at which they are. Modal subformulas have implicants by lemmas.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from symkripke.engines.sat.compiled_formula import Test, compiled, is_shared
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.swaps.lemma import Lemma
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional
from symkripke.model.evaluate import counts


class Decided(Protocol):
    """A modal subformula about which there are lemmas."""

    def confirmed(self, truth: bool, world: int) -> Lemma | None:
        """A lemma that says that this is its truth at `world`."""


class Implicants:
    """Finds implicants at worlds at which the guesses about modal subformulas were checked."""

    def __init__(self, encoding: Encoding, proxies: Mapping[Formula, Decided]) -> None:
        """With the variables of atoms, and modal subformulas with their lemmas."""
        self._encoding = encoding
        self._proxies = proxies
        self._tests: dict[Formula, Test] = {}
        # Implicants of subformulas, while one is found for a formula that shares them.
        self._shared: dict[tuple[Formula, bool], list[int] | None] | None = None

    def true(self, formula: Formula, world: int) -> bool:
        """The truth of a formula at a world, by its lemmas where it is modal."""
        return self.test(formula)(world)

    def test(self, formula: Formula) -> Test:
        """The same, for many worlds."""
        test = self._tests.get(formula)
        if test is None:
            test = self._tests[formula] = (
                self._encoding.compiled(formula).test
                if is_propositional(formula)
                else compiled(formula, self._encoding.atom, self._confirmed).test
            )
        return test

    def _confirmed(self, leaf: Formula) -> Test:
        """Whether a lemma says that a modal subformula is true."""
        proxies = self._proxies
        return lambda world: proxies[leaf].confirmed(True, world) is not None

    def implicant(
        self, formula: Formula, world: int, truth: bool = True, preferred: Iterable[int] = ()
    ) -> list[int]:
        """Literals, true at `world`, that give `formula` this truth wherever they are true.

        Where there is a choice, few are preferred, and those that are `preferred`.
        """
        found = self._implicant(formula, truth, world, set(preferred))
        if found is None:
            raise AssertionError(f"{formula} is not {truth} at the world that was found")
        return found

    def known_implicant(self, formula: Formula, world: int) -> list[int] | None:
        """Literals, true at `world`, that imply `formula`; None if no lemmas say enough yet."""
        return self._implicant(formula, True, world, set())

    def _implicant(
        self, formula: Formula, truth: bool, world: int, have: set[int]
    ) -> list[int] | None:
        self._shared = {} if is_shared(formula) else None
        try:
            return self._cheapest(formula, truth, world, have)
        finally:
            self._shared = None

    def _cheapest(
        self, formula: Formula, truth: bool, world: int, have: set[int]
    ) -> list[int] | None:
        shared = self._shared
        if shared is None:
            return self._found(formula, truth, world, have)
        if (formula, truth) not in shared:
            shared[formula, truth] = self._found(formula, truth, world, have)
        return shared[formula, truth]

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
                first = self.true(left, world)
                return self._every(((left, first), (right, first is truth)), world, have)
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
        return None if lemma is None else lemma.implicant(world)

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
