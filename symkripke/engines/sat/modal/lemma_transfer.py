"""What stays true of what a solver has learned, as things happen.

A solver of a running game moves on (`move`). One of a time that something else rests on stays, and
a later one takes over from it what it needs (`inherit`, `take`).
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from symkripke.engines.sat.modal.normal_form import is_persistent
from symkripke.engines.sat.swaps.delta import News
from symkripke.engines.sat.swaps.implicants import Lemma, Literals, Proxy
from symkripke.engines.sat.swaps.projection import Veil
from symkripke.model import KnowledgeStructure

if TYPE_CHECKING:
    from symkripke.engines.sat.modal.search import ModalSolver

# Worlds kept at which a formula is true: for each agent that is asked about it, about one.
WITNESSES = 16


def moves(solver: ModalSolver, structure: KnowledgeStructure) -> bool:
    """Whether the solver may move on to a later structure: nothing rests on where it stands."""
    return not solver.pinned and not structure.is_modal


def move(solver: ModalSolver, structure: KnowledgeStructure) -> None:
    """Let the solver move on to that structure, with all lemmas that still hold there."""
    earlier = solver.structure
    solver.extend(structure)
    solver.consequences.move()
    news = News(solver.law, earlier, structure)
    known: dict[tuple[str, ...], list[Proxy]] = {}
    for proxy in solver.proxies.values():
        known.setdefault(proxy.agents, []).append(proxy)
    for agents, proxies in known.items():
        observed = [solver.seen_by(agents, common) for common in (False, True)]
        # All of them: as long as one is looked at, the others keep their lemmas.
        if any([_renew(solver, proxy, news, observed[proxy.common]) for proxy in proxies]):
            solver.forget(agents)
            for proxy in proxies:
                again, proxy.lemmas[False] = proxy.lemmas[False], []
                for lemma in again:
                    solver.keep(proxy, False, lemma)
    for formula, target in solver.targets.items():
        if target.witnesses:
            moved = [one for world in target.witnesses for one in news.extended(world)]
            target.witnesses = moved[-WITNESSES:] if is_persistent(formula) else []


def _renew(solver: ModalSolver, proxy: Proxy, news: News, observed: Literals) -> bool:
    """Keep the lemmas about a formula that still hold, as they hold now; whether some do not.

    `observed` are the variables that its agents observe now.
    """
    before, old = proxy.fixed, proxy.lemmas
    proxy.see(observed)
    kept: list[Lemma] = []
    if proxy.about and old[False]:
        veil = solver.veil(proxy)
        here = news.behind(veil) if isinstance(veil, Veil) else news
        found = [here.kept(lemma, proxy.fixed & ~before) for lemma in old[False]]
        kept = [lemma for lemma in found if lemma is not None]
    proxy.lemmas = {True: old[True] if proxy.lasting else [], False: kept}
    solver.inherited += len(kept) + len(proxy.lemmas[True])
    return (
        len(kept) < len(old[False])
        or len(proxy.lemmas[True]) < len(old[True])
        or any(one is not other for one, other in zip(kept, old[False], strict=True))
    )


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
    if solver.structure.is_modal:
        earlier.pinned = True
    else:
        solver.earlier = None  # the solvers of the past are let go


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
            veil = solver.veil(proxy)
            news = solver.news.behind(veil) if isinstance(veil, Veil) else solver.news
            for lemma in islice(old.lemmas[truth], start, None):
                # Of whose knowledge was spoken, may see what a lemma leaves open.
                lost = lemma.free and solver.guards
                kept = lemma if truth else None if lost else news.kept(lemma, observed)
                if kept is not None:
                    solver.keep(proxy, truth, kept)
                    solver.inherited += 1
    return len(proxy.lemmas[True]) + len(proxy.lemmas[False]) > before
