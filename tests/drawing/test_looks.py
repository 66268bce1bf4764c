"""Looks of all pictures of the gallery: no overlaps, everything fits, colours are not needed."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest

from symkripke.drawing import Picture
from symkripke.drawing.geometry import Box
from symkripke.drawing.svg import _style
from symkripke.drawing.text_width import text_width, wrapped
from tests.drawing.gallery import GALLERY, drawing
from tests.drawing.reading import ReadPanel, read
from tests.support.readme import ROOT

Line = tuple[float, float, float, float]


@pytest.mark.parametrize("name", GALLERY)
def test_no_two_labels_overlap(name: str) -> None:
    """Labels are those of worlds, agents' marks, headings, notes and the key."""
    picture = read(drawing(name).svg)
    boxes = [
        (what, box)
        for panel in (*picture.panels, picture.key)
        for what, box in (
            *((f"world {world.name}", world.box) for world in panel.worlds.values()),
            *(("mark", mark) for mark in panel.marks),
            *panel.texts,
        )
    ]
    for (first, box), (second, other) in itertools.combinations(boxes, 2):
        # Drawn coordinates are rounded to a tenth.
        assert not _overlap(box, other, -0.2), (first, second)
    for what, box in boxes:
        assert box.x >= 0, what
        assert box.y >= 0, what
        assert box.right <= picture.width, what
        assert box.bottom <= picture.height, what


@pytest.mark.parametrize("name", GALLERY)
def test_labels_fit_into_their_boxes(name: str) -> None:
    for panel in read(drawing(name).svg).panels:
        for world in panel.worlds.values():
            for line in world.lines:
                assert text_width(line, 13, bold="*" in line) <= world.box.width - 8
            assert 17 * len(world.lines) <= world.box.height


@pytest.mark.parametrize("name", GALLERY)
def test_areas_and_lines_show_exactly_the_cell(name: str) -> None:
    """An area contains exactly the worlds of its cell, and lines join only these."""
    for panel in read(drawing(name).svg).panels:
        for cell in panel.cells:
            inside = set(cell.worlds)
            if panel.kind == "table":
                rows = {
                    world.name
                    for world in panel.worlds.values()
                    if any(
                        area.y - 1 < world.box.centre[1] < area.bottom + 1 for area in cell.areas
                    )
                }
                assert rows == inside
                continue
            for area in cell.areas:
                for world in panel.worlds.values():
                    held = area.wider(0.2, 0.2)
                    whole = (
                        held.x <= world.box.x
                        and held.y <= world.box.y
                        and world.box.right <= held.right
                        and world.box.bottom <= held.bottom
                    )
                    assert whole == (world.name in inside)
                    assert whole or not _overlap(area, world.box)
            if cell.lines:
                ends = {_world_at(panel, line) for line in cell.lines}
                assert ends == inside
            shown = bool(cell.areas or cell.lines)
            assert shown == (len(inside) > 1) or (shown and len(panel.worlds) == 1)


def _world_at(panel: ReadPanel, line: Line) -> str:
    """Return the world at which a line ends, and check that it crosses no other."""
    end = Box(line[2] - 1, line[3] - 1, 2, 2)
    found = [world.name for world in panel.worlds.values() if _overlap(world.box, end)]
    assert len(found) == 1
    for world in panel.worlds.values():
        if world.name != found[0]:
            assert not _through(world.box, line), world.name
    return found[0]


def _overlap(one: Box, other: Box, gap: float = 0) -> bool:
    """Return whether the boxes are closer to each other than `gap` in both directions."""
    grown = other.wider(gap, gap)
    across = one.x < grown.right and grown.x < one.right
    return across and one.y < grown.bottom and grown.y < one.bottom


def _through(box: Box, line: Line) -> bool:
    for share in range(101):
        x = line[0] + (line[2] - line[0]) * share / 100
        y = line[1] + (line[3] - line[1]) * share / 100
        if box.x < x < box.right and box.y < y < box.bottom:
            return True
    return False


@pytest.mark.parametrize("name", GALLERY)
def test_no_line_goes_through_a_text_or_a_mark(name: str) -> None:
    """Lines begin or end at the marks of their own cell or step."""
    for panel in read(drawing(name).svg).panels:
        for lines in panel.joined:
            ends = {end for line in lines for end in (line[:2], line[2:])}
            own = [
                mark for mark in panel.marks if any(_overlap(mark, Box(*end, 0, 0)) for end in ends)
            ]
            others = [("", mark) for mark in panel.marks if mark not in own]
            for line, (text, box) in itertools.product(lines, (*panel.texts, *others)):
                assert not _through(box, line), text


def test_all_kinds_of_layouts_are_in_the_gallery() -> None:
    kinds = {panel.kind for name in GALLERY for panel in read(drawing(name).svg).panels}
    assert kinds == {"areas", "lines", "table", "way"}


def test_agents_differ_in_black_and_white() -> None:
    agents = tuple("abcdefgh")
    styles = [_style((agent,), Picture(agents, ())) for agent in agents]
    assert len({pattern for _, pattern in styles}) == len(agents)
    assert len({colour for colour, _ in styles}) == len(agents)
    for colour, _ in styles:
        # The colour is dark enough for letters on white (contrast 4.5 of the accessibility
        # guidelines).
        assert _contrast(colour) >= 4.5, colour


def _contrast(colour: str) -> float:
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.03928 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 1.05 / (light + 0.05)


def test_pictures_are_the_same_from_run_to_run() -> None:
    names = ("muddy-children-3", "plausible-cards", "russian-cards-near", "cheryls-birthday")
    code = (
        "from tests.drawing.gallery import drawing\n"
        f"print(''.join(drawing(name).svg for name in {names}), end='')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": "1", "PYTHONPATH": ".:encodings", "PATH": ""},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "".join(drawing(name).svg for name in names)


def test_pictures_have_a_text_description() -> None:
    told = read(drawing("muddy-children-2").svg).described
    for fact in ("3 worlds", "2 agents", "1 cannot tell apart: 1, 2 or 2."):
        assert fact in told
    assert len(read(drawing("hundred-worlds").svg).described) < 1_000


def test_widths_of_texts() -> None:
    assert text_width("", 13) == 0
    assert text_width("iii", 13) < text_width("mmm", 13) < text_width("mmm", 13, bold=True)
    assert wrapped("one two three", 60, 13) == ["one two", "three"]
    two = "one\N{NO-BREAK SPACE}two"
    assert wrapped(f"{two} three", 10, 13) == [two, "three"]
