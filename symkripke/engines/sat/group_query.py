"""A joint search for the agents that consider a formula possible.

The search looks for a world at which the formula is true and that at least one of the agents
considers possible. The answer for all agents that consider this world possible is "yes", and the
search continues for the others. When it finds no world, the answer for the remaining agents is
"no". So a "no" needs no search of its own, and lemmas are learned for all agents at once.
"""

from __future__ import annotations

from collections.abc import Iterable

from symkripke.engines.sat.bits import bits_of
from symkripke.engines.sat.evaluator import Evaluator
from symkripke.engines.sat.modal.normal_form import normalise
from symkripke.language import Formula, M
from symkripke.language.walk import has_announcements, is_propositional, knowers
from symkripke.model import Scene


def possible_to(
    evaluator: Evaluator, scene: Scene, formula: Formula, agents: Iterable[str]
) -> frozenset[str]:
    """Return the agents that consider the (resolved) formula possible."""
    possible: set[str] = set()
    views: dict[str, list[int]] = {}
    for agent in agents:
        perspective = scene.perspective(agent)
        alone = is_propositional(formula) or has_announcements(formula)
        if alone or agent in knowers(formula):
            # For facts, the agent's own solver is quicker. Formulas about the agent's own
            # knowledge, and announcements before common knowledge, need the agent's perspective.
            if evaluator.truth(scene, M(agent, formula)):
                possible.add(agent)
        else:
            views[agent] = evaluator.observed_literals(perspective, (agent,))
    if not views:
        return frozenset(possible)
    modal = evaluator.modal_solver(scene.structure)
    target = modal.target(normalise(formula, scene.structure))
    for world in [*target.witnesses]:
        _take(views, world, possible)
    while views:
        group = modal.find_for(views, target)
        if group is None:
            break
        _take(views, group, possible)
    return frozenset(possible)


def _take(views: dict[str, list[int]], world: int, possible: set[str]) -> None:
    """Move the agents that consider this world possible from `views` to `possible`."""
    for agent, literals in list(views.items()):
        true, false = bits_of(literals)
        if world & true == true and not world & false:
            possible.add(agent)
            del views[agent]
