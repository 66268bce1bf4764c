"""Answers about structures with numbers, which may have infinitely many worlds.

The operators inside a formula become sets of worlds (see `truth_sets`). The outermost operator
needs no elimination: what its agent has seen is a constant, so one question to z3 decides it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import z3

from symkripke.engines.asked import contradiction, structure_of
from symkripke.engines.protocol import Mark
from symkripke.engines.smt.common import is_common
from symkripke.engines.smt.translation import Stage
from symkripke.engines.smt.truth_sets import TruthSets, observed
from symkripke.errors import Unsupported
from symkripke.language import TRUE, Atom, Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.walk import replace_leaves
from symkripke.limits import look
from symkripke.model import (
    EpistemicState,
    KnowledgeStructure,
    Perspective,
    Scene,
    World,
    evaluate,
)
from symkripke.model.vocabulary import VALUE, Fluent, Number
from symkripke.records import dataclass

_COUNTED = 100_000
"""The maximum number of worlds to count one by one."""

_OWN = f.K | f.M | f.Kw | f.Kv | f.P


@dataclass(frozen=True)
class WorldSet:
    """The worlds at which a formula is true.

    Attributes:
        number: the number of worlds; `math.inf` if there are infinitely many.
        says: a union of conjunctions of linear constraints that describes them.
        worlds: the first few worlds.
    """

    number: float
    says: Formula
    worlds: tuple[World, ...]


class Reasoner:
    """The answers to questions about structures with numbers."""

    def __init__(self, context: Any) -> None:
        """Create a reasoner without caches, with its expressions in a z3 context."""
        self.sets = TruthSets(context)
        self.numbers = self.sets.numbers

    # ---- truth ------------------------------------------------------------------------

    def facts(self, state: EpistemicState) -> Formula:
        """Return the formula that is true at the worlds of a state, and at no others."""
        if isinstance(state, Scene):
            return _exactly(state.structure, state.world)
        return conjunction(fact for _, fact in state.facts)

    def truth(self, state: EpistemicState, formula: Formula) -> bool | None:
        """Return the truth of a formula at a state; None if a perspective does not decide it."""
        stage = Stage(state.structure)
        if isinstance(state, Scene):
            return self.at_world(stage, state.world, formula)
        law, facts = self.sets.law(stage), self.facts(state)
        if not self.numbers.satisfiable(law, facts):
            raise contradiction(state)

        def decided(leaf: Formula) -> Formula:
            own = isinstance(leaf, _OWN) and leaf.agent == state.agent
            if isinstance(leaf, f.C) and state.agent in leaf.group:
                return f.Constant(is_common(self.sets, stage, leaf.group, facts, leaf.operand))
            return f.Constant(self._known(stage, facts, leaf)) if own else leaf

        rest = self.sets.truth(stage, replace_leaves(formula, decided))
        can_be_true = self.numbers.satisfiable(law, facts, rest)
        can_be_false = self.numbers.satisfiable(law, facts, negation(rest))
        return can_be_true if can_be_true is not can_be_false else None

    def at_world(self, stage: Stage, world: World, formula: Formula) -> bool:
        """Return the truth of a formula at a world of a stage."""

        def decided(leaf: Formula) -> Formula:
            return f.Constant(self._leaf(stage, world, leaf)) if isinstance(leaf, f.Modal) else leaf

        return evaluate(replace_leaves(formula, decided), world)

    def _leaf(self, stage: Stage, world: World, leaf: f.Modal) -> bool:
        match leaf:
            case f.E(group, operand):
                return all(self._leaf(stage, world, f.K(agent, operand)) for agent in group)
            case f.D(group, operand):
                facts = conjunction(observed(stage, agent, world) for agent in group)
                return not self._may(stage, facts, negation(self.sets.truth(stage, operand)))
            case f.Announced(said, after) | f.AnnouncedTrue(said, after):
                if not self.at_world(stage, world, said):
                    return isinstance(leaf, f.Announced)
                return self.at_world(stage.after(said), world, after)
            case f.C(group, operand):
                here = _exactly(stage.structure, world)
                return is_common(self.sets, stage, group, here, operand)
            case f.K() | f.M() | f.Kw() | f.Kv() | f.P():
                return self._known(stage, observed(stage, leaf.agent, world), leaf)
        return evaluate(self.sets.truth(stage, leaf), world)

    def _may(self, stage: Stage, facts: Formula, formula: Formula) -> bool:
        return self.numbers.satisfiable(self.sets.law(stage), facts, formula)

    def _known(self, stage: Stage, facts: Formula, leaf: Formula) -> bool:
        """Return the truth of a formula about the knowledge of an agent with these facts."""
        match leaf:
            case f.K(_, operand):
                return not self._may(stage, facts, negation(self.sets.truth(stage, operand)))
            case f.M(_, operand):
                return self._may(stage, facts, self.sets.truth(stage, operand))
            case f.Kw(_, operand):
                truth = self.sets.truth(stage, operand)
                can = (self._may(stage, facts, case) for case in (truth, negation(truth)))
                return not all(can)
            case f.Kv(_, fluents):
                law = self.sets.law(stage)
                some = self.some_world(stage.structure, law, facts)
                if some is None:
                    return True
                of = stage.structure.vocabulary.fluents
                same = conjunction(of[name].equals(some[name]) for name in fluents)
                return not self._may(stage, facts, negation(same))
            case f.P():
                return self.sets.is_probable(stage, leaf, self.sets.worlds(stage, facts))
        raise AssertionError(leaf)

    def valid(self, structure: KnowledgeStructure, formula: Formula) -> bool:
        """Return whether a formula is true at all worlds of the law."""
        stage = Stage(structure)
        if isinstance(formula, f.C):
            return is_common(self.sets, stage, formula.group, TRUE, formula.operand)
        fails = negation(self.sets.truth(stage, formula))
        return not self.numbers.satisfiable(self.sets.law(stage), fails)

    # ---- worlds -----------------------------------------------------------------------

    def witness(
        self, state: Perspective | KnowledgeStructure, formula: Formula
    ) -> dict[str, str] | None:
        """Return the first world of a structure or perspective at which a formula is true."""
        facts = TRUE if isinstance(state, KnowledgeStructure) else self.facts(state)
        structure = structure_of(state)
        stage = Stage(structure)
        truth = self.sets.truth(stage, formula)
        return self.first_world(structure, self.sets.law(stage), facts, truth)

    def some_world(
        self, structure: KnowledgeStructure, *formulas: Formula
    ) -> dict[str, str] | None:
        """Return any world at which propositional formulas are true; None if there is none."""
        solver = self.numbers.solver(conjunction(formulas))
        if not self.numbers.check(solver):
            return None
        return self.numbers.world(solver.model(), structure.vocabulary.fluents)

    def first_world(
        self, structure: KnowledgeStructure, *formulas: Formula
    ) -> dict[str, str] | None:
        """Return the first world at which propositional formulas are true: see `first_worlds`."""
        fluents = structure.vocabulary.fluents
        return next(self.first_worlds(conjunction(formulas), fluents), None)

    def first_worlds(
        self, formula: Formula, fluents: Mapping[str, Fluent]
    ) -> Iterator[dict[str, str]]:
        """Yield the worlds of a propositional formula, as values of fluents, in order.

        Worlds come in order of their largest number, without its sign; then by the first fluent,
        in the order 0, 1, -1, 2, -2, ... of numbers or the order of values, and so on. The worlds
        of real numbers have no order: values are whole if possible.
        """
        solver = self.numbers.solver(formula)
        largest = self.numbers.constant("largest number", "int")
        solver.add(largest >= 0)
        goals = [largest]
        for fluent in fluents.values():
            if not isinstance(fluent, Number):
                place = z3.IntVal(0, self.numbers.context)
                for number, value in enumerate(fluent.values):
                    place = z3.If(self.numbers.expression(fluent.equals(value)), number, place)
                goals.append(place)
                continue
            value = self.numbers.sum(fluent.sum)
            if fluent.is_real:
                goals.append(z3.If(z3.IsInt(value), z3.IntVal(0, self.numbers.context), 1))
            else:
                solver.add(-largest <= value, value <= largest)
                goals.append(z3.If(value > 0, 2 * value - 1, -2 * value))
        while self.numbers.check(solver):
            model = solver.model()
            solver.push()
            for goal in goals:
                model = self._least(solver, goal, model)
            solver.pop()
            found = self.numbers.world(model, fluents)
            yield found
            solver.add(self.numbers.expression(negation(_of(fluents, found))))

    def _least(self, solver: Any, goal: Any, model: Any) -> Any:
        """Return a model with the least value of a goal, and state this value in the solver."""
        low, high = 0, model.eval(goal, model_completion=True).as_long()
        while low < high:
            look()
            middle = (low + high) // 2
            if self.numbers.asking.check(solver, goal <= middle):
                model = solver.model()
                high = model.eval(goal, model_completion=True).as_long()
            else:
                low = middle + 1
        solver.add(goal == high)
        return model

    def number(self, structure: KnowledgeStructure, *formulas: Formula) -> float:
        """Return the number of worlds of the law with these facts, which may be infinite.

        Raises:
            Unsupported: the number is finite, but too large to count the worlds one by one.
        """
        stage, fluents = Stage(structure), structure.vocabulary.fluents
        law = conjunction((self.sets.law(stage), *formulas))
        if self.sets.is_infinite(law, fluents):
            return math.inf
        return len(self.sets.listed(law, fluents, _COUNTED))

    def describe(
        self, structure: KnowledgeStructure, formula: Formula, over: Sequence[str], first: int
    ) -> WorldSet:
        """Return the worlds of the law at which a formula is true.

        The description and the first worlds are about the fluents `over`, by resolved names.
        """
        stage, fluents = Stage(structure), structure.vocabulary.fluents
        shown = {name: fluents[name] for name in over}
        truth = self.sets.truth(stage, formula)
        true = conjunction((self.sets.law(stage), truth))
        domains = conjunction(x.domain for x in shown.values() if isinstance(x, Number))
        says = self.numbers.exists(true, lambda atom: _name(atom) in shown, domains)
        number = self.number(structure, truth)
        worlds: list[World] = []
        if first and not (
            number == math.inf and any(isinstance(x, Number) and x.is_real for x in shown.values())
        ):
            listed = self.first_worlds(conjunction((says, domains)), shown)
            worlds = [world for world, _ in zip(listed, range(first), strict=False)]
        return WorldSet(number, says, tuple(worlds))

    # ---- an agent's knowledge ---------------------------------------------------------

    def marks(self, perspective: Perspective, atoms: Sequence[Atom]) -> Iterator[Mark]:
        """Yield the agent's knowledge of atoms; of a number, whether its value is known."""
        stage, facts = Stage(perspective.structure), self.facts(perspective)
        if not self.numbers.satisfiable(self.sets.law(stage), facts):
            raise contradiction(perspective)
        for atom in atoms:
            resolved = perspective.structure.resolve(atom)
            if isinstance(resolved, Atom) and resolved.value == VALUE:
                known = self._known(stage, facts, f.Kv(perspective.agent, resolved.fluent))
                yield Mark.YES if known else Mark.OPEN
            elif not self._may(stage, facts, negation(resolved)):
                yield Mark.YES
            else:
                yield Mark.OPEN if self._may(stage, facts, resolved) else Mark.NO

    def values(self, perspective: Perspective, name: str, most: int) -> tuple[Fraction, ...]:
        """Return the possible values of a number; empty if there are more than `most`."""
        stage, facts = Stage(perspective.structure), self.facts(perspective)
        shown = {name: perspective.structure.vocabulary.fluents[name]}
        law = conjunction((self.sets.law(stage), facts))
        try:
            worlds = self.sets.listed(law, shown, most)
        except Unsupported:
            return ()
        return tuple(sorted(Fraction(world[name]) for world in worlds))

    def probability(self, perspective: Perspective, formula: Formula) -> Fraction:
        """Return the share of the agent's worlds, if they are few, with a formula."""
        stage = Stage(perspective.structure)
        worlds = self.sets.worlds(stage, self.facts(perspective))
        if not worlds:
            raise contradiction(perspective)
        truth = self.sets.truth(stage, formula)
        return Fraction(sum(evaluate(truth, world) for world in worlds), len(worlds))


def _exactly(structure: KnowledgeStructure, world: World) -> Formula:
    return _of(structure.vocabulary.fluents, world)


def _of(fluents: Mapping[str, Fluent], world: World) -> Formula:
    """Return the formula that is true at a world only."""
    return conjunction(fluents[name].equals(world[name]) for name in fluents)


def _name(atom: Formula) -> str:
    assert isinstance(atom, Atom)
    return atom.fluent
