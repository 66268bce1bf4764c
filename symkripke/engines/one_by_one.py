"""Questions about several agents, asked about one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from symkripke.engines.asked import agents_asked
from symkripke.language import Formula, M
from symkripke.model import Scene

if TYPE_CHECKING:
    from symkripke.engines.protocol import Answer, Budget
    from symkripke.model import State


class OneByOne:
    """For engines that have nothing to gain from asking about all at once."""

    if TYPE_CHECKING:

        def holds(
            self, state: State, formula: Formula | str, budget: Budget | None = None
        ) -> Answer:
            """See `Engine.holds`."""
            ...

    def possible_to(
        self,
        scene: Scene,
        formula: Formula | str,
        agents: Iterable[str],
        budget: Budget | None = None,
    ) -> frozenset[str]:
        """See `Engine.possible_to`."""
        asked = scene.structure.parse(formula) if isinstance(formula, str) else formula
        whose = agents_asked(agents)
        return frozenset(one for one in whose if self.holds(scene, M(one, asked), budget))
