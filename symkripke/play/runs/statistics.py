"""Exact statistics for summaries of games, without scipy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from symkripke.errors import InputError


@dataclass(frozen=True)
class Share:
    """The number of hits in a number of trials, with a confidence interval for the probability.

    Attributes:
        hits: the number of hits.
        of: the number of trials.
        low: the lower end of the interval.
        high: the upper end of the interval.
    """

    hits: int
    of: int
    low: float
    high: float

    @property
    def rate(self) -> float | None:
        """The share of hits; None without trials."""
        return self.hits / self.of if self.of else None


def wilson(hits: int, of: int, confidence: float = 0.95) -> Share:
    """Return a share with its Wilson score interval.

        (p + z^2/2n  +-  z sqrt(p(1 - p)/n + z^2/4n^2)) / (1 + z^2/n),    p = hits/n, n = of

    Trials are assumed to be independent. Without trials, the interval is 0 to 1.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
    Journal of the American Statistical Association 22 (1927), 209-212.

    Raises:
        InputError: `hits` is not from 0 to `of`, or the confidence is not between 0 and 1.
    """
    if not 0 <= hits <= of:
        raise InputError(f"expected 0 to {of} hits of {of}, got {hits}")
    if not 0 < confidence < 1:
        raise InputError(f"expected a confidence between 0 and 1, got {confidence}")
    if of == 0:
        return Share(0, 0, 0.0, 1.0)
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    middle = hits + z2 / 2
    half = sqrt(z2 * (hits * (of - hits) / of + z2 / 4))
    # The limits 0 and 1 are exact, so rounding must not change them.
    low = 0.0 if hits == 0 else (middle - half) / (of + z2)
    high = 1.0 if hits == of else (middle + half) / (of + z2)
    return Share(hits, of, low, high)


def mean(counts: Mapping[int, int]) -> Fraction:
    """Return the mean of values, given their counts. Raise `InputError` if there are none."""
    return Fraction(sum(value * often for value, often in counts.items()), _total(counts))


def quantile(counts: Mapping[int, int], share: Fraction) -> Fraction:
    """Return the quantile of values, given their counts.

    If the share falls exactly between two values, the quantile is their mean, so that
    `quantile(counts, 1/2)` is the usual median. This is definition 2 in R. J. Hyndman and Y. Fan,
    Sample quantiles in statistical packages, The American Statistician 50 (1996), 361-365.

    Raises:
        InputError: there are no values, or the share is not between 0 and 1.
    """
    if not 0 < share < 1:
        raise InputError(f"expected a share between 0 and 1, got {share}")
    place = share * _total(counts)
    values = sorted(value for value, often in counts.items() if often)
    passed = 0
    for number, value in enumerate(values):
        passed += counts[value]
        if passed == place:
            return Fraction(value + values[number + 1], 2)
        if passed > place:
            return Fraction(value)
    raise AssertionError("a share below 1 is passed before the last value")


def _total(counts: Mapping[int, int]) -> int:
    total = sum(counts.values())
    if total == 0:
        raise InputError("expected at least one value, got none")
    return total
