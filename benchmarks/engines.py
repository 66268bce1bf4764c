"""`auto` against each engine by itself: does it choose well?

Over files (families in SMCDEL's format, the SMCDEL files of the tests, the puzzles) and over random
questions about games. Each engine answers in a process of its own, from the start; all answers are
compared. A row says who was best, and how many times its time `auto` took; the worst are named.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import click
from rich.console import Console

from benchmarks import outliers
from benchmarks.common import check, duration, in_child, ratio, show
from benchmarks.smcdel_files import FAMILIES
from symkripke.engines import engine
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.limits import within
from symkripke.problems.checker import check as go_through
from symkripke.problems.puzzles import puzzle, puzzles
from symkripke.problems.reader import read
from symkripke.problems.smcdel.reader import looks_like_smcdel, read_smcdel

# What `auto` should keep to, unless the difference is not felt: times the best, and seconds.
_MOST = 3.0
_UNFELT = 0.05

_FILES = Path(__file__).parent.parent / "tests" / "data" / "smcdel"

# Puzzles of more than one size, at one that all engines can answer or soon refuse.
_SIZES = {"sum_and_product": 100, "dining_cryptographers": 11, "muddy_children": 20}


@dataclass(frozen=True)
class Timed:
    """What an engine made of a question, or of all questions of a file.

    Attributes:
        seconds: of processor time.
        answers: what it answered; None if it came to its limit, or does not answer such a thing.
    """

    seconds: float
    answers: tuple[Any, ...] | None


def answer_file(text: str, engine_name: str, seconds: float) -> list[Timed]:
    """Go through a file; the time is for the questions, not for reading it."""
    problem = read_smcdel(text).problem if looks_like_smcdel(text) else read(text)
    engine(engine_name).name, engine("bdd").name  # so that no time has the loading in it
    start = time.process_time()
    answers: list[Any] = []
    try:
        with within(seconds=seconds):
            for outcome in go_through(problem, engine(engine_name), count=False):
                if outcome.refused is not None:
                    return [Timed(time.process_time() - start, None)]
                if outcome.answer is not None:
                    answers.append(bool(outcome.answer))
    except (BudgetExceeded, Unsupported):
        return [Timed(time.process_time() - start, None)]
    return [Timed(time.process_time() - start, tuple(answers))]


def answer_game(game: str, number: int, engine_name: str, seconds: float) -> list[Timed]:
    """Random questions about moments of full-size games, with one engine for each game."""
    found = []
    for formula, moment in questions_of(game, number):
        made = engine(engine_name)
        start = time.process_time()
        answer: tuple[Any, ...] | None = None
        try:
            with within(seconds=seconds):
                answer = (bool(made.holds(moment.scene, formula)),)
        except (BudgetExceeded, Unsupported):
            pass
        found.append(Timed(time.process_time() - start, answer))
    return found


def questions_of(game: str, number: int) -> list[tuple[Any, outliers.Moment]]:
    """So many random questions, with the moments that they are about."""
    kind, chance = outliers.KINDS[game], Random(f"{game}/engines")
    at = outliers.moments(kind, kind.players[:2], [1], 4)
    return [
        (outliers.question(kind, moment, chance.choice((1, 1, 2)), chance), moment)
        for moment in (chance.choice(at) for _ in range(number))
    ]


@dataclass(frozen=True)
class Compared:
    """A question, or a file, with what each engine made of it."""

    name: str
    timed: Mapping[str, Timed]

    @property
    def best(self) -> str | None:
        """The engine that was quickest with an answer, of those that are no choice of another."""
        able = {
            name: timed.seconds
            for name, timed in self.timed.items()
            if name != "auto" and timed.answers is not None
        }
        return min(able, key=lambda name: able[name]) if able else None

    @property
    def is_bad(self) -> bool:
        """Whether `auto` took much longer than the best engine, or did not answer."""
        auto = self.timed["auto"]
        if self.best is None:
            return False
        best = self.timed[self.best].seconds
        slow = auto.seconds > _MOST * best and auto.seconds > best + _UNFELT
        return auto.answers is None or slow

    @property
    def factor(self) -> float:
        """How many times the time of the best engine `auto` took."""
        if self.best is None or self.timed["auto"].answers is None:
            return float("inf") if self.best else 1.0
        return self.timed["auto"].seconds / max(1e-6, self.timed[self.best].seconds)

    def verify(self) -> None:
        """Raises `WrongAnswer` unless all that answered gave the same answers."""
        given = {timed.answers for timed in self.timed.values() if timed.answers is not None}
        check(len(given) < 2, f"{self.name}: {given}")

    def row(self) -> list[str]:
        """Who took how long."""
        times = [
            duration(timed.seconds) if timed.answers is not None else "-"
            for timed in self.timed.values()
        ]
        best = None if self.best is None else self.timed[self.best].seconds
        auto = self.timed["auto"]
        told = ratio(auto.seconds, best) if auto.answers is not None else "no answer"
        return [self.name, *times, self.best or "-", told]


def files(largest: int) -> dict[str, str]:
    """The texts of all files, by name; of each family so many sizes, from the smallest."""
    found = {
        file.name: file.text
        for family, sizes in FAMILIES.values()
        for file in map(family, sizes[:largest])
    }
    for path in sorted(_FILES.glob("*.txt")):
        found[path.name.partition(".")[0]] = path.read_text(encoding="utf-8")
    for name in puzzles():
        given = puzzle(name)
        size = _SIZES.get(name, given.size)
        found[name] = given.text if size is None else f"let n = {size}\n" + _without_n(given.text)
    return found


def _without_n(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("let n ="))


@click.command(short_help="`auto` against each engine: does it choose well?")
@click.option("--engine", "names", multiple=True, default=("sat", "bdd"), help="Against whom.")
@click.option("--sizes", default=2, show_default=True, help="Of each family, so many sizes.")
@click.option("--questions", default=50, show_default=True, help="Of each game, so many.")
@click.option("--only", default="", help="Only files and games with this in their name.")
@click.option("--seconds", default=20.0, show_default=True, help="What an answer may take.")
def engines(names: tuple[str, ...], sizes: int, questions: int, only: str, seconds: float) -> None:
    """Seconds of processor time of each engine, the best one, and how many times that auto took."""
    asked = ("auto", *names)
    compared: list[Compared] = []
    rows = []
    with Console(stderr=True).status("asking") as status:
        for name, text in files(sizes).items():
            if only not in name:
                continue
            timed = {}
            for made in asked:
                status.update(f"{name}: {made}")
                child = in_child(answer_file, text, made, seconds, seconds=3 * seconds)
                timed[made] = (child.result or [Timed(seconds, None)])[0]
            compared.append(Compared(name, timed))
            compared[-1].verify()
            rows.append(compared[-1].row())
        for game in outliers.KINDS:
            if only not in game or not questions:
                continue
            status.update(game)
            found = _game(game, questions, asked, seconds)
            compared += found
            rows.append(_total(game, found, asked))
    bad = sorted((one for one in compared if one.is_bad), key=lambda one: -one.factor)
    show(
        "auto against each engine, from the start",
        ["what", *asked, "best", "auto / best"],
        rows,
        [
            f"checked: all answers of {len(compared)} files and questions are alike",
            f"of {len(bad)} auto took over {_MOST:g} times the best and {duration(_UNFELT)} more",
            *(f"  {one.name}: {one.row()[-1]} times {one.best}" for one in bad[:10]),
        ],
    )


def _game(game: str, number: int, asked: Sequence[str], seconds: float) -> list[Compared]:
    """Each question of a game."""
    limit = 120 + number * seconds
    timed = {
        made: in_child(answer_game, game, number, made, seconds, seconds=limit).result
        for made in asked
    }
    missing = [Timed(seconds, None)] * number
    found = []
    for place, (formula, moment) in enumerate(questions_of(game, number)):
        each = {made: (timed[made] or missing)[place] for made in asked}
        found.append(Compared(f"{moment}: {formula}", each))
        found[-1].verify()
    return found


def _total(game: str, found: Sequence[Compared], asked: Sequence[str]) -> list[str]:
    """All questions of a game in one row: how long those took that were answered."""
    totals = {
        made: sum(one.timed[made].seconds for one in found if one.timed[made].answers is not None)
        for made in asked
    }
    best = sum(one.timed[one.best].seconds for one in found if one.best is not None)
    return [
        f"{game}, {len(found)} questions",
        *(duration(total) for total in totals.values()),
        "each",
        ratio(totals["auto"], best),
    ]
