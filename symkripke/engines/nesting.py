"""The error for formulas that are nested too deeply for Python's stack, outside of engines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from symkripke.errors import NestedTooDeeply


@contextmanager
def nesting_limit() -> Iterator[None]:
    """Turn a `RecursionError` inside the block into `NestedTooDeeply`."""
    try:
        yield
    except RecursionError:
        raise NestedTooDeeply from None
