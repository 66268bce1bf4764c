"""What all benchmarks share: checks, clocks, tables, pictures, child processes, seeded games."""

from __future__ import annotations

import gc
import multiprocessing
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from symkripke.engines import Engine
from symkripke.language import FALSE, Atom, K
from symkripke.model import Perspective, Scene
from symkripke.play import Table
from symkripke.play.hands import at
from symkripke_games.cluedo import GAME, knowledge
from symkripke_games.cluedo.rules import Done, Happening, Setup, Show, Suggest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

T = TypeVar("T")

CluedoTable = Table[Setup, Happening]

# ---- checks ----------------------------------------------------------------------------


class WrongAnswer(Exception):
    """A benchmark found a wrong answer, so that its times would mean nothing."""


def check(right: bool, what: str) -> None:
    """Raises `WrongAnswer` unless `right`."""
    if not right:
        raise WrongAnswer(what)


# ---- clocks ----------------------------------------------------------------------------


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds of wall time that `work` took, and its result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


@contextmanager
def quiet() -> Iterator[None]:
    """A stretch without garbage collection, as `timeit` has it: a pause would hit any one call."""
    gc.collect()
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def median(numbers: Iterable[float]) -> float:
    """The median; not a number if there are none."""
    given = list(numbers)
    return statistics.median(given) if given else float("nan")


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The b of the least-squares line log(value) = a + b log(size): 1 is linear growth."""
    import math

    logs = [(math.log(x), math.log(y)) for x, y in zip(sizes, values, strict=True)]
    if len({x for x, _ in logs}) < 2:
        return float("nan")
    return statistics.linear_regression(*zip(*logs, strict=True)).slope


# ---- what is printed and drawn ---------------------------------------------------------


def duration(seconds: float | None) -> str:
    """A time with its unit, to three digits; a dash for None."""
    if seconds is None or seconds != seconds:
        return "-"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}" if seconds < 1000 else f"{seconds:,.0f} s"
    return f"{seconds * 1e6:.3g} us"


def ratio(above: float | None, below: float | None) -> str:
    """How many times `below` goes into `above`."""
    if not above or not below:
        return "-"
    times = above / below
    return f"{times:,.0f}" if times >= 100 else f"{times:.3g}"


def show(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    notes: Iterable[str] = (),
) -> None:
    """Print a table, with notes under it; Markdown where the output is no terminal."""
    console = Console(highlight=False)
    table = RichTable(box=box.SIMPLE_HEAD if console.is_terminal else box.MARKDOWN)
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 else "right")
    for row in rows:
        table.add_row(*row)
    if not console.is_terminal:
        # A pipe has no width: nothing is cut off or wrapped.
        console = Console(highlight=False, width=400)
    console.print(f"\n{title}", style="bold", markup=False)
    console.print(table)
    for note in notes:
        console.print(note, markup=False)


def out_option(command: Callable[..., None]) -> Callable[..., None]:
    """The option that says where pictures go."""
    return click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path(__file__).parent / "results",
        show_default="benchmarks/results",
        help="Where the pictures go.",
    )(command)


def save(figure: Figure, out: Path, name: str) -> None:
    """Write a picture as SVG and PNG."""
    out.mkdir(parents=True, exist_ok=True)
    for kind in ("svg", "png"):
        figure.savefig(out / f"{name}.{kind}", dpi=150)
    click.echo(f"picture: {out / name}.svg, .png")


def figure(panels: int) -> tuple[Figure, list[Any]]:
    """A figure with so many panels side by side; needs the extra `lab`."""
    try:
        import matplotlib
    except ImportError:
        raise click.ClickException(
            "pictures need matplotlib: install symkripke[lab], or give --no-picture"
        ) from None
    matplotlib.use("agg")
    from matplotlib import pyplot

    made, axes = pyplot.subplots(
        1, panels, figsize=(5.5 * panels, 4.2), layout="constrained", squeeze=False
    )
    return made, list(axes[0])


picture_option = click.option(
    "--picture/--no-picture", default=True, help="Whether to draw the picture."
)

# ---- other processes -------------------------------------------------------------------


@dataclass(frozen=True)
class Child:
    """What came of work in a child process.

    Attributes:
        result: what the work returned; None if it was stopped.
        peak: the most memory that it held at once, in bytes.
    """

    result: Any
    peak: int


def peak_memory(process: int | str = "self") -> int:
    """The most memory, in bytes, that a process held at once; 0 if it has ended.

    `ru_maxrss` counts what the parent held when it made this process (Linux hands it on at
    exec), and would hide everything smaller than that: used only where there is nothing better.
    """
    with suppress(OSError):
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
        if found:
            return int(found.group(1)) * 1024
    if process != "self":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _work(pipe: Connection, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    result = work(*arguments)
    pipe.send((result, peak_memory()))
    pipe.close()


def in_child(
    work: Callable[..., Any],
    *arguments: Any,
    seconds: float | None = None,
    context: SpawnContext | ForkServerContext | None = None,
) -> Child:
    """Run `work` (of a module's top level) in a new process, which is ended after `seconds`.

    `context`: how the process is started; None: as a fresh one.

    Raises:
        RuntimeError: the process failed, or was killed from outside (out of memory).
    """
    started = context or multiprocessing.get_context("spawn")
    ours, theirs = started.Pipe(duplex=False)
    process = started.Process(target=_work, args=(theirs, work, arguments), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            return Child(None, 0)
        result, peak = ours.recv()
        return Child(result, peak)
    except EOFError:
        process.join()
        raise RuntimeError(f"a child process ended with code {process.exitcode}") from None
    finally:
        process.terminate()
        process.join()
        ours.close()


@dataclass(frozen=True)
class Processes:
    """Whole runs of a command: seconds of each, or why there are none."""

    seconds: tuple[float, ...]
    failure: str = ""


def run_often(command: Sequence[str], runs: int) -> Processes:
    """Wall times of whole processes."""
    seconds = []
    for _ in range(runs):
        try:
            took, done = timed(
                lambda: subprocess.run(command, capture_output=True, text=True, check=False)
            )
        except OSError as error:
            return Processes((), error.strerror or str(error))
        if done.returncode:
            last = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
            return Processes((), last[-1])
        seconds.append(took)
    return Processes(tuple(seconds))


# ---- games -----------------------------------------------------------------------------


def setup_of(rules: str, players: int, size: str | None = None) -> Setup:
    """A Cluedo setup; raises `RuleError`."""
    return GAME.setup(rules=rules, players=players, size=size)


def played(setup: Setup, seed: int, minds: Sequence[str] = (), turns: int = 1_000) -> CluedoTable:
    """A game that is over, or has come to `turns` turns."""
    table = Table(GAME, setup, minds, seed, turns=turns)
    for _ in table:
        pass
    return table


def suggested(setup: Setup, seed: int, suggestions: int) -> tuple[list[Scene], list[Happening]]:
    """A game of so many random suggestions, without accusations: all its scenes and events.

    Cards shown are chosen at random. No player reasons, so any size can be had.
    """
    chance = Random(f"{seed}/suggestions")
    deal = GAME.deal(setup, Random(f"{seed}/deal"))
    state = GAME.start(setup, deal)
    scenes = [Scene.of(GAME.structure(setup), deal)]
    events: list[Happening] = []
    for _ in range(suggestions):
        asked = tuple(chance.choice(cards).id for cards in setup.edition.categories)
        state, outcome = state.play(Suggest((asked[0], asked[1], asked[2])))
        if outcome is None:
            assert state.decision is not None
            assert state.decision.options is not None
            shown: Show = chance.choice(state.decision.options)
            state, outcome = state.play(shown)
        assert outcome is not None
        events.append(outcome.public)
        scenes.append(scenes[-1].update(knowledge.event(setup, outcome.public), outcome.secret))
        state, _ = state.play(Done())
    return scenes, events


def all_atoms(setup: Setup) -> list[Atom]:
    """Every card at every place."""
    places = GAME.layout(setup, GAME.structure(setup)).columns
    return [at(card.id, place) for card in setup.edition.cards for place in places]


def stand(engine: Engine, perspective: Perspective) -> None:
    """Bring the engine to this perspective, so that a first question does not pay for the way."""
    check(
        not engine.holds(perspective, K(perspective.agent, FALSE)),
        f"{perspective.agent} considers no world possible after what it has seen",
    )
