"""Intervals, comparisons, tests and rankings, compared with known answers and other libraries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from symkripke.errors import InputError
from symkripke.experiments.estimates import (
    corrected,
    difference,
    estimate,
    ranking,
    sequential,
)
from symkripke.experiments.experiment import UntilDecided
from symkripke.experiments.rows import Ratio
from symkripke.experiments.summary import ranked


def ratio(of: Sequence[float], per: Sequence[float] | None = None, *, share: bool = False) -> Ratio:
    """Return a ratio for the deals 0, 1, 2, ..., with a game each."""
    below = np.ones(len(of)) if per is None else np.array(per, dtype=float)
    return Ratio(np.arange(len(of)), np.array(of, dtype=float), below, (below > 0) * 1, share)


def test_intervals_of_shares_and_means_match_other_libraries() -> None:
    from scipy import stats
    from statsmodels.stats.proportion import proportion_confint

    chance = np.random.default_rng(0)
    for games in (2, 10, 60):
        hits = (chance.random(games) < 0.6).astype(float)
        found = estimate(ratio(list(hits), share=True))
        wanted = proportion_confint(hits.sum(), games, method="wilson")
        assert (found.value, found.games) == (hits.mean(), games)
        assert (found.low, found.high) == pytest.approx(wanted, abs=1e-4)
        of = chance.normal(2, 3, games)
        found = estimate(ratio(list(of)))
        wanted = stats.t.interval(0.95, games - 1, of.mean(), stats.sem(of))
        assert found.value == pytest.approx(of.mean())
        assert (found.low, found.high) == pytest.approx(wanted, abs=1e-4)
    # Games without a value do not count.
    found = estimate(ratio([1, 0, 0, 1], [1, 0, 1, 1], share=True))
    assert found.value == pytest.approx(2 / 3)
    assert found.games == 3
    assert estimate(ratio([0, 0], [0, 0], share=True)).value is None
    assert (estimate(ratio([3.0])).value, estimate(ratio([3.0])).low) == (3.0, None)


def test_seats_of_one_game_do_not_count_as_independent() -> None:
    """Two seats that always win or lose together give the same information as one."""
    chance = np.random.default_rng(1)
    hits = (chance.random(400) < 0.4).astype(float)
    alone = estimate(ratio(list(hits), share=True))
    both = estimate(ratio(list(2 * hits), [2.0] * 400, share=True))
    assert both.value == pytest.approx(alone.value)
    assert both.width == pytest.approx(alone.width, rel=0.02)


def test_intervals_have_their_nominal_coverage() -> None:
    chance = np.random.default_rng(2)
    held = 0
    for _ in range(400):
        per = chance.integers(1, 6, 80).astype(float)
        of = chance.binomial(per.astype(int), 0.3).astype(float)
        found = estimate(ratio(list(of), list(per), share=True))
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.3 <= found.high
    assert 0.92 <= held / 400 <= 0.98


def test_pairs_cancel_the_effect_of_the_deal() -> None:
    chance = np.random.default_rng(3)
    deal = chance.normal(0, 5, 200)
    first = ratio(list(10 + deal + chance.normal(0, 1, 200)))
    second = ratio(list(9 + deal + chance.normal(0, 1, 200)))
    paired = difference(first, second, paired=True)
    apart = difference(first, second, paired=False)
    assert paired is not None
    assert apart is not None
    assert paired.value == pytest.approx(apart.value)
    assert paired.low > 0 > apart.low
    assert paired.saved is not None
    assert paired.saved > 10
    assert paired.p < 0.001 < apart.p


def test_differences_match_scipy() -> None:
    chance = np.random.default_rng(4)
    one, other = chance.normal(1, 2, 30), chance.normal(0, 1, 50)
    found = difference(ratio(list(one)), ratio(list(other)), paired=False)
    assert found is not None
    assert found.p == pytest.approx(stats.ttest_ind(one, other, equal_var=False).pvalue)
    found = difference(ratio(list(one)), ratio(list(other[:30])), paired=True)
    assert found is not None
    assert found.p == pytest.approx(stats.ttest_rel(one, other[:30]).pvalue)


def test_equivalence_matches_statsmodels() -> None:
    from statsmodels.stats import weightstats

    chance = np.random.default_rng(9)
    one, other = chance.normal(0, 2, 40), chance.normal(0.1, 1, 50)
    found = difference(ratio(list(one)), ratio(list(other)), paired=False, margin=0.8)
    assert found is not None
    wanted = weightstats.ttost_ind(one, other, -0.8, 0.8, usevar="unequal")[0]
    assert found.p_apart == pytest.approx(wanted)
    found = difference(ratio(list(one)), ratio(list(other[:40])), paired=True, margin=0.8)
    assert found is not None
    wanted = weightstats.ttost_paired(one, other[:40], -0.8, 0.8)[0]
    assert found.p_apart == pytest.approx(wanted)
    # The 90% interval lies within the margin if and only if the p-value is below 5%.
    assert (max(-found.inner[0], found.inner[1]) < 0.8) == (wanted < 0.05)


def test_equal_results_leave_room_for_other_results() -> None:
    """No interval of a share has width zero."""
    from statsmodels.stats.proportion import proportion_confint

    none, always = [0.0] * 40, [1.0] * 40
    for of, per, bounds, low, high in (
        (none, always, (0.0, 1.0), 0.0, 0.0876),
        (always, always, (0.0, 1.0), 1 - 0.0876, 1.0),
        # Two of four seats: a game has a single winner.
        (always, [2.0] * 40, (0.0, 0.5), 0.5 - 0.5 * 0.0876, 0.5),
        (none, [2.0] * 40, (0.0, 0.5), 0.0, 0.5 * 0.0876),
        # A game can have two winners, but each of these had one.
        (always, [2.0] * 40, (0.0, 1.0), 0.5 - 0.5 * 0.0876, 0.5 + 0.5 * 0.0876),
    ):
        found = estimate(replace(ratio(of, per, share=True), bounds=bounds))
        assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)
    # Two of four seats that won 10 of 40 games: Wilson's interval for games, for half the seats.
    won = [1.0] * 10 + [0.0] * 30
    found = estimate(replace(ratio(won, [2.0] * 40, share=True), bounds=(0.0, 0.5)))
    wanted = [end / 2 for end in proportion_confint(10, 40, method="wilson")]
    assert (found.low, found.high) == pytest.approx(wanted)
    # No share, or a share that the seats fix: no interval.
    assert estimate(ratio([3.0] * 40)).low is None
    assert (
        estimate(replace(ratio(always, [3.0] * 40, share=True), bounds=(1 / 3, 1 / 3))).low is None
    )

    both = ratio(always, share=True), ratio(always, share=True)
    equal = difference(*both, paired=True, margin=0.1)
    assert equal is not None
    assert equal.high == -equal.low == pytest.approx(proportion_confint(0, 40, method="beta")[1])
    assert (equal.p, equal.p_apart) == pytest.approx((1, 0.9**40))
    assert difference(ratio([3.0] * 40), ratio([2.0] * 40), paired=True) is None


def test_a_single_game_gives_no_difference() -> None:
    assert difference(ratio([1]), ratio([2]), paired=True) is None
    assert difference(ratio([1]), ratio([2]), paired=False) is None


def test_many_p_values_are_corrected() -> None:
    assert corrected([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert corrected([]) == []


@pytest.mark.parametrize(("share", "decided"), [(0.33, "null"), (0.25, "alternative")])
def test_the_sequential_test_keeps_its_errors(share: float, decided: str) -> None:
    test = UntilDecided(figure="losses", mind="logic", null=0.33, alternative=0.25)
    chance = np.random.default_rng(5)
    verdicts = [
        sequential(test, ratio(list((chance.random(4000) < share).astype(float)), share=True))
        for _ in range(200)
    ]
    assert all(verdict.decided for verdict in verdicts)
    assert sum(verdict.decided == decided for verdict in verdicts) >= 185
    assert np.mean([verdict.games for verdict in verdicts]) < 600


def test_the_sequential_test_may_be_undecided() -> None:
    test = UntilDecided(figure="losses", mind="logic", null=0.33, alternative=0.25)
    verdict = sequential(test, ratio([0, 1, 0], share=True))
    assert (verdict.decided, verdict.games) == ("", 3)


def games(worths: Sequence[float], number: int, seed: int) -> list[tuple[tuple[str, ...], str]]:
    """Return games of three seats, two of them of one kind, with winners drawn from the model."""
    chance = np.random.default_rng(seed)
    played = []
    for _ in range(number):
        pair = chance.choice(len(worths), 2, replace=False)
        seats = [pair[0], pair[0], pair[1]]
        weights = np.exp([worths[seat] for seat in seats])
        winner = seats[int(chance.choice(3, p=weights / weights.sum()))]
        played.append((tuple("abcd"[seat] for seat in seats), "abcd"[winner]))
    return played


def test_the_ranking_matches_conditional_logit() -> None:
    from statsmodels.discrete.conditional_models import ConditionalLogit

    played = games([0.0, 0.5, 1.0, -0.5], 300, 6)
    won, kinds, groups = [], [], []
    for number, (seats, winner) in enumerate(played):
        first = seats.index(winner)
        for seat, kind in enumerate(seats):
            won.append(float(seat == first))
            kinds.append([float(kind == other) for other in "bcd"])
            groups.append(number)
    fitted = ConditionalLogit(np.array(won), np.array(kinds), groups=np.array(groups)).fit(disp=0)
    ranks = {rank.mind: rank for rank in ranking(played).ranks}
    for place, kind in enumerate("bcd"):
        assert ranks[kind].worth == pytest.approx(fitted.params[place], abs=2e-3)
        # The errors do not presuppose the model, which is right here.
        assert ranks[kind].error == pytest.approx(fitted.bse[place], rel=0.1)
    assert [rank.mind for rank in ranking(played).ranks] == ["c", "b", "a", "d"]
    assert sum(rank.strength for rank in ranks.values()) == pytest.approx(1)


def test_a_model_is_tested_against_free_shares_for_each_line_up() -> None:
    # The kinds a, b and c beat each other in a circle, so no order of strength fits.
    often = {("a", "b"): 70, ("b", "c"): 60, ("a", "c"): 35}
    played = [(pair, pair[number >= wins]) for pair, wins in often.items() for number in range(100)]
    found = ranking(played)
    fit = found.fit
    assert fit is not None
    worths = {rank.mind: rank.worth for rank in found.ranks}
    tables = []
    for (one, other), wins in often.items():
        share = 1 / (1 + np.exp(worths[other] - worths[one]))
        tables.append((wins, 100 * share))
        tables.append((100 - wins, 100 * (1 - share)))
    observed, expected = np.array(tables).T
    for name, value, p in (
        ("pearson", fit.pearson, fit.p),
        ("log-likelihood", fit.likelihood, fit.p_likelihood),
    ):
        # Six cells, of which three sums and two worths are given.
        wanted = stats.power_divergence(observed, expected, ddof=4, lambda_=name)
        assert (value, p) == pytest.approx((wanted.statistic, wanted.pvalue), rel=1e-4)
    assert fit.freedom == 1
    assert fit.p < 1e-6
    assert "The model is rejected" in ranked(found)


def test_no_kind_is_the_strongest_if_no_test_shows_it() -> None:
    close = ranking([(("a", "b"), "ab"[number < 45]) for number in range(100)])
    assert "No kind is shown to be the strongest" in ranked(close)
    # A logarithm of odds of 90 to 10 has the variance 1/90 + 1/10.
    clear = ranking([(("a", "b"), "ab"[number < 10]) for number in range(100)])
    assert "a is the strongest" in ranked(clear)
    z = np.log(9) / (1 / 90 + 1 / 10) ** 0.5
    assert clear.ranks[1].p == pytest.approx(2 * stats.norm.sf(z), rel=1e-3)
    assert clear.fit is None


def test_a_kind_that_never_wins_cannot_be_ranked() -> None:
    with pytest.raises(InputError, match="cannot be compared"):
        ranking([(("a", "b"), "a")] * 5)
    with pytest.raises(InputError, match="two or more kinds"):
        ranking([(("a", "a"), "a")])
