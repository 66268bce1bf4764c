"""Every kind of question has a budget; what runs out of it leaves nothing wrong behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from symkripke.engines import Budget
from symkripke.engines.auto import AutoEngine
from symkripke.engines.clock import Meter, OutOfSteps, Trial
from symkripke.errors import BudgetExceeded, TooManyNodes
from symkripke.language import TRUE
from symkripke.model import announcement
from tests.engines.test_auto import muddy

NOTHING = Budget(seconds=0)


def test_a_witness_has_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has so much work, the last one that is left as much as it likes; time is halved."""
    now = 0.0
    monkeypatch.setattr("symkripke.engines.clock.time.monotonic", lambda: now)
    auto = AutoEngine()
    scene, nobody, _ = muddy(4, 2)
    given: list[Budget | None] = []

    def slow(seconds: float) -> Callable[..., Any]:
        def witness(_: Any, __: Any, budget: Budget | None = None) -> Any:
            nonlocal now
            given.append(budget)
            now += seconds
            raise TooManyNodes("no room")

        return witness

    auto.trial.witness = slow(4)  # type: ignore[method-assign]
    auto.sat.witness = slow(56)  # type: ignore[method-assign]
    auto.bdd.witness = slow(1)  # type: ignore[method-assign]
    after = scene.update(announcement(nobody), judge=lambda *_: True)
    with pytest.raises(BudgetExceeded):
        auto.witness(after.structure, TRUE)
    first, second, third = given
    assert first is not None
    assert second is not None
    assert first.is_of_work
    assert second.is_of_work
    assert third is None
    given.clear()
    with pytest.raises(BudgetExceeded):
        auto.witness(after.structure, TRUE, Budget(120.0))
    # The trial is known to need more room.
    assert [budget.seconds if budget else None for budget in given] == [60.0, 64.0]


def test_what_is_left() -> None:
    assert Meter(None).left() is None
    assert Meter(Budget(conflicts=7)).left(0.5) == Budget(conflicts=7)
    left = Meter(Budget(3600, 5)).left(0.5)
    assert left is not None
    assert left.conflicts == 5
    assert left.seconds is not None
    assert 1700 < left.seconds <= 1800
    assert Meter(NOTHING).left() == NOTHING


def test_a_meter_checks_what_is_counted() -> None:
    counted = Meter.of(Budget(conflicts=3))
    assert counted is not None
    counted.check()
    counted.spend(2)
    counted.check()
    assert counted.left() == Budget(conflicts=1)
    counted.spend(2)
    with pytest.raises(BudgetExceeded, match="no answer within 3 conflicts"):
        counted.check()
    with pytest.raises(BudgetExceeded, match="no answer within 0 seconds"):
        Meter(Budget(0.0)).check()
    Meter(Budget(conflicts=0)).check()  # who has no conflicts cannot run out of them
    Meter(None).check()


def test_nothing_is_measured_without_limits() -> None:
    assert Meter.of(None) is None
    assert Meter.of(Budget()) is None


def test_a_part_of_the_work_has_no_more_than_the_whole() -> None:
    whole = Meter.of(Budget(3600, 5))
    assert whole is not None
    part = Trial(3, whole)
    assert part.conflicts == 5
    part.check()
    part.spend(5)
    assert (part.conflicts, whole.conflicts) == (0, 0)
    with pytest.raises(BudgetExceeded, match="no answer within 5 conflicts"):
        part.check()


def test_a_part_of_the_work_has_so_many_steps() -> None:
    part = Trial(2, None)
    for _ in range(2):
        part.check()
    with pytest.raises(OutOfSteps):
        part.check()
