"""A Kripke model as a graph in DOT, with edges between worlds that agents cannot tell apart.

DOT is the language of Graphviz (E. Gansner, S. North, 2000).
"""

from __future__ import annotations

import itertools

import numpy as np

from symkripke.engines.asked import parsed, structure_of, without_values
from symkripke.engines.explicit.engine import ExplicitEngine
from symkripke.engines.explicit.truth import evaluate
from symkripke.errors import ImpossibleEvent, TooManyWorlds
from symkripke.language import Formula
from symkripke.model import EpistemicState, Fluent, KnowledgeStructure, Perspective, Scene, World

MOST_WORLDS = 100
"""The default maximum number of worlds in a picture."""

_COLOURS = ("#c0392b", "#2471a3", "#1e8449", "#b9770e", "#7d3c98", "#117a65", "#5d6d7e", "#a04000")


def picture(
    place: EpistemicState | KnowledgeStructure,
    formula: Formula | str | None = None,
    most_worlds: int = MOST_WORLDS,
) -> str:
    """Return the worlds of a structure as a graph in DOT.

    Edges join worlds that an agent cannot tell apart. The label of each world lists the atoms that
    are true there, except atoms of fluents with the same value at all worlds. Each agent has a
    colour. For each class of worlds that an agent cannot tell apart, only a path of edges is drawn.
    A double border marks the actual world, or the worlds that a perspective's agent considers
    possible. Worlds at which `formula` is true are grey.

    Raises:
        TooManyWorlds: there are more than `most_worlds` worlds.
        ImpossibleEvent: there is no world.
    """
    structure = structure_of(place)
    engine = ExplicitEngine()
    model = engine.model(structure)
    if model.size > most_worlds:
        raise TooManyWorlds(
            f"there are {model.size:,} worlds, and a picture has at most {most_worlds:,}"
        )
    if not model.size:
        raise ImpossibleEvent("no world obeys the law: there is nothing to draw")
    worlds = [model.table.world(row) for row in range(model.size)]
    marked: set[int] = set()
    if isinstance(place, Scene):
        row = model.row(place.world)
        marked = set() if row is None else {row}
    elif isinstance(place, Perspective):
        marked = {int(row) for row in model.matching(place.observation)}
    true = np.zeros(model.size, dtype=np.bool_)
    if formula is not None:
        stated = structure.resolve(parsed(structure, formula))
        true = evaluate(model, without_values(structure, stated))
    shown = [
        fluent
        for name, fluent in model.table.fluents.items()
        if len({world[name] for world in worlds}) > 1
    ]
    lines = ["graph worlds {", "  // An agent cannot tell apart what a path of its edges joins."]
    if formula is not None:
        lines.append(f"  // Grey: {_comment(str(stated))}")
    lines.append('  node [shape=box, style="rounded,filled", fillcolor=white];')
    for row, world in enumerate(worlds):
        look = ", peripheries=2" if row in marked else ""
        look += ", fillcolor=grey85" if true[row] else ""
        lines.append(f"  w{row} [label={_quoted(_label(shown, world))}{look}];")
    for place_of, agent in enumerate(structure.agents):
        cells = model.cells((agent,))
        colour = _COLOURS[place_of % len(_COLOURS)]
        for cell in range(int(cells.max()) + 1):
            rows = [int(row) for row in np.flatnonzero(cells == cell)]
            for row, following in itertools.pairwise(rows):
                lines.append(
                    f"  w{row} -- w{following} [label={_quoted(agent)}, "
                    f'color="{colour}", fontcolor="{colour}"];'
                )
    return "\n".join((*lines, "}", ""))


def _label(shown: list[Fluent], world: World) -> str:
    """Return the true atoms, one on each line; "-" if there are none."""
    true = []
    for fluent in shown:
        value = world[fluent.name]
        if not fluent.is_boolean:
            true.append(f"{fluent.name} = {value}")
        elif value == "true":
            true.append(fluent.name)
    return "\n".join(true) or "-"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _comment(text: str) -> str:
    return text.replace("\n", " ")
