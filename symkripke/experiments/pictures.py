"""Pictures of a report, as SVG: intervals, curves with bands, a matrix of who beats whom."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from symkripke.experiments.report import Line, Part, Report
from symkripke.experiments.running import need
from symkripke.experiments.summary import titled

# Okabe and Ito's colours, which colour-blind people can tell apart.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = "osD^vPX"


def pictures(found: Report) -> Iterator[tuple[str, str, str]]:
    """The pictures of a report: of each its name, what it shows in words, and its SVG."""
    need("matplotlib", "pictures need matplotlib", "lab")
    shown = [name for name in found.experiment.figures if name not in ("given-up", "failed")]
    for name in shown:
        if picture := _intervals(found, name):
            yield f"figure-{name}", titled(found.experiment.figures[name]), picture
    if "turns" in shown and (picture := _spread(found)):
        yield (
            "spread-turns",
            "How turns to the end spread: median, half and nine tenths of all games",
            picture,
        )
    for number, part in enumerate(found.parts):
        if part.curve:
            title = f"Left open after each turn: {part.condition.name}"
            yield f"curve-{number + 1}", title, _curve(found, part)
    yield from _matrices(found)
    if found.ranks:
        yield "ranking", "Strength of each kind of mind", _ranking(found)


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


def _colours(found: Report) -> Mapping[str, tuple[str, str]]:
    minds = dict.fromkeys(mind for part in found.parts for mind in part.condition.minds)
    return {
        mind: (_COLOURS[number % len(_COLOURS)], _MARKERS[number % len(_MARKERS)])
        for number, mind in enumerate(minds)
    }


def _intervals(found: Report, name: str) -> str:
    """A figure of all conditions, a row each; empty if there is nothing to show."""
    rows: list[tuple[Part, list[Line]]] = []
    for part in found.parts:
        lines = [line for line in part.lines if line.name == name and line.found.value is not None]
        if lines:
            rows.append((part, lines))
    if not rows:
        return ""
    colours = _colours(found)
    drawn, axes = _begin(7.2, 0.9 + 0.34 * len(rows))
    named: set[str] = set()
    for place, (_, lines) in enumerate(rows):
        for number, line in enumerate(lines):
            offset = (number - (len(lines) - 1) / 2) * 0.18
            colour, marker = colours.get(line.mind, ("#333333", "o"))
            value = line.found.value
            low = value if line.found.low is None else line.found.low
            high = value if line.found.high is None else line.found.high
            axes.plot([low, high], [place + offset] * 2, color=colour, linewidth=2)
            label = line.mind if line.mind and line.mind not in named else None
            named.add(line.mind)
            axes.plot([value], [place + offset], marker, color=colour, markersize=5, label=label)
    conditions = {part.condition.name: place for place, (part, _) in enumerate(rows)}
    for beside in found.beside:
        published = beside.published
        if published.figure == name and published.condition in conditions:
            colour, _ = colours.get(published.mind, ("#333333", "o"))
            axes.plot(
                [published.value],
                [conditions[published.condition]],
                "|",
                color=colour,
                markersize=16,
                markeredgewidth=1.5,
                label="published" if "published" not in named else None,
            )
            named.add("published")
    axes.set_yticks(range(len(rows)), [part.condition.name for part, _ in rows])
    axes.invert_yaxis()
    figure = found.experiment.figures[name]
    if figure.unit == "share":
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    elif figure.unit:
        axes.set_xlabel(figure.unit)
    axes.grid(axis="x", alpha=0.3)
    if named - {""}:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return _svg(drawn)


def _spread(found: Report) -> str:
    """Turns to the end by condition: the median, and what half and nine tenths of games need."""
    rows = [(part.condition.name, part.spread) for part in found.parts if part.spread]
    if not rows:
        return ""
    drawn, axes = _begin(7.2, 0.9 + 0.26 * len(rows))
    for place, (_, (low, quarter, median, most, high)) in enumerate(rows):
        axes.plot([low, high], [place, place], color=_COLOURS[0], linewidth=1)
        axes.plot([quarter, most], [place, place], color=_COLOURS[0], linewidth=6, alpha=0.5)
        axes.plot([median], [place], "|", color="#000000", markersize=9, markeredgewidth=1.5)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.set_xlabel("turns")
    axes.grid(axis="x", alpha=0.3)
    return _svg(drawn)


def _curve(found: Report, part: Part) -> str:
    """What is open after each turn, with a band of 95%; published curves are dashed."""
    colours = _colours(found)
    drawn, axes = _begin(7.2, 3.2)
    for mind, points in part.curve.items():
        # Few games last until the last turns, so their values there are not significant.
        shown = [point for point in points if point[1] >= max(2, part.games // 50)] or list(points)
        turns = [point[0] for point in shown]
        means = [point[2] for point in shown]
        colour, _ = colours[mind]
        axes.plot(turns, means, color=colour, label=mind)
        axes.fill_between(
            turns,
            [mean - 1.96 * point[3] for mean, point in zip(means, shown, strict=True)],
            [mean + 1.96 * point[3] for mean, point in zip(means, shown, strict=True)],
            color=colour,
            alpha=0.2,
            linewidth=0,
        )
    for curve in found.curves:
        if curve.condition == part.condition.name:
            colour, marker = colours[curve.mind]
            axes.plot(
                curve.turns,
                curve.values,
                f"{marker}--",
                color=colour,
                markersize=3,
                linewidth=1,
                label=f"{curve.mind}, published",
            )
    axes.set_xlabel("turn")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    return _svg(drawn)


def duels(parts: Iterable[Part]) -> dict[tuple[str, str], float]:
    """For conditions with two kinds of mind: the first kind's share of the wins, per seat.

    The share is the first kind's rate of winning, divided by the sum of both rates. So it is one
    half if the rates are equal, however many seats each kind has. If two kinds meet in several
    conditions, it is the mean of these.
    """
    shares: dict[tuple[str, str], list[float]] = {}
    for part in parts:
        minds = part.condition.minds
        if len(minds) != 2:
            continue
        rates = {
            line.mind: line.found.value
            for line in part.lines
            if line.name == "wins" and line.found.value is not None
        }
        total = sum(rates.values())
        if len(rates) == 2 and total:
            first, second = minds
            shares.setdefault((first, second), []).append(rates[first] / total)
            shares.setdefault((second, first), []).append(rates[second] / total)
    return {pair: sum(values) / len(values) for pair, values in shares.items()}


def _matrices(found: Report) -> Iterator[tuple[str, str, str]]:
    """Who wins against whom: a picture for each setup, since other rules are another game."""
    setups: dict[tuple[str, int, tuple[tuple[str, Any], ...]], list[Part]] = {}
    for part in found.parts:
        setup = part.condition.plan.setup
        options = tuple(part.condition.options.items())
        setups.setdefault((setup.rules, len(setup.players), options), []).append(part)
    drawn = [(setup, _matrix(duels(parts))) for setup, parts in setups.items()]
    drawn = [(setup, picture) for setup, picture in drawn if picture]
    for number, ((rules, players, options), picture) in enumerate(drawn, start=1):
        title = "Share of the wins, per seat, of the kind in the row against that in the column"
        if len(setups) > 1:
            told = [f"{rules} rules", f"{players} players", *(f"{key} {of}" for key, of in options)]
            title += f": {', '.join(told)}"
        yield f"matrix-{number}" if len(drawn) > 1 else "matrix", title, picture


def _matrix(shares: Mapping[tuple[str, str], float]) -> str:
    """A picture of the shares; empty if fewer than three kinds meet."""
    minds = list(dict.fromkeys(mind for pair in shares for mind in pair))
    if len(minds) < 3:
        return ""
    drawn, axes = _begin(1.6 + 0.8 * len(minds), 1.2 + 0.55 * len(minds))
    grid = [[shares.get((row, column), float("nan")) for column in minds] for row in minds]
    axes.imshow(grid, cmap="PuOr", vmin=0, vmax=1, aspect="auto")
    for row, values in enumerate(grid):
        for column, value in enumerate(values):
            if value == value:  # not where two never met
                dark = abs(value - 0.5) > 0.33
                axes.text(
                    column,
                    row,
                    f"{value:.0%}",
                    ha="center",
                    va="center",
                    color="white" if dark else "black",
                )
    axes.set_xticks(range(len(minds)), minds, rotation=30, ha="right")
    axes.set_yticks(range(len(minds)), minds)
    return _svg(drawn)


def _ranking(found: Report) -> str:
    colours = _colours(found)
    drawn, axes = _begin(7.2, 0.8 + 0.3 * len(found.ranks))
    for place, rank in enumerate(found.ranks):
        colour, marker = colours[rank.mind]
        axes.plot([rank.low, rank.high], [place, place], color=colour, linewidth=2)
        axes.plot([rank.strength], [place], marker, color=colour)
    axes.axvline(1 / len(found.ranks), color="#888888", linewidth=1, linestyle=":")
    axes.set_yticks(range(len(found.ranks)), [rank.mind for rank in found.ranks])
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.grid(axis="x", alpha=0.3)
    return _svg(drawn)


__all__: Sequence[str] = ["duels", "pictures"]
