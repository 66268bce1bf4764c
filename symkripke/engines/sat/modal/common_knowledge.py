"""Common knowledge and common belief, decided at one world by unrolling to a fixed point."""

from __future__ import annotations

from symkripke.engines.sat.bits import bits_of
from symkripke.engines.sat.modal.core_minimisation import smaller
from symkripke.engines.sat.modal.proxy import Proxy
from symkripke.engines.sat.modal.state import ModalState
from symkripke.language import TRUE, Formula, conjunction, negation
from symkripke.language import formulas as f


def is_common(state: ModalState, proxy: Proxy, world: int, shared: list[int]) -> bool:
    """Return whether a group has common knowledge (or belief) of a formula at `world`.

    `shared` are the observations that all members make. They are the same at every world that can
    be reached. If they prove the formula, it is common knowledge. Otherwise E^k, "everybody knows
    that everybody knows ...", is decided for k = 0, 1, 2, ... If E^k is the first false level, the
    shortest path to a world at which the formula is false has k steps. If no world with the same
    shared observations satisfies E^k but not the next level, E^k is a fixed point, so the formula
    is common knowledge. One of the two cases occurs, because there are finitely many worlds, and
    each level is true at fewer of them. Common belief begins with EB f and continues with EB (f &
    EB f), ...
    """
    refuted = state.refuted(proxy)
    if state.find(shared, refuted) is None:
        core = smaller(state, state.core(shared), shared, refuted)
        state.learn(proxy, True, state.law.lemma(*bits_of(core)))
        return True
    here = state.values_at(world)
    level = first(proxy)
    while True:
        failed = state.find(here, state.target(negation(level)))
        if failed is not None:
            reasons = state.implicants.implicant(negation(level), failed)
            state.learn(proxy, False, state.law.lemma(*bits_of(reasons)))
            return False
        following = everybody(proxy, level)
        further = state.target(conjunction((level, negation(following))))
        if state.find(shared, further) is None:
            core = state.core(shared)
            holds = state.find(here, state.target(level))
            assert holds is not None
            reasons = state.implicants.implicant(level, holds, preferred=core)
            state.learn(proxy, True, state.law.lemma(*bits_of([*core, *reasons])))
            return True
        level = following


def first(proxy: Proxy) -> Formula:
    """Return the first level of the unrolling: the operand, or for belief, EB of the operand."""
    return everybody(proxy, TRUE) if proxy.belief else proxy.operand


def everybody(proxy: Proxy, formula: Formula) -> Formula:
    """Return a formula stating that each member knows `formula`, or believes it and the operand."""
    if not proxy.belief:
        return conjunction(f.K(agent, formula) for agent in proxy.agents)
    both = conjunction((proxy.operand, formula))
    return conjunction(f.B(agent, both) for agent in proxy.agents)
