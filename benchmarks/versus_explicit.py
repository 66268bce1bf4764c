"""`versus-explicit`: satisfiability compared with listing every world, on the same games."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import click

from benchmarks.cluedo import all_atoms, setup_of, suggested
from benchmarks.common import (
    Seconds,
    Table,
    Tables,
    check,
    in_child,
    measurement,
    median,
    ratio,
    timed,
)
from benchmarks.reference import ReferenceSolver, verify_worlds, worlds_at_start
from symkripke.engines import Engine, Mark, engine
from symkripke.errors import TooManyWorlds
from symkripke.language import K
from symkripke.model import Perspective, Scene
from symkripke_games.cluedo import GAME, knowledge

SIDES = ("sat", "explicit")

_NOISE = 2**20
"""A memory difference of two processes below this number of bytes means nothing."""

CASES = (
    "study:2/2/2:3",
    "study:3/3/3:3",
    "study:3/3/4:4",
    "study:4/4/4:3",
    "study:4/4/4:4",
    "classic:3/3/4:3",
    "classic:4/4/4:3",
    "study:5/5/5:4",
    "classic:5/5/5:3",
    "classic:6/6/9:3",
    "classic:6/6/9:6",
)


@dataclass(frozen=True)
class Case:
    """A size of a game, written RULES:SUSPECTS/WEAPONS/ROOMS:PLAYERS."""

    rules: str
    size: str
    players: int

    def __str__(self) -> str:
        return f"{self.rules} {self.size}, {self.players} players"

    @classmethod
    def of(cls, text: str) -> Case:
        """Parse a size. Raise `BadParameter` if it is invalid."""
        try:
            rules, size, players = text.split(":")
            case = cls(rules, size, int(players))
            setup_of(*case.given)
        except ValueError as error:
            raise click.BadParameter(f"{text!r}: {error}; for example study:3/3/4:4") from None
        return case

    @property
    def given(self) -> tuple[str, int, str]:
        """The arguments of `setup_of`."""
        return self.rules, self.players, self.size


@dataclass
class Side:
    """The results of one engine for a game. Times are in seconds.

    Attributes:
        opening: the times of the questions at the start.
        questions: the times of the questions after half of the events.
        worlds: the number of worlds at the start; None for an engine that does not count.
        midway: the number of worlds after half of the events.
        asked: the answers to single questions, in order: at the start and after half of the
            events (fewer, if time ran out).
        marks: all sheets at the start, after half of the events and at the end.
        stopped: the reason for stopping the engine; empty if it was not stopped.
        peak: the peak memory in bytes, less that of a process that only imports.
    """

    build: float | None = None
    updates: list[float] = field(default_factory=list)
    opening: list[float] = field(default_factory=list)
    questions: list[float] = field(default_factory=list)
    asked: list[tuple[bool, ...]] = field(default_factory=list)
    marks: list[tuple[Mark, ...]] = field(default_factory=list)
    worlds: int | None = None
    midway: int | None = None
    stopped: str = ""
    peak: int = 0


def _engine(name: str, max_worlds: int) -> Engine:
    if name == "explicit":
        from symkripke.engines.explicit import ExplicitEngine

        return ExplicitEngine(max_worlds)
    return engine(name)


def _idle(name: str) -> None:
    """Import the modules of a side and make an engine, to measure the memory of an idle process."""
    _engine(name, 1)


def _arrive(asked: Engine, scene: Scene, players: Iterable[str]) -> list[Perspective]:
    """Return each player's perspective, after one question that brings the engine up to date."""
    first = next(iter(scene.structure.vocabulary.fluents.values())).atoms[0]
    found = [scene.perspective(player) for player in players]
    for perspective in found:
        asked.holds(perspective, K(perspective.agent, first))
    return found


def play_side(
    name: str, case: Case, seed: int, events: int, seconds: float, max_worlds: int
) -> Side:
    """Run one engine on one game in this process: build, follow and ask, until time is up.

    At the start and after half of the events, ask about every player, card and place in random
    order. Keep the answers, to be compared before any time is shown. Make the sheets after the
    questions, which would otherwise not be the first.
    """
    setup = setup_of(*case.given)
    end = time.perf_counter() + seconds
    scenes, happened = suggested(setup, seed, events)
    asked = _engine(name, max_worlds)
    side = Side()
    atoms = all_atoms(setup)
    answers: list[bool] = []

    def late() -> bool:
        if time.perf_counter() >= end:
            side.stopped = f"stopped after {seconds:g} s"
        return bool(side.stopped)

    def sheets(perspectives: Iterable[Perspective]) -> None:
        side.marks.extend(asked.sheet(one, atoms).marks for one in perspectives)

    def ask(perspectives: Iterable[Perspective]) -> list[float]:
        questions = [(one, K(one.agent, atom)) for one in perspectives for atom in atoms]
        Random(seed).shuffle(questions)
        # Use at most a quarter of the time, because the rest of the game must be followed, too.
        until = min(end, time.perf_counter() + seconds / 4)
        times: list[float] = []
        for perspective, question in questions:
            took, answer = timed(partial(asked.holds, perspective, question))
            times.append(took)
            answers.append(bool(answer))
            if time.perf_counter() >= until:
                break
        side.asked.append(tuple(answers))
        answers.clear()
        return times

    def start() -> tuple[Scene, list[Perspective]]:
        scene = Scene.of(GAME.structure(setup), scenes[0].world)
        return scene, _arrive(asked, scene, setup.players)

    try:
        side.build, (scene, perspectives) = timed(start)
        if name == "explicit":
            side.worlds = asked.worlds(scene.structure)
        side.opening = ask(perspectives)
        sheets(perspectives)
        for number, public in enumerate(happened, 1):
            if late():
                return side
            secret = {n: v for n, v in scenes[number].world.items() if n not in scene.world}

            def follow(before: Scene = scene, public: Any = public, secret: Any = secret) -> Any:
                after = before.update(knowledge.event(setup, public), secret)
                return after, _arrive(asked, after, setup.players)

            took, (scene, perspectives) = timed(follow)
            side.updates.append(took)
            if number == (len(happened) + 1) // 2:
                if name == "explicit":
                    side.midway = asked.worlds(scene.structure)
                side.questions = ask(perspectives)
                sheets(perspectives)
        sheets(perspectives)
    except TooManyWorlds:
        side.stopped = f"more than {max_worlds:,} worlds"
    return side


def run_side(
    name: str, case: Case, seed: int, events: int, seconds: float, max_worlds: int
) -> Side:
    """Call `play_side` in a separate process, measure its memory, and stop it if it overruns."""
    baseline = in_child(_idle, name).peak
    child = in_child(play_side, name, case, seed, events, seconds, max_worlds, seconds=seconds + 10)
    side: Side = child.result or Side(stopped=f"stopped after {seconds:g} s")
    side.peak = max(child.peak - baseline, 0)
    return side


# ---- checks ----------------------------------------------------------------------------


def verify(case: Case, seed: int, events: int, sat: Side, explicit: Side) -> None:
    """Raise `WrongAnswer` unless both sides and the closed form agree.

    If the explicit side was stopped, the reference solver replaces it.
    """
    expected = worlds_at_start(setup_of(*case.given))
    check(
        explicit.worlds in (None, expected),
        f"{case}: {explicit.worlds} worlds at the start, by the closed form {expected}",
    )
    for ours, theirs in zip(sat.asked, explicit.asked, strict=False):
        both = zip(ours, theirs, strict=False)
        check(all(a == b for a, b in both), f"{case}: the engines differ on a single question")
    sheets = zip(sat.marks, explicit.marks, strict=False)
    check(all(a == b for a, b in sheets), f"{case}: the engines' sheets differ")
    if not explicit.stopped:
        check(len(sat.marks) == len(explicit.marks), f"{case}: a sheet is missing")
        return
    check(not sat.stopped, f"{case}: the symbolic side was stopped: {sat.stopped}")
    setup = setup_of(*case.given)
    scenes, happened = suggested(setup, seed, events)
    atoms = all_atoms(setup)
    with ReferenceSolver(setup, happened) as reference:
        for player, marks in zip(setup.players, sat.marks[-len(setup.players) :], strict=True):
            perspective = scenes[-1].perspective(player)
            for atom, mark in zip(atoms, marks, strict=True):
                right = reference.mark(perspective, atom)
                check(mark is right, f"{case}, {player}, {atom}: {mark}, expected {right}")


# ---- the output ------------------------------------------------------------------------


def _memory(side: Side) -> str | None:
    if side.stopped:
        return None
    return f"{side.peak / 2**20:,.1f} MB" if side.peak >= _NOISE else "< 1 MB"


def _typical(times: Sequence[float]) -> Seconds | None:
    return median(times) if times else None


def _beside(ours: float | None, theirs: float | None) -> list[object]:
    """Return two times and their ratio."""
    times = [None if one is None else Seconds(one) for one in (ours, theirs)]
    return [*times, ratio(theirs, ours)]


def _questions(case: Case, sat: Side, explicit: Side) -> list[object]:
    return [
        str(case),
        worlds_at_start(setup_of(*case.given)),
        *_beside(_typical(sat.opening), _typical(explicit.opening)),
        explicit.midway,
        *_beside(_typical(sat.questions), _typical(explicit.questions)),
    ]


def _rest(case: Case, sat: Side, explicit: Side) -> list[object]:
    return [
        str(case),
        *_beside(sat.build, explicit.build),
        *_beside(_typical(sat.updates), _typical(explicit.updates)),
        _memory(sat),
        _memory(explicit),
        explicit.stopped or "complete",
    ]


def _draw(cases: Sequence[Case], results: Sequence[dict[str, Side]], file: Path) -> None:
    try:
        import matplotlib
    except ImportError:
        raise click.ClickException("pictures need matplotlib: install symkripke[lab]") from None
    matplotlib.use("agg")
    from matplotlib import pyplot

    made, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    worlds = [worlds_at_start(setup_of(*case.given)) for case in cases]
    ways: tuple[tuple[str, str, str, Callable[[Side], float | None]], ...] = (
        ("one K question (start)", "o", "-", lambda side: _typical(side.opening)),
        ("one event", "s", "--", lambda side: _typical(side.updates)),
        ("build", "^", ":", lambda side: side.build),
    )
    for name, colour, label in (("sat", "C0", "SAT"), ("explicit", "C3", "explicit model")):
        sides = [result[name] for result in results]
        for what, marker, line, get in ways:
            found = [(number, get(side)) for number, side in zip(worlds, sides, strict=True)]
            points = sorted((number, value) for number, value in found if value is not None)
            left.plot(
                [number for number, _ in points],
                [value for _, value in points],
                marker=marker,
                linestyle=line,
                color=colour,
                label=f"{label}: {what}",
            )
        # The memory of a stopped side would be too low.
        held = sorted(
            (number, max(side.peak, _NOISE) / 2**20)
            for number, side in zip(worlds, sides, strict=True)
            if side.updates and not side.stopped
        )
        right.plot(
            [number for number, _ in held],
            [size for _, size in held],
            marker="o",
            color=colour,
            label=label if name == "explicit" else f"{label} (at most 1 MB is drawn as 1 MB)",
        )
    for axis, title, unit in ((left, "time", "seconds"), (right, "memory", "MB")):
        axis.set(xscale="log", yscale="log", xlabel="possible worlds at the start", ylabel=unit)
        axis.set_title(f"{title} against number of worlds")
        axis.grid(True, which="major", alpha=0.3)
        axis.legend(fontsize="small")
    made.savefig(file, dpi=150)


@measurement("versus-explicit")
@click.option(
    "--case",
    "texts",
    multiple=True,
    default=CASES,
    metavar="RULES:SIZE:PLAYERS",
    show_default="eleven sizes from study:2/2/2:3 to classic:6/6/9:6",
    help="A size to run; may be given several times.",
)
@click.option("--seed", default=7, help="The seed of the game.")
@click.option("--events", type=click.IntRange(2), default=12, help="Suggestions in the game.")
@click.option(
    "--seconds", type=click.FloatRange(min=1), default=60.0, help="When a side is stopped."
)
@click.option(
    "--max-worlds",
    type=click.IntRange(1),
    default=5_000_000,
    help="The most worlds that the explicit side may list.",
)
@click.option("--picture", type=click.Path(path_type=Path), help="Draw into this file.")
def versus_explicit(
    texts: Sequence[str],
    seed: int,
    events: int,
    seconds: float,
    max_worlds: int,
    picture: Path | None,
) -> Tables:
    """Is satisfiability faster than the explicit Kripke model, on the same games side by side?"""
    cases = [Case.of(text) for text in texts]
    verify_worlds()
    results = []
    for case in cases:
        sides = {name: run_side(name, case, seed, events, seconds, max_worlds) for name in SIDES}
        verify(case, seed, events, sides["sat"], sides["explicit"])
        results.append(sides)
    found = list(zip(cases, results, strict=True))
    names = ("SAT", "explicit", "ratio")
    game = f"seed {seed}, {events} suggestions"
    yield Table(
        f"A K question: SAT engine and explicit Kripke model on the same games ({game})",
        [
            "game",
            "worlds at the start",
            *(f"start: {name}" for name in names),
            "worlds midway",
            *(f"midway: {name}" for name in names),
        ],
        [_questions(case, **each) for case, each in found],
        "these answers, and all sheets at the start, midway and at the end, are equal (where the "
        "explicit side was stopped: the last sheets to CaDiCaL's)",
        [
            "median over player, card and place, each asked for the first time; midway: after "
            "half of the events",
        ],
    )
    yield Table(
        f"Build, update, memory, on the same games ({game})",
        [
            "game",
            *(f"{what}: {name}" for what in ("build", "update") for name in names),
            "memory: SAT",
            "memory: explicit",
            "explicit side",
        ],
        [_rest(case, **each) for case, each in found],
        "closed forms of the number of worlds equal the explicit counts and the published numbers",
        [
            "build: the first model, and one question of each player; update: median over the "
            "events, with one question of each player; memory: the most held at once, less that "
            "of a process that only imports",
        ],
    )
    if picture is not None:
        _draw(cases, results, picture)
