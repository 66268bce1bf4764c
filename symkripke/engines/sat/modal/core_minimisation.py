"""Core minimisation: small sets of observations that imply knowledge.

Each step is bounded. A literal stays in the core if its step exceeds the bound.
"""

from __future__ import annotations

from symkripke.engines.minimal_core import MinimisationStopped, minimal_core
from symkripke.engines.sat.modal.proxy import Target
from symkripke.engines.sat.modal.state import ModalState
from symkripke.limits import SearchAborted


def smaller(state: ModalState, core: list[int], known: list[int], refuted: Target) -> list[int]:
    """Return a smaller core, by leaving out each literal in turn if the rest is sufficient.

    A literal whose step takes too long stays. `known` has all literals of which `core` is a part.
    """
    beliefs = any(proxy.belief for proxy, _, _ in refuted.proxies)
    tuning, failed = state.encoding.tuning, 0
    bounds = tuning.candidates_without, tuning.conflicts_without

    def refute(literals: list[int]) -> list[int] | None:
        nonlocal failed
        if beliefs and failed >= tuning.belief_failures:
            raise MinimisationStopped
        try:
            result = state.find(literals, refuted, *bounds)
        except SearchAborted:
            result = 0
        failed += result is not None
        return state.core(literals) if result is None else None

    if len(core) > tuning.long_core:
        # A value that a fluent has says more than several values that fluents do not have.
        of_few = refute([literal for literal in known if literal > 0])
        core = core if of_few is None else of_few
    return minimal_core(core, refute, least=1)
