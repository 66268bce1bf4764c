"""Questions about knowledge about knowledge, put to every engine: who answers, and how soon.

Full-size Cluedo. After some of the events of a game, each kind of question is asked of all players
in a row: the first question by an engine that has been asked nothing, of a structure that no engine
has seen, the others by the same engine. Each engine works in a process of its own and has so many
seconds of CPU for each row; where it does not come to the end, what it took is a lower bound.

All answers must agree before a time is shown. Before that, the same questions after every event of
whole games of the study's size go to all engines and to the explicit model.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from multiprocessing.connection import Connection
from typing import TypeAlias

import click
from rich.console import Console

from benchmarks.common import check, duration, median, played, setup_of, show
from benchmarks.nested import families
from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.language import Formula
from symkripke.model import Scene

ENGINES = ("sat", "bdd", "smt")
KINDS = (
    "might j know the solution?",
    "does i know whether j knows?",
    "three operators",
    "common knowledge",
)
CARD = "dagger"

Moment: TypeAlias = tuple[int, int, int]
"""How many players, the seed of the game, and after how many of its events."""


def verify(games: int, engines: Sequence[str]) -> int:
    """Nested questions after every event of whole small games, to all engines; how many answers."""
    checked = 0
    for seed in range(games):
        table = played(setup_of("study", 4, "3/3/4"), seed)
        asked, oracle = {name: engine(name) for name in engines}, ExplicitEngine()
        for number, scene in enumerate(table.scenes):
            questions = [one for _, kind in families(table.setup.players, CARD) for one in kind]
            for question in questions[number % 4 :: 4]:
                truth = bool(oracle.holds(scene, question))
                for name, one in asked.items():
                    try:
                        answer = bool(one.holds(scene, question))
                    except Unsupported:
                        continue
                    checked += 1
                    check(answer is truth, f"{name}, seed {seed}, event {number}: {question}")
    return checked


# ---- one engine ------------------------------------------------------------------------


@dataclass
class Row:
    """What one engine made of the questions of one kind.

    Attributes:
        answers: its answers, as far as it came.
        times: the seconds of CPU that each took.
        least: what it had spent when it was ended, if it was: the next answer is at least so far.
        stopped: why it gave up by itself, if it did.
    """

    answers: list[bool] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    least: float | None = None
    stopped: str = ""

    def spent(self, number: int) -> tuple[float, bool] | None:
        """The seconds for so many questions, and whether that is all; None if it gave up."""
        if number <= len(self.times):
            return sum(self.times[:number]), True
        return None if self.least is None else (self.least, False)

    def told(self, number: int) -> str:
        """The same in words."""
        spent = self.spent(number)
        if spent is None:
            return self.stopped
        return duration(spent[0]) if spent[1] else f"over {duration(spent[0])}"


def _questions(moment: Moment, kind: int) -> tuple[Scene, Sequence[Formula]]:
    players, seed, events = moment
    table = played(setup_of("classic", players), seed)
    return table.scenes[events], families(table.setup.players, CARD)[kind][1]


def _warm_up(name: str) -> None:
    """Let all code be loaded: questions of each kind, about a small game."""
    table = played(setup_of("study", 4, "3/3/4"), 0)
    asked = engine(name)
    for _, questions in families(table.setup.players, CARD):
        try:
            asked.holds(table.scenes[2], questions[0])
        except Unsupported:
            continue


def _serve(pipe: Connection, name: str, seconds: float) -> None:
    """Answer rows of questions, one after the other, in a process of its own.

    Sends the answers one by one, with the time of each; at the end of a row "", or why it gave up.
    The process is ended by the system where a row takes more CPU than that. (While the system
    looks after that, the clock of a process is coarse; that of a thread is not, and one works.)
    """
    _warm_up(name)
    while (job := pipe.recv()) is not None:
        scene, questions = _questions(*job)
        asked = engine(name)
        gc.collect()
        stopped = ""
        signal.setitimer(signal.ITIMER_PROF, seconds)
        for question in questions:
            start = time.thread_time()
            try:
                truth = bool(asked.holds(scene, question))
            except BudgetExceeded:
                stopped = "no room"
            except Unsupported:
                stopped = "no answer"
            if stopped:
                break
            pipe.send((truth, time.thread_time() - start))
        signal.setitimer(signal.ITIMER_PROF, 0)
        pipe.send(stopped)


class Rival:
    """An engine in a process of its own; a new one after it was ended."""

    def __init__(self, name: str, seconds: float) -> None:
        """With so many seconds of CPU for each row."""
        self.name = name
        self._seconds = seconds
        self._context = multiprocessing.get_context("spawn")
        self._begin()

    def _begin(self) -> None:
        self._pipe, theirs = self._context.Pipe()
        self._process = self._context.Process(
            target=_serve, args=(theirs, self.name, self._seconds), daemon=True
        )
        self._process.start()
        theirs.close()

    def row(self, moment: Moment, kind: int) -> Row:
        """All questions of a kind, asked in a row of an engine that is new."""
        row = Row()
        self._pipe.send((moment, kind))
        try:
            while not isinstance(found := self._pipe.recv(), str):
                row.answers.append(found[0])
                row.times.append(found[1])
            row.stopped = found
        except EOFError:
            self._process.join()
            if self._process.exitcode != -signal.SIGPROF:
                raise RuntimeError(
                    f"{self.name} ended with code {self._process.exitcode}"
                ) from None
            row.least = self._seconds
            self._begin()
        return row

    def end(self) -> None:
        """Let the process end."""
        self._pipe.send(None)
        self._process.join()


# ---- all of them -------------------------------------------------------------------------


def agreed(found: dict[str, Row], what: str) -> None:
    """Raises `WrongAnswer` unless all engines give the same answers, as far as they came."""
    for answers in zip(*(row.answers for row in found.values() if row.answers), strict=False):
        check(len(set(answers)) == 1, f"{what}: {[(n, r.answers) for n, r in found.items()]}")


Ratio: TypeAlias = tuple[float, bool]
"""How many times as long, and whether that is all (else it is at least so much)."""


def over(rival: Row, ours: Row, number: int) -> Ratio | None:
    """How many times as long `rival` takes as `ours`, for so many questions.

    Where it was ended before: for those up to the first that it did not answer.
    """
    spent = rival.spent(number)
    if spent is None:
        return None
    if not spent[1]:
        number = min(number, len(rival.times) + 1)
    here = ours.spent(number)
    return None if here is None or not here[1] else (spent[0] / here[0], spent[1])


def _told(found: Ratio | None) -> str:
    if found is None:
        return "-"
    times = f"{found[0]:,.0f}" if found[0] >= 10 else f"{found[0]:.2g}"
    return times if found[1] else f"over {times}"


def _summary(found: Sequence[Ratio | None]) -> str:
    """The least of these ratios, and their median: lower bounds count as they are."""
    known = [one for one in found if one is not None]
    if not known:
        return "-"
    sure = all(one[1] for one in known)
    return f"{_told(min(known))}, {_told((median(one[0] for one in known), sure))}"


def _moments(players: Iterable[int], seed: int, events: str) -> list[Moment]:
    """Those moments that the games have."""
    moments: list[Moment] = []
    for number in players:
        last = len(played(setup_of("classic", number), seed).scenes) - 1
        asked = range(0, last + 1, 2) if events == "all" else map(int, events.split(","))
        moments.extend((number, seed, one) for one in asked if one <= last)
    return moments


def _row_of(moment: Moment, kind: int, found: dict[str, Row], names: Sequence[str]) -> list[str]:
    ours = found[names[0]]
    number = len(ours.times)
    cells = [str(moment[0]), str(moment[2]), KINDS[kind], str(number)]
    for asked in (1, number):
        cells.extend(found[name].told(asked) for name in names)
        cells.extend(_told(over(found[name], ours, asked)) for name in names[1:])
    return cells


@click.command(short_help="Nested questions, engine against engine.")
@click.option("--players", default="3,4,6", show_default=True, help="Numbers of players.")
@click.option(
    "--events",
    default="0,8,16",
    show_default=True,
    help="After so many events; 'all': after 0, 2, 4, ... to the end.",
)
@click.option("--kinds", default="1,2,3,4", show_default=True, help="Kinds of questions.")
@click.option("--engines", default=",".join(ENGINES), show_default=True, help="Who is asked.")
@click.option("--seconds", default=5.0, show_default=True, help="CPU for each row and engine.")
@click.option("--seed", default=1, show_default=True, help="The seed of the games.")
@click.option("--checks", default=2, show_default=True, help="Small games to check first.")
def rivals(
    players: str, events: str, kinds: str, engines: str, seconds: float, seed: int, checks: int
) -> None:
    """Full-size Cluedo: knowledge about knowledge. The sat engine, diagrams and z3."""
    names = engines.split(",")
    asked = [int(kind) - 1 for kind in kinds.split(",")]
    rows: list[list[str]] = []
    found: dict[tuple[Moment, int], dict[str, Row]] = {}
    everybody = [Rival(name, seconds) for name in names]
    with Console(stderr=True).status("checking small games") as status:
        checked = verify(checks, names)
        moments = _moments(map(int, players.split(",")), seed, events)
        for moment, kind in product(moments, asked):
            answered = found[moment, kind] = {}
            for rival in everybody:
                status.update(
                    f"{moment[0]} players, after {moment[2]} events, {KINDS[kind]} {rival.name}"
                )
                answered[rival.name] = rival.row(moment, kind)
            agreed(answered, f"{moment[0]} players, after {moment[2]} events, {KINDS[kind]}")
            rows.append(_row_of(moment, kind, answered, names))
    for rival in everybody:
        rival.end()
    ratios = [f"{name}/{names[0]}" for name in names[1:]]
    show(
        "Nested questions, classic 6/6/9, seconds of CPU: the first by a new engine, and all",
        ["players", "events", "question", "asked"]
        + [f"{name}, {part}" for part in ("first", "all") for name in (*names, *ratios)],
        rows,
    )
    _show_summary(found, names)
    click.echo(
        f"checked: {checked} answers in whole games of the study's size: explicit's; and "
        f"{sum(len(row.answers) for one in found.values() for row in one.values())} answers here, "
        "that they agree"
    )


def _show_summary(found: dict[tuple[Moment, int], dict[str, Row]], names: Sequence[str]) -> None:
    """By number of players and kind: the times of the first engine, and the others' ratios."""
    groups: dict[tuple[int, int], list[dict[str, Row]]] = {}
    for (moment, kind), answered in found.items():
        groups.setdefault((moment[0], kind), []).append(answered)
    rows = []
    for (players, kind), group in sorted(groups.items()):
        ours = [one[names[0]] for one in group]
        firsts = [row.times[0] for row in ours if row.times]
        rest = [took for row in ours for took in row.times]
        cells = [str(players), KINDS[kind]]
        for times in (firsts, rest):
            cells.append(f"{duration(median(times))}, {duration(max(times, default=None))}")
        for name in names[1:]:
            for number in (1, max(len(row.times) for row in ours)):
                cells.append(_summary([over(one[name], one[names[0]], number) for one in group]))
        rows.append(cells)
    show(
        f"{names[0]}: median, worst; the others, how many times as long: least, median",
        [
            "players",
            "question",
            f"{names[0]}, first",
            f"{names[0]}, each",
            *(f"{name}, {part}" for name in names[1:] for part in ("first", "all")),
        ],
        rows,
    )
