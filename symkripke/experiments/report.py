"""The results of an experiment as data: figures with intervals, and comparisons.

`symkripke.experiments.pages` renders them as pages.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from symkripke.errors import InputError, LogError
from symkripke.experiments.estimates import (
    Difference,
    Estimate,
    Ranking,
    Verdict,
    apart,
    corrected,
    difference,
    estimate,
    published_interval,
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
from symkripke.experiments.rows import Point, Rows
from symkripke.experiments.running import Spent, folder_of, need, status, times, verdict
from symkripke.files import read_text
from symkripke.play import game
from symkripke.play.measure import Figure
from symkripke.play.session.table import dealt

_PACKAGES = ("symkripke", "python-sat", "oxidd", "numpy", "scipy", "statsmodels", "polars")

ANSWER = "answer.md"
"""A file in the folder of an experiment: the answer to its question, in paragraphs of plain text.

A reader of the report writes it, and the next report begins with it.
"""

_DEALS = 20
"""The number of deals that are compared to decide whether two conditions have the same deals."""


@dataclass(frozen=True)
class ResultRow:
    """The result of one figure of a condition.

    Attributes:
        name: the name of the figure.
        figure: the definition of the figure.
        mind: the kind of mind that the figure is about; empty for whole games.
        result: its value and interval.
    """

    name: str
    figure: Figure
    mind: str
    result: Estimate


Judgement = Literal[
    "reproduced",
    "differs, by less than what matters",
    "not reproduced",
    "too few games to tell",
    "near the published value",
    "far from the published value",
    "not played yet",
]
"""The possible judgements of a published figure."""


@dataclass(frozen=True)
class Agreement:
    """The agreement of a published figure with ours.

    Attributes:
        judgement: the answer; see `agreement`.
        value: our figure minus the published figure; None if we have none.
        low: the lower end of the 95% interval of `value`.
        high: the upper end.
    """

    judgement: Judgement
    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Replication:
    """A published figure compared with ours.

    Attributes:
        published: the published figure.
        figure: the description of the figure.
        result: our value.
        agreement: whether the two agree.
    """

    published: Published
    figure: Figure
    result: Estimate
    agreement: Agreement


@dataclass(frozen=True)
class Compared:
    """A requested comparison, with its result.

    Attributes:
        asked: the comparison.
        figure: the definition of the figure.
        result: the difference; None if there are too few games.
        p: the p-value, corrected for the number of comparisons (Holm); None if `result` is None.
        p_apart: the p-value of the equivalence test, corrected for the number of these tests
            (Holm); None without a test.
        same_seats: whether the comparison is limited to seats in which one mind replaces the other,
            on the same deals.
        left_out: for each side, the number of games that are not compared, because the other side
            lacks their deals.
    """

    asked: Comparison
    figure: Figure
    result: Difference | None = None
    p: float | None = None
    p_apart: float | None = None
    same_seats: bool = False
    left_out: tuple[int, int] = (0, 0)

    @property
    def same_games(self) -> bool:
        """True if both minds sat at the same tables."""
        return bool(self.asked.second) and self.asked.first[0] == self.asked.second[0]


@dataclass(frozen=True)
class Part:
    """The results of one condition.

    Attributes:
        condition: the condition.
        games: the number of games that were played.
        ended: the reason for not playing all games, in words; empty if all were played.
        lines: the results of its figures.
        curve: the number of open answers after each turn, by kind of mind.
        spread: the 5, 25, 50, 75 and 95% quantiles of turns to the end; empty if no game ended.
        test: the result of the sequential test; None if there was none.
        faults: the number, the seed and the error of each game that failed.
        cpu: the processor time of its games in seconds, estimated from the measured games; 0 if no
            game was measured.
        thought: for each mind, the processor time per decision in milliseconds.
    """

    condition: Condition
    games: int
    ended: str
    lines: tuple[ResultRow, ...]
    curve: Mapping[str, Sequence[Point]]
    spread: Sequence[float]
    test: Verdict | None
    faults: tuple[tuple[int, int, str], ...]
    cpu: float
    thought: Mapping[str, float]


@dataclass(frozen=True)
class Report:
    """The whole report.

    Attributes:
        experiment: the experiment.
        parts: the results by condition; conditions without a finished game are omitted.
        replications: published figures compared with ours.
        curves: published curves.
        compared: comparisons.
        ranking: the kinds of mind by strength over all conditions; None if not requested, or if
            the strengths cannot be compared.
        unranked: the reason why a requested ranking is missing; otherwise empty.
        answer: the paragraphs of the written answer in the folder; see `ANSWER`.
        complete: whether all conditions have enough games.
        lacking: the differences between the rows and the games of the shipped study, in words.
        versions: the versions of the packages that computed the figures.
        machine: the machine that computed the report: processor, system, Python.
    """

    experiment: Experiment
    parts: tuple[Part, ...]
    replications: tuple[Replication, ...]
    curves: tuple[PublishedCurve, ...]
    compared: tuple[Compared, ...]
    ranking: Ranking | None
    unranked: str
    answer: tuple[str, ...]
    complete: bool
    versions: Mapping[str, str]
    machine: str
    lacking: tuple[str, ...] = ()

    @property
    def games(self) -> int:
        """The total number of games."""
        return sum(part.games for part in self.parts)

    @property
    def cpu(self) -> float:
        """The processor time of all games in seconds."""
        return sum(part.cpu for part in self.parts)


def report(experiment: Experiment, folder: Path | str) -> Report:
    """Return the results so far.

    Raises:
        InputError: nothing has been played yet, or a library is not installed.
        LogError: the rows cannot be read.
    """
    for module in ("polars", "scipy", "statsmodels"):
        need(module, f"a report needs {module}", "lab")
    folder = Path(folder)
    standings = status(experiment, folder)
    spent = times(folder)
    rows: dict[str, Rows] = {}
    parts = []
    for standing in standings:
        condition, name = standing.condition, standing.condition.name
        condition_rows = Rows(condition, folder_of(folder, condition))
        if len(condition_rows):
            rows[name] = condition_rows
            parts.append(
                _part(experiment, standing.why, condition_rows, spent.get(name, Spent(name)))
            )
    if not rows:
        raise InputError(f"nothing has been played in {folder} yet")
    ranked: Ranking | None = None
    unranked = ""
    if experiment.ranking:
        try:
            ranked = ranking(
                game for condition_rows in rows.values() for game in condition_rows.line_ups()
            )
        except InputError as error:
            unranked = str(error)
    return Report(
        experiment,
        tuple(parts),
        tuple(_replication(experiment, each, rows) for each in experiment.published),
        tuple(each for each in experiment.curves if each.condition in rows),
        _compared(experiment, rows),
        ranked,
        unranked,
        _answer(folder),
        all(standing.enough for standing in standings),
        _versions(),
        _machine(),
    )


def _answer(folder: Path) -> tuple[str, ...]:
    """Return the paragraphs of the written answer in the folder."""
    text = read_text(folder / ANSWER, LogError, missing="")
    paragraphs = (" ".join(part.split()) for part in text.split("\n\n"))
    return tuple(part for part in paragraphs if part)


def _part(experiment: Experiment, why: str, rows: Rows, spent: Spent) -> Part:
    lines = [
        ResultRow(name, figure, mind, estimate(rows.ratio(figure, mind)))
        for name, figure in experiment.figures.items()
        for mind in (("",) if name in GAME_FIGURES else rows.condition.minds)
    ]
    thought = {
        mind: 1000 * seconds / decisions
        for mind, (decisions, seconds) in spent.thought.items()
        if decisions
    }
    # Games without a measured time are assumed to have taken as long as the others.
    cpu = spent.cpu / spent.games * len(rows) if spent.games else 0.0
    return Part(
        rows.condition,
        len(rows),
        why,
        tuple(lines),
        rows.curve() if experiment.curve else {},
        rows.spread(),
        verdict(experiment, rows),
        tuple(rows.faults()),
        cpu,
        thought,
    )


def _replication(
    experiment: Experiment, published: Published, rows: Mapping[str, Rows]
) -> Replication:
    figure = experiment.figures[published.figure]
    ours = Estimate(None, None, None, 0)
    if published.condition in rows:
        ours = estimate(rows[published.condition].ratio(figure, published.mind))
    return Replication(published, figure, ours, agreement(ours, published, figure))


def agreement(estimate: Estimate, published: Published, figure: Figure) -> Agreement:
    """Return whether a published figure agrees with ours.

    The figure is reproduced if the 95% interval of the difference includes zero, and excludes every
    difference that would matter. If the interval excludes zero, too, the figures differ, by less
    than what matters. If it excludes zero and includes a difference that would matter, the figure
    is not reproduced. Otherwise there are too few games to tell: the results are compatible both
    with agreement and with a difference that matters.

    This needs the interval of the published figure, which is known for shares of a known number of
    games. Without it, nothing is known about the error of the published figure. Then our interval
    is only compared with the published value: it is near if every value in the interval is nearer
    than a difference that would matter, and far if every value is at least as far.
    """
    if estimate.value is None:
        return Agreement("not played yet")
    if estimate.low is None or estimate.high is None:
        return Agreement("too few games to tell", estimate.value - published.value)
    theirs = published_interval(published.value, published.games, share=figure.unit == "share")
    value, low, high = apart(estimate, theirs)
    small, differs = max(-low, high) < published.matters, low > 0 or high < 0
    judgement: Judgement = "too few games to tell"
    if theirs.width == 0:
        if small:
            judgement = "near the published value"
        elif differs and min(abs(low), abs(high)) >= published.matters:
            judgement = "far from the published value"
    elif small:
        judgement = "differs, by less than what matters" if differs else "reproduced"
    elif differs:
        judgement = "not reproduced"
    return Agreement(judgement, value, low, high)


def _compared(experiment: Experiment, rows: Mapping[str, Rows]) -> tuple[Compared, ...]:
    comparisons = [_compare(experiment, asked, rows) for asked in experiment.comparisons]
    p_values = _corrected([each.p for each in comparisons])
    p_apart = _corrected([each.p_apart for each in comparisons])
    return tuple(
        replace(each, p=differs, p_apart=apart)
        for each, differs, apart in zip(comparisons, p_values, p_apart, strict=True)
    )


def _corrected(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p-values corrected for the number of tests; None stands for no test."""
    known = iter(corrected([each for each in p_values if each is not None]))
    return [None if each is None else next(known) for each in p_values]


def _compare(experiment: Experiment, asked: Comparison, rows: Mapping[str, Rows]) -> Compared:
    """Return a comparison with its uncorrected p-values."""
    figure = experiment.figures[asked.figure]
    first = rows.get(asked.first[0])
    if first is not None and asked.against is not None:
        ratio = first.ratio(figure, asked.first[1])
        fixed = replace(ratio, of=asked.against * ratio.per)
        result = difference(ratio, fixed, paired=True, margin=asked.equivalent)
        if result is None:
            return Compared(asked, figure)
        return Compared(asked, figure, replace(result, saved=None), result.p, result.p_apart)
    second = rows.get(asked.second[0]) if asked.second else None
    if first is None or second is None:
        return Compared(asked, figure)
    paired = _same_deals(experiment, asked)
    minds = asked.first[1], asked.second[1]
    by_seat = paired and all(minds) and figure.of != "kind_won"
    exchanged = _exchanged_seats(first, second, minds) if by_seat else None
    ratios = []
    for side, mind in zip((first, second), minds, strict=True):
        seats = None
        if exchanged is not None:  # games without a partner: all seats count
            rest = ((0, len(side) - len(exchanged)), (0, 0))
            seats = np.pad(exchanged, rest, constant_values=True)
        ratios.append(side.ratio(figure, mind, seats))
    result = difference(*ratios, paired=paired, margin=asked.equivalent)
    if result is None:
        return Compared(asked, figure)
    if asked.first[0] == asked.second[0]:
        # Both minds sat in the same games, so different deals are not an alternative.
        result = replace(result, saved=None)
    counted = [int(ratio.games.sum()) for ratio in ratios]
    left_out = counted[0] - result.games, counted[1] - result.others
    by_seat = exchanged is not None
    return Compared(asked, figure, result, result.p, result.p_apart, by_seat, left_out)


def _exchanged_seats(
    first: Rows, second: Rows, minds: tuple[str, str]
) -> npt.NDArray[np.bool_] | None:
    """Return the seats in which one mind replaces the other, per game; None if more differs.

    If the two conditions differ only in these seats, one mind is compared with the other in the
    same seat. Other seats of these minds would blur the comparison, because a seat can matter more
    than the mind.
    """
    ways = {side.condition.plan.rotate for side in (first, second)}
    if "deals" in ways and len(ways) > 1:
        return None
    games = min(len(first), len(second))
    here, there = first.minds[:games], second.minds[:games]
    differ: npt.NDArray[np.bool_] = here != there
    if not differ.any(axis=1).all():
        return None
    exchanged = (here[differ] == minds[0]).all() and (there[differ] == minds[1]).all()
    return differ if exchanged else None


def _same_deals(experiment: Experiment, asked: Comparison) -> bool:
    """Return whether deals with the same number are the same in both conditions.

    A deal depends on the seed and on some parts of the setup. Other options, such as the meaning of
    silence, do not affect it, so the first deals themselves are compared.
    """
    plans = {condition.name: condition.plan for condition in experiment.conditions}
    first, second = plans[asked.first[0]], plans[asked.second[0]]
    if first.seed != second.seed or first.setup.players != second.setup.players:
        return False
    played, start = game(experiment.game), first.seed_of(0)
    return first.setup == second.setup or all(
        dealt(played, first.setup, seed) == dealt(played, second.setup, seed)
        for seed in range(start, start + _DEALS)
    )


def _versions() -> dict[str, str]:
    versions = {}
    for package in _PACKAGES:
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    return versions


def _machine() -> str:
    processor = platform.processor() or platform.machine()
    with suppress(OSError):  # a system without such a list
        listed = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        if named := re.search(r"^model name\s*:\s*(.*\S)", listed, re.MULTILINE):
            processor = named[1]
    return f"{processor}, {platform.system()}, Python {platform.python_version()}"


# ---- as plain data --------------------------------------------------------------------------


def report_data(report: Report) -> dict[str, Any]:
    """Return a report as JSON values, without data that depend on the machine."""
    experiment = report.experiment
    return {
        "experiment": experiment.name,
        **_picked(experiment, "title", "question"),
        **_picked(report, "complete", "games"),
        "conditions": [_part_data(part) for part in report.parts],
        "published": [
            _picked(each.published, "condition", "figure", "source", "origin", "matters", "note")
            | _picked(each.published, published="value", published_games="games")
            | {"mind": each.published.mind or None, "verdict": each.agreement.judgement}
            | _picked(each.result, "value", "low", "high", of_games="games")
            | _picked(each.agreement, difference="value")
            | _picked(each.agreement, difference_low="low", difference_high="high")
            for each in report.replications
        ],
        "comparisons": [
            _picked(each.asked, "figure", "first", "second", "against", "equivalent")
            | _picked(each, "same_seats", "left_out", p_corrected="p")
            | _picked(each, p_equivalence_corrected="p_apart")
            | _picked(each.result, "low", "high", "paired", "saved", "p", difference="value")
            | _picked(each.result, interval_90="inner", p_equivalence="p_apart")
            | _picked(each.result, first_value="first", second_value="second")
            | {"games": None if each.result is None else [each.result.games, each.result.others]}
            for each in report.compared
        ],
        "ranking": [
            _picked(each, "mind", "strength", "low", "high", p_corrected="p")
            for each in (report.ranking.ranks if report.ranking else ())
        ],
        "ranking_fit": _picked(
            report.ranking and report.ranking.fit,
            *("pearson", "likelihood", "freedom", "p", "p_likelihood"),
        ),
    }


def _part_data(part: Part) -> dict[str, Any]:
    plan = part.condition.plan
    return {
        "name": part.condition.name,
        **_picked(plan, "minds", "rotate", "seed"),
        "rules": plan.setup.rules,
        "players": len(plan.setup.players),
        **_picked(part, "games", "ended"),
        "figures": [
            {"figure": line.name, "mind": line.mind or None}
            | _picked(line.result, "value", "low", "high", of_games="games")
            for line in part.lines
        ],
        "curve": {
            mind: [
                {name: _steady(value) for name, value in point._asdict().items()}
                for point in points
            ]
            for mind, points in part.curve.items()
        },
        "faults": [
            {"game": number, "seed": seed, "fault": fault} for number, seed, fault in part.faults
        ],
    }


def _picked(record: object, *names: str, **renamed: str) -> dict[str, Any]:
    """Return attributes of a record, some renamed; without a record, None for each."""
    attributes = dict(zip(names, names, strict=True)) | renamed
    values = {name: getattr(record, attribute, None) for name, attribute in attributes.items()}
    return {name: list(it) if isinstance(it, tuple) else it for name, it in values.items()}


def _steady(number: float) -> float:
    """Return a fraction to 12 digits, because the last digits of vector sums vary."""
    return number if isinstance(number, int) else float(f"{number:.12g}")
