"""Intervals and quantiles, compared with their definitions and known values."""

from __future__ import annotations

import statistics
from collections import Counter
from fractions import Fraction
from math import ceil, floor, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symkripke.errors import InputError
from symkripke.play.runs.statistics import mean, quantile, wilson

Z95 = 1.959963984540054
COUNTS = st.lists(st.integers(0, 30), min_size=1, max_size=40)


# The formula evaluated by hand, with z = 1.959963984540054; and the four examples in R. G.
# Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17
# (1998).
@pytest.mark.parametrize(
    ("hits", "of", "low", "high", "digits"),
    [
        (0, 10, 0.0, 0.2775327998628892, 14),
        (5, 10, 0.236593090512564, 0.763406909487436, 14),
        (10, 10, 0.7224672001371107, 1.0, 14),
        (8, 8, 0.6755924351161198, 1.0, 14),
        (81, 263, 0.2553, 0.3662, 4),
        (15, 148, 0.0624, 0.1605, 4),
        (0, 20, 0.0, 0.1611, 4),
        (1, 29, 0.0061, 0.1718, 4),
    ],
)
def test_known_intervals(hits: int, of: int, low: float, high: float, digits: int) -> None:
    share = wilson(hits, of)
    assert round(share.low, digits) == round(low, digits)
    assert round(share.high, digits) == round(high, digits)
    assert share.rate == hits / of


def test_ends_solve_the_score_equation() -> None:
    """The interval is defined by |k/n - p| = z sqrt(p (1 - p) / n), which its ends must satisfy."""
    for of in range(1, 40):
        for hits in range(of + 1):
            share = wilson(hits, of)
            assert 0 <= share.low <= hits / of <= share.high <= 1
            assert (share.low == 0, share.high == 1) == (hits == 0, hits == of)
            for end in (share.low, share.high):
                if 0 < end < 1:
                    distance = abs(hits / of - end)
                    assert distance == pytest.approx(Z95 * sqrt(end * (1 - end) / of), abs=1e-12)


def test_no_trials_give_no_information() -> None:
    share = wilson(0, 0)
    assert (share.low, share.high, share.rate) == (0.0, 1.0, None)


@pytest.mark.parametrize(("hits", "of"), [(-1, 3), (4, 3), (1, 0)])
def test_impossible_shares(hits: int, of: int) -> None:
    with pytest.raises(InputError, match="hits"):
        wilson(hits, of)


@pytest.mark.parametrize("confidence", [0, 1, 95])
def test_impossible_confidence(confidence: float) -> None:
    with pytest.raises(InputError, match="confidence"):
        wilson(1, 2, confidence)


@given(COUNTS)
def test_mean_and_median_match_the_standard_library(values: list[int]) -> None:
    counts = Counter(values)
    assert mean(counts) == Fraction(sum(values), len(values))
    assert quantile(counts, Fraction(1, 2)) == statistics.median(values)


@given(COUNTS, st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100))
def test_quantile_is_definition_2(values: list[int], share: Fraction) -> None:
    """Hyndman and Fan: the mean of the order statistics ceil(np) and floor(np + 1)."""
    ordered = sorted(values)
    place = share * len(values)
    expected = Fraction(ordered[ceil(place) - 1] + ordered[floor(place + 1) - 1], 2)
    assert quantile(Counter(values), share) == expected


def test_no_values() -> None:
    with pytest.raises(InputError, match="at least one value"):
        mean({})
    with pytest.raises(InputError, match="at least one value"):
        quantile({3: 0}, Fraction(1, 2))
    with pytest.raises(InputError, match="share"):
        quantile({3: 1}, Fraction(1))
