"""Cells as areas: for at most two different partitions of the worlds.

The cells of the first partition are rows, and the cells of the second are columns. Each world is
where its row and its column cross. A cell with all worlds is a frame around them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from symkripke.drawing.geometry import (
    Area,
    Box,
    Layout,
    Mark,
    grid,
    mark_of,
    side_by_side,
    size_of,
)
from symkripke.drawing.picture import Cell, DrawnWorld, Picture

# The gap between worlds that no area separates.
_GAP = 14

# The distances from a world to the edge of its row or column, along the area and across it.
_END = 18
_SIDE = 8

# Cells that are side by side are wrapped at this width.
_WIDE = 900

# The maximum number of columns of a grid, and the maximum number of slots per world.
_MOST_COLUMNS = 16
_MOST_SLOTS = 5

Group = tuple[Cell, ...]


def partitions(picture: Picture) -> tuple[list[int], list[list[int]]]:
    """Return the numbers of the cells with all worlds, and of the cells of each other partition.

    Agents that tell all worlds apart have no partition here, because nothing is drawn for them.
    """
    everything = len(picture.worlds)
    frames = [
        number
        for number, cell in enumerate(picture.cells)
        if len(cell.worlds) == everything and everything > 1
    ]
    blocks: list[list[int]] = []
    for agent in picture.agents:
        mine = [number for number, cell in enumerate(picture.cells) if agent in cell.agents]
        sizes = {len(picture.cells[number].worlds) for number in mine}
        if sizes == {1} or sizes == {everything} or mine in blocks:
            continue
        # Agents that share only some of their cells have separate partitions.
        blocks.append(mine)
    return frames, blocks


def areas_layout(picture: Picture) -> Layout | None:
    """Return the layout in areas; None if areas cannot show the picture clearly."""
    if any(cell.ranks or cell.more for cell in picture.cells):
        return None
    frames, partition = partitions(picture)
    if len(partition) > 2:
        return None
    worlds = {world.name: world for world in picture.worlds}
    if len(partition) == 2:
        layout: Layout | None = _grids(picture, partition[0], partition[1])
    elif partition:
        layout = _flow(picture, partition[0], worlds)
    else:
        layout = Layout("areas", 0, 0, _block(list(worlds.values()))[0])
    if layout is None:
        return None
    return framed(picture, layout, frames).fitted()


def _block(worlds: Sequence[DrawnWorld]) -> tuple[dict[str, Box], float, float]:
    """Return the boxes of worlds in a block close to a square, and its width and height."""
    sizes = [size_of(world) for world in worlds]
    width = max(size[0] for size in sizes)
    height = max(size[1] for size in sizes)
    columns = max(1, round(math.sqrt(len(worlds) * (height + _GAP) / (width + _GAP))))
    boxes = {
        world.name: Box(
            (number % columns) * (width + _GAP),
            (number // columns) * (height + _GAP),
            width,
            height,
        )
        for number, world in enumerate(worlds)
    }
    rows = math.ceil(len(worlds) / columns)
    columns = min(columns, len(worlds))
    return (
        boxes,
        columns * (width + _GAP) - _GAP,
        rows * (height + _GAP) - _GAP,
    )


def _flow(picture: Picture, cells: Sequence[int], worlds: dict[str, DrawnWorld]) -> Layout:
    """Return the layout of one partition: its cells side by side, in several lines if necessary."""
    layouts: list[Layout] = []
    for cell in _sorted(picture, cells):
        text, mark_width, mark_height = mark_of(picture, cell)
        block, width, height = _block([worlds[name] for name in picture.cells[cell].worlds])
        area = Box(0, 0, max(width + 2 * _END, mark_width + 20), height + 2 * _END)
        shift = (area.width - width) / 2
        boxes = {name: box.moved(shift, _END) for name, box in block.items()}
        shown = len(picture.cells[cell].worlds) > 1
        mark = Mark(cell, Box(10, -mark_height / 2, mark_width, mark_height), text)
        areas, marks = ([Area(cell, area)], [mark]) if shown else ((), ())
        layouts.append(Layout("areas", area.width, area.height, boxes, areas, (), marks))
    return side_by_side(layouts, 2 * _GAP, _WIDE)


def _sorted(picture: Picture, cells: Sequence[int]) -> list[int]:
    """Return the cells of a partition, sorted by the values that the worlds of each cell share.

    Ties are broken by the order of their first worlds.
    """
    worlds = {world.name: world for world in picture.worlds}
    places = {world.name: place for place, world in enumerate(picture.worlds)}
    values = {cell: [worlds[name].values for name in picture.cells[cell].worlds] for cell in cells}
    common = [
        name
        for name in picture.shown
        if all(len({here.get(name, "") for here in values[cell]}) == 1 for cell in cells)
    ]
    orders = {name: _value_order(picture, name) for name in common}
    return sorted(
        cells,
        key=lambda cell: (
            *(orders[name][values[cell][0].get(name, "")] for name in common),
            min(places[name] for name in picture.cells[cell].worlds),
        ),
    )


def _value_order(picture: Picture, name: str) -> dict[str, int]:
    """Return the rank of each value of a fluent: by first occurrence, or by size for numbers."""
    values = list(dict.fromkeys(world.values.get(name, "") for world in picture.worlds))
    if all(value.isdecimal() for value in values):
        values.sort(key=int)
    return {value: place for place, value in enumerate(values)}


def _grids(picture: Picture, rows: Sequence[int], columns: Sequence[int]) -> Layout | None:
    """Return the layout of two partitions: grids of the connected parts; None if too large."""
    layouts: list[Layout] = []
    # Single worlds come last, because they fill the gaps.
    for names in sorted(parts(picture, (*rows, *columns)), key=lambda names: len(names) == 1):
        here = [
            [number for number in cells if not names.isdisjoint(picture.cells[number].worlds)]
            for cells in (rows, columns)
        ]
        part = _grid(picture, here[0], here[1], [w for w in picture.worlds if w.name in names])
        if part is None:
            return None
        layouts.append(part.fitted(0))
    return side_by_side(layouts, 2 * _GAP, _WIDE)


def parts(picture: Picture, cells: Sequence[int]) -> list[set[str]]:
    """Return the connected sets of worlds, joined by cells, in order of their first worlds."""
    part = {world.name: {world.name} for world in picture.worlds}
    for number in cells:
        first, *others = picture.cells[number].worlds
        for name in others:
            if part[name] is not part[first]:
                joined = part[first] | part[name]
                part |= dict.fromkeys(joined, joined)
    return list({id(names): names for names in part.values()}.values())


def _grid(
    picture: Picture,
    rows: Sequence[int],
    columns: Sequence[int],
    worlds: Sequence[DrawnWorld],
) -> Layout | None:
    """Return a grid with one partition in rows and the other in columns; None if too large."""
    if len(columns) > len(rows) and len(columns) > _MOST_COLUMNS >= len(rows):
        rows, columns = columns, rows
    crowded = len(rows) * len(columns) > _MOST_SLOTS * len(worlds)
    if len(columns) > _MOST_COLUMNS or crowded:
        return None
    rows, columns = _sorted(picture, rows), _sorted(picture, columns)
    row_of = {n: place for place, cell in enumerate(rows) for n in picture.cells[cell].worlds}
    column_of = {n: place for place, cell in enumerate(columns) for n in picture.cells[cell].worlds}
    slots: dict[tuple[int, int], list[DrawnWorld]] = {}
    for world in worlds:
        slots.setdefault((row_of[world.name], column_of[world.name]), []).append(world)
    blocks = {slot: _block(members) for slot, members in slots.items()}
    across = max(mark_of(picture, cell)[1] for cell in rows) + _END + _SIDE + 8
    down = mark_of(picture, columns[0])[2] / 2 + _END + 2 * _SIDE
    room = grid({slot: block[1:] for slot, block in blocks.items()}, across, down)
    boxes: dict[str, Box] = {}
    for slot, (block, width, height) in blocks.items():
        inside = Box.at(room[slot].centre, width, height)
        boxes |= {name: box.moved(inside.x, inside.y) for name, box in block.items()}
    areas: list[Area] = []
    marks: list[Mark] = []
    for cell in dict.fromkeys((*rows, *columns)):
        names = picture.cells[cell].worlds
        if len(names) == 1:
            continue
        held = Box.around(room[row_of[name], column_of[name]] for name in names)
        text, width, height = mark_of(picture, cell)
        if cell in rows:
            # A cell that is both a row and a column crosses nothing.
            band = held.wider(_SIDE if cell in columns else _END, _SIDE)
            mark = Box(held.x - _END / 2 - width, band.centre[1] - height / 2, width, height)
        else:
            band = held.wider(_SIDE, _END)
            mark = Box(band.centre[0] - width / 2, band.y - height / 2, width, height)
        areas.append(Area(cell, band))
        marks.append(Mark(cell, mark, text))
    return Layout("areas", 0, 0, boxes, areas, (), marks)


def framed(picture: Picture, layout: Layout, frames: Sequence[int]) -> Layout:
    """Return the layout with a frame for each cell with all worlds."""
    areas, marks = list(layout.areas), list(layout.marks)
    inside = Box.around([*layout.boxes.values(), *(a.box for a in areas), *(m.box for m in marks)])
    for cell in frames:
        text, width, height = mark_of(picture, cell)
        inside = inside.wider(_GAP, _GAP + 4)
        if inside.width < width + 30:
            inside = inside.wider((width + 30 - inside.width) / 2, 0)
        # The frame is drawn first, below its content.
        areas.insert(0, Area(cell, inside))
        marks.append(Mark(cell, Box(inside.x + 12, inside.y - 9, width, height), text))
    return replace(layout, areas=areas, marks=marks)
