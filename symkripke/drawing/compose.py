"""Composing the data of a picture from a selection of worlds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from symkripke.drawing.finding import WayStep, WorldSelection, observed, plausibility
from symkripke.drawing.labels import (
    SIZE,
    WIDTH,
    Naming,
    differing,
    key_to_labels,
    label,
    main_family,
    short_names,
)
from symkripke.drawing.merging import Falsehoods, classes, levels, numbered
from symkripke.drawing.picture import Cell, DrawnWorld, PathStep, Picture
from symkripke.drawing.text_width import wrapped
from symkripke.engines import Engine
from symkripke.language import Formula
from symkripke.model import KnowledgeStructure, Perspective, Scene, World

# The maximum number of fluents shown for a model with one world, where no fluent differs.
_MOST_OF_ONE = 8

# If more fluents than this differ, labels show only the differences from the actual world.
_MANY = 3


@dataclass(frozen=True)
class Look:
    """The options of the content, shared by all pictures of a story.

    Attributes:
        naming: the fluents that may be shown, and the words for them.
        agents: the agents whose cells are drawn.
        shown: the fluents that are shown; None for the fluents that differ.
        formula: the formula whose worlds are grey; None for no formula.
    """

    naming: Naming
    agents: tuple[str, ...]
    shown: tuple[str, ...] | None = None
    formula: Formula | str | None = None


def picture_of(
    selection: WorldSelection,
    place: Scene | Perspective | KnowledgeStructure,
    look: Look,
    asked: Engine,
    vanishes: frozenset[int] = frozenset(),
    caption: str = "",
) -> Picture:
    """Return the picture of a selection of worlds, merged up to bisimilarity for a whole model."""
    structure = selection.structure
    values = [look.naming.values(structure, world) for world in selection.worlds]
    cells = {
        agent: numbered([observed(structure, agent, world) for world in selection.worlds])
        for agent in look.agents
    }
    plausible = {
        agent: [plausibility(structure, agent, world) for world in selection.worlds]
        for agent in look.agents
    }
    true = _true(selection, look.formula, asked)
    seen = _seen(selection, place)
    actual = _actual(selection, place)
    keys = [
        (tuple(values[place].items()), true[place], place in seen, place in vanishes)
        for place in range(len(values))
    ]
    group = classes(keys, cells, plausible) if selection.whole else list(range(len(values)))
    firsts = [group.index(number) for number in range(max(group) + 1)]
    shown = look.shown or _shown(values, firsts)
    relative = actual is not None and not selection.whole and len(shown) > _MANY
    worlds = tuple(
        DrawnWorld(
            f"w{number + 1}",
            {name: values[first][name] for name in shown if name in values[first]},
            _label(values, first, actual, shown, relative, look.naming),
            _beyond(selection, first, look.agents, cells),
            group.count(number),
            actual is not None and group[actual] == number,
            first in seen,
            true[first],
            first in vanishes,
        )
        for number, first in enumerate(firsts)
    )
    drawn_cells = _cells(selection, look.agents, cells, plausible, group)
    key = key_to_labels(
        shown, values[0], main_family(shown), naming=look.naming, grouped=not relative
    )
    notes = [key] if key else []
    notes += _notes(selection, relative, drawn_cells, worlds)
    return Picture(
        look.agents,
        worlds,
        drawn_cells,
        (),
        shown,
        selection.total,
        "" if look.formula is None else str(look.formula),
        caption,
        tuple(notes),
        look.naming.words,
    )


def _label(
    values: Sequence[Mapping[str, str]],
    place: int,
    actual: int | None,
    shown: Sequence[str],
    relative: bool,
    naming: Naming,
) -> tuple[str, ...]:
    here = values[place]
    named = [name for name in shown if name in here]
    main = main_family(shown)
    if not relative or actual is None or place == actual:
        return label(here, named, main=main, naming=naming)
    changed = [name for name in named if here[name] != values[actual].get(name)]
    lines = label(here, changed, main=main, naming=naming, grouped=False)
    return lines or ("as the actual one, in what is shown",)


def _beyond(
    selection: WorldSelection, place: int, agents: Sequence[str], cells: Mapping[str, Sequence[int]]
) -> str:
    """Return a note of the agents whose cell has other worlds, none of which is drawn."""
    who = [
        agent
        for agent in agents
        if (agent, place) in selection.open and cells[agent].count(cells[agent][place]) == 1
    ]
    short = short_names(agents)
    return f"… {' '.join(short[agent] for agent in who)}" if who else ""


def shown_in(selections: Sequence[WorldSelection], naming: Naming) -> tuple[str, ...] | None:
    """Return the fluents that differ at some moment of a story; None if none does."""
    shown = dict.fromkeys(
        name
        for moment in selections
        for name in differing([naming.values(moment.structure, w) for w in moment.worlds])
    )
    order = naming.names(selections[-1].structure)
    return tuple(name for name in order if name in shown) or None


def _shown(values: Sequence[Mapping[str, str]], places: Sequence[int]) -> tuple[str, ...]:
    differ = differing([values[place] for place in places])
    if differ or len(places) > 1:
        return differ
    return tuple(values[0])[:_MOST_OF_ONE]


def _true(selection: WorldSelection, formula: Formula | str | None, asked: Engine) -> list[bool]:
    if formula is None:
        return [False] * len(selection.worlds)
    structure = selection.structure
    return [bool(asked.holds(Scene(structure, world), formula)) for world in selection.worlds]


def _seen(
    selection: WorldSelection, place: Scene | Perspective | KnowledgeStructure
) -> frozenset[int]:
    """Return the indices of the worlds that fit the observations of a perspective's agent."""
    if not isinstance(place, Perspective):
        return frozenset()
    mine = tuple(truth for _, truth in place.observation)
    return frozenset(
        number
        for number, world in enumerate(selection.worlds)
        if observed(selection.structure, place.agent, world) == mine
    )


def _actual(
    selection: WorldSelection, place: Scene | Perspective | KnowledgeStructure
) -> int | None:
    if not isinstance(place, Scene):
        return None
    worlds = [dict(world) for world in selection.worlds]
    return worlds.index(dict(place.world)) if dict(place.world) in worlds else None


def _cells(
    selection: WorldSelection,
    agents: Sequence[str],
    cells: Mapping[str, Sequence[int]],
    plausible: Mapping[str, Sequence[Falsehoods]],
    group: Sequence[int],
) -> tuple[Cell, ...]:
    """Return the cells of all agents; a cell shared by several agents occurs once."""
    who: dict[tuple[tuple[int, ...], tuple[int, ...], bool], list[str]] = {}
    for agent in agents:
        for number in range(max(cells[agent]) + 1):
            places = [place for place, cell in enumerate(cells[agent]) if cell == number]
            ranks = levels((group[place], plausible[agent][place]) for place in places)
            members = sorted(ranks)
            more_than_known = max(ranks.values()) > 1
            inside = tuple(ranks[member] for member in members) if more_than_known else ()
            more = any((agent, place) in selection.open for place in places)
            agents_there = who.setdefault((tuple(members), inside, more), [])
            if agent not in agents_there:  # merged worlds have merged cells
                agents_there.append(agent)
    return tuple(
        Cell(tuple(names), tuple(f"w{member + 1}" for member in members), inside, more)
        for (members, inside, more), names in who.items()
    )


def _notes(
    selection: WorldSelection, relative: bool, cells: Sequence[Cell], worlds: Sequence[DrawnWorld]
) -> list[str]:
    notes = {
        "Not all worlds are drawn.": selection.total is None,
        "Labels show the differences from the actual world.": relative,
        "Plausibility is compared among the drawn worlds only.": not selection.whole
        and any(cell.ranks for cell in cells),
        "A world with a number stands for that many, which look the same here.": any(
            world.number > 1 for world in worlds
        ),
    }
    return [note for note, holds in notes.items() if holds]


def way_picture(
    structure: KnowledgeStructure,
    worlds: Sequence[World],
    steps: Sequence[WayStep],
    naming: Naming,
    caption: str,
) -> Picture:
    """Return the picture of the worlds of an explanation, with differences marked."""
    values = [naming.values(structure, world) for world in worlds]
    shown = differing(values)
    main = main_family(shown)
    key = key_to_labels(shown, values[0], main, naming=naming, grouped=False)
    origin = {step.end: step.start for step in reversed(steps)} | {0: 0}
    shows: list[list[str]] = [[] for _ in worlds]
    for step in steps:
        words = naming.said(step.shows)
        if step.start == step.end:
            words = f"and, to {' and '.join(map(naming.word, step.agents))}, {words}"
        elif shows[step.end] or step.end == 0:
            continue
        else:
            words = f"there {words}"
        shows[step.end] += wrapped(words, WIDTH, SIZE)
    drawn = []
    for place, here in enumerate(values):
        changed = [name for name in shown if here[name] != values[origin[place]][name]]
        names = [
            name for name in shown if place == 0 or name in changed or here[name] != values[0][name]
        ]
        label_lines = label(here, names, changed, main, naming=naming, grouped=False)
        lines = label_lines or ("everything as it is there",) * (place > 0)
        kept = {name: here[name] for name in shown}
        shown_there = tuple(shows[place])
        drawn.append(DrawnWorld(f"w{place + 1}", kept, lines, actual=place == 0, shows=shown_there))
    agents = {agent for step in steps for agent in step.agents}
    notes = [
        "Not all worlds are drawn.",
        "A * marks a difference from the world before; all else is as in the actual world.",
    ]
    return Picture(
        tuple(agent for agent in structure.agents if agent in agents),
        tuple(drawn),
        steps=tuple(
            PathStep(
                step.agents,
                f"w{step.start + 1}",
                f"w{step.end + 1}",
                str(step.shows),
                step.plausible,
            )
            for step in steps
        ),
        shown=shown,
        caption=caption,
        notes=(*filter(None, [key]), *notes),
        titles=naming.words,
    )
