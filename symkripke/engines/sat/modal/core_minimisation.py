"""Core minimisation: few observations that imply that something is known.

Each step is bounded; a literal stays in the core if the step does not decide in time.
"""

from __future__ import annotations

from symkripke.engines.minimal_core import GaveUp, minimal_core
from symkripke.engines.sat.modal.proxy import Target
from symkripke.engines.sat.modal.state import ModalState
from symkripke.limits import SearchAborted

# Bounds of one step, which tries to leave out a literal: candidates and conflicts.
_TRIES_WITHOUT = 3
_CONFLICTS_WITHOUT = 200

# How many literals are left out in vain until a refutation that rests on beliefs of others is
# small enough: each candidate without one has others observe something else, and to find out what
# they believe then is a walk down all that they could give up.
_FAILURES = 1


def smaller(state: ModalState, core: list[int], refuted: Target) -> list[int]:
    """A smaller core: each literal is left out in turn, and stays out if the rest suffices.

    A literal whose step takes too long stays.
    """
    beliefs = any(proxy.belief for proxy, _, _ in refuted.proxies)
    failed = 0

    def refute(literals: list[int]) -> list[int] | None:
        nonlocal failed
        if beliefs and failed >= _FAILURES:
            raise GaveUp
        try:
            found = state.find(literals, refuted, _TRIES_WITHOUT, _CONFLICTS_WITHOUT)
        except SearchAborted:
            found = 0
        failed += found is not None
        return state.core(literals) if found is None else None

    return minimal_core(core, refute, least=1)
