"""Intervals, comparisons and rankings, computed with scipy and statsmodels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import hypot, log
from typing import Any

import numpy as np

from symkripke.errors import InputError
from symkripke.experiments.experiment import UntilDecided
from symkripke.experiments.rows import Numbers, Ratio

CONFIDENCE = 0.95

_ROUNDING = 1e-12
"""A standard error below this value is a rounding error of 0."""


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95% interval.

    Attributes:
        value: the figure; None if there is nothing to count.
        low: the lower end of the interval; None if there is no interval.
        high: the upper end.
        games: the number of games that the figure is computed from.
    """

    value: float | None
    low: float | None
    high: float | None
    games: int

    @property
    def width(self) -> float:
        """The width of the interval; infinite if there is no interval."""
        if self.low is None or self.high is None:
            return float("inf")
        return self.high - self.low


def estimate(ratio: Ratio) -> Estimate:
    """Return the estimate of a figure from its games.

    A figure is a ratio r of two sums over independent deals. Its standard error is that of the mean
    residual, `of - r * per` (W. G. Cochran, Sampling techniques, 1977, section 6). Figures that are
    no shares have an interval from this error and Student's t.

    A share has a Wilson score interval (statsmodels) for the effective number of trials: the number
    that gives the same standard error (N. Dean, M. Pagano, Evaluating confidence interval methods
    for binomial proportions in clustered surveys, Journal of Survey Statistics and Methodology 3,
    2015, 484-503). If every deal counts once, this is the number of deals. A kind with several
    seats may only win a part of them, so the interval is computed between the bounds of the share.

    If all deals are equal, the standard error is 0, but other deals may differ. Then a share has
    the interval in which at most a part of the deals differs: the upper end of Wilson's interval
    for no differing deal. Other figures have no interval.
    """
    counted = ratio.where(ratio.per > 0)
    deals, games = len(counted.of), int(ratio.games.sum())
    if not deals:
        return Estimate(None, None, None, 0)
    value = float(counted.of.sum() / counted.per.sum())
    if ratio.share:
        return Estimate(value, *_share_interval(counted, value), games)
    if deals < 2 or (mean := _mean(counted.of, counted.per)).std_mean <= _ROUNDING:
        return Estimate(value, None, None, games)
    low, high = map(float, mean.tconfint_mean(1 - CONFIDENCE))
    return Estimate(value, low, high, games)


def _share_interval(ratio: Ratio, value: float) -> tuple[float | None, float | None]:
    """Return the interval of a share; see `estimate`. There is none if the seats fix the share."""
    least, most = ratio.bounds
    if least == most:
        return None, None
    deals, room = len(ratio.of), most - least
    residuals = (ratio.of - value * ratio.per) / ratio.per.mean() / room
    variance = float((residuals**2).mean()) / deals
    if variance <= _ROUNDING**2:
        _, other = _wilson(0, deals)
        return value - other * (value - least), value + other * (most - value)
    part = (value - least) / room
    trials = part * (1 - part) / variance
    low, high = _wilson(part * trials, trials)
    return least + room * low, least + room * high


def _mean(of: Numbers, per: Numbers) -> Any:
    """Return statistics (statsmodels) of one value per deal: the ratio plus the residual."""
    from statsmodels.stats.weightstats import DescrStatsW

    ratio = of.sum() / per.sum()
    return DescrStatsW(ratio + (of - ratio * per) / per.mean())


# ---- published figures and ours ------------------------------------------------------------


def published_interval(value: float, games: int | None, *, share: bool) -> Estimate:
    """Return a published figure with its interval, which has width 0 if it is unknown.

    A share of a number of games has a Wilson score interval, as if each game counted once.
    """
    if not share or not games:
        return Estimate(value, value, value, games or 0)
    return Estimate(value, *_wilson(value * games, games), games)


def apart(first: Estimate, second: Estimate) -> tuple[float, float, float]:
    """Return the first estimate minus the second, of two samples, and the 95% interval.

    The interval is computed from both intervals, which need not be symmetric (G. Y. Zou, A. Donner,
    Construction of confidence intervals about effect measures, Statistics in Medicine 27, 2008,
    1693-1702; for two Wilson intervals it is R. G. Newcombe's method 10 of 1998).
    """
    values = first.value, first.low, first.high, second.value, second.low, second.high
    assert None not in values
    here, low, high, there, least, most = (value or 0.0 for value in values)
    value = here - there
    return value, value - hypot(here - low, most - there), value + hypot(high - here, there - least)


def _wilson(hits: float, trials: float) -> tuple[float, float]:
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(hits, trials, 1 - CONFIDENCE, method="wilson")
    return float(low), float(high)


# ---- comparisons ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """The difference between two figures.

    Attributes:
        first: the first figure, over the compared games.
        second: the second figure, likewise.
        value: the first figure minus the second.
        low: the lower end of the 95% interval.
        high: the upper end.
        games: the number of compared games of the first figure.
        others: the number of compared games of the second figure.
        deals: the number of deals of both; None if the figures are not paired.
        saved: the factor by which more games on different deals would be needed for an equally
            narrow interval; None if the deals are different.
        p: the two-sided p-value for the hypothesis that there is no difference.
        inner: the 90% interval. It lies within the margin of an equivalence test if the
            uncorrected p-value of this test is below 5%.
        p_apart: the p-value for the hypothesis that the difference is at least the margin; None
            without a margin.
    """

    first: float
    second: float
    value: float
    low: float
    high: float
    games: int
    others: int
    deals: int | None
    saved: float | None
    p: float
    inner: tuple[float, float]
    p_apart: float | None

    @property
    def paired(self) -> bool:
        """True if both figures are about the same deals."""
        return self.deals is not None


def difference(
    first: Ratio, second: Ratio, *, paired: bool, margin: float | None = None
) -> Difference | None:
    """Compare two figures; return None if there are too few games, or figures without spread.

    If both played the same deals, the variance is the variance of the differences of the residuals
    of each deal (see `estimate`), in which the effects of the deals cancel out. Otherwise both
    samples are independent (Welch's t). Equivalence is shown by two one-sided tests (D. J.
    Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987, 657-680).

    Args:
        first: a figure.
        second: another figure.
        paired: whether deals with the same number are the same.
        margin: the difference that equivalent figures do not reach; None to test no equivalence.
    """
    from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

    sides = _compared(first, second, paired=paired)
    if sides is None:
        return None
    left, right = (_mean(side.of, side.per) for side in sides)
    means = CompareMeans(left, right)
    gaps = DescrStatsW(left.data - right.data) if paired else None
    unpaired = float(means.std_meandiff_separatevar)
    error = unpaired if gaps is None else float(gaps.std_mean)
    value = float(left.mean - right.mean)
    narrow, wide = 1 - CONFIDENCE, 2 * (1 - CONFIDENCE)
    least = margin if margin is not None else 0.0
    if error <= _ROUNDING:
        if not first.share:
            return None
        outer, inner, p, p_apart = _constant(value, min(len(side.of) for side in sides), least)
    elif gaps is None:
        outer, inner = (means.tconfint_diff(each, usevar="unequal") for each in (narrow, wide))
        p = means.ttest_ind(usevar="unequal")[1]
        p_apart = means.ttost_ind(-least, least, usevar="unequal")[0]
    else:
        outer, inner = (gaps.tconfint_mean(each) for each in (narrow, wide))
        p = gaps.ttest_mean()[1]
        p_apart = gaps.ttost_mean(-least, least)[0]
    games, others = (int(side.games.sum()) for side in sides)
    return Difference(
        float(left.mean),
        float(right.mean),
        value,
        float(outer[0]),
        float(outer[1]),
        games,
        others,
        len(sides[0].deals) if paired else None,
        (unpaired / error) ** 2 if paired and error > _ROUNDING else None,
        float(p),
        (float(inner[0]), float(inner[1])),
        None if margin is None else float(p_apart),
    )


def _compared(first: Ratio, second: Ratio, *, paired: bool) -> tuple[Ratio, Ratio] | None:
    """Return the counted deals of both figures, in pairs if paired; None if there are too few."""
    one, other = (side.where(side.per > 0) for side in (first, second))
    if paired:
        both = np.intersect1d(one.deals, other.deals)
        one, other = (side.where(np.isin(side.deals, both)) for side in (one, other))
    return (one, other) if min(len(one.deals), len(other.deals)) >= 2 else None


Interval = tuple[float, float]


def _constant(value: float, deals: int, margin: float) -> tuple[Interval, Interval, float, float]:
    """Return the results of `difference` for shares that differ by the same value in all deals.

    They are the 95% interval, the 90% interval, `p` and `p_apart`. Differences of shares lie
    between -1 and 1, so a mean of m at least needs a part (m - value) / (1 - value) of other deals.
    The probability that none of them was played is exact.
    """

    def interval(level: float) -> Interval:
        other = 1 - level ** (1 / deals)
        return value - other * (1 + value), value + other * (1 - value)

    p = min(1.0, 2 * (1 + abs(value)) ** -deals)
    p_apart = 1.0
    if abs(value) < margin:
        p_apart = ((1 - margin) / (1 - abs(value))) ** deals
    return interval((1 - CONFIDENCE) / 2), interval(1 - CONFIDENCE), p, p_apart


def corrected(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for multiple tests: Holm's method (statsmodels)."""
    from statsmodels.stats.multitest import multipletests

    return list(map(float, multipletests(p_values, method="holm")[1])) if p_values else []


# ---- a sequential test ---------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """The result of a sequential test.

    Attributes:
        decided: "null", "alternative", or "" if the test would continue.
        games: the number of games up to this result.
    """

    decided: str
    games: int


def sequential(test: UntilDecided, ratio: Ratio) -> Verdict:
    """Return the result of Wald's test (see `UntilDecided`); a game may count several seats."""
    lower = log(test.beta / (1 - test.alpha))
    upper = log((1 - test.beta) / test.alpha)
    hit = log(test.alternative / test.null)
    miss = log((1 - test.alternative) / (1 - test.null))
    evidence = np.cumsum(ratio.of * hit + (ratio.per - ratio.of) * miss)
    over = np.flatnonzero((evidence <= lower) | (evidence >= upper))
    if not len(over):
        return Verdict("", len(evidence))
    stop = int(over[0])
    decided = "alternative" if evidence[stop] >= upper else "null"
    return Verdict(decided, stop + 1)


# ---- a ranking -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Rank:
    """The strength of a kind of mind.

    Attributes:
        mind: the kind.
        strength: its expected share of the wins at a table with one mind of each kind.
        low: the lower end of the 95% interval.
        high: the upper end.
        worth: the logarithm of its strength relative to that of the first kind.
        error: the standard error of `worth`.
        p: the p-value for the hypothesis that its worth equals that of the strongest kind (Wald's
            test), corrected for all pairs of kinds (Holm); None for the strongest kind.
    """

    mind: str
    strength: float
    low: float
    high: float
    worth: float
    error: float
    p: float | None = None


@dataclass(frozen=True)
class Fit:
    """Tests of the model of a ranking against free shares of wins for each line-up.

    Attributes:
        pearson: Pearson's chi-squared statistic.
        likelihood: the likelihood-ratio statistic.
        freedom: the degrees of freedom.
        p: the p-value of `pearson`.
        p_likelihood: the p-value of `likelihood`.
    """

    pearson: float
    likelihood: float
    freedom: int
    p: float
    p_likelihood: float


@dataclass(frozen=True)
class Ranking:
    """A ranking of kinds of mind.

    Attributes:
        ranks: the kinds, strongest first.
        fit: the tests of the model; None if the model has as many parameters as the line-ups.
    """

    ranks: tuple[Rank, ...]
    fit: Fit | None


def ranking(games: Iterable[tuple[tuple[str, ...], str]]) -> Ranking:
    """Return the ranking of kinds of mind by the Plackett-Luce model for winners.

    A seat of kind k wins with a probability in proportion to exp(worth of k), among the seats at
    the table (R. L. Plackett, The analysis of permutations, 1975; R. D. Luce, Individual choice
    behavior, 1959; for winners alone it is McFadden's conditional logit, 1974). The worths of
    maximum likelihood are computed with scipy's BFGS on counts of line-ups. Their errors do not
    presuppose the model: they come from the second derivatives at the maximum, and from the shares
    of wins that were observed for each line-up (H. White, Maximum likelihood estimation of
    misspecified models, Econometrica 50, 1982, 1-25).

    Args:
        games: for each game, the kinds of mind at the table, and the kind that won.

    Raises:
        InputError: the strengths cannot be compared, because some kinds never met, directly or
            through others, or one kind has won everything.
    """
    from scipy.special import expit, logit, softmax

    counted = Counter((tuple(sorted(seats)), winner) for seats, winner in games)
    kinds = sorted({kind for seats, _ in counted for kind in seats})
    if len(kinds) < 2:
        raise InputError("expected two or more kinds of mind to rank")
    line_ups = sorted({seats for seats, _ in counted})
    tables = np.array([[seats.count(kind) for kind in kinds] for seats in line_ups], float)
    won = np.array([[counted[seats, kind] for kind in kinds] for seats in line_ups], float)
    _check_comparable(kinds, tables, won)
    worths, covariance = _worths(tables, won)
    share = softmax(worths)
    # The errors of the logits of the shares, by the delta method.
    gradients = -share / (1 - share[:, None])
    np.fill_diagonal(gradients, 1.0)
    errors = np.sqrt(np.diag(gradients @ covariance @ gradients.T))
    low, high = (expit(logit(share) + side * 1.96 * errors) for side in (-1, 1))
    spread = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    p_values = _from_first(worths, covariance)
    columns = (each.tolist() for each in (share, low, high, worths, spread))
    ranks = [Rank(*each) for each in zip(kinds, *columns, p_values, strict=True)]
    ranks.sort(key=lambda rank: -rank.strength)
    return Ranking(tuple(ranks), _fit(tables, won, worths))


def _from_first(worths: Numbers, covariance: Numbers) -> list[float | None]:
    """Return the corrected p-value of each kind's distance from the strongest; see `Rank`."""
    from scipy.stats import norm

    pairs = list(combinations(range(len(worths)), 2))
    variances = np.diag(covariance)
    gaps = [
        abs(worths[one] - worths[other])
        / np.sqrt(variances[one] + variances[other] - 2 * covariance[one, other])
        for one, other in pairs
    ]
    p_values = dict(zip(pairs, corrected(list(2 * norm.sf(gaps))), strict=True))
    first = int(np.argmax(worths))
    return [
        None if kind == first else p_values[min(kind, first), max(kind, first)]
        for kind in range(len(worths))
    ]


def _shares(tables: Numbers, worths: Numbers) -> Numbers:
    """Return the expected share of each kind's wins, by line-up."""
    weights = tables * np.exp(worths - worths.max())
    expected: Numbers = weights / weights.sum(axis=1, keepdims=True)
    return expected


def _fit(tables: Numbers, won: Numbers, worths: Numbers) -> Fit | None:
    """Return the tests of a fitted model against free shares of wins for each line-up."""
    from scipy.special import xlogy
    from scipy.stats import chi2

    sits = tables > 0
    freedom = int((sits.sum(axis=1) - 1).sum()) - (tables.shape[1] - 1)
    if freedom < 1:
        return None
    expected = (_shares(tables, worths) * won.sum(axis=1, keepdims=True))[sits]
    observed = won[sits]
    pearson = float(((observed - expected) ** 2 / expected).sum())
    likelihood = float(2 * xlogy(observed, observed / expected).sum())
    p_values = chi2.sf([pearson, likelihood], freedom)
    return Fit(pearson, likelihood, freedom, float(p_values[0]), float(p_values[1]))


def _worths(tables: Numbers, won: Numbers) -> tuple[Numbers, Numbers]:
    """Return the worths of maximum likelihood, with 0 for the first kind, and their covariance.

    `ConditionalLogit` of statsmodels does not accept counts of line-ups. For the 5,200 games of
    `perudo_round_robin` it takes 2.8 s, and this function takes 0.2 s, with the same strengths.

    Args:
        tables: the number of seats of each kind, by line-up.
        won: the number of games that each kind won, by line-up.
    """
    from scipy.optimize import minimize
    from scipy.special import xlogy

    kinds, games = tables.shape[1], won.sum(axis=1, keepdims=True)

    def cost(free: Numbers) -> tuple[float, Numbers]:
        expected = _shares(tables, np.concatenate(([0.0], free)))
        slope = (games * expected - won).sum(axis=0)
        return float(-xlogy(won, expected).sum()), slope[1:]

    best = minimize(cost, np.zeros(kinds - 1), jac=True, method="BFGS")
    worths = np.concatenate(([0.0], best.x))
    expected = _shares(tables, worths)
    curvature, scores = (
        (np.diag((games * shares).sum(axis=0)) - (shares.T * games[:, 0]) @ shares)[1:, 1:]
        for shares in (expected, won / games)
    )
    inverse = np.linalg.inv(curvature)
    covariance = np.zeros((kinds, kinds))
    covariance[1:, 1:] = inverse @ scores @ inverse
    return worths, covariance


def _check_comparable(kinds: Sequence[str], tables: Numbers, won: Numbers) -> None:
    """Raise `InputError` unless a chain of wins leads from each kind to any other (Ford 1957)."""
    from scipy.sparse.csgraph import breadth_first_order

    beats = won.T @ tables
    for start, kind in enumerate(kinds):
        reached = breadth_first_order(beats, start, return_predecessors=False)
        lacking = [other for number, other in enumerate(kinds) if number not in reached]
        if lacking:
            raise InputError(
                f"{kind} has never won a game, directly or through others, against "
                f"{', '.join(lacking)}: their strengths cannot be compared"
            )
