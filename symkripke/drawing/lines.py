"""Worlds joined by lines: a graph of worlds and marks, for cells and for the steps of a question.

Each cell has a mark, with a line to each of its worlds. The distances on the page follow the
distances in the graph, by stress majorization (E. Gansner, Y. Koren, S. North: Graph drawing by
stress majorization, 2004) from several fixed starts. Boxes are then moved apart, and the best
result is chosen. A layout with a line through a world or a mark of another cell would be misread.
If all layouts have such a line, there is no layout.

The steps of a question are a tree, with its worlds in columns from left to right.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from symkripke.drawing.areas import framed, partitions, parts
from symkripke.drawing.geometry import (
    Box,
    Layout,
    Mark,
    Point,
    Segment,
    grid,
    mark_of,
    mark_size,
    side_by_side,
    size_of,
)
from symkripke.drawing.picture import Picture
from symkripke.limits import look

Places = NDArray[np.float64]

_MOST_LINES = 90

# The gap next to a mark, and the gap between two worlds, which has room for a mark on a line.
_GAP = 12
_ROOM = 38

# Lines with numbers need longer gaps.
_RANKED = 20

# The seeds of the starts, the factors that stretch lines until a layout is clear, and the number of
# moves of single nodes that are then tried.
_SEEDS = range(6)
_STRETCHES = (1.0, 1.6)
_MOVES = 800

# With more nodes, a layout that needs moves is a tangle, and a table is clearer.
_MOST_MOVED = 30

# Parts side by side, and chains, are wrapped at this width.
_WIDEST = 1050.0

# The cost of a fault, which rules a layout out, and the cost from which moves do not help.
_WRONG = 1000.0
_HOPELESS = 8 * _WRONG


@dataclass(frozen=True)
class _Graph:
    """A connected part of a picture: worlds and the marks of cells as nodes, first the worlds.

    Attributes:
        names: the names of the worlds.
        cells: the numbers of the cells.
        sizes: the width and height of each node.
        ends: the two nodes of each line, the mark and the world.
        gaps: the minimum distance between the boxes of two nodes.
        ranked: whether lines have numbers, and must therefore be longer.
    """

    names: Sequence[str]
    cells: Sequence[int]
    sizes: Places
    ends: NDArray[np.int64]
    gaps: Places
    ranked: bool


def lines_layout(picture: Picture) -> Layout | None:
    """Return the layout in lines; None if it would not be clear."""
    frames = [
        number
        for number in partitions(picture)[0]
        if not (picture.cells[number].ranks or picture.cells[number].more)
    ]
    cells = [
        number
        for number, cell in enumerate(picture.cells)
        if len(cell.worlds) > 1 and number not in frames
    ]
    sizes = [len(picture.cells[number].worlds) for number in cells]
    if sum(size if size > 2 else 1 for size in sizes) > _MOST_LINES:
        return None
    layouts: list[Layout] = []
    for names in parts(picture, cells):
        graph = _graph(picture, names, cells)
        places = _places(graph)
        if places is None:
            return None
        layouts.append(_drawn(picture, graph, places).fitted(0))
    return framed(picture, side_by_side(layouts, 60, _WIDEST), frames).fitted()


def _graph(picture: Picture, names: set[str], cells: Sequence[int]) -> _Graph:
    worlds = [world for world in picture.worlds if world.name in names]
    node = {world.name: number for number, world in enumerate(worlds)}
    here = [number for number in cells if picture.cells[number].worlds[0] in names]
    ends = [
        (mark, node[name])
        for mark, number in enumerate(here, len(worlds))
        for name in picture.cells[number].worlds
    ]
    sizes = [size_of(world) for world in worlds] + [mark_of(picture, n)[1:] for n in here]
    ranked = any(picture.cells[number].ranks for number in here)
    gaps = np.full((len(sizes), len(sizes)), _GAP + _RANKED * ranked, dtype=np.float64)
    gaps[: len(worlds), : len(worlds)] = _ROOM + _RANKED * ranked
    np.fill_diagonal(gaps, -1e9)
    return _Graph(
        list(node),
        here,
        np.array(sizes, dtype=np.float64),
        np.array(ends, dtype=np.int64).reshape(-1, 2),
        gaps,
        ranked,
    )


def _places(graph: _Graph) -> Places | None:
    """Return the centres of all nodes; None if no layout is clear."""
    number = len(graph.sizes)
    hops = np.full((number, number), float(number))
    hops[graph.ends[:, 0], graph.ends[:, 1]] = hops[graph.ends[:, 1], graph.ends[:, 0]] = 1
    np.fill_diagonal(hops, 0)
    for middle in range(number):
        hops = np.minimum(hops, hops[:, middle, None] + hops[None, middle, :])
    degrees = (hops == 1).sum(axis=1)
    if (degrees.max() <= 2 and (degrees == 1).sum() != 0) or number == 1:
        return _straight(graph, _snake(graph, hops[int(np.argmin(degrees))]))
    # A step from a mark to a world is half the way from world to world.
    worlds = graph.sizes[: len(graph.names)].mean(axis=0)
    step = (worlds + np.array([66.0, 62.0]) + 3 * _RANKED * graph.ranked) / 2
    best = math.inf, np.zeros((0, 2))
    # Stretch lines only if necessary.
    for stretch in _STRETCHES:
        shapes = [shape * step * stretch for shape in (_shape(hops, seed) for seed in _SEEDS)]
        tried = [_straight(graph, _apart(graph, shape)) for shape in shapes]
        best = min(((_cost(graph, places), places) for places in tried), key=itemgetter(0))
        if best[0] < _WRONG:
            return best[1]
    # Move single nodes at random, and keep each improvement.
    choices = np.random.default_rng(0)
    for _ in range(_MOVES if best[0] < _HOPELESS and number <= _MOST_MOVED else 0):
        look()
        places = best[1].copy()
        places[choices.integers(number)] += choices.normal(size=2) * step
        places = _straight(graph, places)
        if (cost := _cost(graph, places)) < best[0]:
            best = cost, places
    return best[1] if best[0] < _WRONG else None


def _snake(graph: _Graph, order: Places) -> Places:
    """Return places for a chain in lines: from left to right, then back."""
    worlds, marks = np.split(graph.sizes, [len(graph.names)])
    room = marks.max(axis=0, initial=0) + 32 + 2 * _RANKED * graph.ranked
    width, height = worlds.max(axis=0) + np.maximum([66.0, 50.0], room)
    # Lines of equal length look better than a short last line.
    lines = -(-len(graph.names) // max(2, int(_WIDEST / width)))
    columns = -(-len(graph.names) // lines)
    line, column = np.divmod(order // 2, columns)
    column = np.where(line % 2, columns - 1 - column, column)
    return np.stack([column * width, line * height], axis=1)


def _shape(hops: Places, seed: int) -> Places:
    """Return places whose distances are close to `hops`, with the longest extent horizontal."""
    weights = 1 / np.where(hops == 0, 1, hops) ** 2
    np.fill_diagonal(weights, 0)
    # Without the 1, the matrix would be singular.
    inverse = np.linalg.inv(np.diag(weights.sum(axis=1)) - weights + 1)
    places: Places = np.random.default_rng(seed).normal(size=(len(hops), 2))
    for _ in range(150):
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)
        pull = weights * hops / np.maximum(apart, 1e-9)
        places = inverse @ (np.diag(pull.sum(axis=1)) - pull) @ places
    places -= places.mean(axis=0)
    turned: Places = places @ np.linalg.svd(places, full_matrices=False)[2].T
    # The signs of singular vectors are arbitrary.
    return turned * np.where(turned[0] > 0, -1.0, 1.0)


def _apart(graph: _Graph, places: Places) -> Places:
    """Return the places after pushing apart boxes that are too close to each other."""
    need = (graph.sizes[:, None] + graph.sizes[None]) / 2 + graph.gaps[:, :, None]
    order = np.arange(len(places), dtype=np.float64)
    # Nodes at the same place are separated by their numbers.
    later = np.sign(order[None] - order[:, None])[:, :, None]
    for _ in range(200):
        apart = places[None] - places[:, None]
        lack = need - np.abs(apart)
        least = np.minimum(lack[:, :, 0], lack[:, :, 1])[:, :, None]
        if not (least > 0.01).any():
            break
        # Push along the axis that needs the shorter move.
        side = np.where(np.abs(apart) < 1e-9, later, np.sign(apart))
        places = places + 0.3 * np.where((lack == least) & (least > 0.01), lack * side, 0).sum(
            axis=0
        )
    return places


def _straight(graph: _Graph, places: Places) -> Places:
    """Return the places with the marks of pairs halfway between the boxes of their worlds."""
    straight = places.copy()
    worlds: dict[int, list[int]] = {}
    for mark, world in graph.ends.tolist():
        worlds.setdefault(mark, []).append(world)
    pairs = {mark: tuple(two) for mark, two in worlds.items() if len(two) == 2}
    often = Counter(pairs.values())
    for mark, (first, second) in pairs.items():
        if often[first, second] == 1:
            one, other = _box(graph, places, first), _box(graph, places, second)
            near = to_edge(one, other.centre), to_edge(other, one.centre)
            straight[mark] = np.mean(near, axis=0)
    return straight


def _box(graph: _Graph, places: Places, node: int) -> Box:
    x, y = places[node].tolist()
    return Box.at((x, y), *graph.sizes[node].tolist())


def to_edge(box: Box, towards: Point) -> Point:
    """Return the point at which the line from the middle of a box to a point leaves the box."""
    x, y = box.centre
    across, down = towards[0] - x, towards[1] - y
    share = max(abs(across) / (box.width / 2), abs(down) / (box.height / 2), 1e-9)
    return (x + across / share, y + down / share) if share > 1 else (x, y)


def _cost(graph: _Graph, places: Places) -> float:
    """Return the cost of a layout. A cost of `_WRONG` or more means that it would be misread."""
    halves = graph.sizes / 2
    gaps = np.abs(places[:, None] - places[None]) - halves[:, None] - halves[None]
    near = (gaps < graph.gaps[:, :, None] / 2).all(axis=2)
    marks, worlds = graph.ends.T
    begin, end = places[marks], places[worlds]
    # The points at which a line enters and leaves each box (Y.-D. Liang, B. Barsky, 1984).
    along = (end - begin)[:, None] + 1e-9
    sides = [(places + sign * (halves + 6) - begin[:, None]) / along for sign in (-1, 1)]
    enters, leaves = np.minimum(*sides).max(axis=2), np.maximum(*sides).min(axis=2)
    inside = (enters < leaves) & (leaves > 0) & (enters < 1)
    inside[np.arange(len(marks)), marks] = inside[np.arange(len(marks)), worlds] = False
    crossings = _crossings(begin, end)
    tangled = crossings > len(marks) / 4
    extent = np.ptp(places, axis=0) + graph.sizes.mean(axis=0)
    length = float(np.hypot(*(end - begin).T).sum())
    return (
        _WRONG * (int(np.triu(near, 1).sum()) + int(inside.sum()) + tangled)
        + 4 * crossings
        + float(extent.prod()) / 20_000
        + 0.02 * float(extent[0])
        + length / 100
    )


def _crossings(begin: Places, end: Places) -> int:
    """Return the number of pairs of lines that cross."""

    def side(points: Places) -> Places:
        """Return the side of each line on which each point lies."""
        along, to = (end - begin)[:, None], points[None] - begin[:, None]
        sides: Places = along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0]
        return sides

    parted = side(begin) * side(end) < -1e-6
    return int(np.triu(parted & parted.T, 1).sum())


def _drawn(picture: Picture, graph: _Graph, places: Places) -> Layout:
    """Return the boxes, the marks, and the lines from each mark to the edges of its worlds."""
    boxes = {name: _box(graph, places, node) for node, name in enumerate(graph.names)}
    lines: list[Segment] = []
    marks: list[Mark] = []
    for node, number in enumerate(graph.cells, len(boxes)):
        cell, mark = picture.cells[number], _box(graph, places, node)
        marks.append(Mark(number, mark, mark_of(picture, number)[0]))
        ranks = cell.ranks or (0,) * len(cell.worlds)
        for name, rank in zip(cell.worlds, ranks, strict=True):
            end = to_edge(boxes[name], mark.centre)
            lines.append(Segment(number, mark.centre, end, rank == 1, rank))
    return Layout("lines", 0, 0, boxes, (), lines, marks)


# ---- the steps of a question ------------------------------------------------------------------


def way_layout(picture: Picture) -> Layout:
    """Return the layout of steps: worlds in columns by the number of steps that lead to them."""
    start = picture.worlds[0].name
    reached: dict[str, int] = {}
    for number, step in enumerate(picture.steps):
        if step.end not in (start, step.start):
            reached.setdefault(step.end, number)
    slots: dict[str, tuple[int, int]] = {}
    free = count()

    def place(name: str, column: int) -> int:
        """Give a world the row of the first world after it, or else its own row."""
        after = [end for end, number in reached.items() if picture.steps[number].start == name]
        rows = [place(end, column + 1) for end in after]
        slots[name] = rows[0] if rows else next(free), column
        return slots[name][0]

    place(start, 0)
    signs = {
        number: ", ".join(map(picture.title, picture.steps[number].agents))
        for number in reached.values()
    }
    sizes = {world.name: size_of(world) for world in picture.worlds}
    widest = max(mark_size(sign)[0] for sign in ("", *signs.values()))
    room = grid({slot: sizes[name] for name, slot in slots.items()}, 72 + widest, 26)
    boxes = {name: Box.at(room[slot].centre, *sizes[name]) for name, slot in slots.items()}
    lines: list[Segment] = []
    marks: list[Mark] = []
    for number, sign in signs.items():
        before, after = boxes[picture.steps[number].start], boxes[picture.steps[number].end]
        here, there = (before.right, before.centre[1]), (after.x - 2, after.centre[1])
        # The mark is in the gap between the columns, in front of the world that is reached.
        width, height = mark_size(sign)
        middle = (there[0] - 30 - width / 2, there[1])
        if here[1] == there[1]:
            middle = ((here[0] + there[0]) / 2, here[1])
        marks.append(Mark(number, Box.at(middle, width, height), sign))
        lines += Segment(number, here, middle), Segment(number, middle, there, arrow=True)
    return Layout("way", 0, 0, boxes, (), lines, marks).fitted()
