"""Laws that are sums: how many of these are true, and which numbers are all right.

"Bob holds five cards", "one of the three is with Bob", "not all three are in the envelope", "no
red one is": each is a count of literals with a set of allowed numbers. A law all of whose
constraints are of this kind (deals of cards are, with all that is told of single hands) can be
counted without a diagram: see `symkripke.engines.counting.dynamic_programme`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from symkripke.language import formulas as f
from symkripke.limits import look
from symkripke.model import Fluent

# Sums over more fluents are looked at when those over fewer tell nothing more.
_FEW = 6

Literal: TypeAlias = tuple[f.Atom, bool]
"""An atom, and whether it is true."""


@dataclass(frozen=True, eq=False)
class Sum:
    """What fluents add up to is one of some numbers.

    Attributes:
        parts: for each fluent how much each of its values adds, from 0 up.
        allowed: the numbers that the sum may be, as a set of bits: bit n for the number n.
        defines: a fluent with two values of which it says which one, given all others.
        weights: what a world counts by this sum, for each number; None: 1 for each allowed one.
    """

    parts: Mapping[str, tuple[int, ...]]
    allowed: int
    defines: str | None = None
    weights: tuple[int, ...] | None = None


def as_sums(formula: f.Formula, fluents: Mapping[str, Fluent]) -> tuple[Sum, ...] | None:
    """Sums that are all right exactly where the resolved formula is true; None if it has none.

    It has some if it is a conjunction of these: a disjunction of literals, or a cardinality over
    them, or one of these two that a literal is tied to by "if" or "exactly if".
    """
    found: list[Sum] = []
    stack = [(formula, True)]
    while stack:
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
                found.append(found_sum)
    return tuple(found)


def _as_sum(part: f.Formula, truth: bool, fluents: Mapping[str, Fluent]) -> Sum | None:
    """A formula that is not a conjunction, as one sum."""
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


def _simple(part: f.Formula, truth: bool, fluents: Mapping[str, Fluent]) -> Sum | None:
    """A disjunction of literals, or a cardinality over them."""
    match part:
        case f.Constant(value):
            return Sum({}, int(value is truth))
        case f.Cardinality(relation, bound, operands):
            literals = _literals(operands)
            numbers = range(len(operands) + 1)
            fits = [_compared(number, relation, bound) is truth for number in numbers]
        case _:
            literals = _clause(part, truth)
            fits = [False, *[True] * len(literals or ())]
    return None if literals is None else Sum(_added(literals, fluents), _bits(fits))


def _conditional(condition: Literal, then: f.Formula, fluents: Mapping[str, Fluent]) -> Sum | None:
    """If the literal is true, then the formula is.

    Where the literal is false it adds more than all of the rest: any number is right then.
    """
    rest = _simple(then, True, fluents)
    if rest is None:
        return None
    most = _most(rest)
    anything = ((1 << most + 1) - 1) << most + 1
    return Sum(_with(rest, condition, False, most + 1, fluents), rest.allowed | anything)


def _defined(
    literal: Literal, formula: f.Formula, truth: bool, fluents: Mapping[str, Fluent]
) -> Sum | None:
    """The literal has the truth of the formula, or with a false `truth` has not.

    Where it is true it adds more than all of the rest.
    """
    rest = _simple(formula, truth, fluents)
    if rest is None:
        return None
    most = _most(rest)
    wrong = ((1 << most + 1) - 1) & ~rest.allowed
    name = literal[0].fluent
    defines = name if len(fluents[name].values) == 2 and name not in rest.parts else None
    parts = _with(rest, literal, True, most + 1, fluents)
    return Sum(parts, wrong | rest.allowed << most + 1, defines)


def _with(
    rest: Sum, literal: Literal, truth: bool, adds: int, fluents: Mapping[str, Fluent]
) -> dict[str, tuple[int, ...]]:
    """The parts of a sum to which the literal adds so much, if it has this truth."""
    atom, sign = literal
    own = _added([(atom, sign is truth)], fluents)[atom.fluent]
    before = rest.parts.get(atom.fluent, (0,) * len(own))
    more = tuple(number + adds * here for number, here in zip(before, own, strict=True))
    return {**rest.parts, atom.fluent: more}


def _most(law_sum: Sum) -> int:
    return sum(map(max, law_sum.parts.values()))


def _bits(fits: Iterable[bool]) -> int:
    return sum(1 << number for number, fit in enumerate(fits) if fit)


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
    """These formulas, if all are literals."""
    found = [_literal(part) for part in parts]
    literals = [literal for literal in found if literal is not None]
    return literals if len(literals) == len(found) else None


def _clause(formula: f.Formula, truth: bool) -> list[Literal] | None:
    """Literals one of which must be true, so that the formula has this truth."""
    found: list[Literal] = []
    stack = [(formula, truth)]
    while stack:
        part, truth = stack.pop()
        match part:
            case f.Atom():
                found.append((part, truth))
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
    return found


def _added(
    literals: Sequence[Literal], fluents: Mapping[str, Fluent]
) -> dict[str, tuple[int, ...]]:
    """How many of the literals each value of each fluent makes true."""
    parts: dict[str, tuple[int, ...]] = {}
    for atom, truth in literals:
        values = fluents[atom.fluent].values
        before = parts.get(atom.fluent, (0,) * len(values))
        parts[atom.fluent] = tuple(
            number + ((value == atom.value) is truth)
            for number, value in zip(before, values, strict=True)
        )
    return parts


class Domains:
    """The values that each fluent can still have, narrowed by what each sum alone says.

    Attributes:
        left: for each fluent the places of its values; empty for all of them if there is no world.
    """

    def __init__(self, fluents: Mapping[str, Fluent], sums: Sequence[Sum]) -> None:
        """Narrow until nothing more follows (bounds of each sum; no search).

        Sums of few fluents first: what was seen is quickly told, and says most.
        """
        self.left = {name: list(range(len(fluent.values))) for name, fluent in fluents.items()}
        touching: dict[str, list[Sum]] = {name: [] for name in fluents}
        ordered = sorted(sums, key=lambda law_sum: len(law_sum.parts))
        for law_sum in ordered:
            if len(law_sum.parts) > 1:  # one fluent alone: told once and for all
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
                self.left = {name: [] for name in fluents}
                return
            for name in narrowed:
                for other in touching[name]:
                    (few if len(other.parts) <= _FEW else many)[other] = None

    def _narrow(self, law_sum: Sum) -> list[str] | None:
        """The fluents of which a value went; None if nothing is left."""
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
    """Whether a number from `least` to `most` is allowed."""
    return bool(allowed >> least & ((1 << most - least + 1) - 1))
