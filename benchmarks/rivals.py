"""One question about knowledge about knowledge, put to every engine: who answers, and how soon.

"Does i consider it possible that j knows the solution?" of a full-size game of Cluedo after some
of its events. Each engine is a fresh one in a process of its own, with a limit of time and its own
limit of nodes; what it answers must be what the others say. Before that, the same and other nested
questions after every event of whole games of the study's size, put to all engines and to the
explicit model.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence

import click
from rich.console import Console

from benchmarks.common import check, duration, in_child, median, played, ratio, setup_of, show
from benchmarks.nested import families
from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.language import M
from symkripke.model import Scene
from symkripke_games.cluedo.knowledge import knows_solution

ENGINES = ("sat", "bdd", "smt")


def verify(games: int, engines: Sequence[str], card: str = "dagger") -> int:
    """Nested questions after every event of whole small games, to all engines; how many answers."""
    checked = 0
    for seed in range(games):
        table = played(setup_of("study", 4, "3/3/4"), seed)
        asked, oracle = {name: engine(name) for name in engines}, ExplicitEngine()
        for number, scene in enumerate(table.scenes):
            questions = [one for _, kind in families(table.setup.players, card) for one in kind]
            for question in questions[number % 4 :: 4]:
                truth = bool(oracle.holds(scene, question))
                for name, one in asked.items():
                    try:
                        answer = bool(one.holds(scene, question))
                    except Unsupported:
                        continue
                    checked += 1
                    check(answer is truth, f"{name}, seed {seed}, event {number}: {question}")
    return checked


def answer(players: int, seed: int, events: int, pair: int, name: str) -> tuple[bool, float] | str:
    """The answer of a fresh engine to one question, and the seconds that it took."""
    scene, question = _question(players, seed, events, pair)
    asked = engine(name)
    start = time.perf_counter()
    try:
        truth = bool(asked.holds(scene, question))
    except (BudgetExceeded, Unsupported) as error:
        return f"{error} ({duration(time.perf_counter() - start)})"
    return truth, time.perf_counter() - start


def _question(players: int, seed: int, events: int, pair: int) -> tuple[Scene, M]:
    table = played(setup_of("classic", players), seed)
    pairs = list(itertools.permutations(table.setup.players, 2))
    one, other = pairs[pair % len(pairs)]
    return table.scenes[min(events, len(table.scenes) - 1)], M(one, knows_solution(other))


@click.command(short_help="Nested questions, engine against engine.")
@click.option("--players", default="3,4,6", show_default=True, help="Numbers of players.")
@click.option("--events", default="2,6,10,14", show_default=True, help="After so many events.")
@click.option("--pairs", default=1, show_default=True, help="Questions at each moment.")
@click.option("--engines", default=",".join(ENGINES), show_default=True, help="Who is asked.")
@click.option("--seconds", default=60.0, show_default=True, help="End an answer after so many.")
@click.option("--checks", default=2, show_default=True, help="Small games to check first.")
def rivals(
    players: str, events: str, pairs: int, engines: str, seconds: float, checks: int
) -> None:
    """Full-size Cluedo: might j know the solution? The sat engine, diagrams and z3."""
    names = engines.split(",")
    rows: list[list[str]] = []
    notes: list[str] = []
    least: dict[str, list[float]] = {}
    with Console(stderr=True).status("checking small games") as status:
        checked = verify(checks, names)
        notes.append(f"checked: {checked} answers in whole games of the study's size: explicit's")
        for number, after, pair in itertools.product(
            map(int, players.split(",")), map(int, events.split(",")), range(pairs)
        ):
            found: dict[str, tuple[bool, float] | str | None] = {}
            for name in names:
                status.update(f"{number} players, after {after} events: {name}")
                child = in_child(answer, number, 1, after, 7 * pair + 1, name, seconds=seconds)
                found[name] = child.result
            answers = {one[0] for one in found.values() if isinstance(one, tuple)}
            check(len(answers) <= 1, f"{number} players, after {after} events: {found}")
            times = [_seconds(found[name], seconds) for name in names]
            for name, took in zip(names[1:], times[1:], strict=True):
                least.setdefault(name, []).append(took / times[0])
            rows.append(
                [
                    str(number),
                    str(after),
                    {True: "yes", False: "no"}[answers.pop()] if answers else "-",
                    *(_told(found[name], seconds) for name in names),
                    *(ratio(took, times[0]) for took in times[1:]),
                ]
            )
    for name, ratios in least.items():
        notes.append(
            f"{name} takes at least {min(ratios):.0f} times as long as {names[0]}, median "
            f"{median(ratios):.0f} (where it has no answer: of the time after which it was ended)"
        )
    show(
        "Does i consider it possible that j knows the solution? (classic 6/6/9, fresh engines)",
        ["players", "events", "answer", *names, *(f"{name}/{names[0]}" for name in names[1:])],
        rows,
        notes,
    )


def _seconds(found: tuple[bool, float] | str | None, limit: float) -> float:
    return found[1] if isinstance(found, tuple) else limit


def _told(found: tuple[bool, float] | str | None, limit: float) -> str:
    if found is None:
        return f"over {duration(limit)}"
    return duration(found[1]) if isinstance(found, tuple) else "no room"
