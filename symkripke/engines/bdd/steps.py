"""Computations that depend on each other's results, run without recursion."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

from symkripke.limits import look

Result = TypeVar("Result")


def run(steps: Generator[Any, Any, Result]) -> Result:
    """The result of a computation, a generator that yields others and gets their results.

    It does not recurse, however deeply computations are nested.
    """
    stack: list[Generator[Any, Any, Any]] = [steps]
    result: Any = None
    while stack:
        look()
        try:
            asked = stack[-1].send(result)
        except StopIteration as stop:
            result = stop.value
            stack.pop()
        else:
            stack.append(asked)
            result = None
    found: Result = result
    return found
