"""The run of a plan, with reasons: what each action tells to whom, and why an action fails.

In S5, agents know; in other models, they believe, and may be wrong. An agent that considers no
world possible at a designated world believes everything, so that a goal about its beliefs is
reached by a contradiction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from symkripke.engines.explicit.frames import Truth
from symkripke.errors import InputError, UnknownName
from symkripke.language import FALSE, Atom, Formula
from symkripke.language import formulas as f
from symkripke.limits import look
from symkripke.model.listed import ListedModel, numbers
from symkripke.problems.planning.states import State, states_of
from symkripke.problems.planning.task import Action, Task
from symkripke.records import dataclass

# The number of sentences about what agents learn or forget in a step.
_SENTENCES = 12


@dataclass(frozen=True)
class Step:
    """A step of a plan.

    Attributes:
        action: the name of the action; empty for the beginning.
        event: the name of the event, in a plan with branches.
        depth: its number in its branch.
        level: the number of branchings before it.
        worlds: the number of worlds after it, up to bisimilarity in models that are not S5.
        learned: sentences about what agents know from now on.
        forgotten: sentences about what they no longer know.
        empty: the agents that consider no world possible from now on.
        failure: why the action is not applicable; empty if it is.
        model: the model after it.
    """

    action: str
    event: str
    depth: int
    level: int
    worlds: int
    learned: tuple[str, ...]
    forgotten: tuple[str, ...]
    empty: tuple[str, ...]
    failure: str
    model: ListedModel


@dataclass(frozen=True)
class Validation:
    """The result of a plan.

    Attributes:
        steps: the steps; with branches, depth first.
        is_applicable: whether all actions are applicable.
        is_reached: whether all actions are applicable and the goal is true in the end.
        missing: the parts of the goal that are false in the end.
    """

    steps: tuple[Step, ...]
    is_applicable: bool
    is_reached: bool
    missing: tuple[Formula, ...]

    def words(self) -> Iterator[str]:
        """Yield the lines that describe the run of the plan."""
        for number, step in enumerate(self.steps):
            indent = "  " * step.level
            if not number:
                yield f"{_worlds(step)} at the beginning"
                for agent in step.empty:
                    yield f"  {agent} considers no world possible"
                continue
            event = f", if {step.event}" if step.event else ""
            if step.failure:
                yield f"{indent}{step.depth}. {step.action} cannot be done: {step.failure}"
                continue
            yield f"{indent}{step.depth}. {step.action}{event}: now {_worlds(step)}"
            for sentence in (*_first(step.learned), *_first(step.forgotten)):
                yield f"{indent}   {sentence}"
            for agent in step.empty:
                yield (
                    f"{indent}   {agent} considers no world possible any more, and believes "
                    "everything"
                )
        if self.is_reached:
            yield "the goal is reached"
        for part in self.missing:
            yield f"the goal is not reached: {part} is false"

    @property
    def data(self) -> dict[str, Any]:
        """The result as plain data for JSON."""
        return {
            "applicable": self.is_applicable,
            "goal": self.is_reached,
            "missing": [str(part) for part in self.missing],
            "steps": [
                {
                    "action": step.action,
                    "event": step.event,
                    "depth": step.depth,
                    "worlds": step.worlds,
                    "learned": list(step.learned),
                    "forgotten": list(step.forgotten),
                    "no-world": list(step.empty),
                    "failure": step.failure,
                }
                for step in self.steps
            ],
        }


def validate(task: Task, plan: Any) -> Validation:
    """Run a plan, and explain each step.

    Args:
        task: the task.
        plan: the names of actions; or, as `{"action": ..., "branches": {...}}`, the name of an
            action and a plan for each of its events that may happen.

    Raises:
        InputError: a part of the plan has another form.
        UnknownName: the plan names an unknown action or event.
    """
    return _Run(task).result(plan)


def _begun(plan: Any) -> tuple[str, Mapping[str, Any]] | None:
    """Return the first action, and the plan after each event; None at the end of the plan.

    In a plan without branches, the event is empty.
    """
    match plan:
        case None | []:
            return None
        case [str(name), *rest]:
            return name, {"": rest}
        case {"action": str(name), **others}:
            branches = others.get("branches", {})
            if isinstance(branches, Mapping):
                return name, branches
    raise InputError("expected a plan: a list of actions, or {'action': ..., 'branches': {...}}")


class _Run:
    """The run of one plan."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._states = states_of(task)
        self._missing: dict[Formula, None] = {}
        self._is_applicable = True

    def result(self, plan: Any) -> Validation:
        """Return the result of the plan."""
        first = self._states.first()
        steps = [self._step(("", "", 0, 0), None, first.truth())]
        steps += self._steps(plan, first, 1, 0)
        missing = tuple(self._missing)
        return Validation(
            tuple(steps),
            self._is_applicable,
            self._is_applicable and not missing,
            missing,
        )

    def _steps(self, plan: Any, state: State, depth: int, level: int) -> Iterator[Step]:
        look()
        truth = state.truth()
        begun = _begun(plan)
        if begun is None:
            goal = self._task.goal
            parts = goal.operands if isinstance(goal, f.And) else (goal,)
            self._missing.update((part, None) for part in parts if not truth.holds(part))
            return
        name, branches = begun
        action = self._task.actions.get(name)
        if action is None:
            raise UnknownName("action", name, list(self._task.actions))
        possible = action.possible(truth)
        if not possible:
            self._is_applicable = False
            yield self._step((name, "", depth, level), truth, truth, self._why(action, truth))
            return
        by_name = {action.events[number].name: [number] for number in possible}
        if "" in branches:
            by_name = {"": possible}
        for event in branches:
            if event and event not in [each.name for each in action.events]:
                raise UnknownName("event", event, list(by_name))
        deeper = level + (len(by_name) > 1)
        for event, happening in by_name.items():
            after = self._states.after(action, truth, happening)
            yield self._step((name, event, depth, level), truth, after.truth())
            yield from self._steps(branches.get(event), after, depth + 1, deeper)

    def _step(
        self, at: tuple[str, str, int, int], before: Truth | None, after: Truth, failure: str = ""
    ) -> Step:
        """Return the step with this action, event, depth and level."""
        empty = [agent for agent in self._task.agents if after.holds(f.K(agent, FALSE))]
        already: list[str] = []
        learned: dict[Formula, list[str]] = {}
        forgotten: dict[Formula, list[str]] = {}
        if before is not None:
            already = [agent for agent in empty if before.holds(f.K(agent, FALSE))]
            known, now = _known(self._task, before), _known(self._task, after)
            for (agent, atom), literal in now.items():
                if agent not in empty and known.get((agent, atom)) is not literal:
                    learned.setdefault(literal, []).append(agent)
            for (agent, atom), literal in known.items():
                if (agent, atom) not in now:
                    forgotten.setdefault(literal, []).append(agent)
        one, many = ("knows", "know") if self._task.is_s5 else ("believes", "believe")
        return Step(
            *at,
            after.model.number,
            tuple(
                f"{_listed(agents)} {one if len(agents) == 1 else many} {literal}"
                for literal, agents in learned.items()
            ),
            tuple(
                f"{_listed(agents)} no longer {one if len(agents) == 1 else many} {literal}"
                for literal, agents in forgotten.items()
            ),
            tuple(agent for agent in empty if agent not in already),
            failure,
            replace(after.model, truth={atom: after(atom) for atom in self._task.start.truth}),
        )

    def _why(self, action: Action, truth: Truth) -> str:
        """Return why an action is not applicable: a designated world without a possible event."""
        model, left = truth.model, truth.model.designated
        for number in action.designated:
            left &= ~truth(action.events[number].precondition)
        world = next(numbers(left))
        reasons = []
        for number in action.designated:
            event = action.events[number]
            needed = event.precondition
            parts = needed.operands if isinstance(needed, f.And) else (needed,)
            false = next(part for part in parts if not truth(part) >> world & 1)
            reasons.append(f"{event.name} needs {false}, which is false")
        several = model.designated.bit_count() > 1
        where = f"at a designated world where {_described(self._task, truth, world)}, "
        return f"{where if several else ''}{' and '.join(reasons)}"


def _worlds(step: Step) -> str:
    return f"{step.worlds:,} world{'' if step.worlds == 1 else 's'}"


def _first(sentences: Sequence[str]) -> Sequence[str]:
    """Return the first sentences, and the number of the others."""
    if len(sentences) <= _SENTENCES:
        return sentences
    return [*sentences[:_SENTENCES], f"and {len(sentences) - _SENTENCES} more"]


def _listed(agents: Sequence[str]) -> str:
    *others, last = agents
    return f"{', '.join(others)} and {last}" if others else last


def _known(task: Task, truth: Truth) -> dict[tuple[str, Atom], Formula]:
    """Return each literal that an agent knows at all designated worlds, by agent and atom."""
    known: dict[tuple[str, Atom], Formula] = {}
    for atom in task.start.truth:
        for agent in task.agents:
            for literal in (atom, ~atom):
                if truth.holds(f.K(agent, literal)):
                    known[agent, atom] = literal
    return known


def _described(task: Task, truth: Truth, world: int) -> str:
    """Return the facts of a designated world that differ among the designated worlds."""
    designated = truth.model.designated
    literals: list[Atom | Formula] = []
    for atom in task.start.truth:
        true = truth(atom)
        if true & designated and designated & ~true:
            literals.append(atom if true >> world & 1 else ~atom)
    return ", ".join(map(str, literals)) or "all facts are the same"
