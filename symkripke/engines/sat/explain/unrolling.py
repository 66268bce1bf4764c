"""Chains of knowledge of one polarity, decided by one satisfiability check at any depth.

"i knows that j knows that k knows p" is false iff there are three worlds: one that i cannot
distinguish from the actual world, a second that j cannot distinguish from the first, and a third
that k cannot distinguish from the second, at which p is false. This is one check with a copy of the
law for each world, and equations between the copies for the observations of i, j and k. It works
for every formula that, with negations pushed to the atoms, has only operators "considers possible"
(the negation of a formula with only "knows"). If both kinds are mixed, one check is not enough, and
`search` is used instead; `is_one_check` decides this beforehand. Chains are used for evidence. Each
constraint has a guard, so a refutation shows which constraints it needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import count
from random import Random
from typing import NamedTuple

from symkripke.engines.sat.bits import mask_of
from symkripke.engines.sat.encoding import Clauses, Encoding
from symkripke.engines.sat.solver import Solver, minimal_refutation, solve
from symkripke.errors import Unsupported
from symkripke.explain.evidence import CounterWorld, Source
from symkripke.explain.sources import observed_by_all, oldest_first, sight, stated
from symkripke.language import Atom, Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional, negation_normal_form, rewrite
from symkripke.model import KnowledgeStructure, Observable, World
from symkripke.records import dataclass

# Deeper formulas are rejected, because the chain is built by recursion over the operators.
_DEEPEST = 200


def prepare(formula: Formula) -> Formula:
    """Return a resolved formula without announcements in the form used by chains.

    `E` becomes a conjunction of `K`, and `D` of one agent becomes `K`. The result is in negation
    normal form.
    """

    def change(current: Formula) -> Formula:
        if isinstance(current, f.E):
            return conjunction(f.K(agent, current.operand) for agent in current.group)
        if isinstance(current, f.D) and len(current.group) == 1:
            return f.K(current.group[0], current.operand)
        return current

    return negation_normal_form(rewrite(formula, change))


def is_one_check(structure: KnowledgeStructure, formula: Formula, *, shared: bool = False) -> bool:
    """Return whether an `Unrolling` can decide this formula.

    It cannot if the formula (as returned by `prepare`) has operators of both kinds, K and M, or if
    the law has constraints about knowledge. With `shared`, negated common knowledge is allowed.
    """
    if structure.law.is_modal:
        return False
    pending = [formula]
    while pending:
        current = pending.pop()
        if is_propositional(current):
            continue
        match current:
            case f.And() | f.Or() | f.M():
                pending.extend(current.operands)
            case f.Not(f.D(_, operand)):
                pending.append(_refuted(operand))
            case f.Not(f.C(_, operand)) if shared:
                pending.append(_refuted(operand))
            case f.Not(f.Kv()):
                pass
            case _:
                return False
    return True


def _refuted(operand: Formula) -> Formula:
    return negation_normal_form(negation(operand))


@dataclass(slots=True)
class _Step:
    """A part of the question, with a condition that is true or false at each world.

    Attributes:
        kind: the kind of condition. "literal": a literal of the encoding is true. "all", "any": all
            parts are, or one part is, true. "reach": the only part is true at some world that
            `agents` cannot distinguish from this one. "differ": two such worlds have different
            values of a fluent.
        formula: the formula that the step represents.
        parts: the parts of the condition.
        agents: the agents of "reach" and "differ".
        literals: the literal, or the literals of the values of the fluent.
        cases: the formulas of the values of the fluent.
        common: whether the two worlds must agree only on the observations that all `agents` share.
            If common knowledge fails, there is such a world.
    """

    kind: str
    formula: Formula
    parts: list[_Step] = field(default_factory=list)
    agents: tuple[str, ...] = ()
    literals: list[int] = field(default_factory=list)
    cases: tuple[Formula, ...] = ()
    common: bool = False


class _Sight(NamedTuple):
    """A source whose text is slow to generate: each of these agents observes this atom."""

    agents: tuple[str, ...]
    observable: Observable


@dataclass(slots=True)
class _Copy:
    """A world of the chain, reached from the world `origin` if the literal `reached_if` is true."""

    agents: tuple[str, ...]
    reached_if: int
    shows: Formula
    origin: int = 0
    cases: Sequence[tuple[int, Formula]] = ()
    """The values of a fluent with their literals, exactly one of which is true at a world."""


# ---- planning: all steps that add variables to the encoding ----------------------------------


def _stated_law(encoding: Encoding, structure: KnowledgeStructure) -> list[tuple[Clauses, Source]]:
    """Return the clauses of all constraints of the law, each with its source."""
    law = []
    for number, stage in enumerate(structure.stages):
        for constraint in encoding.stage(stage):
            is_added = any(constraint is added for added in stage.law.added)
            source = stated(constraint, "law" if is_added else "domain", number)
            law.append((encoding.asserted(constraint.formula), source))
    return law


class _Planner:
    """A planner that turns formulas into steps at one structure."""

    def __init__(self, encoding: Encoding, structure: KnowledgeStructure) -> None:
        self._encoding = encoding
        self._structure = structure

    def plan(self, formula: Formula, depth: int = 0) -> _Step:
        """Return the step of a formula whose operators are of one kind."""
        if depth > _DEEPEST:
            raise Unsupported(f"the formula is nested deeper than {_DEEPEST} operators")
        if is_propositional(formula):
            return _Step("literal", formula, literals=[self._encoding.literal(formula)])
        match formula:
            case f.And(operands) | f.Or(operands):
                kind = "all" if isinstance(formula, f.And) else "any"
                return _Step(kind, formula, [self.plan(part, depth + 1) for part in operands])
            case f.M(agent, operand):
                return _Step("reach", formula, [self.plan(operand, depth + 1)], (agent,))
            case f.Not(f.D(group, operand) | f.C(group, operand) as known):
                part = self.plan(_refuted(operand), depth + 1)
                return _Step("reach", formula, [part], group, common=isinstance(known, f.C))
            case f.Not(f.Kv(agent, fluents)):
                return _Step("any", formula, [self._two_values(agent, name) for name in fluents])
        raise AssertionError(f"{formula} stands below an operator of the other kind")

    def _two_values(self, agent: str, name: str) -> _Step:
        cases = self._structure.fluents(name)
        literals = [self._encoding.literal(case) for case in cases]
        formula = negation(f.Kv(agent, (name,)))
        return _Step("differ", formula, agents=(agent,), literals=literals, cases=cases)


class Unrolling:
    """The question of whether a formula is true at some world, as one satisfiability check.

    The check has a copy of the law for this world and for each world reached from it. Each question
    has a separate solver.
    """

    def __init__(
        self,
        encoding: Encoding,
        structure: KnowledgeStructure,
        law: list[tuple[Clauses, Source]],
        seen: Sequence[tuple[int, Source]],
        step: _Step,
        agents: tuple[str, ...],
    ) -> None:
        """State the question of `step`; see `of`."""
        self._encoding = encoding
        self._structure = structure
        # Relevant variables are numbered from 1. The numbers in successive copies differ by
        # `_stride`.
        self._definitions, self._variables = encoding.definitions_of(
            self._mentioned(law, [literal for literal, _ in seen], step)
        )
        self._stride = len(self._variables)
        self._copies = [_Copy(agents, 0, step.formula)]
        self._number = _number_copies(step)
        self._numbers = [
            _numbered(self._variables, copy * self._stride) for copy in range(self._number)
        ]
        self._top = self._stride * self._number
        self._solver = Solver(encoding.tuning, (self._fresh(), self._fresh()))
        self.guards: dict[int, Source | _Sight] = {}
        self._sees: dict[tuple[tuple[str, ...], Atom], list[int]] = {}
        self._state_law(law)
        for literal, source in seen:
            self._solver.add_clause([*self._guard(source), self._moved(literal, 0)])
        top = self._build(step, 0)
        self._solver.add_clause([top])
        self._model: list[int] = []

    @classmethod
    def of(
        cls,
        encoding: Encoding,
        structure: KnowledgeStructure,
        seen: Sequence[tuple[int, Source]],
        formula: Formula,
        agents: tuple[str, ...] = (),
    ) -> Unrolling:
        """Return the question of whether a formula is true at some world consistent with `seen`.

        `agents` are the agents that cannot distinguish this world from the actual one. The formula,
        as returned by `prepare`, must need only one check (`is_one_check`). Common knowledge is
        replaced by the consequences of the observations that all members share. Then a refutation
        is valid, but a world is not necessarily a counterexample.
        """
        law = _stated_law(encoding, structure)
        for agent in structure.agents:
            for observable in structure.observables[agent]:
                encoding.atom(observable.atom)
        step = _Planner(encoding, structure).plan(formula)
        return cls(encoding, structure, law, seen, step, agents)

    def _mentioned(
        self, law: Iterable[tuple[Clauses, Source]], seen: Iterable[int], step: _Step
    ) -> Iterator[int]:
        """Yield the variables of the law, of the question, and of all fluents."""
        for clauses, _ in law:
            yield from clauses.occurring
        yield from map(abs, seen)
        pending = [step]
        while pending:
            current = pending.pop()
            yield from map(abs, current.literals)
            pending.extend(current.parts)
        for fluent in self._structure.vocabulary.fluents.values():
            for atom in fluent.atoms:
                if atom in self._encoding.known:
                    yield self._encoding.known[atom]

    # ---- clauses -----------------------------------------------------------------------

    def _fresh(self) -> int:
        self._top += 1
        return self._top

    def _guard(self, source: Source | _Sight) -> list[int]:
        guard = self._fresh()
        self.guards[guard] = source
        return [-guard]

    def _moved(self, literal: int, copy: int) -> int:
        """Return the number of a literal of the encoding in this copy."""
        return self._numbers[copy][literal]

    def _state_law(self, law: list[tuple[Clauses, Source]]) -> None:
        """State each constraint in all copies, with one guard."""
        guarded = []
        for clauses, source in law:
            (guard,) = self._guard(source)
            guarded.append((clauses, guard, clauses.slack(self._solver, -guard, self._fresh)))
        for numbers in self._numbers:
            self._definitions.renumbered(numbers).give(self._solver)
            for clauses, guard, slack in guarded:
                clauses.give_if(self._solver, -guard, slack, numbers)

    def _build(self, step: _Step, copy: int) -> int:
        """Return a literal that implies that `step` is true in this copy."""
        if step.kind == "literal":
            return self._moved(step.literals[0], copy)
        holds = self._fresh()
        if step.kind == "all":
            for part in step.parts:
                self._solver.add_clause([-holds, self._build(part, copy)])
        elif step.kind == "any":
            self._solver.add_clause([-holds, *(self._build(part, copy) for part in step.parts)])
        elif step.kind == "reach":
            there = self._new_copy(copy, step, holds, step.parts[0].formula)
            self._solver.add_clause([-holds, self._build(step.parts[0], there)])
        else:
            first = self._new_copy(copy, step, holds, step.formula)
            second = self._new_copy(copy, step, holds, step.formula)
            for number in (first, second):
                self._copies[number].cases = list(zip(step.literals, step.cases, strict=True))
            choices = []
            for literal in step.literals:
                chosen = self._fresh()
                self._solver.add_clause([-chosen, self._moved(literal, first)])
                self._solver.add_clause([-chosen, -self._moved(literal, second)])
                choices.append(chosen)
            self._solver.add_clause([-holds, *choices])
        return holds

    def _new_copy(self, origin: int, step: _Step, holds: int, shows: Formula) -> int:
        """Add a world with the same observations as `origin` if `holds`, and return its index."""
        copy = len(self._copies)
        self._copies.append(_Copy(step.agents, holds, shows, origin))
        if step.common:
            same = [
                (step.agents, observable)
                for observable in observed_by_all(self._structure, step.agents)
            ]
        else:
            same = [
                ((agent,), observable)
                for agent in step.agents
                for observable in self._structure.observables[agent]
            ]
        for agents, observable in same:
            literal = self._encoding.atom(observable.atom)
            here, there = self._moved(literal, origin), self._moved(literal, copy)
            if_seen = [*self._sight(agents, observable), -holds]
            self._solver.add_clause([*if_seen, -here, there])
            self._solver.add_clause([*if_seen, here, -there])
        return copy

    def _sight(self, agents: tuple[str, ...], observable: Observable) -> list[int]:
        """Return a list with the negated guard of the fact that these agents observe this atom."""
        guard = self._sees.get((agents, observable.atom))
        if guard is None:
            guard = self._guard(_Sight(agents, observable))
            self._sees[agents, observable.atom] = guard
        return guard

    # ---- answers ------------------------------------------------------------------------

    def satisfiable(self) -> bool:
        """Return whether there are such worlds, given all sources."""
        result = solve(self._solver, list(self.guards))
        self._model = self._solver.get_model() if result else []
        return result

    def _is_true(self, variable: int) -> bool:
        """Return whether a variable is true in the last model; unknown variables are not."""
        return variable <= len(self._model) and self._model[variable - 1] > 0

    def approach(self, world: World | None) -> None:
        """Make the first world similar to `world`, and each other world similar to its origin.

        If possible, the first world becomes `world`, and each other world its origin. Otherwise, no
        further fluent of a world can be changed to agree with `world` (or the origin) while the
        agreeing fluents and the earlier worlds stay unchanged. If `world` is None, the first world
        stays.
        """
        known, first = self._encoding.known, self._numbers[0]
        variables = [
            [first[known[atom]] for atom in fluent.atoms]
            for fluent in self._structure.vocabulary.fluents.values()
            if all(known.get(atom) in first for atom in fluent.atoms)
        ]
        fixed = list(self.guards)
        actual = {
            first[known[Atom(name, value)]]
            for name, value in ({} if world is None else world).items()
            if value != "false" and known.get(Atom(name, value)) in first
        }
        if world is not None:
            as_it_is = list(_values(variables, actual))
            if solve(self._solver, [*fixed, *as_it_is]):
                self._model = self._solver.get_model()
                fixed += as_it_is
        for number, copy in enumerate(self._copies):
            # Use the same world as the origin, if possible.
            if copy.reached_if and self._is_true(copy.reached_if):
                same_world = self._same(number, copy.origin, variables)
                if solve(self._solver, [*fixed, copy.reached_if, same_world]):
                    self._model = self._solver.get_model()
                    fixed += [copy.reached_if, same_world]
        for number, copy in enumerate(self._copies):
            if copy.reached_if and not self._is_true(copy.reached_if):
                continue
            if copy.reached_if:
                fixed.append(copy.reached_if)
            like = actual
            if number or world is None:
                low = copy.origin * self._stride
                like = {bit for bit in range(1, self._stride + 1) if self._is_true(bit + low)}
            shift = number * self._stride
            there = [
                literal + shift if literal > 0 else literal - shift
                for literal in _values(variables, like)
            ]
            while True:
                same: list[int] = []
                other: list[int] = []
                for literal in there:
                    is_same = self._is_true(abs(literal)) is (literal > 0)
                    (same if is_same else other).append(literal)
                some = self._fresh()
                self._solver.add_clause([-some, *other])
                if not other or not solve(self._solver, [*fixed, *same, some]):
                    break
                self._model = self._solver.get_model()
            fixed.extend(same)

    def _same(self, copy: int, origin: int, variables: Iterable[Sequence[int]]) -> int:
        """Return a literal that implies that two copies agree on the fluents of these variables."""
        same = self._fresh()
        here, there = copy * self._stride, origin * self._stride
        for fluent in variables:
            for variable in fluent:
                self._solver.add_clause([-same, -variable - here, variable + there])
                self._solver.add_clause([-same, variable + here, -variable - there])
        return same

    def worlds(self) -> tuple[CounterWorld, ...]:
        """Return the worlds that the explanation needs, in the order of the chain."""
        true = {literal for literal in self._model if literal > 0}
        worlds: list[CounterWorld] = []
        places: dict[int, int] = {}
        for number, copy in enumerate(self._copies):
            # A world is not reached unless its origin is, even if its literal is true.
            if number == 0 or (copy.reached_if in true and copy.origin in places):
                low = number * self._stride
                here = mask_of(
                    variable
                    for place, variable in enumerate(self._variables, start=low + 1)
                    if place in true
                )
                world = self._encoding.world(self._structure, here)
                origin = places[copy.origin] if number else None
                places[number] = len(worlds)
                values = (
                    case
                    for literal, case in copy.cases
                    if (abs(self._moved(literal, number)) in true) is (literal > 0)
                )
                shows = next(values, copy.shows)
                worlds.append(CounterWorld(copy.agents, world, shows, origin=origin))
        return tuple(worlds)

    def sources(self) -> tuple[Source, ...]:
        """Return a minimal set of sources that make the question unsatisfiable, oldest first.

        Minimal means that leaving out any one source makes the question satisfiable. There can be
        many such sets, and the solver's core depends on the order of the assumptions. So several
        orders are tried: observations first, with the law oldest or newest first; law first; and
        random orders, which are the same on each call. If the set is large, more orders are tried.
        The smallest set found is returned. Finding the smallest set of all is harder than the
        question itself.

        Orders that take many conflicts are abandoned, unless all do. If values are dealt out in
        fixed numbers, a refutation that uses these numbers instead of events can take 100,000 times
        as many conflicts, because it has to count, as in the pigeonhole problem.
        """
        guards, tuning = list(self.guards), self._encoding.tuning
        is_seen = {
            guard: isinstance(source, _Sight) or source.kind in ("seen", "sees")
            for guard, source in self.guards.items()
        }
        seen = [guard for guard in guards if is_seen[guard]]
        law = [guard for guard in guards if not is_seen[guard]]
        chance = Random(0)
        orders = [[*seen, *law], [*seen, *reversed(law)], [*law, *seen]]
        first = len(orders) + tuning.source_orders
        best: list[int] | None = None
        minimal: set[frozenset[int]] = set()
        for conflicts in tuning.source_conflicts:
            for number in count():
                long = 0 if best is None else max(0, len(best) - 2)
                if number >= first + min(tuning.orders_a_source * long, tuning.most_further_orders):
                    break
                if number == len(orders):
                    orders.append(chance.sample(guards, len(guards)))
                core = minimal_refutation(
                    self._solver, orders[number], conflicts=conflicts, minimal=minimal
                )
                if core is not None:
                    minimal.add(frozenset(core))
                    if best is None or len(core) < len(best):
                        best = core
                if best is not None and (len(best) <= 1 or conflicts is None):
                    break
            if best is not None:
                break
        assert best is not None
        return oldest_first(self._source(self.guards[guard]) for guard in best)

    def _source(self, origin: Source | _Sight) -> Source:
        return sight(self._structure, *origin) if isinstance(origin, _Sight) else origin


def _numbered(variables: Sequence[int], shift: int) -> dict[int, int]:
    """Return a mapping from the literals of these variables to numbers from `shift` + 1 on."""
    numbers = {variable: number for number, variable in enumerate(variables, start=shift + 1)}
    numbers.update([(-variable, -number) for variable, number in numbers.items()])
    return numbers


def _values(fluents: Iterable[Sequence[int]], true: set[int]) -> Iterator[int]:
    """Yield the literal of each fluent's value, given the true variables."""
    for variables in fluents:
        yield next((variable for variable in variables if variable in true), -variables[0])


def _number_copies(step: _Step) -> int:
    number, pending = 1, [step]
    while pending:
        current = pending.pop()
        number += {"reach": 1, "differ": 2}.get(current.kind, 0)
        pending.extend(current.parts)
    return number
