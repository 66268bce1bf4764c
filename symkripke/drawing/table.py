"""A layout for many worlds: worlds are rows, agents are columns, and cells are numbered bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symkripke.drawing.geometry import (
    MARK_HEIGHT,
    MARK_SIZE,
    PADDING,
    TIMES,
    Area,
    Box,
    Layout,
    Mark,
    Text,
    mark_size,
    mark_text,
)
from symkripke.drawing.labels import SIZE
from symkripke.drawing.picture import DrawnWorld, Picture
from symkripke.drawing.text_width import text_width

_ROW = 29
_GAP = 6
_HEAD = 30


def line_of(world: DrawnWorld) -> str:
    """Return the label of a world in one line."""
    text = ", ".join(line.rstrip(",") for line in world.label)
    return f"{text} {TIMES}{world.number:,}" if world.number > 1 else text


def table_layout(picture: Picture) -> Layout:
    """Return the layout as a table; the worlds of a cell are adjacent if possible."""
    order = _order(picture)
    label = max(text_width(line_of(world), SIZE, bold=True) for world in picture.worlds)
    width = label + 2 * PADDING
    tops = {world.name: _HEAD + place * _ROW for place, world in enumerate(order)}
    boxes = {name: Box(0, top, width, _ROW - 5) for name, top in tops.items()}
    areas: list[Area] = []
    marks: list[Mark] = []
    texts: list[Text] = []
    x = width + 14
    for agent in picture.agents:
        mine = [number for number, cell in enumerate(picture.cells) if agent in cell.agents]
        mine.sort(key=lambda number: min(tops[name] for name in picture.cells[number].worlds))
        numbers = {cell: str(place + 1) for place, cell in enumerate(mine)}
        wide = max(30.0, text_width(f"{len(mine)} …", MARK_SIZE) + 12)
        ranked = any(picture.cells[number].ranks for number in mine)
        head = mark_text((agent,), picture.agents)
        head_width, _ = mark_size(head)
        marks.append(Mark(-1, Box(x + (wide - head_width) / 2, 2, head_width, MARK_HEIGHT), head))
        for cell in mine:
            areas += _bars(picture, cell, tops, x, wide, numbers[cell])
            texts += _ranks(picture, cell, tops, x + wide + 3)
        x += wide + (20 if ranked else 0) + _GAP
    return Layout("table", 0, 0, boxes, areas, (), marks, texts).fitted()


def _order(picture: Picture) -> list[DrawnWorld]:
    """Return the worlds, sorted by their cells, beginning with the agent with the fewest cells."""
    agents = sorted(picture.agents, key=lambda agent: len(picture.cells_of(agent)))
    place = {world.name: number for number, world in enumerate(picture.worlds)}
    numbers = [
        {name: min(place[n] for n in cell.worlds) for cell in cells for name in cell.worlds}
        for cells in map(picture.cells_of, agents)
    ]
    return sorted(
        picture.worlds,
        key=lambda world: (*(known[world.name] for known in numbers), place[world.name]),
    )


def _bars(
    picture: Picture, cell: int, tops: Mapping[str, float], x: float, width: float, number: str
) -> list[Area]:
    """Return a bar for each run of adjacent rows in the cell."""
    rows = sorted(tops[name] for name in picture.cells[cell].worlds)
    runs: list[list[float]] = []
    for top in rows:
        if runs and top - runs[-1][-1] <= _ROW + 0.5:
            runs[-1].append(top)
        else:
            runs.append([top])
    more = " …" if picture.cells[cell].more else ""
    alone = len(rows) == 1 and not more
    return [
        Area(
            cell,
            Box(x, run[0], width, run[-1] - run[0] + _ROW - 5),
            "" if alone else f"{number}{more}",
        )
        for run in runs
    ]


def _ranks(picture: Picture, cell: int, tops: Mapping[str, float], x: float) -> Sequence[Text]:
    content = picture.cells[cell]
    return [
        Text(Box(x, tops[name] + 4, 14, 16), str(rank), bold=rank == 1)
        for name, rank in zip(content.worlds, content.ranks, strict=bool(content.ranks))
    ]
