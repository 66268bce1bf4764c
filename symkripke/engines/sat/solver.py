"""The SAT solver, run in slices: between two slices time, memory and conflicts are looked at.

A slice is a number of propagations. How long one takes depends on the cardinality constraints that
a variable is in, so the number is found from these, and not from a clock: whoever asks the same
with the same budget gets the same models, on a slow machine, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

import pysolvers
from pysat.solvers import Minicard

from symkripke import limits
from symkripke.engines.clock import Meter
from symkripke.engines.minimal_core import minimal_core

# Conflicts between two looks at the budget, if propagations are few.
_CONFLICTS_A_LOOK = 2_000

# What a slice may cost, where a propagation costs one more for each so many literals of
# constraints that its variable is in. About a fifth of a second (measured: 0.5 us a literal).
_SLICE = 400_000

# Conflicts of a first slice that are not counted, but taken for so many.
_FIRST = 100

# The work of a call, of a conflict, and of a slice that ends for its propagations.
_CALL, _CONFLICT, _FULL = 5, 2, 20_000

# A slice is never so short that restarts are all it does.
_LEAST = 1_000


class Solver(Minicard):  # type: ignore[misc]  # python-sat has no types
    """Minicard, which knows how long its slices are."""

    def __init__(self, idle: tuple[int, int] | None = None) -> None:
        """Without clauses.

        Minicard sets aside 4 MB for clauses, most of which is never used. It moves to no more room
        than it needs when clauses go: so the solver gets a first one that goes at once. That is
        about two `idle` variables, of which nothing else is ever said; without any, the 4 MB stay.
        """
        super().__init__()
        self._counted = 0
        """The literals of all cardinality constraints."""
        self._slice: int | None = None
        self._is_sliced = False
        if idle is not None:
            self.add_clause(idle)
            self.add_clause(idle[:1])
            self.run((), 1)

    def add_atmost(self, lits: Sequence[int], k: int) -> None:
        """At most `k` of these literals are true."""
        self._counted += len(lits)
        self._slice = None
        super().add_atmost(lits, k)

    @property
    def propagations_a_slice(self) -> int:
        """How many propagations a slice has.

        Kept until there are more constraints: with more variables it is only too careful.
        """
        if self._slice is None:
            variables: int = self.nof_vars()
            crowd = self._counted // max(1, variables) if self._counted else 0
            self._slice = max(_LEAST, _SLICE // (1 + crowd))
        return self._slice

    def run(self, assumptions: Sequence[int], conflicts: int) -> bool | None:
        """Whether there is a model; None: not found within so many conflicts."""
        if self._is_sliced:
            pysolvers.minicard_pbudget(self.minicard, -1)
            self._is_sliced = False
        return self._run(assumptions, conflicts)

    def run_slice(
        self, assumptions: Sequence[int], conflicts: int, propagations: int
    ) -> bool | None:
        """The same, within so many propagations."""
        self._is_sliced = True
        pysolvers.minicard_pbudget(self.minicard, propagations)
        return self._run(assumptions, conflicts)

    def _run(self, assumptions: Sequence[int], conflicts: int) -> bool | None:
        """As `solve_limited`, which looks for the main thread each time: a tenth of the time.

        Told that it may be interrupted, python-sat leaves the handler of Ctrl-C alone: Python
        raises KeyboardInterrupt after the call. Otherwise it jumps out of the solver, which leaves
        the solver broken and Ctrl-C blocked for the rest of the process, and crashes if another
        thread gets it.
        """
        pysolvers.minicard_cbudget(self.minicard, conflicts)
        self.status = pysolvers.minicard_solve_lim(self.minicard, assumptions, False, True)
        return cast(bool | None, self.status)

    @property
    def conflicts(self) -> int:
        """How many conflicts there were so far."""
        found: int = self.accum_stats()["conflicts"]
        return found


def solve(solver: Solver, assumptions: Sequence[int], meter: Meter | None) -> bool:
    """Whether the clauses are satisfiable under `assumptions`; raises `BudgetExceeded`."""
    while True:
        found = attempt(solver, assumptions, _CONFLICTS_A_LOOK, meter)
        if found is not None:
            return found


def attempt(
    solver: Solver, assumptions: Sequence[int], conflicts: int, meter: Meter | None
) -> bool | None:
    """The same, given up after so many conflicts: then None. Raises `BudgetExceeded`."""
    if meter is not None:
        meter.check()
    if limits.current() is None and (meter is None or meter.conflicts is None):
        return solver.run(assumptions, conflicts)
    return _in_slices(solver, assumptions, conflicts, meter)


def implied_by(solver: Solver, literals: Sequence[int]) -> Sequence[int]:
    """What follows from these literals by unit propagation."""
    # `Minicard.propagate` would take over Ctrl-C, as above: it has no option against that.
    _, implied = pysolvers.minicard_propagate(solver.minicard, literals, False, False)
    return implied or ()


def _in_slices(
    solver: Solver, assumptions: Sequence[int], conflicts: int, meter: Meter | None
) -> bool | None:
    """The same, with looks between the slices."""
    propagations = solver.propagations_a_slice
    spending = meter is not None and meter.conflicts is not None
    # To ask for the number of conflicts takes as long as most questions: those of a first slice
    # are only counted where they are paid for.
    limit = limits.current()
    work = None if limit is None else limit.work
    if work is not None:
        work.spend(_CALL)
    before = solver.conflicts if spending or work is not None else None
    left = conflicts
    while True:
        most = left if before is not None else min(left, _FIRST)
        if meter is not None and meter.conflicts is not None:
            most = min(most, meter.conflicts)
        found = solver.run_slice(assumptions, most, propagations)
        if found is not None and before is None:
            return found
        now = solver.conflicts
        spent = most if before is None else now - before
        left, before = left - spent, now
        if work is not None:
            work.count(_CONFLICT * spent if found is not None or spent >= most else _FULL)
        if meter is not None:
            meter.spend(spent)
            if meter.conflicts is not None and meter.conflicts <= 0:
                return found
        if found is not None or left <= 0:
            return found
        limits.look()
        if work is not None:
            work.spend(0)
        if not spent:
            # The next one begins anew, and must come further.
            propagations *= 2


def minimal_refutation(
    solver: Solver,
    assumptions: Sequence[int],
    meter: Meter | None,
    order: Iterable[int] | None = None,
) -> list[int] | None:
    """A minimal core of these assumptions; None if there is none.

    Those that are last in `order` (else as they are given) are left out first.
    """
    place = {literal: number for number, literal in enumerate(order or assumptions)}

    def refute(literals: Sequence[int]) -> list[int] | None:
        if solve(solver, literals, meter):
            return None
        return sorted(solver.get_core() or [], key=place.__getitem__)

    core = refute(assumptions)
    return None if core is None else minimal_core(core, refute, last_first=True)
