"""Implicants: small sets of literals, true at a world, that imply a formula's truth there.

An *implicant* of a formula is a set of literals such that the formula is true at every world of the
law at which all these literals are true. Implicants of modal subformulas come from lemmas.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from symkripke.engines.sat.compiled_formula import Test, compiled, is_shared
from symkripke.engines.sat.encoding import Encoding
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional
from symkripke.model.evaluate import counts
from symkripke.records import dataclass

if TYPE_CHECKING:
    from symkripke.engines.sat.modal.proxy import Proxy


class Implicants:
    """A finder of implicants at worlds with checked guesses about modal subformulas."""

    def __init__(self, encoding: Encoding, proxies: Mapping[Formula, Proxy]) -> None:
        """Create a finder that uses this encoding and the lemmas of these proxies."""
        self.encoding = encoding
        self.proxies = proxies
        self._tests: dict[Formula, Test] = {}

    def true(self, formula: Formula, world: int) -> bool:
        """Return the truth of a formula at a world; lemmas decide modal subformulas."""
        return self.test(formula)(world)

    def test(self, formula: Formula) -> Test:
        """Return a test of a formula that decides modal subformulas by lemmas."""
        test = self._tests.get(formula)
        if test is None:
            test = self._tests[formula] = (
                self.encoding.compiled(formula).test
                if is_propositional(formula)
                else compiled(formula, self.encoding.atom, self._confirmed).test
            )
        return test

    def _confirmed(self, leaf: Formula) -> Test:
        """Return a test of whether a lemma implies a modal subformula."""
        proxies = self.proxies
        return lambda world: proxies[leaf].confirmed(True, world) is not None

    def implicant(
        self, formula: Formula, world: int, truth: bool = True, preferred: Iterable[int] = ()
    ) -> list[int]:
        """Return literals, true at `world`, that imply this truth of `formula`.

        The set is small, and has `preferred` literals if possible.
        """
        literals = self._looking(formula, world, set(preferred)).found(formula, truth)
        if literals is None:
            raise AssertionError(f"{formula} is not {truth} at the world that was found")
        return literals

    def known_implicant(self, formula: Formula, world: int) -> list[int] | None:
        """Return literals, true at `world`, that imply `formula`; None if lemmas are missing."""
        return self._looking(formula, world, set()).found(formula, True)

    def _looking(self, formula: Formula, world: int, preferred: set[int]) -> _Looking:
        return _Looking(self, world, preferred, {} if is_shared(formula) else None)


@dataclass(slots=True)
class _Looking:
    """A search for implicants at one world.

    Attributes:
        of: the finder, which provides the truth of formulas and lemmas.
        world: the world.
        have: the preferred literals.
        shared: the cached results by subformula and truth; None if subformulas are not shared.
    """

    of: Implicants
    world: int
    have: set[int]
    shared: dict[tuple[Formula, bool], list[int] | None] | None

    def found(self, formula: Formula, truth: bool) -> list[int] | None:
        """Return a few literals that imply this truth value; None if lemmas are missing."""
        if self.shared is None:
            return self._found(formula, truth)
        if (formula, truth) not in self.shared:
            self.shared[formula, truth] = self._found(formula, truth)
        return self.shared[formula, truth]

    def _found(self, formula: Formula, truth: bool) -> list[int] | None:
        match formula:
            case f.Constant(value):
                return [] if value is truth else None
            case Atom():
                if self.of.true(formula, self.world) is not truth:
                    return None
                literal = self.of.encoding.atom(formula)
                return [literal if truth else -literal]
            case f.K() | f.D() | f.C() | f.B() | f.CB():
                return self._modal(formula, truth)
            case f.Not(operand):
                return self.found(operand, not truth)
            case f.Implies(left, right):
                return self._some(((left, False), (right, True)), truth)
            case f.And(operands) | f.Or(operands):
                # A true conjunction or false disjunction needs all parts, otherwise one part is
                # enough.
                parts = tuple((part, truth) for part in operands)
                every = isinstance(formula, f.And) is truth
                if every:
                    return self._every(parts)
                return self._some(parts, True)
            case f.Iff(left, right):
                first = self.of.true(left, self.world)
                return self._every(((left, first), (right, first is truth)))
            case f.Cardinality(relation, bound, operands):
                return self._counted(relation, bound, operands, truth)
        raise TypeError(f"not normalised: {formula}")

    def _modal(self, leaf: f.K | f.D | f.C | f.B | f.CB, truth: bool) -> list[int] | None:
        factive = isinstance(leaf, f.K | f.D | f.C) and is_propositional(leaf.operand)
        if not truth and factive and not self.of.true(leaf.operand, self.world):
            return self.found(leaf.operand, False)  # ~f -> ~K f
        lemma = self.of.proxies[leaf].confirmed(truth, self.world)
        return None if lemma is None else lemma.implicant(self.world)

    def _every(self, parts: Iterable[tuple[Formula, bool]]) -> list[int] | None:
        chosen: dict[int, None] = {}
        for part, truth in parts:
            literals = self.found(part, truth)
            if literals is None:
                return None
            chosen.update(dict.fromkeys(literals))
        return list(chosen)

    def _some(self, parts: Iterable[tuple[Formula, bool]], truth: bool) -> list[int] | None:
        """Return an implicant of one of `parts`; if not `truth`, of the opposite of all."""
        if not truth:
            return self._every([(p, not value) for p, value in parts])
        best: list[int] | None = None
        least = 0
        # A part is accepted at once if it needs no new literal, or one if none are preferred.
        enough = 0 if self.have else 1
        for part, value in parts:
            literals = self.found(part, value)
            if literals is None:
                continue
            cost = len(set(literals) - self.have)
            if best is None or cost < least:
                best, least = literals, cost
            if cost <= enough:
                break
        return best

    def _counted(
        self, relation: f.Relation, bound: int, operands: tuple[Formula, ...], truth: bool
    ) -> list[int] | None:
        """Return implicants of as many true and false parts as decide the count."""
        number = sum(self.of.true(part, self.world) for part in operands)
        if counts(relation, bound, number) is not truth:
            return None
        if truth:
            least = bound if relation != "atmost" else 0
            most = bound if relation != "atleast" else len(operands)
        elif relation == "atleast" or (relation == "exactly" and number < bound):
            least, most = 0, bound - 1
        else:
            least, most = bound + 1, len(operands)
        chosen: dict[int, None] = {}
        for value, enough in ((True, least), (False, len(operands) - most)):
            options = [
                literals for part in operands if (literals := self.found(part, value)) is not None
            ]
            options.sort(key=lambda literals: len(set(literals) - self.have))
            for literals in options[: max(0, enough)]:
                chosen.update(dict.fromkeys(literals))
        return list(chosen)
