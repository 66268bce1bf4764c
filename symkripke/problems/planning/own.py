"""Plans in problem files: the shortest sequence of the file's actions that reaches a goal.

States are structures with actual worlds, so that a goal may be about belief or probability, too.
Two states count as one if no formula about the current values separates their worlds, now or after
any action: their worlds are listed, with the order of plausibility in each cell.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Sequence

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.explicit.frames import Contractor, listed, worlds_of
from symkripke.errors import ImpossibleEvent
from symkripke.language import Formula, conjunction, disjunction
from symkripke.limits import look
from symkripke.model import MultiPointedStructure, Scene
from symkripke.model.listed import Arrows, ListedModel, Worlds
from symkripke.problems.problem import Candidate
from symkripke.records import dataclass

MOST_WORLDS = 2_000
"""The maximum number of worlds of a state, because all worlds are listed."""

Judge = Callable[[MultiPointedStructure, Formula], object]


@dataclass(frozen=True)
class OwnPlan:
    """The result of a search.

    Attributes:
        plan: the names of the actions; None if there is no plan.
        states: the number of different states.
    """

    plan: tuple[str, ...] | None
    states: int


def find_plan(
    actual: Scene | MultiPointedStructure,
    candidates: Sequence[Candidate],
    goal: Formula,
    judge: Judge,
) -> OwnPlan:
    """Return a shortest plan after which the goal is true at all actual worlds.

    Raises:
        TooManyWorlds: a state has more than `MOST_WORLDS` worlds.
        BudgetExceeded: a limit was reached first.
    """
    first = pointed(actual)
    if judge(first, goal):
        return OwnPlan((), 1)
    keys = _Keys()
    seen = {keys.key(first)}
    queue: deque[tuple[MultiPointedStructure, tuple[str, ...]]] = deque([(first, ())])
    while queue:
        state, plan = queue.popleft()
        for candidate in candidates:
            look()
            after = _after(state, candidate, judge)
            if after is None or (key := keys.key(after)) in seen:
                continue
            seen.add(key)
            longer = (*plan, candidate.action.name)
            if judge(after, goal):
                return OwnPlan(longer, len(seen))
            queue.append((after, longer))
    return OwnPlan(None, len(seen))


def pointed(actual: Scene | MultiPointedStructure) -> MultiPointedStructure:
    """Return a scene as a structure with one actual world."""
    if isinstance(actual, MultiPointedStructure):
        return actual
    fluents = actual.structure.vocabulary.fluents
    here = conjunction(fluents[name].equals(value) for name, value in actual.world.items())
    return MultiPointedStructure(actual.structure, here)


def _after(
    state: MultiPointedStructure, candidate: Candidate, judge: Judge
) -> MultiPointedStructure | None:
    """Return the state after an action; None if it cannot be done at all actual worlds."""
    action = candidate.action
    needed = disjunction(action.event(name).precondition for name in action.actual)
    if not judge(state, conjunction([needed, candidate.needs])):
        return None
    try:
        return state.update(action, judge)
    except ImpossibleEvent:
        return None


def _levels(agent: str, cells: Arrows, false: Sequence[Worlds]) -> dict[str, Arrows]:
    """Return relations to the worlds of each level of plausibility in each cell.

    `false` has, for each soft constraint of the agent, most trusted first, the worlds at which it
    is false.
    """
    relations: dict[str, Arrows] = {}
    for cell, _ in cells:
        parts = [cell]
        for worlds in false:
            parts = [each for part in parts for each in (part & ~worlds, part & worlds) if each]
        for level, part in enumerate(parts):
            name = f"{agent} {level}"
            relations[name] = (*relations.get(name, ()), (cell, part))
    return relations


class _Keys:
    """The keys that identify states."""

    def __init__(self) -> None:
        self._explicit = ExplicitEngine(MOST_WORLDS)
        self._contractor = Contractor()

    def key(self, state: MultiPointedStructure) -> Hashable:
        """Return the types of all worlds, and those of the actual worlds."""
        structure = state.structure
        model = self._explicit.model(structure)
        worlds = listed(structure, model, model.table.truth(state.actual))
        arrows = dict(worlds.arrows)
        for agent, formulas in model.plausibility.items():
            false = [worlds_of(~model.table.truth(formula)) for formula in formulas]
            arrows |= _levels(agent, worlds.arrows[agent], false)
        wide = ListedModel(worlds.size, worlds.worlds, worlds.designated, worlds.truth, arrows)
        labels: dict[Hashable, Worlds] = {}
        for world in range(worlds.size):
            label = tuple(true >> world & 1 for true in worlds.truth.values())
            labels[label] = labels.get(label, 0) | 1 << world
        types, _ = self._contractor.types(wide, labels)
        actual = {kind for kind, members in types.items() if members & worlds.designated}
        return frozenset(types), frozenset(actual)
