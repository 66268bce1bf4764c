"""Each measurement at its smallest size: it runs, and a wrong answer ends it with an error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from benchmarks import counts, families, game, nested, versus_explicit
from benchmarks.__main__ import COMMANDS, main
from benchmarks.smcdel_files import FAMILIES, whether
from symkripke.engines import Answer, Sheet
from symkripke.engines.auto import AutoEngine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.sat import SatEngine
from symkripke.problems.checker import check
from symkripke.problems.smcdel.reader import read_smcdel

MEASURED_BY_README = {"families", "game", "growth", "nested", "outliers", "questions", "start"}

SMALLEST = {
    "advice": "--games 1 --full 1 --only perudo",
    "counts": "--seeds 1 --players 3 --draws 100 --questions 1 --events 3 --laws 1",
    "engines": "--only whether --sizes 1 --questions 0 --problems 0",
    "insight": "--players 3 --seeds 1 --checks 1",
    "peers": "--family whether --most 6 --runs 1",
    "readme": "--quick",
    "unnoticed": "--actions 5 --public 5 --checks 1",
    "versus-explicit": "--case study:2/2/2:2 --events 2 --seconds 20",
    "work": "",
}


def run(name: str, arguments: str) -> Result:
    return CliRunner().invoke(main, [name, *arguments.split()])


@pytest.mark.parametrize("name", SMALLEST)
def test_runs(name: str) -> None:
    assert {*COMMANDS} == {*SMALLEST, *MEASURED_BY_README}
    result = run(name, f"{SMALLEST[name]} --json")
    assert result.exit_code == 0, result.output
    assert all(table["checked"] and table["rows"] for table in json.loads(result.output))


def flipped(plain: Callable[..., Answer]) -> Callable[..., Answer]:
    def wrong(*arguments: Any, **options: Any) -> Answer:
        answer = plain(*arguments, **options)
        return Answer(not answer, answer.formula, answer.engine, answer.why)

    return wrong


def reversed_sheet(plain: Callable[..., Sheet]) -> Callable[..., Sheet]:
    def wrong(*arguments: Any) -> Sheet:
        sheet = plain(*arguments)
        return Sheet(sheet.perspective, sheet.atoms, sheet.marks[::-1])

    return wrong


FAULTS: dict[str, tuple[str, Any, str, Callable[[Any], Any]]] = {
    "counts": (" --part deals", counts, "worlds_at_start", lambda _: lambda setup: 1),
    "families": ("--family merged --most 3", BddEngine, "worlds", lambda _: lambda *_: 7),
    "game": ("--game sleuth --most 3 --seeds 1", game, "deals", lambda _: lambda *_: 7),
    "growth": ("--cards 21 --rounds 1", SatEngine, "sheet", reversed_sheet),
    "nested": ("--players 3 --seeds 1", SatEngine, "holds", flipped),
    "outliers": ("--game sleuth --questions 1 --players 3", AutoEngine, "holds", flipped),
    "unnoticed": ("", BddEngine, "holds", flipped),
    "versus-explicit": ("", versus_explicit, "worlds_at_start", lambda _: lambda setup: 1),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_wrong_answer_ends_it(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments, owner, name, wrong = FAULTS[case]
    monkeypatch.setattr(owner, name, wrong(getattr(owner, name)))
    result = run(case, SMALLEST.get(case, "") + arguments)
    assert result.exit_code == 1
    assert "Error: wrong answer: " in result.output
    assert "checked: " not in result.output


@pytest.mark.parametrize(("told", "right"), [("False\nTrue", True), ("True\nTrue", False)])
def test_answers_of_smcdel_are_compared(told: str, right: bool, tmp_path: Path) -> None:
    program = tmp_path / "smcdel"
    program.write_text(f"#!/bin/sh\ncat <<END\nIs it valid?\n{told}\nEND\n")
    program.chmod(0o755)
    result = run("peers", f"{SMALLEST['peers']} --smcdel {program}")
    assert (result.exit_code == 0) is right
    assert (f"| {whether(6).name}" in result.output) is right


@pytest.mark.parametrize("family", FAMILIES)
def test_files_have_the_known_answers(family: str) -> None:
    make, sizes = FAMILIES[family]
    file = make(sizes[0])
    steps = check(read_smcdel(file.text).problem, count=False)
    assert tuple(bool(one.answer) for one in steps if one.answer is not None) == file.answers


@pytest.mark.parametrize(
    "size", ["ring 16", "deal 8 3", "muddy_children 40", "dining 11", "merged 40", "parity 40"]
)
def test_auto_picks_well_in_each_family(size: str) -> None:
    name, *numbers = size.split()
    families.judged(name, tuple(map(int, numbers)), "auto", count=False)


def test_a_stopped_engine_gives_a_lower_bound() -> None:
    ours = nested.Row([True, False, True], [0.5, 0.5, 1.0])
    assert nested.times_as_long(nested.Row([True], [4.0], ended=9.0), ours) == (9.0, False)
    assert nested.times_as_long(nested.Row([True], [4.0]), ours) == (8.0, True)
    assert nested.times_as_long(nested.Row(stopped=True), ours) is None
