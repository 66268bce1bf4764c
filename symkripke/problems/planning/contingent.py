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
from symkripke.problems.planning.search import Progress
from symkripke.problems.planning.states import State, states_of
from symkripke.problems.planning.task import Task
from symkripke.problems.planning.validation import Contingent
from symkripke.records import dataclass


@dataclass(frozen=True)
class FoundTree:
    """The result of a search for a plan with branches.

    Attributes:
        tree: the plan; None if there is none, or if the goal is true at once.
        depth: the number of actions in the longest branch; None if there is no plan.
        expanded: the number of states whose actions were tried.
        seconds: the duration.
    """

    tree: Contingent
    depth: int | None
    expanded: int
    seconds: float

    @property
    def plan(self) -> list[Any] | dict[str, Any] | None:
        """The plan as plain data; None if there is none."""
        return None if self.depth is None else tree_data(self.tree)

    @property
    def words(self) -> str:
        """The result in one line."""
        spent = f"{self.expanded:,} states expanded in {self.seconds:.2f} s"
        if self.depth is None:
            return f"no plan: all states are exhausted ({spent})"
        return f"a plan of depth {self.depth}, the least depth ({spent})"

    @property
    def data(self) -> dict[str, Any]:
        """The result as plain data for JSON."""
        return {
            "plan": self.plan,
            "depth": self.depth,
            "expanded": self.expanded,
            "seconds": self.seconds,
        }


def tree_data(tree: Contingent) -> list[Any] | dict[str, Any]:
    """Return a plan with branches as plain data; an empty list is the end."""
    if tree is None:
        return []
    action, branches = tree
    return {
        "action": action,
        "branches": {event: tree_data(each) for event, each in branches.items()},
    }


def contingent_plan(task: Task, tell: Progress | None = None) -> FoundTree:
    """Find a plan with branches of least depth, or exhaust all states.

    Raises:
        BudgetExceeded: a limit was reached first.
    """
    began = time.perf_counter()
    graph = _Graph(task)
    layer = [graph.add(graph.states.first())]
    depth = expanded = 0
    while True:
        costs = graph.costs()
        cost = costs.get(0)
        if cost is not None and (cost <= depth or not layer):
            tree = graph.tree(0, costs)
            return FoundTree(tree, cost, expanded, time.perf_counter() - began)
        if not layer:
            return FoundTree(None, None, expanded, time.perf_counter() - began)
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

    def tree(self, number: int, costs: Mapping[int, int]) -> Contingent:
        """Return the plan of least depth of a state that has a plan."""
        if not costs[number]:
            return None
        for choice in self._choices:
            after = choice.after.values()
            if choice.state == number and all(
                costs.get(state, costs[number]) < costs[number] for state in after
            ):
                branches = {event: self.tree(state, costs) for event, state in choice.after.items()}
                return choice.action, branches
        raise AssertionError("a state with a cost has an action")
