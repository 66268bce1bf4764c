"""`sleuth`: whole games of Sleuth at full size, their sheets, and exact counts of deals."""

from __future__ import annotations

import time
from typing import Any

import click

from benchmarks.common import check, duration, median, show
from symkripke.engines import Engine, engine
from symkripke.play import Table, View
from symkripke.play.dealing import location
from symkripke.play.odds import deals
from symkripke_games.sleuth import GAME
from symkripke_games.sleuth.gems import HIDDEN
from symkripke_games.sleuth.questions import Survey


def verify(table: Table[Any, Any], counting: Engine) -> None:
    """Raises `WrongAnswer` unless the winner was certain and right, and deals are counted right.

    Deals: by steps over gems and by diagrams, in the middle of the game, for the winner; and the
    actual one is among them.
    """
    check(bool(table.state.winners), f"game {table.seed}: nobody won ({table.result})")
    winner, last = table.state.winners[0], table.steps[-1].outcome.public
    check(table.deal[location(last.gem)] == HIDDEN, f"game {table.seed}: the wrong gem")
    before = _view(table, winner, len(table.steps) - 1)
    certain = table.players[winner].assess(before).certain
    check(certain, f"game {table.seed}: {winner} declared before it could know")
    middle = _view(table, winner, len(table.steps) // 2)
    names = [location(gem.id) for gem in table.setup.edition.gems]
    steps = counting.steps(middle.perspective, names, merged=table.setup.players)
    number = deals(counting, middle.perspective)
    same = steps.worlds == number
    check(same, f"game {table.seed}: {steps.worlds:,} deals by steps, {number:,} by diagrams")
    for gem, places in Survey(table.engine, middle).places.items():
        here = table.deal[location(gem)] in places
        check(here, f"game {table.seed}: {winner} rules out where {gem} is")


def _view(table: Table[Any, Any], player: str, events: int) -> View[Any, Any]:
    record = [step.outcome.public for step in table.steps[:events]]
    return View(table.setup, table.scenes[events].perspective(player), record)


def _sheets(table: Table[Any, Any]) -> list[float]:
    """Seconds of each sheet of each player after each event, by an engine that follows the game."""
    moment, fresh, found = table.moment, engine("sat"), []
    for events in range(1, moment.events + 1):
        now = moment.after(events)
        for player in table.setup.players:
            start = time.perf_counter()
            now.sheet(player, fresh)
            found.append(time.perf_counter() - start)
    return found


@click.command(short_help="Sleuth at full size: games, sheets, counts.")
@click.option("--seeds", type=click.IntRange(1), default=5, help="How many games of each size.")
@click.option("--mind", default="gain", help="The kind of player at all seats.")
@click.option("--most", type=click.IntRange(3, 7), default=7, help="The most players.")
def sleuth(seeds: int, mind: str, most: int) -> None:
    """Complete games of Sleuth with 3 to 7 players (study: 5), and every sheet of them."""
    sizes = [("classic", players) for players in range(3, most + 1)]
    rows = []
    for rules, players in [*sizes, *([("study", 5)] if most >= 5 else [])]:
        setup = GAME.setup(rules=rules, players=players)
        counting = engine("bdd")
        seconds, turns, sheets = [], [], []
        for seed in range(seeds):
            table = Table(GAME, setup, (mind,), seed)
            start = time.process_time()
            for _ in table:
                pass
            seconds.append(time.process_time() - start)
            verify(table, counting)
            turns.append(table.steps[-1].turn)
            sheets.extend(_sheets(table))
        rows.append(
            [
                f"{rules}, {players}",
                f"{median(turns):.0f}",
                duration(median(seconds)),
                duration(sum(seconds) / sum(turns)),
                duration(median(sheets)),
                duration(max(sheets)),
            ]
        )
    show(
        f"Complete games of Sleuth, 36 gems, {mind} players, {seeds} of each size",
        ["rules, players", "turns (median)", "game (CPU)", "a turn", "sheet (median)", "worst"],
        rows,
        [
            "checked: every winner was certain and right; deals in the middle of the game are as "
            "many by steps over gems as by diagrams, and the actual one is among them",
        ],
    )
