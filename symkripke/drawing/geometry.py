"""The geometry of a picture: boxes, lines, marks. Lengths are pixels; y grows downwards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from symkripke.drawing.labels import SIZE, short_names
from symkripke.drawing.picture import DrawnWorld, Picture
from symkripke.drawing.text_width import text_width

Point = tuple[float, float]

LINE_HEIGHT = 17
"""The distance from one line of a label to the next."""

PADDING = 9
"""The margin at the sides of a world's label; the margin above and below is smaller."""

TIMES = "\N{MULTIPLICATION SIGN}"
"""The sign before the number of worlds that a drawn world stands for."""

MARK_HEIGHT = 18
MARK_SIZE = 12


@dataclass(frozen=True)
class Box:
    """A rectangle: its upper left corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x coordinate of the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y coordinate of the lower edge."""
        return self.y + self.height

    @property
    def centre(self) -> Point:
        """The centre of the box."""
        return self.x + self.width / 2, self.y + self.height / 2

    def moved(self, right: float, down: float) -> Box:
        """Return the box moved by these distances."""
        return Box(self.x + right, self.y + down, self.width, self.height)

    def holds(self, point: Point) -> bool:
        """Return whether a point lies in the box or on its edge."""
        return self.x <= point[0] <= self.right and self.y <= point[1] <= self.bottom

    def wider(self, across: float, down: float) -> Box:
        """Return the box extended by these lengths on each side."""
        return Box(self.x - across, self.y - down, self.width + 2 * across, self.height + 2 * down)

    @classmethod
    def around(cls, boxes: Iterable[Box]) -> Box:
        """Return the smallest box that contains these boxes."""
        boxes_list = list(boxes)
        x, y = min(box.x for box in boxes_list), min(box.y for box in boxes_list)
        return cls(
            x,
            y,
            max(box.right for box in boxes_list) - x,
            max(box.bottom for box in boxes_list) - y,
        )

    @classmethod
    def at(cls, centre: Point, width: float, height: float) -> Box:
        """Return a box of this size around a point."""
        return cls(centre[0] - width / 2, centre[1] - height / 2, width, height)


@dataclass(frozen=True)
class Area:
    """A region with worlds of a cell; its text is `number`.

    With `agents`, it has the style of these agents, even if other agents have the same cell.
    """

    cell: int
    box: Box
    number: str = ""
    agents: tuple[str, ...] = ()


@dataclass(frozen=True)
class Segment:
    """A line of the cell or step with the number `owner`; an arrow points to a believed world.

    With `agents`, it has the style of these agents, even if other agents have the same cell.
    """

    owner: int
    start: Point
    end: Point
    arrow: bool = False
    rank: int = 0
    agents: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mark:
    """The sign of the agents of a cell or a step."""

    owner: int
    box: Box
    text: str


@dataclass(frozen=True)
class Text:
    """A line of text, by its left end and its base line; `box` is the space that it may cover."""

    box: Box
    text: str
    bold: bool = False
    italic: bool = False
    size: float = SIZE


@dataclass(frozen=True)
class Layout:
    """The places of all parts of a picture.

    Attributes:
        kind: "areas", "lines", "table" or "way".
        width: the width of the layout, which begins at 0.
        height: the height of the layout, which begins at 0.
        boxes: the box of each world.
        areas: the cells that are drawn as regions.
        lines: the lines of cells and of steps.
        marks: the signs of agents.
        texts: all other texts.
    """

    kind: str
    width: float
    height: float
    boxes: Mapping[str, Box]
    areas: Sequence[Area] = ()
    lines: Sequence[Segment] = ()
    marks: Sequence[Mark] = ()
    texts: Sequence[Text] = field(default=())

    def moved(self, right: float, down: float) -> Layout:
        """Return the layout moved by these distances."""
        return replace(
            self,
            boxes={name: box.moved(right, down) for name, box in self.boxes.items()},
            areas=[replace(area, box=area.box.moved(right, down)) for area in self.areas],
            lines=[
                replace(
                    line,
                    start=(line.start[0] + right, line.start[1] + down),
                    end=(line.end[0] + right, line.end[1] + down),
                )
                for line in self.lines
            ],
            marks=[replace(mark, box=mark.box.moved(right, down)) for mark in self.marks],
            texts=[replace(text, box=text.box.moved(right, down)) for text in self.texts],
        )

    def fitted(self, margin: float = 6) -> Layout:
        """Return the layout moved to the distance `margin` from the left and upper edges."""
        things = [
            *self.boxes.values(),
            *(area.box for area in self.areas),
            *(mark.box for mark in self.marks),
            *(text.box for text in self.texts),
        ]
        whole = Box.around(things)
        placed = self.moved(margin - whole.x, margin - whole.y)
        return replace(placed, width=whole.width + 2 * margin, height=whole.height + 2 * margin)


def side_by_side(layouts: Sequence[Layout], gap: float, widest: float) -> Layout:
    """Return one layout of these layouts, from left to right, wrapped at the width `widest`."""
    placed: list[Layout] = []
    x = y = tallest = 0.0
    for layout in layouts:
        if x and x + layout.width > widest:
            x, y, tallest = 0.0, y + tallest + gap, 0.0
        placed.append(layout.moved(x, y))
        x += layout.width + gap
        tallest = max(tallest, layout.height)
    return Layout(
        placed[0].kind,
        0,
        0,
        {name: box for layout in placed for name, box in layout.boxes.items()},
        [area for layout in placed for area in layout.areas],
        [line for layout in placed for line in layout.lines],
        [mark for layout in placed for mark in layout.marks],
    )


Slot = tuple[int, int]
"""The row and the column of a place in a grid."""


def grid(sizes: Mapping[Slot, tuple[float, float]], across: float, down: float) -> dict[Slot, Box]:
    """Return a box for each slot: as wide as its column, and as high as its row.

    Args:
        sizes: the minimum width and height of each used slot.
        across: the gap between columns.
        down: the gap between rows.
    """
    ends: list[list[tuple[float, float]]] = []
    for axis, gap in ((1, across), (0, down)):
        largest: dict[int, float] = {}
        for slot, size in sizes.items():
            largest[slot[axis]] = max(largest.get(slot[axis], 0.0), size[1 - axis])
        at = 0.0
        ends.append([])
        for number in range(max(largest) + 1):
            ends[-1].append((at, largest[number]))
            at += largest[number] + gap
    (columns, rows) = ends
    return {
        (row, column): Box(columns[column][0], rows[row][0], columns[column][1], rows[row][1])
        for row, column in sizes
    }


def size_of(world: DrawnWorld) -> tuple[float, float]:
    """Return the width and height of the box of a world."""
    lines = lines_of(world)
    widest = max((text_width(line, SIZE, bold="*" in line) for line in lines), default=0)
    return max(34, widest + 2 * PADDING), max(1, len(lines)) * LINE_HEIGHT + 2 * PADDING - 4


def lines_of(world: DrawnWorld) -> tuple[str, ...]:
    """Return the lines of text in the box of a world."""
    number = (f"{TIMES}{world.number:,}",) if world.number > 1 else ()
    return (*world.label, *number, *filter(None, [world.beyond]), *world.shows)


def mark_text(agents: Sequence[str], everyone: Sequence[str], *, more: bool = False) -> str:
    """Return the text of the mark of these agents."""
    short = short_names(everyone)
    return " ".join(short[agent] for agent in agents) + (" …" if more else "")


def mark_size(text: str) -> tuple[float, float]:
    """Return the width and height of a mark."""
    return max(MARK_HEIGHT, text_width(text, MARK_SIZE, bold=True) + 10), MARK_HEIGHT


def mark_of(picture: Picture, cell: int) -> tuple[str, float, float]:
    """Return the mark of a cell: its text, width and height."""
    content = picture.cells[cell]
    text = mark_text(content.agents, picture.agents, more=content.more)
    return (text, *mark_size(text))
