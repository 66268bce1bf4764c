"""A solver that decides which subsets of a set of formulas are consistent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symkripke.engines.minimal_core import minimal_core
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.solver import solve
from symkripke.language import Atom, Formula, Not


class Selection:
    """A solver in which each formula is switched on by an assumption.

    Each formula has a literal that implies it. A formula whose literal is not assumed costs
    nothing. (If the literal were equivalent to the formula, the solver would have to evaluate the
    formula in every model.) So one solver is enough for thousands of variants of a law. All
    formulas are propositional, with names resolved.
    """

    def __init__(self, always: Iterable[Formula]) -> None:
        """Create a solver in which these formulas are always selected."""
        self._encoding = Encoding()
        self._solver = self._encoding.solver()
        self._literals: dict[Formula, int] = {}
        for formula in always:
            self._encoding.asserted(formula).give(self._solver)

    def possible(self, chosen: Iterable[Formula]) -> bool:
        """Return whether these formulas can all be true; raise `BudgetExceeded` at a limit."""
        assumptions = list(dict.fromkeys(map(self._literal, chosen)))
        self._encoding.synchronise(self._solver)
        return solve(self._solver, assumptions)

    def refuting(self, chosen: Sequence[Formula]) -> list[Formula]:
        """Return the formulas of `chosen` that the last refutation by `possible` used."""
        core = frozenset(self._solver.get_core())
        return [formula for formula in chosen if self._literal(formula) in core]

    def minimal(self, chosen: Sequence[Formula]) -> list[Formula] | None:
        """Return a minimal inconsistent subset; None if all formulas can be true together."""

        def refute(formulas: list[Formula]) -> list[Formula] | None:
            return None if self.possible(formulas) else self.refuting(formulas)

        core = refute(list(chosen))
        return None if core is None else minimal_core(core, refute)

    def _literal(self, formula: Formula) -> int:
        """Return a literal that implies the formula."""
        literal = self._literals.get(formula)
        if literal is None:
            bare = formula.operands[0] if isinstance(formula, Not) else formula
            if isinstance(bare, Atom):
                literal = self._encoding.literal(formula)
            else:
                literal = self._guard(formula)
            self._literals[formula] = literal
        return literal

    def _guard(self, formula: Formula) -> int:
        """Return a new variable that implies the formula; the solver prefers it to be false."""
        guard = self._encoding.fresh()
        stated = self._encoding.asserted(formula)
        for clause in stated.clauses:
            self._solver.add_clause([-guard, *clause])
        for literals, bound in stated.atmosts:
            self._encoding.guarded(literals, bound, guard)
        self._solver.set_phases([-guard])
        return guard
