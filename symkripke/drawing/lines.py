"""Cells as lines: a graph of worlds, with a mark on the line between two worlds of a cell.

A cell of more than two worlds has a mark of its own, with a line to each of them. The graph is laid
out by networkx (T. Fruchterman, E. Reingold: Graph drawing by force-directed placement, 1991) from
several fixed starts; the boxes are then moved apart, and the best result is taken. A layout with a
line through a world that does not belong to the line's cell would be misread. If all layouts have
such a line, there is no layout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import networkx
import numpy as np
from numpy.typing import NDArray

from symkripke.drawing.areas import framed_over, partitions
from symkripke.drawing.geometry import Box, Layout, Line, Mark, Point, mark_of, size_of
from symkripke.drawing.picture import Picture
from symkripke.limits import look

_MOST_LINES = 90

# The gap between two boxes.
_GAP = 30

# The factors by which lines are stretched until none goes through a world.
_STRETCHES = (1.0, 1.6)

# Parts side by side, and chains, are wrapped at this width.
_WIDEST = 1050.0

Places = NDArray[np.float64]


@dataclass(frozen=True)
class _Graph:
    """Worlds and marks as nodes; first the worlds, then the marks of cells of more than two.

    Attributes:
        sizes: width and height of each node.
        pairs: for each cell of two its number and the two nodes.
        stars: for each larger cell its number, its node, and the nodes of its worlds.
        ranked: whether lines have numbers, for which they must be longer.
    """

    sizes: Places
    pairs: tuple[tuple[int, int, int], ...]
    stars: tuple[tuple[int, int, tuple[int, ...]], ...]

    ranked: bool

    @property
    def edges(self) -> list[tuple[int, int]]:
        """All lines, as pairs of nodes."""
        spokes = [(hub, world) for _, hub, worlds in self.stars for world in worlds]
        return [*((first, second) for _, first, second in self.pairs), *spokes]


def lines_layout(picture: Picture) -> Layout | None:
    """The layout in lines; None if it would not be clear."""
    frames = [
        number
        for number in partitions(picture)[0]
        if not (picture.cells[number].ranks or picture.cells[number].more)
    ]
    graph = _graph(picture, frames)
    if len(graph.edges) > _MOST_LINES:
        return None
    best: tuple[float, Layout] | None = None
    tries = 12 if len(graph.sizes) <= 16 else 6 if len(graph.sizes) <= 30 else 3
    shapes = [_shapes(graph, seed) for seed in range(tries)]
    for stretch in _STRETCHES:
        for shape in shapes:
            look()
            layout = _drawn(picture, graph, _apart(graph, _spread(graph, shape, stretch)))
            cost = _cost(graph, layout)
            if best is None or cost < best[0] - 1e-6:
                best = (cost, layout)
        # More room is taken only where it is needed, and where it can help.
        if best is not None and not _WRONG <= best[0] < _HOPELESS:
            break
    assert best is not None
    if best[0] >= _WRONG:
        return None
    layout = best[1]
    return (framed_over(picture, layout, frames) if frames else layout).fitted()


def _graph(picture: Picture, frames: Sequence[int]) -> _Graph:
    places = {world.name: place for place, world in enumerate(picture.worlds)}
    sizes = [size_of(world) for world in picture.worlds]
    pairs: list[tuple[int, int, int]] = []
    stars: list[tuple[int, int, tuple[int, ...]]] = []
    for number, cell in enumerate(picture.cells):
        if number in frames:
            continue
        worlds = tuple(places[name] for name in cell.worlds)
        if len(worlds) == 2:
            pairs.append((number, *worlds))
        elif len(worlds) > 2:
            stars.append((number, len(sizes), worlds))
            _, width, height = mark_of(picture, number)
            sizes.append((width, height))
    ranked = any(cell.ranks for cell in picture.cells)
    return _Graph(np.array(sizes, dtype=np.float64), tuple(pairs), tuple(stars), ranked)


@dataclass(frozen=True)
class _Shape:
    """The nodes of a connected component, and their relative places.

    Attributes:
        nodes: the nodes.
        places: where they are; of a chain in pixels, else in any unit.
        chain: whether it is a chain.
    """

    nodes: tuple[int, ...]
    places: Places
    chain: bool


def _shapes(graph: _Graph, seed: int) -> list[_Shape]:
    """The connected components, laid out by forces; the seed decides the start."""
    whole: networkx.Graph[int] = networkx.Graph()
    whole.add_nodes_from(range(len(graph.sizes)))
    whole.add_edges_from(graph.edges)
    found: list[_Shape] = []
    for part in sorted(networkx.connected_components(whole), key=min):
        nodes = tuple(sorted(part))
        here = whole.subgraph(nodes)
        chain = _chain(here)
        if len(nodes) == 1:
            found.append(_Shape(nodes, np.zeros((1, 2)), True))
        elif chain is not None:
            found.append(_Shape(nodes, _snake(graph, nodes, chain), True))
        else:
            known = networkx.spring_layout(here, seed=seed, iterations=120)
            inside: Places = np.array([known[node] for node in nodes])
            inside -= inside.mean(axis=0)
            if seed % 4 == 3 and len(nodes) > 3:
                inside = _circle(inside)
            found.append(_Shape(nodes, inside @ _turn(inside), False))
    return found


def _spread(graph: _Graph, shapes: Sequence[_Shape], stretch: float) -> Places:
    """The components side by side, wrapped into lines, large enough for the labels."""
    found = np.zeros((len(graph.sizes), 2))
    corner = np.zeros(2)
    lowest = 0.0
    for shape in shapes:
        nodes = list(shape.nodes)
        widest = graph.sizes[nodes].max(axis=0)
        size = 1.0 if shape.chain else _scale(graph, nodes, shape.places) * stretch
        inside = shape.places * size
        inside -= inside.min(axis=0)
        wide, high = inside.max(axis=0) + widest
        if corner[0] and corner[0] + wide > _WIDEST:
            corner = np.array([0.0, lowest + 2 * _GAP])
        found[nodes] = inside + corner + widest / 2
        corner[0] += wide + 2 * _GAP
        lowest = max(lowest, corner[1] + high)
    return found


def _circle(places: Places) -> Places:
    """The same nodes on a circle, in the order in which they lie around the middle."""
    order = np.argsort(np.argsort(np.arctan2(places[:, 1], places[:, 0])))
    angles = 2 * np.pi * order / len(places)
    found: Places = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return found


def _chain(part: networkx.Graph[int]) -> list[int] | None:
    """The nodes of a chain of more than two, from one end to the other; None if it is none."""
    ends = sorted(node for node, degree in part.degree() if degree == 1)
    if len(part) < 3 or len(ends) != 2 or any(degree > 2 for _, degree in part.degree()):
        return None
    return list(networkx.shortest_path(part, ends[0], ends[1]))


def _snake(graph: _Graph, nodes: Sequence[int], chain: Sequence[int]) -> Places:
    """A chain in lines: from left to right, then back."""
    width, height = graph.sizes[list(nodes)].max(axis=0) + np.array([66.0, 50.0])
    columns = max(2, int(_WIDEST / width))
    # Lines of one length look better than a short rest.
    lines = -(-len(chain) // columns)
    columns = -(-len(chain) // lines)
    places = {}
    for number, node in enumerate(chain):
        line, column = divmod(number, columns)
        place = column if line % 2 == 0 else columns - 1 - column
        places[node] = (place * width, line * height)
    found: Places = np.array([places[node] for node in nodes], dtype=np.float64)
    return found


def _turn(places: Places) -> Places:
    """The rotation that lays the longest extent across."""
    values, vectors = np.linalg.eigh(places.T @ places)
    longest = vectors[:, int(np.argmax(values))]
    if longest[0] < 0:
        longest = -longest
    turned: Places = np.array([[longest[0], -longest[1]], [longest[1], longest[0]]])
    return turned


def _scale(graph: _Graph, nodes: Sequence[int], places: Places) -> Places:
    """By how much to stretch, across and down, so that lines are long enough to be seen."""
    index = {node: place for place, node in enumerate(nodes)}
    lengths = [
        float(np.hypot(*(places[index[first]] - places[index[second]])))
        for first, second in graph.edges
        if first in index
    ]
    typical = float(np.median(lengths)) if lengths else 1.0
    mean = graph.sizes[list(nodes)].mean(axis=0)
    room = 60.0 if graph.ranked else 0.0
    wanted: Places = np.array([mean[0] + 66.0 + room, mean[1] + 62.0 + room]) / max(typical, 1e-9)
    return wanted


def _apart(graph: _Graph, places: Places) -> Places:
    """The places after boxes that are too near to each other were pushed apart."""
    half = graph.sizes / 2
    need = half[:, None, :] + half[None, :, :] + _GAP + (20 if graph.ranked else 0)
    np.einsum("iid->id", need)[:] = 0
    found = places.copy()
    for _ in range(200):
        apart = found[None, :, :] - found[:, None, :]
        lack = need - np.abs(apart)
        touching: NDArray[np.bool_] = np.all(lack > 0.01, axis=2)
        np.fill_diagonal(touching, False)
        if not touching.any():
            break
        # Along the axis on which less is needed.
        down = lack[:, :, 1] < lack[:, :, 0]
        push = np.zeros_like(apart)
        side = np.where(apart >= 0, 1.0, -1.0)
        # Nodes at one place go different ways, by their numbers.
        side = np.where(np.abs(apart) < 1e-9, np.sign(_later(len(found)))[:, :, None], side)
        push[:, :, 1] = np.where(touching & down, lack[:, :, 1] * side[:, :, 1], 0)
        push[:, :, 0] = np.where(touching & ~down, lack[:, :, 0] * side[:, :, 0], 0)
        found += 0.3 * push.sum(axis=0)
    return found


def _later(number: int) -> Places:
    order = np.arange(number, dtype=np.float64)
    return order[None, :] - order[:, None]


# ---- lines and marks --------------------------------------------------------------------------

# The cost of a line through a world, or of a mark on another thing: such a layout is never used.
_WRONG = 1000.0

# If the cost is as high as this, more room does not help.
_HOPELESS = 8 * _WRONG


def _drawn(picture: Picture, graph: _Graph, places: Places) -> Layout:
    """Boxes, lines from edge to edge, and marks where they overlap least."""
    boxes = {
        world.name: Box.at(_point(places[place]), *size_of(world))
        for place, world in enumerate(picture.worlds)
    }
    names = [world.name for world in picture.worlds]
    lines: list[Line] = []
    marks: list[Mark] = []
    for number, hub, worlds in graph.stars:
        text, width, height = mark_of(picture, number)
        mark = Box.at(_point(places[hub]), width, height)
        marks.append(Mark(number, mark, text, picture.cells[number].more))
        ranks = picture.cells[number].ranks or (0,) * len(worlds)
        for world, rank in zip(worlds, ranks, strict=True):
            end = to_edge(boxes[names[world]], mark.centre)
            lines.append(Line(number, mark.centre, end, rank == 1, rank))
    taken = [*boxes.values(), *(mark.box for mark in marks)]
    side_by_side: dict[tuple[int, int], int] = {}
    for number, first, second in graph.pairs:
        text, width, height = mark_of(picture, number)
        ends = boxes[names[first]], boxes[names[second]]
        beside = side_by_side.get((first, second), 0)
        side_by_side[first, second] = beside + 1
        mark = _between(ends, width, height, beside, taken)
        taken.append(mark)
        marks.append(Mark(number, mark, text, picture.cells[number].more))
        ranks = picture.cells[number].ranks or (0, 0)
        for box, rank in zip(ends, ranks, strict=True):
            arrow = rank == 1 < max(ranks)
            lines.append(Line(number, mark.centre, to_edge(box, mark.centre), arrow, rank))
    return Layout("lines", 0, 0, boxes, (), lines, marks)


def _between(
    ends: tuple[Box, Box], width: float, height: float, beside: int, taken: Sequence[Box]
) -> Box:
    """A mark between two boxes; with others between them, beside the straight line."""
    start, end = to_edge(ends[0], ends[1].centre), to_edge(ends[1], ends[0].centre)
    across, down = end[0] - start[0], end[1] - start[1]
    length = max(1.0, float(np.hypot(across, down)))
    side = (beside + 1) // 2 * (1 if beside % 2 else -1)
    # So far aside that the marks do not touch, whichever way the line goes.
    shift = side * (abs(across) * (height + 6) + abs(down) * (width + 6)) / length
    right, below = -down / length * shift, across / length * shift
    return _on_line(
        (start[0] + right, start[1] + below), (end[0] + right, end[1] + below), width, height, taken
    )


def _point(place: Places) -> Point:
    return float(place[0]), float(place[1])


def to_edge(box: Box, towards: Point) -> Point:
    """Where the line from the middle of a box to a point leaves the box."""
    x, y = box.centre
    across, down = towards[0] - x, towards[1] - y
    share = max(abs(across) / (box.width / 2), abs(down) / (box.height / 2), 1e-9)
    return (x + across / share, y + down / share) if share > 1 else (x, y)


def _on_line(start: Point, end: Point, width: float, height: float, taken: Sequence[Box]) -> Box:
    """A mark on a line: at the free place nearest to the middle."""
    for share in (0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72):
        middle = (
            start[0] + (end[0] - start[0]) * share,
            start[1] + (end[1] - start[1]) * share,
        )
        box = Box.at(middle, width, height)
        if not any(box.overlaps(other, 3) for other in taken):
            return box
    return Box.at(((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), width, height)


def _cost(graph: _Graph, layout: Layout) -> float:
    """The cost of a layout; a layout with a cost of `_WRONG` or more would be misread."""
    boxes = list(layout.boxes.values())
    things = [*boxes, *(mark.box for mark in layout.marks)]
    frame = np.array([[b.x, b.y, b.right, b.bottom] for b in things])
    overlapping = _overlaps(frame)
    starts = np.array([line.start for line in layout.lines]).reshape(-1, 2)
    ends = np.array([line.end for line in layout.lines]).reshape(-1, 2)
    cost = _WRONG * overlapping
    whole = Box.around(things)
    cost += (whole.width * whole.height) / 20_000 + 0.02 * whole.width
    if not len(starts):
        return cost
    cost += float(np.hypot(*(ends - starts).T).sum()) / 100
    # A line begins within its own mark, and ends at the edge of its own world.
    shrunk = frame + np.array([-4.0, -4.0, 4.0, 4.0])
    own = np.zeros((len(starts), len(things)), dtype=np.bool_)
    for number, line in enumerate(layout.lines):
        for place, thing in enumerate(things):
            if place >= len(boxes):
                own[number, place] = thing.centre == line.start
            else:
                own[number, place] = _touches(thing, line.end)
    hits = _through(starts, ends, shrunk) & ~own
    cost += _WRONG * float(hits[:, : len(boxes)].sum())
    cost += 200.0 * float(hits[:, len(boxes) :].sum())
    return cost + 4.0 * _crossings(starts, ends)


def _touches(box: Box, point: Point) -> bool:
    return (
        box.x - 0.6 <= point[0] <= box.right + 0.6 and box.y - 0.6 <= point[1] <= box.bottom + 0.6
    )


def _overlaps(frame: Places) -> float:
    """How many pairs of boxes overlap."""
    left, top, right, bottom = frame.T
    both = (
        (left[:, None] < right[None, :] - 0.5)
        & (left[None, :] < right[:, None] - 0.5)
        & (top[:, None] < bottom[None, :] - 0.5)
        & (top[None, :] < bottom[:, None] - 0.5)
    )
    return float(np.triu(both, 1).sum())


def _through(starts: Places, ends: Places, frame: Places) -> NDArray[np.bool_]:
    """For each line and each box whether the line goes through it (Liang and Barsky, 1984)."""
    first = np.zeros((len(starts), len(frame)))
    last = np.ones((len(starts), len(frame)))
    outside = np.zeros_like(first, dtype=np.bool_)
    for axis in (0, 1):
        step = (ends - starts)[:, axis][:, None]
        low = frame[None, :, axis] - starts[:, axis][:, None]
        high = frame[None, :, axis + 2] - starts[:, axis][:, None]
        flat = np.abs(step) < 1e-9
        outside |= flat & ((low > 0) | (high < 0))
        safe = np.where(flat, 1.0, step)
        near, far = np.minimum(low / safe, high / safe), np.maximum(low / safe, high / safe)
        first = np.where(flat, first, np.maximum(first, near))
        last = np.where(flat, last, np.minimum(last, far))
    found: NDArray[np.bool_] = ~outside & (first < last)
    return found


def _crossings(starts: Places, ends: Places) -> float:
    """How many pairs of lines cross."""

    def side(a: Places, b: Places, c: Places) -> Places:
        found: Places = (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (
            b[..., 1] - a[..., 1]
        ) * (c[..., 0] - a[..., 0])
        return found

    a, b = starts[:, None, :], ends[:, None, :]
    c, d = starts[None, :, :], ends[None, :, :]
    cross = (side(a, b, c) * side(a, b, d) < -1e-6) & (side(c, d, a) * side(c, d, b) < -1e-6)
    return float(np.triu(cross, 1).sum())
