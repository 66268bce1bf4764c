"""The harness of kills: some of each kind find nothing wrong, and it notices what is."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import main
from benchmarks.kills import checks
from benchmarks.kills.cases import GAMES, HOWS, WORKS, make
from benchmarks.kills.program import Program
from symkripke.play.runs.run_folder import UNFINISHED

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")

CASE = replace(make(0, 1), how="SIGKILL", begun=3, delay=0.0, workers=2, form="csv")


def test_cases_are_of_every_kind() -> None:
    cases = [make(3, number) for number in range(120)]
    assert cases == [make(3, number) for number in range(120)]
    kinds = Counter((case.work, case.how) for case in cases)
    assert len(kinds) == len(WORKS) * len(HOWS) - 2
    assert {case.workers for case in cases if case.how == "worker killed"} == {2}
    assert {case.begun for case in cases} > {-1, 0, 1, GAMES - 1}


@pytest.mark.parametrize(
    ("work", "how"),
    [
        ("play --log", "SIGKILL"),
        ("play --log", "disk full"),
        ("simulate", "SIGKILL"),
        ("simulate", "SIGTERM"),
        ("simulate", "worker killed"),
        ("simulate --resume", "Ctrl-C"),
    ],
)
def test_some_kills(work: str, how: str) -> None:
    before = {"simulate --resume": "stopped"}.get(work, "nothing")
    case = replace(CASE, work=work, how=how, before=before, room=0.5)
    seen = checks.run(case)
    assert seen.faults == ()
    assert seen.after >= seen.before


def test_the_command_counts() -> None:
    done = CliRunner().invoke(main, ["kills", "--seed", "0", "--only", "0", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["kills"] == 1
    assert told["faults"] == dict.fromkeys(checks.FAULTS, 0)


@pytest.mark.parametrize(
    ("planted", "noticed"),
    [
        ("unfinished gone", "lost"),
        ("rows without a run", "mixed set"),
        ("a process", "process left"),
        ("another code", "exit code"),
        ("a traceback", "traceback"),
    ],
)
def test_what_is_wrong_is_noticed(
    planted: str, noticed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended, texts, started = Program.ended, Program.texts, Program.__init__
    folders: list[Path] = []

    def start(program: Program, arguments: list[str], folder: Path, largest: int = 0) -> None:
        folders.append(folder / "run")
        started(program, arguments, folder, largest)

    def end(program: Program) -> tuple[int, int]:
        code, left = ended(program)
        if planted == "unfinished gone":
            os.unlink(folders[0] / UNFINISHED)
        if planted == "rows without a run":
            (folders[0] / UNFINISHED).rename(folders[0] / "games.csv")
        return 5 if planted == "another code" else code, 1 if planted == "a process" else left

    def told(program: Program) -> tuple[str, str]:
        out, err = texts(program)
        return out, f"{err}Traceback" if planted == "a traceback" else err

    monkeypatch.setattr(Program, "__init__", start)
    monkeypatch.setattr(Program, "ended", end)
    monkeypatch.setattr(Program, "texts", told)
    seen = checks.run(replace(CASE, before="nothing"))
    assert noticed in {kind for kind, _ in seen.faults}
