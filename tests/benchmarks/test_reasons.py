"""A sample of the random reasons that `python -m benchmarks reasons` checks."""

from __future__ import annotations

from benchmarks.reasons import ENGINES, check


def test_no_part_of_a_reason_is_superfluous() -> None:
    found = check(150)
    assert {(name, "CB") for name in ENGINES} <= set(found)
    assert {("sat", "C"), ("sat", "K"), ("sat", "B"), ("bdd", "B")} <= set(found)
