"""`engines`: a comparison of `auto` with each engine alone.

It covers files (families in SMCDEL's format, the SMCDEL files of the tests, the puzzles, random
problem files) and random questions about games. Each engine answers in a fresh process, and all
answers are compared. A row names the fastest engine, and the ratio of the time of `auto` to its
time. The worst cases are listed.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.context import ForkServerContext, SpawnContext
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import click

from benchmarks import outliers
from benchmarks.common import Seconds, Table, Tables, check, in_child, measurement, quiet, ratio
from benchmarks.problem_files import problem_files
from benchmarks.smcdel_files import FAMILIES
from symkripke.engines import engine
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.limits import within
from symkripke.problems.checker import check as go_through
from symkripke.problems.files import looks_like_smcdel
from symkripke.problems.puzzles import puzzle, puzzles
from symkripke.problems.reader import read
from symkripke.problems.smcdel.reader import read_smcdel

# Limits for `auto`: a multiple of the best time, and seconds below which nobody notices a delay.
_MOST = 3.0
_UNFELT = 0.05

# Seconds that other engines may take in addition to twice the time of `auto`.
_AT_LEAST = 0.5

# On a busy machine, a process may wait for ten times its processor time, and it needs time to
# start.
_WAITING = 10
_GRACE = 60.0

# Seconds of processor time after which an unsuccessful stop is repeated.
_AGAIN = 0.01

# The number of questions between two garbage collections.
_COLLECTED = 10

_PARTS = ("families", "smcdel", "puzzles", "problems", "games")

_FILES = Path(__file__).parent.parent / "tests" / "data" / "smcdel"

# Sizes of puzzles at which every engine answers or refuses soon.
_SIZES = {"sum_and_product": 100, "dining_cryptographers": 11, "muddy_children": 20}


@dataclass(frozen=True)
class Timed:
    """The response of an engine to a question, or to all questions of a file.

    Attributes:
        seconds: the processor time in seconds.
        answers: the answers; None if the engine reached its limit or does not support the question.
    """

    seconds: Seconds
    answers: tuple[Any, ...] | None


class OutOfProcessorTime(BaseException):
    """An answer ran out of processor time; not an `Exception` so that no engine catches it."""


@contextmanager
def processor_time(seconds: float) -> Iterator[None]:
    """Limit the processor time of the body, so a busy machine costs no engine its answer.

    Call it in the main thread only. Systems without such a timer limit the wall time instead.

    Raises:
        OutOfProcessorTime: the time ran out; objects that the body used must not be used again.
        NoAnswerWithin: the wall time ran out, on systems without such a timer.
    """
    if not hasattr(signal, "setitimer"):
        with within(seconds=seconds):
            yield
        return

    def stop(_: int, frame: FrameType | None) -> None:
        # Python ignores exceptions in finalizers and in weak reference callbacks. In these, wait
        # for the next signal.
        while frame is not None:
            if frame.f_code.co_name == "__del__" or frame.f_code.co_filename == weakref.__file__:
                return
            frame = frame.f_back
        raise OutOfProcessorTime

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, max(seconds, 1e-3), _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def answer_file(text: str, engine_name: str, seconds: float) -> list[Timed]:
    """Check a file; the time covers its questions, but not reading it."""
    problem = read_smcdel(text).problem if looks_like_smcdel(text) else read(text)
    engine(engine_name).name, engine("bdd").name  # so that no time includes loading them
    answers: list[Any] = []
    refused = False
    with quiet():  # the collector might interrupt only one engine
        start = time.process_time()
        try:
            with processor_time(seconds):
                for outcome in go_through(problem, engine(engine_name), count=False):
                    refused = outcome.refused is not None
                    if refused:
                        break
                    if outcome.answer is not None:
                        answers.append(bool(outcome.answer))
        except (BudgetExceeded, Unsupported, OutOfProcessorTime):
            refused = True
        took = Seconds(time.process_time() - start)
    return [Timed(took, None if refused else tuple(answers))]


def answer_game(game: str, engine_name: str, limits: Sequence[float]) -> list[Timed]:
    """Ask random questions about moments of full-size games, each of a new engine.

    `limits` gives the time limit of each question in seconds.
    """
    found = []
    asked = questions_of(game, len(limits))
    # A collection that scans whole games takes longer than most answers, and would hit questions at
    # random.
    gc.disable()
    for place, (seconds, (formula, moment)) in enumerate(zip(limits, asked, strict=True)):
        if place % _COLLECTED == 0:
            gc.collect()
        made = engine(engine_name)
        start = time.process_time()
        answer: tuple[Any, ...] | None = None
        try:
            with processor_time(seconds):
                answer = (bool(made.holds(moment.scene, formula)),)
        except (BudgetExceeded, Unsupported, OutOfProcessorTime):
            pass
        found.append(Timed(Seconds(time.process_time() - start), answer))
    return found


def questions_of(game: str, number: int) -> list[tuple[Any, outliers.Moment]]:
    """Return `number` random questions, each with its moment."""
    kind, chance = outliers.KINDS[game], Random(f"{game}/engines")
    at = outliers.moments(kind, kind.players[:2], [1], 4)
    return [
        (outliers.question(kind, moment, chance.choice((1, 1, 2)), chance), moment)
        for moment in (chance.choice(at) for _ in range(number))
    ]


@dataclass(frozen=True)
class Compared:
    """A question or a file, with the response of each engine."""

    name: str
    timed: Mapping[str, Timed]

    @property
    def best(self) -> str | None:
        """The fastest engine with an answer, other than `auto`."""
        able = {
            name: timed.seconds
            for name, timed in self.timed.items()
            if name != "auto" and timed.answers is not None
        }
        return min(able, key=lambda name: able[name]) if able else None

    @property
    def is_bad(self) -> bool:
        """Is `auto` much slower than the best engine, or without an answer?"""
        auto = self.timed["auto"]
        if self.best is None:
            return False
        best = self.timed[self.best].seconds
        slow = auto.seconds > _MOST * best and auto.seconds > best + _UNFELT
        return auto.answers is None or slow

    @property
    def factor(self) -> float:
        """The ratio of the time of `auto` to that of the best engine."""
        if self.best is None or self.timed["auto"].answers is None:
            return float("inf") if self.best else 1.0
        return self.timed["auto"].seconds / max(1e-6, self.timed[self.best].seconds)

    def verify(self) -> None:
        """Raise `WrongAnswer` unless all engines that answered agree."""
        given = {timed.answers for timed in self.timed.values() if timed.answers is not None}
        check(len(given) < 2, f"{self.name}: {given}")

    def row(self) -> list[object]:
        """Return a row: the times, the best engine, and the ratio of `auto` to it."""
        times = [one.seconds if one.answers is not None else None for one in self.timed.values()]
        best = None if self.best is None else self.timed[self.best].seconds
        auto = self.timed["auto"]
        quotient = ratio(auto.seconds, best) if auto.answers is not None else "no answer"
        return [self.name, *times, self.best, quotient]


def files(part: str, sizes: int, number: int) -> dict[str, str]:
    """Return the texts of the files of a part, by name.

    Args:
        part: one of `_PARTS` except "games".
        sizes: the number of sizes of each family, from the smallest.
        number: the number of problem files.
    """
    match part:
        case "families":
            made = [
                file
                for family, all_sizes in FAMILIES.values()
                for file in map(family, all_sizes[:sizes])
            ]
            return {file.name: file.text for file in made}
        case "smcdel":
            paths = sorted(_FILES.glob("*.txt"))
            return {path.name.partition(".")[0]: path.read_text(encoding="utf-8") for path in paths}
        case "puzzles":
            return {f"puzzle {name}": _puzzle(name) for name in puzzles()}
        case "problems":
            return dict(problem_files(number))
    return {}


def _puzzle(name: str) -> str:
    given = puzzle(name)
    size = _SIZES.get(name, given.size)
    return given.text if size is None else f"let n = {size}\n" + _without_n(given.text)


def _without_n(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("let n ="))


@dataclass(frozen=True)
class Run:
    """A way to run the engines, each in a separate process, several of them in parallel.

    Attributes:
        names: the engines, without `auto`.
        seconds: the limit for an answer of `auto`; other engines have somewhat more than it took.
        runs: the number of runs of each file, for all engines in turn; the median counts. A small
            file takes 10 to 20 ms. Diagram tables are large pages of memory, for which the system
            alone takes between 2 and 60 ms.
    """

    names: Sequence[str]
    seconds: float
    runs: int = 1

    def file(self, name: str, text: str) -> Compared:
        """Run all engines on a file."""
        timed: dict[str, list[Timed]] = {made: [] for made in ("auto", *self.names)}
        for _ in range(self.runs):
            for made, found in timed.items():
                limit = self._limit(timed["auto"][0] if timed["auto"] else None)
                waiting = _GRACE + _WAITING * limit
                child = in_child(answer_file, text, made, limit, seconds=waiting, context=_server())
                found += child.result or [Timed(Seconds(limit), None)]
        for found in timed.values():
            Compared(name, {str(run): one for run, one in enumerate(found)}).verify()
        return Compared(name, {made: _middle(found) for made, found in timed.items()})

    def game(self, game: str, number: int) -> list[Compared]:
        """Ask all engines each question about a game."""
        timed: dict[str, Sequence[Timed]] = {}
        for made in ("auto", *self.names):
            known = timed.get("auto", [None] * number)
            limits = [self._limit(auto) for auto in known]
            child = in_child(answer_game, game, made, limits, context=_server())
            timed[made] = child.result
        return [
            Compared(f"{moment}: {formula}", {made: timed[made][place] for made in timed})
            for place, (formula, moment) in enumerate(questions_of(game, number))
        ]

    def _limit(self, auto: Timed | None) -> float:
        """Return the limit of the next engine, in seconds of processor time."""
        if auto is None or auto.answers is None:
            return self.seconds
        return min(self.seconds, _AT_LEAST + 2 * auto.seconds)


def _middle(runs: Sequence[Timed]) -> Timed:
    """Return the run of median time, among the runs without an answer if there are any."""
    refused = [run for run in runs if run.answers is None]
    return sorted(refused or runs, key=lambda run: run.seconds)[len(refused or runs) // 2]


def _server() -> SpawnContext | ForkServerContext:
    """Return a context whose children fork from a process that has imported all modules."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, "symkripke.engines.sat", "symkripke.engines.bdd"])
    return context


@measurement("engines")
@click.option("--engine", "names", multiple=True, default=("sat", "bdd"), help="The engines.")
@click.option("--part", "parts", multiple=True, type=click.Choice(_PARTS), help="Only these.")
@click.option("--sizes", default=2, help="The number of sizes of each family.")
@click.option("--questions", default=50, help="The number of questions of each game.")
@click.option("--problems", default=20, help="The number of problem files.")
@click.option("--only", default="", help="Only files and games with this in their name.")
@click.option("--seconds", default=20.0, help="The most seconds for an answer of auto.")
@click.option("--runs", type=click.IntRange(1), default=1, help="Runs of each file.")
@click.option("--jobs", default=1, help="The number of processes at once.")
def engines(
    names: tuple[str, ...],
    parts: tuple[str, ...],
    sizes: int,
    questions: int,
    problems: int,
    only: str,
    seconds: float,
    runs: int,
    jobs: int,
) -> Tables:
    """Does `auto` choose the fastest engine, for files and for questions about games?"""
    run = Run(names, seconds, runs)
    chosen = parts or _PARTS
    given = {
        name: text
        for part in chosen
        for name, text in files(part, sizes, problems).items()
        if only in name
    }
    games = [game for game in outliers.KINDS if "games" in chosen and questions and only in game]
    compared: list[Compared] = []
    rows = []
    with ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(run.file, given, given.values()):
            compared.append(found)
            rows.append(found.row())
        answered = pool.map(lambda game: run.game(game, questions), games)
        for game, asked in zip(games, answered, strict=True):
            compared += asked
            rows.append(_total(game, asked, ("auto", *names)))
    for found in compared:
        found.verify()
    bad = sorted((found for found in compared if found.is_bad), key=lambda found: -found.factor)
    yield Table(
        "auto against each engine, from the start (CPU)",
        ["what", "auto", *names, "best", "auto / best"],
        rows,
        f"all answers of {len(compared)} files and questions are the same",
        [
            "an engine has somewhat longer than auto took; -: no answer by then",
            f"{len(bad)} for which auto took over {_MOST:g} times the best and "
            f"{Seconds(_UNFELT)} more",
            *(f"  {' | '.join(map(str, found.row()))}" for found in bad),
        ],
    )


def _total(game: str, found: Sequence[Compared], asked: Sequence[str]) -> list[object]:
    """Return a row for all answered questions about a game."""
    totals = [
        Seconds(
            sum(one.timed[made].seconds for one in found if one.timed[made].answers is not None)
        )
        for made in asked
    ]
    best = sum(one.timed[one.best].seconds for one in found if one.best is not None)
    return [f"{game}, {len(found)} questions", *totals, "each", ratio(totals[0], best)]
