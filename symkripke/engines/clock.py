"""What a question may cost, and what is left of that while it is answered."""

from __future__ import annotations

import time
from dataclasses import dataclass

from symkripke.argument_types import unexpected
from symkripke.errors import BudgetExceeded, InputError, NoAnswerWithin


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a question may cost. Running out raises `BudgetExceeded`.

    Attributes:
        seconds: wall time for the whole question, None for no limit.
        conflicts: conflicts of the SAT solver for the whole question, None for no limit.
    """

    seconds: float | None = None
    conflicts: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            if not isinstance(self.seconds, int | float):
                raise unexpected("a number of seconds", self.seconds)
            if not self.seconds >= 0:
                raise InputError(f"expected seconds of 0 or more, got {self.seconds}")
        if self.conflicts is None:
            return
        if not isinstance(self.conflicts, int):
            raise unexpected("a whole number of conflicts", self.conflicts)
        if self.conflicts < 0:
            raise InputError(f"expected conflicts of 0 or more, got {self.conflicts}")


class Meter:
    """What is left of a budget while a question is being answered.

    Attributes:
        budget: what there was at the start; None for no limit.
        conflicts: how many conflicts are left; None if they are not limited, or not counted.
    """

    def __init__(self, budget: Budget | None, *, count_conflicts: bool = False) -> None:
        """The clock starts now.

        Args:
            budget: what there is.
            count_conflicts: whether conflicts are spent, too. Who has none spends only time.
        """
        self.budget = budget
        self.conflicts = None if budget is None or not count_conflicts else budget.conflicts
        self._start = time.monotonic()
        seconds = None if budget is None else budget.seconds
        self._end = None if seconds is None else self._start + seconds

    @classmethod
    def of(cls, budget: Budget | None) -> Meter | None:
        """A meter of time and conflicts; None if neither is limited, so that nothing is checked."""
        if budget is None or (budget.seconds is None and budget.conflicts is None):
            return None
        return cls(budget, count_conflicts=True)

    def spent(self) -> float:
        """The seconds since the start."""
        return time.monotonic() - self._start

    def seconds_left(self) -> float | None:
        """The seconds that are left, 0 or more; None if time is not limited."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def left(self, share: float = 1.0) -> Budget | None:
        """What is left of the budget, with this share of its time, for whoever is asked next."""
        if self.budget is None:
            return None
        seconds = self.seconds_left()
        conflicts = self.budget.conflicts if self.conflicts is None else self.conflicts
        return Budget(None if seconds is None else share * seconds, conflicts)

    def spend(self, conflicts: int) -> None:
        """Take conflicts off what is left, which may fall below 0."""
        if self.conflicts is not None:
            self.conflicts -= conflicts

    def check(self) -> None:
        """Raise `BudgetExceeded` if nothing is left."""
        if self.conflicts is not None and self.conflicts <= 0:
            assert self.budget is not None
            assert self.budget.conflicts is not None
            raise NoAnswerWithin(self.budget.conflicts, "conflicts")
        if self._end is not None and time.monotonic() >= self._end:
            raise self.out_of_time()

    def out_of_time(self) -> NoAnswerWithin:
        """The error that says how many seconds there were."""
        assert self.budget is not None
        assert self.budget.seconds is not None
        return NoAnswerWithin(self.budget.seconds)


class OutOfSteps(BudgetExceeded):
    """The steps of a trial ran out."""


class Trial(Meter):
    """A meter for a part of the work that may be given up: after so many steps.

    A step is a look at the meter. So what comes of the work does not depend on the time of day,
    unless the `whole` of it has a budget that runs out.
    """

    def __init__(self, steps: int, whole: Meter | None) -> None:
        """With so many steps, and what is left of the whole."""
        super().__init__(None)
        self.conflicts = None if whole is None else whole.conflicts
        self._whole = whole
        self._left = steps

    def spend(self, conflicts: int) -> None:
        """Take conflicts off what is left for the whole."""
        if self._whole is not None:
            self._whole.spend(conflicts)
            self.conflicts = self._whole.conflicts

    def check(self) -> None:
        """Raise `OutOfSteps` if no step is left; another `BudgetExceeded` if that is the whole."""
        if self._whole is not None:
            self._whole.check()
        self._left -= 1
        if self._left < 0:
            raise OutOfSteps
