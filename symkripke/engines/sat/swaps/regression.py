"""Regression: the reduction of conditions on defined fluents to conditions on their definitions.

When a fluent changes, it gets a new version. For each value v, the law states that the version has
v iff a formula about older fluents, its *definition*, is true (a successor state axiom). So the
other fluents, the *roots*, determine a world, and they also determine a swap. A swap r of roots is
*extended* to a version x with definition g by choosing r(x) such that r(x) <-> r*(g) at all worlds
under some conditions. Then r preserves the definition, and the lemma needs only these conditions
for it. Let y be the version before x, as it occurs in g. At the world of the swap, the truth of the
rest of g is known (no other fluent took the value). Under a few literals of the rest, r*(g) is
constant or equivalent to r(y). So the conditions describe how the fluents of the swap changed, and
not the values of all other fluents at all times.
"""

from __future__ import annotations

from collections.abc import Mapping

from symkripke.engines.sat.bits import Bits, bits_of, mask_of, union
from symkripke.engines.sat.compiled_formula import Test
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.swaps.implicants import Implicants
from symkripke.engines.sat.swaps.precondition import Precondition
from symkripke.engines.sat.swaps.swap import FALSE, TRUE, Swap
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.walk import atoms
from symkripke.model import KnowledgeStructure
from symkripke.records import dataclass


@dataclass(eq=False, slots=True)
class Equivalence:
    """An equivalence between a variable and a formula or, if not `sign`, its negation.

    Attributes:
        variable: the variable.
        body: the formula.
        sign: whether the variable and the formula have the same truth.
        support: the variables of the formula, as bits.
        before: the variable of the same value in the previous version, if the formula has it.
        stated: the constraint that states the equivalence.
        test: a test of the formula at worlds.
        implicants: the finder of implicants.
        flat: for a conjunction (True) or disjunction (False) of literals, this truth value and the
            literals; None for other formulas.
    """

    variable: int
    body: Formula
    sign: bool
    support: int
    before: int | None
    stated: Formula
    test: Test
    implicants: Implicants
    flat: tuple[bool, Bits] | None

    def why(self, world: int) -> Bits:
        """Return literals, true at the world, that imply the formula's truth there."""
        if self.flat is None:
            return bits_of(self.implicants.implicant(self.body, world, self.test(world)))
        every, (true, false) = self.flat
        if self.test(world) is every:
            return (true, false) if every else (false, true)
        # One literal is enough. A negative literal is the weaker condition.
        true, false = (world & false, ~world & true) if every else (world & true, ~world & false)
        return (0, false & -false) if false else (true & -true, 0)

    def rest(self, world: int) -> Bits | None:
        """Return literals, true at the world, under which the variable equals `before`.

        Return None if the variable is not equal to `before` there, or does not depend on it.
        """
        if self.before is None:
            return None
        bit = 1 << self.before
        here, elsewhere = self.test(world), world ^ bit
        if self.test(elsewhere) is here or (here is self.sign) is not bool(world & bit):
            return None
        true, false = self.why(world)
        also_true, also_false = self.why(elsewhere)
        return (true | also_true) & ~bit, (false | also_false) & ~bit


@dataclass(eq=False, slots=True)
class Definition:
    """The definition of a fluent.

    Attributes:
        name: the fluent.
        equivalences: the equivalence of each of its variables.
        support: the variables (bits) of all formulas of the equivalences.
    """

    name: str
    equivalences: tuple[Equivalence, ...]
    support: int


def definitions_in(stage: KnowledgeStructure, implicants: Implicants) -> dict[str, Definition]:
    """Return the definitions of fluents in the last event of `stage`, in order of dependence."""
    before, event = stage.history.before, stage.history.event
    if before is None or event is None or not event.changes:
        return {}
    encoding = implicants.encoding
    older, fluents = before.vocabulary.fluents, stage.vocabulary.fluents
    equivalences: dict[str, dict[int, Equivalence]] = {}
    for constraint in stage.law.added:
        tied = _tied(constraint.formula)
        if tied is None:
            continue
        atom, body, sign = tied
        parts = atoms(body)
        if (
            atom.fluent in older
            or not atom.fluent.is_version
            or any(part.fluent.is_version and part.fluent not in older for part in parts)
        ):
            continue
        plain = atom.fluent.plain
        last = [part for part in parts if part.value == atom.value and part.fluent.plain == plain]
        variable = encoding.atom(atom)
        equivalences.setdefault(atom.fluent, {})[variable] = Equivalence(
            variable,
            body,
            sign,
            mask_of(map(encoding.atom, parts)),
            encoding.atom(last[0]) if len(last) == 1 else None,
            constraint.formula,
            encoding.compiled(body).test,
            implicants,
            _flat(body, encoding),
        )
    definitions = {}
    for name, mine in equivalences.items():
        if len(mine) == len(fluents[name].atoms):
            support = union(equivalence.support for equivalence in mine.values())
            definitions[name] = Definition(name, tuple(mine.values()), support)
    return definitions


def _tied(formula: Formula) -> tuple[Atom, Formula, bool] | None:
    """Return the atom, its definition, and the sign of an equivalence; None for other formulas."""
    match formula:
        case f.Iff(Atom() as atom, body):
            return atom, body, True
        case f.Iff(f.Not(Atom() as atom), body):
            return atom, body, False
    return None


def _flat(body: Formula, encoding: Encoding) -> tuple[bool, Bits] | None:
    """Return the value of `Equivalence.flat` for a formula."""
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


def extended_to_defined(
    swap: Swap, definitions: Mapping[str, Definition], precondition: Precondition, world: int
) -> Swap:
    """Return the swap, extended to defined fluents in order of dependence.

    The conditions that the extension needs are added to the precondition. They are true at `world`,
    before the swap.
    """
    renamed, mask, names = dict(swap.renamed), swap.mask, list(swap.names)
    growing = Swap(swap.names, mask, renamed)
    after = swap.applied(world)
    for definition in definitions.values():
        if not definition.support & mask:
            continue
        touched = False
        for equivalence in definition.equivalences:
            if not equivalence.support & mask:
                continue
            result, needed = _followed(equivalence, renamed, after)
            own, without = _followed(equivalence, {}, world, result)
            precondition.after(growing, needed)
            if own == result:
                # The variable has the same truth before and after the swap.
                precondition.true |= without[0]
                precondition.false |= without[1]
                continue
            bit = 1 << equivalence.variable
            renamed[equivalence.variable] = result
            mask |= bit
            if result == TRUE or (result > 0 and world >> result & 1):
                after |= bit
            else:
                after &= ~bit
            touched = True
        if touched:
            names.append(definition.name)
    return swap if mask == swap.mask else Swap(tuple(names), mask, renamed)


def _followed(
    equivalence: Equivalence, renamed: Mapping[int, int], after: int, wanted: int | None = None
) -> tuple[int, Bits]:
    """Return the renaming of the variable, and the literals after the swap on which it depends.

    If a constant is `wanted`, the renaming is a constant.
    """
    if equivalence.before is not None and wanted not in (TRUE, FALSE):
        source = renamed.get(equivalence.before, equivalence.before)
        rest = equivalence.rest(after) if source > 0 else None
        if rest is not None:
            return source, rest
    truth = equivalence.test(after) is equivalence.sign
    return TRUE if truth else FALSE, equivalence.why(after)
