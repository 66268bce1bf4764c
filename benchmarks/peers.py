"""`peers`: a given SMCDEL program and ours on the same files, as whole processes in turns.

The benchmark writes the files. Answers are compared with the known answers before a time is shown.
Sizes of a family grow until one of the two programs reaches its limit.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from benchmarks.common import Run, Table, Tables, check, measurement, median, ratio, run
from benchmarks.smcdel_files import FAMILIES, SmcdelFile

OURS = re.compile(r"^(yes|no)\s", re.MULTILINE)
THEIRS = re.compile(r"^\s*(True|False)\s*$", re.MULTILINE)

# SMCDEL colours its answers, even in a pipe.
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def alternating(
    file: SmcdelFile, folder: Path, smcdel: str | None, engine: str, runs: int, seconds: float
) -> tuple[list[Run], list[Run]]:
    """Return runs of SMCDEL (none without the program) and of ours. Raise `WrongAnswer`."""
    path = folder / f"{file.name}.smcdel.txt"
    path.write_text(file.text, encoding="utf-8")
    ours = [sys.executable, "-m", "symkripke", "check", "--no-count", "--engine", engine, str(path)]
    theirs = None if smcdel is None else [smcdel, str(path)]
    found: tuple[list[Run], list[Run]] = [], []
    for _ in range(runs):
        for place, command, pattern in ((0, theirs, THEIRS), (1, ours, OURS)):
            if command is None or any(process.failure for process in found[place]):
                continue
            process = run(command, seconds)
            found[place].append(process)
            if not process.failure:
                words = pattern.findall(_COLOURS.sub("", process.output))
                answers = tuple(word in ("yes", "True") for word in words)
                who = "ours" if place else "theirs"
                where = f"{file.name}, {who}"
                check(answers == file.answers, f"{where}: expected {file.answers}, got {answers}")
    return found


def _cells(runs: Sequence[Run]) -> list[object]:
    """Return processor time, wall time and memory of some runs, or the reason for a failure."""
    if not runs or runs[-1].failure:
        return [runs[-1].failure if runs else None, None, None]
    memory = max(process.memory for process in runs)
    times = [median(process.cpu for process in runs), median(process.wall for process in runs)]
    return [*times, f"{memory / 2**20:.0f} MB"]


def _cpu(runs: Sequence[Run]) -> float | None:
    return median(p.cpu for p in runs) if runs and not runs[-1].failure else None


@measurement("peers")
@click.option("--smcdel", metavar="PATH", help="The program, which takes a file.")
@click.option("--family", "only", multiple=True, type=click.Choice(list(FAMILIES)))
@click.option("--most", type=int, help="The greatest size.")
@click.option("--engine", default="auto", help="Our engine that answers.")
@click.option("--runs", type=click.IntRange(1), default=3, help="Runs for a median.")
@click.option("--seconds", default=60.0, help="End a process after this time.")
@click.option("--keep", type=click.Path(path_type=Path), help="A folder for the files.")
def peers(
    smcdel: str | None,
    only: tuple[str, ...],
    most: int | None,
    engine: str,
    runs: int,
    seconds: float,
    keep: Path | None,
) -> Tables:
    """How long do whole processes take on SMCDEL's files, compared with a given SMCDEL?"""
    rows: list[list[object]] = []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) if keep is None else keep
        folder.mkdir(parents=True, exist_ok=True)
        for name, (family, sizes) in FAMILIES.items():
            if only and name not in only:
                continue
            given = smcdel
            for size in sizes:
                if most is not None and size > most:
                    continue
                file = family(size)
                theirs, ours = alternating(file, folder, given, engine, runs, seconds)
                quicker = ratio(_cpu(theirs), _cpu(ours))
                rows.append([file.name, *_cells(theirs), *_cells(ours), quicker])
                if theirs and theirs[-1].failure:
                    given = None  # it has reached its limit
                if ours[-1].failure:
                    break
    yield Table(
        f"SMCDEL and ours on the same files, alternating (median of {runs})",
        [
            *("file", "SMCDEL CPU", "SMCDEL wall", "SMCDEL memory"),
            *("our CPU", "our wall", "our memory", "times ours"),
        ],
        rows,
        "every answer of each process, against the one that is known",
        [] if smcdel else ["no SMCDEL was given (--smcdel PATH): only ours was run"],
    )
