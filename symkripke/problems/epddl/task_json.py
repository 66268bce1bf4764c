"""Ground tasks in the JSON format of plank, the reference toolkit of EPDDL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from symkripke.errors import InputError
from symkripke.language import FALSE, TRUE, Atom, Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.names import Name
from symkripke.model.listed import ListedModel, Worlds, arrows_of, numbers
from symkripke.problems.epddl.formulas import MODALITIES, implies
from symkripke.problems.planning.task import Action, ActionEvent, Task

# ---- writing ----------------------------------------------------------------------------------


def task_data(task: Task) -> dict[str, Any]:
    """Return a task as plain data for JSON."""
    start = task.start
    return {
        "planning-task-info": {
            "problem": task.name,
            "domain": task.domain,
            "libraries": list(task.libraries),
            "requirements": list(task.requirements),
            "agents-number": len(task.agents),
            "atoms-number": len(start.truth) + len(task.facts),
            "facts-number": sum(task.facts.values()),
            "actions-number": len(task.actions),
            "initial-worlds-number": start.number,
        },
        "language": {
            "atoms": [flat(atom) for atom in (*task.facts, *start.truth)],
            "agents": list(task.agents),
        },
        "facts": [flat(atom) for atom, true in task.facts.items() if true],
        "initial-state": _model_data(task),
        "actions": {name: _action_data(action) for name, action in task.actions.items()},
        "goal": {"formula": formula_data(task.goal)},
    }


def flat(atom: Atom) -> str:
    """Return the name of an atom as in plank: `at_ann_room1`."""
    return "_".join([atom.fluent.functor, *atom.fluent.arguments])


def formula_data(formula: Formula) -> Any:
    """Return a formula as plain data."""
    match formula:
        case f.Constant(value):
            return "true" if value else "false"
        case f.Atom():
            return flat(formula)
        case f.Not() | f.And() | f.Or() | f.Implies():
            parts = [formula_data(part) for part in formula.operands]
            connective = _CONNECTIVES[type(formula)]
            if connective == "not":
                return {"connective": connective, "formula": parts[0]}
            return {"connective": connective, "formulas": parts}
        case f.K() | f.E() | f.M() | f.Kw() | f.C():
            return {
                "modality-name": _MODALITIES[type(formula)],
                "modality-index": list(formula.agents),
                "formula": formula_data(formula.operands[0]),
            }
    raise InputError(f"EPDDL has no formula such as {formula}")


_CONNECTIVES: Mapping[type[Formula], str] = {
    f.Not: "not",
    f.And: "and",
    f.Or: "or",
    f.Implies: "imply",
}
_MODALITIES: Mapping[type[Formula], str] = {
    f.K: "box",
    f.E: "box",
    f.M: "diamond",
    f.Kw: "Kw.box",
    f.C: "C.box",
}


def _model_data(task: Task) -> dict[str, Any]:
    start, names = task.start, task.names

    def named(worlds: Worlds) -> list[str]:
        return [names[world] for world in numbers(worlds)]

    facts = [flat(atom) for atom, true in task.facts.items() if true]
    return {
        "worlds": named(start.worlds),
        "relations": {
            agent: {
                names[world]: named(start.successors(agent, world))
                for world in numbers(start.worlds)
            }
            for agent in task.agents
        },
        "labels": {
            names[world]: facts
            + [flat(atom) for atom, worlds in start.truth.items() if worlds >> world & 1]
            for world in numbers(start.worlds)
        },
        "designated": named(start.designated),
    }


def _action_data(action: Action) -> dict[str, Any]:
    names: list[str] = []
    for event in action.events:
        # Two events of an action may have the same name, such as `nil`.
        taken = names.count(event.name)
        names.append(f"{event.name}-{taken + 1}" if taken else event.name)
    return {
        "action-type": action.kind,
        "events": names,
        "relations": {
            kind: {
                name: [names[other] for other in sorted(row)]
                for name, row in zip(names, rows, strict=True)
            }
            for kind, rows in action.relations.items()
        },
        "designated": [names[number] for number in action.designated],
        "preconditions": {
            name: {"formula": formula_data(event.precondition)}
            for name, event in zip(names, action.events, strict=True)
        },
        "effects": {
            name: {
                flat(atom): {"formula": formula_data(condition)}
                for atom, condition in event.effects.items()
            }
            for name, event in zip(names, action.events, strict=True)
        },
        "observability-conditions": {
            agent: {kind: {"formula": formula_data(condition)} for kind, condition in cases}
            for agent, cases in action.observability.items()
        },
    }


# ---- reading ----------------------------------------------------------------------------------


def task_of(data: Any) -> Task:
    """Return the task in plain data; raise `InputError` if a part is missing or of a wrong kind."""
    try:
        return _Reader(data).task()
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        what = f"the key {error} is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(f"not a ground task in plank's JSON: {what}") from error


class _Reader:
    """A reader of one task."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.facts = {Atom(Name(name)): True for name in data["facts"]}
        atoms = [Atom(Name(name)) for name in data["language"]["atoms"]]
        self.atoms = {flat(atom): atom for atom in atoms}
        self.fluents = [atom for atom in atoms if atom not in self.facts]

    def task(self) -> Task:
        """Return the task."""
        data = self.data
        info = data.get("planning-task-info", {})
        state = data["initial-state"]
        agents = tuple(data["language"]["agents"])
        return Task(
            info.get("problem", ""),
            info.get("domain", ""),
            tuple(info.get("libraries", ())),
            tuple(info.get("requirements", ())),
            agents,
            self.facts,
            self._model(state, agents),
            tuple(state["worlds"]),
            {
                name: self._action(name, action, agents)
                for name, action in (data["actions"] or {}).items()
            },
            self._formula(data["goal"]),
        )

    def _model(self, state: Mapping[str, Any], agents: Sequence[str]) -> ListedModel:
        number = {name: place for place, name in enumerate(state["worlds"])}

        def worlds(names: Iterable[str]) -> Worlds:
            return sum(1 << number[name] for name in set(names))

        truth = dict.fromkeys(self.fluents, 0)
        for name, label in state["labels"].items():
            for atom in label or ():
                if self.atoms[atom] in truth:
                    truth[self.atoms[atom]] |= 1 << number[name]
        arrows = {}
        for agent in agents:
            seen = state["relations"].get(agent) or {}
            arrows[agent] = arrows_of(worlds(seen.get(name, ())) for name in number)
        whole = (1 << len(number)) - 1
        return ListedModel(len(number), whole, worlds(state["designated"]), truth, arrows)

    def _action(self, name: str, data: Mapping[str, Any], agents: Sequence[str]) -> Action:
        events = list(data["events"])
        return Action(
            name,
            data["action-type"],
            tuple(
                ActionEvent(
                    event,
                    self._formula(data["preconditions"][event]),
                    {
                        self.atoms[atom]: self._formula(condition)
                        for atom, condition in (data["effects"].get(event) or {}).items()
                    },
                )
                for event in events
            ),
            tuple(map(events.index, data["designated"])),
            {
                kind: tuple(frozenset(map(events.index, rows[event])) for event in events)
                for kind, rows in data["relations"].items()
            },
            {
                agent: tuple(
                    (kind, self._formula(condition))
                    for kind, condition in data["observability-conditions"][agent].items()
                )
                for agent in agents
            },
        )

    def _formula(self, data: Any) -> Formula:
        if isinstance(data, str):
            if data in ("true", "false"):
                return TRUE if data == "true" else FALSE
            atom = self.atoms[data]
            return TRUE if atom in self.facts else atom
        if "connective" in data:
            return self._connected(data["connective"], data)
        if "modality-name" not in data:
            return self._formula(data["formula"])
        name, group = data["modality-name"], data["modality-index"]
        agents = (group,) if isinstance(group, str) else tuple(group)
        operand = self._formula(data["formula"])
        return MODALITIES[name](agents, operand)

    def _connected(self, connective: str, data: Mapping[str, Any]) -> Formula:
        if connective == "not":
            return negation(self._formula(data["formula"]))
        parts = [self._formula(part) for part in data["formulas"]]
        if connective == "imply":
            return implies(*parts)
        return {"and": conjunction, "or": disjunction}[connective](parts)
