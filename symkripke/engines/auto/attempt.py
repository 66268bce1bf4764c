"""Asking one engine after the other, within one budget.

Each has half of the time that is left, and the last one all of it. Without a budget each attempt
has the time that `choice` gives it. The first answer counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from symkripke.engines.auto.choice import Attempt, Whom
from symkripke.engines.clock import Budget, Meter
from symkripke.engines.protocol import Engine
from symkripke.errors import BudgetExceeded, NoAnswerWithin, OutOfMemory, TooManyNodes, Unsupported

T = TypeVar("T")

Question = Callable[[Engine, Budget | None], T]
"""How an engine is asked, within a budget."""

Refusal = Unsupported | BudgetExceeded
"""Why an engine has no answer."""


def first_answer(
    attempts: Sequence[Attempt],
    engine_of: Callable[[Whom], Engine],
    question: Question[T],
    meter: Meter,
    outgrown: Callable[[], None],
) -> tuple[T, str]:
    """The answer of the first engine that has one, and why it was asked.

    Args:
        attempts: whom to ask, one after the other.
        engine_of: the engines.
        question: what to ask.
        meter: for all of them together.
        outgrown: called if a trial shows that a diagram needs more than its room.

    Raises:
        Unsupported: none of them answers this kind of question.
        BudgetExceeded: one of them may have answered, with more time or room.
    """
    refusals: list[tuple[str, Refusal]] = []
    for attempt in attempts:
        last = attempt is attempts[-1]
        share = _share(meter, attempt.until, last)
        engine = engine_of(attempt.whom)
        try:
            result = question(engine, share)
        except (Unsupported, BudgetExceeded) as refused:
            refusals.append((engine.name, refused))
            ended = not meter.shared or isinstance(refused, TooManyNodes)
            if attempt.whom == "trial" and ended:
                outgrown()
        else:
            gave_up = "; ".join(f"{name} gave up: {why}" for name, why in refusals)
            return result, f"{attempt.reason}; {gave_up}" if gave_up else attempt.reason
    raise _summary(refusals, meter) from None


def _share(meter: Meter, until: float | None, last: bool) -> Budget | None:
    """What of the budget an attempt has: half the time that is left, or all if it is the last."""
    if not meter.shared:
        seconds = None if until is None else max(0.0, until - meter.spent())
        memory = None if meter.budget is None else meter.budget.memory
        return None if seconds is memory is None else Budget(seconds, memory=memory)
    return meter.left(1.0 if last else 0.5)


def _summary(refusals: Sequence[tuple[str, Refusal]], meter: Meter) -> Refusal:
    """One error for several: that a budget ran out, if one of them would have answered."""
    ran_out = [(name, error) for name, error in refusals if isinstance(error, BudgetExceeded)]
    if not ran_out:
        return refusals[0][1]
    late = all(isinstance(error, NoAnswerWithin) for _, error in ran_out)
    if late and meter.seconds is not None:
        # Each had a share: the time that was given is what there was in all.
        return NoAnswerWithin(meter.seconds)
    if isinstance(ran_out[-1][1], OutOfMemory):
        return ran_out[-1][1]
    if len(ran_out) > 1:
        return BudgetExceeded("; ".join(f"{name}: {error}" for name, error in ran_out))
    return ran_out[0][1]
