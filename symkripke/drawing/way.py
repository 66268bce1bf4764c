"""The way of a question: a tree of worlds from left to right, a step an arrow."""

from __future__ import annotations

from symkripke.drawing.geometry import (
    LINE_HEIGHT,
    Box,
    Layout,
    Line,
    Mark,
    Text,
    mark_size,
    size_of,
)
from symkripke.drawing.labels import SIZE
from symkripke.drawing.picture import Picture, Step
from symkripke.drawing.text_width import text_width, wrapped

_GAP = 26

# What a step shows is told below the world in lines of this width.
_WIDTH = 190


def way_layout(picture: Picture) -> Layout:
    """The layout: worlds in columns by the number of steps that lead to them."""
    tree = _Tree(picture)
    tree.place(picture.worlds[0].name, 0, 0.0)
    return tree.layout().fitted()


class _Tree:
    """Worlds with the steps that lead from them; each world is placed once."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.sizes = {world.name: size_of(world) for world in picture.worlds}
        self.steps: dict[str, list[int]] = {}
        reached = {picture.worlds[0].name}
        self.told: dict[str, list[str]] = {}
        for number, step in enumerate(picture.steps):
            if step.end not in reached:
                reached.add(step.end)
                self.steps.setdefault(step.start, []).append(number)
                self.told[step.end] = wrapped(f"there {step.words or step.shows}", _WIDTH, SIZE)
            elif step.end == step.start:
                who = " and ".join(map(picture.title, step.agents))
                also = wrapped(f"and, to {who}, {step.words or step.shows}", _WIDTH, SIZE)
                self.told[step.end] = [*self.told.get(step.end, ()), *also]
        depths = self._depths(picture.worlds[0].name, 0)
        self.lefts: dict[int, float] = {}
        x = 0.0
        for depth in range(max(depths.values()) + 1):
            here = [name for name, level in depths.items() if level == depth]
            self.lefts[depth] = x
            widest = max(self._width(name) for name in here)
            signs = [
                mark_size(self.sign(picture.steps[number]))[0]
                for name in here
                for number in self.steps.get(name, ())
            ]
            x += widest + max(signs, default=0) + 72
        self.boxes: dict[str, Box] = {}
        self.texts: list[Text] = []

    def sign(self, step: Step) -> str:
        """What the mark of a step says: the agents by their names."""
        return ", ".join(map(self.picture.title, step.agents))

    def _depths(self, name: str, depth: int) -> dict[str, int]:
        found = {name: depth}
        for number in self.steps.get(name, ()):
            found |= self._depths(self.picture.steps[number].end, depth + 1)
        return found

    def _width(self, name: str) -> float:
        told = max((text_width(t, SIZE) for t in self.told.get(name, ())), default=0.0)
        return max(self.sizes[name][0], told)

    def place(self, name: str, depth: int, top: float) -> float:
        """Place a world and those after it; returns where they end below."""
        width, height = self.sizes[name]
        lines = self.told.get(name, [])
        mine = height + len(lines) * LINE_HEIGHT + (6 if lines else 0)
        end = top
        for number in self.steps.get(name, ()):
            end = self.place(self.picture.steps[number].end, depth + 1, end) + _GAP
        end = max(end - _GAP if end > top else top, top + mine)
        box = Box(self.lefts[depth], top + (end - top - mine) / 2, width, height)
        self.boxes[name] = box
        for place, line in enumerate(lines):
            y = box.bottom + 4 + place * LINE_HEIGHT
            self.texts.append(
                Text(Box(box.x, y, text_width(line, SIZE), LINE_HEIGHT), line, italic=True)
            )
        return end

    def layout(self) -> Layout:
        """Everything, with an arrow for each step."""
        lines: list[Line] = []
        marks: list[Mark] = []
        for number in sorted(n for numbers in self.steps.values() for n in numbers):
            step = self.picture.steps[number]
            start, end = self.boxes[step.start], self.boxes[step.end]
            from_here = (start.right, start.centre[1])
            to_there = (end.x - 2, end.centre[1])
            # The mark stands where the columns part, in front of the world that is reached.
            text = self.sign(step)
            width, height = mark_size(text)
            middle = (to_there[0] - 30 - width / 2, to_there[1])
            if len(self.steps[step.start]) == 1:
                middle = ((from_here[0] + to_there[0]) / 2, (from_here[1] + to_there[1]) / 2)
            marks.append(Mark(number, Box.at(middle, width, height), text))
            lines.append(Line(number, from_here, middle))
            lines.append(Line(number, middle, to_there, arrow=True))
        return Layout("way", 0, 0, self.boxes, (), lines, marks, self.texts)
