"""Knowledge about knowledge at full size: time and counts, with the answers checked at small size.

Questions, for all pairs of players of classic Cluedo, after some of the events of seeded games:

* i considers it possible that j knows the solution;
* i knows that j knows whether j's left neighbour holds a card;
* three operators of both kinds; and common knowledge.

Each moment gets a fresh engine: the first question of it pays for what the others reuse.

For games in which cards move, see `moving`.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence

import click

from benchmarks import moving
from benchmarks.common import check, duration, median, played, setup_of, show
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.language import C, Formula, K, Kw, M
from symkripke.model import Scene
from symkripke.play.hands import at
from symkripke_games.cluedo.knowledge import knows_solution

Family = tuple[str, Sequence[Formula]]


def families(players: Sequence[str], card: str) -> list[Family]:
    """The questions, by kind."""
    pairs = list(itertools.permutations(players, 2))
    left = {player: players[(n + 1) % len(players)] for n, player in enumerate(players)}
    triples = list(itertools.permutations(players, 3))[:8]
    found: list[Family] = [
        ("might j know the solution?", [M(i, knows_solution(j)) for i, j in pairs]),
        (
            "does j know whether its neighbour holds it?",
            [K(i, Kw(j, at(card, left[j]))) for i, j in pairs],
        ),
        (
            "three operators, both kinds",
            [K(i, M(j, K(k, at(card, "envelope")))) for i, j, k in triples]
            + [K(i, ~K(j, M(k, K(i, at(card, k))))) for i, j, k in triples],
        ),
        (
            "common knowledge",
            [C(players, ~at(card, player)) for player in players]
            + [K(i, ~C((i, j), at(card, i))) for i, j in pairs],
        ),
    ]
    return found


def verify(seeds: Sequence[int]) -> int:
    """The same questions on games of the study's size, against the explicit model."""
    checked = 0
    for seed in seeds:
        table = played(setup_of("study", 4, "3/3/4"), seed)
        asked, oracle = SatEngine(), ExplicitEngine()
        for scene in table.scenes[::2]:
            for name, questions in families(table.setup.players, "dagger"):
                for question in questions[:12]:
                    checked += 1
                    check(
                        bool(asked.holds(scene, question)) == bool(oracle.holds(scene, question)),
                        f"{name}, seed {seed}: {question}",
                    )
    return checked


def measure(scene: Scene, questions: Sequence[Formula], engine: SatEngine) -> list[float]:
    """Seconds for each question, asked in a row."""
    times = []
    for question in questions:
        start = time.perf_counter()
        engine.holds(scene, question)
        times.append(time.perf_counter() - start)
    return times


@click.command(short_help="Knowledge about knowledge at full size.")
@click.option(
    "--game",
    type=click.Choice(["cluedo", *moving.GAMES]),
    default="cluedo",
    show_default=True,
    help="Which game; in the others cards move.",
)
@click.option("--players", default="3,4,5,6", show_default=True, help="Numbers of players.")
@click.option("--seeds", default=2, show_default=True, help="Games for each number.")
@click.option("--every", default=4, show_default=True, help="Ask after every so many events.")
@click.option("--checks", default=3, show_default=True, help="Small games to check first.")
@click.option(
    "--limit", default=30.0, show_default=True, help="Seconds for a question where cards move."
)
def nested(game: str, players: str, seeds: int, every: int, checks: int, limit: float) -> None:
    """Knowledge about knowledge: full-size Cluedo, all pairs; or another game, at random."""
    if game in moving.GAMES:
        moving.measure(game, [*map(int, players.split(","))], seeds, every, checks, limit)
        return
    checked = verify(range(checks))
    rows: list[list[str]] = []
    notes = [f"checked: {checked} answers on games of the study's size, against explicit"]
    for number in map(int, players.split(",")):
        found: dict[str, list[float]] = {}
        firsts: list[float] = []
        iterations = lemmas = moments = 0
        for seed in range(1, seeds + 1):
            table = played(setup_of("classic", number), seed)
            for scene in table.scenes[::every]:
                engine = SatEngine()
                moments += 1
                for place, (name, questions) in enumerate(
                    families(table.setup.players, table.setup.edition.weapons[4].id)
                ):
                    times = measure(scene, questions, engine)
                    found.setdefault(name, []).extend(times)
                    if place == 0:
                        firsts.append(times[0])
                        modal = engine.evaluator.modal_solver(scene.structure)
                        iterations += modal.iterations
                        lemmas += modal.learned
        for name, times in found.items():
            rows.append(
                [
                    str(number),
                    name,
                    str(len(times)),
                    duration(median(times)),
                    duration(max(times)),
                ]
            )
        asked = len(found["might j know the solution?"])
        rows.append(
            [
                str(number),
                "  fresh engine, first question",
                str(moments),
                duration(median(firsts)),
                duration(max(firsts)),
            ]
        )
        notes.append(
            f"{number} players, might j know the solution: {iterations / asked:.1f} iterations and "
            f"{lemmas / asked:.1f} lemmas a question ({asked} questions at {moments} moments)"
        )
    show(
        "Nested questions, classic 6/6/9, asked in a row",
        ["players", "question", "asked", "median", "worst"],
        rows,
        notes,
    )
