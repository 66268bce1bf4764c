"""Formulas with more operators inside each other than Python's stack has room for."""

from __future__ import annotations

from types import TracebackType

from symkripke.errors import Unsupported


def nested_too_deeply() -> Unsupported:
    """The error for a formula that Python's stack has no room for."""
    return Unsupported("the formula has too many operators inside each other")


class _NestingLimit:
    """Turns a `RecursionError` inside the block into `Unsupported`."""

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is RecursionError:
            raise nested_too_deeply() from None


NESTING_LIMIT = _NestingLimit()
"""Stands around work that recurses once for each operator of knowledge inside another.

Python's own limit is used, and no count of the operators: how many frames an operator takes depends
on its kind and on how it is decided, and how many frames are left depends on the caller. A
count that is always safe would refuse formulas that are answered today.
"""
