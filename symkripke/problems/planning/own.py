"""Plans in problem files: the shortest sequence of the file's actions that reaches a goal.

States are structures with actual worlds, so that a goal may be about belief or probability, too.
Two states count as one if no formula about the current values separates their worlds, now or after
any action: their worlds are listed, with the order of plausibility in each cell.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.explicit.frames import Contractor, Type, cells_of, listed, worlds_of
from symkripke.errors import ImpossibleEvent, Unsupported
from symkripke.language import D, Formula, P, conjunction, disjunction
from symkripke.language.walk import modal_subformulas
from symkripke.limits import look
from symkripke.model import MultiPointedStructure, Scene
from symkripke.model.listed import Worlds
from symkripke.problems.problem import Candidate

MOST_WORLDS = 2_000
"""The maximum number of worlds of a state, because all worlds are listed."""

Judge = Callable[[MultiPointedStructure, Formula], object]


def find_plan(
    actual: Scene | MultiPointedStructure,
    candidates: Sequence[Candidate],
    goal: Formula,
    judge: Judge,
) -> tuple[str, ...] | None:
    """Return a shortest plan after which the goal is true at all actual worlds.

    Returns:
        The names of the actions; None if all states are exhausted.

    Raises:
        TooManyWorlds: a state has more than `MOST_WORLDS` worlds.
        BudgetExceeded: a limit was reached first.
    """
    first = pointed(actual)
    if judge(first, goal):
        return ()
    asked = [goal, *(formula for candidate in candidates for formula in _formulas(candidate))]
    keys = _Keys(asked)
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
                return longer
            queue.append((after, longer))
    return None


def pointed(actual: Scene | MultiPointedStructure) -> MultiPointedStructure:
    """Return a scene as a structure with one actual world.

    Raises:
        Unsupported: the structure has numbers without bounds.
    """
    if actual.structure.vocabulary.numbers:
        raise Unsupported(
            "plans and announcements are searched among listed worlds, and numbers without bounds "
            "have infinitely many"
        )
    if isinstance(actual, MultiPointedStructure):
        return actual
    fluents = actual.structure.vocabulary.fluents
    here = conjunction(fluents[name].equals(value) for name, value in actual.world.items())
    return MultiPointedStructure(actual.structure, here)


def _formulas(candidate: Candidate) -> Iterator[Formula]:
    """Yield the formulas on which the effect of an action depends."""
    action = candidate.action
    yield candidate.needs
    yield from (soft.formula for soft in action.soft)
    for event in action.events:
        yield event.precondition
        for change in event.postconditions:
            yield from (condition for _, condition in change.cases)
    for cases in action.sees.values():
        yield from (condition for condition, _ in cases)


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


class _PlausibilityContractor(Contractor):
    """Contraction that respects plausibility.

    An agent's view of a cell is the types of its worlds, level by level. A type counts only in its
    most plausible level, because no formula about belief separates its other worlds from that one.
    Without this, every event that an agent may have missed would add levels, and the states of a
    search would not end.

    Probabilities depend on the number of worlds of each type in each level.
    """

    def __init__(self, *, counts: bool) -> None:
        super().__init__()
        self._counts = counts
        self.levels: Mapping[tuple[str, Worlds], Sequence[Worlds]] = {}

    def seen(self, agent: str, targets: Worlds, blocks: Mapping[Type, Worlds]) -> Hashable:
        """Return the types of each level of a cell, perhaps with the numbers of their worlds."""
        left = dict(blocks)
        levels: list[frozenset[Hashable]] = []
        for level in self.levels[agent, targets]:
            new = {block: worlds & level for block, worlds in left.items() if worlds & level}
            if self._counts:
                levels.append(frozenset((block, here.bit_count()) for block, here in new.items()))
            elif new:
                levels.append(frozenset(new))
                for block in new:
                    del left[block]
        return tuple(levels)


def _levels(cell: Worlds, false: Sequence[Worlds]) -> Sequence[Worlds]:
    """Return the worlds of each level of plausibility in a cell.

    `false` has, for each soft constraint of the agent, most trusted first, the worlds at which it
    is false.
    """
    parts = [cell]
    for worlds in false:
        parts = [each for part in parts for each in (part & ~worlds, part & worlds) if each]
    return parts


class _Keys:
    """The keys that identify states, if these formulas matter.

    Formulas with P separate states by their numbers of worlds, and those with D by the pooled
    observations of a group.
    """

    def __init__(self, formulas: Iterable[Formula]) -> None:
        parts = {part for formula in formulas for part in modal_subformulas(formula)}
        counts = any(isinstance(part, P) for part in parts)
        self._groups = {part.group for part in parts if isinstance(part, D)}
        self._explicit = ExplicitEngine(MOST_WORLDS)
        self._contractor = _PlausibilityContractor(counts=counts)

    def key(self, state: MultiPointedStructure) -> Hashable:
        """Return the types of all worlds, and those of the actual worlds."""
        structure = state.structure
        model = self._explicit.model(structure)
        worlds = listed(structure, model, model.table.truth(state.actual))
        pooled = {", ".join(group): cells_of(model, group) for group in self._groups}
        worlds = replace(worlds, arrows={**pooled, **worlds.arrows})
        levels: dict[tuple[str, Worlds], Sequence[Worlds]] = {}
        for agent, arrows in worlds.arrows.items():
            soft = model.plausibility.get(agent, ())
            false = [worlds_of(~model.table.truth(formula)) for formula in soft]
            levels |= {(agent, cell): _levels(cell, false) for cell, _ in arrows}
        self._contractor.levels = levels
        labels: dict[Hashable, Worlds] = {}
        for world in range(worlds.size):
            label = tuple(true >> world & 1 for true in worlds.truth.values())
            labels[label] = labels.get(label, 0) | 1 << world
        types, _ = self._contractor.types(worlds, labels)
        actual = {kind for kind, members in types.items() if members & worlds.designated}
        return frozenset(types), frozenset(actual)
