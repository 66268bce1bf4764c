"""What all tests share: hypothesis gives the same examples on every run and every machine."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "symkripke",
    deadline=None,
    derandomize=True,
    database=None,
    # Random situations are made of many small choices.
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("symkripke")

# A package of its own, with its own tests: `tests/contract/test_outside.py` runs them.
collect_ignore = ["outside"]
