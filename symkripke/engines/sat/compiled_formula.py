"""Formulas compiled to tests of worlds.

A world is an integer: bit v is the truth of variable v. A conjunction, disjunction or count of
literals is compiled to two masks, and its truth takes a few operations on integers. A larger
formula is compiled to a closure over the tests of its parts. A modal subformula is a leaf, and the
caller of `compiled` provides a test for it. A formula is compiled once and tested at many worlds.
Defining it for a solver and searching would take a hundred times as long.

There are two other evaluators. `symkripke.model.evaluate` reads worlds given by names, and is the
reference for tests. `Clauses.test` checks clauses, not formulas.
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

# The greatest length of formulas that are evaluated without caching shared subformulas.
_WRITTEN_OUT = 1_000

# Deeper formulas are not tested at known worlds. The solver is called instead.
_DEPTH = 4


class CompiledFormula(NamedTuple):
    """A formula compiled to a test of worlds.

    Attributes:
        needs: the variables (bits) of the atoms outside modal subformulas.
        depth: the nesting depth; literals, and combinations and counts of literals, have depth 1.
        test: the test of the formula at a world that has a value for these variables.
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
        literal_of: a function that returns the literal of an atom.
        modal: a function that returns the test of a modal subformula; None if there are none.
        sooner: a function that returns a quick test of a disjunction, or None. If the test
            succeeds, the disjunction is true; if not, its parts are tested.

    Raises:
        TypeError: the formula has a modal subformula, and `modal` is None.
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
    """Return whether the formula and all literals are true at one of the worlds.

    `worlds` maps each world to the variables (bits) for which it has a value. A world without a
    value for a variable of the formula or of the literals is skipped. The result is False for
    deeply nested formulas, which are not tested.
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
    """Return whether subformulas recur so often that each should be evaluated only once.

    For example, a sum of binary numbers, written as a tree, doubles in length with every digit.
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
    """Return a test that caches its result in `known` until the list is cleared."""

    def remembering(world: int) -> bool:
        if not known:
            known.append(test(world))
        return known[0]

    return remembering


def _forgetting(test: Test, memories: Sequence[list[bool]]) -> Test:
    """Return a test that first clears these caches."""

    def starting(world: int) -> bool:
        for known in memories:
            known.clear()
        return test(world)

    return starting


# ---- tests ---------------------------------------------------------------------------------


class _Compiler:
    """A compiler of formulas, operands first. Each `repeated` part is tested once per world."""

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
        """Return the compiled formula."""
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
        """Compile a leaf, or a combination of literals. Return None for other formulas."""
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
        """Compile a conjunction, disjunction or count of literals to masks.

        Return None if an operand is not a literal, or if a variable is counted more than once.
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
        """Compile a formula whose operands have been compiled."""
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
    """Return a test of a combination that runs the tests of its operands from left to right."""
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
    """Return a test of whether a number is in this relation to the bound."""
    if relation == "atleast":
        return lambda number: number >= bound
    if relation == "atmost":
        return lambda number: number <= bound
    return lambda number: number == bound
