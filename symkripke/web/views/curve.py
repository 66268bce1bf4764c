"""The curve of the number of possible answers over the events of a game, as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from symkripke.drawing.chart import Chart, Series, line_chart
from symkripke.play.review import SIGNS, KeyMoment
from symkripke.play.review.records import MEANINGS

_LARGE = 8
"""The smallest number of answers whose halving is marked."""


def curve(
    open_answers: Mapping[str, Sequence[int]],
    turns: Sequence[int],
    now: int,
    what: str,
    link: str,
    flags: Sequence[KeyMoment] = (),
    width: int = 500,
) -> str:
    """Return a chart of the number of answers that each player considers possible.

    Args:
        open_answers: for each player's title, the numbers after 0, 1, 2, ... events.
        turns: the turn of each event; 0 for the deal.
        now: the number of the current event.
        what: the name of the counted answers ("solutions").
        link: the link of an event, with `{}` for its number.
        flags: the moments to mark with the sign of their sort.
        width: the width in pixels.
    """
    title = what.capitalize()
    values = "; ".join(f"{name}: {line[now]:,}" for name, line in open_answers.items())
    said = [f"Turn {flag.turn}: {MEANINGS[flag.sort]}" for flag in flags]
    described = ". ".join((f"{title} left for each player. Now: {values}", *said))
    lines = [Series(name, line, _leaps(line)) for name, line in open_answers.items()]
    steps = ["", *map(str, turns[1:])]
    signs = [(flag.event, SIGNS[flag.sort], f"flag-{flag.sort}", flag.words) for flag in flags]
    chart = Chart(title, described, lines, steps, "turn", True, now, link, signs)
    return line_chart(chart, width, alone=False)


def _leaps(line: Sequence[int]) -> dict[int, str]:
    """Return the events that at least halve a large number, each in words."""
    return {
        step: f"from {before:,} to {now:,}"
        for step, (before, now) in enumerate(pairwise(line), 1)
        if 2 * now <= before >= _LARGE
    }
