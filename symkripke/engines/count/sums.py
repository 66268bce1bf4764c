"""Laws of sums: counts of literals, each with a set of allowed numbers.

"Bob holds five cards", "Bob holds one of these three", "not all three are in the envelope" and "no
red card is in the envelope" are sums. A law that consists of sums, such as a deal of cards with
facts about single hands, can be counted without a diagram (see
`symkripke.engines.count.dynamic_programme`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from math import prod
from typing import TypeAlias

from symkripke.language import formulas as f
from symkripke.limits import check, look
from symkripke.model import Fluent
from symkripke.records import dataclass

# Sums over more fluents than this narrow domains only after smaller sums cannot narrow further.
_FEW = 6

Literal: TypeAlias = tuple[f.Atom, bool]
"""An atom, and whether it is true."""


@dataclass(frozen=True, eq=False)
class SumConstraint:
    """The constraint that a sum over fluents is one of the allowed numbers.

    Attributes:
        parts: for each fluent, the number that each of its values adds. The least is 0.
        allowed: the allowed numbers as bits: bit n for the number n.
        defines: a fluent with two values that the others determine; None if there is none.
        weights: for each number, the weight that the sum gives a world; None if it is 1 for each
            allowed number.
    """

    parts: Mapping[str, tuple[int, ...]]
    allowed: int
    defines: str | None = None
    weights: tuple[int, ...] | None = None

    @property
    def exact(self) -> bool:
        """True if exactly one number is allowed."""
        return self.allowed.bit_count() == 1


def as_sums(formula: f.Formula, fluents: Mapping[str, Fluent]) -> tuple[SumConstraint, ...] | None:
    """Return sums that are together equivalent to the resolved formula; None if there are none.

    The formula must be a conjunction of the following kinds: a disjunction of literals, a
    cardinality over literals, and either of these when a literal implies it or is equivalent to it.
    """
    constraints: list[SumConstraint] = []
    stack = [(formula, True)]
    while stack:
        check()
        part, truth = stack.pop()
        match part:
            case f.Not(operand):
                stack.append((operand, not truth))
            case f.And() if truth:
                stack.extend((operand, True) for operand in part.operands)
            case f.Or() if not truth:
                stack.extend((operand, False) for operand in part.operands)
            case f.Implies(left, right) if not truth:
                stack += [(left, True), (right, False)]
            case _:
                found_sum = _as_sum(part, truth, fluents)
                if found_sum is None:
                    return None
                constraints.append(found_sum)
    return tuple(constraints)


def _as_sum(part: f.Formula, truth: bool, fluents: Mapping[str, Fluent]) -> SumConstraint | None:
    """Return a formula that is not a conjunction as one sum; None if that is impossible."""
    found_sum = _simple(part, truth, fluents)
    if found_sum is not None:
        return found_sum
    match part:
        case f.Iff(left, right):
            for tied, other in ((left, right), (right, left)):
                literal = _literal(tied)
                if literal is not None:
                    return _defined(literal, other, truth, fluents)
        case f.Implies(left, right) if truth and (literal := _literal(left)) is not None:
            return _conditional(literal, right, fluents)
    return None


def _simple(part: f.Formula, truth: bool, fluents: Mapping[str, Fluent]) -> SumConstraint | None:
    """Return a disjunction of literals or a cardinality over literals as a sum."""
    match part:
        case f.Constant(value):
            return SumConstraint({}, int(value is truth))
        case f.Cardinality(relation, bound, operands):
            literals = _literals(operands)
            numbers = range(len(operands) + 1)
            fits = [_compared(number, relation, bound) is truth for number in numbers]
        case _:
            literals = _clause(part, truth)
            fits = [False, *[True] * len(literals or ())]
    return None if literals is None else SumConstraint(_added(literals, fluents), _bits(fits))


def _conditional(
    condition: Literal, then: f.Formula, fluents: Mapping[str, Fluent]
) -> SumConstraint | None:
    """Return the sum for "if the condition is true, the formula `then` is true".

    If the condition is false, it adds more than all others can add, and any such number is allowed.
    """
    rest = _simple(then, True, fluents)
    if rest is None:
        return None
    most = _most(rest)
    anything = ((1 << most + 1) - 1) << most + 1
    return SumConstraint(_with(rest, condition, False, most + 1, fluents), rest.allowed | anything)


def _defined(
    literal: Literal, formula: f.Formula, truth: bool, fluents: Mapping[str, Fluent]
) -> SumConstraint | None:
    """Return the sum for "the literal is equivalent to the formula", or for its negation.

    If the literal is true, it adds more than all others can add.
    """
    rest = _simple(formula, truth, fluents)
    if rest is None:
        return None
    most = _most(rest)
    wrong = ((1 << most + 1) - 1) & ~rest.allowed
    name = literal[0].fluent
    defines = name if len(fluents[name].values) == 2 and name not in rest.parts else None
    parts = _with(rest, literal, True, most + 1, fluents)
    return SumConstraint(parts, wrong | rest.allowed << most + 1, defines)


def _with(
    rest: SumConstraint, literal: Literal, truth: bool, adds: int, fluents: Mapping[str, Fluent]
) -> dict[str, tuple[int, ...]]:
    """Return the parts of `rest`, with `adds` added where the literal has this truth value."""
    atom, sign = literal
    own = _added([(atom, sign is truth)], fluents)[atom.fluent]
    before = rest.parts.get(atom.fluent, (0,) * len(own))
    more = tuple(number + adds * here for number, here in zip(before, own, strict=True))
    return {**rest.parts, atom.fluent: more}


def _most(law_sum: SumConstraint) -> int:
    return sum(map(max, law_sum.parts.values()))


def _bits(fits: Sequence[bool]) -> int:
    return int("".join("01"[fit] for fit in reversed(fits)), 2)


def _compared(number: int, relation: f.Relation, bound: int) -> bool:
    match relation:
        case "atleast":
            return number >= bound
        case "atmost":
            return number <= bound
        case "exactly":
            return number == bound


def _literal(formula: f.Formula) -> Literal | None:
    truth = True
    while isinstance(formula, f.Not):
        formula, truth = formula.operand, not truth
    return (formula, truth) if isinstance(formula, f.Atom) else None


def _literals(parts: Iterable[f.Formula]) -> list[Literal] | None:
    """Return the literals of these formulas; None unless all are literals."""
    results = [_literal(part) for part in parts]
    literals = [literal for literal in results if literal is not None]
    return literals if len(literals) == len(results) else None


def _clause(formula: f.Formula, truth: bool) -> list[Literal] | None:
    """Return literals whose disjunction is equivalent to the formula having this truth."""
    literals: list[Literal] = []
    stack = [(formula, truth)]
    while stack:
        part, truth = stack.pop()
        match part:
            case f.Atom():
                literals.append((part, truth))
            case f.Not(operand):
                stack.append((operand, not truth))
            case f.Or() if truth:
                stack.extend((operand, True) for operand in part.operands)
            case f.And() if not truth:
                stack.extend((operand, False) for operand in part.operands)
            case f.Implies(left, right) if truth:
                stack += [(left, False), (right, True)]
            case _:
                return None
    return literals


def _added(
    literals: Sequence[Literal], fluents: Mapping[str, Fluent]
) -> dict[str, tuple[int, ...]]:
    """Return the number of literals that each value of each fluent makes true."""
    parts: dict[str, list[int]] = {}
    denied: dict[str, int] = {}
    for atom, truth in literals:
        fluent = fluents[atom.fluent]
        adds = parts.setdefault(atom.fluent, [0] * len(fluent.values))
        adds[fluent.positions[atom.value]] += 1 if truth else -1
        denied[atom.fluent] = denied.get(atom.fluent, 0) + (not truth)
    return {name: tuple(number + denied[name] for number in adds) for name, adds in parts.items()}


class Domains:
    """The possible values of each fluent, narrowed by each sum alone.

    Attributes:
        left: for each fluent, the indices of its values that are left; empty for all fluents if the
            bounds exclude every world.
    """

    def __init__(self, sizes: Mapping[str, int], sums: Sequence[SumConstraint]) -> None:
        """Narrow the domains to a fixed point by the bounds of each sum, without search.

        `sizes` maps each fluent to the number of its values. Sums over few fluents come first,
        because they include the observations, which narrow most.
        """
        self.left = {name: list(range(size)) for name, size in sizes.items()}
        touching: dict[str, list[SumConstraint]] = {name: [] for name in sizes}
        ordered = sorted(sums, key=lambda law_sum: len(law_sum.parts))
        for law_sum in ordered:
            if len(law_sum.parts) > 1:  # a sum over one fluent is used once
                for name in law_sum.parts:
                    touching[name].append(law_sum)
        few = dict.fromkeys(law_sum for law_sum in ordered if len(law_sum.parts) <= _FEW)
        many = dict.fromkeys(law_sum for law_sum in ordered if len(law_sum.parts) > _FEW)
        while few or many:
            look()
            waiting = few or many
            law_sum = next(iter(waiting))
            del waiting[law_sum]
            narrowed = self._narrow(law_sum)
            if narrowed is None:
                self.left = {name: [] for name in sizes}
                return
            for name in narrowed:
                for other in touching[name]:
                    (few if len(other.parts) <= _FEW else many)[other] = None

    def _narrow(self, law_sum: SumConstraint) -> list[str] | None:
        """Return the fluents that lost a value; None if the sum cannot hold."""
        least = most = 0
        open_ones = []
        for name, adds in law_sum.parts.items():
            left = self.left[name]
            if len(left) == 1:
                low = high = adds[left[0]]
            else:
                here = [adds[value] for value in left]
                low, high = min(here), max(here)
                if low < high:
                    open_ones.append((name, adds, low, high))
            least, most = least + low, most + high
        if not _between(law_sum.allowed, least, most):
            return None
        gone = []
        fits: dict[tuple[int, int, int], bool] = {}
        for name, adds, low, high in open_ones:
            kept = []
            for value in self.left[name]:
                key = low, high, adds[value]
                if key not in fits:
                    fits[key] = _between(
                        law_sum.allowed, least - low + adds[value], most - high + adds[value]
                    )
                if fits[key]:
                    kept.append(value)
            if len(kept) < len(self.left[name]):
                if not kept:
                    return None
                self.left[name] = kept
                gone.append(name)
        return gone


def _between(allowed: int, least: int, most: int) -> bool:
    """Return whether any number from `least` to `most` is allowed."""
    return bool(allowed >> least & ((1 << most - least + 1) - 1))


def count_disjoint(
    law: Sequence[SumConstraint],
    fluents: Mapping[str, Fluent],
    names: Container[str] | None = None,
    most: int = 100,
) -> int | None:
    """Return the number of valuations of these fluents, if the sums share no fluents.

    `names` contains the fluents; None means all fluents. Return None if sums share a fluent, have
    weights or more than `most` parts, or contain a fluent that is not in `names`. The result is the
    product of the numbers of solutions of the sums and the numbers of values of free fluents. This
    function does not need numpy, whose import takes longer than checking a small file.
    """
    spoken: set[str] = set()
    for law_sum in law:  # cheap checks first: most laws of games fail them
        parts = law_sum.parts
        if law_sum.weights is not None or len(parts) > most or not spoken.isdisjoint(parts):
            return None
        if names is not None and not all(name in names for name in parts):
            return None
        spoken.update(parts)
    number = 1
    for law_sum in law:
        ways = {0: 1}
        for adds in law_sum.parts.values():
            longer: dict[int, int] = {}
            for total, so_many in ways.items():
                for more in adds:
                    longer[total + more] = longer.get(total + more, 0) + so_many
            ways = longer
        number *= sum(so_many for total, so_many in ways.items() if law_sum.allowed >> total & 1)
    free = [name for name in fluents if name not in spoken and (names is None or name in names)]
    return number * prod(len(fluents[name].values) for name in free)
