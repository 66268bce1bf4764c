"""Programs stopped in every way at random moments, and properties of what they leave behind."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import click

from symkripke.errors import SymkripkeError
from symkripke.experiments import parse
from symkripke.experiments.running import run as run_study
from symkripke.experiments.running import status
from symkripke.play import Record, Table, game
from symkripke.play.runs.result_files import read_games, read_run
from symkripke.play.runs.run import carry_out
from symkripke.play.runs.run_folder import UNFINISHED, RunFolder
from symkripke.play.runs.tournament import Plan, Played, plan, play
from tests.soak.common import SMALL_STUDY, Found, contents
from tests.soak.program import CODES, Program

_GAMES = 24

# The seed of a game of Cluedo with 54 events.
_LOGGED = 3

_SETUP: dict[str, Any] = {"rules": "study", "size": "2/3/3"}
_MINDS = ("first-order", "higher-order", "first-order", "higher-order")
_SEED = 11

_STUDY = parse(SMALL_STUDY, "killed")


class Kill:
    """One program that is stopped, and the random choices for it.

    Attributes:
        chance: the source of random choices.
        how: the way to stop it, one of `CODES`.
        place: a separate folder.
        faults: the faults found.
    """

    def __init__(self, seed: int, number: int, hows: Collection[str], place: Path) -> None:
        """Choose the way to stop it; start nothing yet."""
        self.chance = Random(f"{seed}/{number}")
        self.how = [*hows][number // len(WORKS) % len(hows)]
        self.place, self.faults = place, list[str]()

    def workers(self) -> list[str]:
        """Return the option for the number of playing processes."""
        number = 2 if self.how == "worker killed" else self.chance.choice((1, 2, 2))
        return ["--workers", str(number)]

    def largest(self, size: int) -> int:
        """If the disk is to be full, return the maximum size of a file that needs `size` bytes."""
        if self.how != "disk full":
            return 0
        return max(1, int(size * self.chance.uniform(0.02, 1.0)))

    def end(
        self,
        program: Program,
        here: Path,
        lines: Callable[[], Collection[object]],
        most: int,
        strike: Callable[[], object] | None = None,
    ) -> tuple[Collection[object], str]:
        """Stop the program at its moment; return its finished items at that time, and its output.

        Args:
            program: the program.
            here: a file that it makes early.
            lines: returns the finished items.
            most: the final number of items.
            strike: stops the program; by default, it is stopped as `how` says.
        """
        if self.how == "Ctrl-C":
            # While Python itself starts, it handles Ctrl-C differently.
            program.wait_for(here.exists)
        when = self.chance.random()
        begun = self.chance.randrange(1, most) if when > 0.3 else most if when > 0.15 else 0
        if begun or self.how == "worker killed":
            program.wait_for(lambda: len(lines()) >= max(1, begun))
        time.sleep(self.chance.uniform(0, 0.05 if begun else 1.5))
        there = lines()
        if strike is None:
            program.end(self.how, self.chance)
        else:
            strike()
        _, out, faults = program.faults(self.how)
        self.faults += faults
        return there, out

    @contextmanager
    def noting(self, kind: str) -> Iterator[None]:
        """Record errors in the body as faults of that kind."""
        try:
            yield
        except (SymkripkeError, OSError, ValueError, LookupError) as error:
            self.faults.append(f"{kind}: {type(error).__name__}: {error}")


# ---- play --log --------------------------------------------------------------------------------


@cache
def _log() -> list[str]:
    """Return the log of the game."""
    played = game("cluedo")
    table = Table(played, played.setup(players=3), ("random",), _LOGGED)
    list(table)
    return list(table.record.lines())


def play_log(kill: Kill, _: Any) -> int:
    """Stop `play --log`, with or without a log of another game in place; return the events kept."""
    right, log, old = _log(), kill.place / "game.jsonl", "a log of another game\n"
    if kill.chance.random() < 0.5:
        log.write_text(old, encoding="utf-8")
    arguments = ["play", "cluedo", "--players", "3", "--minds", "random", "--json"]
    arguments += ["--seed", str(_LOGGED), "--log", str(log), "--force"]
    full = kill.largest(sum(len(line) + 1 for line in right))

    def events() -> list[str]:
        text = log.read_text(encoding="utf-8") if log.exists() else ""
        return [] if text == old else text.split("\n")[:-1][2:]

    there, out = kill.end(Program(arguments, kill.place, full), log, events, _GAMES)
    text = log.read_text(encoding="utf-8") if log.exists() else old
    if text != old:
        if "".join(f"{line}\n" for line in right[: len(events()) + 2]) != text:
            kill.faults.append(f"unreadable: the log ends in {text[-200:]!r}")
        with kill.noting("unreadable"):
            Record.read(log).replay()
    shown = sum('"event"' in line for line in out.split("\n")[:-1]) - 1
    if len(events()) < max(len(there), shown):
        kill.faults.append(f"lost: {max(len(there), shown)} events were there: {len(events())}")
    asides = {path.name for path in kill.place.iterdir()} - {"game.jsonl", "stdout", "stderr"}
    if asides and kill.how not in ("SIGKILL", "SIGTERM"):
        kill.faults.append(f"mixed set: left: {sorted(asides)}")
    return len(events())


# ---- simulate ----------------------------------------------------------------------------------


def _plan(games: int = _GAMES, seed: int = _SEED) -> Plan:
    return plan("cluedo", _SETUP, games=games, minds=_MINDS, rotate=True, seed=seed)


@cache
def _games(seed: int = _SEED) -> tuple[Played, ...]:
    return tuple(play(_plan(seed=seed), number) for number in range(_GAMES))


@cache
def _undisturbed(form: str) -> TemporaryDirectory[str]:
    """Return a folder with the files of an undisturbed run or study."""
    folder = TemporaryDirectory(prefix="symkripke-kills-")
    if form == "study":
        run_study(_STUDY, Path(folder.name), workers=1)
    else:
        carry_out(_plan(), workers=1, folder=folder.name, form=form)
    return folder


def _prepare(folder: Path, run: Plan, games: Collection[Played], form: str) -> None:
    """Put these games of the run into the folder."""
    with RunFolder(folder, run, form) as kept:
        for played in games:
            kept.add(played)
        if len(games) == run.games:
            kept.finish()


def simulate(kill: Kill, _: Any) -> int:
    """Stop `simulate`, on an empty or used folder or with `--resume`; return the games kept."""
    folder, chance = kill.place / "run", kill.chance
    form = chance.choice(("csv", "csv", "parquet" if find_spec("polars") else "csv"))
    before = chance.choice(("nothing", "another", "stopped", "shorter"))
    number = chance.randrange(1, _GAMES)
    arguments = ["simulate", "cluedo", "--rules", "study", "--set", "size=2/3/3", "--rotate"]
    arguments += ["--minds", ",".join(_MINDS), "--seed", str(_SEED), "--games", str(_GAMES)]
    arguments += [*kill.workers(), "--out", str(folder), "--format", form]
    if before == "another":
        _prepare(folder, _plan(5, _SEED + 1), _games(_SEED + 1)[:5], "csv")
        arguments.append("--force")
    elif before == "stopped":
        _prepare(folder, _plan(), chance.sample(_games(), number), form)
    elif before == "shorter":
        _prepare(folder, _plan(number), _games()[:number], form)
    begun = number if before in ("stopped", "shorter") else 0
    arguments += ["--resume"] * bool(begun)
    right = Path(_undisturbed(form).name)
    full = kill.largest(max(path.stat().st_size for path in right.iterdir()))
    program = Program(arguments, kill.place, full)
    there, _ = kill.end(program, folder / ".lock", lambda: _numbers(folder / UNFINISHED), _GAMES)
    kept: set[int] = set()
    with kill.noting("unreadable"):
        kept = _kept(kill, folder)
    if not kept.issuperset(there) or len(kept) < begun:
        kill.faults.append(f"lost: {len(there)} games were there, then {len(kept)}")
    with kill.noting("unreadable"):
        replaced = before == "another" and not kept
        carry_out(_plan(), workers=1, folder=folder, form=form, resume=not replaced, force=replaced)
    with kill.noting("different"):
        _compare(kill, folder, right)
    return len(kept)


def _numbers(path: Path) -> set[int]:
    """Return the numbers of the games in the lines of an unfinished run."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return set()
    lines = [json.loads(line) for line in text.split("\n")[:-1]]
    if not lines or lines[0]["run"]["seed"] != _SEED:
        return set()
    return {line["number"] for line in lines[1:]}


def _kept(kill: Kill, folder: Path) -> set[int]:
    """Return the games of the run in the folder; record files that do not belong together."""
    if not folder.exists():
        return set()
    names = {path.name for path in folder.iterdir()}
    kept = _numbers(folder / UNFINISHED)
    read = read_run(folder)
    hidden = {name for name in names if name.startswith(".")}
    if read is not None:
        run = _plan(read["games"], read["seed"])
        games = {played.number for played in read_games(folder, run, read["format"])}
        sets = {"run.json", *(f"{stem}.{read['format']}" for stem in ("games", "events"))}
        if len(games) != read["finished"] or read["complete"] != (len(games) == run.games):
            kill.faults.append(f"mixed set: run.json tells of {read['finished']}, not {len(games)}")
        if read["seed"] == _SEED:
            kept |= games
        if others := names - hidden - sets - {UNFINISHED}:
            kill.faults.append(f"mixed set: does not belong to run.json: {sorted(others)}")
    elif UNFINISHED not in names and names - {".lock"}:
        kill.faults.append(f"mixed set: no {UNFINISHED}, but {sorted(names)}")
    if hidden and kill.how != "SIGKILL":
        # Early on, SIGTERM has no handler yet, but then no files exist.
        kill.faults.append(f"mixed set: left: {sorted(hidden)}")
    return kept


def _compare(kill: Kill, folder: Path, peace: Path) -> None:
    """Record the files that differ from those of an undisturbed run."""
    mine, right = contents(folder), contents(peace)
    for name in sorted({name for name in (*mine, *right) if not name.endswith(".lock")}):
        if mine.get(name) != right.get(name):
            kill.faults.append(f"different in the end: {name}")


# ---- experiment run ----------------------------------------------------------------------------


def study(kill: Kill, served: Any) -> int:
    """Stop `experiment run` twice, and let it finish; return the games kept before that."""
    (kill.place / "killed.toml").write_text(_STUDY.text, encoding="utf-8")
    out = kill.place / "out"
    words = ["experiment", "run", "killed.toml", "--out", "out", "--no-report"]
    words += kill.workers() if served is None else ["--scheduler", served.scheduler_address]
    total = sum(condition.plan.games for condition in _STUDY.conditions)

    def kept() -> range:
        time.sleep(0.05)
        return range(sum(standing.games for standing in status(_STUDY, out)))

    for _ in range(2):
        program = Program(words, kill.place)

        def strike(program: Program = program) -> None:
            # The cluster continues without this worker; one more finished game shows that.
            wanted = min(total, len(kept()) + 1)
            kill.chance.choice(list(served.workers.values())).process.process._process.kill()
            program.wait_for(lambda: len(kept()) >= wanted)
            kill.how = "Ctrl-C"
            program.end("Ctrl-C", kill.chance)

        is_struck = served is not None and kill.how == "worker killed"
        there, _ = kill.end(program, out, kept, total, strike if is_struck else None)
        if len(kept()) < len(there):
            kill.faults.append(f"lost: {len(there)} games were there, then {len(kept())}")
    number = len(kept())
    scheduler = None if served is None else served.scheduler_address
    run_study(_STUDY, out, workers=None if scheduler else 1, scheduler=scheduler)
    right = Path(_undisturbed("study").name)
    _compare(kill, out / "conditions", right / "conditions")
    return number


WORKS: dict[str, tuple[Callable[[Kill, Any], int], tuple[str, ...]]] = {
    "play --log": (play_log, ("SIGKILL", "SIGTERM", "Ctrl-C", "disk full")),
    "simulate": (
        simulate,
        ("SIGKILL", "SIGTERM", "SIGTERM to all", "Ctrl-C", "worker killed", "disk full"),
    ),
    "experiment run": (study, tuple(how for how in CODES if how != "disk full")),
}
"""The commands, and the ways to stop them. For `play`, SIGTERM to all is the same as SIGTERM."""


@click.command()
@click.option("--times", type=click.IntRange(min=1), default=30, help="How many kills.")
@click.option("--seed", type=int, default=0, help="Which kills.")
@click.option("--only", type=click.IntRange(min=0), metavar="N", help="Kill number N alone.")
@click.option("--work", "works", type=click.Choice([*WORKS]), multiple=True, help="Only this.")
@click.option("--cluster", is_flag=True, help="Studies on a local Dask cluster of two processes.")
def kills(times: int, seed: int, only: int | None, works: tuple[str, ...], cluster: bool) -> Found:
    """Stop `play --log`, `simulate` and `experiment run` at random moments.

    After each stop, no finished game may be lost, no process may remain, the files must belong
    together, and the resumed run must have the rows of an undisturbed one. The same seed makes the
    same choices; the moments depend on the machine.
    """
    found, kept = Found(), 0
    size = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    made = import_module("distributed").LocalCluster(**size) if cluster else nullcontext()
    with made as served:
        for number in range(times) if only is None else [only]:
            name = [*WORKS][number % len(WORKS)]
            if works and name not in works:
                continue
            work, hows = WORKS[name]
            with TemporaryDirectory(prefix="symkripke-kills-") as place:
                kill = Kill(seed, number, hows, Path(place))
                kept += work(kill, served)
            found.done[f"{name}, {kill.how}"] += 1
            for told in kill.faults:
                found.fault(f"--seed {seed} --only {number}: {name}, {kill.how}: {told}")
    found.notes.append(f"{kept:,} games and events of logs were kept")
    return found
