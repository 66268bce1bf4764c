"""Orders in which sources are tried for a short reason: an unlucky one does not matter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from symkripke.engines.sat.solver import Solver, minimal_refutation
from symkripke.explain.evidence import Combined, Known
from symkripke.limits import within
from symkripke.play import Table
from tests.engines.test_slices import pigeons

LOG = Path(__file__).parent.parent / "data" / "unlucky_order.jsonl"


def test_a_refutation_is_given_up_after_a_number_of_conflicts() -> None:
    solver, guard = pigeons(7, guard=1_000), 1_000
    assert minimal_refutation(solver, [guard], None, conflicts=20) is None
    assert minimal_refutation(solver, [guard], None, conflicts=200_000) == [guard]
    assert minimal_refutation(solver, [], None, conflicts=20) is None


def test_a_core_that_is_known_to_be_minimal_is_not_reduced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The cores are 1 and 2, and 3 and 4; only the core that is not yet known is tested."""
    solver = Solver()
    solver.add_clauses([[-1, -2], [-3, -4]])
    known = frozenset((1, 2))
    calls = 0
    run = solver.run

    def counted(assumptions: Sequence[int], conflicts: int) -> bool | None:
        nonlocal calls
        calls += 1
        return run(assumptions, conflicts)

    monkeypatch.setattr(solver, "run", counted)
    assert minimal_refutation(solver, [1, 2, 3, 4], None, minimal={known}) == [1, 2]
    assert calls == 1
    assert minimal_refutation(solver, [3, 4, 1, 2], None, minimal={known}) == [3, 4]
    assert calls == 4


def test_an_unlucky_order_is_given_up() -> None:
    """One of the 15 orders for this reason takes 458,000 conflicts; the others take 2 or 3."""
    moment = Table.open(LOG).seat("ann").moment
    with within(work=300_000):
        evidence = moment.ask("location(flying_cape) = bob").why()
    assert isinstance(evidence, Combined)
    (known,) = evidence.parts
    assert isinstance(known, Known)
    assert len(known.sources) == 4
