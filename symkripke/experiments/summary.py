"""The results of an experiment in short: a sentence for each published figure and comparison."""

from __future__ import annotations

from collections.abc import Iterator

from symkripke.experiments.estimates import Estimate, Ranking
from symkripke.experiments.experiment import UntilNarrow
from symkripke.experiments.report import Compared, Replication, Report
from symkripke.play.measure import Figure

LEVEL = 0.05
"""A difference is reported as shown if its corrected p-value is below this level."""

MOST_IN_SHORT = 12
"""The maximum number of comparisons that are reported in a sentence each."""

JUDGED = (
    "Reproduced: the 95% interval of the difference includes zero, and excludes every difference "
    "that would matter. Differs, by less than what matters: it excludes both. Not reproduced: it "
    "excludes zero, and includes a difference that would matter. Too few games to tell: it includes"
    " zero and a difference that would matter, so that agreement proves nothing. The published "
    "games count as a sample, too. If their number is unknown, or the figure is not a share, the "
    "error of the published value is unknown, so that neither agreement nor difference can be "
    "shown. Then the value is near if our whole interval is nearer to it than a difference that "
    "would matter, and far if our whole interval is farther."
)
"""The meaning of the verdicts."""

COMPARED = (
    "The same deals: both conditions played the same deals, which are compared one by one; games "
    "whose deal was played in only one of them do not count here, so a value can differ from the "
    "value in the tables above. The same seats: the tables differ only in the seats of these two "
    "kinds, and only these seats count here. The same games: both kinds sat at the same tables, so "
    "what one wins the other loses. Pairing saves: the factor by which more games would be needed "
    "on different deals. P-values are two-sided, and corrected for their number by Holm's method. "
    "Equivalent: two one-sided tests exclude a difference of the stated size; their p-values are "
    "corrected in the same way, for the number of equivalence tests."
)
"""A guide to reading a comparison."""

INTERVALS = (
    "Shares have Wilson score intervals for the number of independent games, or of deals if every "
    "deal is played several times. Seats of one game are not independent, so the number of trials "
    "is the one that gives the standard error of a ratio of two sums over games (Cochran 1977). "
    "Other figures have the interval of this ratio, or none if all games have the same value."
)
"""The method of intervals."""


def in_short(report: Report) -> Iterator[str]:
    """Yield the results in sentences; many comparisons are only counted."""
    for replication in report.replications:
        yield _published(replication)
    if len(report.compared) > MOST_IN_SHORT:
        shown = sum(each.p is not None and each.p < LEVEL for each in report.compared)
        yield f"{shown} of {len(report.compared)} comparisons show a difference: see the table."
    else:
        for compared in report.compared:
            yield compared_in_short(compared)
    yield from _stopped(report)


def verdict(replication: Replication) -> str:
    """Return whether a published figure was reproduced, with the difference, in words."""
    agreement, matters = replication.agreement, replication.published.matters
    if agreement.value is None:
        return agreement.judgement
    return (
        f"{agreement.judgement}: the difference is "
        f"{_gap(agreement.value, agreement.low, agreement.high, replication.figure)}, and "
        f"{_gap(matters, None, None, replication.figure).removeprefix('+')} would matter"
    )


def _published(replication: Replication) -> str:
    published = replication.published
    whose = f"{published.mind} in " if published.mind else ""
    theirs = f" in {published.games} games" if published.games else ""
    ours = "nothing yet"
    if replication.result.value is not None:
        result = replication.result
        ours = f"{with_interval(result, replication.figure)} in {result.games} games"
    return (
        f'{_first_upper(replication.figure.title)}, {whose}"{published.condition}": published '
        f"{amount(published.value, replication.figure)}{theirs}, here {ours}. "
        f"{_first_upper(verdict(replication))}."
    )


def compared_in_short(compared: Compared) -> str:
    """Return a comparison in a sentence."""
    title, sides = _first_upper(compared.figure.title), (_side(compared, 0), _side(compared, 1))
    where = f', in "{compared.asked.first[0]}"' if compared.same_games else ""
    start = f"{title}{where}: {sides[0]}, {sides[1]}"
    difference = compared.result
    if difference is None or compared.p is None:
        return f"{start}: too few games to compare, or all of them are equal."
    return (
        f"{start}. The difference is {difference_with_interval(compared)}, "
        f"{compared_on(compared)}. {_first_upper(comparison_verdict(compared))}."
    )


def comparison_verdict(compared: Compared) -> str:
    """Return whether a difference or equivalence is shown, in words; empty without a result."""
    difference, margin = compared.result, compared.asked.equivalent
    if difference is None or compared.p is None:
        return ""
    differs = compared.p < LEVEL
    if margin is None or compared.p_apart is None:
        return "a difference is shown" if differs else "no difference is shown"
    matters = _gap(margin, None, None, compared.figure).removeprefix("+")
    verdict = "neither a difference nor equivalence"
    if compared.p_apart < LEVEL:
        verdict = "differs, by less than what matters: equivalent" if differs else "equivalent"
    elif differs:
        verdict = "a difference is shown, and no equivalence"
    low, high = (_gap(each, None, None, compared.figure).split()[0] for each in difference.inner)
    return (
        f"{verdict} within {matters} (90% interval {low} to {high}, p {p_value(compared.p_apart)})"
    )


def ranked(ranking: Ranking) -> str:
    """Return whether a kind is shown to be the strongest, and whether the model fits."""
    first, *others = ranking.ranks
    level = [each.mind for each in others if each.p is None or each.p >= LEVEL]
    said = f"{first.mind} is the strongest: its worth is above that of every other kind."
    if level:
        said = (
            f"No kind is shown to be the strongest. {first.mind} comes first, but its worth is not "
            f"shown to be above that of {', '.join(level)}."
        )
    if (fit := ranking.fit) is None:
        return said
    tests = (
        f"Pearson's chi-squared {fit.pearson:.1f} with {fit.freedom} degrees of freedom, p = "
        f"{fit.p:.1g}; likelihood ratio {fit.likelihood:.1f}, p = {fit.p_likelihood:.1g}"
    )
    if min(fit.p, fit.p_likelihood) >= LEVEL:
        return f"{said} The model is not rejected ({tests})."
    return (
        f"{said} The model is rejected ({tests}): how often a kind wins depends on the other kinds "
        "at the table, and not on one worth for each kind. So the strengths are averages over "
        "these line-ups, and their order need not hold at other tables."
    )


def p_value(p: float) -> str:
    """Return a p-value in words."""
    return "< 0.0001" if p < 0.0001 else f"= {p:.4f}"


def _side(compared: Compared, side: int) -> str:
    """Return one side of a comparison in words, with its value."""
    if side and compared.asked.against is not None:
        return f"against {number(compared.asked.against, compared.figure)}"
    condition, mind = (compared.asked.first, compared.asked.second)[side]
    difference = compared.result
    words = [
        ""
        if difference is None
        else amount((difference.first, difference.second)[side], compared.figure),
        mind and f"for {mind}",
        "" if compared.same_games else f'in "{condition}"',
    ]
    return " ".join(filter(None, words))


def compared_side(compared: Compared, side: int) -> str:
    """Return one side of a comparison, as in a table."""
    if side and compared.asked.against is not None:
        return f"fixed: {number(compared.asked.against, compared.figure)}"
    condition, mind = (compared.asked.first, compared.asked.second)[side]
    name, difference = f"{mind} in {condition}" if mind else condition, compared.result
    if difference is None:
        return name
    return f"{name}: {number((difference.first, difference.second)[side], compared.figure)}"


def difference_with_interval(compared: Compared) -> str:
    """Return the difference of the two figures in words; empty if there is none."""
    difference = compared.result
    return (
        ""
        if difference is None
        else _gap(difference.value, difference.low, difference.high, compared.figure)
    )


def compared_on(compared: Compared) -> str:
    """Return the description of the compared games."""
    difference = compared.result
    if difference is None:
        return "too few games, or all equal"
    if compared.asked.against is not None:
        deals = f" of {difference.deals} deals" if difference.deals != difference.games else ""
        return f"in {difference.games} games{deals}"
    said = f"in {difference.games} and {difference.others} games of different deals"
    if compared.same_games:
        said = f"in the same {difference.games} games"
    elif difference.paired:
        seats = ", in the same seats" if compared.same_seats else ""
        each = "" if difference.games == difference.deals else f" ({difference.games} games)"
        said = f"on the same {difference.deals} deals{each}{seats}"
    sides = (compared.asked.first, compared.asked.second)
    for (condition, _), games in zip(sides, compared.left_out, strict=True):
        if games:
            said += f'; {games} more games of "{condition}" have no partner and do not count here'
    return said


def _stopped(report: Report) -> Iterator[str]:
    """Yield sentences about whether the stopping rule was met."""
    stop = report.experiment.stop
    for part in report.parts:
        name = part.condition.name
        if part.test is not None:
            share = part.test.decided and f"decided for {getattr(stop, part.test.decided):g}"
            said = share or "has not decided"
            yield f"The sequential test in {name} {said} after {part.test.games} games."
        for line in part.lines:
            if isinstance(stop, UntilNarrow) and (line.name, line.mind) == (stop.figure, stop.mind):
                met = "narrow enough" if line.result.width <= stop.width else "still too wide"
                whose = stop.mind or stop.figure
                yield f"The interval of {whose} in {name} is {met} after {part.games} games."


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def number(value: float, figure: Figure) -> str:
    """Return a value of a figure, without its unit."""
    return f"{100 * value:.2f}%" if figure.unit == "share" else f"{value:.4g}"


def amount(value: float, figure: Figure) -> str:
    """Return a value of a figure with its unit."""
    return number(value, figure) + (f" {figure.unit}" if figure.unit not in ("", "share") else "")


def _gap(value: float, low: float | None, high: float | None, figure: Figure) -> str:
    """Return a difference of two values, with its interval; for shares, in points."""
    share = figure.unit == "share"
    said = [
        f"{100 * number:+.3g}" if share else f"{number:+.4g}"
        for number in (value, low, high)
        if number is not None
    ]
    unit = "points" if share else figure.unit
    interval = f" ({said[1]} to {said[2]})" if len(said) == 3 else ""
    return f"{said[0]}{interval} {unit}".rstrip()


def titled(figure: Figure) -> str:
    """Return the title of a figure as a heading, with its unit."""
    unit = f" ({figure.unit})" if figure.unit not in ("", "share", "turns") else ""
    return f"{_first_upper(figure.title)}{unit}"


def ends(estimate: Estimate, figure: Figure) -> str:
    """Return the interval of a figure in words; empty if there are too few games for one."""
    if estimate.low is None or estimate.high is None:
        return "the same in all games" if estimate.games > 1 else ""
    return f"{number(estimate.low, figure)} to {number(estimate.high, figure)}"


def with_interval(estimate: Estimate, figure: Figure) -> str:
    """Return a figure in words, with its interval."""
    if estimate.value is None:
        return "-"
    interval = ends(estimate, figure)
    return amount(estimate.value, figure) + (f" ({interval})" if interval else "")
