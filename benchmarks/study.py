"""`study`: the published experiment's games, beside the time of its own program."""

from __future__ import annotations

import time
from collections.abc import Sequence

import click

from benchmarks.common import check, duration, median, played, ratio, setup_of, show
from symkripke.engines import Engine, engine
from symkripke_games.cluedo.knowledge import envelope_atoms

MINDS = ("first-order", "first-order", "higher-order", "higher-order")
SIZE = "3/3/4"

PUBLISHED = 17.0
"""Seconds of CPU a game of the study's own program, measured on a machine like ours."""


def verify(seed: int, asked: Engine) -> None:
    """Raises `WrongAnswer` unless every player's solutions match the explicit model's, always."""
    table = played(setup_of("study", 4, SIZE), seed, MINDS)
    atoms = envelope_atoms(table.setup)
    explicit = engine("explicit")
    for scene in table.scenes:
        for player in table.setup.players:
            perspective = scene.perspective(player)
            check(
                asked.possibilities(perspective, atoms)
                == explicit.possibilities(perspective, atoms),
                f"game {seed}: {player}'s solutions differ from the explicit model's after "
                f"{len(scene.structure.stages) - 1} events",
            )


def _cpu(seeds: Sequence[int]) -> tuple[list[float], int]:
    """Seconds of CPU of each game, and how often a higher-order player won."""
    setup = setup_of("study", 4, SIZE)
    seconds, won = [], 0
    for seed in seeds:
        start = time.process_time()
        table = played(setup, seed, MINDS)
        seconds.append(time.process_time() - start)
        won += any(winner in setup.players[2:] for winner in table.state.winners)
    return seconds, won


@click.command(short_help="The study's games, beside its own program.")
@click.option("--games", type=click.IntRange(1), default=200, help="How many games to time.")
@click.option("--checked", type=click.IntRange(1), default=5, help="Games checked before that.")
def study(games: int, checked: int) -> None:
    """The study's experiment (4 players, 3/3/4): CPU a game, beside its own program."""
    for seed in range(checked):
        verify(seed, engine("sat"))
    seconds, won = _cpu(range(games))
    mean = sum(seconds) / len(seconds)
    show(
        f"The study's experiment: 4 players, {SIZE}, study rules, seats 1-2 first-order, "
        f"3-4 higher-order ({games} games)",
        ["method", "CPU a game", "median", "worst", "games", "speed-up"],
        [
            [
                "the study's program, measured on a machine like ours",
                duration(PUBLISHED),
                "-",
                "-",
                "-",
                "1",
            ],
            [
                "symkripke, one SAT solver a player",
                duration(mean),
                duration(median(seconds)),
                duration(max(seconds)),
                str(games),
                ratio(PUBLISHED, mean),
            ],
        ],
        [
            f"checked: in {checked} games, after every event, each player's solutions equal those "
            "of the explicit model",
            f"higher-order players won {won} of {games}",
        ],
    )
