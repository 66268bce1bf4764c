"""Settings for all tests: hypothesis gives the same examples in every run and on every machine."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "symkripke",
    deadline=None,
    derandomize=True,
    database=None,
    # Random situations consist of many small choices.
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("symkripke")

# A process of the tests keeps up to a gigabyte of objects. With Python's default of 700, searching
# them for cycles takes an eighth of its time.
gc.set_threshold(100_000, 10, 5)

# A separate package with its own tests, which `tests/contract/test_outside.py` runs.
collect_ignore = ["outside"]


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """Leave written files to the cache of the system, as no test cuts the power."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield
