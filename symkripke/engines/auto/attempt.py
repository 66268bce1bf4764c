"""Asking engines in turns, within one budget, until one of them has an answer.

Each turn has a bound of counted work. An engine keeps the lemmas and diagrams of its turn for its
next one. So a question takes little longer than with the best engine for it, and which engine
answers does not depend on the speed of the machine. An engine that cannot answer (it does not know
the operator, or its diagram is too large) gets no further turn. The last engine that is left has no
bound of work.

A budget of time is shared: each turn has at most half of what is left, the last engine all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Generic, NamedTuple, TypeVar

from symkripke import limits
from symkripke.engines.auto.choice import Turn, Whom
from symkripke.engines.protocol import Engine
from symkripke.errors import (
    BudgetExceeded,
    NoAnswerWithin,
    OutOfMemory,
    OutOfWork,
    TooManyNodes,
    Unsupported,
)
from symkripke.limits import SearchAborted

T = TypeVar("T")

Question = Callable[[Engine], T]
"""How an engine is asked."""


class Answered(NamedTuple, Generic[T]):
    """An answer.

    Attributes:
        result: the answer.
        turn: the turn in which it was found.
        reason: why that engine was asked, and why others gave up.
        outlasted: whether earlier turns, of this engine or another, were too short.
    """

    result: T
    turn: Turn
    reason: str
    outlasted: bool


Refusal = Unsupported | BudgetExceeded | SearchAborted
"""Why an engine has no answer."""

# When each engine has had a turn, the turns become so many times as long. So all turns together
# take about twice the work of the last one at most.
_GROWTH = 2

# A turn is begun only with so many seconds left.
_LEAST_SECONDS = 0.01


def first_answer(
    turns: Sequence[Turn],
    engine_of: Callable[[Whom], Engine],
    question: Question[T],
    refused: Callable[[Turn, Refusal], None],
) -> Answered[T]:
    """The answer of the first engine that has one.

    Args:
        turns: the turns of the first round, in order.
        engine_of: the engines.
        question: what to ask.
        refused: called with each engine that gets no further turn, and its error.

    Raises:
        Unsupported: none of them answers this kind of question.
        BudgetExceeded: one of them may have answered, with more time or room.
    """
    left, scale = list(turns), 1
    refusals: dict[Turn, Refusal] = {}
    while left:
        for turn in list(left):
            last = len(left) == 1
            engine = engine_of(turn.whom)
            try:
                with _share(turn, scale, last):
                    result = question(engine)
            except SearchAborted as out:
                if turn.once:
                    left.remove(turn)
                    refused(turn, out)
                else:
                    refusals.setdefault(turn, out)
            except OutOfWork:  # of the whole question: a turn ends with `SearchAborted`
                raise
            except (Unsupported, BudgetExceeded) as refusal:
                refusals[turn] = refusal
                if not last and _may_go_on(refusal):
                    continue
                later = (turn.larger,) if turn.larger and _is_for_room(refusal) else ()
                left[left.index(turn) : left.index(turn) + 1] = later
                refused(turn, refusal)
            else:
                outlasted = any(isinstance(error, SearchAborted) for error in refusals.values())
                return Answered(result, turn, _reason(turn, refusals), outlasted)
        scale *= _GROWTH
    said = [(turn, error) for turn, error in refusals.items() if turn.larger not in refusals]
    raise _summary([(engine_of(turn.whom).name, error) for turn, error in said]) from None


def _share(turn: Turn, scale: int, last: bool) -> AbstractContextManager[None]:
    """The limit of a turn: the last engine has all that is left."""
    if last:
        return nullcontext()
    left = limits.seconds_left()
    work = None if turn.work is None else scale * turn.work
    return limits.trial(work, None if left is None else left / 2)


def _is_for_room(refusal: Refusal) -> bool:
    """Whether the engine may answer if it has more room."""
    return isinstance(refusal, TooManyNodes)


def _may_go_on(refusal: Refusal) -> bool:
    """Whether only the time of a turn ran out, and there is more."""
    if not isinstance(refusal, NoAnswerWithin) or refusal.unit != "seconds":
        return False
    left = limits.seconds_left()
    return left is not None and left > _LEAST_SECONDS


def _reason(turn: Turn, refusals: dict[Turn, Refusal]) -> str:
    """Why an engine was asked, and why others gave up."""
    said = [
        f"{'bdd' if other.whom == 'trial' else other.whom} gave up: {refusal}"
        for other, refusal in refusals.items()
        if other is not turn
    ]
    return "; ".join([turn.reason, *said])


def _summary(refusals: Sequence[tuple[str, Refusal]]) -> Refusal:
    """One error for several: that a budget ran out, if one of the engines may have answered."""
    ran_out = [(name, error) for name, error in refusals if isinstance(error, BudgetExceeded)]
    if not ran_out:
        return refusals[0][1]
    limit = limits.current()
    late = all(isinstance(error, NoAnswerWithin) for _, error in ran_out)
    if late and limit is not None and limit.seconds is not None:
        # Each engine had a share of the time: the message names the whole.
        return NoAnswerWithin(limit.seconds)
    if isinstance(ran_out[-1][1], OutOfMemory):
        return ran_out[-1][1]
    if len(ran_out) > 1:
        return BudgetExceeded("; ".join(f"{name}: {error}" for name, error in ran_out))
    return ran_out[0][1]
