"""The selection of the worlds to draw. Engines find them one at a time, without a full list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from symkripke.engines import Engine, engine
from symkripke.engines.bdd import BddEngine
from symkripke.errors import (
    ImpossibleEvent,
    InputError,
    TooManyNodes,
    TooManyWorlds,
    Unsupported,
    in_digits,
)
from symkripke.explain import AfterAnnouncement, Combined, CounterWorld, Evidence, Known, Possible
from symkripke.language import TRUE, Atom, Formula, Name, conjunction, exactly, negation
from symkripke.limits import look
from symkripke.model import KnowledgeStructure, Perspective, Scene, World, evaluate

MOST_WORLDS = 120
"""The maximum number of worlds in a readable picture."""

MOST_NEAR = 60
"""The maximum number of worlds in a neighbourhood."""

# The maximum number of nodes of the diagram that lists the worlds. Filling it takes about 0.1 s.
_NODES = 200_000

Progress = Callable[[int, int], None]
"""A function that is called with the number of finished parts and the number of all parts."""


@dataclass(frozen=True)
class WorldSelection:
    """A selection of worlds for a drawing.

    Attributes:
        structure: the structure of the worlds.
        worlds: the worlds, each with a value for every version of every fluent.
        total: the number of worlds of the structure; None if unknown.
        open: pairs of an agent and the index of a world whose cell contains further worlds.
    """

    structure: KnowledgeStructure
    worlds: tuple[World, ...]
    total: int | None = None
    open: frozenset[tuple[str, int]] = frozenset()

    @property
    def whole(self) -> bool:
        """True if these are all worlds."""
        return self.total == len(self.worlds)


def all_worlds(structure: KnowledgeStructure, most: int = MOST_WORLDS) -> WorldSelection:
    """Return all worlds of a structure, in the order of its fluents and values.

    Raises:
        TooManyWorlds: there are more than `most` worlds.
        ImpossibleEvent: there are no worlds.
    """
    try:
        description = BddEngine(_NODES).describe(structure, TRUE, first=most + 1, parts=1)
    except (TooManyNodes, Unsupported):
        worlds, many = _one_by_one(structure, most), f"more than {most:,}"
    else:
        worlds, many = list(description.worlds), in_digits(description.number)
    if len(worlds) > most:
        raise TooManyWorlds(
            f"there are {many} worlds, and a picture has at most {most:,}: draw those near the "
            "actual world, the way of a question, or a later moment"
        )
    if not worlds:
        raise ImpossibleEvent("no world obeys the law: there is nothing to draw")
    worlds.sort(key=lambda world: _place(structure, world))
    return WorldSelection(structure, tuple(worlds), len(worlds))


def _place(structure: KnowledgeStructure, world: World) -> tuple[int, ...]:
    """Return the key that sorts worlds by their values; for Boolean fluents, true comes first."""
    return tuple(
        int(world[name] == "false") if fluent.is_boolean else fluent.values.index(world[name])
        for name, fluent in structure.vocabulary.fluents.items()
    )


def has_more_worlds(structure: KnowledgeStructure, most: int) -> bool:
    """Return whether there are more than `most` worlds, without a diagram of all of them."""
    return len(_one_by_one(structure, most)) > most


def _one_by_one(structure: KnowledgeStructure, most: int) -> list[World]:
    """Return all worlds, or `most + 1` of them if there are more than `most`."""
    asked = engine()
    others: Formula = TRUE
    worlds: list[World] = []
    while len(worlds) <= most:
        world = asked.witness(structure, others)
        if world is None:
            break
        worlds.append(world)
        others = conjunction((others, negation(is_world(world))))
    return worlds


def is_world(world: World) -> Formula:
    """Return the formula of a world."""
    return conjunction(_atoms(world, world))


def _atoms(world: World, names: Iterable[str]) -> list[Formula]:
    # Name the versions, because a plain name may now refer to a later version.
    stated: list[Formula] = []
    for name in names:
        given, value = Name.of(name), world[name]
        version = given if given.is_version else given.at(0)
        atom = Atom(version) if value in ("true", "false") else Atom(version, value)
        stated.append(negation(atom) if value == "false" else atom)
    return stated


# ---- the neighbourhood of a world -------------------------------------------------------------


def near(
    place: Scene | Perspective,
    depth: int,
    width: int = 1,
    agents: Sequence[str] = (),
    tell: Progress | None = None,
    about: Sequence[Formula] = (),
) -> WorldSelection:
    """Return the actual world and the worlds within `depth` steps of it, the most similar first.

    For each world and agent, the engine finds up to `width` other worlds that the agent cannot tell
    from it, and that differ from it in the fewest fluents. With formulas in `about`, any two worlds
    of a cell differ in the truth of one of them. For a perspective, a world that its agent
    considers possible takes the role of the actual world.
    """
    structure = place.structure
    asked = engine()
    start = place.world if isinstance(place, Scene) else asked.witness(place, TRUE)
    if start is None:
        raise ImpossibleEvent("no world is possible: there is nothing to draw")
    group = tuple(agents) or structure.agents
    walk = _Walk(structure, asked, [start], tuple(map(structure.resolve, about)))
    reached = 0
    for _ in range(depth):
        level = range(reached, len(walk.worlds))
        reached = len(walk.worlds)
        for number, here in enumerate(level):
            look()
            if tell is not None:
                tell(number, len(level))
            for agent in group:
                walk.widen(here, agent, width)
    return WorldSelection(structure, tuple(walk.worlds), None, walk.open_cells(group))


class _Walk:
    """Worlds reached so far, and the engine that finds more of them."""

    def __init__(
        self,
        structure: KnowledgeStructure,
        asked: Engine,
        worlds: list[World],
        about: Sequence[Formula],
    ) -> None:
        self.structure = structure
        self.asked = asked
        self.worlds = worlds
        self._about = about
        # Worlds may differ in the last version of each fluent.
        versions = structure.versions
        self._current = [
            version
            for name in structure.vocabulary.plain
            if isinstance(version := versions.get(name, name), str)
        ]

    def _others(self, places: Iterable[int]) -> Formula:
        """Return the formula of the worlds that differ from these."""
        return conjunction(negation(self._like(self.worlds[place])) for place in places)

    def _like(self, world: World) -> Formula:
        """Return the formula of this world, or of all that agree with it on the formulas."""
        if not self._about:
            return is_world(world)
        return conjunction(
            fact if evaluate(fact, world) else negation(fact) for fact in self._about
        )

    def cell(self, here: int, agent: str) -> list[int]:
        """Return the indices of the known worlds that the agent cannot tell from this one."""
        views = [observed(self.structure, agent, world) for world in self.worlds]
        return [place for place, view in enumerate(views) if view == views[here]]

    def widen(self, here: int, agent: str, width: int) -> None:
        """Find worlds until the agent's cell has `width` others, or no more exist."""
        view = Scene(self.structure, self.worlds[here]).perspective(agent)
        while len(members := self.cell(here, agent)) <= width:
            others = self._others(members)
            world = self._likest(view, self.worlds[here], others)
            if world is None:
                return
            if len(self.worlds) >= MOST_NEAR:
                raise TooManyWorlds(
                    f"the neighbourhood has more than {MOST_NEAR} worlds: draw it to a smaller "
                    "depth, for fewer agents, or the way of a question"
                )
            self.worlds.append(world)

    def _likest(self, view: Perspective, here: World, others: Formula) -> World | None:
        """Return a world of the view that differs from `here` in the fewest fluents."""
        if self.asked.witness(view, others) is None:
            return None
        same = _atoms(here, self._current)
        # Try the smallest differences first.
        for differences in range(1, len(same) + 1):
            stated = exactly(len(same) - differences, same)
            world = self.asked.witness(view, conjunction((others, stated)))
            if world is not None:
                return world
        return self.asked.witness(view, others)

    def open_cells(self, agents: Iterable[str]) -> frozenset[tuple[str, int]]:
        """Return the pairs of an agent and a world whose cell has further worlds."""
        cells: set[tuple[str, int]] = set()
        for agent in agents:
            left = set(range(len(self.worlds)))
            while left:
                look()
                here = min(left)
                cell = self.cell(here, agent)
                left -= set(cell)
                view = Scene(self.structure, self.worlds[here]).perspective(agent)
                others = self._others(cell)
                if self.asked.witness(view, others) is not None:
                    cells |= {(agent, place) for place in cell}
        return frozenset(cells)


def observed(structure: KnowledgeStructure, agent: str, world: World) -> tuple[bool, ...]:
    """Return the agent's observations at a world, equal for indistinguishable worlds."""
    return tuple(
        world[observable.atom.fluent] == observable.atom.value
        for observable in structure.observables[agent]
    )


def plausibility(structure: KnowledgeStructure, agent: str, world: World) -> tuple[bool, ...]:
    """Return the soft constraints that are false at a world; a smaller result is more plausible."""
    order = structure.plausibility(agent)
    return tuple(not evaluate(soft.formula, world) for soft in order)


# ---- the path of a question -------------------------------------------------------------------


@dataclass(frozen=True)
class WayStep:
    """A step on the path of a question, between indices of a list of worlds."""

    agents: tuple[str, ...]
    start: int
    end: int
    shows: Formula
    plausible: bool


def way(
    scene: Scene, formula: Formula | str, asked: Engine
) -> tuple[list[World], list[WayStep], str]:
    """Return the worlds that show why a formula is true or false, the actual world first.

    Returns:
        the worlds, the steps between them, and the answer, "yes" or "no".

    Raises:
        InputError: the answer follows from known facts, so no worlds show it.
    """
    answer = asked.holds(scene, formula)
    chains = list(_chains(answer.why()))
    said = "yes" if answer else "no"
    if not chains:
        raise InputError(
            f"{said}: {answer.formula} follows from known facts, not from a "
            "counterexample, so there is no path to draw; `symkripke ask --why` and "
            "`check --why` list the facts"
        )
    worlds: list[World] = [dict(scene.world)]
    steps: list[WayStep] = []
    for chain in chains:
        places: list[int] = []
        for step in chain:
            start = 0
            if places and step.origin != -1:
                start = places[-1 if step.origin is None else step.origin]
            world = dict(step.world)
            if world not in worlds:
                worlds.append(world)
            places.append(worlds.index(world))
            step_to = WayStep(step.agent, start, places[-1], step.shows, step.plausible)
            if step_to not in steps:
                steps.append(step_to)
    return worlds, steps, said


def _chains(evidence: Evidence) -> Iterable[tuple[CounterWorld, ...]]:
    match evidence:
        case Possible():
            yield evidence.worlds
        case Combined():
            for part in evidence.parts:
                yield from _chains(part)
        case AfterAnnouncement(reason=reason):
            yield from _chains(reason)
        case Known(others=others) if others is not None and others.example is not None:
            yield from _chains(others.example)


# ---- effects of events on worlds --------------------------------------------------------------


def vanishing(before: WorldSelection, after: KnowledgeStructure) -> frozenset[int]:
    """Return the indices of the worlds excluded by the events between the two structures."""
    asked = engine()
    return frozenset(
        place
        for place, world in enumerate(before.worlds)
        if asked.witness(after, is_world(world)) is None
    )


def consecutive(structures: Sequence[KnowledgeStructure]) -> bool:
    """Return whether each structure results from its predecessor by events."""
    return all(
        any(stage is before for stage in after.stages) for before, after in pairwise(structures)
    )
