"""The same command prints and writes the same bytes, whatever varies that should not matter.

What varies: PYTHONHASHSEED, by which Python orders sets of texts, and how many processes simulate.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from benchmarks.common import show
from symkripke.play import game
from symkripke.play.workers import cpus

SIZES = {
    "cluedo": "--players 3 --size 4/4/5",
    "kwartet": "--players 4 --set groups=5",
    "old_maid": "--players 3 --rules study --set ranks=5",
    "perudo": "--players 3 --set dice=3",
    "sleuth": "--players 3 --size 4/3/3",
}
"""How the minds play: large enough for them to reason, small enough to play all of them often."""

ASKED = {
    "cluedo": "--players 6 --size 6/6/6",
    "kwartet": "--players 4 --set groups=5",
    "old_maid": "--players 3 --rules study --set ranks=5",
    "perudo": "--players 3 --set dice=3",
    "sleuth": "--players 4 --size 4/3/3",
}
"""The games that are asked about: with the players of whom the examples of each game speak."""

PUZZLES = ("muddy_children", "russian_cards", "cheryls_birthday")

PATIENCE = 300
"""Seconds that a command may take; one that takes longer ends all."""

# What may differ from run to run.
_TIMES = ("seconds", "workers", "games_per_second", "started", "created")


@dataclass(frozen=True)
class Command:
    """One command of symkripke.

    Attributes:
        kind: what is compared, as the table calls it.
        group: the game or file that it is about.
        words: its arguments. `{workers}` and `{folder}` stand for what varies.
        workers: whether it is to be run with several numbers of workers.
    """

    kind: str
    group: str
    words: tuple[str, ...]
    workers: bool = False


def games(names: Iterable[str]) -> Iterator[Command]:
    """Each mind of each game plays a game with others of its kind, and the log is kept."""
    for name in names:
        for mind in game(name).strategies:
            options = (*SIZES[name].split(), "--minds", mind, "--seed", "3")
            log = ("--log", f"{name}-{mind}.jsonl")
            yield Command("play --json, log", name, ("play", name, *options, "--json", *log))
        for form in ("--json", "--brief"):
            log = ("--log", f"{name}{form}.jsonl")
            words = ("play", name, *ASKED[name].split(), "--seed", "7", form, *log)
            yield Command("play, log", name, words)


def questions(names: Iterable[str]) -> Iterator[Command]:
    """What can be asked about a log."""
    for name in names:
        log = f"{name}--json.jsonl"
        seats = int(ASKED[name].split()[1])
        seat = game(name).setup(players=seats).players[0]
        who = ("--player", seat, "--at", "3")
        for command, options in (
            ("sheet", who),
            ("sheet", (*who, "--odds")),
            ("odds", who),
            ("odds", (*who, "--weighting", "bayes")),
            ("suggest", who),
            ("sample", who),
            ("who", ("--at", "3")),
        ):
            for as_json in ((), ("--json",)):
                words = (command, log, *options, *as_json)
                yield Command(" ".join((command, *as_json)), name, words)
        for formula in game(name).examples:
            asked: tuple[str, ...] = ("ask", log, formula, "--at", "3", "--why")
            yield Command("ask --why", name, asked)
            yield Command("ask --why --json", name, (*asked, "--json"))
        for form in ("dimacs", "qdimacs", "smtlib"):
            formula = next(iter(game(name).examples))
            asked = ("export", log, formula, "--format", form, "--at", "2")
            yield Command("export", name, asked)
    for puzzle in PUZZLES:
        for as_json in ((), ("--json",)):
            yield Command("puzzle --why", puzzle, ("puzzle", puzzle, "--why", *as_json))


def runs(names: Iterable[str], number: int) -> Iterator[Command]:
    """Runs of all minds of each game against each other, into files of each form."""
    for name in names:
        for form in ("csv", "parquet"):
            seats = int(SIZES[name].split()[1])
            minds = list(game(name).strategies)
            # The rows are the same in each form: one run is enough to see that they are written so.
            for start in range(0, len(minds) if form == "csv" else 1, seats):
                seated = (minds[start:] + minds)[:seats]
                words = (
                    *("simulate", name, *SIZES[name].split(), "--games", str(number)),
                    *("--minds", ",".join(seated), "--rotate", "--workers", "{workers}"),
                    *("--format", form, "--out", "{folder}", "--json"),
                )
                yield Command(f"simulate, {form}", name, words, workers=True)


def outputs(command: Command, folder: Path, seed: str, workers: int) -> dict[str, str]:
    """Digests of all that the command prints and writes, by name; of its exit code, too."""
    out = f"out-{hashlib.sha1(repr(command).encode()).hexdigest()[:12]}-{workers}"
    words = [word.format(workers=workers, folder=out) for word in _braced(command)]
    done = subprocess.run(
        [sys.executable, "-m", "symkripke", *words],
        cwd=folder,
        env={**os.environ, "PYTHONHASHSEED": seed, "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    found = {"exit code": str(done.returncode), "error": _timeless(done.stderr.replace(out, "OUT"))}
    found["output"] = _timeless(done.stdout.replace(out, "OUT"))
    if "--log" in words:
        log = folder / words[words.index("--log") + 1]
        found[log.name] = log.read_text(encoding="utf-8")
    for path in sorted((folder / out).glob("*")) if command.workers else ():
        found[path.name] = rows(path)
    return {
        name: text if len(text) < 10 else hashlib.sha256(text.encode()).hexdigest()
        for name, text in found.items()
    }


def _braced(command: Command) -> Iterator[str]:
    """The words; in those of commands that run once, braces mean themselves."""
    for word in command.words:
        yield word if command.workers else word.replace("{", "{{").replace("}", "}}")


def rows(path: Path) -> str:
    """What a file holds: the bytes; of Parquet the rows, with the names and types of columns."""
    if path.suffix != ".parquet":
        return _timeless(path.read_text(encoding="utf-8"))
    import polars

    frame = polars.read_parquet(path)
    return repr((frame.schema, frame.rows()))


def _timeless(text: str) -> str:
    """A JSON object without what it says of times and workers; other text as it is."""
    try:
        data = json.loads(text)
    except ValueError:
        return text
    if not isinstance(data, dict):
        return text
    return json.dumps({name: data[name] for name in data if name not in _TIMES})


def differences(
    commands: Sequence[Command], seeds: Sequence[str], workers: Sequence[int], at_once: int
) -> tuple[Counter[str], Counter[str], Counter[str], list[str]]:
    """What was run and compared, by kind; what differed, by kind; and each difference in words.

    All that a command prints and writes counts as one comparison each.
    """
    ran: Counter[str] = Counter()
    compared: Counter[str] = Counter()
    differing: Counter[str] = Counter()
    told: list[str] = []
    with tempfile.TemporaryDirectory() as root, ThreadPoolExecutor(at_once) as threads:
        folders = {seed: Path(root, seed) for seed in seeds}
        for folder in folders.values():
            folder.mkdir()
        # Logs are written before they are asked about.
        for phase in ("play", ""):
            of_phase = [c for c in commands if (c.words[0] == "play") == (phase == "play")]
            asked = [
                (command, seed, number)
                for command in of_phase
                for seed in seeds
                for number in (workers if command.workers else workers[:1])
            ]
            done = threads.map(lambda way: outputs(way[0], folders[way[1]], *way[1:]), asked)
            first: dict[Command, dict[str, str]] = {}
            for (command, seed, number), found in zip(asked, done, strict=True):
                ran[command.kind] += 1
                expected = first.setdefault(command, found)
                if expected is found:
                    continue
                for name in sorted({*expected, *found}):
                    compared[command.kind] += 1
                    if expected.get(name) != found.get(name):
                        differing[command.kind] += 1
                        how = f"hash seed {seed}" + f", {number} workers" * command.workers
                        told.append(f"{name} differs with {how}: {' '.join(command.words)}")
    return ran, compared, differing, told


@click.command()
@click.option("--seeds", default="0,1,2,77", help="The hash seeds, with commas between them.")
@click.option("--workers", default="1,2,4", help="The numbers of workers, likewise.")
@click.option("--games", "number", type=click.IntRange(1), default=12, help="Games a run.")
@click.option("--only", "names", multiple=True, type=click.Choice(list(SIZES)), help="That game.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def determinism(
    seeds: str, workers: str, number: int, names: tuple[str, ...], as_json: bool
) -> None:
    """Run commands with several hash seeds and numbers of workers: is all the same?

    All minds of all games, and all that can be asked about a log. Exit code 1 on any difference.
    """
    chosen = names or tuple(SIZES)
    commands = [*games(chosen), *questions(chosen), *runs(chosen, number)]
    begun = time.monotonic()
    numbers = [int(part) for part in workers.split(",")]
    ran, compared, differing, told = differences(commands, seeds.split(","), numbers, cpus())
    spent = time.monotonic() - begun
    if as_json:
        data: dict[str, Any] = {"ran": ran, "compared": compared, "differing": differing}
        click.echo(json.dumps({**data, "differences": told, "seconds": round(spent)}))
    else:
        table = [
            (kind, f"{ran[kind]:,}", f"{compared[kind]:,}", str(differing[kind]))
            for kind in (*ran, "all")
            if kind != "all"
        ]
        table.append(("all", f"{ran.total():,}", f"{compared.total():,}", str(differing.total())))
        notes = [f"hash seeds {seeds}; {workers} workers; {spent:.0f} s", *told]
        show("Same bytes", ("what", "commands run", "compared", "different"), table, notes)
    if differing:
        raise SystemExit(1)
