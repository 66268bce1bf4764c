"""`memory`: whether the memory of one process stays constant while it answers new questions."""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable, Sequence
from random import Random

import click

from symkripke.engines import Engine
from symkripke.engines.auto import AutoEngine
from symkripke.engines.explicit import ExplicitEngine
from tests.soak.common import Found, memory_of
from tests.soak.mixture import Situation, classic, drawn, story, study

# Out of a hundred questions, the number for each engine. The explicit engine cannot list the full
# game, and diagrams are asked only through auto there, because other questions take them seconds.
_AUTO, _SAT, _BDD = 70, 15, 10

# Out of twenty questions, the number for each situation. A question about the full game takes five
# times as long as the others, so its few questions still take a quarter of the time. The first two
# situations stay, to fill their caches as much as possible; new ones replace the others.
_MAKERS: Sequence[tuple[Callable[[int], Situation], int]] = (
    (study, 4),
    (story, 5),
    (study, 4),
    (story, 6),
    (classic, 1),
)
_STAY = 2

# The number of questions between two new situations.
_FRESH = 2_000

# The number of memory measurements. Single measurements vary, because caches are emptied when
# full, and fill up again.
_LOOKS = 80


@click.command()
@click.option("--questions", default=200_000, help="The number of questions, all different.")
@click.option("--seed", default=1, help="Which ones.")
@click.option(
    "--bound",
    default=100.0,
    help="KB that memory may grow by in 1,000 questions, after the first quarter.",
)
def memory(questions: int, seed: int, bound: float) -> Found:
    """Ask one process ever new questions: its memory must stay constant (Linux only)."""
    found, chance, auto, explicit = Found(), Random(seed), AutoEngine(), ExplicitEngine()
    situations = [make(seed + place) for place, (make, _) in enumerate(_MAKERS)]
    weights = [weight for _, weight in _MAKERS]
    every = max(1, questions // _LOOKS)
    measured: list[tuple[int, int]] = []
    for number in range(questions + 1):
        if number % every == 0:
            gc.collect()
            measured.append((number, memory_of()))
        if number % _FRESH == _FRESH - 1:
            place = _STAY + number // _FRESH % (len(_MAKERS) - _STAY)
            situations[place] = _MAKERS[place][0](seed + number)
        situation = chance.choices(situations, weights)[0]
        kind, ask = drawn(chance, situation)
        ask(_engine(chance, situation, auto, explicit))
        found.done[kind] += 1
    slope = growth(measured)
    shown = ", ".join(f"{size / 1e6:.0f}" for _, size in measured[:: max(1, len(measured) // 10)])
    found.notes.append(f"MB in use: {shown}; {slope:+.1f} KB in 1,000 questions")
    found.check(slope <= bound, f"memory grows by {slope:.1f} KB in 1,000 questions")
    return found


def _engine(
    chance: Random, situation: Situation, auto: AutoEngine, explicit: ExplicitEngine
) -> Engine:
    number = chance.randrange(100)
    if number < _AUTO:
        return auto
    if number < _AUTO + _SAT:
        return auto.sat
    if situation.name == "classic Cluedo":
        return auto
    return auto.bdd if number < _AUTO + _SAT + _BDD else explicit


def growth(measured: Sequence[tuple[int, int]]) -> float:
    """Return the least-squares slope after the first quarter, in KB per 1,000 questions."""
    whole = measured[-1][0]
    later = [(number / 1_000, size / 1_000) for number, size in measured if number >= whole / 4]
    if len(later) < 2:
        return 0.0
    return statistics.linear_regression(*zip(*later, strict=True)).slope
