"""The questions to z3: satisfiability with and without quantifiers, and reachability.

- Without quantifiers: z3's solver for finite domains.
- With quantifiers: the tactic `qsat`, which treats the formula as a game between the quantifiers
  and is complete for Booleans. (z3's general solver instantiates quantifiers and answers
  "unknown".)
- Reachability: the fixed-point engine Spacer.

If z3 answers "unknown", an error is raised. The answer never counts as "unsatisfiable".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import z3

from symkripke import limits
from symkripke.errors import OutOfMemory, Unsupported

# z3 may stop up to this many seconds before its time limit.
_LATE = 0.001


def is_interrupt(reason: str) -> bool:
    """Return whether `reason` is the message of z3 after Ctrl-C, which z3 handles itself.

    Spacer gives the same message when it reaches its time limit.
    """
    return "canceled" in reason or "interrupted" in reason


def is_quantified(*expressions: Any) -> bool:
    """Return whether some expression has a quantifier."""
    goal = z3.Goal(ctx=expressions[0].ctx)
    goal.add(*expressions)
    return bool(z3.Probe("has-quantifiers", ctx=expressions[0].ctx)(goal))


def shape(*expressions: Any) -> tuple[int, tuple[Any, ...]]:
    """Return the number of quantifiers and the distinct uninterpreted constants."""
    quantifiers = 0
    constants = []
    seen: set[int] = set()
    stack = list(expressions)
    while stack:
        current = stack.pop()
        if current.get_id() in seen:
            continue
        seen.add(current.get_id())
        if z3.is_quantifier(current):
            quantifiers += 1
            stack.append(current.body())
        elif z3.is_const(current) and current.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            constants.append(current)
        else:
            stack.extend(current.children())
    return quantifiers, tuple(constants)


class Asking:
    """The interface to z3 in one context, within the limits of time and memory."""

    def __init__(self, context: Any) -> None:
        """Store the context of all solvers."""
        self.context = context

    def satisfiable(self, expression: Any) -> bool:
        """Return whether some values of the constants make `expression` true."""
        return self.check(self.solver(expression))

    def solver(self, *expressions: Any) -> Any:
        """Return a solver with these expressions.

        Further expressions without quantifiers may be added.
        """
        if is_quantified(*expressions):
            steps = ("simplify", "propagate-values", "qsat")
            solver = z3.Then(*steps, ctx=self.context).solver()
        else:
            solver = z3.SolverFor("QF_FD", ctx=self.context)
        solver.add(*expressions)
        return solver

    def check(self, solver: Any, *more: Any) -> bool:
        """Return whether the expressions of `solver`, together with `more`, are satisfiable.

        Raises:
            BudgetExceeded: z3 does not answer in the time that is left.
            Unsupported: z3 answers "unknown"; the message contains the reason.
        """
        self._limit(solver)
        return self._read(solver.check(*more), solver)

    def reachable(
        self,
        variables: Sequence[Any],
        goal: Any,
        steps: Iterable[tuple[Any, Sequence[Any]]],
        start: Any,
        given: Any,
    ) -> bool | None:
        """Return whether steps lead from the start to the goal.

        This is the case if the start is in R, the least relation that satisfies these rules:

            R(x) <- goal(x)         R(x) <- step(x, y) & R(y)

        Args:
            variables: the constants that make up x.
            goal: an expression over x and its own constants, without quantifiers.
            steps: pairs of an expression step(x, y), without quantifiers, and the values y.
            start: the values of x at the start.
            given: an expression over the constants in `start`, without quantifiers.

        Returns:
            True or False; None if Spacer gives up before its time limit. In z3 5.4, one of its
            internal checks fails on a few rules that come from nested operators. The caller must
            then ask in another way.
        """
        signature = [*(variable.sort() for variable in variables), z3.BoolSort(self.context)]
        reaches = z3.Function("reaches", *signature)
        rules = z3.Fixedpoint(ctx=self.context)
        rules.set(engine="spacer")
        # Inlining rules makes those failures more frequent.
        rules.set("xform.inline_linear", False)
        rules.set("xform.inline_eager", False)
        self._limit(rules)
        rules.register_relation(reaches)
        steps = list(steps)
        declared = [*variables, goal, given, *start]
        for step, following in steps:
            declared += [step, *following]
        _, constants = shape(*declared)
        rules.declare_var(*constants)
        rules.rule(reaches(*variables), [goal])
        for step, following in steps:
            rules.rule(reaches(*variables), [step, reaches(*following)])
        try:
            return self._read(rules.query(z3.And(given, reaches(*start))), rules)
        except z3.Z3Exception as error:
            left = limits.seconds_left()
            if is_interrupt(str(error)) and (left is None or left > _LATE):
                raise KeyboardInterrupt from None
            return None
        except Unsupported:
            return None

    def _limit(self, solver: Any) -> None:
        limit = limits.current()
        if limit is None:
            return
        limit.check()
        left = limit.seconds_left()
        if left is not None:
            solver.set("timeout", max(1, int(left * 1000)))
        memory = limit.memory_left()
        if memory is not None and not isinstance(solver, z3.Fixedpoint):
            # The memory limit of z3 is in megabytes. Spacer has no such limit.
            solver.set("max_memory", max(1, memory >> 20))

    def _read(self, result: Any, solver: Any) -> bool:
        if result == z3.unknown:
            limit = limits.current()
            left = None if limit is None else limit.seconds_left()
            if limit is not None and left is not None and left <= _LATE:
                raise limit.out_of_time()
            why = solver.reason_unknown()
            if is_interrupt(why):
                raise KeyboardInterrupt
            if "memory" in why and limit is not None:
                raise OutOfMemory(limit.memory or 0)
            raise Unsupported(f"z3 does not decide this question: {why}")
        return bool(result == z3.sat)
