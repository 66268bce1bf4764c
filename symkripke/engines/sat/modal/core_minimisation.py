"""Small cores: few observations with which something is known."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from symkripke.engines.sat.modal.abstraction import GivenUp
from symkripke.engines.sat.swaps.implicants import Target

if TYPE_CHECKING:
    from symkripke.engines.clock import Meter
    from symkripke.engines.sat.modal.search import ModalSolver

# Cores with more literals than this may be longer than they need to be.
_LONG = 4

# Candidates looked at, and conflicts, to find out that a refutation does without a literal.
_TRIES_WITHOUT = 3
_CONFLICTS_WITHOUT = 200


def smaller(
    solver: ModalSolver, core: list[int], known: list[int], refuted: Target, meter: Meter | None
) -> list[int]:
    """A smaller core: each literal is left out in turn, and stays out if the rest suffices.

    As far as that is found out soon: most candidates without it are wrong, too. `known` are all
    the literals of which the core is some.
    """
    needed = core
    if len(core) > _LONG:
        # One card that is seen says more than many that are seen not to be there.
        seen = [one for one in known if one > 0]
        with suppress(GivenUp):
            if solver.find(seen, refuted, meter, _TRIES_WITHOUT, _CONFLICTS_WITHOUT) is None:
                needed = solver.core(seen)
    for literal in list(needed):
        if literal not in needed or len(needed) == 1:
            continue
        without = [one for one in needed if one != literal]
        with suppress(GivenUp):
            if solver.find(without, refuted, meter, _TRIES_WITHOUT, _CONFLICTS_WITHOUT) is None:
                needed = solver.core(without)
    return needed
