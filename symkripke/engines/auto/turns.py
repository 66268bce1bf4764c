"""Asking engines in turns, within one budget, until one of them answers.

The counted work of each turn is bounded. An engine keeps the lemmas and diagrams of a turn for its
next turn. So a question takes little longer than with the best engine for it, and the choice of the
engine does not depend on the speed of the machine. An engine that cannot answer gets no further
turn, for example if it does not know an operator or if its diagram is too large. The last remaining
engine has no bound on work.

The turns share the time: each turn has at most half of the remaining time, and the last engine has
all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TypeAlias, TypeVar

from symkripke import limits
from symkripke.engines.auto.rules import EngineName, Turn
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

Refusal: TypeAlias = Unsupported | BudgetExceeded | SearchAborted
"""The reason why an engine has no answer."""

# The least time that must be left to begin a turn, in seconds.
_LEAST_SECONDS = 0.01


def first_answer(
    turns: Sequence[Turn],
    engine_of: Callable[[EngineName], Engine],
    question: Callable[[Engine], T],
    growth: int,
    outgrown: Callable[[], None],
) -> tuple[T, str]:
    """Return the answer of the first engine that has one.

    If a diagram of "bdd_small" outgrows its bound, "bdd" takes its turns.

    Args:
        turns: the turns of the first round, in order.
        engine_of: a function that returns the engine with a name.
        question: a function that asks an engine.
        growth: the factor by which the work of turns grows after each round.
        outgrown: a function that is called if a diagram outgrows its small bound.

    Returns:
        the answer, and a text that says why this engine was asked and why others gave up.

    Raises:
        Unsupported: no engine answers this kind of question.
        BudgetExceeded: no engine has answered, but one may do so with more time or memory.
    """
    left, scale = list(turns), 1
    refusals: dict[EngineName, Refusal] = {}
    while left:
        for turn in list(left):
            last = len(left) == 1
            engine = engine_of(turn.engine)
            try:
                with _share(turn, scale, last):
                    result = question(engine)
            except SearchAborted as aborted:
                refusals.setdefault(turn.engine, aborted)
            except OutOfWork:  # the work of the whole question ran out
                raise
            except (Unsupported, BudgetExceeded) as refusal:
                refusals[turn.engine] = refusal
                if not last and _may_go_on(refusal):
                    continue
                place = left.index(turn)
                left.pop(place)
                if turn.engine == "bdd_small" and isinstance(refusal, TooManyNodes):
                    left.insert(place, turn.with_all_room())
                    outgrown()
            else:
                return result, _reason(turn, refusals)
        scale *= growth
    raise _summary(refusals) from None


def _share(turn: Turn, scale: int, last: bool) -> AbstractContextManager[None]:
    """Return the limit of a turn; the last engine has everything that is left."""
    if last:
        return nullcontext()
    left = limits.seconds_left()
    work = None if turn.work is None else scale * turn.work
    return limits.trial(work, None if left is None else left / 2)


def _may_go_on(refusal: Refusal) -> bool:
    """Return whether only the time of a turn ran out, and more time is left."""
    if not isinstance(refusal, NoAnswerWithin) or refusal.unit != "seconds":
        return False
    left = limits.seconds_left()
    return left is not None and left > _LEAST_SECONDS


def _reason(turn: Turn, refusals: dict[EngineName, Refusal]) -> str:
    """Return a text that says why an engine was asked and why others gave up."""
    others = [
        f"{_public(name)} gave up: {refusal}"
        for name, refusal in refusals.items()
        if name != turn.engine
    ]
    return "; ".join([turn.reason, *others])


def _public(name: EngineName) -> str:
    return "bdd" if name == "bdd_small" else name


def _summary(refusals: dict[EngineName, Refusal]) -> Refusal:
    """Return one error for several, preferring a budget that ran out over a lack of support."""
    if "bdd" in refusals:
        refusals.pop("bdd_small", None)
    ran_out = {
        _public(name): error
        for name, error in refusals.items()
        if isinstance(error, BudgetExceeded)
    }
    if not ran_out:
        return next(iter(refusals.values()))
    *_, last = ran_out.values()
    limit = limits.current()
    late = all(isinstance(error, NoAnswerWithin) for error in ran_out.values())
    if late and limit is not None and limit.seconds is not None:
        # Each engine had a share of the time, but the message has to name the whole time.
        return NoAnswerWithin(limit.seconds)
    if isinstance(last, OutOfMemory) or len(ran_out) == 1:
        return last
    return BudgetExceeded("; ".join(f"{name}: {error}" for name, error in ran_out.items()))
