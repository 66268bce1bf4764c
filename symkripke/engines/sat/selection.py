"""Formulas of which any choice can be asked to be true together, in one solver."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symkripke.engines.clock import Meter
from symkripke.engines.minimal_core import minimal_core
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.solver import solve
from symkripke.language import Formula


class Selection:
    """A solver in which every formula is a choice of assumptions.

    Nothing is ever taken back: a formula gets a literal that is equivalent to it, once, and is
    chosen by that literal. So thousands of variants of a law cost one solver. All formulas are
    propositional, with names resolved.
    """

    def __init__(self, always: Iterable[Formula]) -> None:
        """A solver in which these formulas are true, whatever is chosen."""
        self._encoding = Encoding()
        self._solver = self._encoding.solver()
        self._defined = 0, 0
        self._literals: dict[Formula, tuple[int, ...]] = {}
        for formula in always:
            self._encoding.asserted(formula).give(self._solver)

    def possible(self, chosen: Iterable[Formula], meter: Meter | None = None) -> bool:
        """Whether all of these can be true together; raises `BudgetExceeded`."""
        assumptions = [literal for formula in chosen for literal in self._literals_of(formula)]
        self._defined = self._encoding.definitions.give(self._solver, self._defined)
        return solve(self._solver, assumptions, meter)

    def refuting(self, chosen: Sequence[Formula]) -> list[Formula]:
        """Of these formulas, which were refuted last, those that the refutation used."""
        core = frozenset(self._solver.get_core() or ())
        return [formula for formula in chosen if not core.isdisjoint(self._literals_of(formula))]

    def minimal(
        self, chosen: Sequence[Formula], meter: Meter | None = None, *, last_first: bool = False
    ) -> list[Formula] | None:
        """A minimal part of these that cannot be true together; None if all of them can."""

        def refute(formulas: list[Formula]) -> list[Formula] | None:
            return None if self.possible(formulas, meter) else self.refuting(formulas)

        core = refute(list(chosen))
        return None if core is None else minimal_core(core, refute, last_first=last_first)

    def _literals_of(self, formula: Formula) -> tuple[int, ...]:
        """The literals that together are equivalent to the formula."""
        literals = self._literals.get(formula)
        if literals is None:
            literals = self._literals[formula] = tuple(self._encoding.conjuncts(formula))
        return literals
