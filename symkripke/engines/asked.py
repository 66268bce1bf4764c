"""Checks of what an engine is asked with, where a mistake is easily made."""

from __future__ import annotations

from collections.abc import Iterable

from symkripke.errors import InputError
from symkripke.model import Perspective


def agents_asked(agents: Iterable[str]) -> tuple[str, ...]:
    """These agents; raises `InputError` for a single name."""
    if isinstance(agents, str):
        raise InputError(f"expected several agents, as in [{agents!r}], got {agents!r}")
    return tuple(agents)


def perspective_asked(state: object) -> Perspective:
    """This perspective; raises `InputError` for anything else."""
    if isinstance(state, Perspective):
        return state
    kind = type(state).__name__.lower()
    raise InputError(f"expected a perspective, as scene.perspective(agent) is, got a {kind}")
