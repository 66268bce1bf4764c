"""Every kind of question has a budget; what runs out of it leaves nothing wrong behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from symkripke.engines import Budget
from symkripke.engines.auto import AutoEngine
from symkripke.engines.clock import Deadline
from symkripke.errors import BudgetExceeded, TooManyNodes
from symkripke.language import TRUE
from symkripke.model import announcement
from tests.engines.test_auto import muddy

NOTHING = Budget(seconds=0)


def test_a_witness_has_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is asked second has what the first has left of a minute; the last one has no end."""
    now = 0.0
    monkeypatch.setattr("symkripke.engines.auto.time.monotonic", lambda: now)
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
    assert given == [Budget(5.0), Budget(56.0), None]
    given.clear()
    with pytest.raises(BudgetExceeded):
        auto.witness(after.structure, TRUE, Budget(120.0))
    assert given == [Budget(60.0), Budget(64.0)]  # the trial is known to need more room


def test_what_is_left() -> None:
    assert Deadline(None).left() is None
    assert Deadline(Budget(conflicts=7)).left(0.5) == Budget(conflicts=7)
    left = Deadline(Budget(3600, 5)).left(0.5)
    assert left is not None
    assert left.conflicts == 5
    assert left.seconds is not None
    assert 1700 < left.seconds <= 1800
    assert Deadline(NOTHING).left() == NOTHING
