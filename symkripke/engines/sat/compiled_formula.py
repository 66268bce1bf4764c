"""Formulas compiled to tests of worlds.

A world is an integer: bit v is the truth of variable v. A conjunction, disjunction or count of
literals is compiled to two masks, and its truth takes a few operations on integers. A larger
formula is compiled to a closure over the tests of its parts. A modal subformula is a leaf, and the
caller of `compiled` says how its truth is found. A formula is compiled once and tested at many
worlds. To define it for a solver and to search takes a hundred times as long.

There are two other evaluators. `symkripke.model.evaluate` reads worlds given by names; it is the
definition with which tests compare. `Clauses.satisfied` checks clauses, not formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from symkripke.engines.sat.bits import bits_of
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.language.walk import remembered, subformulas

Test: TypeAlias = Callable[[int], bool]
"""A test of a world."""

# Formulas that are no longer than this are evaluated as they are written.
_WRITTEN_OUT = 1_000

# Deeper formulas are not tested at worlds found before: the solver is asked at once.
_DEPTH = 4


class CompiledFormula(NamedTuple):
    """Instructions to evaluate a formula at a world.

    Attributes:
        needs: the variables (bits) of its atoms, modal subformulas aside.
        depth: how deep it is nested; literals, and combinations and counts of them, have depth 1.
        test: its truth at a world that has a value for these variables.
    """

    needs: int
    depth: int
    test: Test


def compiled(
    formula: Formula,
    literal_of: Callable[[Atom], int],
    modal: Callable[[Formula], Test] | None = None,
    sooner: Callable[[f.Or], Test | None] | None = None,
) -> CompiledFormula:
    """Compile a formula.

    Args:
        formula: the formula (resolved).
        literal_of: the literal of an atom.
        modal: how the truth of a modal subformula is found. None: the formula has none.
        sooner: for a disjunction, a quick test or None. If the test is true, so is the disjunction;
            if not, its parts are tested.

    Raises:
        TypeError: it has a modal subformula that nothing decides.
    """
    result = _Compiler(literal_of, modal, sooner).compiled(formula)
    if is_shared(formula):
        compiler = _Compiler(literal_of, modal, sooner, _repeated(formula))
        test = compiler.compiled(formula).test
        result = result._replace(test=_forgetting(test, compiler.memories))
    return result


def true_somewhere(
    formula: CompiledFormula, worlds: Mapping[int, int], literals: Sequence[int] = ()
) -> bool:
    """Return whether a formula and all literals are true at one of the worlds.

    Each world comes with the variables for which it has a value; a world without a value for a
    variable of the formula is skipped. Formulas that are nested deeply are not tested: False.
    """
    if formula.depth > _DEPTH:
        return False
    true, false = bits_of(literals)
    needs, test = formula.needs | true | false, formula.test
    for world, covered in worlds.items():
        if covered & needs == needs and world & true == true and not world & false and test(world):
            return True
    return False


# ---- parts ---------------------------------------------------------------------------------


@remembered
def is_shared(formula: Formula) -> bool:
    """Return whether subformulas occur so often that each should be evaluated only once.

    Written out, a sum of binary numbers doubles in length with every digit.
    """
    written = fold(formula, lambda _, parts: 1 + sum(parts))
    return written > _WRITTEN_OUT and written > 2 * sum(1 for _ in subformulas(formula))


def _repeated(formula: Formula) -> frozenset[Formula]:
    """Return the subformulas that are operands more than once."""
    seen: set[Formula] = set()
    repeated: set[Formula] = set()
    for current in subformulas(formula):
        for part in current.operands:
            (repeated if part in seen else seen).add(part)
    return frozenset(repeated)


def _once(test: Test, known: list[bool]) -> Test:
    """Return a test that remembers its result in `known` until the list is emptied."""

    def remembering(world: int) -> bool:
        if not known:
            known.append(test(world))
        return known[0]

    return remembering


def _forgetting(test: Test, memories: Sequence[list[bool]]) -> Test:
    """Return a test that empties these lists of remembered results first."""

    def starting(world: int) -> bool:
        for known in memories:
            known.clear()
        return test(world)

    return starting


# ---- tests ---------------------------------------------------------------------------------


class _Compiler:
    """Compiles the parts of a formula, operands first; tests `repeated` ones once a world."""

    def __init__(
        self,
        literal_of: Callable[[Atom], int],
        modal: Callable[[Formula], Test] | None,
        sooner: Callable[[f.Or], Test | None] | None,
        repeated: frozenset[Formula] = frozenset(),
    ) -> None:
        self._literal_of = literal_of
        self._modal = modal
        self._sooner = sooner
        self._repeated = repeated
        self._parts: dict[Formula, CompiledFormula] = {}
        self.memories: list[list[bool]] = []

    def compiled(self, formula: Formula) -> CompiledFormula:
        """Return the compiled formula. Most literal operands are compiled with their parent."""
        simple = self._simple(formula)
        if simple is not None:
            return simple
        parts = self._parts
        stack = [formula]
        while stack:
            current = stack[-1]
            if current not in parts:
                missing = [part for part in current.operands if part not in parts]
                for part in missing:
                    simple = self._simple(part)
                    if simple is None:
                        stack.append(part)
                    else:
                        parts[part] = simple
                if stack[-1] is not current:
                    continue
                parts[current] = self._combination(current)
            stack.pop()
        return parts[formula]

    def _simple(self, formula: Formula) -> CompiledFormula | None:
        """Return the code of a formula with literal operands only; None for other formulas."""
        match formula:
            case f.And(operands) | f.Or(operands) | f.Cardinality(_, _, operands):
                return self._flat(formula, operands)
            case Atom():
                literal = self._literal_of(formula)
                bit = 1 << abs(literal)
                return CompiledFormula(bit, 1, _positive(bit) if literal > 0 else _negative(bit))
            case f.Not(Atom() as atom):
                literal = self._literal_of(atom)
                bit = 1 << abs(literal)
                return CompiledFormula(bit, 1, _negative(bit) if literal > 0 else _positive(bit))
            case f.Constant(value):
                return CompiledFormula(0, 1, lambda _: value)
            case f.Modal():
                if self._modal is None:
                    raise TypeError(f"one world does not decide {formula}")
                return CompiledFormula(0, 1, self._modal(formula))
        return None

    def _flat(self, formula: Formula, operands: Sequence[Formula]) -> CompiledFormula | None:
        """Return a conjunction, disjunction or count of literals by masks; None for other formulas.

        None, too, if a variable is counted more than once.
        """
        true = false = 0
        for operand in operands:
            if type(operand) is Atom:
                literal = self._literal_of(operand)
            elif type(operand) is f.Not and type(operand.operand) is Atom:
                literal = -self._literal_of(operand.operand)
            else:
                return None
            if literal > 0:
                true |= 1 << literal
            else:
                false |= 1 << -literal
        if isinstance(formula, f.And):
            test = _all_of(true, false)
        elif isinstance(formula, f.Or):
            test = _some_of(true, false)
        elif isinstance(formula, f.Cardinality):
            if true.bit_count() + false.bit_count() < len(operands) or true & false:
                return None
            test = _number_of(true, false, _fits(formula.relation, formula.bound))
        return CompiledFormula(true | false, 1, test)

    def _combination(self, formula: Formula) -> CompiledFormula:
        """Return a formula whose operands are compiled."""
        parts = self._parts
        needs = depth = 0
        tests = []
        for operand in formula.operands:
            part_needs, part_depth, test = parts[operand]
            needs |= part_needs
            depth = max(depth, part_depth)
            tests.append(test)
        if isinstance(formula, f.Not):
            test = _not(tests[0])
        else:
            depth += 1
            test = _combined(formula, tests)
            if self._sooner is not None and isinstance(formula, f.Or):
                first = self._sooner(formula)
                test = test if first is None else _either(first, test)
        if formula in self._repeated:
            known: list[bool] = []
            self.memories.append(known)
            test = _once(test, known)
        return CompiledFormula(needs, depth, test)


def _positive(bit: int) -> Test:
    return lambda world: world & bit != 0


def _negative(bit: int) -> Test:
    return lambda world: not world & bit


def _not(test: Test) -> Test:
    return lambda world: not test(world)


def _either(first: Test, second: Test) -> Test:
    return lambda world: first(world) or second(world)


def _all_of(true: int, false: int) -> Test:
    if not false:
        return lambda world: world & true == true
    return lambda world: world & true == true and not world & false


def _some_of(true: int, false: int) -> Test:
    if not false:
        return lambda world: world & true != 0
    return lambda world: bool(world & true) or world & false != false


def _number_of(true: int, false: int, fits: Test) -> Test:
    if not false:
        return lambda world: fits((world & true).bit_count())
    negated = false.bit_count()
    return lambda world: fits((world & true).bit_count() + negated - (world & false).bit_count())


def _combined(formula: Formula, tests: Sequence[Test]) -> Test:
    """Return a test of a combination, by the tests of its operands, from left to right."""
    match formula:
        case f.And():
            return _all(tests)
        case f.Or():
            return _any(tests)
        case f.Implies():
            left, right = tests
            return lambda world: not left(world) or right(world)
        case f.Iff():
            left, right = tests
            return lambda world: left(world) is right(world)
        case f.Cardinality(relation, bound, _):
            fits = _fits(relation, bound)
            return lambda world: fits(sum([test(world) for test in tests]))
    raise TypeError(f"one world does not decide {formula}")


def _all(tests: Sequence[Test]) -> Test:
    if len(tests) == 2:
        first, second = tests
        return lambda world: first(world) and second(world)
    return lambda world: all(test(world) for test in tests)


def _any(tests: Sequence[Test]) -> Test:
    if len(tests) == 2:
        return _either(*tests)
    return lambda world: any(test(world) for test in tests)


def _fits(relation: f.Relation, bound: int) -> Test:
    """Return a test of a number: whether it is in the relation to the bound."""
    if relation == "atleast":
        return lambda number: number >= bound
    if relation == "atmost":
        return lambda number: number <= bound
    return lambda number: number == bound
