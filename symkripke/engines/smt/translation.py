r"""From epistemic logic to quantified Boolean formulas.

A world is a vector of Booleans, one for each atom. With theta the law (every fluent has one value,
and every constraint holds), and s =_i t for "s and t agree on all atoms that i observes":

    |p|(s)              the Boolean of p in s; connectives are unchanged
    |K_i f|(s)          for all t: theta(t) & s =_i t -> |f|(t)           (M_i: for some t: ... &)
    |Kw_i f|(s)         |K_i f|(s) or |K_i ~f|(s)
    |Kv_i (x, ...)|(s)  for all t: theta(t) & s =_i t -> x, ... have the same values as in s
    |E_G f|, |D_G f|    all of |K_i f|; as K, with all atoms that any member of G observes
    |B_i^a f|(s)        for all t: theta(t) & s =_i t & |a|(t) -> |f|(t), or
                        for some u: theta(u) & s =_i u & |a|(u) & u is more plausible to i than t
    |EB_G f|            all of |B_i f|
    |[!a] f|(s)         |a|(s) -> |f|(s) with theta & |a| for theta        (<!a>: |a|(s) & ...)
    |C_G f|(s)          for all t_1 ... t_n: theta(t_1) & s =_G t_1 & ... -> |f|(t_n)

where s =_G t if s =_i t for some i in G. The number n is so large that n steps reach every
reachable world with ~f; z3 finds n and proves that it is large enough (`_steps`). A constraint of
the law about knowledge is about the previous structure: theta(t) contains |a|(t) with the law and
observables of that structure. A world u is more plausible than t if the first soft constraint that
is true at only one of them is true at u.

Agreement needs no equations: the vector t shares the Booleans that i observes with s, and only the
others are quantified. Formulas are translated with their polarity. An existential quantifier
outside all universal quantifiers is replaced by constants, so that often no quantifiers are left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import z3

from symkripke.engines.smt.propositional import propositional
from symkripke.errors import Unsupported
from symkripke.language import Atom, Formula, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional
from symkripke.model import KnowledgeStructure
from symkripke.records import dataclass

# Common knowledge under other operators is unsupported if paths are longer than this, because the
# solver would take too long.
_MOST_STEPS = 10


@dataclass(frozen=True)
class Stage:
    """A structure, with the announcements inside the formula that have been made in it.

    Attributes:
        structure: the structure, with the law and the observables.
        announced: the announced formulas, in order. Each is about the stage before it.
    """

    structure: KnowledgeStructure
    announced: tuple[Formula, ...] = ()

    def after(self, formula: Formula) -> Stage:
        """Return the stage after the announcement of `formula`."""
        return Stage(self.structure, (*self.announced, formula))

    def seen(self, agents: Iterable[str]) -> tuple[Atom, ...]:
        """Return the atoms that at least one of these agents observes."""
        observables = self.structure.observables
        return tuple(dict.fromkeys(o.atom for agent in agents for o in observables[agent]))


@dataclass(frozen=True, eq=False)
class Point:
    """A vector, with a Boolean expression for each atom.

    Attributes:
        values: the expression of each atom.
        fresh: the constants that were created for this vector.
    """

    values: Mapping[Atom, Any]
    fresh: tuple[Any, ...] = ()


@dataclass(frozen=True)
class AccessStep:
    """A step of `agents` to the world `point`, at which the formula `shows` is true."""

    agents: tuple[str, ...]
    point: Point
    shows: Formula


class Translation:
    """The translation of the formulas of one question.

    Attributes:
        steps: for each formula (with its truth, stage and point), the step to a vector of
            constants, if the translation created one. A model of the vector is a counter-world or a
            witness.
    """

    def __init__(self, context: Any, satisfiable: Callable[[Any], bool]) -> None:
        """Create a translation into `context`.

        `satisfiable` decides auxiliary queries. Translations raise its errors.
        """
        self.context = context
        self.steps: dict[tuple[Formula, bool, Stage, Point], AccessStep] = {}
        self._satisfiable = satisfiable
        self._made = 0
        self._done: dict[tuple[Formula, Stage, Point, bool, bool], Any] = {}
        self._laws: dict[tuple[KnowledgeStructure, Point], Any] = {}
        self._enough: dict[tuple[Stage, tuple[str, ...], Formula], int] = {}

    # ---- worlds -----------------------------------------------------------------------

    def point(self, structure: KnowledgeStructure, shared: Mapping[Atom, Any]) -> Point:
        """Return a vector with the `shared` expressions, and new constants for other atoms."""
        self._made += 1
        values: dict[Atom, Any] = {}
        fresh = []
        for fluent in structure.vocabulary.fluents.values():
            for atom in fluent.atoms:
                if atom in shared:
                    values[atom] = shared[atom]
                else:
                    constant = z3.Bool(f"{atom}@{self._made}", self.context)
                    values[atom] = constant
                    fresh.append(constant)
        return Point(values, tuple(fresh))

    def other(self, stage: Stage, point: Point, agents: Iterable[str]) -> Point:
        """Return a vector that none of `agents` can tell from `point`."""
        shared = {atom: point.values[atom] for atom in stage.seen(agents)}
        return self.point(stage.structure, shared)

    def law(self, stage: Stage, point: Point, positive: bool = True, free: bool = True) -> Any:
        """Return the expression for "the law holds at `point`"; its negation if not `positive`.

        `free` means that the expression is outside all universal quantifiers, so that constants can
        replace its existential quantifiers.
        """
        structure = stage.structure
        if (structure, point) not in self._laws:
            stated = [c.formula for c in (*structure.domains, *structure.law) if not c.is_modal]
            self._laws[structure, point] = self._all(
                [self._plain(formula, point) for formula in stated]
            )
        parts = [self._laws[structure, point]]
        if not positive:
            parts[0] = z3.Not(parts[0])
        for later in structure.stages[1:]:
            assert later.history.before is not None
            for constraint in later.law.added:
                if constraint.is_modal:
                    before = Stage(later.history.before)
                    parts.append(
                        self.formula(constraint.formula, before, point, positive, free=free)
                    )
        for place, said in enumerate(stage.announced):
            before = Stage(structure, stage.announced[:place])
            parts.append(self.formula(said, before, point, positive, free=free))
        return self._all(parts) if positive else self._any(parts)

    # ---- formulas ---------------------------------------------------------------------

    def formula(
        self, formula: Formula, stage: Stage, point: Point, positive: bool, *, free: bool
    ) -> Any:
        """Return |formula| at `point`, or its negation if not `positive`.

        The point must satisfy the law.

        Raises:
            Unsupported: the formula mentions probability or common belief, or common
                knowledge along very long paths.
        """
        key = (formula, stage, point, positive, free)
        if key not in self._done:
            self._done[key] = self._translated(formula, stage, point, positive, free)
        return self._done[key]

    def _translated(
        self, formula: Formula, stage: Stage, point: Point, positive: bool, free: bool
    ) -> Any:
        def at(part: Formula, truth: bool) -> Any:
            return self.formula(part, stage, point, truth, free=free)

        if is_propositional(formula):
            plain = self._plain(formula, point)
            return plain if positive else z3.Not(plain)
        both = self._all if positive else self._any
        either = self._any if positive else self._all
        match formula:
            case f.Not(operand):
                return at(operand, not positive)
            case f.And(operands):
                return both([at(part, positive) for part in operands])
            case f.Or(operands):
                return either([at(part, positive) for part in operands])
            case f.Implies(left, right):
                return either([at(left, not positive), at(right, positive)])
            case f.Iff(left, right):
                forwards = self._any([at(left, False), at(right, positive)])
                backwards = self._any([at(left, True), at(right, not positive)])
                return self._all([forwards, backwards])
            case f.Cardinality():
                return self._count(formula, positive, at)
            case f.E(group, operand):
                return both([at(f.K(agent, operand), positive) for agent in group])
            case f.EB(group, operand):
                return both([at(f.B(agent, operand), positive) for agent in group])
            case f.B():
                return self._believed(formula, stage, point, positive, free)
            case f.Kw(agent, operand) if not is_propositional(operand):
                either_way = (f.K(agent, operand), f.K(agent, negation(operand)))
                return either([at(part, positive) for part in either_way])
            case f.Announced(said, after):
                announced = self.formula(after, stage.after(said), point, positive, free=free)
                return either([at(said, not positive), announced])
            case f.AnnouncedTrue(said, after):
                announced = self.formula(after, stage.after(said), point, positive, free=free)
                return both([at(said, positive), announced])
            case f.C(group, operand):
                steps = self._steps(stage, group, operand)
                return self._paths(steps, operand, stage, point, group, positive, free)
        return self._modal(formula, stage, point, positive, free)

    def _modal(
        self, formula: Formula, stage: Stage, point: Point, positive: bool, free: bool
    ) -> Any:
        """Return the translation of an operator about worlds indistinguishable from `point`."""
        match formula:
            case f.K(agent, operand):
                agents, universal, shows = (agent,), positive, positive
            case f.D(agents, operand):
                universal, shows = positive, positive
            case f.M(agent, operand):
                agents, universal, shows = (agent,), not positive, positive
            case f.Kw(agent, operand):
                return self._same((operand,), (agent,), stage, point, universal=positive, free=free)
            case f.Kv(agent, fluents):
                cases = [case for name in fluents for case in stage.structure.fluents(name)]
                return self._same(cases, (agent,), stage, point, universal=positive, free=free)
            case _:
                raise Unsupported(
                    f"the smt engine does not answer {type(formula).__name__}[...]; "
                    "ask the bdd engine"
                )
        there = self.other(stage, point, agents)
        below = free and not universal
        body = self.formula(operand, stage, there, shows, free=below)
        if below:
            inner = operand if shows else negation(operand)
            self.steps[formula, positive, stage, point] = AccessStep(tuple(agents), there, inner)
        return self._quantified(stage, there, body, universal=universal, free=free)

    def _same(
        self,
        cases: Iterable[Formula],
        agents: tuple[str, ...],
        stage: Stage,
        point: Point,
        *,
        universal: bool,
        free: bool,
    ) -> Any:
        """Return the expression for "all `cases` have the same truth at all worlds as at `point`".

        If not `universal`, return the expression for "some case differs at some world". The worlds
        are those that `agents` cannot tell from `point`.
        """
        there = self.other(stage, point, agents)
        pairs = [(self._plain(case, point), self._plain(case, there)) for case in cases]
        same = self._all([here == elsewhere for here, elsewhere in pairs])
        body = same if universal else z3.Not(same)
        return self._quantified(stage, there, body, universal=universal, free=free)

    def _quantified(
        self, stage: Stage, there: Point, body: Any, *, universal: bool, free: bool
    ) -> Any:
        """Return the expression for "`body` holds at all values of `there` that satisfy the law".

        If not `universal`, `body` only has to hold at some of these values.
        """
        if universal:
            inner = self._any([self.law(stage, there, False, free=False), body])
            return z3.ForAll(list(there.fresh), inner) if there.fresh else inner
        inner = self._all([self.law(stage, there, True, free=free), body])
        # Outside all universal quantifiers, the constants of the vector are the witness.
        return inner if free or not there.fresh else z3.Exists(list(there.fresh), inner)

    # ---- belief -------------------------------------------------------------------------

    def _believed(
        self, formula: f.B, stage: Stage, point: Point, positive: bool, free: bool
    ) -> Any:
        """Return the expression for "the most plausible worlds with `given` satisfy the operand".

        If not `positive`, return the expression for "one of them does not satisfy it".
        """
        agents, order = (formula.agent,), stage.structure.plausibility(formula.agent)
        there = self.other(stage, point, agents)
        below = free and not positive
        body = [self.formula(formula.operand, stage, there, positive, free=below)]
        body.append(self.formula(formula.given, stage, there, not positive, free=below))
        if order:
            # Worlds with a more plausible world do not matter.
            other = self.other(stage, point, agents)
            better = self._better([soft.formula for soft in order], other, there)
            fits = self.formula(formula.given, stage, other, positive, free=below and positive)
            inner = self._all([fits, better]) if positive else self._any([fits, z3.Not(better)])
            body.append(self._quantified(stage, other, inner, universal=not positive, free=below))
        if below:
            denied = negation(formula.operand)
            self.steps[formula, positive, stage, point] = AccessStep(agents, there, denied)
        stated = self._any(body) if positive else self._all(body)
        return self._quantified(stage, there, stated, universal=positive, free=free)

    def _better(self, order: Sequence[Formula], one: Point, other: Point) -> Any:
        """Return the expression for "`one` is more plausible than `other`".

        The first formula of `order` on which they differ is then true at `one`.
        """
        better = z3.BoolVal(False, self.context)
        for formula in reversed(order):
            here, there = self._plain(formula, one), self._plain(formula, other)
            better = z3.If(here == there, better, here)
        return better

    # ---- common knowledge --------------------------------------------------------------

    def _paths(
        self,
        steps: int,
        operand: Formula,
        stage: Stage,
        point: Point,
        group: tuple[str, ...],
        positive: bool,
        free: bool,
    ) -> Any:
        """Return the expression for "`operand` is true after each path with this number of steps".

        If not `positive`, return the expression for "it is false after one of them".
        """
        if not steps:
            return self.formula(operand, stage, point, positive, free=free)
        below = free and not positive
        there = self.other(stage, point, group if len(group) == 1 else ())
        body = self._paths(steps - 1, operand, stage, there, group, positive, below)
        if len(group) > 1:
            step = self._any(
                [self.indistinguishable(stage, point, there, agent) for agent in group]
            )
            body = self._any([z3.Not(step), body]) if positive else self._all([step, body])
        return self._quantified(stage, there, body, universal=positive, free=free)

    def indistinguishable(self, stage: Stage, one: Point, other: Point, agent: str) -> Any:
        """Return the expression for "`agent` cannot tell these two points apart"."""
        return self._all([one.values[atom] == other.values[atom] for atom in stage.seen((agent,))])

    def _steps(self, stage: Stage, group: tuple[str, ...], operand: Formula) -> int:
        """Return a number of steps that suffices to reach every reachable world without `operand`.

        The number n suffices if no world has such a path of n + 1 steps without having a path of n
        steps. Otherwise some shortest path has m > n steps, and after m - n - 1 steps it passes a
        world whose shortest path has n + 1 steps.
        """
        key = (stage, group, operand)
        if key not in self._enough:
            for steps in range(_MOST_STEPS + 1):
                start = self.point(stage.structure, {})
                longer = self._paths(steps + 1, operand, stage, start, group, False, True)
                none = self._paths(steps, operand, stage, start, group, True, True)
                if not self._satisfiable(self._all([self.law(stage, start), longer, none])):
                    self._enough[key] = steps
                    break
            else:
                raise Unsupported(
                    f"the smt engine does not follow C[{', '.join(group)}] under other operators "
                    f"for more than {_MOST_STEPS} steps"
                )
        return self._enough[key]

    # ---- connectives ------------------------------------------------------------------

    def _plain(self, formula: Formula, point: Point) -> Any:
        return propositional(formula, point.values.__getitem__, self.context)

    def _all(self, parts: Sequence[Any]) -> Any:
        return z3.And(*parts) if parts else z3.BoolVal(True, self.context)

    def _any(self, parts: Sequence[Any]) -> Any:
        return z3.Or(*parts) if parts else z3.BoolVal(False, self.context)

    def _count(
        self, formula: f.Cardinality, positive: bool, at: Callable[[Formula, bool], Any]
    ) -> Any:
        """Return a cardinality over modal operands, with only `&` and `|` to keep polarities."""
        bound, operands = formula.bound, formula.operands
        few = len(operands) - bound
        # At most k of them are true if at least n - k are false.
        if formula.relation == "atleast":
            if positive:
                return self._least(bound, [at(part, True) for part in operands])
            return self._least(few + 1, [at(part, False) for part in operands])
        if formula.relation == "atmost":
            if positive:
                return self._least(few, [at(part, False) for part in operands])
            return self._least(bound + 1, [at(part, True) for part in operands])
        true = [at(part, True) for part in operands]
        false = [at(part, False) for part in operands]
        if positive:
            return self._all([self._least(bound, true), self._least(few, false)])
        return self._any([self._least(bound + 1, true), self._least(few + 1, false)])

    def _least(self, bound: int, parts: Sequence[Any]) -> Any:
        """Return the expression for "at least `bound` of `parts` are true"."""
        if bound > len(parts):
            return self._any([])
        # counted[k] is the expression for "at least k of the parts so far are true".
        counted = [self._all([])] + [self._any([])] * max(bound, 0)
        for part in parts:
            for k in range(len(counted) - 1, 0, -1):
                counted[k] = self._any([counted[k], self._all([part, counted[k - 1]])])
        return counted[-1]
