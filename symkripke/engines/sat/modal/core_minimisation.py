"""Core minimisation: few observations that imply that something is known.

Each step is bounded; a literal stays in the core if the step does not decide in time. Steps that
the solver finds hard are followed by more of that kind, and together they took most of the time of
the slowest questions, so after a few of them the minimisation ends.
"""

from __future__ import annotations

from symkripke.engines.minimal_core import GaveUp, minimal_core
from symkripke.engines.sat.modal.abstraction import OutOfConflicts
from symkripke.engines.sat.modal.proxy import Target
from symkripke.engines.sat.modal.state import ModalState
from symkripke.limits import SearchAborted

# Cores with more literals than this are minimised only in part.
_LONG = 4

# Bounds of one step, which tries to leave out a literal: candidates and conflicts.
_TRIES_WITHOUT = 3
_CONFLICTS_WITHOUT = 200

# So many steps may use up their conflicts. (To stop after so many that use up their candidates
# makes questions take ten times as long where fluents change: cores stay large there.)
_HARD_STEPS = 4

# How many literals are left out in vain until a refutation that rests on beliefs of others is
# small enough: each candidate without one has others observe something else, and to find out what
# they believe then is a walk down all that they could give up.
_FAILURES = 1


def smaller(state: ModalState, core: list[int], known: list[int], refuted: Target) -> list[int]:
    """A smaller core: each literal is left out in turn, and stays out if the rest suffices.

    A literal whose step takes too long stays. `known` are the literals of which the core is a part.
    """
    beliefs = any(proxy.belief for proxy, _, _ in refuted.proxies)
    failed = hard = 0

    def refute(literals: list[int]) -> list[int] | None:
        nonlocal failed, hard
        if hard >= _HARD_STEPS or (beliefs and failed >= _FAILURES):
            raise GaveUp
        try:
            found = state.find(literals, refuted, _TRIES_WITHOUT, _CONFLICTS_WITHOUT)
        except OutOfConflicts:
            hard += 1
            found = 0
        except SearchAborted:
            found = 0
        failed += found is not None
        return state.core(literals) if found is None else None

    if len(core) > _LONG:
        # The value of a fluent says more than many values that other fluents do not have.
        of_few = refute([literal for literal in known if literal > 0])
        core = core if of_few is None else of_few
    return minimal_core(core, refute, least=1)
