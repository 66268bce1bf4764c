"""Forgetting: the knowledge of an agent that remembers some events only partly or not at all.

A weaker event replaces each forgotten event, so conclusions that need the forgotten event are lost.
Omitting constraints is not enough if fluents change: an agent that forgets the gift of a card must
not conclude that the card is still in its place. So the history is rebuilt from the first forgotten
event on, with the weaker events. A fluent that may have changed gets a new version, about which
only the weaker event is known.

**Soundness.** An event is *weaker* than what happened if its constraints are true at the actual
world, and its changes allow the actual new values. Then the actual world, with these values for the
new versions, is a world of the weakened structure: it is never lost. This holds for every world of
the full structure. So every formula without operators of knowledge that is known after forgetting
is known without forgetting, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import overload

from symkripke.errors import InputError
from symkripke.language import FALSE, TRUE, Atom, Formula
from symkripke.language import formulas as f
from symkripke.model.actions import ActionModel
from symkripke.model.events import Change, Event
from symkripke.model.perspective import Perspective
from symkripke.model.resolution_cache import Fixed
from symkripke.model.structure import KnowledgeStructure

Forgotten = Iterable[int] | Mapping[int, Event]
"""The numbers of forgotten events, from 1, each optionally with the weaker event remembered."""


def forgotten(event: Event | ActionModel) -> Event:
    """Return the event that replaces a forgotten event: it allows any new values.

    It is weaker than any event with the same fluents and changes. Its fluents stay, because later
    events may name them; nobody observes them.
    """
    source = replace(event.source, text=f"forgotten: {event.source}", when="forgotten")
    if isinstance(event, ActionModel):
        names = [change.fluent for part in event.events for change in part.postconditions]
    else:
        names = [change.fluent for change in event.changes]
    changes = tuple(Change(name, None, source) for name in dict.fromkeys(names))
    return Event(source, fluents=event.fluents, changes=changes)


@overload
def forgetting(state: KnowledgeStructure, events: Forgotten) -> KnowledgeStructure: ...
@overload
def forgetting(state: Perspective, events: Forgotten) -> Perspective: ...
def forgetting(
    state: KnowledgeStructure | Perspective, events: Forgotten
) -> KnowledgeStructure | Perspective:
    """Return the structure or perspective of an agent that has forgotten these events.

    The agent also forgets its observations in a forgotten event. It still sees new versions of the
    atoms that it watches, such as its own hand. The result is meant for questions about the agent's
    own knowledge: in it, the other agents have forgotten the same events.

    Raises:
        InputError: there is no event with this number; or a weaker event lets the agent observe an
            atom that it did not see.
    """
    structure = state if isinstance(state, KnowledgeStructure) else state.structure
    history = structure.moments
    left = dict(events) if isinstance(events, Mapping) else dict.fromkeys(events)
    for number in left:
        if not 1 <= number < len(history):
            raise InputError(f"expected events from 1 to {len(history) - 1}, got {number}")
    if not left:
        return state
    first = min(left)
    rebuilt = history[first - 1]
    for number in range(first, len(history)):
        event = _happened(history[number])
        if number in left:
            event = left[number] or forgotten(event)
        rebuilt = rebuilt.update(event)
    if isinstance(state, KnowledgeStructure):
        return rebuilt
    return Perspective(rebuilt, state.agent, _seen(state, rebuilt))


def _happened(stage: KnowledgeStructure) -> Event | ActionModel:
    """Return the last event of a structure that has one."""
    history = stage.history
    if history.occurrence is not None:
        return history.occurrence.action
    assert history.event is not None
    return history.event


def _seen(perspective: Perspective, rebuilt: KnowledgeStructure) -> frozenset[Atom]:
    """Return the atoms of the new history that the agent sees to be true."""
    agent, history = perspective.agent, perspective.structure.moments
    made: dict[str, tuple[str, KnowledgeStructure]] = {}
    for real, stage in zip(history[1:], rebuilt.moments[1:], strict=True):
        event = stage.history.event
        assert event is not None
        for change in event.changes:
            version = stage.versions[change.fluent]
            if not isinstance(version, Fixed):
                made[version] = change.fluent, real
    observed = {observable.atom for observable in perspective.structure.observables[agent]}
    seen = set()
    for observable in rebuilt.observables[agent]:
        atom = observable.atom
        real_atom: Formula = atom
        if atom.fluent in made:
            name, stage = made[atom.fluent]
            real_atom = stage.resolve(Atom(name, atom.value))
        negated = isinstance(real_atom, f.Not)
        plain = real_atom.operand if isinstance(real_atom, f.Not) else real_atom
        if plain not in (TRUE, FALSE) and plain not in observed:
            raise InputError(f"{agent} did not see {atom}, and cannot remember it")
        if (plain is TRUE or plain in perspective.seen) is not negated:
            seen.add(atom)
    return frozenset(seen)
