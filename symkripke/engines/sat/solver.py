"""The SAT solver, run in slices: time, memory and conflicts are checked between two slices.

A slice is a number of propagations. The time of a propagation depends on the cardinality
constraints, so the number is computed from these constraints and not from a clock. Therefore the
same question with the same budget gives the same models on every machine.

Minicard is called directly in python-sat's compiled module. The wrapper `pysat.solvers` also
imports modules for all other solvers, for archives and for temporary files. Without these imports,
`symkripke check` of ten lines takes 6% less processor time.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from itertools import combinations
from typing import Any, cast

import pysolvers

from symkripke import limits
from symkripke.engines.minimal_core import MinimisationStopped, minimal_core
from symkripke.engines.sat.tuning import DEFAULT, Tuning
from symkripke.errors import NoAnswerWithin


class Solver:
    """Minicard, run in slices."""

    minicard: Any = None

    def __init__(self, tuning: Tuning = DEFAULT, idle: tuple[int, int] | None = None) -> None:
        """Create a solver without clauses.

        Minicard reserves 4 MB for clauses and uses little of it. When it removes clauses, it moves
        to a smaller block. So the solver is given a clause over two `idle` variables, which it
        removes at once. No other clause may mention these variables. (Without them, `python -m
        tests.soak memory --questions 40000` ends with 290 MB instead of 220 MB.)
        """
        self.tuning = tuning
        self.minicard = pysolvers.minicard_new()
        self.defined = 0, 0
        """The number of the encoding's definitions in the solver; see `Encoding.synchronise`."""
        self.status: bool | None = None
        """The last answer. It is also False as soon as the clauses contradict each other."""
        self._counted = 0
        """The number of literals in all cardinality constraints."""
        self._slice: int | None = None
        self._is_sliced = False
        if idle is not None:
            self.add_clause(idle)
            self.add_clause(idle[:1])
            self.run((), 1)

    def __del__(self) -> None:
        if self.minicard is not None:
            pysolvers.minicard_del(self.minicard)

    def add_clause(self, clause: Sequence[int]) -> None:
        """State that at least one of these literals is true."""
        if pysolvers.minicard_add_cl(self.minicard, clause) is False:
            self.status = False

    def add_atmost(self, lits: Sequence[int], k: int) -> None:
        """State that at most `k` of these literals are true."""
        self._counted += len(lits)
        self._slice = None
        if pysolvers.minicard_add_am(self.minicard, lits, k) is False:
            self.status = False

    def add_clauses(self, clauses: Iterable[Sequence[int]]) -> None:
        """State several clauses, which is quicker than calling `add_clause` for each."""
        add, solver = pysolvers.minicard_add_cl, self.minicard
        for clause in clauses:
            if add(solver, clause) is False:
                self.status = False

    @property
    def propagations_a_slice(self) -> int:
        """The number of propagations in a slice.

        It is computed again when constraints are added. New variables only make the cached number
        too small.
        """
        if self._slice is None:
            variables: int = pysolvers.minicard_nof_vars(self.minicard)
            crowd = self._counted // max(1, variables) if self._counted else 0
            self._slice = max(self.tuning.least_propagations, self.tuning.slice_cost // (1 + crowd))
        return self._slice

    def run(self, assumptions: Sequence[int], conflicts: int) -> bool | None:
        """Return whether there is a model; None if undecided within `conflicts` conflicts."""
        if self._is_sliced:
            pysolvers.minicard_pbudget(self.minicard, -1)
            self._is_sliced = False
        return self._run(assumptions, conflicts)

    def run_slice(
        self, assumptions: Sequence[int], conflicts: int, propagations: int
    ) -> bool | None:
        """Return whether there is a model; None if undecided within these bounds."""
        self._is_sliced = True
        pysolvers.minicard_pbudget(self.minicard, propagations)
        return self._run(assumptions, conflicts)

    def _run(self, assumptions: Sequence[int], conflicts: int) -> bool | None:
        """Run the solver like python-sat's `solve_limited`, but in 90% of the time.

        With the option that allows interrupts, python-sat does not replace the handler of Ctrl-C,
        and Python raises KeyboardInterrupt after the call. Without the option, Ctrl-C jumps out of
        the solver. This leaves the solver broken, and blocks Ctrl-C for the rest of the process. If
        another thread receives the signal, the process crashes.
        """
        pysolvers.minicard_cbudget(self.minicard, conflicts)
        self.status = pysolvers.minicard_solve_lim(self.minicard, assumptions, False, True)
        return cast(bool | None, self.status)

    def remember(self, fresh: Callable[[], int]) -> None:
        """Let the solver keep about a thousand more of the clauses that it learns.

        Minicard keeps one learnt clause for every three clauses, and a law in cardinality
        constraints has few clauses. So it would drop the clauses that a long refutation needs, and
        learn them again and again. Therefore it is given clauses without content, over `fresh`
        variables that it prefers to be true. Long refutations, such as those about hands of two for
        eight players, depend on this: see `Tuning.similar_candidates`.
        """
        variables = [fresh() for _ in range(self.tuning.variables_to_remember)]
        self.add_clauses(combinations(variables, 3))
        self.set_phases(variables)

    def set_phases(self, literals: Sequence[int]) -> None:
        """Make the solver prefer these literals to be true."""
        pysolvers.minicard_setphases(self.minicard, literals)

    def get_model(self) -> list[int]:
        """Return the last model, as one literal for each variable; empty if there is none."""
        return pysolvers.minicard_model(self.minicard) or [] if self.status else []

    def get_core(self) -> list[int]:
        """Return the assumptions that the last refutation used; empty if it used none."""
        return pysolvers.minicard_core(self.minicard) or [] if self.status is False else []

    def used(self, assumptions: Iterable[int]) -> list[int]:
        """Return the part of `assumptions` that the last refutation used, in the same order."""
        core = set(self.get_core())
        return [literal for literal in assumptions if literal in core]

    @property
    def conflicts(self) -> int:
        """The number of conflicts so far."""
        number: int = pysolvers.minicard_acc_stats(self.minicard)["conflicts"]
        return number


def solve(solver: Solver, assumptions: Sequence[int]) -> bool:
    """Return whether the clauses are satisfiable under `assumptions`.

    Raise `BudgetExceeded` at a limit.
    """
    while True:
        result = attempt(solver, assumptions, solver.tuning.conflicts_a_look)
        if result is not None:
            return result


def attempt(solver: Solver, assumptions: Sequence[int], conflicts: int) -> bool | None:
    """Return whether there is a model; None if undecided after `conflicts` conflicts.

    Raise `BudgetExceeded` at a limit.
    """
    limit = limits.current()
    if limit is None:
        return solver.run(assumptions, conflicts)
    limit.check()
    return _in_slices(solver, assumptions, conflicts, limit)


def implied_by(solver: Solver, literals: Sequence[int]) -> Sequence[int]:
    """Return the consequences of these literals by unit propagation."""
    # `Minicard.propagate` always takes over Ctrl-C (see `Solver._run`).
    _, implied = pysolvers.minicard_propagate(solver.minicard, literals, False, False)
    return implied or ()


def _in_slices(
    solver: Solver, assumptions: Sequence[int], conflicts: int, limit: limits.Limit
) -> bool | None:
    """Return the result of `attempt`, checking the limit between slices."""
    propagations, tuning = solver.propagations_a_slice, solver.tuning
    work, allowed = limit.work, limit.conflicts
    if work is not None:
        work.spend(tuning.work_of_call)
    # Reading the number of conflicts takes as long as most questions. So the conflicts of a first
    # slice are counted only if there is a limit on work or conflicts.
    before = None if work is allowed is None else solver.conflicts
    left = conflicts
    while True:
        most = left if before is not None else min(left, tuning.first_slice_conflicts)
        if allowed is not None:
            tightest = allowed.tightest()
            if tightest.left <= 0:
                raise NoAnswerWithin(tightest.most, "conflicts")
            most = min(most, tightest.left)
        result = solver.run_slice(assumptions, most, propagations)
        if result is not None and before is None:
            return result
        now = solver.conflicts
        spent = most if before is None else now - before
        left, before = left - spent, now
        if work is not None:
            is_full = result is None and spent < most
            work.count(tuning.work_of_full_slice if is_full else tuning.work_of_conflict * spent)
        if allowed is not None:
            allowed.count(spent)
        if result is not None or left <= 0:
            return result
        limits.look()
        if not spent:
            # The next slice starts again and must get further.
            propagations *= 2


def minimal_refutation(
    solver: Solver,
    assumptions: Sequence[int],
    order: Iterable[int] | None = None,
    conflicts: int | None = None,
    minimal: Container[frozenset[int]] = (),
) -> list[int] | None:
    """Return a minimal core of these assumptions; None if they are consistent.

    Assumptions that are last in `order` (or in `assumptions`) are left out first. If `conflicts` is
    given, the result is also None if that number of conflicts is not enough. Cores in `minimal` are
    known to be minimal.
    """
    place = {literal: number for number, literal in enumerate(order or assumptions)}
    end = None if conflicts is None else solver.conflicts + conflicts
    gave_up = False

    def refute(literals: Sequence[int]) -> list[int] | None:
        nonlocal gave_up
        if end is None:
            satisfiable: bool | None = solve(solver, literals)
        else:
            left = end - solver.conflicts
            satisfiable = attempt(solver, literals, left) if left > 0 else None
        if satisfiable is None:
            gave_up = True
            raise MinimisationStopped
        return None if satisfiable else sorted(solver.get_core(), key=place.__getitem__)

    try:
        core = refute(assumptions)
    except MinimisationStopped:
        return None
    if core is None or frozenset(core) in minimal:
        return core
    smaller = minimal_core(core, refute, last_first=True)
    return None if gave_up else smaller
