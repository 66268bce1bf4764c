"""Plans with branches: after a sensing action, one plan for each event that may have happened.

The graph of states is built layer by layer. The cost of a state is 0 if the goal is true there;
otherwise it is the least, over its actions, of 1 + the greatest cost of the states after it. Costs
are computed from the goals backwards (D. Knuth: A generalization of Dijkstra's algorithm, 1977).
When the first state costs no more than the number of layers, no plan has a smaller depth.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from symkripke.limits import look
from symkripke.problems.planning.search import Found, Progress
from symkripke.problems.planning.states import State, states_of
from symkripke.problems.planning.task import Task


def contingent_plan(task: Task, tell: Progress | None = None) -> Found:
    """Find a plan with branches of least depth, or exhaust all states.

    Raises:
        BudgetExceeded: a limit was reached first.
    """
    began = time.perf_counter()
    graph = _Graph(task.relevant())
    layer = [graph.add(graph.states.first())]
    depth = expanded = 0

    def found(plan: Any, length: int) -> Found:
        seconds = time.perf_counter() - began
        is_found = plan is not None
        return Found(plan, length, is_found, expanded, graph.size, depth, seconds)

    while True:
        costs = graph.costs()
        cost = costs.get(0)
        if cost is not None and (cost <= depth or not layer):
            return found(graph.plan(0, costs), cost)
        if not layer:
            return found(None, 0)
        following: list[int] = []
        for number in layer:
            look()
            expanded += 1
            if tell is not None:
                tell(expanded, depth)
            following += graph.expand(number)
        layer = following
        depth += 1


class _Choice(NamedTuple):
    """An action at a state, with the state after each event that may happen."""

    state: int
    action: str
    after: Mapping[str, int]


class _Graph:
    """The states that were reached, by number, and their actions."""

    def __init__(self, task: Task) -> None:
        self.states = states_of(task)
        self._task = task
        self._numbers: dict[Hashable, int] = {}
        self._reached: list[State] = []
        self._goals: list[int] = []
        self._choices: list[_Choice] = []

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self._reached)

    def add(self, state: State) -> int:
        """Add a new state, and return its number."""
        number = self._numbers[state.key] = len(self._reached)
        self._reached.append(state)
        if state.truth().holds(self._task.goal):
            self._goals.append(number)
        return number

    def expand(self, number: int) -> list[int]:
        """Add all actions at a state, and return the numbers of the new states."""
        new = []
        truth = self._reached[number].truth()
        for action, possible in self._task.applicable(truth):
            after = {}
            for event in possible:
                state = self.states.after(action, truth, [event])
                place = self._numbers.get(state.key)
                if place is None:
                    place = self.add(state)
                    new.append(place)
                after[action.events[event].name] = place
            self._choices.append(_Choice(number, action.name, after))
        return new

    def costs(self) -> dict[int, int]:
        """Return the cost of each state that has a plan."""
        users: dict[int, list[int]] = {}
        for place, choice in enumerate(self._choices):
            for state in set(choice.after.values()):
                users.setdefault(state, []).append(place)
        left = [len(set(choice.after.values())) for choice in self._choices]
        costs: dict[int, int] = {}
        heap = [(0, number) for number in self._goals]
        while heap:
            cost, number = heapq.heappop(heap)
            if number in costs:
                continue
            costs[number] = cost
            for place in users.get(number, ()):
                left[place] -= 1
                if not left[place]:  # states come in the order of their costs
                    heapq.heappush(heap, (cost + 1, self._choices[place].state))
        return costs

    def plan(self, number: int, costs: Mapping[int, int]) -> list[Any] | dict[str, Any]:
        """Return the plan of least depth of a state that has a plan; an empty list is the end."""
        if not costs[number]:
            return []
        for choice in self._choices:
            after = choice.after.values()
            if choice.state == number and all(
                costs.get(state, costs[number]) < costs[number] for state in after
            ):
                branches = {event: self.plan(state, costs) for event, state in choice.after.items()}
                return {"action": choice.action, "branches": branches}
        raise AssertionError("a state with a cost has an action")
