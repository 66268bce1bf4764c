"""Generalisation of a counter-world at one world to a lemma about all worlds of the law.

First the counter-world is made as similar to the world as possible. The difference between the two
is a swap. The conditions of the lemma ensure that the same swap works at other worlds. See `search`
for the argument, `preservation` for the conditions, and `projection` for fluents that are
eliminated.
"""

from __future__ import annotations

from collections.abc import Sequence

from symkripke.engines.sat.modal.proxy import Proxy, Target
from symkripke.engines.sat.modal.state import ModalState
from symkripke.engines.sat.swaps.law import Law
from symkripke.engines.sat.swaps.lemma import Lemma
from symkripke.engines.sat.swaps.precondition import Precondition
from symkripke.engines.sat.swaps.preservation import preserve
from symkripke.limits import SearchAborted


def closer(
    state: ModalState,
    law: Law,
    world: int,
    other: int,
    seen: list[int],
    refuted: Target,
) -> tuple[int, tuple[str, ...]]:
    """Return a world that satisfies the target like `other`, and is more similar to `world`.

    Fluents are reset to their values in `world` as long as the target can be satisfied.

    Returns:
        the world, and the fluents of `law` in which it differs from `world`. A bounded search (see
        `search`) found no way to reset any one of them.
    """
    differ, roots = law.differing(world, other), law.roots
    while len(differ) > 1:
        back = [law.value(name, world) for name in differ]
        same = [law.value(name, world) for name in roots if name not in differ]
        some = state.abstraction.any_of(back)
        try:
            nearer = state.find([*seen, *same, some], refuted)
        except SearchAborted:
            nearer = None
        state.abstraction.retire(some)
        if nearer is None:
            break
        other = nearer
        differ = law.differing(world, other)
    return other, tuple(differ)


def generalised(
    state: ModalState,
    proxy: Proxy,
    law: Law,
    world: int,
    other: int,
    swapped: Sequence[str],
) -> Lemma:
    """Return a lemma with conditions, true at `world`, under which the same swap works elsewhere.

    `other` is a counter-world of the proxy at `world`. It differs from `world` in the `swapped`
    fluents of `law`, which is the law without the fluents that do not matter to the proxy.
    """
    precondition = Precondition()
    swap = law.swap(world, other, swapped, precondition)
    precondition.hide(proxy.observed_mask, swap, world)
    refuted = state.refuted(proxy).formula
    precondition.before(swap, state.implicants.implicant(refuted, other))
    for announcement in state.modal_law.announcements:
        if announcement.rests_on & (world ^ other):
            precondition.before(swap, announcement.implicant(other))
        else:
            precondition.hide(announcement.rests_on, swap, world)
    preserve(law, swap, precondition, world)
    lemma = law.settled(precondition, swap)
    if lemma is None:
        raise AssertionError(f"{other} is not a world of the law")
    return lemma
