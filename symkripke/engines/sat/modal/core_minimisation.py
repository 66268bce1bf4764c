"""Core minimisation: few observations that imply that something is known.

Each step is bounded; a literal stays in the core if the step does not decide in time.
"""

from __future__ import annotations

from symkripke.engines.minimal_core import MinimisationStopped, minimal_core
from symkripke.engines.sat.modal.proxy import Target
from symkripke.engines.sat.modal.state import ModalState
from symkripke.limits import SearchAborted


def smaller(state: ModalState, core: list[int], known: list[int], refuted: Target) -> list[int]:
    """Return a smaller core: each literal is left out in turn, and stays out if the rest suffices.

    A literal whose step takes too long stays. `known`: the literals that contain the core.
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
        # The value of a fluent says more than many values that other fluents do not have.
        of_few = refute([literal for literal in known if literal > 0])
        core = core if of_few is None else of_few
    return minimal_core(core, refute, least=1)
