"""Running computations that depend on each other's results, without recursion."""

from __future__ import annotations

import itertools
from collections.abc import Generator
from typing import Any, TypeVar

from symkripke.limits import check, look

Result = TypeVar("Result")

# Steps per unit of work. Their operations on diagrams count separately.
_STEPS_A_UNIT = 4


def run(computation: Generator[Any, Any, Result]) -> Result:
    """Return the result of a computation: a generator that yields computations and gets results.

    This function does not recurse, however deeply computations are nested.
    """
    stack: list[Generator[Any, Any, Any]] = [computation]
    result: Any = None
    for count in itertools.count():
        if not stack:
            break
        check() if count % _STEPS_A_UNIT else look()
        try:
            asked = stack[-1].send(result)
        except StopIteration as stop:
            result = stop.value
            stack.pop()
        else:
            stack.append(asked)
            result = None
    value: Result = result
    return value
