"""Budgets of every kind of question; exhausting one leaves the engine in a valid state."""

from __future__ import annotations

import pytest

from symkripke import limits
from symkripke.engines.bdd import BddEngine
from symkripke.engines.sat.solver import solve
from symkripke.errors import NoAnswerWithin, OutOfWork
from symkripke.limits import Budget, SearchAborted
from tests.engines.test_slices import pigeons
from tests.support.situations import muddy


def test_conflicts_count_in_all_enclosing_limits() -> None:
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


def test_a_trial_has_its_own_limit_of_work_within_the_whole() -> None:
    with limits.within(work=10):
        with limits.trial(3):
            limits.spend(3)
            with pytest.raises(SearchAborted):
                limits.spend(1)
        with pytest.raises(OutOfWork), limits.trial(100):
            limits.spend(7)
    with pytest.raises(NoAnswerWithin), limits.trial(3, seconds=0):
        limits.look()
