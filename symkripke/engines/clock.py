"""Budgets of questions, and meters that tell what is left of them."""

from __future__ import annotations

import time

from symkripke.argument_types import unexpected
from symkripke.errors import BudgetExceeded, InputError, NoAnswerWithin
from symkripke.limits import Limit, current
from symkripke.records import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a question may cost. Running out raises `BudgetExceeded`.

    Attributes:
        seconds: wall time for the whole question, None for no limit.
        conflicts: conflicts of the SAT solver for the whole question, None for no limit.
        memory: bytes of memory that the process may hold meanwhile, None for no limit.
        work: units of work, about 10 microseconds each, None for no limit. A question takes the
            same work on each run. The sat and the bdd engine count it.
    """

    seconds: float | None = None
    conflicts: int | None = None
    memory: int | None = None
    work: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            if not isinstance(self.seconds, int | float):
                raise unexpected("a number of seconds", self.seconds)
            if not self.seconds >= 0:
                raise InputError(f"expected seconds of 0 or more, got {self.seconds}")
        for what, given in (
            ("conflicts", self.conflicts),
            ("bytes of memory", self.memory),
            ("units of work", self.work),
        ):
            if given is None:
                continue
            if not isinstance(given, int):
                raise unexpected(f"a whole number of {what}", given)
            if given < 0:
                raise InputError(f"expected {what} of 0 or more, got {given}")

    @property
    def is_of_work(self) -> bool:
        """Whether it limits the work only. Then `limits.within` is enough, without a meter."""
        return self.work is not None and self.seconds is self.conflicts is self.memory is None


class Meter:
    """What is left of a budget while a question is being answered.

    A limit that is set where the meter is made (`limits.within`) counts, too.

    Attributes:
        budget: what there was at the start; None for no limit.
        conflicts: how many conflicts are left; None if they are not limited, or not counted.
    """

    def __init__(self, budget: Budget | None, *, count_conflicts: bool = False) -> None:
        """The clock starts now.

        Args:
            budget: what there is.
            count_conflicts: whether conflicts are counted.
        """
        self.budget = budget
        self.conflicts = None if budget is None or not count_conflicts else budget.conflicts
        self._start = time.monotonic()
        self._limit = current()
        if budget is not None and (budget.seconds is not None or budget.memory is not None):
            self._limit = Limit(budget.seconds, budget.memory, self._limit)

    @classmethod
    def of(cls, budget: Budget | None) -> Meter | None:
        """A meter of time, conflicts and memory; None if nothing is limited: nothing to check."""
        global _UNCOUNTED
        if budget is not None and not budget.is_of_work and budget != _UNLIMITED:
            return cls(budget, count_conflicts=True)
        limit = current()
        if limit is None:
            return None
        meter = _UNCOUNTED  # read once: another thread may replace it
        if meter is None or meter._limit is not limit:
            meter = _UNCOUNTED = cls(None)
        return meter

    @property
    def shared(self) -> bool:
        """Whether time or conflicts are limited, so that several engines must share them."""
        if self.seconds is not None:
            return True
        return self.budget is not None and self.budget.conflicts is not None

    @property
    def seconds(self) -> float | None:
        """How many seconds there were at the start; None if time is not limited."""
        return None if self._limit is None else self._limit.seconds

    def spent(self) -> float:
        """The seconds since the start."""
        return time.monotonic() - self._start

    def seconds_left(self) -> float | None:
        """The seconds that are left, 0 or more; None if time is not limited."""
        return None if self._limit is None else self._limit.seconds_left()

    def memory_left(self) -> int | None:
        """The bytes that are left, 0 or more; None if memory is not limited."""
        return None if self._limit is None else self._limit.memory_left()

    def left(self, share: float = 1.0) -> Budget | None:
        """A budget of what is left, with this share of the time; None for no limit."""
        seconds = self.seconds_left()
        if self.budget is None:
            return None if seconds is None else Budget(share * seconds)
        conflicts = self.budget.conflicts if self.conflicts is None else self.conflicts
        return Budget(None if seconds is None else share * seconds, conflicts, self.budget.memory)

    def spend(self, conflicts: int) -> None:
        """Subtract conflicts from what is left; that may become negative."""
        if self.conflicts is not None:
            self.conflicts -= conflicts

    def check(self) -> None:
        """Raise `BudgetExceeded` if nothing is left."""
        if self.conflicts is not None and self.conflicts <= 0:
            assert self.budget is not None
            assert self.budget.conflicts is not None
            raise NoAnswerWithin(self.budget.conflicts, "conflicts")
        if self._limit is not None:
            self._limit.check()

    def out_of_time(self) -> NoAnswerWithin:
        """The error that says how many seconds there were."""
        assert self._limit is not None
        return self._limit.out_of_time()


_UNLIMITED = Budget()

# The meter of questions without a budget. It never changes, so it serves all questions under one
# limit.
_UNCOUNTED: Meter | None = None


class OutOfSteps(BudgetExceeded):
    """The steps of a trial ran out."""


class Trial(Meter):
    """A meter for a part of the work that is given up after so many steps.

    A step is a call of `check`. So the result does not depend on the speed of the machine, unless
    the budget of the `whole` runs out.
    """

    def __init__(self, steps: int, whole: Meter | None) -> None:
        """A meter of so many steps, and of what is left of the whole."""
        super().__init__(None)
        self.conflicts = None if whole is None else whole.conflicts
        self._whole = whole
        self._left = steps

    def spend(self, conflicts: int) -> None:
        """Subtract conflicts from what is left for the whole."""
        if self._whole is not None:
            self._whole.spend(conflicts)
            self.conflicts = self._whole.conflicts

    def check(self) -> None:
        """Raise `OutOfSteps` if no step is left; another `BudgetExceeded` if the whole ran out."""
        super().check() if self._whole is None else self._whole.check()
        self._left -= 1
        if self._left < 0:
            raise OutOfSteps
