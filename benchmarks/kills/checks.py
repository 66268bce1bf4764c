"""What must hold after a program was ended, and once its run has been resumed."""

from __future__ import annotations

import json
import re
import signal
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.kills.cases import GAMES, Case
from benchmarks.kills.program import Program
from symkripke.errors import SymkripkeError
from symkripke.play import Record, Table, game
from symkripke.play.runs.result_files import read_games, read_run
from symkripke.play.runs.run import carry_out
from symkripke.play.runs.run_folder import UNFINISHED, RunFolder
from symkripke.play.runs.tournament import Plan, Played, plan, play

FAULTS = ("lost", "process left", "mixed set", "unreadable", "different", "traceback", "exit code")
"""What can be wrong: a game or an event is lost; a process is left; files do not belong together,
or are left; a log cannot be read; a resumed run has other rows; a traceback; a wrong exit code."""

# A game of 54 events.
_LOGGED = 3

_SETUP: dict[str, Any] = {"rules": "study", "size": "2/3/3"}
_MINDS = ("first-order", "higher-order", "first-order", "higher-order")
_SEED = 11

_STARTING = re.compile(
    r"Traceback \(most recent call last\):\n(?:(?!Traceback).*\n)*?"
    r".*multiprocessing.spawn\.py.*\n(?:(?!Traceback).*\n)*?EOFError: Ran out of input\n"
)

# Exit codes besides 0: it was over before. Python itself dies of a signal before the program
# listens, and after it; a shell sees the same code.
_CODES = {
    "SIGKILL": {-signal.SIGKILL},
    "SIGTERM": {128 + signal.SIGTERM, -signal.SIGTERM},
    "SIGTERM to all": {128 + signal.SIGTERM, -signal.SIGTERM},
    "Ctrl-C": {128 + signal.SIGINT, -signal.SIGINT},
    "worker killed": {1},
    "disk full": {1},
}


@dataclass(frozen=True)
class Seen:
    """What came of a case.

    Attributes:
        case: the case.
        early: whether the program had not ended by itself.
        faults: what is wrong, each with one of `FAULTS`.
        before: how many games or events were there just before it was ended.
        after: how many were there afterwards.
    """

    case: Case
    early: bool
    faults: tuple[tuple[str, str], ...]
    before: int
    after: int


def run(case: Case) -> Seen:
    """Run a case in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="symkripke-kills-") as name:
        place = Path(name)
        return _play(case, place) if case.work == "play --log" else _simulate(case, place)


def _ended(
    case: Case, program: Program, here: Path, lines: Callable[[], Collection[object]]
) -> Collection[object]:
    """End the program at its moment; what was there then."""
    if case.how == "Ctrl-C":
        # Python itself, while it starts, has its own answer to Ctrl-C.
        program.wait_for(here.exists)
    if case.begun != 0:
        wanted = GAMES if case.begun == -1 else case.begun
        program.wait_for(lambda: len(lines()) >= wanted)
    time.sleep(case.delay)
    there = lines()
    if case.how == "worker killed":
        program.kill_worker(case.chance)
    elif case.how == "SIGKILL":
        program.send(signal.SIGKILL)
    elif case.how == "Ctrl-C":
        program.send(signal.SIGINT, everybody=True)
    elif case.how != "disk full":
        program.send(signal.SIGTERM, everybody=case.how == "SIGTERM to all")
    return there


def _of_the_program(case: Case, program: Program) -> tuple[bool, list[tuple[str, str]], str]:
    """Whether it ended early, what is wrong with its end, and what it printed."""
    code, left = program.ended()
    out, err = program.texts()
    faults = []
    if left:
        faults.append(("process left", f"{left} processes"))
    if case.how == "SIGKILL":
        # A worker that Python is just starting says so when its parent is gone.
        err = _STARTING.sub("", err)
    if "Traceback" in err or "Traceback" in out:
        faults.append(("traceback", err))
    if code not in {0, *_CODES[case.how]}:
        faults.append(("exit code", f"{code}: {err[-500:]}"))
    return code != 0, faults, out


# ---- play --log --------------------------------------------------------------------------------


@cache
def _log() -> list[str]:
    """The log of the game that is played."""
    played = game("cluedo")
    table = Table(played, played.setup(players=3), ("random",), _LOGGED)
    for _ in table:
        pass
    return list(table.record.lines())


def _play(case: Case, place: Path) -> Seen:
    right = _log()
    log = place / "game.jsonl"
    old = "a log of another game\n"
    if case.before == "another":
        log.write_text(old, encoding="utf-8")
    size = sum(len(line) + 1 for line in right)
    full = max(1, int(size * case.room)) if case.how == "disk full" else 0
    arguments = ["play", "cluedo", "--players", "3", "--minds", "random", "--json"]
    arguments += ["--seed", str(_LOGGED), "--log", str(log), "--force"]
    program = Program(arguments, place, full)

    def events() -> list[str]:
        text = log.read_text(encoding="utf-8") if log.exists() else ""
        return [] if text == old else text.split("\n")[:-1][2:]

    there = _ended(case, program, log, events)
    early, faults, out = _of_the_program(case, program)
    text = log.read_text(encoding="utf-8") if log.exists() else old
    shown = max(0, sum('"event"' in line for line in out.split("\n")[:-1]) - 1)
    after = 0
    if text != old:
        after = len(text.split("\n")) - 3
        if "".join(f"{line}\n" for line in right[: after + 2]) != text:
            faults.append(("unreadable", f"the log ends in {text[-200:]!r}"))
        try:
            Record.read(log).replay()
        except SymkripkeError as error:
            faults.append(("unreadable", str(error)))
    if after < max(len(there), shown):
        faults.append(("lost", f"{max(len(there), shown)} events were there, then {after}"))
    asides = {path.name for path in place.iterdir()} - {"game.jsonl", "stdout", "stderr"}
    if asides and case.how not in ("SIGKILL", "SIGTERM", "SIGTERM to all"):
        faults.append(("mixed set", f"left: {sorted(asides)}"))
    return Seen(case, early, tuple(faults), len(there), after)


# ---- simulate ----------------------------------------------------------------------------------


def _plan(games: int = GAMES, seed: int = _SEED) -> Plan:
    return plan("cluedo", _SETUP, games=games, minds=_MINDS, rotate=True, seed=seed)


@cache
def _games(seed: int = _SEED) -> tuple[Played, ...]:
    run = _plan(seed=seed)
    return tuple(play(run, number) for number in range(GAMES))


@cache
def _undisturbed(form: str) -> tempfile.TemporaryDirectory[str]:
    """A folder with the files of the run that nothing ended."""
    folder = tempfile.TemporaryDirectory(prefix="symkripke-kills-")
    carry_out(_plan(), workers=1, folder=folder.name, form=form)
    return folder


def _prepare(case: Case, folder: Path) -> int:
    """Put into the folder what is to be there; how many games of the run that are."""
    number = case.chance.randrange(1, GAMES)
    if case.before == "another":
        with RunFolder(folder, _plan(5, _SEED + 1), "csv") as kept:
            for played in _games(_SEED + 1)[:5]:
                kept.add(played)
            kept.finish()
    elif case.before == "stopped":
        with RunFolder(folder, _plan(), case.form) as kept:
            for played in case.chance.sample(_games(), number):
                kept.add(played)
    elif case.before == "shorter":
        with RunFolder(folder, _plan(number), case.form) as kept:
            for played in _games()[:number]:
                kept.add(played)
            kept.finish()
    return number if case.work == "simulate --resume" else 0


def _simulate(case: Case, place: Path) -> Seen:
    folder = place / "run"
    begun = _prepare(case, folder)
    arguments = ["simulate", "cluedo", "--rules", "study", "--set", "size=2/3/3", "--rotate"]
    arguments += ["--minds", ",".join(_MINDS), "--seed", str(_SEED), "--games", str(GAMES)]
    arguments += ["--workers", str(case.workers), "--out", str(folder), "--format", case.form]
    if case.work == "simulate --resume":
        arguments.append("--resume")
    elif case.before == "another":
        arguments.append("--force")
    right = Path(_undisturbed(case.form).name)
    size = max(path.stat().st_size for path in right.iterdir())
    full = max(1, int(size * case.room)) if case.how == "disk full" else 0
    program = Program(arguments, place, full)
    there = _ended(case, program, folder / ".lock", lambda: _numbers(folder / UNFINISHED))
    early, faults, _out = _of_the_program(case, program)
    kept: set[int] = set()
    with _noting(faults, "unreadable"):
        kept = _kept(case, folder, faults)
    if not kept.issuperset(there) or len(kept) < begun:
        faults.append(("lost", f"{len(there)} games were there, then {len(kept)}"))
    with _noting(faults, "unreadable"):
        replaced = case.before == "another" and not kept
        carry_out(
            _plan(), workers=1, folder=folder, form=case.form, resume=not replaced, force=replaced
        )
    with _noting(faults, "different"):
        _compare(folder, right, faults)
    return Seen(case, early, tuple(faults), max(begun, len(there)), len(kept))


def _numbers(path: Path) -> set[int]:
    """The numbers of the games in the lines of a run that is not finished."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return set()
    lines = [json.loads(line) for line in text.split("\n")[:-1]]
    if not lines or lines[0]["run"]["seed"] != _SEED:
        return set()
    return {line["number"] for line in lines[1:]}


def _kept(case: Case, folder: Path, faults: list[tuple[str, str]]) -> set[int]:
    """The games of the run that are in the folder; notes what does not belong together."""
    if not folder.exists():
        return set()
    names = {path.name for path in folder.iterdir()}
    kept = _numbers(folder / UNFINISHED)
    read = read_run(folder)
    sets = {"run.json"}
    if read is not None:
        run = _plan(read["games"], read["seed"])
        games = {played.number for played in read_games(folder, run, read["format"])}
        sets |= {f"{stem}.{read['format']}" for stem in ("games", "events")}
        if len(games) != read["finished"] or read["complete"] != (len(games) == run.games):
            faults.append(("mixed set", f"run.json tells of {read['finished']}, not {len(games)}"))
        if read["seed"] == _SEED:
            kept |= games
    elif UNFINISHED not in names and names - {".lock"}:
        faults.append(("mixed set", f"no {UNFINISHED}, but {sorted(names)}"))
    hidden = {name for name in names if name.startswith(".")}
    if hidden and case.how != "SIGKILL":
        # Early on, SIGTERM is as sudden, but then nothing has been made.
        faults.append(("mixed set", f"left: {sorted(hidden)}"))
    if read is not None and (others := names - hidden - sets - {UNFINISHED}):
        faults.append(("mixed set", f"does not belong to run.json: {sorted(others)}"))
    return kept


def _compare(folder: Path, right: Path, faults: list[tuple[str, str]]) -> None:
    names = sorted(path.name for path in right.iterdir())
    if sorted(path.name for path in folder.iterdir()) != names:
        faults.append(("mixed set", f"in the end: {sorted(p.name for p in folder.iterdir())}"))
        return
    for name in names:
        if name.endswith(".parquet"):
            import polars

            same = polars.read_parquet(folder / name).equals(polars.read_parquet(right / name))
        else:
            same = (folder / name).read_bytes() == (right / name).read_bytes()
        if not same:
            faults.append(("different", name))


@contextmanager
def _noting(faults: list[tuple[str, str]], kind: str) -> Iterator[None]:
    try:
        yield
    except (SymkripkeError, OSError, ValueError, LookupError) as error:
        faults.append((kind, f"{type(error).__name__}: {error}"))
