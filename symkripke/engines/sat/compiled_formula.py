"""Formulas compiled to tests of worlds: the one evaluator of formulas at worlds that are integers.

A world is an integer, bit v for variable v. A conjunction, disjunction or count of literals is then
two masks, and its truth a few operations on integers; what is made of such parts is a closure over
their tests. A modal subformula is a leaf: who compiles the formula says how its truth is found. A
formula is compiled once and read at many worlds; to define it for a solver, with variables of its
own, and to search takes a hundred times as long.

Two evaluators stay apart on purpose: `symkripke.model.evaluate` reads worlds given by names and is
the definition that tests compare with, and `Compiled.satisfied` checks clauses, not formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from symkripke.engines.sat.bits import bits_of
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.language.walk import remembered, subformulas

Test: TypeAlias = Callable[[int], bool]
"""Whether something is so at a world."""

# Formulas that are no longer than this are evaluated as they are written.
_WRITTEN_OUT = 1_000

# Of so few different subformulas hardly any formula is longer than that, written out.
_FEW = 10

# Deeper formulas are not looked for in worlds found before: that is left to the solver.
_DEPTH = 4


@dataclass(frozen=True, slots=True)
class CompiledFormula:
    """How to evaluate a formula at a world.

    Attributes:
        needs: the variables (bits) of its atoms, modal subformulas aside.
        depth: how deep it is nested; literals, and combinations and counts of them, have depth 1.
        test: its truth at a world that has a value for these variables.
    """

    needs: int
    depth: int
    test: Test


@dataclass(slots=True)
class _Node:
    """The same for a subformula; `literal` is the literal that it is, 0 if it is none."""

    needs: int
    depth: int
    test: Test
    literal: int = 0


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
        sooner: for a disjunction a test, if there is one, that may say that it is true before its
            parts are tested.

    Raises:
        TypeError: it has a modal subformula that nothing decides.
    """
    parts = _boolean_parts(formula)
    shared = len(parts) > _FEW and is_shared(formula)
    several = _repeated(formula) if shared else frozenset()
    memories: list[list[bool]] = []
    nodes: dict[Formula, _Node] = {}
    for part in parts:
        node = _node(part, nodes, literal_of, modal, sooner)
        if part in several and not node.literal:
            known: list[bool] = []
            memories.append(known)
            node = _Node(node.needs, node.depth, _once(node.test, known))
        nodes[part] = node
    root = nodes[formula]
    test = _forgetting(root.test, memories) if memories else root.test
    return CompiledFormula(root.needs, root.depth, test)


def true_somewhere(
    formula: CompiledFormula, worlds: Mapping[int, int], literals: Sequence[int] = ()
) -> bool:
    """Whether a formula is true, with all literals, at one of the worlds.

    Each of these with the variables that it has a value for; others say nothing. False also where
    the formula is too deep for this to be worth it.
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


def _boolean_parts(formula: Formula) -> list[Formula]:
    """What the formula is made of, down to atoms and modal subformulas; operands come first."""
    done: dict[Formula, None] = {}
    stack = [formula]
    while stack:
        current = stack[-1]
        if current not in done:
            operands = () if isinstance(current, f.Modal) else current.operands
            missing = [part for part in operands if part not in done]
            if missing:
                stack.extend(reversed(missing))
                continue
            done[current] = None
        stack.pop()
    return list(done)


@remembered
def is_shared(formula: Formula) -> bool:
    """Whether subformulas occur so often that evaluating all occurrences is out of the question.

    A sum of numbers in binary doubles with every digit, written out.
    """
    written = fold(formula, lambda _, parts: 1 + sum(parts))
    return written > _WRITTEN_OUT and written > 2 * sum(1 for _ in subformulas(formula))


def _repeated(formula: Formula) -> frozenset[Formula]:
    """The subformulas that are operands more than once."""
    seen: set[Formula] = set()
    repeated: set[Formula] = set()
    for current in subformulas(formula):
        for part in current.operands:
            (repeated if part in seen else seen).add(part)
    return frozenset(repeated)


def _once(test: Test, known: list[bool]) -> Test:
    """The test, made once until its result is taken out of `known`."""

    def remembering(world: int) -> bool:
        if not known:
            known.append(test(world))
        return known[0]

    return remembering


def _forgetting(test: Test, memories: Sequence[list[bool]]) -> Test:
    """The test, with nothing known at the start."""

    def starting(world: int) -> bool:
        for known in memories:
            known.clear()
        return test(world)

    return starting


# ---- tests ---------------------------------------------------------------------------------


def _node(
    formula: Formula,
    nodes: Mapping[Formula, _Node],
    literal_of: Callable[[Atom], int],
    modal: Callable[[Formula], Test] | None,
    sooner: Callable[[f.Or], Test | None] | None,
) -> _Node:
    """The node of a formula whose operands have theirs."""
    if isinstance(formula, Atom):
        return _literal(literal_of(formula))
    if isinstance(formula, f.Modal):
        if modal is None:
            raise TypeError(f"one world does not decide {formula}")
        return _Node(0, 1, modal(formula))
    if isinstance(formula, f.Constant):
        return _Node(0, 1, _constant(formula.value))
    parts = [nodes[operand] for operand in formula.operands]
    needs = 0
    for part in parts:
        needs |= part.needs
    if isinstance(formula, f.Not):
        (part,) = parts
        return (
            _literal(-part.literal) if part.literal else _Node(needs, part.depth, _not(part.test))
        )
    literals = [part.literal for part in parts]
    flat = _flat(formula, literals) if all(literals) else None
    if flat is not None:
        return _Node(needs, 1, flat)
    test = _combined(formula, [part.test for part in parts])
    if sooner is not None and isinstance(formula, f.Or):
        first = sooner(formula)
        test = test if first is None else _either(first, test)
    return _Node(needs, 1 + max((part.depth for part in parts), default=0), test)


def _literal(literal: int) -> _Node:
    bit = 1 << abs(literal)
    if literal > 0:
        return _Node(bit, 1, lambda world: world & bit != 0, literal)
    return _Node(bit, 1, lambda world: not world & bit, literal)


def _constant(value: bool) -> Test:
    return lambda _: value


def _not(test: Test) -> Test:
    return lambda world: not test(world)


def _either(first: Test, second: Test) -> Test:
    return lambda world: first(world) or second(world)


def _flat(formula: Formula, literals: Sequence[int]) -> Test | None:
    """A conjunction, disjunction or count of literals, by masks; None if it is nothing of these."""
    true, false = bits_of(literals)
    match formula:
        case f.And():
            return lambda world: world & true == true and not world & false
        case f.Or():
            return lambda world: bool(world & true) or world & false != false
        case f.Cardinality(relation, bound, _):
            if true.bit_count() + false.bit_count() < len(literals) or true & false:
                return None  # a variable is counted more than once
            fits, negated = _fits(relation, bound), false.bit_count()
            if not false:
                return lambda world: fits((world & true).bit_count())
            return lambda world: fits(
                (world & true).bit_count() + negated - (world & false).bit_count()
            )
    return None


def _combined(formula: Formula, tests: Sequence[Test]) -> Test:
    """The truth of a combination, by that of its operands, from left to right."""
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
    """Whether so many are as many as the relation says."""
    if relation == "atleast":
        return lambda number: number >= bound
    if relation == "atmost":
        return lambda number: number <= bound
    return lambda number: number == bound
