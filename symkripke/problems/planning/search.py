"""The search for plans: breadth-first, A* and greedy best-first.

Breadth-first search finds shortest plans. A state that is bisimilar to an earlier one is not
expanded again: see `symkripke.problems.planning.states`.
"""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple, TypeAlias

from symkripke.engines.explicit.frames import Truth
from symkripke.errors import check_name
from symkripke.language import Formula
from symkripke.language import formulas as f
from symkripke.limits import look
from symkripke.problems.planning.states import State, states_of
from symkripke.problems.planning.task import Task
from symkripke.records import dataclass

STRATEGIES = ("bfs", "astar", "greedy")
"""The names of the strategies."""

HEURISTICS = ("goals", "blind")
"""The names of the heuristics. Only `blind`, which estimates nothing, keeps A* plans shortest."""

Progress: TypeAlias = Callable[[int, int], None]
"""A function that is told the number of expanded states, and the depth."""

# The number of states between two reports of progress.
_REPORT_EVERY = 64


class Node(NamedTuple):
    """A state that the search has reached.

    Attributes:
        state: the state.
        before: the state before; None for the first state.
        action: the name of the action that led to it; empty for the first state.
        depth: the number of actions.
    """

    state: State
    before: Node | None
    action: str
    depth: int

    @property
    def plan(self) -> tuple[str, ...]:
        """The names of the actions that lead to the state."""
        names = []
        node: Node | None = self
        while node is not None and node.action:
            names.append(node.action)
            node = node.before
        return tuple(reversed(names))


@dataclass(frozen=True)
class Found:
    """The result of a search.

    Attributes:
        plan: the names of the actions; None if there is no plan.
        shortest: whether no plan is shorter.
        expanded: the number of states whose actions were tried.
        states: the number of different states.
        depth: the number of actions to the last expanded state.
        seconds: the duration.
    """

    plan: tuple[str, ...] | None
    shortest: bool
    expanded: int
    states: int
    depth: int
    seconds: float

    @property
    def words(self) -> str:
        """The result in one line."""
        rate = self.expanded / max(self.seconds, 1e-9)
        spent = (
            f"{self.states:,} reached, {self.expanded:,} expanded, depth {self.depth}, "
            f"{self.seconds:.2f} s, {rate:,.0f} per second"
        )
        if self.plan is None:
            return f"no plan: all states are exhausted (states: {spent})"
        kind = "a shortest plan" if self.shortest else "a plan, perhaps not the shortest,"
        actions = f"{len(self.plan)} action{'' if len(self.plan) == 1 else 's'}"
        return f"{kind} of {actions} (states: {spent})"

    @property
    def data(self) -> dict[str, Any]:
        """The result as plain data for JSON."""
        return {
            "plan": None if self.plan is None else list(self.plan),
            "shortest": self.shortest,
            "expanded": self.expanded,
            "states": self.states,
            "depth": self.depth,
            "seconds": self.seconds,
        }


def search(
    task: Task, strategy: str = "bfs", heuristic: str = "goals", tell: Progress | None = None
) -> Found:
    """Search for a plan until one is found or all states are exhausted.

    Args:
        task: the task.
        strategy: one of `STRATEGIES`.
        heuristic: one of `HEURISTICS`, for A* and greedy search.
        tell: a function that is told about the progress.

    Raises:
        UnknownName: there is no such strategy or heuristic.
        BudgetExceeded: a limit was reached first.
    """
    check_name("strategy", strategy, STRATEGIES)
    check_name("heuristic", heuristic, HEURISTICS)
    began = time.perf_counter()
    states = states_of(task)
    state = states.first()
    seen = {state.key}
    first = Node(state, None, "", 0)
    truth = state.truth()
    queue = _Queue(strategy, heuristic, task.goal)
    queue.put(first, truth)
    is_optimal = strategy == "bfs" or (strategy == "astar" and heuristic == "blind")
    expanded = depth = 0

    def found(node: Node | None) -> Found:
        seconds = time.perf_counter() - began
        plan = None if node is None else node.plan
        return Found(plan, is_optimal and plan is not None, expanded, len(seen), depth, seconds)

    if truth.holds(task.goal):
        return found(first)
    while queue:
        look()
        node = queue.pop()
        depth = node.depth
        expanded += 1
        if tell is not None and not expanded % _REPORT_EVERY:
            tell(expanded, depth)
        truth = node.state.truth()
        for action, possible in task.applicable(truth):
            state = states.after(action, truth, possible)
            if state.key in seen:
                continue
            seen.add(state.key)
            following = Node(state, node, action.name, node.depth + 1)
            new = state.truth()
            if new.holds(task.goal):
                return found(following)
            queue.put(following, new)
    return found(None)


class _Queue:
    """The states to expand, in the order of a strategy."""

    def __init__(self, strategy: str, heuristic: str, goal: Formula) -> None:
        self._goal = goal
        self._estimates = strategy != "bfs" and heuristic != "blind"
        self._depth_counts = strategy == "astar"
        self._is_plain = strategy == "bfs"
        self._nodes: deque[Node] = deque()
        self._heap: list[tuple[int, int, Node]] = []
        self._order: Iterator[int] = count()

    def __bool__(self) -> bool:
        return bool(self._nodes or self._heap)

    def put(self, node: Node, truth: Truth) -> None:
        """Add a state."""
        if self._is_plain:
            self._nodes.append(node)
            return
        estimate = missing(self._goal, truth) if self._estimates else 0
        estimate += node.depth if self._depth_counts else 0
        heapq.heappush(self._heap, (estimate, next(self._order), node))

    def pop(self) -> Node:
        """Remove and return the next state."""
        return self._nodes.popleft() if self._is_plain else heapq.heappop(self._heap)[2]


def missing(goal: Formula, truth: Truth) -> int:
    """Return how much of the goal is false at the designated worlds, counted by depth.

    A false conjunction counts the sum of its parts, and a false disjunction the least of them.
    Knowledge of a fact that is false itself counts one more than the fact, and knowledge of a group
    one more for each member that lacks it.
    """
    if truth.holds(goal):
        return 0
    match goal:
        case f.And():
            return max(1, sum(missing(part, truth) for part in goal.operands))
        case f.Or():
            return max(1, min(missing(part, truth) for part in goal.operands))
        case f.K():
            return 1 + missing(goal.operand, truth)
        case f.E() | f.C():
            left = sum(not truth.holds(f.K(agent, goal.operand)) for agent in goal.group)
            return max(1, left) + missing(goal.operand, truth)
    return 1
