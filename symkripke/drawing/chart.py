"""Charts of numbers over steps as self-contained SVG, readable on light and dark backgrounds.

Each line has a colour, a pattern and a name at its end, so that no meaning depends on colour alone.
Colours are CSS variables (`--chart-...`), which a page may set. By default they follow the reader's
preference for light or dark mode. Coordinates are rounded, so that the text is the same on every
machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from math import ceil, floor, inf, log10
from zlib import crc32

from symkripke.drawing.svg import FONT
from symkripke.drawing.text_width import text_width

SIZE = 13
"""The size of all letters, in pixels."""

LIGHT: Sequence[str] = (
    "#0b63a5", "#b34700", "#00704f", "#8a2f7a", "#6b4a00", "#4a4a4a", "#9c1c33", "#2f4b9a"
)  # fmt: skip
DARK: Sequence[str] = (
    "#7cc0f5", "#ffab70", "#5fd3ae", "#e79ad8", "#e0c068", "#c9c9c9", "#ff9aa8", "#aebcff"
)  # fmt: skip
"""Distinguishable colours of lines on light and dark backgrounds (contrast at least 4.5 to 1)."""

PATTERNS: Sequence[str] = ("", "7 4", "2 3", "11 3 2 3", "5 2 5 6", "14 5", "1 5", "9 3 2 3 2 3")

_GROUND = {"ink": ("#1a1a1a", "#eeeeee"), "soft": ("#555555", "#b5b5b5")}
_GRID = ("#d9d9d9", "#444444")
_PAPER = ("#ffffff", "#1b1d20")

_TOP, _BOTTOM, _LEAST_APART = 12, 40, 15

# If no value is greater than `_FEW`, lines would often coincide. They are then drawn side by side,
# `_ASIDE` pixels apart.
_FEW = 6
_ASIDE = 3.0


@dataclass(frozen=True)
class Series:
    """A series of values, drawn as one line.

    Attributes:
        name: the name of the series, for example a player.
        values: a number for each step.
        marks: steps at which the line has a mark, each with its meaning.
    """

    name: str
    values: Sequence[float]
    marks: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Chart:
    """Numbers over steps.

    Attributes:
        title: the title of the chart.
        described: the content in words, for readers who cannot see the chart.
        lines: the series.
        steps: the name of each step, such as the number of its turn.
        across: the label of the axis of steps, such as "turn".
        logarithmic: whether the scale is logarithmic.
        now: the marked step, with a dot on each line; None for no mark.
        link: the link of a step in HTML, with `{}` for its number; empty for no links.
        flags: signs above steps: the step, the sign, its CSS class, and its meaning.
    """

    title: str
    described: str
    lines: Sequence[Series]
    steps: Sequence[str]
    across: str
    logarithmic: bool = False
    now: int | None = None
    link: str = ""
    flags: Sequence[tuple[int, str, str, str]] = ()


def style(root: str) -> str:
    """Return the CSS of a chart inside the selector `root`, for light and dark mode."""
    light, dark = (_variables(number) for number in (0, 1))
    return (
        f"{root} {{ {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ {root} {{ {dark} }} }}\n"
        f'[data-theme="light"] {root} {{ {light} }}\n'
        f'[data-theme="dark"] {root} {{ {dark} }}\n'
    )


def _variables(ground: int) -> str:
    colours = (LIGHT, DARK)[ground]
    variables = {f"chart-{place}": colour for place, colour in enumerate(colours)}
    variables |= {f"chart-{name}": pair[ground] for name, pair in _GROUND.items()}
    variables |= {"chart-grid": _GRID[ground], "chart-paper": _PAPER[ground]}
    return " ".join(f"--{name}: {colour};" for name, colour in variables.items())


def line_chart(chart: Chart, width: int = 720, *, alone: bool = True) -> str:
    """Return the chart as SVG, `width` pixels wide.

    With `alone`, the SVG includes colours and a background. A page with the CSS of `style` does not
    need them.
    """
    ident = f"chart-{crc32(f'{width} {chart.title} {chart.described}'.encode()):08x}"
    drawn = _Drawn(chart, width)
    own = f"<style>{style(f'#{ident}')}</style>"
    ground = f'<rect width="{width}" height="{drawn.height}" fill="var(--chart-paper)"/>'
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{ident}" class="chart" width="{width}" '
        f'height="{drawn.height}" viewBox="0 0 {width} {drawn.height}" font-family="{FONT}" '
        f'font-size="{SIZE}"><g role="img" aria-labelledby="{ident}-title {ident}-desc">',
        f'<title id="{ident}-title">{escape(chart.title)}</title>',
        f'<desc id="{ident}-desc">{escape(chart.described)}</desc>',
        *((own, ground) if alone else ()),
        *drawn.grid(),
        *drawn.lines(),
        *drawn.names(),
        *drawn.flags(),
        "</g>",
        *drawn.links(),
        "</svg>",
    )
    return "\n".join(parts) + "\n"


class _Drawn:
    """The positions of all parts of a chart."""

    def __init__(self, chart: Chart, width: int) -> None:
        """Reserve space for the numbers on the left, and for the names on the right."""
        self.chart, self.width = chart, width
        self.height = max(220, min(380, width * 45 // 100), 60 + _LEAST_APART * len(chart.lines))
        most = max((max(line.values) for line in chart.lines), default=1.0)
        self.most = max(most, 2.0 if chart.logarithmic else 1.0)
        self.ticks = _ticks(self.most, logarithmic=chart.logarithmic)
        self.most = max(self.most, *self.ticks)
        labels = [f"{tick:,.0f}" for tick in self.ticks]
        self.left = 10 + max(text_width(label, SIZE) for label in labels)
        widest = max(text_width(line.name, SIZE, bold=True) for line in chart.lines)
        self.right = width - 14 - widest
        self.floor = self.height - _BOTTOM

    def x(self, step: int) -> float:
        """Return the x coordinate of a step."""
        last = max(1, len(self.chart.steps) - 1)
        return self.left + 8 + (self.right - self.left - 16) * step / last

    def y(self, place: int, step: int) -> float:
        """Return the y coordinate of a series at a step."""
        lines = self.chart.lines
        aside = _ASIDE * (place - (len(lines) - 1) / 2) if self.most <= _FEW else 0.0
        return self.height_of(lines[place].values[step]) + aside

    def height_of(self, value: float) -> float:
        """Return the y coordinate of a number."""
        if self.chart.logarithmic:
            share = log10(max(value, 1.0)) / log10(self.most)
        else:
            share = value / self.most
        return self.floor - 4 - (self.floor - 4 - _TOP) * share

    def grid(self) -> list[str]:
        """Return the grid lines at round numbers, and the names of the steps below them."""
        heights = {f"{tick:,.0f}": self.height_of(tick) for tick in self.ticks}
        lines = "".join(f"M{_n(self.left)} {_n(y)}H{_n(self.right)}" for y in heights.values())
        below, shown = [((self.left + self.right) / 2, self.height - 6, self.chart.across)], -1e9
        steps = self.chart.steps
        for step, name in enumerate(steps):
            if not name or (step and steps[step - 1] == name):
                continue
            half = text_width(name, SIZE) / 2
            if self.x(step) - half < shown + 10:
                continue
            shown = self.x(step) + half
            below.append((self.x(step), self.floor + 15, name))
        beside = [(self.left - 5, y + 4.5, name) for name, y in heights.items()]
        return [
            f'<path d="{lines}" stroke="var(--chart-grid)" stroke-width="1"/>',
            _texts(beside, "end"),
            _texts(below, "middle"),
        ]

    def lines(self) -> list[str]:
        """Return each series as a step line, with its marks."""
        parts = []
        if self.chart.now is not None:
            middle = _n(self.x(self.chart.now))
            parts.append(
                f'<path class="now" d="M{middle} {_TOP}V{_n(self.floor)}" fill="none" '
                'stroke="var(--chart-soft)" stroke-width="1.5" stroke-dasharray="3 3"/>'
            )
        for place, line in enumerate(self.chart.lines):
            way = [f"M{_n(self.x(0))} {_n(self.y(place, 0))}"]
            for step, (before, value) in enumerate(pairwise(line.values), 1):
                if value != before:
                    way.append(f"H{_n(self.x(step))}V{_n(self.y(place, step))}")
            way.append(f"H{_n(self.x(len(line.values) - 1))}")
            pattern = PATTERNS[place % len(PATTERNS)]
            dashes = f' stroke-dasharray="{pattern}"' if pattern else ""
            parts.append(
                f'<path data-name="{escape(line.name)}" d="{"".join(way)}" fill="none" '
                f'stroke="var(--chart-{place % len(LIGHT)})" stroke-width="2.2" '
                f'stroke-linejoin="round"{dashes}/>'
            )
            marks = dict(line.marks)
            if self.chart.now is not None:
                marks.setdefault(min(self.chart.now, len(line.values) - 1), "now")
            for step, means in marks.items():
                x, y = self.x(step), self.y(place, step)
                parts.append(
                    f'<circle cx="{_n(x)}" cy="{_n(y)}" r="5" fill="var(--chart-paper)" '
                    f'stroke="var(--chart-{place % len(LIGHT)})" stroke-width="2.2">'
                    f"<title>{escape(f'{line.name}: {means}')}</title></circle>"
                )
        return parts

    def names(self) -> list[str]:
        """Return the name of each line at its end, shifted to avoid overlaps."""
        ends = sorted((self.y(place, -1), place) for place in range(len(self.chart.lines)))
        at = [-inf]
        for number, (y, _) in enumerate(ends, 1):
            lowest = self.floor + 2 - _LEAST_APART * (len(ends) - number)
            at.append(min(max(y, at[-1] + _LEAST_APART), lowest))
        parts = []
        for (y, place), where in zip(ends, at[1:], strict=True):
            name = self.chart.lines[place].name
            colour = f"chart-{place % len(LIGHT)}"
            # A line may end before the last step.
            x = self.x(len(self.chart.lines[place].values) - 1)
            parts.append(
                f'<path d="M{_n(x)} {_n(y)}H{_n(self.right - 7)}L{_n(self.right + 5)} {_n(where)}" '
                f'fill="none" stroke="var(--{colour})" stroke-width="1"/>'
            )
            parts.append(
                f'<text x="{_n(self.right + 8)}" y="{_n(where + 4.5)}" font-weight="bold" '
                f'fill="var(--{colour})">{escape(name)}</text>'
            )
        return parts

    def flags(self) -> list[str]:
        """Return the signs above steps."""
        signs = [
            f'<text class="{css}" x="{_n(self.x(step))}" y="{_TOP - 1}">{sign}</text>'
            for step, sign, css, _ in self.chart.flags
        ]
        look = 'text-anchor="middle" font-weight="bold" fill="var(--chart-ink)"'
        return [f"<g {look}>", *signs, "</g>"] if signs else []

    def links(self) -> list[str]:
        """Return a link for each step, for pointing devices, with the values there."""
        if not self.chart.link:
            return []
        links = [
            f'<a href="{self.chart.link.replace("{}", str(step))}" tabindex="-1">'
            f"<title>{escape(self._values(step))}</title>"
            f'<path d="M{_n(self.x(step))} {_TOP}V{self.height}"/></a>'
            for step in range(len(self.chart.steps))
        ]
        wide = _n(self.x(1) - self.x(0))
        look = f'stroke="var(--chart-soft)" stroke-opacity="0" stroke-width="{wide}"'
        return [f'<g class="hits" {look} aria-hidden="true">', "".join(links), "</g>"]

    def _values(self, step: int) -> str:
        """Return the step and the value of each series there, in words."""
        name = self.chart.steps[step]
        values = [
            f"{line.name} {line.values[step]:,.0f}"
            for line in self.chart.lines
            if step < len(line.values)
        ]
        when = f"{self.chart.across} {name}" if name else "at first"
        flags = [f". {means}" for at, _, _, means in self.chart.flags if at == step]
        return f"{when}: {', '.join(values)}{''.join(flags)}"


def _ticks(most: float, *, logarithmic: bool) -> list[float]:
    """Return round numbers for the grid, from the bottom of the scale to about `most`."""
    if not logarithmic:
        step = next(
            size * 10**power
            for power in range(12)
            for size in (1, 2, 5)
            if most / (size * 10**power) <= 5
        )
        return [float(step * number) for number in range(ceil(most / step) + 1)]
    powers = floor(log10(most))
    each = (1, 2, 5) if powers < 2 else (1, 3) if powers < 4 else (1,)
    ticks = [float(size * 10**power) for power in range(powers + 1) for size in each]
    return [tick for tick in ticks if tick <= most] or [1.0]


def _texts(texts: Iterable[tuple[float, float, str]], anchor: str) -> str:
    """Return texts, each with its coordinates."""
    inner = "".join(f'<text x="{_n(x)}" y="{_n(y)}">{escape(text)}</text>' for x, y, text in texts)
    return f'<g text-anchor="{anchor}" fill="var(--chart-soft)">{inner}</g>'


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
