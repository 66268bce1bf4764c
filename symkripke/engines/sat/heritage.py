"""What a solver learns from that of an earlier structure."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from symkripke.engines.sat.certificates import Proxy
from symkripke.engines.sat.normal import is_persistent

if TYPE_CHECKING:
    from symkripke.engines.sat.modulo import ModalSolver

# Worlds kept at which a formula is true: for each agent that is asked about it, about one.
WITNESSES = 16


def inherit(solver: ModalSolver, earlier: ModalSolver) -> None:
    """Take over the lemmas of an earlier structure that still hold, and worlds that do.

    The worlds of the law are fewer now, and agents observe more: what they knew, they know. So
    a lemma that something is known stays true, if what is known is itself of that kind. A
    lemma from a swap needs the swap to keep the new constraints, too, and still to be hidden,
    also from those of whose knowledge something was announced.
    """
    for leaf in earlier.proxies:
        take(solver, solver.proxy(leaf))
    for formula, target in earlier.targets.items():
        if target.witnesses and is_persistent(formula) and not solver.guards:
            moved = [one for world in target.witnesses for one in solver.news.extended(world)]
            solver.target(formula).witnesses = moved[-WITNESSES:]
    if not solver.structure.is_modal:
        solver.earlier = None  # a running game: the solvers of the past are let go


def take(solver: ModalSolver, proxy: Proxy) -> bool:
    """Take over what the earlier solver has learned about a formula since the last time."""
    earlier = solver.earlier
    old = None if earlier is None else earlier.proxies.get(proxy.formula)
    if earlier is None or old is None:
        return False
    take(earlier, old)
    before = len(proxy.lemmas[True]) + len(proxy.lemmas[False])
    for truth, fits in ((True, is_persistent(old.formula)), (False, bool(old.about))):
        start = solver.taken.get((old.literal, truth), 0)
        solver.taken[old.literal, truth] = len(old.lemmas[truth])
        if fits:
            observed = (proxy.fixed & ~old.fixed) | solver.unseen
            for lemma in islice(old.lemmas[truth], start, None):
                kept = lemma if truth else solver.news.kept(lemma, observed)
                if kept is not None:
                    solver.keep(proxy, truth, kept)
    return len(proxy.lemmas[True]) + len(proxy.lemmas[False]) > before
