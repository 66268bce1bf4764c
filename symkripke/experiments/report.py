"""The results of an experiment as data: figures with intervals, and comparisons.

`markdown` and `html` make pages of it.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

from symkripke.errors import InputError, LogError
from symkripke.experiments.estimates import (
    Difference,
    Estimate,
    Rank,
    Verdict,
    corrected,
    difference,
    estimate,
    ranking,
)
from symkripke.experiments.experiment import (
    GAME_FIGURES,
    Comparison,
    Condition,
    Experiment,
    Published,
    PublishedCurve,
)
from symkripke.experiments.rows import Rows
from symkripke.experiments.running import folder_of, need, status, times, verdict
from symkripke.model import World
from symkripke.play import game
from symkripke.play.measure import Figure
from symkripke.play.table import dealt
from symkripke.play.tournament import Plan

_PACKAGES = ("symkripke", "python-sat", "oxidd", "numpy", "scipy", "statsmodels", "polars")

ANSWER = "answer.md"
"""A file in the folder of an experiment: the answer to its question, in paragraphs of plain text.

Who has read a report writes it; the next report begins with it.
"""

_DEALS = 20
"""Two conditions whose first so many deals are the same have the same deals."""

Curve = Sequence[tuple[int, int, float, float]]
"""Points: turn, games, mean, standard error."""


@dataclass(frozen=True)
class Line:
    """A figure of a condition.

    Attributes:
        name: the name of the figure.
        figure: what it is.
        mind: of which kind of mind; empty for whole games.
        found: its value and interval.
    """

    name: str
    figure: Figure
    mind: str
    found: Estimate


@dataclass(frozen=True)
class Beside:
    """A published figure beside ours.

    Attributes:
        published: the published figure.
        figure: the description of the figure.
        found: our value.
        agrees: whether the two are compatible; None if we have no value.
        how: how compatibility was decided, in words.
    """

    published: Published
    figure: Figure
    found: Estimate
    agrees: bool | None
    how: str


@dataclass(frozen=True)
class Compared:
    """A comparison that was asked for.

    Attributes:
        asked: what was compared.
        figure: what it is.
        found: the difference; None if there are too few games.
        p: its p-value corrected for the number of comparisons (Holm); None with `found`.
    """

    asked: Comparison
    figure: Figure
    found: Difference | None
    p: float | None


@dataclass(frozen=True)
class Part:
    """The results of one condition.

    Attributes:
        condition: which.
        games: how many games were played.
        ended: why no more, in words; empty if all are played.
        lines: its figures.
        curve: the number of open answers after each turn, by kind of mind.
        spread: turns to the end: what 5, 25, 50, 75 and 95 of 100 games need at most; empty if no
            game came to its end.
        test: the result of the sequential test; None if there was none.
        faults: games that could not be played on: the seed of each, and what went wrong.
        cpu: seconds of processor time for its games, those that were played by this version of
            the folder; 0 if that is not known.
        thought: for each mind the milliseconds of processor time a decision.
    """

    condition: Condition
    games: int
    ended: str
    lines: tuple[Line, ...]
    curve: Mapping[str, Curve]
    spread: Sequence[float]
    test: Verdict | None
    faults: tuple[tuple[int, str], ...]
    cpu: float
    thought: Mapping[str, float]


@dataclass(frozen=True)
class Report:
    """The whole report.

    Attributes:
        experiment: the experiment.
        parts: the results by condition; conditions without a finished game are left out.
        beside: published figures beside ours.
        curves: published curves.
        compared: comparisons.
        ranks: the kinds of mind by strength over all conditions; empty if nobody asked.
        unranked: why there is no ranking, if one was asked for.
        answer: the paragraphs of the answer that somebody wrote into the folder; see `ANSWER`.
        complete: whether all conditions have enough games.
        versions: the versions of the packages that computed the figures.
        machine: where the games were played, if this is the machine: processor, system, Python.
    """

    experiment: Experiment
    parts: tuple[Part, ...]
    beside: tuple[Beside, ...]
    curves: tuple[PublishedCurve, ...]
    compared: tuple[Compared, ...]
    ranks: tuple[Rank, ...]
    unranked: str
    answer: tuple[str, ...]
    complete: bool
    versions: Mapping[str, str]
    machine: str

    @property
    def games(self) -> int:
        """How many games were played in all."""
        return sum(part.games for part in self.parts)

    @property
    def cpu(self) -> float:
        """Seconds of processor time that they took in all."""
        return sum(part.cpu for part in self.parts)


def report(experiment: Experiment, folder: Path | str) -> Report:
    """What came out so far.

    Raises:
        InputError: nothing has been played yet, or a library is not installed.
        LogError: the rows cannot be read.
    """
    for module in ("polars", "scipy", "statsmodels"):
        need(module, f"a report needs {module}", "lab")
    folder = Path(folder)
    standings = status(experiment, folder)
    rows = {
        standing.condition.name: Rows(standing.condition, folder_of(folder, standing.condition))
        for standing in standings
    }
    rows = {name: found for name, found in rows.items() if len(found)}
    if not rows:
        raise InputError(f"nothing has been played in {folder} yet")
    spent = times(folder)
    parts = tuple(
        _part(
            experiment,
            standing.condition,
            standing.why,
            rows[standing.condition.name],
            spent.get(standing.condition.name, {}),
        )
        for standing in standings
        if standing.condition.name in rows
    )
    ranks: tuple[Rank, ...] = ()
    unranked = ""
    if experiment.ranking:
        try:
            ranks = tuple(ranking(game for found in rows.values() for game in found.line_ups()))
        except InputError as error:
            unranked = str(error)
    return Report(
        experiment,
        parts,
        tuple(_beside(experiment, each, rows) for each in experiment.published),
        tuple(each for each in experiment.curves if each.condition in rows),
        _compared(experiment, rows),
        ranks,
        unranked,
        _answer(folder),
        all(standing.enough for standing in standings),
        _versions(),
        _machine(),
    )


def _answer(folder: Path) -> tuple[str, ...]:
    """The paragraphs of the answer that is kept in the folder."""
    path = folder / ANSWER
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise LogError(f"cannot read {path}: {reason}") from None
    paragraphs = (" ".join(part.split()) for part in text.split("\n\n"))
    return tuple(part for part in paragraphs if part)


def _part(
    experiment: Experiment,
    condition: Condition,
    why: str,
    rows: Rows,
    spent: Mapping[str, Any],
) -> Part:
    lines = [
        Line(name, figure, mind, estimate(rows.ratio(figure, mind)))
        for name, figure in experiment.figures.items()
        for mind in (("",) if name in GAME_FIGURES else condition.minds)
    ]
    thought = {
        mind: 1000 * seconds / decisions
        for mind, (decisions, seconds) in spent.get("thought", {}).items()
        if decisions
    }
    # Games without a measured time are assumed to have taken as long as the others.
    measured = spent.get("games", 0)
    cpu = spent["cpu"] / measured * len(rows) if measured else 0.0
    return Part(
        condition,
        len(rows),
        why,
        tuple(lines),
        rows.curve() if experiment.curve else {},
        rows.spread(),
        verdict(experiment, condition, rows),
        tuple(rows.faults()),
        cpu,
        thought,
    )


def _beside(experiment: Experiment, published: Published, rows: Mapping[str, Rows]) -> Beside:
    figure = experiment.figures[published.figure]
    there = rows.get(published.condition)
    if there is None:
        return Beside(published, figure, Estimate(None, None, None, 0), None, "not played yet")
    found = estimate(there.ratio(figure, published.mind))
    agrees, how = agreement(found, published, share=figure.unit == "share")
    return Beside(published, figure, found, agrees, how)


def agreement(found: Estimate, published: Published, *, share: bool) -> tuple[bool | None, str]:
    """Whether a published figure is compatible with ours, and how that was decided.

    A published share of a known number of games is compared as one random sample with another: it
    agrees if the difference is below 1.96 standard errors. Otherwise it agrees if it lies in our
    interval.
    """
    if found.value is None or found.low is None or found.high is None:
        return None, "nothing to compare with"
    if share and published.games:
        ours = (found.high - found.low) / (2 * NormalDist().inv_cdf(0.975))
        middle = (published.value * published.games + found.value * found.games) / (
            published.games + found.games
        )
        theirs = sqrt(middle * (1 - middle) / published.games)
        error = sqrt(ours**2 + theirs**2)
        apart = abs(found.value - published.value)
        agrees = apart <= 1.96 * error if error else apart == 0
        return agrees, f"two samples, {published.games} and {found.games} games"
    agrees = found.low <= published.value <= found.high
    return agrees, "inside our interval" if agrees else "outside our interval"


def _compared(experiment: Experiment, rows: Mapping[str, Rows]) -> tuple[Compared, ...]:
    found: list[tuple[Comparison, Figure, Difference | None]] = []
    for asked in experiment.comparisons:
        figure = experiment.figures[asked.figure]
        sides = [rows.get(name) for name, _ in (asked.first, asked.second)]
        apart = None
        if sides[0] is not None and sides[1] is not None:
            ratios = [
                side.ratio(figure, mind)
                for side, (_, mind) in zip(sides, (asked.first, asked.second), strict=True)
                if side is not None
            ]
            apart = difference(*ratios, paired=_same_deals(experiment, asked))
            if apart is not None and asked.first[0] == asked.second[0]:
                # The same games: there is no choice of deals that could save any.
                apart = replace(apart, saved=None)
        found.append((asked, figure, apart))
    p_values = iter(corrected([apart.p for _, _, apart in found if apart is not None]))
    return tuple(
        Compared(asked, figure, apart, None if apart is None else next(p_values))
        for asked, figure, apart in found
    )


def _same_deals(experiment: Experiment, asked: Comparison) -> bool:
    """Whether games of one number have the same deal in both conditions.

    It depends on the seed and on what of the setup concerns the deal. Options such as what a
    silence means do not, so the first deals themselves are compared.
    """
    first, second = (experiment.condition(name).plan for name, _ in (asked.first, asked.second))
    if first.seed != second.seed or first.setup.players != second.setup.players:
        return False
    if first.setup == second.setup:
        return True
    return all(
        _deal(experiment, first, number) == _deal(experiment, second, number)
        for number in range(_DEALS)
    )


def _deal(experiment: Experiment, plan: Plan, number: int) -> World:
    """The deal of that game."""
    return dealt(game(experiment.game), plan.setup, plan.seed_of(number))


def _versions() -> dict[str, str]:
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _machine() -> str:
    processor = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    except OSError:
        pass  # no such list on this system
    return f"{processor}, {platform.system()}, Python {platform.python_version()}"


# ---- as plain data --------------------------------------------------------------------------


def told(found: Report) -> dict[str, Any]:
    """A report as values of JSON, without what differs from machine to machine."""
    experiment = found.experiment
    return {
        "experiment": experiment.name,
        "title": experiment.title,
        "question": experiment.question,
        "complete": found.complete,
        "games": found.games,
        "conditions": [
            {
                "name": part.condition.name,
                "minds": list(part.condition.plan.minds),
                "rotate": part.condition.plan.rotate,
                "rules": part.condition.plan.setup.rules,
                "players": len(part.condition.plan.setup.players),
                "seed": part.condition.plan.seed,
                "games": part.games,
                "ended": part.ended,
                "figures": [
                    {"figure": line.name, "mind": line.mind or None, **_told(line.found)}
                    for line in part.lines
                ],
                "curve": {
                    mind: [
                        {"turn": turn, "games": games, "mean": mean, "error": error}
                        for turn, games, mean, error in points
                    ]
                    for mind, points in part.curve.items()
                },
                "faults": [{"seed": seed, "fault": fault} for seed, fault in part.faults],
            }
            for part in found.parts
        ],
        "published": [
            {
                "condition": beside.published.condition,
                "figure": beside.published.figure,
                "mind": beside.published.mind or None,
                "published": beside.published.value,
                "published_games": beside.published.games,
                "source": beside.published.source,
                **_told(beside.found),
                "agrees": beside.agrees,
                "note": beside.published.note,
            }
            for beside in found.beside
        ],
        "comparisons": [
            {
                "figure": each.asked.figure,
                "first": list(each.asked.first),
                "second": list(each.asked.second),
                "difference": None if each.found is None else each.found.value,
                "low": None if each.found is None else each.found.low,
                "high": None if each.found is None else each.found.high,
                "games": None if each.found is None else each.found.games,
                "paired": None if each.found is None else each.found.paired,
                "saved": None if each.found is None else each.found.saved,
                "p": None if each.found is None else each.found.p,
                "p_corrected": each.p,
            }
            for each in found.compared
        ],
        "ranking": [
            {"mind": rank.mind, "strength": rank.strength, "low": rank.low, "high": rank.high}
            for rank in found.ranks
        ],
    }


def _told(found: Estimate) -> dict[str, Any]:
    return {"value": found.value, "low": found.low, "high": found.high, "of_games": found.games}
