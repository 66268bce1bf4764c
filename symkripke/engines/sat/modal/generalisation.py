"""From a counter-world to a lemma: near it, as a swap, with what makes the swap work elsewhere.

See `search` for the argument, `swaps` for the law's part, and `projection` for what is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from symkripke.engines.sat.modal.lemma_transfer import take
from symkripke.engines.sat.swaps.implicants import Lemma, Proxy, Target
from symkripke.engines.sat.swaps.law import Law, Neighbour
from symkripke.engines.sat.swaps.precondition import Kept
from symkripke.engines.sat.swaps.projection import Veil
from symkripke.language import Formula

if TYPE_CHECKING:
    from symkripke.engines.clock import Meter
    from symkripke.engines.sat.modal.search import ModalSolver


def refuted_quickly(solver: ModalSolver, proxy: Proxy, world: int, meter: Meter | None) -> bool:
    """Whether the proxy is seen to be false at `world`, by a lemma or by an exchange."""
    if not proxy.about:
        return False
    take(solver, proxy)
    if proxy.confirmed(False, world) is not None:
        return True
    if proxy.confirmed(True, world) is not None:
        return False
    refuted, law = solver.refuted(proxy), solver.veil(proxy)
    swap = law.exchange(
        world,
        proxy.about,
        proxy.fixed,
        lambda other: (
            not solver.certificates.true(proxy.operand, other) and solver.keeps(world, other, meter)
        ),
    )
    if swap is not None:
        lemma = lifted(solver, proxy, law, world, *swap, refuted.formula, meter)
        solver.learn(proxy, False, lemma)
        solver.consequences.not_known(proxy, world)
    return swap is not None


def closer(
    solver: ModalSolver,
    law: Law,
    world: int,
    other: int,
    seen: list[int],
    refuted: Target,
    meter: Meter | None,
) -> Neighbour:
    """Another world like `other` that differs from `world` in as few fluents as comes easily.

    As long as there is a world in which more is as it is in `world`, and no less.

    Returns:
        That world, and the fluents of `law` in which it differs: no one of them alone can be
        put back.
    """
    if law.defined and not refuted.proxies:
        other = _later(solver, law, world, other, seen, refuted, meter)
    differ, roots = law.differing(world, other), law.roots
    while len(differ) > 1:
        back = [law.value(name, world) for name in differ]
        same = [law.value(one, world) for one in roots if one not in differ]
        some = solver.candidates.any_of(back)
        found = solver.find([*seen, *same, some], refuted, meter)
        solver.candidates.retire(some)
        if found is None:
            break
        other = found
        differ = law.differing(world, other)
    return other, tuple(differ)


def _later(
    solver: ModalSolver,
    law: Law,
    world: int,
    other: int,
    seen: list[int],
    refuted: Target,
    meter: Meter | None,
) -> int:
    """Another world like `other` that is like `world` for as long as it can be.

    What was drawn last has the fewest consequences. Fluents are in the order in which they came.
    """
    roots = law.roots
    here = [law.value(name, world) for name in roots]
    place = {name: number for number, name in enumerate(roots)}
    differ = law.differing(world, other)
    end = len(roots)
    first = place[differ[0]] if differ else end
    while first + 1 < end:
        middle = (first + 1 + end) // 2
        found = solver.find([*seen, *here[:middle]], refuted, meter)
        if found is None:
            end = middle
        else:
            differ = law.differing(world, found)
            other, first = found, place[differ[0]] if differ else end
    return other


def lifted(
    solver: ModalSolver,
    proxy: Proxy,
    law: Law,
    world: int,
    other: int,
    swapped: Sequence[str],
    refuted: Formula,
    meter: Meter | None,
) -> Lemma:
    """Conditions, true at `world`, with which the same swap works at any world of the law."""
    kept = Kept()
    swap = law.swap(world, other, swapped, kept)
    kept.hide(proxy.fixed, swap, world)
    kept.before(swap, solver.certificates.keeping(refuted, other))
    for guard in solver.guards:
        if guard.rests_on & (world ^ other):
            kept.before(swap, guard.certificate(other, meter))
        else:
            kept.hide(guard.rests_on, swap, world)
    lemma = None
    if law.keep(swap, kept, world):
        law.reduce(kept, world)
        lemma = law.settled(kept, swap, law.free(swap) if isinstance(law, Veil) else 0)
    if lemma is None:
        raise AssertionError(f"{other} is not a world of the law")
    return lemma
