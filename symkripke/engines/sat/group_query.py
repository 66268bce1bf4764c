"""What several agents consider possible, found together.

"Does i consider f possible?" for many i is one search: for a world with f that one of them allows.
Those who allow the world that is found are answered, and the search goes on for the rest; when it
finds none, none of the rest considers f possible. So a "no" costs no search of its own, and lemmas
are learned for all of them at once.
"""

from __future__ import annotations

from collections.abc import Iterable

from symkripke.engines.clock import Meter
from symkripke.engines.sat.bits import bits_of
from symkripke.engines.sat.evaluator import Evaluator
from symkripke.engines.sat.modal.normal_form import normalise
from symkripke.language import Formula, M
from symkripke.language.walk import has_announcements, is_propositional, knowers
from symkripke.model import Scene


def possible_to(
    evaluator: Evaluator, scene: Scene, formula: Formula, agents: Iterable[str], meter: Meter | None
) -> frozenset[str]:
    """Which of the agents consider the (resolved) formula possible."""
    possible: set[str] = set()
    views: dict[str, list[int]] = {}
    for agent in agents:
        perspective = scene.perspective(agent)
        alone = is_propositional(formula) or has_announcements(formula)
        if alone or agent in knowers(formula):
            # Of facts, and of its own knowledge, each knows best. What is said before common
            # knowledge leaves another structure to be asked, and each sees it in its own way.
            if evaluator.truth(scene, M(agent, formula), meter):
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
        found = modal.find_for(views, target, meter)
        if found is None:
            break
        _take(views, found, possible)
    return frozenset(possible)


def _take(views: dict[str, list[int]], world: int, possible: set[str]) -> None:
    """Move those who allow that world from `views` to `possible`."""
    for agent, literals in list(views.items()):
        true, false = bits_of(literals)
        if world & true == true and not world & false:
            possible.add(agent)
            del views[agent]
