"""Cards: a frame, the art, and a label."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import resources
from itertools import groupby, pairwise

from symkripke.drawing.text_width import text_width

CARD_WIDTH, CARD_HEIGHT = 36.0, 48.0
"""The size of a card in its own units; `card` scales it."""

_SYMBOL = re.compile(r'<symbol id="([^"]+)">(.*?)</symbol>', re.DOTALL)

GROUPED = 0.24
"""The distance between two cards of a group in a hand, as a share of the usual distance."""

_ART = 32.0
_LABEL = 5.5


@dataclass(frozen=True)
class Face:
    """A card, or another thing that a player holds.

    Attributes:
        name: the name of its symbol, unique in a game: "rope".
        title: the text alternative: "Rope".
        art: the SVG of the art, in a box of 32 by 32 units; empty: the label alone.
        label: the text below the art; empty: none.
        tone: the number of its colour, from 0 to 13. The first eight are those of the players.
        group: the name of its group; in a hand, cards of a group stand close together.
        has_frame: whether it is a card; a die has no frame.
        shared: the name of the symbol, if several faces have the same art; empty: `name`.
        sign: a letter or number in the upper left corner.
        dots: the number of dots at the left edge, which tell cards with the same art apart.
        is_pile: whether other cards lie under it.
        is_content: whether it is a thing that a player holds, not a card back or a cup.
    """

    name: str
    title: str
    art: str = ""
    label: str = ""
    tone: int = 7
    group: str = ""
    has_frame: bool = True
    shared: str = ""
    sign: str = ""
    dots: int = 0
    is_pile: bool = False
    is_content: bool = True

    @property
    def symbol(self) -> str:
        """The name of the symbol with the art."""
        return self.shared or self.name


_LATTICE = "".join(
    f"M0 {at}L{at} 0M{32 - at} 0L32 {at}M{32 - at} 32L32 {32 - at}M0 {32 - at}L{at} 32"
    for at in (8, 16, 24)
)
_PATTERN = f'<path class="back" d="{_LATTICE}M0 32L32 0M0 0L32 32M0 0h32v32H0z"/>'

BACK = Face("back", "a card face down", _PATTERN, is_content=False)
"""A card whose face is not known."""


def symbols(faces: Iterable[Face]) -> str:
    """Return a hidden SVG that defines the art of the faces once, for `art` and `card`."""
    unique = {face.symbol: face for face in faces if face.art}
    inner = "".join(
        f'<symbol id="face-{escape(face.symbol)}" viewBox="0 0 32 32">{face.art}</symbol>'
        for face in unique.values()
    )
    return f'<svg class="symbols" width="0" height="0" aria-hidden="true">{inner}</svg>'


def art(face: Face, size: float) -> str:
    """Return the art alone as an `svg` element for a line of text; `size` is in pixels."""
    if not face.art:
        return ""
    return (
        f'<svg class="art t{face.tone}" width="{size:g}" height="{size:g}" viewBox="0 0 32 32" '
        f'aria-hidden="true">{_inner(face)}</svg>'
    )


def _inner(face: Face) -> str:
    """Return the art, made smaller to leave room for the sign if there is one."""
    symbol = f"#face-{escape(face.symbol)}"
    if not face.sign:
        return f'<use href="{symbol}"/>'
    sign = f'<text class="card-index" x="0" y="9">{escape(face.sign)}</text>'
    return f'<use href="{symbol}" x="6" y="5" width="26" height="26"/>{sign}'


def card(face: Face, x: float, y: float, height: float, *, css: str = "") -> str:
    """Return a card as an element `g` with its title.

    Args:
        face: the card.
        x: the left edge.
        y: the upper edge.
        height: the height in units of the picture. Labels are left out if they would be too small
            to read.
        css: further classes of the element.
    """
    scale = height / CARD_HEIGHT
    label = face.label if scale >= 1.2 or not face.art else ""
    parts = [f"<title>{escape(face.title)}</title>"]
    if face.has_frame:
        paper = "f-back" if face is BACK else "f-paper"
        frame = f'class="{paper} edge" width="{CARD_WIDTH:g}" height="{CARD_HEIGHT:g}" rx="4"'
        parts += [f'<rect {frame} x="{under}" y="-{under}"/>' for under in (4, 2) if face.is_pile]
        parts.append(f"<rect {frame}/>")
    if face is BACK:
        stretched = 'transform="translate(4 4) scale(.875 1.25)"'
        parts.append(f'<use href="#face-back" width="32" height="32" {stretched}/>')
    elif face.art:
        size, top = (30.0, 3.0) if label else (_ART, 8.0)
        left = (CARD_WIDTH - size) / 2
        if face.sign or face.dots:  # These are at the left edge.
            size, left, top = 27.0, 7.5, 6.0 if label else 14.0
        parts.append(
            f'<use href="#face-{escape(face.symbol)}" x="{left:g}" y="{top:g}" width="{size:g}" '
            f'height="{size:g}"/>'
        )
    if face.dots:
        dots = "".join(f"M3.8 {7 + 5 * number:g}h0" for number in range(face.dots))
        parts.append(f'<path class="dots" d="{dots}"/>')
    if face.sign:
        parts.append(f'<text class="card-index" x="3" y="11.5">{escape(face.sign)}</text>')
    lines = _lines(label)
    for number, line in enumerate(lines):
        room = ' textLength="33" lengthAdjust="spacingAndGlyphs"' * _is_wide(line)
        low = CARD_HEIGHT - 4 - 6 * (len(lines) - 1 - number) if face.art else 22 + 7 * number
        parts.append(f'<text class="card-label" x="18" y="{low:g}"{room}>{escape(line)}</text>')
    classes = f"card t{face.tone} {css}".rstrip()
    place = f"translate({x:.4g} {y:.4g}) scale({scale:.3g})"
    return f'<g class="{classes}" transform="{place}">{"".join(parts)}</g>'


def _lines(label: str) -> list[str]:
    """Return a label in at most two lines."""
    words = label.split()
    if not _is_wide(label) or len(words) < 2:
        return [label] if label else []
    middle = min(
        range(1, len(words)),
        key=lambda cut: abs(len(" ".join(words[:cut])) - len(" ".join(words[cut:]))),
    )
    return [" ".join(words[:middle]), " ".join(words[middle:])]


def _is_wide(line: str) -> bool:
    """Return whether a line must be compressed to fit on a card."""
    return text_width(line, _LABEL, bold=True) > CARD_WIDTH - 3


def fan(
    faces: Sequence[Face],
    centre: float,
    y: float,
    height: float,
    width: float,
    marked: Iterable[str] = (),
) -> str:
    """Return a hand: the cards in a row, which overlap where there is not enough room.

    Cards of a group stand closer together than others. Things without a frame do not overlap. Those
    of a group are only about half as high, and can form several rows.

    Args:
        faces: the cards, in order.
        centre: the middle of the row.
        y: its upper edge.
        height: the height of a card.
        width: the available width.
        marked: the names of cards to be marked.
    """
    if not faces:
        return ""
    if not any(face.has_frame for face in faces):
        return _tray(faces, centre, y + height / 2, height * 1.1, width)
    single, names = CARD_WIDTH * height / CARD_HEIGHT, set(marked)
    gaps = gaps_between(faces)
    step = min(single * 0.9, (width - single) / sum(gaps)) if gaps else 0.0
    x = centre - (step * sum(gaps) + single) / 2
    drawn = []
    for face, gap in zip(faces, [*gaps, 0.0], strict=True):
        drawn.append(card(face, x, y, height, css="marked" if face.name in names else ""))
        x += step * gap
    return "".join(drawn)


def gaps_between(faces: Iterable[Face]) -> list[float]:
    """Return the distances between the cards of a hand, as shares of the usual distance."""
    return [
        GROUPED if now.group and now.group == before.group else 1.0
        for before, now in pairwise(faces)
    ]


def _tray(faces: Sequence[Face], centre: float, middle: float, height: float, width: float) -> str:
    """Return things without frames side by side; those of a group stand in rows, without overlap.

    Args:
        faces: the things.
        centre: the horizontal middle of all things.
        middle: the vertical middle of all things.
        height: the height of a thing that belongs to no group.
        width: the available width.
    """
    blocks = [
        list(block) for _, block in groupby(enumerate(faces), lambda pair: pair[1].group or pair[0])
    ]

    def sizes(rows: int) -> list[tuple[float, int]]:
        """Return, for each block, the size of a thing and the number of columns."""
        found = [
            (min(height / rows, 0.55 * height), -(-len(block) // rows))
            if block[0][1].group
            else (height, 1)
            for block in blocks
        ]
        share = min(1.0, width / sum(size * columns for size, columns in found))
        return [(size * share, columns) for size, columns in found]

    best = max(map(sizes, range(1, 5)), key=lambda found: min(size for size, _ in found))
    x, drawn = centre - sum(size * columns for size, columns in best) / 2, list[str]()
    for block, (size, columns) in zip(blocks, best, strict=True):
        scale, top = size / _ART, middle - size * -(-len(block) // columns) / 2
        for number, (_, face) in enumerate(block):
            left = x + size * (number % columns) - scale * (CARD_WIDTH - _ART) / 2
            high = top + size * (number // columns) - 8 * scale
            drawn.append(card(face, left, high, scale * CARD_HEIGHT))
        x += size * columns
    return "".join(drawn)


@cache
def art_of(package: str, file: str) -> Mapping[str, str]:
    """Return the art in a file of a package: the content of each `symbol` by its `id`."""
    text = resources.files(package).joinpath(file).read_text("utf-8")
    return {name: " ".join(art.split()).replace("> <", "><") for name, art in _SYMBOL.findall(text)}


@cache
def style() -> str:
    """Return the style sheet of all drawings of this package."""
    return resources.files(__package__).joinpath("cards.css").read_text("utf-8")


def picture(content: str, width: float, height: float, title: str, faces: Iterable[Face]) -> str:
    """Return a complete SVG file with its style and symbols, on white paper.

    Args:
        content: the elements of the picture.
        width: the width in pixels.
        height: the height in pixels.
        title: the text alternative.
        faces: the faces that the picture uses.
    """
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(title)}">\n'
        f"<style>{style()}</style>\n{symbols(faces)}\n"
        f'<rect class="f-paper" width="{width:g}" height="{height:g}"/>\n{content}\n</svg>\n'
    )
