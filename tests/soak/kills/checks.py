"""What must hold after a program was ended, and once its run has been resumed."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from symkripke.errors import SymkripkeError
from symkripke.play import Record, Table, game
from symkripke.play.runs.result_files import read_games, read_run
from symkripke.play.runs.run import carry_out
from symkripke.play.runs.run_folder import UNFINISHED, RunFolder
from symkripke.play.runs.tournament import Plan, Played, plan, play
from tests.soak.kills.cases import GAMES, Case
from tests.soak.kills.program import Program

# A game of 54 events.
_LOGGED = 3

_SETUP: dict[str, Any] = {"rules": "study", "size": "2/3/3"}
_MINDS = ("first-order", "higher-order", "first-order", "higher-order")
_SEED = 11


def run(case: Case) -> tuple[int, list[str]]:
    """Run a case in a folder of its own: the games or events kept, and what is wrong.

    What can be wrong: a game or an event is lost; a process is left; files do not belong together
    (a mixed set), or are left; a log cannot be read; a resumed run has other rows; a traceback; a
    wrong exit code.
    """
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
    program.end(case.how, case.chance)
    return there


# ---- play --log --------------------------------------------------------------------------------


@cache
def _log() -> list[str]:
    """The log of the game that is played."""
    played = game("cluedo")
    table = Table(played, played.setup(players=3), ("random",), _LOGGED)
    for _ in table:
        pass
    return list(table.record.lines())


def _play(case: Case, place: Path) -> tuple[int, list[str]]:
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
    _, out, faults = program.faults(case.how)
    text = log.read_text(encoding="utf-8") if log.exists() else old
    shown = max(0, sum('"event"' in line for line in out.split("\n")[:-1]) - 1)
    after = 0
    if text != old:
        after = len(text.split("\n")) - 3
        if "".join(f"{line}\n" for line in right[: after + 2]) != text:
            faults.append(f"unreadable: the log ends in {text[-200:]!r}")
        try:
            Record.read(log).replay()
        except SymkripkeError as error:
            faults.append(f"unreadable: {error}")
    if after < max(len(there), shown):
        faults.append(f"lost: {max(len(there), shown)} events were there, then {after}")
    asides = {path.name for path in place.iterdir()} - {"game.jsonl", "stdout", "stderr"}
    if asides and case.how not in ("SIGKILL", "SIGTERM", "SIGTERM to all"):
        faults.append(f"mixed set: left: {sorted(asides)}")
    return after, faults


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


def _simulate(case: Case, place: Path) -> tuple[int, list[str]]:
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
    _, _, faults = program.faults(case.how)
    kept: set[int] = set()
    with _noting(faults, "unreadable"):
        kept = _kept(case, folder, faults)
    if not kept.issuperset(there) or len(kept) < begun:
        faults.append(f"lost: {len(there)} games were there, then {len(kept)}")
    with _noting(faults, "unreadable"):
        replaced = case.before == "another" and not kept
        carry_out(
            _plan(), workers=1, folder=folder, form=case.form, resume=not replaced, force=replaced
        )
    with _noting(faults, "different"):
        _compare(folder, right, faults)
    return len(kept), faults


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


def _kept(case: Case, folder: Path, faults: list[str]) -> set[int]:
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
            faults.append(f"mixed set: run.json tells of {read['finished']}, not {len(games)}")
        if read["seed"] == _SEED:
            kept |= games
    elif UNFINISHED not in names and names - {".lock"}:
        faults.append(f"mixed set: no {UNFINISHED}, but {sorted(names)}")
    hidden = {name for name in names if name.startswith(".")}
    if hidden and case.how != "SIGKILL":
        # Early on, SIGTERM is as sudden, but then nothing has been made.
        faults.append(f"mixed set: left: {sorted(hidden)}")
    if read is not None and (others := names - hidden - sets - {UNFINISHED}):
        faults.append(f"mixed set: does not belong to run.json: {sorted(others)}")
    return kept


def _compare(folder: Path, right: Path, faults: list[str]) -> None:
    names = sorted(path.name for path in right.iterdir())
    if sorted(path.name for path in folder.iterdir()) != names:
        faults.append(f"mixed set: in the end: {sorted(p.name for p in folder.iterdir())}")
        return
    for name in names:
        if name.endswith(".parquet"):
            import polars

            same = polars.read_parquet(folder / name).equals(polars.read_parquet(right / name))
        else:
            same = (folder / name).read_bytes() == (right / name).read_bytes()
        if not same:
            faults.append(f"different: {name}")


@contextmanager
def _noting(faults: list[str], kind: str) -> Iterator[None]:
    try:
        yield
    except (SymkripkeError, OSError, ValueError, LookupError) as error:
        faults.append(f"{kind}: {type(error).__name__}: {error}")
