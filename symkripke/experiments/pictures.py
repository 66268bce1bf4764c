"""Pictures of a report, as SVG: intervals, curves with bands, and matrices of wins."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np

from symkripke.experiments.estimates import Rank
from symkripke.experiments.report import Part, Report, ResultRow
from symkripke.experiments.running import need
from symkripke.experiments.summary import titled

# Okabe and Ito's colours, which colour-blind people can tell apart.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = "osD^vPX"
_OF_GAMES = ("#333333", "o")
"""The colour and the marker of figures of whole games."""


def pictures(report: Report) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the description and the SVG of each picture of a report."""
    need("matplotlib", "pictures need matplotlib", "lab")
    shown = [name for name in report.experiment.figures if name not in ("given-up", "failed")]
    for name in shown:
        if picture := _intervals(report, name):
            yield f"figure-{name}", titled(report.experiment.figures[name]), picture
    if "turns" in shown and (picture := _spread(report)):
        yield (
            "spread-turns",
            "How turns to the end spread: median, half and nine tenths of all games",
            picture,
        )
    for number, part in enumerate(report.parts):
        if part.curve:
            title = f"Left open after each turn: {part.condition.name}"
            yield f"curve-{number + 1}", title, _curve(report, part)
    yield from _matrices(report)
    if report.ranking is not None:
        ranks = report.ranking.ranks
        yield "ranking", "Strength of each kind of mind", _ranking(report, ranks)


def _begin(width: float, height: float) -> tuple[Any, Any]:
    import matplotlib as mpl

    mpl.use("Agg", force=False)
    from matplotlib.figure import Figure

    mpl.rcParams.update({"svg.hashsalt": "symkripke", "svg.fonttype": "none", "font.size": 9})
    drawn = Figure(figsize=(width, height), layout="constrained")
    axes = drawn.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return drawn, axes


def _svg(drawn: Any) -> str:
    text = io.StringIO()
    drawn.savefig(text, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Type", "Format")))
    svg = text.getvalue()
    return svg[svg.index("<svg") :].rstrip() + "\n"


def _in_rows(drawn: Any, axes: Any, names: Sequence[str], unit: str) -> str:
    """Return a picture with a row for each name, and values of a unit from left to right."""
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    if unit == "share":
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    elif unit:
        axes.set_xlabel(unit)
    axes.grid(axis="x", alpha=0.3)
    return _svg(drawn)


def _colours(report: Report) -> Mapping[str, tuple[str, str]]:
    minds = dict.fromkeys(mind for part in report.parts for mind in part.condition.minds)
    return {"": _OF_GAMES, **dict(zip(minds, cycle(zip(_COLOURS, _MARKERS, strict=True))))}


def _intervals(report: Report, name: str) -> str:
    """Return the picture of a figure, with a row per condition; empty if nothing is shown."""
    rows: dict[str, list[ResultRow]] = {}
    for part in report.parts:
        for line in part.lines:
            if line.name == name and line.result.value is not None:
                rows.setdefault(part.condition.name, []).append(line)
    if not rows:
        return ""
    colours = _colours(report)
    drawn, axes = _begin(7.2, 0.9 + 0.34 * len(rows))
    for place, lines in enumerate(rows.values()):
        for number, line in enumerate(lines):
            height = place + (number - (len(lines) - 1) / 2) * 0.18
            (colour, marker), value = colours[line.mind], line.result.value
            ends = [value if end is None else end for end in (line.result.low, line.result.high)]
            axes.plot(ends, [height] * 2, color=colour, linewidth=2)
            axes.plot([value], [height], marker, color=colour, markersize=5, label=line.mind)
    for published in (replication.published for replication in report.replications):
        if published.figure == name and published.condition in rows:
            axes.plot(
                [published.value],
                [list(rows).index(published.condition)],
                "|",
                color=colours[published.mind][0],
                markersize=16,
                markeredgewidth=1.5,
                label="published",
            )
    handles, labels = axes.get_legend_handles_labels()
    if named := dict(zip(labels, handles, strict=True)):
        style = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "frameon": False}
        axes.legend(named.values(), named.keys(), **style)
    return _in_rows(drawn, axes, list(rows), report.experiment.figures[name].unit)


def _spread(report: Report) -> str:
    """Return the picture of turns to the end by condition: median, 50% and 90% ranges."""
    rows = {part.condition.name: part.spread for part in report.parts if part.spread}
    if not rows:
        return ""
    drawn, axes = _begin(7.2, 0.9 + 0.26 * len(rows))
    for place, (low, quarter, median, most, high) in enumerate(rows.values()):
        axes.plot([low, high], [place, place], color=_COLOURS[0], linewidth=1)
        axes.plot([quarter, most], [place, place], color=_COLOURS[0], linewidth=6, alpha=0.5)
        axes.plot([median], [place], "|", color="#000000", markersize=9, markeredgewidth=1.5)
    axes.set_xlim(left=0)
    return _in_rows(drawn, axes, list(rows), "turns")


def _curve(report: Report, part: Part) -> str:
    """Return the picture of open possibilities by turn, with 95% bands and published curves.

    For each kind there are two means: over the games still running, and over all games.
    """
    colours = _colours(report)
    drawn, axes = _begin(7.2, 3.2)
    for mind, points in part.curve.items():
        # Few games reach the last turns, so the means there are not significant.
        shown = [point for point in points if point[1] >= max(2, part.games // 50)] or points
        turns, _, running, error, solved, solved_error = np.array(shown).T
        colour, _ = colours[mind]
        for means, errors, line, which in (
            (running, error, "-", "games still running"),
            (solved, solved_error, ":", "all games, ended ones count as solved"),
        ):
            axes.plot(turns, means, line, color=colour, label=f"{mind}, {which}")
            band = means - 1.96 * errors, means + 1.96 * errors
            axes.fill_between(turns, *band, color=colour, alpha=0.2, linewidth=0)
    for curve in report.curves:
        if curve.condition == part.condition.name:
            colour, marker = colours[curve.mind]
            style = {"color": colour, "markersize": 3, "linewidth": 1}
            label = f"{curve.mind}, published"
            axes.plot(curve.turns, curve.values, f"{marker}--", label=label, **style)
    axes.set_xlabel("turn")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    return _svg(drawn)


def duels(parts: Iterable[Part]) -> dict[tuple[str, ...], float]:
    """Return, for pairs of kinds of mind, the first kind's share of the wins per seat.

    Only conditions with exactly two kinds count. The share is the first kind's rate of winning,
    divided by the sum of both rates. It is one half if the rates are equal, however many seats each
    kind has. If two kinds meet in several conditions, it is the mean of the shares there.
    """
    shares: dict[tuple[str, ...], list[float]] = {}
    for part in parts:
        minds = part.condition.minds
        wins = (line.result.value for line in part.lines if line.name == "wins")
        rates = [rate for rate in wins if rate is not None]
        total = sum(rates)
        if len(minds) == len(rates) == 2 and total:
            for pair, rate in zip((minds, minds[::-1]), rates, strict=True):
                shares.setdefault(pair, []).append(rate / total)
    return {pair: sum(values) / len(values) for pair, values in shares.items()}


def _matrices(report: Report) -> Iterator[tuple[str, str, str]]:
    """Yield the matrices of wins between kinds of minds, a picture for each setup."""
    setups: dict[tuple[str, int, tuple[tuple[str, Any], ...]], list[Part]] = {}
    for part in report.parts:
        setup = part.condition.plan.setup
        options = tuple(part.condition.options.items())
        setups.setdefault((setup.rules, len(setup.players), options), []).append(part)
    drawn = [(setup, _matrix(duels(parts))) for setup, parts in setups.items()]
    drawn = [(setup, picture) for setup, picture in drawn if picture]
    for number, ((rules, players, options), picture) in enumerate(drawn, start=1):
        title = "Share of the wins, per seat, of the kind in the row against that in the column"
        if len(setups) > 1:
            title_parts = [
                f"{rules} rules",
                f"{players} players",
                *(f"{key} {of}" for key, of in options),
            ]
            title += f": {', '.join(title_parts)}"
        yield f"matrix-{number}" if len(drawn) > 1 else "matrix", title, picture


def _matrix(shares: Mapping[tuple[str, ...], float]) -> str:
    """Return a picture of the shares; empty if fewer than three kinds meet."""
    minds = list(dict.fromkeys(mind for pair in shares for mind in pair))
    if len(minds) < 3:
        return ""
    drawn, axes = _begin(1.6 + 0.8 * len(minds), 1.2 + 0.55 * len(minds))
    grid = [[shares.get((row, column), float("nan")) for column in minds] for row in minds]
    axes.imshow(grid, cmap="PuOr", vmin=0, vmax=1, aspect="auto")
    for (row, column), value in np.ndenumerate(grid):
        if not np.isnan(value):  # these two never met
            colour = "white" if abs(value - 0.5) > 0.33 else "black"
            axes.text(column, row, f"{value:.0%}", ha="center", va="center", color=colour)
    axes.set_xticks(range(len(minds)), minds, rotation=30, ha="right")
    axes.set_yticks(range(len(minds)), minds)
    return _svg(drawn)


def _ranking(report: Report, ranks: Sequence[Rank]) -> str:
    colours = _colours(report)
    drawn, axes = _begin(7.2, 0.8 + 0.3 * len(ranks))
    for place, rank in enumerate(ranks):
        colour, marker = colours[rank.mind]
        axes.plot([rank.low, rank.high], [place, place], color=colour, linewidth=2)
        axes.plot([rank.strength], [place], marker, color=colour)
    axes.axvline(1 / len(ranks), color="#888888", linewidth=1, linestyle=":")
    return _in_rows(drawn, axes, [rank.mind for rank in ranks], "share")
