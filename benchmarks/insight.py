"""`insight`: which other players might know the solution, after every event of whole games."""

from __future__ import annotations

from functools import partial

import click

from benchmarks.cluedo import played, setup_of
from benchmarks.common import Seconds, Table, Tables, check, clocked, measurement, spread
from symkripke.engines import Mark, engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.language import K, M
from symkripke.play.knowledge_matrix import insight as known_of
from symkripke_games.cluedo.knowledge import knows_solution


def verify(seed: int) -> int:
    """Compare a small game with the explicit model; return the number of moments compared."""
    table = played(setup_of("study", 3, "3/3/4"), seed)
    asked, oracle = SatEngine(), ExplicitEngine()
    for events in range(len(table.scenes)):
        moment = table.moment.after(events)
        found = known_of(moment, asked)
        check(found == known_of(moment, oracle), f"game {seed}, after {events} events")
    return len(table.scenes)


@measurement("insight")
@click.option("--players", type=click.IntRange(3, 6), default=6, help="The number of players.")
@click.option("--seeds", type=click.IntRange(1), default=5, help="The number of games.")
@click.option("--checks", type=click.IntRange(1), default=3, help="Small games to check first.")
def insight(players: int, seeds: int, checks: int) -> Tables:
    """What does it cost to track who might know the solution, compared with the game itself?"""
    checked = sum(map(verify, range(checks)))
    setup = setup_of("classic", players)
    played(setup, 0)  # pays for imports and first-time costs of the interpreter
    rows = []
    for seed in range(1, seeds + 1):
        game, table = clocked(partial(played, setup, seed))
        asked, times = engine("auto"), []
        for events in range(len(table.scenes)):
            took, found = clocked(partial(known_of, table.moment.after(events), asked))
            times.append(took)
        knower, other = table.setup.players[:2]
        aim, last = knows_solution(other), table.scenes[-1]
        truth = bool(asked.holds(last, M(knower, aim))), bool(asked.holds(last, K(knower, aim)))
        mark = {(True, True): Mark.YES, (True, False): Mark.OPEN}.get(truth, Mark.NO)
        check(found[knower, other] is mark, f"game {seed}: asked singly, another answer")
        asking = Seconds(sum(times))
        rows.append([str(seed), len(times), game, asking, *spread(times), (game + asking) / game])
    yield Table(
        f"Who might know the solution: classic 6/6/9, {players} players, all pairs, each event",
        [
            *("game", "events", "CPU of the game", "of asking"),
            *("an event", "9 of 10", "worst", "together/game"),
        ],
        rows,
        f"{checked} moments of games of the study's size, against explicit",
    )
