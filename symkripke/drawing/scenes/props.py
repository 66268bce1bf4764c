"""The things in scenes, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from symkripke.drawing.cards import Face, art_of
from symkripke.drawing.text_width import text_width

PROPS = art_of(__package__, "props.svg")
"""The art of each thing."""

CHILDREN = art_of(__package__, "children.svg")
"""The art of each child; the coat has the child's colour."""

CARD, DOT, SIGN, TEXT = "card", "dot", "sign", "text"
"""Things that consist of their label: a playing card, a coloured disc, a paper sign, words."""

_SIGN = 11.0
_LONGEST = 18


@dataclass(frozen=True)
class Prop:
    """A thing.

    Attributes:
        art: a key of `PROPS`, or CARD, DOT, SIGN or TEXT.
        label: a short text on it, or below it.
        tone: the number of its colour.
        is_open: whether its state is unknown; it is pale then, with a question mark.
    """

    art: str
    label: str = ""
    tone: int = 7
    is_open: bool = False

    @property
    def face(self) -> Face | None:
        """The art as a face, for the symbols of a page; None for a label."""
        art = PROPS.get(self.art)
        return None if art is None else Face(f"prop-{self.art}", self.label, art)


def width_of(prop: Prop, size: float) -> float:
    """Return the width of a thing that is `size` high."""
    if prop.art == CARD:
        return size * 0.75
    if prop.art in (SIGN, TEXT):
        return text_width(_clipped(prop.label), _SIGN) + (10 if prop.art == SIGN else 2)
    return size


def drawn(prop: Prop, x: float, y: float, size: float, wide: float = 0.0) -> str:
    """Return a thing with its upper left corner at (x, y).

    Args:
        prop: the thing.
        x: the left edge.
        y: the upper edge.
        size: the height.
        wide: the width, for signs and words in a narrow place; 0: the usual width.
    """
    usual = width_of(prop, size)
    wide, label = wide or usual, escape(_clipped(prop.label))
    middle, centre = x + wide / 2, y + size / 2
    frame = (
        f'<rect class="f-paper edge" x="{x:.4g}" y="{y:.4g}" width="{wide:.4g}" '
        f'height="{size:.4g}" rx="3"/>'
    )
    squeezed = ""
    if wide < usual:
        squeezed = f' textLength="{max(wide - 6, 4):.4g}" lengthAdjust="spacingAndGlyphs"'

    def text(css: str) -> str:
        place = f'x="{middle:.4g}" y="{centre + 4:.4g}"'
        return f'<text class="{css}" {place}{squeezed}>{label}</text>' if label else ""

    if prop.art == CARD:
        inner = frame + text("prop-label")
    elif prop.art == DOT:
        radius = size / 2
        inner = f'<circle class="f-tone" cx="{middle:.4g}" cy="{centre:.4g}" r="{radius:.4g}"/>'
        inner += text("on-tone")
    elif prop.art == SIGN:
        inner = frame + text("sign-label")
    elif prop.art == TEXT:
        inner = text("prop-label")
    else:
        inner = (
            f'<use href="#face-prop-{escape(prop.art)}" x="{x:.4g}" y="{y:.4g}" '
            f'width="{size:.4g}" height="{size:.4g}"/>'
        )
        inner += text("prop-label")
    if not prop.is_open:
        return f'<g class="t{prop.tone}">{inner}</g>'
    return f'<g class="t{prop.tone} pale">{inner}</g>{question(middle, centre, size)}'


def question(x: float, y: float, size: float) -> str:
    """Return a question mark around (x, y)."""
    css, low = ("doubt", 8) if size > 26 else ("doubt small-doubt", 5)
    return f'<text class="{css}" x="{x:.4g}" y="{y + low:.4g}">?</text>'


def row(props: Sequence[Prop], centre: float, y: float, size: float, room: float) -> str:
    """Return things side by side; they shrink and then overlap if there is not enough room."""
    if not props:
        return ""
    gap = 2.0

    def width() -> float:
        return sum(width_of(prop, size) for prop in props) + gap * (len(props) - 1)

    is_text = all(prop.art in (SIGN, TEXT) for prop in props)
    if is_text:
        share = min(1.0, room / width())
        step, wide = 1.0, width() * share
    else:
        share, low = 1.0, y + size
        size = max(size * min(1.0, room / width()), 12.0)
        y = low - size if size > 18 else y
        last = width_of(props[-1], size)
        wide = min(width(), room)
        step = (wide - last) / (width() - last) if len(props) > 1 else 1.0
    x, parts = centre - wide / 2, []
    for prop in props:
        own = width_of(prop, size) * share
        parts.append(drawn(prop, x, y, size, own if is_text else 0.0))
        x += (own + gap * share) * step
    return "".join(parts)


def _clipped(label: str) -> str:
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"
