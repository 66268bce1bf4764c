"""Kripke models with any relations, listed world by world, and the product update over them.

A knowledge structure is S5: agent i cannot tell two worlds apart if they agree on its observables.
A `ListedModel` has an arbitrary relation for each agent, so that an agent may be wrong (KD45) or
consider no world possible (K). Worlds are numbers, and a set of worlds is an integer whose bit w
states whether world w is in the set.

The product update (A. Baltag, L. Moss, S. Solecki, 1998): the worlds after an action are the pairs
(w, e) of a world w and an event e that can happen at w, and

    (w, e) -> (w', e')   iff   w -> w'  and  (w, e) Q (w', e')

where Q is a relation over pairs, given as a list of sources and targets. In EPDDL, Q relates events
alone. The signals of an `ActionModel` are the special case in which Q is "the same signal".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from symkripke.language import Atom
from symkripke.records import dataclass

Worlds: TypeAlias = int
"""A set of worlds, one bit for each."""

Arrows: TypeAlias = tuple[tuple[Worlds, Worlds], ...]
"""A relation: pairs of sources and targets. Each source sees all targets of its pair, and no more.

The sources of two pairs are disjoint. Sources and targets may contain worlds that the model no
longer has.
"""

Pairs: TypeAlias = tuple[Worlds, ...]
"""A set of pairs (w, e): for each event e, the set of the worlds w."""

EVERYWHERE: Worlds = -1
"""The set of all worlds, in a set of pairs."""

_ONE_EVENT = (((EVERYWHERE,), (EVERYWHERE,)),)


@dataclass(frozen=True, eq=False)
class ListedModel:
    """A pointed Kripke model, listed world by world.

    Attributes:
        size: a number above all worlds.
        worlds: the set of worlds.
        designated: the worlds that may be the actual one. A formula is true if it is true at all of
            them.
        truth: for each atom, the set of worlds at which it is true.
        arrows: the relation of each agent.
    """

    size: int
    worlds: Worlds
    designated: Worlds
    truth: Mapping[Atom, Worlds]
    arrows: Mapping[str, Arrows]

    @property
    def number(self) -> int:
        """The number of worlds."""
        return self.worlds.bit_count()

    def successors(self, agent: str, world: int) -> Worlds:
        """Return the set of worlds that the agent considers possible at a world."""
        for sources, targets in self.arrows[agent]:
            if sources >> world & 1:
                return targets & self.worlds
        return 0

    def reachable(self) -> Worlds:
        """Return the set of worlds that agents reach from the designated worlds by any steps."""
        reached = new = self.designated
        pairs = {pair for arrows in self.arrows.values() for pair in arrows}
        while new:
            met = {pair for pair in pairs if pair[0] & new}
            pairs -= met
            new = 0
            for _, targets in met:
                new |= targets
            new &= self.worlds & ~reached
            reached |= new
        return reached


def arrows_of(successors: Iterable[Worlds]) -> Arrows:
    """Return the relation in which world w sees the set number w."""
    sources: dict[Worlds, Worlds] = {}
    for world, targets in enumerate(successors):
        if targets:
            sources[targets] = sources.get(targets, 0) | 1 << world
    return tuple((seeing, targets) for targets, seeing in sources.items())


def numbers(worlds: Worlds) -> Iterator[int]:
    """Yield the worlds of a set, in order."""
    # Removing one bit at a time would take quadratic time.
    for world, bit in enumerate(reversed(f"{worlds:b}")):
        if bit == "1":
            yield world


@dataclass(frozen=True, eq=False)
class ListedEvent:
    """An event at a listed model.

    Attributes:
        possible: the set of worlds at which it can happen.
        values: for each atom that it changes, the set of worlds at which it becomes true.
    """

    possible: Worlds
    values: Mapping[Atom, Worlds]


def product(
    model: ListedModel,
    events: Sequence[ListedEvent],
    sees: Mapping[str, Sequence[tuple[Pairs, Pairs]]],
    designated: Iterable[int],
) -> ListedModel:
    """Return the model after an action.

    If at most one event is possible at each world, the pair (w, e) keeps the number w, and the
    model does not grow. Otherwise its number is e * size + w. Every pair is kept, even if no agent
    reaches it.

    Args:
        model: the model before the action.
        events: the events.
        sees: for each agent, Q as pairs of sources and targets, as for `Arrows`.
        designated: the numbers of the events that may be the actual one.
    """
    possible = [event.possible & model.worlds for event in events]
    union = total = 0
    for here in possible:
        union |= here
        total += here.bit_count()
    step = 0 if union.bit_count() == total else model.size
    places = range(len(events))

    def lifted(parts: Iterable[Worlds]) -> Worlds:
        """Return a set of pairs as a set of worlds of the new model."""
        worlds = 0
        for place, part in zip(places, parts, strict=True):
            worlds |= (part & possible[place]) << (step * place)
        return worlds

    truth = dict(model.truth)
    if step:
        for atom, now in model.truth.items():
            truth[atom] = lifted(event.values.get(atom, now) for event in events)
    else:
        for atom in {atom for event in events for atom in event.values}:
            now = model.truth[atom]
            truth[atom] = lifted(event.values.get(atom, now) for event in events)
    arrows = {}
    for agent, before in model.arrows.items():
        if len(events) == 1 and tuple(sees[agent]) == _ONE_EVENT:
            arrows[agent] = before  # restricted by the new set of worlds
            continue
        after = []
        for seen_from, seen in sees[agent]:
            for sources, targets in before:
                start = lifted(sources & part for part in seen_from)
                if start:
                    end = lifted(targets & part for part in seen)
                    if end:
                        after.append((start, end))
        arrows[agent] = tuple(after)
    actual = set(designated)
    return ListedModel(
        model.size + step * (len(events) - 1),
        lifted(possible),
        lifted(model.designated if place in actual else 0 for place in places),
        truth,
        arrows,
    )
