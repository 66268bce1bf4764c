"""Each soak command at a tiny size: it reports no fault, and it reports a planted fault."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from symkripke.cli.person_dialogue import InTheGame
from symkripke.engines import Answer
from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit.frames import Truth
from symkripke.engines.sat import SatEngine
from symkripke.experiments.estimates import Estimate
from symkripke.explain import Fact
from symkripke.language import TRUE
from symkripke.play.strategies import strategy
from symkripke.web.pages import Server
from symkripke.web.tables import Tables
from tests.soak import (
    determinism,
    memory,
    numbers,
    overruns,
    peeking,
    reasons,
    slips,
    statistics,
    threads,
    web_load,
)
from tests.soak.__main__ import NAMES, main
from tests.soak.common import Found
from tests.soak.determinism import Command, Starter
from tests.soak.fuzz import watch
from tests.soak.fuzz.inputs import Input
from tests.soak.fuzz.watch import Ran, Watch, faults
from tests.soak.overruns import Answered
from tests.soak.program import Program

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


def digest(folder: Path) -> str:
    """Return a text that depends on hidden facts."""
    return sha256(b"".join(log.read_bytes() for log in sorted(folder.glob("*.jsonl")))).hexdigest()


YES = Answer(True, TRUE, "sat", lambda: Fact(TRUE, True))
NUMBERS = count(200_000_000, 1_000_000)

TINY = {
    "events": "--stories 3 --files 1 --shrink 0",
    "fuzz": "--inputs 4 --seed 2",
    "kills": "--only 0",
    "memory": "--questions 4",
    "numbers": "--small 3 --growing 1",
    "overruns": "--seconds 0.2 --engine sat --situation prisoners",
    "peeking": "--positions 1 --only perudo --others 1",
    "perudo-invariants": "--games 2 --dice 2 --players 2 --every 1",
    "planning": "--tasks 6",
    "reasons": "--number 20",
    "secrecy": "--moments 1 --only kwartet --seed 1",
    "slips": "--games 1 --slips 4 --only kwartet",
    "statistics": "--runs 20 --no-rows",
    "threads": "--questions 16 --threads 2 --engine bdd --size study",
    "web-leaks": "--moments 1 --seed 3",
    "web-load": "--tables 2 --browsers 1 --seconds 4 --every 1",
    "web-wrong": "--requests 60 --slow 0 --seconds 0",
}
# The replaced attribute and its replacement, which plants a fault.
PLANTED: dict[str, tuple[object, str, object]] = {
    "events": (BddEngine, "holds", lambda *_: YES),
    "fuzz": (watch, "_SPARE", -99),
    "kills": (Program, "texts", lambda _: ("", "Traceback")),
    "memory": (memory, "memory_of", lambda: next(NUMBERS) ** 2),
    "numbers": (numbers, "evaluate", lambda *_: True),
    "overruns": (overruns, "ask_all", lambda *_: [("q", 0.2, Answered(9.0, 0, "late"))]),
    "peeking": (peeking, "strategy", lambda of, _: strategy(of, "random")),
    "perudo-invariants": (SatEngine, "holds", lambda *_: YES),
    "planning": (Truth, "holds", lambda *_: True),
    "reasons": (reasons, "entails", lambda *_: True),
    "secrecy": (InTheGame, "open", lambda self: self._say(str(self.hosted.deal))),
    "slips": (slips, "unsatisfiable", lambda _: True),
    "statistics": (statistics, "estimate", lambda _: Estimate(0.0, 0.0, 0.0, 1)),
    "threads": (threads, "_asks", lambda *_: [lambda _: object()]),
    "web-leaks": (Tables, "version", lambda self, _: digest(self.folder)),
    "web-load": (web_load, "events_of", lambda _: [str(next(NUMBERS))]),
    "web-wrong": (Server, "filled", lambda *_: "Traceback"),
}
# Slow commands, which run here only with a planted fault, or not at all if others cover their code.
LONG = ("kills", "memory", "slips", "web-leaks", "web-load", "web-wrong")


@pytest.mark.parametrize(
    ("name", "planted"),
    [(name, planted) for name in TINY for planted in (False, True) if planted or name not in LONG],
)
def test_a_command_reports_faults_and_nothing_else(
    name: str, planted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if planted:
        monkeypatch.setattr(*PLANTED[name])
    done = CliRunner().invoke(main, [name, *TINY[name].split()], catch_exceptions=False)
    assert ("FAULT" in done.output, done.exit_code) == (planted, planted), done.output


def test_all_commands_are_tried() -> None:
    assert {*TINY, "determinism", "web-pages"} == {*NAMES}
    assert all(name in CliRunner().invoke(main, ["--help"]).output for name in NAMES)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_differences_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Found] = []
    options = ("--rules", "study", "--players", "2", "--size", "2/2/2", "--seed", "3")
    run = ("simulate", "cluedo", *options, "--games", "2", "--workers", "{workers}")
    commands = [
        Command("play", ("play", "cluedo", *options, "--json", "--log", "game.jsonl")),
        Command("run", (*run, "--out", "{folder}", "--json"), workers=True),
        Command(
            "person", ("play", "cluedo", *options, "--human", "ann", "--log", "b"), typed="resign\n"
        ),
    ]
    right = Starter.run
    for more in ("", "PYTHONHASHSEED"):

        def wrong(self: Starter, *given: Any, more: str = more) -> tuple[int, str, str]:
            code, out, err = right(self, *given)
            return code, out + self.environment.get(more, ""), err

        monkeypatch.setattr(Starter, "run", wrong)
        told.append(Found())
        determinism.compare(told[-1], commands if not more else commands[:1], ("0", "5"), (1, 2))
    assert told[0].faults == []
    assert told[0].done == {"play": 2, "run": 3, "person": 2}
    assert len(told[1].faults) == 1


# ---- the fuzzer --------------------------------------------------------------------------------


def planted_worker(pipe: Connection, _: str) -> None:
    """Serve inputs as a worker that makes the faults they name."""
    while True:
        given, folder = pipe.recv()
        if given.stdin == "killed":
            raise SystemExit(7)
        if given.stdin in ("late", "memory"):
            held = bytearray(300 * 1024**2)
            time.sleep(30)
            del held
        if given.stdin == "left":
            Path(folder, "left.tmp").touch()
        pipe.send({"code": Ran(4), "silent": Ran(1)}.get(given.stdin, Ran(0, seconds=1.0)))


@pytest.fixture(scope="module")
def planting() -> Iterator[Watch]:
    made = Watch(planted_worker)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("killed", "traceback"),
        ("late", "overrun"),
        ("memory", "memory"),
        ("code", "exit code"),
        ("silent", "exit code"),
        ("left", "files"),
        ("none", None),
    ],
)
def test_the_watch_reports_every_fault(
    fault: str, kind: str | None, planting: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "_PATIENCE", 60.0)
    monkeypatch.setattr(watch, "MOST_MEMORY", (200 if fault == "memory" else 2_000) * 1024**2)
    given = Input(("check", "a.skp"), stdin=fault, seconds=-11.0 if fault == "late" else 60.0)
    assert [found for found, _ in faults(given, planting.run(given))] == [kind] * bool(kind)
