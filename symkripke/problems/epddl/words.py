"""Tasks in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from symkripke.errors import clipped
from symkripke.language import conjunction
from symkripke.language.walk import atoms
from symkripke.model.listed import numbers
from symkripke.problems.epddl.names import RESERVED, Parameter
from symkripke.problems.epddl.reader import Specification, Theory
from symkripke.problems.planning.task import Action, Task

# The number of worlds and the number of actions that are described.
_FIRST = 4


def specification_words(read: Specification) -> Iterator[str]:
    """Yield the lines that describe the files of a task."""
    yield f"domain {read.domain}" + (f", problem {read.problem}" if read.problem else "")
    names = read.names
    types = [f"{name} < {above}" for name, above in names.types.items() if name not in RESERVED]
    yield from _line("types", types)
    yield from _line("libraries", read.libraries)
    for fact, title in ((False, "predicates"), (True, "facts")):
        yield from _line(
            title,
            [
                _call(name, each.parameters)
                for name, each in names.predicates.items()
                if each.is_fact == fact
            ],
        )
    by_type: dict[str, list[str]] = {}
    for name, kind in names.entities.items():
        by_type.setdefault(kind, []).append(name)
    for kind, entities in by_type.items():
        yield from _line(kind, entities)
    for group, members in names.groups.items():
        yield f"group {group}: {', '.join(members) or 'nobody'}"
    for action in read.actions.values():
        events = ", ".join(str(event.name) for event, _ in action.events)
        yield f"action {_call(str(action.name), action.parameters)}: {action.kind.name} of {events}"


def task_words(task: Task) -> Iterator[str]:
    """Yield the lines that describe a ground task."""
    start = task.start
    yield (
        f"{len(start.truth)} atoms, {len(task.facts)} facts, {len(task.actions)} ground actions, "
        f"{'S5' if task.is_s5 else 'not S5: agents may be wrong'}"
    )
    yield f"{start.number:,} worlds, {start.designated.bit_count():,} of them designated"
    for world in islice(numbers(start.designated), _FIRST):
        true = [str(atom) for atom, worlds in start.truth.items() if worlds >> world & 1]
        yield f"  {task.names[world]}: {clipped(', '.join(true), 160) or 'nothing is true'}"
    for agent in task.agents:
        arrows = start.arrows[agent]
        yield f"  {agent}: {len(arrows)} {'cell' if len(arrows) == 1 else 'cells'}"
    yield f"goal {task.goal}"


def theory_words(read: Specification, task: Task) -> Iterator[str]:
    """Yield a line about the atoms that the common knowledge leaves open, if there are any."""
    if not isinstance(read.init, Theory):
        return
    named = set(atoms(conjunction(read.init.law)))
    free = [str(atom) for atom in task.start.truth if atom not in named]
    if free:
        yield (
            f"the common knowledge does not mention {len(free)} atoms, so that each of them "
            f"doubles the number of worlds: {clipped(', '.join(free), 160)}"
        )


def action_words(action: Action) -> Iterator[str]:
    """Yield the lines that describe a ground action."""
    yield f"{action.name} ({action.kind})"
    for number, event in enumerate(action.events):
        kind = "event" if number in action.designated else "apparent event"
        yield f"  {kind} {event.name}: if {event.precondition}"
        for atom, condition in event.effects.items():
            yield f"    {atom} := {condition}"
    for agent, cases in action.observability.items():
        described = [f"{kind} if {condition}" for kind, condition in cases]
        yield f"  {agent}: {', '.join(described)}"


def _line(title: str, items: Iterable[str]) -> Iterator[str]:
    listed = ", ".join(items)
    if listed:
        yield f"{title}: {listed}"


def _call(name: str, parameters: Iterable[Parameter]) -> str:
    given = [f"{parameter} - {' or '.join(sorted(types))}" for parameter, types in parameters]
    return f"{name}({', '.join(given)})" if given else name
