"""The curve of what is left open, over the events of a game, as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import log

_WIDE, _HIGH = 640.0, 220.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 12.0, 12.0, 28.0
_NAMED = 84.0
_FEW = 6
DASHES = ("", "7 4", "2 3", "11 3 2 3", "5 2 5 6", "14 5", "1 5", "9 3 2 3 2 3")


@dataclass(frozen=True)
class Scale:
    """Where numbers are drawn: events from left to right, answers in a logarithmic scale."""

    events: int
    most: int
    left: float = _LEFT

    def x(self, event: float) -> float:
        """Where an event is."""
        return self.left + (_WIDE - self.left - _RIGHT) * event / max(1, self.events)

    def y(self, answers: int) -> float:
        """Where a number of answers is."""
        share = log(max(1, answers)) / log(max(2, self.most))
        return _HIGH - _BOTTOM - (_HIGH - _TOP - _BOTTOM) * share


def curve(
    open_answers: Mapping[str, Sequence[int]],
    turns: Sequence[int],
    now: int,
    what: str,
    link: str = "",
) -> str:
    """How many answers each player considers possible after each event.

    Args:
        open_answers: by the title of the player, after 0, 1, 2, ... events.
        turns: the turn of each event; 0 for the deal.
        now: the event that is looked at.
        what: what is counted ("solutions").
        link: where an event leads, with `{}` for its number; empty: nowhere.
    """
    events = len(turns) - 1
    most = max((max(line) for line in open_answers.values() if line), default=1)
    if most <= _FEW and len(open_answers) > 1:
        return _lanes(open_answers, turns, now, what, link)
    scale = Scale(events, most)
    parts = [_opening(open_answers, now, what), *_axes(scale), *_turns(scale, turns)]
    parts.append(_now(scale, now))
    for seat, line in enumerate(open_answers.values()):
        points = _steps(scale, line)
        dash = DASHES[seat % len(DASHES)]
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<polyline class="line seat-{seat % 8}" points="{points}"{dashes}/>')
    for seat, line in enumerate(open_answers.values()):
        if line:
            at = min(now, len(line) - 1)
            x, y = scale.x(at), scale.y(line[at])
            parts.append(f'<circle class="dot seat-{seat % 8}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>')
    parts.append("</g>")
    if link and events:
        parts += _links(scale, turns, link)
    return "".join((*parts, "</svg>"))


def _lanes(
    open_answers: Mapping[str, Sequence[int]],
    turns: Sequence[int],
    now: int,
    what: str,
    link: str,
) -> str:
    """A lane for each player: lines of few answers would lie upon each other.

    A lane is as high as there are answers left; where it is empty, the player knows the answer.
    """
    scale = Scale(len(turns) - 1, max(map(max, open_answers.values())), _NAMED)
    room = (_HIGH - _TOP - _BOTTOM) / len(open_answers)
    parts = [_opening(open_answers, now, what), *_turns(scale, turns)]
    for seat, (name, line) in enumerate(open_answers.items()):
        bottom = _TOP + room * (seat + 1) - 4
        high = room - 10
        parts.append(
            f'<line class="grid" x1="{_NAMED}" x2="{_WIDE - _RIGHT}" y1="{bottom:.1f}" '
            f'y2="{bottom:.1f}"/><text class="tick lane" x="{_NAMED - 8}" '
            f'y="{bottom - high / 2 + 4:.1f}" text-anchor="end">{escape(name)}</text>'
        )
        path, before = [f"M{scale.x(0):.1f} {bottom:.1f}"], 1
        for event, answers in enumerate(line):
            if answers != before:
                top = bottom - high * (answers - 1) / max(1, scale.most - 1)
                path.append(f"H{scale.x(event):.1f}V{top:.1f}")
                before = answers
        path.append(f"H{scale.x(len(line) - 1):.1f}V{bottom:.1f}Z")
        parts.append(f'<path class="area seat-{seat % 8}" d="{"".join(path)}"/>')
    parts.append(_now(scale, now))
    parts.append("</g>")
    if link and scale.events:
        parts += _links(scale, turns, link)
    return "".join((*parts, "</svg>"))


def _opening(open_answers: Mapping[str, Sequence[int]], now: int, what: str) -> str:
    told = "; ".join(
        f"{name}: {line[min(now, len(line) - 1)]:,}" for name, line in open_answers.items() if line
    )
    return (
        f'<svg class="curve" viewBox="0 0 {_WIDE:.0f} {_HIGH:.0f}"><g role="img" '
        f'aria-label="{escape(what.capitalize())} left for each player. Now: {escape(told)}">'
    )


def _now(scale: Scale, now: int) -> str:
    x = f"{scale.x(now):.1f}"
    return f'<line class="now" x1="{x}" x2="{x}" y1="{_TOP}" y2="{_HIGH - _BOTTOM}"/>'


def _steps(scale: Scale, line: Sequence[int]) -> str:
    points: list[str] = []
    for event, answers in enumerate(line):
        if event:
            points.append(f"{scale.x(event):.1f},{scale.y(line[event - 1]):.1f}")
        points.append(f"{scale.x(event):.1f},{scale.y(answers):.1f}")
    return " ".join(points)


def _axes(scale: Scale) -> list[str]:
    parts = []
    ticks = [1]
    while ticks[-1] * 10 < scale.most:
        ticks.append(ticks[-1] * 10)
    if scale.most > 1 and scale.most / ticks[-1] >= 2:
        ticks.append(scale.most)
    for tick in ticks:
        y = scale.y(tick)
        parts.append(
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDE - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        )
        parts.append(
            f'<text class="tick" x="{_LEFT - 7}" y="{y + 4:.1f}" text-anchor="end">{tick:,}</text>'
        )
    return parts


def _turns(scale: Scale, turns: Sequence[int]) -> list[str]:
    parts = []
    last = turns[-1]
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if last / step <= 12)
    shown: set[int] = set()
    for event, turn in enumerate(turns):
        if turn % every == 0 and turn not in shown:
            shown.add(turn)
            parts.append(
                f'<text class="tick" x="{scale.x(event):.1f}" y="{_HIGH - 9}" '
                f'text-anchor="middle">{turn}</text>'
            )
    return parts


def _links(scale: Scale, turns: Sequence[int], link: str) -> list[str]:
    wide = (scale.x(1) - scale.x(0)) if len(turns) > 1 else 1.0
    return [
        f'<a href="{escape(link.format(event))}" tabindex="-1" data-swap aria-hidden="true">'
        f'<rect class="hit" x="{scale.x(event) - wide / 2:.1f}" y="{_TOP}" width="{wide:.1f}" '
        f'height="{_HIGH - _TOP}"/></a>'
        for event in range(len(turns))
    ]
