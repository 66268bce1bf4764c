"""The search for plans: breadth-first, A* and greedy best-first.

Breadth-first search finds shortest plans. A state that is bisimilar to an earlier one is not
expanded again: see `symkripke.problems.planning.states`.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
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
"""The names of the strategies. They expand the state with the least depth, with the least sum of
its depth and `missing`, or with the least `missing`. As one action may make several parts of a goal
true, `missing` is not admissible, and only plans of `bfs` are certainly shortest."""

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
    def plan(self) -> list[str]:
        """The names of the actions that lead to the state."""
        names = []
        node: Node | None = self
        while node is not None and node.action:
            names.append(node.action)
            node = node.before
        return names[::-1]


@dataclass(frozen=True)
class Found:
    """The result of a search.

    Attributes:
        plan: the names of the actions, or an action with its branches: see `validate`. None if
            there is no plan.
        length: the number of actions, in the longest branch; 0 if there is no plan.
        shortest: whether no plan is shorter.
        expanded: the number of states whose actions were tried.
        states: the number of different states.
        depth: the number of actions to the last expanded state.
        seconds: the duration.
    """

    plan: Any
    length: int
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
            f"states: {self.states:,} reached, {self.expanded:,} expanded, depth {self.depth}, "
            f"{self.seconds:.2f} s, {rate:,.0f} per second"
        )
        if self.plan is None:
            return f"no plan: all states are exhausted ({spent})"
        kind = "a shortest plan" if self.shortest else "a plan, perhaps not the shortest,"
        return f"{kind} of {self.length} action{'' if self.length == 1 else 's'} ({spent})"


def search(task: Task, strategy: str = "bfs", tell: Progress | None = None) -> Found:
    """Search for a plan until one is found or all states are exhausted.

    Args:
        task: the task.
        strategy: one of `STRATEGIES`.
        tell: a function that is told about the progress.

    Raises:
        UnknownName: there is no such strategy.
        BudgetExceeded: a limit was reached first.
    """
    check_name("strategy", strategy, STRATEGIES)
    began = time.perf_counter()
    task = task.relevant()
    states = states_of(task)
    first = Node(states.first(), None, "", 0)
    seen = {first.state.key}
    order = count()
    queue: list[tuple[int, int, Node]] = []
    expanded = depth = 0

    def put(node: Node, truth: Truth) -> None:
        """Add a state, behind those of equal rank."""
        rank = 0 if strategy == "greedy" else node.depth
        rank += 0 if strategy == "bfs" else missing(task.goal, truth)
        heapq.heappush(queue, (rank, next(order), node))

    def found(node: Node | None) -> Found:
        seconds = time.perf_counter() - began
        if node is None:
            return Found(None, 0, False, expanded, len(seen), depth, seconds)
        is_shortest = strategy == "bfs" or not node.depth
        plan = node.plan
        return Found(plan, len(plan), is_shortest, expanded, len(seen), depth, seconds)

    truth = first.state.truth()
    if truth.holds(task.goal):
        return found(first)
    put(first, truth)
    while queue:
        look()
        *_, node = heapq.heappop(queue)
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
            put(following, new)
    return found(None)


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
