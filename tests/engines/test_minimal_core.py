"""Minimal cores by deletion: minimality, few calls of the oracle, and the requested order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symkripke.engines.minimal_core import MinimisationStopped, minimal_core


class Oracle:
    """An oracle that refutes every superset of any of its cores, and records its calls."""

    def __init__(self, *cores: set[int], patience: int = 1_000) -> None:
        self.cores = cores
        self.patience = patience
        self.asked: list[list[int]] = []

    def __call__(self, parts: list[int]) -> list[int] | None:
        if len(self.asked) == self.patience:
            raise MinimisationStopped
        self.asked.append(list(parts))
        used = next((core for core in self.cores if core.issubset(parts)), None)
        return None if used is None else [part for part in parts if part in used]


@given(st.lists(st.sets(st.integers(0, 6)), min_size=1), st.booleans())
def test_a_core_is_minimal_and_each_part_is_tried_at_most_once(
    cores: list[set[int]], last_first: bool
) -> None:
    oracle = Oracle(*cores)
    found = minimal_core(range(7), oracle, last_first=last_first)
    assert len(oracle.asked) <= 7
    assert Oracle(*cores)(found) is not None
    for part in found:
        assert Oracle(*cores)([other for other in found if other != part]) is None


@pytest.mark.parametrize(
    ("last_first", "found", "asked"),
    [
        (False, [3, 4], [[2, 3, 4], [3, 4], [4], [3]]),
        (True, [1, 2], [[1, 2, 3], [1, 2], [1], [2]]),
    ],
)
def test_parts_are_left_out_in_the_requested_order(
    last_first: bool, found: list[int], asked: list[list[int]]
) -> None:
    def refute(parts: list[int]) -> Sequence[int] | None:
        tried.append(parts)
        return parts if {1, 2} <= set(parts) or {3, 4} <= set(parts) else None

    tried: list[list[int]] = []
    assert minimal_core([1, 2, 3, 4], refute, last_first=last_first) == found
    assert tried == asked


def test_the_best_core_so_far_is_returned_when_the_oracle_gives_up() -> None:
    oracle = Oracle({3}, {1, 2, 3}, patience=1)
    assert minimal_core([0, 1, 2, 3], oracle) == [3]
    with_less_patience = Oracle({3}, patience=0)
    assert minimal_core([0, 1, 2, 3], with_less_patience) == [0, 1, 2, 3]


def test_a_core_that_is_small_enough_is_not_reduced() -> None:
    oracle = Oracle(set())
    assert minimal_core([1, 2, 3], oracle, least=3) == [1, 2, 3]
    assert oracle.asked == []
    # The empty core is found at once, whatever the size limit.
    assert minimal_core([1, 2, 3], oracle, least=1) == []
