"""Why something is so at a world: for whoever tells the reasons of somebody who is told about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symkripke.engines.clock import Budget
from symkripke.errors import BudgetExceeded, Unsupported

if TYPE_CHECKING:
    from symkripke.engines.protocol import Engine
    from symkripke.explain.evidence import Evidence
    from symkripke.language import Formula
    from symkripke.model import Scene

# What such a reason may take.
_SECONDS = 5.0


def reason_at(scene: Scene, formula: Formula, asked: Engine) -> Evidence | None:
    """Why a formula is true at a scene; None if it is not, or if no reason is found soon."""
    try:
        answer = asked.holds(scene, formula, Budget(seconds=_SECONDS))
        return answer.why() if answer else None
    except (Unsupported, BudgetExceeded):
        return None
