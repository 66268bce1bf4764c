"""Minimal cores: subsets that suffice for a refutation, without superfluous parts.

A core is a set of assumptions, constraints or observations that together refute something. It is
*minimal* if no proper subset of it does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Part = TypeVar("Part")


class MinimisationStopped(Exception):
    """The signal that an oracle gives up; the smallest core found so far is the result."""


def minimal_core(
    core: Sequence[Part],
    refute: Callable[[list[Part]], Sequence[Part] | None],
    *,
    last_first: bool = False,
    least: int = 0,
) -> list[Part]:
    """Return a minimal core within `core`, by deletion.

    Each part is removed in turn. If the rest is still a core, the part stays out, and so does every
    part that the new refutation did not use, without a test of its own (core refinement). The
    oracle is called at most once for each part of `core`. See J. Marques-Silva: Minimal
    unsatisfiability: models, algorithms and applications, 2010.

    Args:
        core: the parts, which must suffice together.
        refute: the oracle. It returns the given parts that a refutation used, in the order for the
            result; None if it found no refutation. It may store the list of parts but not change
            it, and may raise `MinimisationStopped`.
        last_first: whether to try to remove the last part of `core` first.
        least: the size at which a core is small enough.

    Returns:
        The remaining parts. They are minimal if `refute` finds a refutation whenever there is one,
        and never gives up.
    """
    needed = list(core)
    for part in reversed(core) if last_first else core:
        if len(needed) <= least:
            break
        if part not in needed:
            continue
        try:
            smaller = refute([other for other in needed if other != part])
        except MinimisationStopped:
            break
        if smaller is not None:
            needed = list(smaller)
    return needed
