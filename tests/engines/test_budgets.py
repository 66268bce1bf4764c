"""Every kind of question has a budget; what runs out of it leaves nothing wrong behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from symkripke import limits
from symkripke.engines.auto import AutoEngine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.sat.solver import solve
from symkripke.errors import BudgetExceeded, NoAnswerWithin, OutOfWork, TooManyNodes
from symkripke.language import TRUE
from symkripke.limits import Budget, SearchAborted
from symkripke.model import announcement
from tests.engines.test_auto import muddy
from tests.engines.test_slices import pigeons


def test_a_witness_has_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has so much work, the last one that is left as much as it likes; time is halved."""
    now = 0.0
    monkeypatch.setattr("symkripke.limits.time.monotonic", lambda: now)
    auto = AutoEngine()
    scene, nobody, _ = muddy(4, 2)
    given: list[tuple[float | None, bool]] = []

    def slow(seconds: float) -> Callable[..., Any]:
        def witness(_: Any, __: Any, budget: Budget | None = None) -> Any:
            nonlocal now
            limit = limits.current()
            given.append((limits.seconds_left(), limit is not None and limit.work is not None))
            now += seconds
            raise TooManyNodes("no room")

        return witness

    for asked, seconds in ((auto.bdd_small, 4), (auto.sat, 56), (auto.bdd, 1)):
        monkeypatch.setattr(asked, "witness", slow(seconds))
    after = scene.update(announcement(nobody), judge=lambda *_: True)
    with pytest.raises(BudgetExceeded):
        auto.witness(after.structure, TRUE)
    assert given == [(None, True), (None, True), (None, False)]
    given.clear()
    with pytest.raises(BudgetExceeded):
        auto.witness(after.structure, TRUE, Budget(120.0))
    # The trial is known to need more room.
    assert [seconds for seconds, _ in given] == [60.0, 64.0]


def test_conflicts_are_counted_in_all_limits_around() -> None:
    solver = pigeons(7)
    with limits.within(conflicts=100):
        with (
            pytest.raises(NoAnswerWithin, match="no answer within 30 conflicts"),
            limits.within(conflicts=30),
        ):
            solve(solver, [])
        outer = limits.current()
        assert outer is not None
        assert outer.conflicts is not None
        assert 0 < outer.conflicts.left <= 70
        with (
            pytest.raises(NoAnswerWithin, match="no answer within 100 conflicts"),
            limits.within(conflicts=1_000),
        ):
            solve(solver, [])


def test_a_diagram_has_no_conflicts_to_run_out_of() -> None:
    scene, _, knows = muddy(3, 1)
    assert BddEngine().holds(scene, knows, Budget(conflicts=0))


def test_a_trial_has_so_much_work_and_no_more_than_the_whole() -> None:
    with limits.within(work=10):
        with limits.trial(3):
            limits.spend(3)
            with pytest.raises(SearchAborted):
                limits.spend(1)
        with pytest.raises(OutOfWork), limits.trial(100):
            limits.spend(7)
    with pytest.raises(NoAnswerWithin), limits.trial(3, seconds=0):
        limits.look()
