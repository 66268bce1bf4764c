"""The results of an experiment in short: a sentence for each published figure and comparison."""

from __future__ import annotations

from collections.abc import Iterator

from symkripke.experiments.estimates import Estimate
from symkripke.experiments.experiment import UntilDecided, UntilNarrow
from symkripke.experiments.report import Beside, Compared, Report
from symkripke.play.measure import Figure

LEVEL = 0.05
"""A difference counts as shown if its corrected p-value is below this."""


def in_short(found: Report) -> Iterator[str]:
    """What came out, in sentences."""
    for beside in found.beside:
        yield _published(beside)
    for compared in found.compared:
        yield compared_in_short(compared)
    yield from _stopped(found)


def verdict(beside: Beside) -> str:
    """Whether a published figure was reproduced, in words."""
    return {True: "reproduced", False: "not reproduced", None: "not decided"}[beside.agrees]


def _published(beside: Beside) -> str:
    published = beside.published
    whose = f"{published.mind} in {published.condition}" if published.mind else published.condition
    ours = "nothing yet"
    if beside.found.value is not None:
        ours = f"{with_interval(beside.found, beside.figure)} in {beside.found.games} games"
    return (
        f"{_first_upper(beside.figure.title)}, {whose}: published "
        f"{number(published.value, beside.figure)}, here {ours}: {verdict(beside)}."
    )


def compared_in_short(compared: Compared) -> str:
    """A comparison in a sentence."""
    sides = [
        f"{mind} in {condition}" if mind else condition
        for condition, mind in (compared.asked.first, compared.asked.second)
    ]
    start = f"{_first_upper(compared.figure.title)}, {sides[0]} less {sides[1]}"
    apart = compared.found
    if apart is None or compared.p is None:
        return f"{start}: too few games."
    ends = (
        f"{number(apart.low, compared.figure, signed=True)} to "
        f"{number(apart.high, compared.figure, signed=True)}"
    )
    shown = "a difference" if compared.p < LEVEL else "no difference is shown"
    return (
        f"{start}: {number(apart.value, compared.figure, signed=True)} ({ends}), "
        f"{apart.games} {'pairs of games' if apart.paired else 'games'}: {shown}."
    )


def _stopped(found: Report) -> Iterator[str]:
    """Whether the rule to stop was met."""
    stop = found.experiment.stop
    for part in found.parts:
        if isinstance(stop, UntilDecided) and part.test is not None:
            decided = {"null": f"{stop.null:g}", "alternative": f"{stop.alternative:g}"}
            share = decided.get(part.test.decided)
            yield (
                f"The sequential test in {part.condition.name} "
                + (f"decided for {share}" if share else "has not decided")
                + f" after {part.test.games} games."
            )
        elif isinstance(stop, UntilNarrow):
            for line in part.lines:
                if line.name == stop.figure and line.mind == stop.mind:
                    met = "narrow enough" if line.found.width <= stop.width else "still too wide"
                    yield (
                        f"The interval of {stop.mind or stop.figure} in {part.condition.name} is "
                        f"{met} after {part.games} games."
                    )


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def number(value: float, figure: Figure, *, signed: bool = False) -> str:
    """A value of a figure in words."""
    sign = "+" if signed else ""
    if figure.unit == "share":
        return f"{100 * value:{sign}.2f}%"
    return f"{value:{sign}.4g}"


def ends(found: Estimate, figure: Figure) -> str:
    """The interval of a figure in words; empty if it has none."""
    if found.low is None or found.high is None:
        return ""
    return f"{number(found.low, figure)} to {number(found.high, figure)}"


def with_interval(found: Estimate, figure: Figure) -> str:
    """A figure in words, with its interval."""
    if found.value is None:
        return "-"
    interval = ends(found, figure)
    return number(found.value, figure) + (f" ({interval})" if interval else "")
