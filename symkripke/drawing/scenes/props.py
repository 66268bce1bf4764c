"""The things in scenes, by name."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from symkripke.drawing.cards import Face, art_of
from symkripke.drawing.text_width import text_width

PROPS = art_of(__package__, "props.svg")
"""The art of each thing."""

CHILDREN = art_of(__package__, "children.svg")
"""The art of each child; the coat has the child's colour."""

CARD, DOT, SIGN = "card", "dot", "sign"
"""Things that consist of their label: a playing card, a coloured disc, and a paper sign."""

_SIGN = 11.0
_LONGEST = 18


def prop_names() -> frozenset[str]:
    """Return the names that `Prop.art` can have."""
    return frozenset((*PROPS, CARD, DOT, SIGN))


@dataclass(frozen=True)
class Prop:
    """A thing.

    Attributes:
        art: its name in `prop_names`.
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
    if prop.art == SIGN:
        return min(text_width(_clipped(prop.label), _SIGN) + 10, 150)
    return size


def drawn(prop: Prop, x: float, y: float, size: float) -> str:
    """Return a thing with its left upper corner at (x, y)."""
    wide, label = width_of(prop, size), escape(_clipped(prop.label))
    middle, low = x + wide / 2, y + size * 0.7
    if prop.art == CARD:
        inner = (
            f'<rect class="f-paper edge" x="{x:.4g}" y="{y:.4g}" width="{wide:.4g}" '
            f'height="{size:.4g}" rx="2.5"/>'
            f'<text class="prop-label" x="{middle:.4g}" y="{low:.4g}">{label}</text>'
        )
    elif prop.art == DOT:
        inner = (
            f'<circle class="f-tone" cx="{middle:.4g}" cy="{y + size / 2:.4g}" r="{size / 2:.4g}"/>'
            f'<text class="on-tone" x="{middle:.4g}" y="{y + size / 2 + 4:.4g}">{label}</text>'
        )
    elif prop.art == SIGN:
        inner = (
            f'<rect class="f-paper edge" x="{x:.4g}" y="{y:.4g}" width="{wide:.4g}" '
            f'height="{size:.4g}" rx="3"/>'
            f'<text class="sign-label" x="{middle:.4g}" y="{y + size / 2 + 4:.4g}">{label}</text>'
        )
    else:
        inner = (
            f'<use href="#face-prop-{escape(prop.art)}" x="{x:.4g}" y="{y:.4g}" '
            f'width="{size:.4g}" height="{size:.4g}"/>'
        )
        if prop.label and not prop.is_open:
            inner += f'<text class="prop-label" x="{middle:.4g}" y="{low:.4g}">{label}</text>'
    if not prop.is_open:
        return f'<g class="t{prop.tone}">{inner}</g>'
    return f'<g class="t{prop.tone} pale">{inner}</g>{question(middle, y + size / 2, size)}'


def question(x: float, y: float, size: float) -> str:
    """Return a question mark around (x, y)."""
    css = "doubt" if size > 26 else "doubt small-doubt"
    return f'<text class="{css}" x="{x:.4g}" y="{y + (8 if size > 26 else 5):.4g}">?</text>'


def row(props: list[Prop], centre: float, y: float, size: float, room: float) -> str:
    """Return things side by side; they overlap or shrink if there is not enough room."""
    if not props:
        return ""
    gap = 2.0
    wide = sum(width_of(prop, size) for prop in props) + gap * (len(props) - 1)
    if wide > room:
        share = room / wide
        size = max(size * share, 9.0)
    step = 1.0
    wide = sum(width_of(prop, size) for prop in props) + gap * (len(props) - 1)
    if wide > room:
        step = max(room - width_of(props[-1], size), 1) / max(wide - width_of(props[-1], size), 1)
        wide = room
    x, parts = centre - wide / 2, []
    for prop in props:
        parts.append(drawn(prop, x, y, size))
        x += (width_of(prop, size) + gap) * step
    return "".join(parts)


def _clipped(label: str) -> str:
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"
