"""Checks that a command prints and writes the same bytes, whatever may vary without effect.

The variations are PYTHONHASHSEED, which determines the order of sets of texts in Python, and the
number of simulating processes.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click

import symkripke_games.stories
from symkripke.play import game
from tests.soak.common import Found, contents

SIZES = {
    "cluedo": "--players 3 --size 4/4/5",
    "kwartet": "--players 4 --set groups=5",
    "old_maid": "--players 3 --rules study --set ranks=5",
    "perudo": "--players 3 --set dice=3",
    "sleuth": "--players 3 --size 4/3/3",
}
"""Sizes at which each mind plays: large enough to reason, small enough to play every mind often."""

ASKED = SIZES | {"cluedo": "--players 6 --size 6/6/6", "sleuth": "--players 4 --size 4/3/3"}
"""Sizes of the games that are queried; their players are those of each game's examples."""

PUZZLES = ("muddy_children", "russian_cards", "cheryls_birthday")

STORIES = tuple(map(str, sorted(Path(symkripke_games.stories.__path__[0]).resolve().glob("*.skp"))))
"""The files of the stories in the package."""

STUDIES = {
    "cluedo": "cluedo_published",
    "kwartet": "kwartet_published",
    "old_maid": "old_maid_knowledge",
    "perudo": "perudo_trust",
    "sleuth": "sleuth_first_results",
}
"""A study for each game."""

PATIENCE = 300
"""The time limit of a command in seconds."""

# Parts of a run's output that may vary: its times and its number of workers.
_TIMES = ("seconds", "cpu", "workers")

# Each line of input is a command. It runs in a forked process that has imported everything but
# computed nothing, which is equivalent to a fresh start and much faster. The program prints the
# exit codes.
_STARTER = f"""
import json, os, pkgutil, signal, sys
import symkripke.cli, symkripke.engines, symkripke.play, symkripke_games
from symkripke.__main__ import main
for package in (symkripke.cli, symkripke.engines, symkripke.play, symkripke_games):
    for module in pkgutil.walk_packages(package.__path__, f"{{package.__name__}}."):
        __import__(module.name)
for line in sys.stdin:
    words, names, typed = json.loads(line)
    with open(names[0], "w") as lines:
        lines.write(typed)
    child = os.fork()
    if not child:
        signal.alarm({PATIENCE})
        for number, name in enumerate(names):
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY
            os.dup2(os.open(name, flags, 0o644), number)
        sys.argv = ["symkripke", *words]
        main()
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Starter:
    """A process with all modules imported, which runs commands in one folder with one hash seed."""

    def __init__(self, folder: Path, seed: str) -> None:
        """Start the process."""
        self.folder = folder
        self.environment = {**os.environ, "PYTHONHASHSEED": seed, "COLUMNS": "100"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _STARTER],
            cwd=folder,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, words: Sequence[str], typed: str = "") -> tuple[int, str, str]:
        """Run a command; return its exit code, output and errors."""
        names = (".in", ".out", ".err")
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps((words, names, typed)), file=self._process.stdin, flush=True)
        code = int(self._process.stdout.readline())
        out, err = (Path(self.folder, name).read_text(encoding="utf-8") for name in names[1:])
        return code, out, err

    def __enter__(self) -> Starter:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


@dataclass(frozen=True)
class Command:
    """A command of symkripke.

    Attributes:
        kind: the name of the compared output in the report.
        words: the arguments; `{workers}` and `{folder}` are placeholders for the variations.
        workers: whether to run it with several numbers of workers.
        typed: the input.
    """

    kind: str
    words: tuple[str, ...]
    workers: bool = False
    typed: str = ""


def games(names: Iterable[str]) -> Iterator[Command]:
    """Yield a game of every mind of each game against others of its kind, with a log."""
    for name in names:
        for mind in game(name).strategies:
            options = (*SIZES[name].split(), "--minds", mind, "--seed", "3")
            log = ("--log", f"{name}-{mind}.jsonl")
            yield Command("play --json, log", ("play", name, *options, "--json", *log))
        for form in ("--json", "--brief"):
            log = ("--log", f"{name}{form}.jsonl")
            words = ("play", name, *ASKED[name].split(), "--seed", "7", form, *log)
            yield Command("play, log", words)
        kept = ("--log", f"{name}-person.jsonl", "--quiz")
        seat = game(name).setup(players=int(SIZES[name].split()[1])).players[0]
        words = ("play", name, *SIZES[name].split(), "--human", seat, "--seed", "3", *kept)
        yield Command("play --human, log", words, typed=_TYPED)


# Each hint is followed, so the game continues; the last lines end it in any position.
_TYPED = "hint\ntake\nsheet\nodds\nhint\nwhy\ntake\nmoves\nhint\ntake\nlist\nresign\n"


def questions(names: Iterable[str]) -> Iterator[Command]:
    """Yield the queries about a log, and commands for puzzles and stories."""
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
            ("review", ()),
        ):
            for as_json in ((), ("--json",)):
                words = (command, log, *options, *as_json)
                yield Command(" ".join((command, *as_json)), words)
        for formula in game(name).examples:
            asked: tuple[str, ...] = ("ask", log, formula, "--at", "3", "--why")
            yield Command("ask --why", asked)
            yield Command("ask --why --json", (*asked, "--json"))
        for form in ("svg", "html"):
            drawn = ("draw", log, "--at", "3", "--near", "1", "--format", form)
            yield Command("draw", drawn)
        for form in ("dimacs", "qdimacs", "smtlib"):
            formula = next(iter(game(name).examples))
            asked = ("export", log, formula, "--format", form, "--at", "2")
            yield Command("export", asked)
    for puzzle in PUZZLES:
        for as_json in ((), ("--json",)):
            yield Command("puzzle --why", ("puzzle", puzzle, "--why", *as_json))
    for story in STORIES:
        for how in (("check", story, "--why"), ("draw", story, "--story")):
            yield Command(f"{how[0]}, stories", how)


def runs(names: Iterable[str], number: int) -> Iterator[Command]:
    """Yield runs of each game's minds against each other, in each file format, and a study."""
    for name in names:
        for form in ("csv", "parquet"):
            seats = int(SIZES[name].split()[1])
            minds = list(game(name).strategies)
            # The rows are the same in each format, so one run per format is enough.
            for start in range(0, len(minds) if form == "csv" else 1, seats):
                seated = (minds[start:] + minds)[:seats]
                words = (
                    *("simulate", name, *SIZES[name].split(), "--games", str(number)),
                    *("--minds", ",".join(seated), "--rotate", "--workers", "{workers}"),
                    *("--format", form, "--out", "{folder}", "--json"),
                )
                yield Command(f"simulate, {form}", words, workers=True)
        study = ("experiment", "run", STUDIES[name], "--games", "1", "--no-report", "--json")
        folder = ("--workers", "{workers}", "--out", "{folder}")
        yield Command("experiment run", (*study, *folder), workers=True)


def outputs(command: Command, starter: Starter, workers: int) -> dict[str, str]:
    """Return everything that the command prints and writes, by name, and its exit code."""
    out = f"out-{hashlib.sha1(repr(command).encode()).hexdigest()[:12]}-{workers}"
    put = {"{workers}": str(workers), "{folder}": out}
    words = [put.get(word, word) for word in command.words]
    code, printed, errors = starter.run(words, command.typed)
    printed = _timeless(printed) if command.workers else printed
    found = {"exit code": str(code), "errors": errors, "output": printed}
    found = {name: text.replace(str(starter.folder), "") for name, text in found.items()}
    if command.workers:
        found = {name: text.replace(out, "OUT") for name, text in found.items()}
        # Compare only the rows of a study, because its other files also contain times.
        pattern = "conditions/*/*.parquet" if command.words[0] == "experiment" else "*"
        kept = contents(starter.folder / out, pattern)
        found |= {name: repr(content) for name, content in kept.items()}
    if "--log" in words:
        log = starter.folder / words[words.index("--log") + 1]
        found[log.name] = log.read_text(encoding="utf-8")
    return found


def _timeless(text: str) -> str:
    """Return the JSON output of a run, without times or workers."""
    data = json.loads(text)
    if not isinstance(data, dict):  # the output of a study: the progress of each condition
        return text
    return json.dumps({name: data[name] for name in data if name not in _TIMES})


def compare(
    found: Found, commands: Sequence[Command], seeds: Sequence[str], workers: Sequence[int]
) -> None:
    """Run the commands with each hash seed, and those with workers also with each number of
    workers.

    All numbers of workers use the first hash seed; the other seeds use one number each, in turn.
    """
    with tempfile.TemporaryDirectory() as root, ThreadPoolExecutor(len(seeds)) as threads:
        numbers: dict[str, tuple[int, ...]] = {
            seed: (workers[at % len(workers)],) for at, seed in enumerate(seeds)
        }
        numbers[seeds[0]] = tuple(workers)

        def run(seed: str) -> list[tuple[Command, int, dict[str, str]]]:
            folder = Path(root, seed)
            folder.mkdir()
            with Starter(folder, seed) as starter:
                return [
                    (command, number, outputs(command, starter, number))
                    for command in commands
                    for number in (numbers[seed] if command.workers else (1,))
                ]

        first: dict[Command, dict[str, str]] = {}
        for seed, ways in zip(seeds, threads.map(run, seeds), strict=True):
            for command, number, told in ways:
                expected = first.setdefault(command, told)
                failed = ", exit code not 0" * (told["exit code"] != "0")
                found.done[f"{command.kind}{failed}"] += 1
                how = f"hash seed {seed}" + f", {number} workers" * command.workers
                for name in sorted({*expected, *told}):
                    same = expected.get(name) == told.get(name)
                    found.check(same, f"{name}: {how}: {' '.join(command.words)}")


@click.command()
@click.option("--seeds", default="0,1,77", help="The hash seeds, with commas between them.")
@click.option("--workers", default="1,2,4", help="The numbers of workers, likewise.")
@click.option("--games", "number", type=click.IntRange(1), default=4, help="Games a run.")
@click.option("--only", "names", multiple=True, type=click.Choice(list(SIZES)), help="That game.")
def determinism(seeds: str, workers: str, number: int, names: tuple[str, ...]) -> Found:
    """Check that output does not depend on the hash seed or the number of workers.

    It covers all minds of all games, and all queries about a log.
    """
    found, chosen = Found(), names or tuple(SIZES)
    commands = [*games(chosen), *questions(chosen), *runs(chosen, number)]
    compare(found, commands, seeds.split(","), [int(part) for part in workers.split(",")])
    return found
