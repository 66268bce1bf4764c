"""Epistemic actions on plank's JSON, directly from the definitions.

This shares no code with the product: states are sets of pairs, and formulas are the JSON itself.
`random_task` makes small tasks of all frame classes.
"""

from __future__ import annotations

import random
from typing import Any

Data = dict[str, Any]


class PlainState:
    """A pointed Kripke model with named worlds."""

    def __init__(
        self,
        labels: dict[Any, frozenset[str]],
        edges: dict[str, set[tuple[Any, Any]]],
        designated: set[Any],
    ) -> None:
        self.labels = labels
        self.edges = edges
        self.designated = designated
        self._seen: dict[tuple[str, Any], list[Any]] = {}
        for agent, pairs in edges.items():
            for world, seen in pairs:
                self._seen.setdefault((agent, world), []).append(seen)

    @classmethod
    def first(cls, task: Data) -> PlainState:
        """Return the initial state of a task."""
        state = task["initial-state"]
        edges = {
            agent: {(w, v) for w, seen in rows.items() for v in seen}
            for agent, rows in state["relations"].items()
        }
        labels = {w: frozenset(state["labels"][w]) for w in state["worlds"]}
        return cls(labels, edges, set(state["designated"]))

    def seen(self, agent: str, world: Any) -> list[Any]:
        """Return the worlds that the agent considers possible."""
        return self._seen.get((agent, world), [])

    def true(self, formula: Any, world: Any) -> bool:
        """Return whether a formula is true at a world."""
        if isinstance(formula, str):
            if formula in ("true", "false"):
                return formula == "true"
            return formula in self.labels[world]
        if "connective" in formula:
            kind = formula["connective"]
            if kind == "not":
                return not self.true(formula["formula"], world)
            parts = [self.true(part, world) for part in formula["formulas"]]
            if kind == "and":
                return all(parts)
            if kind == "or":
                return any(parts)
            return not parts[0] or parts[1]
        if "modality-name" not in formula:
            return self.true(formula["formula"], world)
        return self._modal(formula, world)

    def _modal(self, formula: Data, world: Any) -> bool:
        kind, inner, group = (
            formula["modality-name"],
            formula["formula"],
            formula["modality-index"],
        )
        if kind.startswith("C."):
            reached: set[Any] = set()
            new = {v for agent in group for v in self.seen(agent, world)}
            while new:
                reached |= new
                new = {v for w in new for agent in group for v in self.seen(agent, w)} - reached
            truths = [self.true(inner, v) for v in reached]
            return all(truths) if kind == "C.box" else any(truths)
        results = []
        for agent in group:
            truths = [self.true(inner, v) for v in self.seen(agent, world)]
            results.append(
                {
                    "box": all(truths),
                    "diamond": any(truths),
                    "Kw.box": all(truths) or not any(truths),
                    "Kw.diamond": any(truths) and not all(truths),
                }[kind]
            )
        return all(results)

    def holds(self, formula: Any) -> bool:
        """Return whether a formula is true at all designated worlds."""
        return all(self.true(formula, world) for world in self.designated)

    def after(self, action: Data) -> PlainState | None:
        """Return the state after an action; None if it is not applicable."""
        needs = action["preconditions"]
        for world in self.designated:
            if not any(self.true(needs[event], world) for event in action["designated"]):
                return None
        kinds = {}
        for agent, cases in action["observability-conditions"].items():
            kinds[agent] = next(iter(action["relations"]))
            for kind, condition in cases.items():
                if self.holds(condition):
                    kinds[agent] = kind
        pairs = [
            (world, event)
            for world in self.labels
            for event in action["events"]
            if self.true(needs[event], world)
        ]
        labels = {}
        for world, event in pairs:
            label = set(self.labels[world])
            for atom, condition in action["effects"][event].items():
                if self.true(condition, world):
                    label.add(atom)
                else:
                    label.discard(atom)
            labels[world, event] = frozenset(label)
        edges = {
            agent: {
                ((w, e), (v, d))
                for w, e in pairs
                for v, d in pairs
                if (w, v) in self.edges[agent] and d in action["relations"][kinds[agent]][e]
            }
            for agent in self.edges
        }
        designated = {
            (w, e) for w, e in pairs if w in self.designated and e in action["designated"]
        }
        return PlainState(labels, edges, designated)


# ---- random tasks -----------------------------------------------------------------------------

AGENTS = ("a", "b", "c")
ATOMS = ("p", "q", "r")


def random_formula(chance: random.Random, depth: int) -> Any:
    """Return a random formula with at most this many nested operators."""
    if depth == 0 or chance.random() < 0.2:
        return chance.choice((*ATOMS, *ATOMS, "true", "false"))
    if chance.random() < 0.5:
        kind = chance.choice(("not", "and", "or", "imply"))
        if kind == "not":
            return {"connective": "not", "formula": random_formula(chance, depth - 1)}
        parts = [random_formula(chance, depth - 1) for _ in range(2)]
        return {"connective": kind, "formulas": parts}
    kind = chance.choice(("box", "diamond", "Kw.box", "Kw.diamond", "C.box", "C.diamond"))
    return {
        "modality-name": kind,
        "modality-index": chance.sample(AGENTS, chance.randint(1, len(AGENTS))),
        "formula": random_formula(chance, depth - 1),
    }


def random_relation(chance: random.Random, nodes: list[str], frames: str) -> dict[str, list[str]]:
    """Return a random relation of a class of frames: S5, KD45 or K."""
    if frames == "K":
        return {node: [v for v in nodes if chance.random() < 0.4] for node in nodes}
    cell = {node: chance.randrange(len(nodes)) for node in nodes}
    rows = {node: [v for v in nodes if cell[v] == cell[node]] for node in nodes}
    if frames == "S5":
        return rows
    believed = {
        number: chance.sample(row, chance.randint(1, len(row)))
        for number, row in ((cell[node], rows[node]) for node in nodes)
    }
    return {node: believed[cell[node]] for node in nodes}


def random_task(seed: int) -> Data:
    """Return a small random task."""
    chance = random.Random(seed)
    frames = ("S5", "KD45", "K")[seed % 3]
    worlds = [f"w{number}" for number in range(chance.randint(1, 4))]
    actions = {}
    for name in ("one", "two"):
        events = [f"e{number}" for number in range(chance.randint(1, 3))]
        kinds = ["S", "T"][: chance.randint(1, 2)]
        deep = chance.randint(0, 2)
        actions[name] = {
            "action-type": "any",
            "events": events,
            "designated": chance.sample(events, chance.randint(1, len(events))),
            "relations": {kind: random_relation(chance, events, frames) for kind in kinds},
            "preconditions": {
                event: {"formula": chance.choice(("true", random_formula(chance, deep)))}
                for event in events
            },
            "effects": {
                event: {
                    atom: {"formula": random_formula(chance, deep)}
                    for atom in chance.sample(ATOMS, chance.randint(0, 2))
                }
                for event in events
            },
            "observability-conditions": {
                agent: {kind: {"formula": random_formula(chance, deep)} for kind in kinds}
                for agent in AGENTS
            },
        }
    return {
        "planning-task-info": {},
        "language": {"atoms": list(ATOMS), "agents": list(AGENTS)},
        "facts": [],
        "initial-state": {
            "worlds": worlds,
            "relations": {agent: random_relation(chance, worlds, frames) for agent in AGENTS},
            "labels": {world: [a for a in ATOMS if chance.random() < 0.5] for world in worlds},
            "designated": chance.sample(worlds, chance.randint(1, min(2, len(worlds)))),
        },
        "actions": actions,
        "goal": {"formula": random_formula(chance, 2)},
    }


def differences(seed: int) -> list[str]:
    """Return where the product and the definitions disagree on a random task and a random run."""
    from symkripke.engines.explicit.frames import Truth
    from symkripke.problems.epddl.task_json import task_of
    from symkripke.problems.planning.states import FrameStates, MaskStates

    data = random_task(seed)
    task = task_of(data)
    read = task_of({**data, "goal": {"formula": "true"}})
    chance = random.Random(seed)
    plain = PlainState.first(data)
    model = task.start
    kept: list[FrameStates | MaskStates] = [
        FrameStates(task),
        *([MaskStates(task)] if task.is_s5 else []),
    ]
    states = [each.first() for each in kept]
    found = []
    for step in range(4):
        for _ in range(4):
            formula = random_formula(chance, 3)
            asked = task_of({**data, "goal": {"formula": formula}}).goal
            truths = [Truth(model).holds(asked), *[state.truth().holds(asked) for state in states]]
            if truths != [plain.holds(formula)] * len(truths):
                found.append(f"seed {seed}, step {step}: {asked}: {truths}")
        name = chance.choice(list(data["actions"]))
        after = plain.after(data["actions"][name])
        action = read.actions[name]
        possible = action.possible(Truth(model))
        if bool(possible) != (after is not None):
            found.append(f"seed {seed}, step {step}: {name} is applicable: {bool(possible)}")
            break
        if after is None or len(after.labels) > 150:
            break
        plain = after
        model = action.after(Truth(model), possible)
        states = [
            each.after(task.actions[name], state.truth(), possible)
            for each, state in zip(kept, states, strict=True)
        ]
    return found
