"""`start`: whole processes of the command line."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

from benchmarks.common import Table, Tables, check, measurement, median, ratio, run

_GAME = ["play", "cluedo", "--players", "6", "--seed", "7"]


@measurement("start")
@click.option("--runs", type=click.IntRange(1), default=5, help="Runs of each process.")
def start(runs: int) -> Tables:
    """How long does the command take to start, compared with Python alone?"""
    beside = Path(sys.executable).parent / "symkripke"
    program = str(beside) if beside.exists() else shutil.which("symkripke") or "symkripke"
    commands = {
        "python -c pass": ([sys.executable, "-c", "pass"], ""),
        "symkripke --version": ([program, "--version"], "symkripke"),
        "symkripke --help": ([program, "--help"], "play"),
        f"symkripke {' '.join(_GAME)}": ([program, *_GAME], "wins in turn 28, certain."),
    }
    rows, bare = [], None
    for name, (command, expected) in commands.items():
        done = [run(command) for _ in range(runs)]
        for one in done:
            check(not one.failure, f"{name}: {one.failure}")
            check(expected in one.output, f"{name}: no {expected!r} in what it prints")
        cpu = median(one.cpu for one in done)
        bare = bare or cpu
        memory = f"{max(one.memory for one in done) / 2**20:.0f} MB"
        rows.append([name, cpu, median(one.wall for one in done), ratio(cpu, bare), memory])
    yield Table(
        f"Whole processes (medians of {runs})",
        ["command", "CPU", "wall", "times Python's", "memory"],
        rows,
        "each command prints what it should, and the game has its known winner",
    )
