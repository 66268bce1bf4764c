"""A given SMCDEL beside ours, on the same files: whole processes, one after the other, in turns.

The benchmark writes the files. Answers are compared with those that are known, and so with each
other, before a time is shown. Sizes of a family grow until one of the two comes to its limit.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from benchmarks.common import check, duration, median, peak_memory, ratio, show
from benchmarks.smcdel_files import FAMILIES, SmcdelFile

# Seconds between two looks whether a process has ended: its times are those of the system.
_LOOK = 0.005


@dataclass(frozen=True)
class Process:
    """What a process took; without `answers` if it was ended, or failed.

    Attributes:
        cpu: seconds of processor time.
        wall: seconds.
        memory: the most bytes that it held, looked at every few milliseconds.
        answers: what it answered.
        failure: why there are none.
    """

    cpu: float
    wall: float
    memory: int
    answers: tuple[bool, ...] | None
    failure: str = ""


OURS = re.compile(r"^(yes|no)\s", re.MULTILINE)
THEIRS = re.compile(r"^\s*(True|False)\s*$", re.MULTILINE)

# SMCDEL colours its answers, even in a pipe.
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def run(command: Sequence[str], answers: re.Pattern[str], seconds: float) -> Process:
    """Run a command to its end, or for so many seconds; read the answers that it prints."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
        )
        late, memory = False, 0
        while True:
            memory = max(memory, peak_memory(process.pid))
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            if not late and time.perf_counter() - start > seconds:
                late = True
                process.send_signal(signal.SIGKILL)
            time.sleep(_LOOK)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        told = out.read()
    cpu = used.ru_utime + used.ru_stime
    if late:
        return Process(cpu, wall, memory, None, f"over {duration(seconds)}")
    if process.returncode:
        last = (told.strip().splitlines() or [""])[-1]
        failure = f"exit code {process.returncode}: {last[:100]}"
        return Process(cpu, wall, memory, None, failure)
    found = tuple(word in ("yes", "True") for word in answers.findall(_COLOURS.sub("", told)))
    return Process(cpu, wall, memory, found)


def alternating(
    file: SmcdelFile, folder: Path, smcdel: str | None, engine: str, runs: int, seconds: float
) -> tuple[list[Process], list[Process]]:
    """Runs of theirs (none without a program) and of ours, in turns. Raises `WrongAnswer`."""
    path = folder / f"{file.name}.smcdel.txt"
    path.write_text(file.text, encoding="utf-8")
    ours = [sys.executable, "-m", "symkripke", "check", "--no-count", "--engine", engine, str(path)]
    theirs = None if smcdel is None else [smcdel, str(path)]
    found: tuple[list[Process], list[Process]] = [], []
    for _ in range(runs):
        for place, command, pattern in ((0, theirs, THEIRS), (1, ours, OURS)):
            if command is None or any(process.failure for process in found[place]):
                continue
            process = run(command, pattern, seconds)
            found[place].append(process)
            if process.answers is not None:
                who = "ours" if place else "theirs"
                check(
                    process.answers == file.answers,
                    f"{file.name}, {who}: expected {file.answers}, got {process.answers}",
                )
    return found


def _cells(runs: Sequence[Process]) -> list[str]:
    """Processor time, time and memory of some runs, or why there are none."""
    if not runs:
        return ["-", "-", "-"]
    if runs[-1].failure:
        return [runs[-1].failure, "-", "-"]
    return [
        duration(median(process.cpu for process in runs)),
        duration(median(process.wall for process in runs)),
        f"{max(process.memory for process in runs) / 2**20:.0f} MB",
    ]


def _cpu(runs: Sequence[Process]) -> float | None:
    return median(p.cpu for p in runs) if runs and not runs[-1].failure else None


@click.command(short_help="A given SMCDEL and ours, alternating, on the same files.")
@click.option("--smcdel", metavar="PATH", help="Its program, which takes a file.")
@click.option("--family", "only", multiple=True, type=click.Choice(list(FAMILIES)))
@click.option("--most", type=int, help="Only sizes up to this one.")
@click.option("--engine", default="auto", show_default=True, help="Who answers of ours.")
@click.option("--runs", type=click.IntRange(1), default=3, show_default=True, help="For a median.")
@click.option("--seconds", default=60.0, show_default=True, help="End a process after so many.")
@click.option("--keep", type=click.Path(path_type=Path), help="A folder for the files.")
def peers(
    smcdel: str | None,
    only: tuple[str, ...],
    most: int | None,
    engine: str,
    runs: int,
    seconds: float,
    keep: Path | None,
) -> None:
    """Whole processes: processor time, time, memory, and how many times theirs is ours."""
    notes = ["checked: every answer of each process, against the one that is known"]
    if smcdel is None:
        notes.append("no SMCDEL was given (--smcdel PATH): only ours was run")
    rows = []
    with (
        tempfile.TemporaryDirectory() as made,
        Console(stderr=True).status("writing files") as status,
    ):
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
                status.update(file.name)
                theirs, ours = alternating(file, folder, given, engine, runs, seconds)
                quicker = ratio(_cpu(theirs), _cpu(ours))
                rows.append([file.name, *_cells(theirs), *_cells(ours), quicker])
                if theirs and theirs[-1].failure:
                    given = None  # it has come to its limit
                if ours[-1].failure:
                    break
    show(
        f"SMCDEL and ours on the same files, alternating (median of {runs})",
        ["file", "SMCDEL CPU", "wall", "memory", "ours CPU", "wall", "memory", "times ours"],
        rows,
        notes,
    )
