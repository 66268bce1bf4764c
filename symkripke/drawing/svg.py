"""Pictures as self-contained SVG, with the data in `data-` attributes.

Each agent has a colour, a line pattern and a sign, so that no meaning depends on colour alone. Each
picture is an element `g.panel`, which contains `g.cell` (agents, worlds, ranks) or `g.step`,
`g.world` and `g.mark`. Coordinates are rounded, so that the text is the same on every machine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import hypot
from zlib import crc32

from symkripke.drawing.geometry import (
    LINE_HEIGHT,
    MARK_SIZE,
    PADDING,
    Area,
    Box,
    Layout,
    Mark,
    Segment,
    Text,
    lines_of,
    mark_size,
    mark_text,
)
from symkripke.drawing.labels import SIZE, short_names
from symkripke.drawing.picture import MARKS, DrawnWorld, Picture
from symkripke.drawing.table import line_of
from symkripke.drawing.text_width import text_width, wrapped

FONT = "DejaVu Sans, Verdana, Arial, Helvetica, sans-serif"

# The colours are dark enough on white, and colour-blind readers can distinguish them (M. Okabe, K.
# Ito, 2002). The patterns distinguish the agents in black and white.
_COLOURS = ("#0b63a5", "#b34700", "#00704f", "#8a2f7a", "#6b4a00", "#4a4a4a", "#9c1c33", "#2f4b9a")
_PATTERNS = ("", "7 4", "2 3", "11 3 2 3", "5 2 5 6", "14 5", "1 5", "9 3 2 3 2 3")
_SEVERAL = "#333333"

_ROLES = {
    "#ffffff": "paper",
    "#000000": "ink",
    _SEVERAL: "several",
    "#d9d9d9": "true",
    "#8c8c8c": "cross",
    "#4d4d4d": "vanishing",
    **{colour: f"agent-{number}" for number, colour in enumerate(_COLOURS)},
}
"""The name of each colour, for pages that set the colours."""

_COLOURED = re.compile(r'(fill|stroke)="(#[0-9a-f]{6})"')

_MARGIN = 14
_HEADING = 18
_BETWEEN = 34
_WIDEST = 1180
_NARROWEST = 340


@dataclass(frozen=True)
class Panel:
    """A picture with its layout and its heading."""

    heading: str
    picture: Picture
    layout: Layout


def svg(panels: Sequence[Panel], title: str) -> str:
    """Return the SVG of the panels, side by side in rows, with one key below."""
    placed, width, bottom = _placed(panels)
    key, height = _key(panels, width, bottom + 18)
    descriptions = [(panel.heading, panel.picture.describe()) for panel in panels]
    described = " ".join(": ".join(filter(None, words)) for words in descriptions)
    # A page may contain several pictures, so the ids of their elements must differ.
    ident = f"picture-{crc32(f'{title} {described}'.encode()):08x}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}" height="{_n(height)}" '
        f'viewBox="0 0 {_n(width)} {_n(height)}" role="img" '
        f'aria-labelledby="{ident}-title {ident}-desc" font-family="{FONT}" '
        f'font-size="{SIZE}">',
        f'<title id="{ident}-title">{escape(title)}</title>',
        f'<desc id="{ident}-desc">{escape(described)}</desc>',
        f'<rect width="{_n(width)}" height="{_n(height)}" fill="#ffffff"/>',
    ]
    for number, (panel, heading) in enumerate(placed):
        lines += _panel(number, panel, heading)
    return "\n".join((*lines, *key, "</svg>", ""))


def themed(picture: str) -> str:
    """Return a picture of `svg` with colours as CSS variables, `--drawing-...`.

    Text without a colour has the text colour of the page.
    """
    return _COLOURED.sub(
        lambda found: f'{found[1]}="var(--drawing-{_ROLES[found[2]]}, {found[2]})"', picture
    )


def _placed(panels: Sequence[Panel]) -> tuple[list[tuple[Panel, list[Text]]], float, float]:
    """Return the panels in their places, with their headings, and the total width and height."""
    placed: list[tuple[Panel, list[Text]]] = []
    x = y = float(_MARGIN)
    bottom, right = y, float(_NARROWEST)
    for panel in panels:
        several = len(panels) > 1
        wide = max(panel.layout.width, 220.0 if several else 0.0)
        if x > _MARGIN and x + wide > _WIDEST:
            x, y = float(_MARGIN), bottom + _BETWEEN
        heading_lines = wrapped(panel.heading, wide, SIZE, bold=True)
        widths = [text_width(line, SIZE, bold=True) for line in heading_lines]
        heading = [
            Text(Box(x, y + line * _HEADING, widths[line], _HEADING), text, bold=True)
            for line, text in enumerate(heading_lines)
        ]
        down = y + len(heading_lines) * _HEADING + (8 if heading_lines else 0)
        layout = panel.layout.moved(x, down)
        placed.append((Panel(panel.heading, panel.picture, layout), heading))
        bottom = max(bottom, down + panel.layout.height)
        right = max(right, x + wide + _MARGIN, *(text.box.right + _MARGIN for text in heading))
        x += wide + _BETWEEN
    return placed, right, bottom


# ---- a panel ----------------------------------------------------------------------------------


def _panel(number: int, panel: Panel, heading: Iterable[Text]) -> list[str]:
    picture, layout = panel.picture, panel.layout
    lines = [f'<g class="panel" data-panel="{number}" data-kind="{layout.kind}">']
    lines += [_text(text, "heading") for text in heading]
    for place, cell in enumerate(picture.cells):
        data = {"agents": " ".join(cell.agents), "worlds": " ".join(cell.worlds)}
        if cell.ranks:
            data["ranks"] = " ".join(map(str, cell.ranks))
        if cell.more:
            data["more"] = "true"
        lines += _owned("cell", data, cell.agents, panel, place)
    for place, step in enumerate(picture.steps):
        data = {"agents": " ".join(step.agents), "from": step.start, "to": step.end}
        data["shows"] = step.shows
        lines += _owned("step", data, step.agents, panel, place)
    for world in picture.worlds:
        lines += _world(panel, world)
    lines += [_mark(mark, picture) for mark in layout.marks]
    lines += [_text(text, "note") for text in layout.texts]
    return [*lines, "</g>"]


def _owned(
    kind: str, data: Mapping[str, str], agents: Sequence[str], panel: Panel, place: int
) -> list[str]:
    """Return the elements of a cell or a step, without its mark."""
    attributes = "".join(f' data-{name}="{escape(value)}"' for name, value in data.items())
    shapes: list[str] = []
    for area in panel.layout.areas:
        if area.cell == place:
            shapes += _area(area, *_style(area.agents or agents, panel.picture), panel.layout.kind)
    for line in panel.layout.lines:
        if line.owner == place:
            shapes += _line(line, *_style(line.agents or agents, panel.picture))
    if not shapes:
        return [f'<g class="{kind}"{attributes}/>']
    return [f'<g class="{kind}"{attributes}>', *shapes, "</g>"]


def _style(agents: Sequence[str], picture: Picture) -> tuple[str, str]:
    """Return the colour and line pattern of an agent; several agents have dark, solid lines."""
    if len(agents) != 1 or agents[0] not in picture.agents:
        return _SEVERAL, ""
    place = picture.agents.index(agents[0])
    return _COLOURS[place % len(_COLOURS)], _PATTERNS[place % len(_PATTERNS)]


def _area(area: Area, colour: str, pattern: str, kind: str) -> list[str]:
    dashes = f' stroke-dasharray="{pattern}"' if pattern and kind != "table" else ""
    corner = 5 if kind == "table" else 12
    opacity = "0.16" if kind == "table" and area.number else "0.05"
    shapes = [
        f'<rect {_box(area.box)} rx="{corner}" fill="{colour}" fill-opacity="{opacity}" '
        f'stroke="{colour}" stroke-width="1.6"{dashes}/>'
    ]
    if area.number:
        x, y = area.box.centre
        shapes.append(
            f'<text x="{_n(x)}" y="{_n(y + 4.5)}" text-anchor="middle" font-size="{MARK_SIZE}" '
            f'fill="#000000">{escape(area.number)}</text>'
        )
    return shapes


def _line(line: Segment, colour: str, pattern: str) -> list[str]:
    dashes = f' stroke-dasharray="{pattern}"' if pattern else ""
    (x1, y1), (x2, y2) = line.start, line.end
    shapes = [
        f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" stroke="{colour}" '
        f'stroke-width="1.8"{dashes}/>'
    ]
    length = max(hypot(x2 - x1, y2 - y1), 1e-9)
    unit = (x2 - x1) / length, (y2 - y1) / length
    if line.arrow:
        back = x2 - unit[0] * 10, y2 - unit[1] * 10
        sides = [(back[0] - side * unit[1], back[1] + side * unit[0]) for side in (4.5, -4.5)]
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in (line.end, *sides))
        shapes.append(f'<polygon points="{points}" fill="{colour}"/>')
    if line.rank:
        x, y = x2 - unit[0] * 19, y2 - unit[1] * 19
        shapes += [
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="7.5" fill="#ffffff"/>',
            f'<text x="{_n(x)}" y="{_n(y + 4)}" text-anchor="middle" font-size="11" '
            f'font-weight="bold" fill="{colour}">{line.rank}</text>',
        ]
    return shapes


def _world(panel: Panel, world: DrawnWorld) -> list[str]:
    box = panel.layout.boxes[world.name]
    marks = "".join(f' data-{mark}="true"' for mark in MARKS if getattr(world, mark))
    values = escape(json.dumps(dict(world.values), ensure_ascii=False))
    pattern = ' stroke-dasharray="4 3"' if world.vanishes else ""
    fill = "#d9d9d9" if world.true else "#ffffff"
    border = "3" if world.seen else "1.2"
    lines = [
        f'<g class="world" data-world="{world.name}" data-number="{world.number}" '
        f'data-values="{values}"{marks}>',
        f'<rect {_box(box)} rx="5" fill="{fill}" stroke="#000000" '
        f'stroke-width="{border}"{pattern}/>',
    ]
    if world.actual:
        inner = _box(box.wider(-3, -3))
        lines.append(f'<rect {inner} rx="3" fill="none" stroke="#000000" stroke-width="1.2"/>')
    if world.vanishes:
        ends = ((box.x, box.y, box.right, box.bottom), (box.x, box.bottom, box.right, box.y))
        lines += [
            f'<line x1="{_n(a)}" y1="{_n(b)}" x2="{_n(c)}" y2="{_n(d)}" stroke="#8c8c8c" '
            'stroke-width="1.4"/>'
            for a, b, c, d in ends
        ]
    written = (line_of(world),) if panel.layout.kind == "table" else lines_of(world)
    colour = "#4d4d4d" if world.vanishes else "#000000"
    x, middle = box.centre
    anchor = "middle"
    if panel.layout.kind == "table":
        x, anchor = box.x + PADDING, "start"
    for number, text in enumerate(written):
        y = middle + (number - (len(written) - 1) / 2) * LINE_HEIGHT + 4.5
        style = ' font-weight="bold"' if "*" in text else ""
        if number >= len(written) - len(world.shows):
            style = ' font-style="italic"'
        place = f'x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}"{style}'
        if world.vanishes:  # the cross must not go through the letters
            lines.append(
                f'<text {place} stroke="#ffffff" stroke-width="4" stroke-linejoin="round" '
                f'aria-hidden="true">{escape(text)}</text>'
            )
        lines.append(f'<text {place} fill="{colour}">{escape(text)}</text>')
    return [*lines, "</g>"]


def _mark(mark: Mark, picture: Picture) -> str:
    """Return the mark of a cell or a step, in the colour of its agents."""
    names = {short: agent for agent, short in short_names(picture.agents).items()}
    owners: Sequence[str] = [names[word] for word in mark.text.split() if word in names]
    if picture.steps:
        owners = picture.steps[mark.owner].agents
    colour, _ = _style(owners, picture)
    x, y = mark.box.centre
    return (
        f'<g class="mark" data-owner="{mark.owner}"><rect {_box(mark.box)} rx="9" '
        f'fill="#ffffff" stroke="{colour}" stroke-width="1.4"/>'
        f'<text x="{_n(x)}" y="{_n(y + 4.3)}" text-anchor="middle" font-size="{MARK_SIZE}" '
        f'font-weight="bold" fill="{colour}">{escape(mark.text)}</text></g>'
    )


def _text(text: Text, kind: str) -> str:
    style = ' font-weight="bold"' if text.bold else ""
    style += ' font-style="italic"' if text.italic else ""
    numbers = " ".join(map(_n, (text.box.x, text.box.y, text.box.width, text.box.height)))
    return (
        f'<text class="{kind}" x="{_n(text.box.x)}" y="{_n(text.box.bottom - 4.5)}" '
        f'font-size="{_n(text.size)}" data-box="{numbers}"{style}>'
        f"{escape(text.text)}</text>"
    )


# ---- the key ----------------------------------------------------------------------------------


def _key(panels: Sequence[Panel], width: float, top: float) -> tuple[list[str], float]:
    """Return the key (the agents' lines and the meaning of symbols), and its lower edge."""
    lines = ['<g class="key">']
    x, y = float(_MARGIN), top
    pictures = [panel.picture for panel in panels]
    agents = tuple(dict.fromkeys(agent for picture in pictures for agent in picture.agents))
    whole = Picture(agents, ())
    for agent in agents:
        sign = mark_text((agent,), agents)
        said = f"{pictures[0].title(agent)}{_remark(agent, pictures)}"
        sign_width, sign_height = mark_size(sign)
        needed = 44 + sign_width + 6 + text_width(said, SIZE) + 22
        if x > _MARGIN and x + needed > width:
            x, y = float(_MARGIN), y + 24
        colour, pattern = _style((agent,), whole)
        lines += _line(Segment(0, (x, y + 9), (x + 40, y + 9)), colour, pattern)
        lines.append(_mark(Mark(0, Box(x + 44, y, sign_width, sign_height), sign), whole))
        box = Box(x + 50 + sign_width, y, text_width(said, SIZE), sign_height)
        lines.append(_text(Text(box, said), "agent"))
        x += needed
    y += 26
    for line in wrapped(_meaning(panels), width - 2 * _MARGIN, SIZE):
        lines.append(_text(Text(Box(_MARGIN, y, text_width(line, SIZE), 18), line), "note"))
        y += 18
    return [*lines, "</g>"], y + _MARGIN - 4


def _remark(agent: str, pictures: Sequence[Picture]) -> str:
    """Return the remark on an agent without lines."""
    cells = [cell for picture in pictures for cell in picture.cells_of(agent)]
    if cells and all(len(cell.worlds) == 1 and not cell.more for cell in cells):
        return " (tells all these worlds apart)" if len(pictures[0].worlds) > 1 else " (no doubt)"
    return ""


def _meaning(panels: Sequence[Panel]) -> str:
    """Return the meaning of each symbol in the panels, and the notes."""
    pictures = [panel.picture for panel in panels]
    worlds = [world for picture in pictures for world in picture.worlds]
    cells = [cell for picture in pictures for cell in picture.cells]
    kinds = {panel.layout.kind for panel in panels if len(panel.picture.worlds) > 1}
    formula = next((picture.formula for picture in pictures if picture.formula), "")
    signs = {
        "Double border: the actual world.": any(world.actual for world in worlds),
        "Thick border: worlds that the agent considers possible.": any(w.seen for w in worlds),
        f"Grey: {formula}.": formula,
        "Crossed out: worlds that the next event makes impossible.": any(
            world.vanishes for world in worlds
        ),
        "Worlds in one area: the agent cannot tell them apart.": "areas" in kinds
        and any(len(cell.worlds) > 1 for cell in cells),
        "Worlds joined by a mark: the agents named there cannot tell them apart.": "lines" in kinds,
        "Bars with one number: the agent of the column cannot tell these worlds apart; it tells a "
        "world with an empty bar from all others.": "table" in kinds,
        "An arrow: at its start, the agents consider its end possible.": "way" in kinds,
        (
            "Numbers rank worlds by plausibility, 1 the most; what holds at all of "
            "these is believed."
        ): any(cell.ranks for cell in cells),
        "…: an agent considers worlds possible that are not drawn.": any(c.more for c in cells),
    }
    notes = dict.fromkeys(note for picture in pictures for note in picture.notes)
    return " ".join((*(sign for sign, occurs in signs.items() if occurs), *notes))


def _box(box: Box) -> str:
    return f'x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(box.width)}" height="{_n(box.height)}"'


def _n(number: float) -> str:
    """Return a number with at most one decimal."""
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
