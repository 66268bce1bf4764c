"""Minimal cores: subsets that are enough for a refutation, with no part to spare.

A core is a set of assumptions, constraints or observations that together refute something. It is
*minimal* if no proper part of it does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Part = TypeVar("Part")


class MinimisationStopped(Exception):
    """Raised by an oracle that gives up: the smallest core found so far is the result."""


def minimal_core(
    core: Sequence[Part],
    refute: Callable[[list[Part]], Sequence[Part] | None],
    *,
    last_first: bool = False,
    least: int = 0,
) -> list[Part]:
    """Return a minimal core within `core`, by deletion.

    Each part is left out in turn. It stays out if the rest is still a core; and with it all parts
    that the new refutation did not use, which saves their own tests (core refinement). The oracle
    is called at most once for each part of `core`. See J. Marques-Silva: Minimal unsatisfiability:
    models, algorithms and applications, 2010.

    Args:
        core: the parts, which must suffice together.
        refute: the oracle. Of the parts given, which it may keep but not change, it returns those
            that a refutation used, in the order in which they are to stand; None if it found no
            refutation. It may raise `MinimisationStopped`.
        last_first: whether to leave out the last part of `core` first, or else the first one.
        least: the size at which a core is small enough.

    Returns:
        The parts that are left. Minimal if `refute` always finds a refutation where there is
        one, and never gave up.
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
