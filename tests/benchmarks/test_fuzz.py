"""The fuzzer: the same seed makes the same inputs, and it notices a fault of each kind."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import main
from benchmarks.fuzz import command, watch
from benchmarks.fuzz.faults import found_in
from benchmarks.fuzz.inputs import KINDS, Input, make
from benchmarks.fuzz.watch import Watch
from benchmarks.fuzz.worker import Ran

RIGHT = Input("problems", 0, 0, ("check", "a.skp"), files={"a.skp": "agents a\n"}, codes=(0,))
DIGEST = (
    "import hashlib; from benchmarks.fuzz.inputs import make; "
    "print(hashlib.sha1(repr([make(3, n) for n in range(60)]).encode()).hexdigest())"
)


def planted(pipe: Connection, _: str) -> None:
    """A worker whose inputs are the faults that it makes."""
    while True:
        given, folder = pipe.recv()
        fault = given.stdin
        if fault == "late":
            time.sleep(60)
        if fault == "killed":
            raise SystemExit(7)
        if fault == "memory":
            held = bytearray(300 * 1024**2)
            time.sleep(3)
            del held
        if fault == "touched":
            Path(folder, "a.skp").write_text("changed", encoding="utf-8")
        if fault == "left":
            Path(folder, "left.tmp").touch()
        if fault == "traceback":
            pipe.send(Ran(1, foreign=("Traceback: KeyError",)))
        elif fault == "slow":
            pipe.send(Ran(0, seconds=30.0))
        elif fault == "code":
            pipe.send(Ran(4))
        elif fault == "silent":
            pipe.send(Ran(1))
        else:
            pipe.send(Ran(0))


@pytest.fixture(scope="module")
def planting() -> Iterator[Watch]:
    """A worker that does what is wrong, as it is told."""
    made = Watch(planted)
    yield made
    made.close()


@pytest.fixture(scope="module")
def running() -> Iterator[Watch]:
    """A worker as it should be."""
    made = Watch()
    yield made
    made.close()


def kinds_of(fault: str, planting: Watch) -> set[str]:
    """The kinds of fault that are found in an input with one fault."""
    given = replace(RIGHT, stdin=fault, seconds=1.0, codes=())
    return {found.kind for found in found_in(planting.run(given, alone=False))}


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("traceback", "traceback"),
        ("killed", "traceback"),
        ("slow", "overrun"),
        ("late", "overrun"),
        ("memory", "memory"),
        ("code", "exit code"),
        ("silent", "exit code"),
        ("touched", "files"),
        ("left", "files"),
    ],
)
def test_a_planted_fault_is_noticed(
    fault: str, kind: str, planting: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "MOST_MEMORY", 200 * 1024**2)
    monkeypatch.setattr("benchmarks.fuzz.faults.MOST_MEMORY", 200 * 1024**2)
    monkeypatch.setattr(watch, "allowed", lambda given: 0.1 if fault == "late" else 60.0)
    assert kinds_of(fault, planting) == {kind}


def test_what_is_right_is_no_fault(planting: Watch, running: Watch) -> None:
    assert kinds_of("nothing", planting) == set()
    for alone in (False, True):
        seen = running.run(replace(RIGHT, seconds=60.0), alone=alone)
        assert seen.ran.code == 0, seen
        assert seen.alone == alone
        assert seen.ran.peak > 10 * 1024**2
        assert found_in(seen) == []


@pytest.mark.parametrize("option", ["--why", "--json"])
def test_what_a_file_wrongly_expects_is_no_fault(option: str, running: Watch) -> None:
    """It ends with 1, and the step says why; there is no error."""
    file = "agents a\nfluent p\nactual p\nexpect p\nexpect ~p\n"
    given = replace(RIGHT, command=("check", "a.skp", option), files={"a.skp": file}, codes=())
    seen = running.run(replace(given, seconds=60.0), alone=False)
    assert seen.ran.code == 1, seen
    assert found_in(seen) == []


def test_a_call_with_a_fault_of_its_own(running: Watch) -> None:
    """Our own exceptions are no fault; others are, and the next line is still run."""
    program = ("sk.parse('p &')", "{}['nothing']", "later = 1", "assert later == 1")
    (found,) = found_in(running.run(Input("calls", 0, 0, program=program), alone=False))
    assert found.kind == "traceback"
    assert "KeyError: 'nothing'" in found.seen


def test_the_same_seed_makes_the_same_inputs() -> None:
    """Also in another process with another hash seed."""
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={"PYTHONHASHSEED": hashes},
            cwd=Path(__file__).parent.parent.parent,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hashes in ("0", "1")
    }
    assert len(digests) == 1
    assert make(3, 5) == make(3, 5)
    assert [make(3, n) for n in range(20)] != [make(4, n) for n in range(20)]


def test_all_kinds_come() -> None:
    assert set(Counter(make(0, number).kind for number in range(500))) == set(KINDS)


def test_a_run(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["fuzz", "--inputs", "6", "--seed", "2", "--json"])
    told = json.loads(result.stdout)
    assert sum(told["inputs"].values()) == 6
    assert result.exit_code == bool(sum(told["faults"].values()))


def test_what_fails_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its files and how to repeat it; Ctrl-C leaves the counts so far."""

    class Failing(Watch):
        def run(self, given: Input, *, alone: bool) -> watch.Seen:
            if given.number == 2:
                raise KeyboardInterrupt
            return watch.Seen(given, Ran(1, foreign=("KeyError",)))

    monkeypatch.setattr(command, "Watch", Failing)
    result = CliRunner().invoke(main, ["fuzz", "--seed", "5", "--keep", str(tmp_path), "--json"])
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["faults"]["traceback"] == 2
    assert told["cases"][0].startswith("--seed 5 --only 0: ")
    kept = sorted(tmp_path.iterdir())
    assert len(kept) == 2
    case = json.loads((kept[0] / "case.json").read_text(encoding="utf-8"))
    assert case["faults"][0]["kind"] == "traceback"
    assert case["input"]["seed"] == 5
