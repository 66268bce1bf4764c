"""The classic puzzles, from their files: the time to read them, to answer, and of a whole process.

Before anything is timed, what is known of small puzzles is checked, with counts; and every run that
is timed has its answers checked, too. Beside it stands what SMCDEL 1.3 needs for the same: whole
processes.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import click
from rich.console import Console

from benchmarks.common import WrongAnswer, check, duration, in_child, median, run_often, show
from symkripke.engines import engine
from symkripke.problems.checker import check as go_through
from symkripke.problems.outcome import Outcome
from symkripke.problems.problem import Question
from symkripke.problems.puzzles import Puzzle, puzzle
from symkripke_games.puzzles.russian_cards import safe_announcements

# The answers to the questions of each puzzle, by its n.
ANSWERS: dict[str, Callable[[int], list[bool]]] = {
    "muddy_children": lambda n: [n > 3, False, True, False],
    "russian_cards": lambda _: [False, True, True, True, True, True, True],
    "dining_cryptographers": lambda _: [True] * 3,
    "drinking_logicians": lambda _: [True] * 3,
    "cheryls_birthday": lambda _: [],
    "sum_and_product": lambda _: [],
    "consecutive_numbers": lambda _: [],
    "three_hats": lambda _: [True] * 2,
    "gossip": lambda _: [True] * 3,
    "prisoners": lambda n: [False] * (2 * n - 3) + [True, n == 2],
}

# Where a puzzle leaves few worlds: which, in the words of its file.
WHERE = {
    "cheryls_birthday": [{"month": "july", "day": "16"}],
    "sum_and_product": [{"x": "4", "y": "13"}],
    "consecutive_numbers": [{"x": "1", "y": "2"}, {"x": "2", "y": "3"}],
}

# How many worlds are left after each event.
WORLDS = {
    ("sum_and_product", 100): [2352, 145, 86, 1],
    ("cheryls_birthday", 0): [10, 5, 3, 1],
    ("muddy_children", 6): [63, 57, 42],
    ("dining_cryptographers", 3): [32, 16, 8, 6],
    ("russian_cards", 0): [140, 20, 3],
}

SIZES: dict[str, Sequence[int]] = {
    "muddy_children": (40, 80, 160, 320, 640),
    "russian_cards": (0,),
    "dining_cryptographers": (9, 10, 11, 20),
    "drinking_logicians": (10, 50, 100),
    "cheryls_birthday": (0,),
    "sum_and_product": (100, 500, 1000),
    "consecutive_numbers": (20, 100),
    "three_hats": (3, 40),
    "gossip": (4, 8),
    "prisoners": (3, 5),
}
"""The n of each row; 0 for puzzles that have one size."""

# The search for all safe announcements of Russian cards has a row of its own.
SEARCH = "safe announcements"

PUBLISHED = {
    ("muddy_children", 40): "64 ms",
    ("muddy_children", 80): "125 ms",
    ("muddy_children", 160): "1.1 s",
    ("muddy_children", 320): "12.9 s",
    ("muddy_children", 640): "out of memory at 14 GB",
    ("russian_cards", 0): "50 ms",
    ("dining_cryptographers", 9): "1.75 s",
    ("dining_cryptographers", 10): "6.7 s",
    ("dining_cryptographers", 11): "48.7 s",
    ("drinking_logicians", 100): "100 ms",
    ("sum_and_product", 100): "920 ms",
    ("sum_and_product", 500): "8 s",
    ("sum_and_product", 1000): "45 s",
    (SEARCH, 0): "240 ms",
}


def judge(name: str, n: int, told: Sequence[Outcome], *, counted: bool) -> int:
    """Check what came of a puzzle; how many answers these were. Raises `WrongAnswer`."""
    found = [bool(one.answer) for one in told if one.answer is not None]
    where = f"{name} {n}"
    check(found == ANSWERS[name](n), f"{where}: {ANSWERS[name](n)}, got {found}")
    answers = len(found)
    if name in WHERE:
        last = told[-1].where
        check(last is not None and list(last.worlds) == WHERE[name], f"{where}: {WHERE[name]}")
        answers += 1
    if counted and (name, n) in WORLDS:
        worlds = [one.worlds for one in told if not isinstance(one.step, Question)]
        counts = [count for count in worlds if count is not None]
        check(counts == WORLDS[name, n], f"{where}: {WORLDS[name, n]} worlds, got {counts}")
        answers += len(counts)
    return answers


def verify(engine_name: str) -> int:
    """Check small puzzles, with counts, against what is known of them; how many answers."""
    answers = 0
    for name, sizes in SIZES.items():
        found = puzzle(name)
        for n in sorted({min(sizes), *(size for known, size in WORLDS if known == name)}):
            told = list(go_through(_problem(found, n), engine(engine_name), count=True))
            answers += judge(name, n, told, counted=True)
    safe = safe_announcements()
    check(len(safe) == 102, f"102 safe announcements, got {len(safe)}")
    return answers + 1


def _problem(found: Puzzle, n: int) -> Any:
    return found.problem(n or None)


def measure(name: str, n: int, engine_name: str, runs: int) -> dict[str, Any]:
    """Seconds of processor time to read and to answer, each run from the start."""
    reading, answering, engines = [], [], ""
    engine("bdd"), engine("sat")
    puzzle("cheryls_birthday").problem()  # so that no time has the making of the parser in it
    for _ in range(runs):
        start = time.process_time()
        if name == SEARCH:
            reading.append(0.0)
            check(len(safe_announcements()) == 102, "102 safe announcements")
        else:
            problem = _problem(puzzle(name), n)
            reading.append(time.process_time() - start)
            start = time.process_time()
            told = list(go_through(problem, engine(engine_name), count=False))
            try:
                judge(name, n, told, counted=False)
            except WrongAnswer as wrong:
                return {"wrong": str(wrong)}
            given = (one.answer.engine for one in told if one.answer is not None)
            engines = ", ".join(dict.fromkeys(given))
        answering.append(time.process_time() - start)
    return {"read": median(reading), "answered": median(answering), "by": engines or "bdd"}


def row(name: str, n: int, engine_name: str, runs: int, limit: float) -> list[str]:
    """A row of the table. Raises `WrongAnswer`."""
    child = in_child(measure, name, n, engine_name, runs, seconds=limit)
    found = child.result or {"by": f"over {duration(limit)}"}
    if "wrong" in found:
        raise WrongAnswer(found["wrong"])
    whole = "-"
    if child.result and name != SEARCH:
        command = [sys.executable, "-m", "symkripke", "puzzle", name, "--no-count"]
        command += ["--engine", engine_name, *(["--n", str(n)] if n else [])]
        before = os.times()
        processes = run_often(command, runs)
        after = os.times()
        used = after.children_user + after.children_system
        used -= before.children_user + before.children_system
        whole = processes.failure or duration(used / runs)
    return [
        name,
        str(n or ""),
        found["by"],
        duration(found.get("read")),
        duration(found.get("answered")),
        whole,
        f"{child.peak / 2**20:.0f} MB" if child.peak else "-",
        PUBLISHED.get((name, n), "-"),
    ]


@click.command(short_help="The classic puzzles, from their files.")
@click.option("--puzzle", "only", multiple=True, type=click.Choice([*SIZES, SEARCH]))
@click.option("--most", type=int, help="Only sizes of at most so many.")
@click.option("--engine", "engine_name", default="auto", show_default=True, help="Who answers.")
@click.option("--runs", type=click.IntRange(1), default=1, show_default=True, help="For a median.")
@click.option("--seconds", default=600.0, show_default=True, help="End a row after so many.")
def puzzles(
    only: tuple[str, ...], most: int | None, engine_name: str, runs: int, seconds: float
) -> None:
    """Read and answer the classic puzzles; processor time, of whole processes, too."""
    rows = []
    with Console(stderr=True).status("checking small ones") as status:
        checked = verify(engine_name)
        for name, sizes in {**SIZES, SEARCH: (0,)}.items():
            if only and name not in only:
                continue
            for n in sizes:
                if most is None or n <= most:
                    status.update(f"{name} {n or ''}")
                    rows.append(row(name, n, engine_name, runs, seconds))
    show(
        "Puzzles, from their files" + (f" (median of {runs})" if runs > 1 else ""),
        ["puzzle", "n", "by", "read", "answered", "process", "memory", "SMCDEL 1.3 (published)"],
        rows,
        [
            f"checked: all answers that are timed, and {checked} of small puzzles, with counts",
            "all times are processor time; process: all of `symkripke puzzle`, with the start of "
            "Python (SMCDEL: whole processes, too); worlds are not counted in what is timed",
        ],
    )
