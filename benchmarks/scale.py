"""`scale`: many games of one condition: games a second, what is spent beside them, memory, disk."""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from benchmarks.common import duration, show
from symkripke.experiments import Experiment, parse
from symkripke.experiments.running import run, times

_TEXT = """\
title = "Scale"
question = "How many games a second, and in how much memory?"
game = "{game}"
rules = "{rules}"
players = {players}
seed = 1
games = {games}
rotate = true

[[condition]]
name = "games"
minds = ["{mind}"]
fill = "{fill}"
"""

CASES = {
    "cluedo": {
        "game": "cluedo",
        "rules": "classic",
        "players": 6,
        "mind": "higher-order",
        "fill": "first-order",
    },
    "old_maid": {
        "game": "old_maid",
        "rules": "study",
        "players": 3,
        "mind": "random",
        "fill": "random",
    },
}
"""Six-player Cluedo at full size; and the cheapest games, of which there can be many."""

_POINTS = 10


@dataclass
class Measured:
    """What a run took.

    Attributes:
        wall: seconds from the start of the run to its end.
        games_cpu: seconds of processor time within games.
        cpu: seconds of processor time of all processes.
        memory: the resident memory of this process in MB, after each tenth of the games.
        disk: bytes of all files of rows.
    """

    wall: float = 0.0
    games_cpu: float = 0.0
    cpu: float = 0.0
    memory: list[float] = field(default_factory=list)
    disk: int = 0


@click.command(short_help="Many games: a second, memory, disk.")
@click.option("--case", "name", type=click.Choice(tuple(CASES)), default="cluedo", help="Which.")
@click.option("--games", type=click.IntRange(_POINTS), default=200, help="How many games.")
@click.option(
    "--workers",
    type=click.IntRange(1),
    multiple=True,
    default=(1, 2),
    help="How many processes play; may be given more than once.",
)
def scale(name: str, games: int, workers: tuple[int, ...]) -> None:
    """Play games of one condition as `experiment run` does, with each number of workers."""
    experiment = parse(_TEXT.format(games=games, **CASES[name]), "scale")
    found = {number: _measure(experiment, number) for number in workers}
    show(
        f"{games} games of {name}, as `experiment run` plays them",
        ("workers", "games/s", "wall", "CPU in games", "CPU beside a game", "disk a game"),
        [
            [
                str(number),
                f"{games / took.wall:.1f}",
                duration(took.wall),
                duration(took.games_cpu),
                f"{1000 * (took.cpu - took.games_cpu) / games:.2f} ms",
                f"{took.disk / games:.0f} bytes",
            ]
            for number, took in found.items()
        ],
        [
            "memory of the first process after each tenth of the games, in MB: "
            + "; ".join(
                f"{number} workers: " + ", ".join(f"{size:.0f}" for size in took.memory)
                for number, took in found.items()
            )
        ],
    )


def _measure(experiment: Experiment, workers: int) -> Measured:
    """Play the experiment into a folder that is removed afterwards."""
    took = Measured()

    def tell(_: object, done: int, most: int) -> None:
        if done * _POINTS // most > len(took.memory):
            took.memory.append(_resident())

    with TemporaryDirectory(prefix="symkripke-scale-") as name:
        before, began = _cpu(), time.perf_counter()
        run(experiment, name, workers=workers, tell=tell)
        took.wall, took.cpu = time.perf_counter() - began, _cpu() - before
        took.games_cpu = times(Path(name))["games"].cpu
        files = (Path(name) / "conditions").rglob("*.parquet")
        took.disk = sum(path.stat().st_size for path in files)
    return took


def _cpu() -> float:
    """Seconds of processor time of this process, and of its workers that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _resident() -> float:
    """The memory of this process, in MB; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    except OSError:
        return 0.0
    return pages * resource.getpagesize() / 1e6
