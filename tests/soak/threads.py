"""`threads`: eight threads ask one engine, or one engine each, about the same scenes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from threading import Barrier

import click

from symkripke.engines import ENGINES, Engine, engine
from tests.soak.common import Found
from tests.soak.mixture import Situation, classic, drawn, study

Ask = Callable[[Engine], object]

# The number of different questions, which each thread asks repeatedly in its own order.
_DIFFERENT = 150

# Slow combinations get only one question out of this number.
_SELDOM = {
    ("smt", "study"): 20,
    ("smt", "classic"): 200,
    ("bdd", "classic"): 20,
    ("auto", "classic"): 5,
    ("explicit", "classic"): 20,
}


@click.command()
@click.option("--threads", "number", default=8, help="How many.")
@click.option("--questions", default=10_000, help="Of all threads together; of slow kinds fewer.")
@click.option("--seed", default=1, help="Which game, and which questions.")
@click.option("--engine", "only", type=click.Choice(ENGINES), multiple=True, help="Only these.")
@click.option("--size", type=click.Choice(["study", "classic", "both"]), default="both")
def threads(number: int, questions: int, seed: int, only: tuple[str, ...], size: str) -> Found:
    """Ask from several threads: each answer must equal that of a single thread.

    The single thread uses another engine of the same kind. A clear refusal counts as an answer.
    """
    found = Found()
    for place, make in {"study": study, "classic": classic}.items():
        for name in only or ENGINES:
            total = max(number, questions // _SELDOM.get((name, place), 1))
            for shared in (True, False) if size in (place, "both") else ():
                what = f"{name}, {place} Cluedo, {'one engine' if shared else 'one each'}"
                asks = partial(_asks, name, place, make, seed)
                wrong = _wrong(name, asks, number, total, shared)
                found.done[what] += total // number * number
                found.check(not wrong, f"{what}: {wrong:,} wrong answers")
    return found


def _wrong(
    name: str, make: Callable[[], Sequence[Ask]], number: int, total: int, shared: bool
) -> int:
    """Return the number of wrong answers of a kind of engine, shared or one for each thread."""
    first = engine(name)
    alone = [ask(first) for ask in make()]
    again, one, start = make(), engine(name), Barrier(number)

    def work(thread: int) -> int:
        asked, order = one if shared else engine(name), Random(thread)
        start.wait()
        places = [order.randrange(len(again)) for _ in range(total // number)]
        return sum(again[place](asked) != alone[place] for place in places)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(number) as pool:
            return sum(pool.map(work, range(number)))
    finally:
        sys.setswitchinterval(before)


def _asks(name: str, place: str, make: Callable[[int], Situation], seed: int) -> Sequence[Ask]:
    """Return questions about a situation of their own."""
    situation, chance = make(seed), Random(seed)
    simple = place == "classic" and name in ("bdd", "smt")
    few = 20 if name == "smt" else _DIFFERENT
    return [drawn(chance, situation, simple=simple)[1] for _ in range(few)]
