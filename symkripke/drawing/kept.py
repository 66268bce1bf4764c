"""Reuse of the layout of a picture for the picture after an event."""

from __future__ import annotations

from dataclasses import replace

from symkripke.drawing.geometry import Layout
from symkripke.drawing.picture import Picture
from symkripke.drawing.svg import Panel


def kept_layout(before: Panel, after: Picture) -> Layout | None:
    """Return the layout of the previous panel without excluded worlds; None if it does not fit.

    It fits if an event only removed worlds, so that each cell is part of an earlier cell. This is
    the case after announcements.
    """
    layout, old = before.layout, before.picture
    if layout.kind == "table" or len(after.worlds) == 1:
        return None
    if any(cell.ranks or cell.more for cell in (*old.cells, *after.cells)):
        return None
    new = {(world.label, world.number): world.name for world in after.worlds}
    names = {
        world.name: new.get((world.label, world.number), "")
        for world in old.worlds
        if not world.vanishes
    }
    if sorted(names.values()) != sorted(world.name for world in after.worlds):
        return None
    left = [frozenset(names[name] for name in cell.worlds if name in names) for cell in old.cells]
    now = {
        (agent, frozenset(cell.worlds)): number
        for number, cell in enumerate(after.cells)
        for agent in cell.agents
    }
    agents = [cell.agents for cell in old.cells]
    pairs = zip(agents, left, strict=True)
    if now.keys() != {(agent, worlds) for who, worlds in pairs for agent in who if worlds}:
        return None
    kept = {
        number: now[agents[number][0], worlds]
        for number, worlds in enumerate(left)
        if len(worlds) > 1 or (worlds and len(old.cells[number].worlds) == 1)
    }
    boxes = {names[name]: box for name, box in layout.boxes.items() if name in names}
    return replace(
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
            if line.owner in kept and any(box.wider(1, 1).holds(line.end) for box in boxes.values())
        ],
        marks=[
            replace(mark, owner=kept[mark.owner]) for mark in layout.marks if mark.owner in kept
        ],
    ).fitted()
