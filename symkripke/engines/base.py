"""Parts of an engine to derive from: asking about agents one by one, refusing to count."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NoReturn

from symkripke.engines.asked import agents_asked
from symkripke.engines.clock import Budget
from symkripke.engines.protocol import Answer, Counter, Reasoner
from symkripke.errors import Unsupported
from symkripke.language import Formula, M
from symkripke.model import Scene, State


class AsksOneByOne:
    """`possible_to`, for an engine that gains nothing from asking about all agents at once."""

    if TYPE_CHECKING:

        def holds(
            self, state: State, formula: Formula | str, budget: Budget | None = None
        ) -> Answer:
            """See `Reasoner.holds`."""
            ...

    def possible_to(
        self,
        scene: Scene,
        formula: Formula | str,
        agents: Iterable[str],
        budget: Budget | None = None,
    ) -> frozenset[str]:
        """See `Reasoner.possible_to`."""
        asked = scene.structure.parse(formula) if isinstance(formula, str) else formula
        return frozenset(
            agent for agent in agents_asked(agents) if self.holds(scene, M(agent, asked), budget)
        )


class CannotCount:
    """The methods of `Counter`, for an engine that only reasons: each raises `Unsupported`."""

    name: str

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        """Raises `Unsupported`: this engine does not count."""
        raise _refusal(self.name)

    worlds = probability = marginals = distribution = entropy = sample = stepwise = _refuse


def counter(engine: Reasoner) -> Counter:
    """This engine, to count with; raises `Unsupported` if it only reasons."""
    if isinstance(engine, CannotCount) or not isinstance(engine, Counter):
        raise _refusal(engine.name)
    return engine


def _refusal(name: str) -> Unsupported:
    return Unsupported(f"the {name} engine does not count worlds; ask the bdd engine")
