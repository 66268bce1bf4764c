"""All queries of an engine about a scene, each with a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from symkripke.engines import Budget, Counter
from symkripke.language import Formula, K
from symkripke.limits import within
from symkripke.model import Perspective, Scene

Ask = Callable[[Any, Budget], object]
"""A function that asks an engine, within a budget."""


def about(scene: Scene, view: Perspective, formula: Formula | str) -> Iterator[tuple[str, Ask]]:
    """Yield all queries about one formula."""
    structure, me = scene.structure, view.agent

    def why(made: Any, budget: Budget) -> object:
        # The explanation has the budget again, so only time beyond both is an overrun.
        with within(seconds=budget.seconds):
            return made.holds(scene, formula, budget).why()

    def inside(made: Any, budget: Budget) -> object:
        asked = structure.parse(formula) if isinstance(formula, str) else formula
        return made.holds(view, K(me, asked), budget)

    def possible_to(made: Any, budget: Budget) -> object:
        return made.possible_to(scene, formula, structure.agents, budget)

    yield "holds", lambda made, budget: made.holds(scene, formula, budget)
    yield "why", why
    yield "view", inside
    yield "valid", lambda made, budget: made.valid(structure, formula, budget)
    yield "witness", lambda made, budget: made.witness(structure, formula, budget)
    yield "possible_to", possible_to
    yield "probability", lambda made, budget: made.probability(view, formula, budget)


def others(view: Perspective, chance: Random, size: int) -> Iterator[tuple[str, Ask]]:
    """Yield the queries without a formula; `size` is the number of worlds in a sample."""
    structure = view.structure
    some = chance.sample(structure.atoms, min(size, 14, len(structure.atoms)))
    names = list(structure.versions or structure.vocabulary.fluents)[:6]
    seed = chance.randrange(2**32)
    yield "sheet", lambda made, budget: made.sheet(view, None, budget)
    yield "believed", lambda made, budget: made.believed(view, budget)
    yield "possibilities", lambda made, budget: made.possibilities(view, some, budget=budget)
    yield "worlds", lambda made, budget: made.worlds(structure, None, budget)
    yield "worlds of a view", lambda made, budget: made.worlds(view, None, budget)
    yield "worlds over some", lambda made, budget: made.worlds(view, names, budget)
    yield "marginals", _limited(lambda made: made.marginals(view))
    yield "distribution", _limited(lambda made: made.distribution(view, some))
    yield "sample", _limited(lambda made: made.sample(view, size, Random(seed)))
    yield "sample over some", _limited(lambda made: made.sample(view, size, Random(seed), names))
    yield "steps", _limited(lambda made: made.steps(view, names))


def _limited(ask: Callable[[Counter], object]) -> Ask:
    """Limit a query that takes no budget."""

    def within_budget(made: Any, budget: Budget) -> object:
        with within(seconds=budget.seconds, memory=budget.memory):
            return ask(made)

    return within_budget
