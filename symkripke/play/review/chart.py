"""The chart of a review as SVG: the remaining uncertainty of each player, turn by turn."""

from __future__ import annotations

from symkripke.drawing.chart import Chart, Series, line_chart
from symkripke.play.review.telling import Review, over_turns


def chart_of(review: Review) -> Chart:
    """Return the chart as data, with marks where a player could first know the answer."""
    words = review.measure.words
    steps = ["", *(f"{event.turn}" for event in review.events)]
    turns = [0, *(event.turn for event in review.events)]
    lines = []
    for player in review.charted:
        marks = {}
        first = review.certain.get(player)
        if first is not None:
            series = review.series(player)
            after = [step for step, turn in enumerate(turns) if turn >= first]
            known = [step for step in after if series[step] <= 1]
            if known:
                marks[known[0]] = f"could know the answer from turn {first}"
        lines.append(Series(review.titles[player], review.series(player), marks))
    described = " ".join(
        f"{review.titles[player]}: {over_turns(review, player)}." for player in review.charted
    )
    return Chart(
        f"{words[:1].upper()}{words[1:]}",
        described,
        lines,
        steps,
        "turn",
        review.measure.logarithmic,
    )


def svg_chart(review: Review, width: int = 720, *, alone: bool = True) -> str:
    """Return the chart as SVG, `width` pixels wide; see `symkripke.drawing.chart.line_chart`."""
    return line_chart(chart_of(review), width, alone=alone)
