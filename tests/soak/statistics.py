"""Intervals, tests and rankings keep their promises, and agree with independent computations."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np
import numpy.typing as npt
import polars
from scipy import stats

from symkripke.experiments.collection import reported, studies_in
from symkripke.experiments.estimates import (
    apart,
    corrected,
    difference,
    estimate,
    published_interval,
    ranking,
    sequential,
)
from symkripke.experiments.experiment import UntilDecided
from symkripke.experiments.report import Report, report
from symkripke.experiments.rows import Numbers, Ratio, Rows
from symkripke.experiments.running import folder_of
from tests.soak.common import Found

STUDIES = Path(__file__).parent.parent.parent / "benchmarks" / "results" / "studies"

Chance = np.random.Generator
Trial = Callable[[Chance], bool]


@dataclass(frozen=True)
class Promise:
    """A promised rate, and one random trial of it.

    Attributes:
        what: the promise, in words.
        rate: the promised rate.
        least: whether the rate is a lower bound; otherwise it is an upper bound.
        trial: a trial: whether an interval covered the truth, or a test raised an alarm.
    """

    what: str
    rate: float
    least: bool
    trial: Trial


def figure(
    of: npt.NDArray[Any], per: npt.NDArray[Any] | float = 1.0, *, most: float = 1.0
) -> Ratio:
    """Return a share, deal by deal; a `most` of 0 stands for a figure that is no share."""
    below = np.broadcast_to(np.asarray(per, float), of.shape)
    games = (below > 0).astype(np.int64)
    return Ratio(np.arange(len(of)), of.astype(float), below, games, most > 0, (0.0, most))


def shares(chance: Chance, mean: float, spread: float, deals: int) -> Numbers:
    """Return a probability for each deal, from a beta distribution."""
    return chance.beta(mean * spread, (1 - mean) * spread, deals)


# ---- intervals -----------------------------------------------------------------------------


def covers(drawn: Callable[[Chance], Ratio], truth: float) -> Trial:
    """Return a trial of the interval of a figure."""

    def trial(chance: Chance) -> bool:
        found = estimate(drawn(chance))
        # A figure without an interval claims nothing.
        return found.low is None or found.high is None or found.low <= truth <= found.high

    return trial


def calls(chance: Chance) -> Ratio:
    """Return the right calls of 60 games with one to five calls each."""
    per = chance.integers(1, 6, 60)
    return figure(chance.binomial(per, shares(chance, 0.7, 4, 60)), per)


def bits(chance: Chance) -> Ratio:
    """Return bits given away by 3 to 9 moves in each of 60 games: 0.8 per move on average."""
    per = chance.integers(3, 10, 60).astype(float)
    return figure(chance.gamma(0.8 * per, 1.0), per, most=0)


def deals(number: int, share: float = 0.25, spread: float = 2) -> Callable[[Chance], Ratio]:
    """Return a drawing of deals that are played three times each."""
    return lambda chance: figure(
        chance.binomial(3, shares(chance, share, spread, number)).astype(float), 3.0
    )


INTERVALS = [
    (
        "a share of 25%, 100 games",
        0.25,
        lambda chance: figure(chance.random(100) < 0.25),
    ),
    ("a share of 2%, 40 games", 0.02, lambda chance: figure(chance.random(40) < 0.02)),
    (
        "two seats of four, one of which wins 97% of 40 games",
        0.485,
        lambda chance: figure(chance.random(40) < 0.97, 2.0, most=0.5),
    ),
    ("right calls, 60 games with one to five calls", 0.7, calls),
    ("bits for each move, 60 games", 0.8, bits),
    ("20 deals, played three times", 0.25, deals(20)),
    ("60 deals, played three times", 0.25, deals(60)),
    ("667 deals, played three times", 0.25, deals(667)),
    ("667 deals, played three times, a share of 1%", 0.01, deals(667, 0.01)),
]


def published_covers(chance: Chance) -> bool:
    """Return whether the difference from a published share covers zero, if both are the same."""
    theirs = published_interval(chance.binomial(600, 0.487) / 600, 600, share=True)
    _, low, high = apart(estimate(figure(chance.random(2000) < 0.487)), theirs)
    return low <= 0 <= high


# ---- comparisons ---------------------------------------------------------------------------

Pair = tuple[Ratio, Ratio]


def same_deals(number: int, gap: float) -> Callable[[Chance], Pair]:
    """Return a drawing of deals that both sides play three times."""

    def drawn(chance: Chance) -> Pair:
        deal = shares(chance, 0.3, 4, number) * (1 - gap)
        return (
            figure(chance.binomial(3, deal + gap).astype(float), 3.0),
            figure(chance.binomial(3, deal).astype(float), 3.0),
        )

    return drawn


def seldom_different(chance: Chance) -> Pair:
    """Return 200 deals with the same result but for one in a hundred."""
    first = chance.random(200) < 0.4
    other = np.where(chance.random(200) < 0.01, chance.random(200) < 0.4, first)
    return figure(first), figure(other)


def other_deals(chance: Chance) -> Pair:
    """Return 150 and 250 games of different deals with the same share."""
    return figure(chance.random(150) < 0.3), figure(chance.random(250) < 0.3)


def fixed(games: int, share: float) -> Callable[[Chance], Pair]:
    """Return a drawing of games with a share, to compare with 25%."""
    return lambda chance: (figure(chance.random(games) < share), figure(np.full(games, 0.25)))


def differs(drawn: Callable[[Chance], Pair], *, paired: bool = True) -> Trial:
    """Return a trial of the test for a difference."""

    def trial(chance: Chance) -> bool:
        found = difference(*drawn(chance), paired=paired)
        return found is not None and found.p < 0.05

    return trial


def covers_gap(drawn: Callable[[Chance], Pair], gap: float, *, paired: bool = True) -> Trial:
    """Return a trial of the interval of a difference."""

    def trial(chance: Chance) -> bool:
        found = difference(*drawn(chance), paired=paired)
        return found is None or found.low <= gap <= found.high

    return trial


def equivalent(drawn: Callable[[Chance], Pair], margin: float) -> Trial:
    """Return a trial of the test for equivalence."""

    def trial(chance: Chance) -> bool:
        found = difference(*drawn(chance), paired=True, margin=margin)
        return found is not None and found.p_apart is not None and found.p_apart < 0.05

    return trial


def any_of_five(chance: Chance) -> bool:
    """Return whether one of five comparisons finds a difference where there is none."""
    drawn = same_deals(100, 0.0)
    found = [difference(*drawn(chance), paired=True) for _ in range(5)]
    return min(corrected([each.p for each in found if each is not None])) < 0.05


# ---- rankings and sequential tests ---------------------------------------------------------

Games = list[tuple[tuple[str, ...], str]]
LINE_UPS = ("abb", "aab", "acc", "aac", "bcc", "bbc")


def games(chance: Chance, worths: dict[str, float]) -> Games:
    """Return 100 games of each line-up, with winners drawn from the Plackett-Luce model."""
    played: Games = []
    for seats in LINE_UPS:
        weights = np.exp([worths[kind] for kind in seats])
        winners = chance.choice(list(seats), 100, p=weights / weights.sum())
        played += [(tuple(seats), str(winner)) for winner in winners]
    return played


MODEL = {"a": 0.0, "b": 0.4, "c": -0.5}
EQUAL = {"a": 0.3, "b": 0.3, "c": -0.5}


def model_rejected(chance: Chance) -> bool:
    """Return whether Pearson's test rejects the model, which is right."""
    fit = ranking(games(chance, MODEL)).fit
    return fit is not None and fit.p < 0.05


def model_rejected_by_likelihood(chance: Chance) -> bool:
    """Return whether the likelihood-ratio test rejects the model, which is right."""
    fit = ranking(games(chance, MODEL)).fit
    return fit is not None and fit.p_likelihood < 0.05


def strength_covered(chance: Chance) -> bool:
    """Return whether the interval of a strength has the true one."""
    weights = {kind: np.exp(worth) for kind, worth in MODEL.items()}
    (rank,) = (each for each in ranking(games(chance, MODEL)).ranks if each.mind == "b")
    return bool(rank.low <= weights["b"] / sum(weights.values()) <= rank.high)


def strongest_of_equals(chance: Chance) -> bool:
    """Return whether one of two equal kinds is called the strongest."""
    others = ranking(games(chance, EQUAL)).ranks[1:]
    return all(each.p is not None and each.p < 0.05 for each in others)


TEST = UntilDecided(figure="wins", mind="a", null=0.25, alternative=0.35)


def decides(share: float, wrong: str) -> Trial:
    """Return a trial of the sequential test, which may decide wrongly."""
    return lambda chance: sequential(TEST, figure(chance.random(3000) < share)).decided == wrong


PROMISES = [
    *(
        Promise(f"95% interval: {what}", 0.95, True, covers(drawn, truth))
        for what, truth, drawn in INTERVALS
    ),
    Promise("95% interval: published share, 600 and 2000 games", 0.95, True, published_covers),
    Promise(
        "95% interval: difference, 200 deals, played three times",
        0.95,
        True,
        covers_gap(same_deals(200, 0.05), 0.05),
    ),
    Promise(
        "95% interval: difference, 200 deals, of which 1% differ",
        0.95,
        True,
        covers_gap(seldom_different, 0.0),
    ),
    Promise(
        "95% interval: difference, 150 and 250 games",
        0.95,
        True,
        covers_gap(other_deals, 0.0, paired=False),
    ),
    Promise(
        "false alarms: difference, 200 deals, played three times",
        0.05,
        False,
        differs(same_deals(200, 0.0)),
    ),
    Promise(
        "false alarms: difference, 200 deals, of which 1% differ",
        0.05,
        False,
        differs(seldom_different),
    ),
    Promise(
        "false alarms: difference, 150 and 250 games",
        0.05,
        False,
        differs(other_deals, paired=False),
    ),
    Promise("false alarms: any of five differences (Holm)", 0.05, False, any_of_five),
    Promise(
        "false alarms: equivalence within 5 points, true difference 5 points, 667 deals",
        0.05,
        False,
        equivalent(same_deals(667, 0.05), 0.05),
    ),
    Promise(
        "false alarms: equivalence with 25% within 5 points, true share 30%, 1000 games",
        0.05,
        False,
        equivalent(fixed(1000, 0.3), 0.05),
    ),
    Promise(
        "power: equivalence with 25% within 5 points, true share 25%, 1000 games",
        0.9,
        True,
        equivalent(fixed(1000, 0.25), 0.05),
    ),
    Promise("false alarms: fit of Plackett-Luce (Pearson)", 0.05, False, model_rejected),
    Promise(
        "false alarms: fit of Plackett-Luce (likelihood ratio)",
        0.05,
        False,
        model_rejected_by_likelihood,
    ),
    Promise("95% interval: strength, Plackett-Luce", 0.95, True, strength_covered),
    Promise("false alarms: the strongest of two equal kinds", 0.05, False, strongest_of_equals),
    Promise("wrong decisions: sequential test, null", 0.05, False, decides(0.25, "alternative")),
    Promise("wrong decisions: sequential test, alternative", 0.05, False, decides(0.35, "null")),
]

TOLERANCE = 0.015
"""The permitted distance of a rate from its promise, because all methods are approximations."""


def check_promise(found: Found, promise: Promise, runs: int, chance: Chance) -> None:
    """Try a promise many times, and note the rate."""
    rate = sum(promise.trial(chance) for _ in range(runs)) / runs
    error = 4 * (promise.rate * (1 - promise.rate) / runs) ** 0.5
    distance = promise.rate - rate if promise.least else rate - promise.rate
    found.check(distance <= TOLERANCE + error, f"{promise.what}: {rate:.2%}")
    bound = "at least" if promise.least else "at most"
    found.notes.append(f"{rate:7.2%}  ({bound} {promise.rate:.0%})  {promise.what}")
    found.done["trials"] += runs


# ---- the results in the repository ---------------------------------------------------------


def check_rows(found: Found, study: Path) -> None:
    """Compute figures and comparisons of a study again from its rows, with scipy alone."""
    experiment, _ = reported(study)
    outcome = report(experiment, study)
    for part in outcome.parts:
        games = polars.read_parquet(folder_of(study, part.condition) / "games.parquet")
        games = games.filter(polars.col("game") < part.condition.plan.games)
        if part.condition.plan.rotate == "deals" or games["fault"].str.len_bytes().sum():
            continue
        for line in part.lines:
            wanted = independent(games, line.name, line.mind)
            if wanted is not None:
                result = (line.result.value, line.result.low, line.result.high)
                right = result == wanted or np.allclose(np.array(result, float), wanted, atol=1e-6)
                found.check(bool(right), f"{study.name}: {part.condition.name}: {line}: {wanted}")
                found.done["figures computed again"] += 1
    check_comparisons(found, outcome, study)


def independent(games: polars.DataFrame, name: str, mind: str) -> tuple[float, float, float] | None:
    """Return a figure with its interval: wins with single winners, or turns; else None."""
    if name == "turns":
        turns = games.filter(polars.col("finished"))["turns"].to_numpy()
        if len(turns) < 2 or np.ptp(turns) == 0:
            return None
        low, high = stats.t.interval(0.95, len(turns) - 1, turns.mean(), stats.sem(turns))
        return float(turns.mean()), float(low), float(high)
    winners = games["winner_minds"].fill_null("").str.split(" ").to_list()
    if name not in ("wins", "kind-wins") or max(map(len, winners)) > 1:
        return None
    seats = sum(
        int(games[column][0] == mind) for column in games.columns if column.startswith("mind_")
    )
    if name == "kind-wins":
        seats = 1
    won = sum(winner == [mind] for winner in winners)
    test = stats.binomtest(won, len(games)).proportion_ci(method="wilson")
    return won / len(games) / seats, test.low / seats, test.high / seats


def check_comparisons(found: Found, outcome: Report, study: Path) -> None:
    """Compute comparisons of wins and losses again, with scipy's tests."""
    conditions = {part.condition.name: part.condition for part in outcome.parts}
    for compared in outcome.compared:
        result, asked = compared.result, compared.asked
        if result is None or not asked.second or compared.figure.of not in ("won", "lost"):
            continue
        sides = [conditions[name] for name, _ in (asked.first, asked.second)]
        if any(side.plan.rotate == "deals" for side in sides):
            continue
        tables = [Rows(side, folder_of(study, side)) for side in sides]
        number = min(map(len, tables))
        masks = [
            rows.minds == mind
            for rows, (_, mind) in zip(tables, (asked.first, asked.second), strict=True)
        ]
        if compared.same_seats:
            differ = tables[0].minds[:number] != tables[1].minds[:number]
            masks = [differ, differ]
        values = [
            rates(rows, mask, number if result.paired else len(rows), lost=asked.figure == "losses")
            for rows, mask in zip(tables, masks, strict=True)
        ]
        if result.paired:
            known = ~np.isnan(values[0]) & ~np.isnan(values[1])
            values = [each[known] for each in values]
            if np.ptp(values[0] - values[1]) == 0:
                continue
            test = stats.ttest_rel(*values)
        else:
            test = stats.ttest_ind(*(each[~np.isnan(each)] for each in values), equal_var=False)
        wanted = (*test.confidence_interval(0.95), test.pvalue)
        right = np.allclose((result.low, result.high, result.p), wanted, atol=1e-6)
        found.check(bool(right), f"{study.name}: {asked}: {result}, {wanted}")
        found.done["comparisons computed again"] += 1


def rates(rows: Rows, seats: npt.NDArray[np.bool_], number: int, *, lost: bool) -> Numbers:
    """Return the share of some seats that won, or lost, in each of the first games.

    It is NaN if the game failed, or if nobody won and losses are counted.
    """
    won, seats = rows.won[:number], seats[:number]
    share: Numbers = (seats & (~won if lost else won)).sum(axis=1) / seats.sum(axis=1)
    failed = [game for game, _, _ in rows.faults() if game < number]
    share[failed] = np.nan
    return np.where(won.any(axis=1), share, np.nan) if lost else share


@click.command()
@click.option("--runs", type=click.IntRange(1), default=10_000, help="The trials of each promise.")
@click.option("--seed", type=int, default=0, help="The seed of the trials.")
@click.option("--rows/--no-rows", default=True, help="Compute the kept studies again, too.")
def statistics(runs: int, seed: int, rows: bool) -> Found:
    """Check intervals and tests by simulation, and the kept results by scipy.

    An interval must have the true value as often as promised, and a test may raise a false alarm no
    more often than promised. The notes list the rates.
    """
    found = Found()
    if rows:
        with TemporaryDirectory() as place:
            for study in studies_in(STUDIES, Path(place)):
                check_rows(found, study)
    gc.freeze()  # statsmodels collects garbage in every correction of p-values
    try:
        for number, promise in enumerate(PROMISES):
            check_promise(found, promise, runs, np.random.default_rng((seed, number)))
    finally:
        gc.unfreeze()
    return found
