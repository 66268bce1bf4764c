"""`insight`: who of the others might know the solution, after every event of whole games.

Beside the cost of the games themselves, in processor time.
"""

from __future__ import annotations

import time

import click

from benchmarks.common import check, duration, median, played, setup_of, show
from symkripke.engines import Mark, engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.language import K, M
from symkripke.play.knowledge_matrix import insight as known_of
from symkripke_games.cluedo.knowledge import knows_solution


def verify(seed: int) -> int:
    """A game of the study's size against the explicit model; raises `WrongAnswer`."""
    table = played(setup_of("study", 3, "3/3/4"), seed)
    asked, oracle = SatEngine(), ExplicitEngine()
    for events in range(len(table.scenes)):
        moment = table.moment.after(events)
        found = known_of(moment, asked)
        check(found == known_of(moment, oracle), f"game {seed}, after {events} events")
    return len(table.scenes)


@click.command(short_help="Who might know the solution, after every event.")
@click.option("--players", type=click.IntRange(3, 6), default=6, help="How many play.")
@click.option("--seeds", type=click.IntRange(1), default=5, help="How many games.")
@click.option("--checks", type=click.IntRange(0), default=3, help="Small games to check first.")
def insight(players: int, seeds: int, checks: int) -> None:
    """What each player can know of whether each knows the solution, after every event."""
    checked = sum(map(verify, range(checks)))
    setup = setup_of("classic", players)
    played(setup, 0)  # imports and first-time costs of the interpreter
    rows, ratios = [], []
    for seed in range(1, seeds + 1):
        start = time.process_time()
        table = played(setup, seed)
        game = time.process_time() - start
        asked, times, open_ones = engine("auto"), [], 0
        for events in range(len(table.scenes)):
            start = time.process_time()
            found = known_of(table.moment.after(events), asked)
            times.append(time.process_time() - start)
            open_ones += sum(mark is Mark.OPEN for mark in found.values())
        last = table.scenes[-1]
        knower, other = table.setup.players[0], table.setup.players[1]
        aim = knows_solution(other)
        truth = bool(asked.holds(last, M(knower, aim))), bool(asked.holds(last, K(knower, aim)))
        mark = {(True, True): Mark.YES, (True, False): Mark.OPEN}.get(truth, Mark.NO)
        check(found[knower, other] is mark, f"game {seed}: asked singly, another answer")
        ratios.append((game + sum(times)) / game)
        rows.append(
            [
                str(seed),
                str(len(times)),
                duration(game),
                duration(sum(times)),
                duration(median(times)),
                duration(max(times)),
                str(open_ones),
                f"{ratios[-1]:.3g}",
            ]
        )
    show(
        f"Who might know the solution: classic 6/6/9, {players} players, all pairs, each event",
        ["game", "events", "the game", "asking", "an event", "worst", "open", "together/game"],
        rows,
        [
            f"checked: {checked} moments of games of the study's size, against explicit",
            f"median of the last column: {median(ratios):.3g}",
        ],
    )
