"""The worlds at which a formula is true, as propositional formulas, for structures with numbers.

With theta the law and O_i the observables of agent i, ||f|| is a propositional formula that is
equivalent to f at every world of theta. It is computed from the inside out:

    ||K_i f||           ~ exists (all but O_i): theta & ~||f||               (D_G: the union of O_i)
    ||Kv_i x||          ~ exists x, x': R(x) & R(x') & x != x'
                          with R(x) = exists (all but O_i and x): theta
    ||[!a] f||          ||a|| -> ||f|| with theta & ||a|| for theta
    ||[a] f||           ~ exists (all new fluents): theta after a & ~||f|| there
    ||B_i^a f||         ~ exists (all but O_i): best & ~||f||, where best is theta & ||a|| with each
                          soft constraint s, in order: s holds if exists (all but O_i): best & s

The quantifiers are eliminated (see `numbers`), and every result is simplified at the worlds of
theta. Modal constraints of the law are replaced by their sets, one event at a time, so that the law
is always propositional. ||C_G f|| is the limit of ||f||, ||f & E_G f||, ..., if it is reached soon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

import z3

from symkripke.engines.smt.numbers import Conjunction, Numbers
from symkripke.engines.smt.translation import Stage
from symkripke.errors import Unsupported
from symkripke.language import Atom, Formula, Name, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.linear import Sum
from symkripke.language.walk import is_propositional, replace_leaves, rewrite
from symkripke.limits import look
from symkripke.model import KnowledgeStructure, World, evaluate
from symkripke.model.vocabulary import VALUE, Fluent, Number

_ROUNDS = 8
"""The maximum number of steps of common knowledge under other operators."""

_FEW = 200
"""A number of worlds that are listed to see whether there are infinitely many."""

_COMPACT = 8
"""The maximum number of conjunctions of a law after announcements; longer laws are formulas."""

WORLDS = 2_000
"""The maximum number of worlds of which probabilities are computed."""


def primed(name: str) -> Name:
    """Return the name of a fluent at a second world."""
    return Name(f"{name}'")


class TruthSets:
    """The laws and truth sets of structures, from a cache.

    Attributes:
        numbers: the operations on sets of worlds.
    """

    def __init__(self, context: Any) -> None:
        """Create an empty cache; expressions belong to the z3 context."""
        self.numbers = Numbers(context, self._values)
        self._domains: dict[str, tuple[str, ...]] = {}
        self._known: WeakKeyDictionary[KnowledgeStructure, dict[Any, Formula]] = WeakKeyDictionary()

    def _values(self, name: str) -> Sequence[str]:
        return self._domains.get(name) or self._domains.get(name.rstrip("'"), ())

    def _cache(self, structure: KnowledgeStructure) -> dict[Any, Formula]:
        known = self._known.get(structure)
        if known is None:
            known = self._known[structure] = {}
            for name, fluent in structure.vocabulary.fluents.items():
                self._domains[name] = fluent.values
        return known

    # ---- laws -------------------------------------------------------------------------

    def law(self, stage: Stage) -> Formula:
        """Return the law of a stage as a propositional formula."""
        parts = [self._law(stage.structure)]
        for place, said in enumerate(stage.announced):
            parts.append(self.truth(Stage(stage.structure, stage.announced[:place]), said))
        return conjunction(parts)

    def _law(self, structure: KnowledgeStructure) -> Formula:
        for each in structure.stages:  # no recursion along the history
            known = self._cache(each)
            if "law" in known:
                continue
            before = each.history.before
            fluents = each.vocabulary.fluents.values()
            old = frozenset[str]()
            parts = []
            if before is not None:
                old = frozenset(before.vocabulary.fluents)
                parts.append(self._cache(before)["law"])
            parts += [
                fluent.domain
                for fluent in fluents
                if isinstance(fluent, Number) and fluent.name not in old
            ]
            for constraint in each.law.added:
                formula = constraint.formula
                if constraint.is_modal:
                    assert before is not None
                    formula = self.truth(Stage(before), formula)
                parts.append(formula)
            law = conjunction(parts)
            known["law"] = self.numbers.compact(law, _COMPACT) if each.law.is_modal else law
        return self._cache(structure)["law"]

    # ---- sets -------------------------------------------------------------------------

    def truth(self, stage: Stage, formula: Formula) -> Formula:
        """Return a propositional formula that is equivalent at the worlds of the stage.

        Raises:
            Unsupported: the formula has common belief, or common knowledge or a probability whose
                set cannot be found.
        """

        def leaf(part: Formula) -> Formula:
            return self._of(stage, part) if isinstance(part, f.Modal) else part

        return formula if is_propositional(formula) else replace_leaves(formula, leaf)

    def _of(self, stage: Stage, formula: Formula) -> Formula:
        known = self._cache(stage.structure)
        key = (formula, stage.announced)
        if key not in known:
            look()
            known[key] = self._computed(stage, formula)
        return known[key]

    def _computed(self, stage: Stage, formula: Formula) -> Formula:
        match formula:
            case f.K(agent, operand):
                return self._box(stage, (agent,), self.truth(stage, operand))
            case f.M(agent, operand):
                return negation(self._of(stage, f.K(agent, negation(operand))))
            case f.D(group, operand):
                return self._box(stage, group, self.truth(stage, operand))
            case f.E(group, operand):
                return conjunction(self._of(stage, f.K(agent, operand)) for agent in group)
            case f.EB(group, operand):
                return conjunction(self._of(stage, f.B(agent, operand)) for agent in group)
            case f.Kw(agent, operand):
                either = (f.K(agent, operand), f.K(agent, negation(operand)))
                return disjunction(self._of(stage, part) for part in either)
            case f.Kv(agent, fluents):
                return self._value(stage, agent, fluents)
            case f.Announced(said, after):
                return f.Implies(self.truth(stage, said), self.truth(stage.after(said), after))
            case f.AnnouncedTrue(said, after):
                return self.truth(stage, said) & self.truth(stage.after(said), after)
            case f.AfterAction():
                return self._after(stage, formula)
            case f.B():
                return self._believed(stage, formula)
            case f.C(group, operand):
                return self._common(stage, group, self.truth(stage, operand))
            case f.P():
                return self._probable(stage, formula)
        raise Unsupported(f"the smt engine does not answer {type(formula).__name__}[...]")

    def _box(self, stage: Stage, agents: Iterable[str], body: Formula) -> Formula:
        """Return the set of worlds such that `body` is true wherever the agents cannot tell."""
        law = self.law(stage)
        fails = conjunction((law, negation(body)))
        return negation(self.numbers.exists(fails, seen_by(stage, agents), law))

    def _value(self, stage: Stage, agent: str, fluents: Iterable[str]) -> Formula:
        """Return the set of worlds at which an agent knows the values of fluents."""
        law, seen = self.law(stage), seen_by(stage, (agent,))
        of = stage.structure.vocabulary.fluents
        unseen = [name for name in fluents if not all(map(seen, of[name].atoms))]
        among = set(unseen)

        def kept(atom: Formula) -> bool:
            assert isinstance(atom, Atom)
            return atom.fluent in among or seen(atom)

        here = self.numbers.exists(law, kept)
        there = renamed(here, among)
        differ = disjunction(differs(of[name], name, primed(name)) for name in unseen)
        both = conjunction((here, there, differ))
        return negation(self.numbers.exists(both, seen, law))

    def _after(self, stage: Stage, formula: f.AfterAction) -> Formula:
        if stage.announced:
            raise Unsupported("the smt engine answers no actions after announcements in formulas")
        structure = stage.structure
        after = structure.after_action(formula.action)
        asked = after.resolve(formula.then)
        if after.history.occurrence is not None:
            happened = map(after.history.occurrence.happened, formula.action.actual)
            asked = f.Implies(disjunction(happened), asked)
        there = Stage(after)
        fails = conjunction((self.law(there), negation(self.truth(there, asked))))
        before = structure.vocabulary.fluents
        found = self.numbers.exists(
            fails, lambda atom: isinstance(atom, Atom) and atom.fluent in before, self.law(stage)
        )
        return negation(found)

    def _believed(self, stage: Stage, formula: f.B) -> Formula:
        best = self.best(stage, formula.agent, formula.given)
        fails = conjunction((best, negation(self.truth(stage, formula.operand))))
        seen = seen_by(stage, (formula.agent,))
        return negation(self.numbers.exists(fails, seen, self.law(stage)))

    def best(self, stage: Stage, agent: str, given: Formula) -> Formula:
        """Return the worlds with `given` that are most plausible in the cells of an agent."""
        law, seen = self.law(stage), seen_by(stage, (agent,))
        best = conjunction((law, self.truth(stage, given)))
        for soft in stage.structure.plausibility(agent):
            kept = conjunction((best, soft.formula))
            possible = self.numbers.exists(kept, seen, law)
            best = conjunction((best, disjunction((negation(possible), soft.formula))))
        return best

    def _common(self, stage: Stage, group: tuple[str, ...], body: Formula) -> Formula:
        """Return the set of worlds from which no path leads to a world without `body`."""
        law = self.law(stage)
        fails = self.numbers.exists(negation(body) & law, lambda _: True, law)
        for _ in range(_ROUNDS):
            wider = disjunction(
                (fails, *(negation(self._box(stage, (i,), negation(fails))) for i in group))
            )
            if not self.numbers.satisfiable(law, wider, negation(fails)):
                return negation(fails)
            fails = wider
        raise Unsupported(
            f"C[{', '.join(group)}] has no answer: {_ROUNDS} steps of the group reach ever more "
            "worlds, and the smt engine finds no limit"
        )

    def _probable(self, stage: Stage, formula: f.P) -> Formula:
        """Return the set of worlds for a comparison of a probability, if there are few worlds."""
        worlds = self.worlds(stage)
        cells: dict[Formula, list[World]] = {}
        for world in worlds:
            cells.setdefault(observed(stage, formula.agent, world), []).append(world)
        return disjunction(
            cell for cell, members in cells.items() if self.is_probable(stage, formula, members)
        )

    def is_probable(self, stage: Stage, formula: f.P, worlds: Iterable[World]) -> bool:
        """Return the truth of a comparison of a probability for an agent with these worlds."""
        given, operand = (self.truth(stage, part) for part in (formula.given, formula.operand))
        among = [world for world in worlds if evaluate(given, world)]
        share = Fraction(sum(evaluate(operand, world) for world in among))
        return bool(f.COMPARE[formula.relation](share, formula.bound * len(among)))

    # ---- worlds -----------------------------------------------------------------------

    def worlds(self, stage: Stage, *facts: Formula) -> list[dict[str, str]]:
        """Return all worlds of a stage with these facts, to compute a probability.

        Raises:
            Unsupported: there are infinitely many, or more than `WORLDS`.
        """
        law, fluents = conjunction((self.law(stage), *facts)), stage.structure.vocabulary.fluents
        if self.is_infinite(law, fluents):
            raise Unsupported(
                "a probability needs finitely many worlds, and these are infinitely many"
            )
        return self.listed(law, fluents, WORLDS)

    def listed(
        self, formula: Formula, fluents: Mapping[str, Fluent], most: int, *, some: bool = False
    ) -> list[dict[str, str]]:
        """Return all worlds of a propositional formula, as values of these fluents.

        Args:
            formula: the formula.
            fluents: the fluents.
            most: the maximum number of worlds.
            some: whether `most` of the worlds are enough; otherwise more worlds are an error.

        Raises:
            Unsupported: there are more than `most`.
        """
        solver = self.numbers.solver(formula)
        worlds: list[dict[str, str]] = []
        while not (some and len(worlds) == most) and self.numbers.check(solver):
            if len(worlds) == most:
                raise Unsupported(f"there are more than {most:,} worlds")
            world = self.numbers.world(solver.model(), fluents)
            worlds.append(world)
            here = conjunction(fluents[name].equals(value) for name, value in world.items())
            solver.add(self.numbers.expression(negation(here)))
        return worlds

    def is_infinite(self, formula: Formula, fluents: Mapping[str, Fluent]) -> bool:
        """Return whether a propositional formula is true at infinitely many worlds."""
        parts = self.numbers.conjunctions(formula)
        if any(self._is_wide(one, fluents) for one in islice(parts, 1)):
            return True
        try:
            self.listed(formula, fluents, _FEW)  # faster than all conjunctions
        except Unsupported:
            return any(self._is_wide(one, fluents) for one in parts)
        return False

    def _is_wide(self, one: Conjunction, fluents: Mapping[str, Fluent]) -> bool:
        """Return whether infinitely many worlds satisfy a conjunction, which some world satisfies.

        Integers are unbounded if the bounds allow a direction (a ray of the polyhedron; all
        congruences hold again after finitely many steps). Reals have infinitely many values if
        they have two, because the set is convex.
        """
        numbers = [x for x in fluents.values() if isinstance(x, Number)]
        rows = [part.row for part in one if isinstance(part, f.Linear)]
        rows += [x.domain.row for x in numbers if isinstance(x.domain, f.Linear)]
        directions = {x.name: z3.Real(f"ray {x.name}", self.numbers.context) for x in numbers}
        solver = z3.Solver(ctx=self.numbers.context)
        for row in rows:
            steps = [directions[n] * int(c) for n, c in row.sum.terms if n in directions]
            if row.relation == "=":
                solver.add(z3.Sum(steps) == 0)
            elif row.relation != "|":
                solver.add(z3.Sum(steps) <= 0)
        solver.add(z3.Or([step != 0 for step in directions.values()]))
        if self.numbers.asking.check(solver):
            return True
        reals = [x for x in numbers if x.is_real]
        if not reals:
            return False
        (world,) = self.listed(conjunction(one), {x.name: x for x in reals}, 1, some=True)
        same = conjunction(x.equals(world[x.name]) for x in reals)
        return self.numbers.satisfiable(conjunction(one), negation(same))


def seen_by(stage: Stage, agents: Iterable[str]) -> Callable[[Formula], bool]:
    """Return a function that tells whether the agents together observe an atom."""
    return frozenset(stage.seen(agents)).__contains__


def observed(stage: Stage, agent: str, world: World) -> Formula:
    """Return the formula stating what an agent observes at a world."""
    fluents = stage.structure.vocabulary.fluents
    return conjunction(
        fluents[atom.fluent].equals(world[atom.fluent])
        if atom.value == VALUE
        else atom
        if world[atom.fluent] == atom.value
        else negation(atom)
        for atom in stage.seen((agent,))
    )


def renamed(formula: Formula, fluents: Iterable[str]) -> Formula:
    """Return a formula with primed names for some of its fluents."""
    among = frozenset(fluents)

    def change(part: Formula) -> Formula:
        if isinstance(part, Atom) and part.fluent in among:
            return Atom(primed(part.fluent), part.value)
        if isinstance(part, f.Linear):
            total = part.row.sum
            for name, _ in total.terms:
                if name in among:
                    total = total.put(name, Sum.of(primed(name), is_real=total.is_real))
            return f.linear(total, part.row.relation, part.row.modulus)
        return part

    return rewrite(formula, change)


def differs(fluent: Any, name: str, other: str) -> Formula:
    """Return the formula stating that a fluent has two values under two names."""
    if isinstance(fluent, Number):
        there = Sum.of(other, is_real=fluent.is_real)
        return negation(f.linear(fluent.sum.plus(there, -1), "="))
    return disjunction(negation(f.Iff(atom, Atom(other, atom.value))) for atom in fluent.atoms)
