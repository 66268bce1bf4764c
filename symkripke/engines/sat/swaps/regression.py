"""Fluents that others define: what a card's place becomes, by where it was and what was drawn.

When a fluent changes, it gets a new version, and the law says of each value v of it: the version
has v iff a formula about older fluents, its *definition*, is true. So a world is settled by its
other fluents, the *roots*, and so is a swap: which value a version has after it, its definition
says. A swap r of roots is *carried* to a version x that is defined as g by choosing r(x) such that
r(x) <-> r*(g) at all worlds with some conditions. Then r keeps the definition by construction, and
the lemma needs these conditions and no others for it. Let y be the version before x, as it occurs
in g. At the world of the swap, the truth of the rest of g is known (no other card was drawn);
with a few literals of the rest as conditions, either r*(g) is constant, or it is r(y). So the
conditions say how a card moved, if it is one of those that the swap moves, and not where all the
other cards were at all times.

By the same token a literal of x says no more than one of y, where such conditions are there anyway:
see `reduced`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.swaps.implicants import (
    FALSE,
    TRUE,
    Certificates,
    Swap,
    bits_of,
    literals_of,
)
from symkripke.engines.sat.swaps.precondition import Kept
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.walk import atoms
from symkripke.model import KnowledgeStructure

Bits = tuple[int, int]
"""Literals: the variables that are to be true, and those that are to be false, as bits."""


@dataclass(eq=False, slots=True)
class Tie:
    """A variable that is true iff a formula is (or, if not `sign`, iff it is not).

    Attributes:
        variable: that variable.
        body: the formula.
        sign: whether they have the same truth.
        support: the variables of the formula, as bits.
        before: the variable of the same value in the version before, if the formula speaks of it.
        stated: the constraint that says so.
        flat: if the formula is a conjunction of literals, or a disjunction: which, and these.
    """

    variable: int
    body: Formula
    sign: bool
    support: int
    before: int | None
    stated: Formula
    flat: tuple[bool, Bits] | None

    def true(self, world: int, certificates: Certificates) -> bool:
        """Whether the formula is true at a world."""
        if self.flat is None:
            return certificates.true(self.body, world)
        every, (true, false) = self.flat
        if every:
            return world & true == true and not world & false
        return bool(world & true or ~world & false)

    def why(self, world: int, certificates: Certificates) -> Bits:
        """Literals, true at the world, that give the formula the truth that it has there."""
        if self.flat is None:
            truth = certificates.true(self.body, world)
            return bits_of(certificates.keeping(self.body, world, truth))
        every, (true, false) = self.flat
        if self.true(world, certificates) is every:
            return (true, false) if every else (false, true)
        # One will do: that something is not so excludes less than that it is.
        true, false = (world & false, ~world & true) if every else (world & true, ~world & false)
        return (0, false & -false) if false else (true & -true, 0)

    def rest(self, world: int, certificates: Certificates) -> Bits | None:
        """Literals, true at the world, with which the variable is as in the version before.

        None if it does not hang on that.
        """
        if self.before is None:
            return None
        bit = 1 << self.before
        here, elsewhere = self.true(world, certificates), world ^ bit
        if self.true(elsewhere, certificates) is here or (here is self.sign) is not bool(
            world & bit
        ):
            return None
        one, other = self.why(world, certificates), self.why(elsewhere, certificates)
        return (one[0] | other[0]) & ~bit, (one[1] | other[1]) & ~bit


@dataclass(eq=False, slots=True)
class Definition:
    """What defines a fluent: a tie for each of its variables; and the bits of all they speak of."""

    name: str
    ties: tuple[Tie, ...]
    support: int


def definitions_in(stage: KnowledgeStructure, encoding: Encoding) -> dict[str, Definition]:
    """The fluents that the last event of `stage` defines, in the order in which they depend."""
    if stage.before is None or stage.event is None or not stage.event.changes:
        return {}
    older, fluents = stage.before.vocabulary.fluents, stage.vocabulary.fluents
    ties: dict[str, dict[int, Tie]] = {}
    for constraint in stage.added:
        tied = _tied(constraint.formula)
        if tied is None:
            continue
        atom, body, sign = tied
        parts = atoms(body)
        if (
            atom.fluent in older
            or "#" not in atom.fluent
            or any("#" in one.fluent and one.fluent not in older for one in parts)
        ):
            continue
        plain = atom.fluent.partition("#")[0]
        last = [
            one
            for one in parts
            if one.value == atom.value and one.fluent.partition("#")[0] == plain
        ]
        variable = encoding.atom(atom)
        ties.setdefault(atom.fluent, {})[variable] = Tie(
            variable,
            body,
            sign,
            sum(1 << encoding.atom(one) for one in parts),
            encoding.atom(last[0]) if len(last) == 1 else None,
            constraint.formula,
            _flat(body, encoding),
        )
    found = {}
    for name, mine in ties.items():
        if len(mine) == len(fluents[name].atoms):
            support = 0
            for tie in mine.values():
                support |= tie.support
            found[name] = Definition(name, tuple(mine.values()), support)
    return found


def _tied(formula: Formula) -> tuple[Atom, Formula, bool] | None:
    """The atom, its definition, and whether they have the same truth; None if it is none."""
    match formula:
        case f.Iff(Atom() as atom, body):
            return atom, body, True
        case f.Iff(f.Not(Atom() as atom), body):
            return atom, body, False
    return None


def _flat(body: Formula, encoding: Encoding) -> tuple[bool, Bits] | None:
    """The literals of a conjunction (True) or disjunction (False); None if it is neither."""
    if isinstance(body, f.Constant):
        return body.value, (0, 0)
    true = false = 0
    for part in body.operands if isinstance(body, f.And | f.Or) else (body,):
        atom = part.operand if isinstance(part, f.Not) else part
        if not isinstance(atom, Atom):
            return None
        if atom is part:
            true |= 1 << encoding.atom(atom)
        else:
            false |= 1 << encoding.atom(atom)
    return None if true & false else (isinstance(body, f.And | Atom | f.Not), (true, false))


def carried(
    swap: Swap,
    definitions: Mapping[str, Definition],
    kept: Kept,
    world: int | None,
    certificates: Certificates,
) -> Swap:
    """The swap, carried to what these definitions define; what that needs is added to `kept`.

    Args:
        swap: a swap of other fluents.
        definitions: in the order in which they depend on each other.
        kept: what is to be true before the swap; grows.
        world: the world before the swap, to choose conditions that are true there. If there is
            none, what `kept` does not say is taken to be false: few cards are drawn.
        certificates: to find them with.
    """
    renamed, mask, names = dict(swap.renamed), swap.mask, list(swap.names)
    growing = Swap(swap.names, mask, renamed)
    here = after = 0 if world is None else world
    if world is not None:
        after = swap.applied(world)
    for definition in definitions.values():
        if not definition.support & mask:
            continue
        touched = False
        for tie in definition.ties:
            if not tie.support & mask:
                continue
            if world is None:
                here, after = kept.true, _applied(growing, kept.true, tie.support)
            result, needed = _followed(tie, renamed, after, certificates)
            own, without = _followed(tie, {}, here, certificates, result)
            kept.after(growing, needed)
            if own == result:
                # It is the same before and after.
                kept.true |= without[0]
                kept.false |= without[1]
                continue
            bit = 1 << tie.variable
            renamed[tie.variable] = result
            mask |= bit
            if result == TRUE or (result > 0 and here >> result & 1):
                after |= bit
            else:
                after &= ~bit
            touched = True
        if touched:
            names.append(definition.name)
    return swap if mask == swap.mask else Swap(tuple(names), mask, renamed)


def _applied(swap: Swap, world: int, variables: int) -> int:
    """What these variables (bits) are after a swap, which may have come to more than its mask."""
    after = 0
    for variable in literals_of(variables, 0):
        source = swap.renamed.get(variable, variable)
        if source == TRUE or (source > 0 and world >> source & 1):
            after |= 1 << variable
    return after


def _followed(
    tie: Tie,
    renamed: Mapping[int, int],
    after: int,
    certificates: Certificates,
    wanted: int | None = None,
) -> tuple[int, Bits]:
    """What the variable is renamed to, and literals of the world after the swap that it takes.

    If a constant is `wanted`, it is one.
    """
    if tie.before is not None and wanted not in (TRUE, FALSE):
        source = renamed.get(tie.before, tie.before)
        rest = tie.rest(after, certificates) if source > 0 else None
        if rest is not None:
            return source, rest
    truth = tie.true(after, certificates) is tie.sign
    return TRUE if truth else FALSE, tie.why(after, certificates)


def reduced(
    kept: Kept, definitions: Iterable[Definition], world: int, certificates: Certificates
) -> None:
    """Say what is kept of defined fluents by what defines them, where nothing more is needed.

    Args:
        kept: what is to be true at a world.
        definitions: the last ones first.
        world: where it is true.
        certificates: to find out with what.
    """
    for definition in definitions:
        for tie in definition.ties:
            bit = 1 << tie.variable
            if not (kept.true | kept.false) & bit:
                continue
            rest = tie.rest(world, certificates)
            true, false = tie.why(world, certificates) if rest is None else rest
            if true & ~kept.true or false & ~kept.false:
                continue
            kept.true &= ~bit
            kept.false &= ~bit
            if rest is not None and tie.before is not None:
                kept.add(1 << tie.before, world)
