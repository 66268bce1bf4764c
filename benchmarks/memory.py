"""`memory`: whether the memory of one process stays flat while it answers ever new questions."""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import click

from benchmarks.common import duration, show
from benchmarks.mixture import Situation, classic, coins, drawn, study
from symkripke.engines import Engine
from symkripke.engines.auto import AutoEngine
from symkripke.engines.explicit import ExplicitEngine

# How many of a hundred questions go to which engine. About the full game the explicit one lists
# nothing, and diagrams are asked what auto asks them: they need seconds for other things.
_AUTO, _SAT, _BDD = 70, 15, 10

# Of twenty questions each situation gets a part. The full game takes five times as long for each
# as the others: of it there are few, which still take a quarter of the time. The first two stay, so
# that as much as can be comes together about them; the others make room for new ones.
_MAKERS: Sequence[tuple[Callable[[int], Situation], int]] = (
    (study, 4),
    (coins, 5),
    (study, 4),
    (coins, 6),
    (classic, 1),
)
_STAY = 2

# How often memory is looked at, and how many rows the table has: what is forgotten when it is too
# much, and comes together again, makes single looks differ.
_LOOKS, _ROWS = 80, 20


def resident() -> int:
    """The memory, in bytes, that this process has in use now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@click.command()
@click.option("--questions", default=200_000, show_default=True, help="How many, all different.")
@click.option("--seed", default=1, show_default=True, help="Which ones.")
@click.option(
    "--fresh", default=2_000, show_default=True, help="A new situation after so many questions."
)
@click.option(
    "--bound",
    default=100.0,
    show_default=True,
    help="KB that memory may grow by in 1,000 questions, after the first quarter.",
)
def memory(questions: int, seed: int, fresh: int, bound: float) -> None:
    """Ask one process ever new questions; exit code 1 if its memory grows."""
    if not Path("/proc/self/statm").exists():
        raise click.ClickException("the memory of a process is read from /proc: Linux only")
    chance, auto, explicit = Random(seed), AutoEngine(), ExplicitEngine()
    situations = [make(seed + place) for place, (make, _) in enumerate(_MAKERS)]
    weights = [weight for _, weight in _MAKERS]
    asked: Counter[str] = Counter()
    every, start = max(1, questions // _LOOKS), time.perf_counter()
    rows: list[list[str]] = []
    measured: list[tuple[int, int]] = []
    for number in range(questions + 1):
        if number % every == 0:
            gc.collect()
            now = resident()
            measured.append((number, now))
            took = time.perf_counter() - start
            if len(measured) % (_LOOKS // _ROWS) == 1:
                rows.append([f"{number:,}", f"{now / 1e6:.1f}", duration(took)])
                click.echo(f"{number:,}: {now / 1e6:.1f} MB, {took:.0f} s", err=True)
        if number % fresh == fresh - 1:
            place = _STAY + number // fresh % (len(_MAKERS) - _STAY)
            situations[place] = _MAKERS[place][0](seed + number)
        situation = chance.choices(situations, weights)[0]
        kind, ask = drawn(chance, situation)
        ask(_engine(chance, situation, auto, explicit))
        asked[kind] += 1
    slope = growth(measured)
    show(
        f"Resident memory of one process, {questions:,} different questions",
        ["questions", "MB", "after"],
        rows,
        [
            "kinds: " + ", ".join(f"{kind} {number:,}" for kind, number in asked.most_common()),
            f"after the first quarter: {slope:+.1f} KB in 1,000 questions (bound: {bound:.0f})",
        ],
    )
    if slope > bound:
        raise click.ClickException(
            f"memory grows by {slope:.1f} KB in 1,000 questions, more than {bound:.0f}"
        )


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
    """KB in 1,000 questions: the slope of the least-squares line after the first quarter."""
    whole = measured[-1][0]
    later = [(number / 1_000, size / 1_000) for number, size in measured if number >= whole / 4]
    if len(later) < 2:
        return 0.0
    return statistics.linear_regression(*zip(*later, strict=True)).slope
