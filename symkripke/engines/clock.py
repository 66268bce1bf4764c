"""The moment at which the time of a budget runs out."""

from __future__ import annotations

import time

from symkripke.engines.protocol import Budget
from symkripke.errors import NoAnswerWithin


class Deadline:
    """The moment at which a budget's time runs out."""

    def __init__(self, budget: Budget | None) -> None:
        """The clock of `budget` starts now."""
        self._budget = budget
        self.seconds = None if budget is None else budget.seconds
        self._end = None if self.seconds is None else time.monotonic() + self.seconds

    def left(self, share: float = 1.0) -> Budget | None:
        """What is left of the budget, or this share of it, for the next who is asked."""
        if self._budget is None or self._end is None:
            return self._budget
        left = max(0.0, self._end - time.monotonic())
        return Budget(share * left, self._budget.conflicts)

    def check(self) -> None:
        """Raise `BudgetExceeded` if the time is over."""
        if self._end is not None and time.monotonic() > self._end:
            assert self.seconds is not None
            raise NoAnswerWithin(self.seconds)
