"""Formulas that are nested too deeply for Python's stack."""

from __future__ import annotations

from types import TracebackType

from symkripke.errors import NestedTooDeeply


class _NestingLimit:
    """Turns a `RecursionError` inside the block into `NestedTooDeeply`."""

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
            raise NestedTooDeeply from None


NESTING_LIMIT = _NestingLimit()
"""A context for work that recurses once for each nested operator.

Python's own limit is used instead of a count of operators. The number of frames of an operator
depends on its kind and on how it is decided, and the number of frames that are left depends on the
caller. So a safe count would refuse formulas that can be answered.
"""
