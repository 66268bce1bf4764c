"""`threads`: eight threads ask one engine, or an engine each, about the same scenes."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import click

from benchmarks.common import duration, show
from benchmarks.mixture import COUNTED, KINDS, Ask, Situation, classic, counts, drawn, study
from symkripke.engines import ENGINES, engine

# Different questions that are asked, again and again, in an order of each thread's own.
_DIFFERENT = 150

# What takes long is asked more seldom: of so many questions one.
_SELDOM = {
    ("smt", "study"): 20,
    ("smt", "classic"): 200,
    ("bdd", "classic"): 20,
    ("auto", "classic"): 5,
    ("explicit", "classic"): 20,
}

# What diagrams of the full game, and quantified formulas about it, need seconds for.
_LONG = ("nested", "common", "possible", "why")


@click.command()
@click.option("--threads", "number", default=8, show_default=True, help="How many.")
@click.option(
    "--questions", default=10_000, show_default=True, help="Of all threads together (see notes)."
)
@click.option("--seed", default=1, show_default=True, help="Which game, and which questions.")
@click.option("--engine", "only", type=click.Choice(ENGINES), multiple=True, help="Only these.")
@click.option("--size", type=click.Choice(["study", "classic", "both"]), default="both")
def threads(number: int, questions: int, seed: int, only: tuple[str, ...], size: str) -> None:
    """Ask from several threads; exit code 1 if one answer is not that of one thread alone."""
    rows, wrong = [], 0
    for place, make in {"study": study, "classic": classic}.items():
        if size not in (place, "both"):
            continue
        for name in only or ENGINES:
            total = max(number, questions // _SELDOM.get((name, place), 1))
            for shared in (True, False):
                rows.append(_row(name, place, make, seed, number, total, shared))
                wrong += int(rows[-1][-2])
                click.echo(" ".join(rows[-1]), err=True)
    show(
        f"{number} threads, which change over all the time",
        ["engine", "Cluedo", "asked", "questions", "refusals", "wrong", "time"],
        rows,
        [
            "right is what another engine of the kind told one thread about the same situation; "
            "a clear refusal is an answer",
            "asked more seldom: "
            + ", ".join(f"{name} ({place}) 1 in {part}" for (name, place), part in _SELDOM.items()),
        ],
    )
    if wrong:
        raise click.ClickException(f"{wrong:,} answers were wrong")


def _row(
    name: str,
    place: str,
    make: Callable[[int], Situation],
    seed: int,
    number: int,
    total: int,
    shared: bool,
) -> list[str]:
    """What came of one kind of engine, shared or one for each thread."""
    alone = [ask(asked) for asked in [engine(name)] for ask in _asks(name, place, make, seed)]
    again = _asks(name, place, make, seed)
    one, start, refused = engine(name), Barrier(number), Counter[bool]()

    def work(thread: int) -> int:
        asked, order, wrong = one if shared else engine(name), Random(thread), 0
        start.wait()
        for _ in range(total // number):
            chosen = order.randrange(len(again))
            told = again[chosen](asked)
            wrong += told != alone[chosen]
            if isinstance(told, str):
                refused[True] += 1
        return wrong

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    begun = time.perf_counter()
    try:
        with ThreadPoolExecutor(number) as pool:
            wrong = sum(pool.map(work, range(number)))
    finally:
        sys.setswitchinterval(before)
    took = time.perf_counter() - begun
    who = "one engine" if shared else "one each"
    asked = total // number * number
    return [name, place, who, f"{asked:,}", f"{refused[True]:,}", str(wrong), duration(took)]


def _asks(name: str, place: str, make: Callable[[int], Situation], seed: int) -> Sequence[Ask]:
    """Questions that this kind of engine can be asked, about a situation of their own."""
    situation, chance = make(seed), Random(seed)
    kinds = [kind for kind in KINDS if counts(engine(name)) or kind not in COUNTED]
    if place == "classic" and name in ("bdd", "smt"):
        kinds = [kind for kind in kinds if kind not in _LONG]
    few = 20 if name == "smt" else _DIFFERENT
    return [drawn(chance, situation, kinds)[1] for _ in range(few)]
