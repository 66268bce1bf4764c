"""Reading pictures back from SVG: worlds, cells, boxes and lines."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from xml.etree import ElementTree

from symkripke.drawing.geometry import Box

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class ReadWorld:
    """A world, as read from the SVG."""

    name: str
    values: tuple[tuple[str, str], ...]
    number: int
    marks: frozenset[str]
    box: Box
    lines: tuple[str, ...]


@dataclass(frozen=True)
class ReadCell:
    """A cell, as read from the SVG, with its areas and lines."""

    agents: tuple[str, ...]
    worlds: tuple[str, ...]
    ranks: tuple[int, ...]
    more: bool
    areas: tuple[Box, ...]
    lines: tuple[tuple[float, float, float, float], ...]


@dataclass
class ReadPanel:
    """One picture in an SVG file."""

    kind: str
    worlds: dict[str, ReadWorld] = field(default_factory=dict)
    cells: list[ReadCell] = field(default_factory=list)
    steps: list[tuple[tuple[str, ...], str, str]] = field(default_factory=list)
    joined: list[tuple[tuple[float, float, float, float], ...]] = field(default_factory=list)
    """The lines of each cell and of each step."""
    marks: list[Box] = field(default_factory=list)
    texts: list[tuple[str, Box]] = field(default_factory=list)


@dataclass(frozen=True)
class ReadPicture:
    """An SVG file."""

    width: float
    height: float
    title: str
    described: str
    panels: tuple[ReadPanel, ...]
    key: ReadPanel


def box_of(rect: ElementTree.Element) -> Box:
    """Return the box of a `rect`."""
    return Box(*(float(rect.attrib[name]) for name in ("x", "y", "width", "height")))


def _world(group: ElementTree.Element) -> ReadWorld:
    values = json.loads(group.attrib["data-values"])
    marks = {
        name for name in ("actual", "seen", "true", "vanishes") if f"data-{name}" in group.attrib
    }
    rect = group.find(f"{SVG}rect")
    assert rect is not None
    written = [text for text in group.findall(f"{SVG}text") if "aria-hidden" not in text.attrib]
    return ReadWorld(
        group.attrib["data-world"],
        tuple(sorted(values.items())),
        int(group.attrib["data-number"]),
        frozenset(marks),
        box_of(rect),
        tuple(text.text or "" for text in written),
    )


def _lines(group: ElementTree.Element) -> tuple[tuple[float, float, float, float], ...]:
    lines = [
        [float(line.attrib[name]) for name in ("x1", "y1", "x2", "y2")]
        for line in group.findall(f"{SVG}line")
    ]
    return tuple((line[0], line[1], line[2], line[3]) for line in lines)


def _cell(group: ElementTree.Element) -> ReadCell:
    return ReadCell(
        tuple(group.attrib["data-agents"].split()),
        tuple(group.attrib["data-worlds"].split()),
        tuple(int(rank) for rank in group.attrib.get("data-ranks", "").split()),
        "data-more" in group.attrib,
        tuple(box_of(rect) for rect in group.findall(f"{SVG}rect")),
        _lines(group),
    )


def _panel(group: ElementTree.Element) -> ReadPanel:
    panel = ReadPanel(group.attrib.get("data-kind", ""))
    for part in group:
        if part.attrib.get("class") in ("cell", "step"):
            panel.joined.append(_lines(part))
        match part.attrib.get("class"):
            case "world":
                world = _world(part)
                panel.worlds[world.name] = world
            case "cell":
                panel.cells.append(_cell(part))
            case "step":
                agents = tuple(part.attrib["data-agents"].split())
                panel.steps.append((agents, part.attrib["data-from"], part.attrib["data-to"]))
            case "mark":
                rect = part.find(f"{SVG}rect")
                assert rect is not None
                panel.marks.append(box_of(rect))
        if "data-box" in part.attrib:
            numbers = [float(number) for number in part.attrib["data-box"].split()]
            panel.texts.append((part.text or "", Box(*numbers)))
    return panel


def read(svg: str) -> ReadPicture:
    """Read the picture in an SVG file."""
    root = ElementTree.fromstring(svg)
    title, described = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert described is not None
    assert root.attrib["aria-labelledby"] == f"{title.attrib['id']} {described.attrib['id']}"
    key = root.find(f"{SVG}g[@class='key']")
    assert key is not None
    return ReadPicture(
        float(root.attrib["width"]),
        float(root.attrib["height"]),
        title.text or "",
        described.text or "",
        tuple(_panel(group) for group in root.findall(f"{SVG}g[@class='panel']")),
        _panel(key),
    )
