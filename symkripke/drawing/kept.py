"""The picture after an event in the places of the picture before it."""

from __future__ import annotations

from dataclasses import replace

from symkripke.drawing.geometry import Box, Layout
from symkripke.drawing.picture import DrawnWorld, Picture
from symkripke.drawing.svg import Panel


def kept_layout(before: Panel, after: Picture) -> Layout | None:
    """The layout of the panel before without what has vanished; None if it does not fit.

    It fits if an event only removed worlds, so that each cell is a part of a cell before. That is
    so after announcements.
    """
    if before.layout.kind == "table" or len(after.worlds) == 1:
        return None
    old = {_key(world): world for world in before.picture.worlds if not world.vanishes}
    new = {_key(world): world for world in after.worlds}
    if old.keys() != new.keys() or len(new) < len(after.worlds):
        return None
    names = {old[key].name: world.name for key, world in new.items()}
    cells = _kept_cells(before.picture, after, names)
    if cells is None:
        return None
    layout = before.layout
    kept = {cell: now for cell, now in cells.items() if now is not None}
    agents = [cell.agents for cell in before.picture.cells]
    boxes = {names[name]: box for name, box in layout.boxes.items() if name in names}
    placed = replace(
        layout,
        boxes=boxes,
        areas=[
            replace(area, cell=kept[area.cell], agents=agents[area.cell])
            for area in layout.areas
            if area.cell in kept
        ],
        lines=[
            replace(line, owner=kept[line.owner], agents=agents[line.owner])
            for line in layout.lines
            if line.owner in kept and any(_at(box, line.end) for box in boxes.values())
        ],
        marks=[
            replace(mark, owner=kept[mark.owner]) for mark in layout.marks if mark.owner in kept
        ],
    )
    return placed.fitted()


def _key(world: DrawnWorld) -> tuple[tuple[str, ...], int]:
    return world.label, world.number


def _kept_cells(
    before: Picture, after: Picture, names: dict[str, str]
) -> dict[int, int | None] | None:
    """For each cell before the cell that is left of it, None if nothing drawn is left."""
    found: dict[int, int | None] = {}
    accounted: set[tuple[str, int]] = set()
    for number, cell in enumerate(before.cells):
        left = frozenset(names[name] for name in cell.worlds if name in names)
        kept = [
            place
            for place, now in enumerate(after.cells)
            if frozenset(now.worlds) == left and set(cell.agents) <= set(now.agents)
        ]
        if left and not kept:
            return None
        accounted |= {(agent, place) for agent in cell.agents for place in kept}
        gone = not left or (len(left) == 1 and len(cell.worlds) > 1)
        found[number] = None if gone else kept[0]
    if any(cell.ranks or cell.more for cell in (*before.cells, *after.cells)):
        return None
    wanted = {(agent, place) for place, now in enumerate(after.cells) for agent in now.agents}
    return found if accounted == wanted else None


def _at(box: Box, point: tuple[float, float]) -> bool:
    return box.x - 1 <= point[0] <= box.right + 1 and box.y - 1 <= point[1] <= box.bottom + 1
