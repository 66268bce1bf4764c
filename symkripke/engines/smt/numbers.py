"""Formulas with numbers in z3, and sets of worlds as unions of prime conjunctions.

`Numbers.exists` eliminates fluents from a formula. It takes a world of the formula that no
conjunction contains yet, and the literals that make the formula true there. It drops literals that
are not needed (then the conjunction is prime), eliminates the fluents (see `elimination`), and goes
on with the next world. In the end it simplifies the union in the context of the law.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

import z3

from symkripke import limits
from symkripke.engines.smt.elimination import eliminate
from symkripke.engines.smt.propositional import propositional
from symkripke.engines.smt.solving import Asking
from symkripke.language import Atom, Formula, conjunction, disjunction, exactly, negation
from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.language.linear import Row, Sum
from symkripke.language.walk import leaves, names
from symkripke.model.evaluate import combined
from symkripke.model.vocabulary import BOOLEAN, VALUE

Conjunction = tuple[Formula, ...]

_WORK = 20
"""The units of work of a question to z3, which usually takes less than a millisecond."""


class Numbers:
    """The z3 expressions of formulas, and operations on sets of worlds.

    Attributes:
        asking: the interface to z3.
    """

    def __init__(self, context: Any, values: Callable[[str], Sequence[str]]) -> None:
        """Prepare expressions in a z3 context; `values` returns the values of a fluent by name."""
        self.context = context
        self.asking = Asking(context)
        self._values = values
        self._expressions: dict[Formula, Any] = {}
        self._constants: dict[str, Any] = {}
        self._definitions: dict[tuple[Formula, str], bool] = {}

    # ---- expressions ------------------------------------------------------------------

    def expression(self, formula: Formula) -> Any:
        """Return a propositional formula in z3."""
        known = self._expressions.get(formula)
        if known is None:
            known = propositional(formula, self._leaf, self.context)
            self._expressions[formula] = known
        return known

    def _leaf(self, leaf: Atom | f.Linear) -> Any:
        if isinstance(leaf, f.Linear):
            return self._row(leaf.row)
        return self.constant(leaf.fluent if leaf.value == "true" else str(leaf), "bool")

    def constant(self, name: str, kind: str) -> Any:
        """Return the constant for a number ("int", "real") or for an atom ("bool")."""
        known = self._constants.get(name)
        if known is None:
            made = {"int": z3.Int, "real": z3.Real, "bool": z3.Bool}[kind]
            known = self._constants[name] = made(name, self.context)
        return known

    def sum(self, total: Sum) -> Any:
        """Return a sum with integer coefficients in z3."""
        kind = "real" if total.is_real else "int"
        value = z3.RealVal if total.is_real else z3.IntVal
        parts = [self.constant(name, kind) * value(int(c), self.context) for name, c in total.terms]
        if total.constant or not parts:
            parts.append(value(int(total.constant), self.context))
        return parts[0] if len(parts) == 1 else z3.Sum(parts)

    def _row(self, row: Row) -> Any:
        if row.relation == "|":
            # Remainders of the same sum are fast for z3, and sums with different constants are not.
            plain = Sum(row.sum.terms, 0, row.sum.is_real)
            return self.sum(plain) % row.modulus == -int(row.sum.constant) % row.modulus
        left = self.sum(row.sum)
        match row.relation:
            case "=":
                return left == 0
            case "<=":
                return left <= 0
        return left < 0

    def domains(self, formula: Formula) -> list[Formula]:
        """Return, for each fluent of a formula with a list of values, that it has exactly one."""
        listed = {leaf.fluent for leaf in leaves(formula) if isinstance(leaf, Atom)}
        return [
            exactly(1, [Atom(name, value) for value in values])
            for name in sorted(listed)
            if (values := self._values(name)) not in (BOOLEAN, ())
        ]

    def solver(self, *formulas: Formula) -> Any:
        """Return a solver with these formulas, and the domains of their fluents."""
        solver = z3.Solver(ctx=self.context)
        self.add(solver, *formulas)
        return solver

    def add(self, solver: Any, *formulas: Formula) -> None:
        """Add formulas, and the domains of their fluents, to a solver."""
        for formula in formulas:
            for each in (formula, *self.domains(formula)):
                solver.add(self.expression(each))

    def check(self, solver: Any, *literals: Formula) -> bool:
        """Return whether the formulas of a solver, with these literals, are satisfiable."""
        limits.check()
        limits.spend(_WORK)
        return bool(self.asking.check(solver, *map(self.expression, literals)))

    def satisfiable(self, *formulas: Formula) -> bool:
        """Return whether the formulas are true at some world."""
        stated = conjunction(formulas)
        if isinstance(stated, f.Constant):
            return stated.value
        return self.check(self.solver(stated))

    def core(self, solver: Any, literals: Iterable[Formula]) -> list[Formula]:
        """Return the literals of the core of the last check, which was unsatisfiable."""
        needed = {expression.get_id() for expression in solver.unsat_core()}
        return [one for one in literals if self.expression(one).get_id() in needed]

    def world(self, model: Any, of: Iterable[str]) -> dict[str, str]:
        """Return the values of fluents in a model of z3."""
        world: dict[str, str] = {}
        for name in of:
            values = self._values(name)
            if values:
                listed = ("true",) if tuple(values) == BOOLEAN else values
                at = (v for v in listed if self._is_true(model, Atom(name, v)))
                world[name] = next(at, "false" if tuple(values) == BOOLEAN else values[0])
                continue
            known = self._constants.get(name)
            world[name] = "0"
            if known is not None:
                value = model.eval(known, model_completion=True)
                whole = z3.is_int(value)
                world[name] = str(value.as_long() if whole else Fraction(value.as_fraction()))
        return world

    def _is_true(self, model: Any, atom: Atom) -> bool:
        return bool(z3.is_true(model.eval(self._leaf(atom), model_completion=True)))

    # ---- sets of worlds ---------------------------------------------------------------

    def exists(
        self, formula: Formula, is_kept: Callable[[Formula], bool], law: Formula = f.TRUE
    ) -> Formula:
        """Return the formula "the other fluents have values for which `formula` is true".

        Args:
            formula: a propositional formula.
            is_kept: whether an atom, or a number as its observable atom, is kept.
            law: a formula; the result is equivalent at the worlds where it is true.
        """
        formula = self._without_definitions(formula, is_kept)
        if law is f.TRUE and self._is_about(formula, is_kept):
            return formula
        union = list(self.conjunctions(formula, is_kept))
        return disjunction(map(conjunction, self.simplified(union, law)))

    def _without_definitions(self, formula: Formula, is_kept: Callable[[Formula], bool]) -> Formula:
        """Return a conjunction without parts that only define a fluent to be eliminated.

        The term that an agent sees is such a fluent. To eliminate it by cases would take a case
        for each of its values.
        """
        parts = list(formula.operands) if isinstance(formula, f.And) else [formula]
        while True:
            where: dict[str, list[Formula]] = {}
            for part in parts:
                for name in names(part):
                    where.setdefault(name, []).append(part)
            superfluous = [
                only
                for name, (only, *others) in where.items()
                if not others
                and not any(map(is_kept, self._atoms(name)))
                and self._defines(only, name)
            ]
            if not superfluous:
                return conjunction(parts)
            parts = [part for part in parts if part not in superfluous]

    def _atoms(self, name: str) -> list[Atom]:
        return [Atom(name, value) for value in self._values(name) or (VALUE,)]

    def _defines(self, part: Formula, name: str) -> bool:
        """Return whether a fluent has a value that makes a formula true, whatever the others are.

        This is found for a disjunction of cases that each state the value of the fluent.
        """
        known = self._definitions.get((part, name))
        if known is None:
            known = self._definitions[part, name] = self._is_definition(part, name)
        return known

    def _is_definition(self, part: Formula, name: str) -> bool:
        if isinstance(part, f.Iff) and isinstance(part.left, Atom):
            return self._values(name) == BOOLEAN and name not in names(part.right)
        conditions = []
        for case in part.operands if isinstance(part, f.Or) else (part,):
            literals = case.operands if isinstance(case, f.And) else (case,)
            own = [literal for literal in literals if name in names(literal)]
            if len(own) != 1 or not _states(own[0], name):
                return False
            conditions.append(conjunction(one for one in literals if one is not own[0]))
        return not self.satisfiable(negation(disjunction(conditions)))

    def _is_about(self, formula: Formula, is_kept: Callable[[Formula], bool]) -> bool:
        """Return whether a formula is about kept fluents only."""
        for leaf in leaves(formula):
            if isinstance(leaf, f.Linear):
                if not all(is_kept(Atom(name, VALUE)) for name, _ in leaf.row.sum.terms):
                    return False
            elif isinstance(leaf, Atom) and not is_kept(leaf):
                return False
        return True

    def compact(self, formula: Formula, most: int) -> Formula:
        """Return the formula as a union of at most `most` conjunctions, or else unchanged."""
        union = list(islice(self.conjunctions(formula), most + 1))
        if len(union) > most:
            return formula
        return disjunction(map(conjunction, self.simplified(union, f.TRUE)))

    def conjunctions(
        self, formula: Formula, is_kept: Callable[[Formula], bool] = lambda _: True
    ) -> Iterator[Conjunction]:
        """Yield conjunctions that form a union for `exists`; each has a world of its own."""
        if isinstance(formula, f.Constant):
            yield from [()] if formula.value else []
            return
        every = names(formula)
        partly = self._partly_kept(formula, is_kept)
        solver, denied = self.solver(formula), self.solver(negation(formula))
        while self.check(solver):
            world = self.world(solver.model(), every)
            literals = self._prime(denied, implicant(formula, world))
            for atom in partly:
                true = world[atom.fluent] == atom.value
                literals.append(atom if true else negation(atom))
            kept = eliminate(literals, is_kept, world)
            yield kept
            if not kept:
                break
            solver.add(z3.Not(z3.And(*map(self.expression, kept))))

    def _partly_kept(self, formula: Formula, is_kept: Callable[[Formula], bool]) -> list[Atom]:
        """Return the kept atoms of fluents of which only some atoms are kept."""
        partly: list[Atom] = []
        for name in dict.fromkeys(x.fluent for x in leaves(formula) if isinstance(x, Atom)):
            values = self._values(name)
            if tuple(values) == BOOLEAN:
                continue
            kept = [atom for value in values if is_kept(atom := Atom(name, value))]
            if 0 < len(kept) < len(values):
                partly += kept
        return partly

    def _prime(self, denied: Any, literals: list[Formula]) -> list[Formula]:
        """Return a minimal subset of literals that implies a formula; `denied` has its negation."""
        assert not self.check(denied, *literals)
        needed = self.core(denied, literals)
        return self._minimal(denied, needed)

    def _minimal(self, denied: Any, needed: list[Formula]) -> list[Formula]:
        for literal in list(needed):
            if literal not in needed or len(needed) == 1:
                continue
            fewer = [one for one in needed if one is not literal]
            if not self.check(denied, *fewer):
                needed = self.core(denied, fewer)
        return needed

    def simplified(self, union: Sequence[Conjunction], law: Formula) -> list[Conjunction]:
        """Return a smaller union that is equivalent at the worlds of the law.

        A literal goes if the conjunction without it lies in the union, and a conjunction goes if
        the others cover it.
        """
        if not union or () in union:
            return [()] if union else []
        whole = disjunction(map(conjunction, union))
        denied = self.solver(law, negation(whole))
        if not self.check(denied):
            return [()]
        wide: dict[Conjunction, None] = {}
        for one in union:
            parts = [half for literal in one for half in _halves(literal)]
            if self.check(denied, *parts):
                raise AssertionError("a conjunction lies in its union")
            wide[tuple(self._minimal(denied, self.core(denied, parts)))] = None
        kept = sorted(wide, key=lambda one: (len(one), str(conjunction(one))))
        allowed = self.solver(law)
        for one in reversed(kept):
            others = [negation(conjunction(other)) for other in kept if other is not one]
            if not self.check(allowed, *one, *others):
                kept.remove(one)
        return [_joined(one) for one in kept]


def _states(literal: Formula, name: str) -> bool:
    """Return whether a literal states the value of a fluent, which then exists."""
    if not isinstance(literal, f.Linear):
        return isinstance(literal, Atom)
    total = literal.row.sum
    return literal.row.relation == "=" and (total.is_real or abs(total.coefficient(name)) == 1)


def implicant(formula: Formula, world: Mapping[str, str]) -> list[Formula]:
    """Return literals that are true at a world and imply a propositional formula, true there."""

    def visit(part: Formula, parts: tuple[bool, ...]) -> bool:
        if isinstance(part, Atom):
            truth[part] = world[part.fluent] == part.value
        elif isinstance(part, f.Linear):
            truth[part] = part.row.at(world)
        else:
            truth[part] = combined(part, parts)
        return truth[part]

    truth: dict[Formula, bool] = {}
    fold(formula, visit)
    literals: dict[Formula, None] = {}
    done: set[Formula] = set()
    stack = [formula]
    while stack:
        part = stack.pop()
        if part in done:
            continue
        done.add(part)
        if isinstance(part, Atom | f.Linear):
            literals[part if truth[part] else negation(part)] = None
        else:
            stack += _reasons(part, truth)
    return list(literals)


def _reasons(part: Formula, truth: Mapping[Formula, bool]) -> Sequence[Formula]:
    """Return operands whose truth values imply the truth value of a formula."""
    operands, value = part.operands, truth[part]
    true = [one for one in operands if truth[one]]
    false = [one for one in operands if not truth[one]]
    match part:
        case f.And():
            return operands if value else false[:1]
        case f.Or():
            return true[:1] if value else operands
        case f.Implies(left, right):
            if value:
                return (right,) if truth[right] else (left,)
        case f.Cardinality("atleast", bound, _):
            return true[:bound] if value else false[: len(operands) - bound + 1]
        case f.Cardinality("atmost", bound, _):
            return false[: len(operands) - bound] if value else true[: bound + 1]
    return operands


def _halves(literal: Formula) -> tuple[Formula, ...]:
    """Return an equation as two inequalities; other literals unchanged."""
    if not isinstance(literal, f.Linear) or literal.row.relation != "=":
        return (literal,)
    total = literal.row.sum
    return f.linear(total, "<="), f.linear(total.times(-1), "<=")


def _joined(one: Conjunction) -> Conjunction:
    """Return a conjunction with two opposite inequalities as an equation."""
    joined: dict[Formula, None] = dict.fromkeys(one)
    for literal in one:
        if isinstance(literal, f.Linear) and literal.row.relation == "<=" and literal in joined:
            other = f.linear(literal.row.sum.times(-1), "<=")
            if other in joined:
                del joined[other]
                del joined[literal]
                joined[f.linear(literal.row.sum, "=")] = None
    return tuple(joined)
