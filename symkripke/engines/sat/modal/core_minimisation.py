"""Core minimisation: few observations with which something is known.

How `minimal_core` is used here: nothing takes long, and what is not found out soon is left.
"""

from __future__ import annotations

from symkripke.engines.clock import Meter
from symkripke.engines.minimal_core import GaveUp, minimal_core
from symkripke.engines.sat.modal.abstraction import GivenUp
from symkripke.engines.sat.modal.proxy import Target
from symkripke.engines.sat.modal.state import ModalState

# Cores with more literals than this may be longer than they need to be.
_LONG = 4

# Candidates looked at, and conflicts, to find out that a refutation does without a literal.
_TRIES_WITHOUT = 3
_CONFLICTS_WITHOUT = 200

# How many literals are left out in vain until a refutation that rests on beliefs of others is
# small enough: each candidate without one has others observe something else, and to find out what
# they believe then is a walk down all that they could give up.
_FAILURES = 1


def smaller(
    state: ModalState, core: list[int], known: list[int], refuted: Target, meter: Meter | None
) -> list[int]:
    """A smaller core: each literal is left out in turn, and stays out if the rest suffices.

    As far as that is found out soon: most candidates without it are wrong, too. `known` are all
    the literals of which the core is some.
    """
    beliefs = any(proxy.belief for proxy, _, _ in refuted.proxies)
    failed = 0

    def refute(literals: list[int]) -> list[int] | None:
        nonlocal failed
        if beliefs and failed >= _FAILURES:
            raise GaveUp
        try:
            found = state.find(literals, refuted, meter, _TRIES_WITHOUT, _CONFLICTS_WITHOUT)
        except GivenUp:
            found = 0
        failed += found is not None
        return state.core(literals) if found is None else None

    if len(core) > _LONG:
        # One card that is seen says more than many that are seen not to be there.
        of_few = refute([literal for literal in known if literal > 0])
        core = core if of_few is None else of_few
    return minimal_core(core, refute, least=1)
