"""Settings for all tests: hypothesis gives the same examples in every run and on every machine."""

from __future__ import annotations

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

# A separate package with its own tests, which `tests/contract/test_outside.py` runs.
collect_ignore = ["outside"]
