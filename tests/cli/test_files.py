"""`symkripke export`, `symkripke convert`, and `symkripke check` with SMCDEL's files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import run
from tests.support.solvers import by_sat, by_smt

DATA = Path(__file__).parent.parent / "data" / "smcdel"
MUDDY = str(DATA / "muddy_children.smcdel.txt")


@pytest.mark.parametrize("who", [(), ("--player", "White")])
def test_export_writes_the_question_of_a_logged_game(log: Path, who: tuple[str, ...]) -> None:
    asked = "K[white] at(dagger, envelope)"
    ours = run("ask", log, asked, "--at", "2", "--json")
    for form, solver in (("dimacs", by_sat), ("smtlib", by_smt)):
        done = run("export", log, asked, "--format", form, "--at", "2", *who)
        assert solver(done.stdout) is json.loads(ours.stdout)["holds"]


def test_export_writes_a_file_whole_or_not_at_all(log: Path, tmp_path: Path) -> None:
    target = tmp_path / "question.qdimacs"
    arguments = ("export", log, "K[white] M[mustard] at(dagger, white)", "--at", "1", "--format")
    assert run(*arguments, "qdimacs", "-o", str(target)).output == ""
    text = target.read_text(encoding="utf-8")
    assert run(*arguments, "qdimacs").stdout == text
    refused = run(*arguments, "dimacs", "-o", target, "--force", code=1)
    assert "export it as qdimacs or smtlib" in refused.stderr
    assert target.read_text(encoding="utf-8") == text
    assert list(tmp_path.iterdir()) == [target]
    run(*arguments, "qdimacs", "-o", tmp_path / "no" / "file", code=1)


def test_export_asks_a_problem_file_after_what_happens_there() -> None:
    for at, answer in ((("--at", "0"), False), ((), True)):  # at the end all three know
        done = run("export", MUDDY, "K[Ann] p1", "--format", "dimacs", *at)
        assert "at every world of the law" in done.stdout
        assert by_sat(done.stdout) is answer
    assert "graph worlds" in run("export", MUDDY, "p1", "--format", "dot").stdout


def test_check_knows_smcdels_files_by_their_content() -> None:
    done = run("check", MUDDY)
    assert done.stdout.splitlines()[:2] == [
        "8 worlds at the beginning",
        "yes  VALID? Ann knows whether (2, 3)",
    ]
    assert "p1, p2, p3" in done.stdout
    steps = json.loads(run("check", MUDDY, "--json").stdout)["steps"]
    assert len(steps) == 10
    assert run("check", MUDDY, "--format", "smcdel").stdout == done.stdout


def test_check_warns_of_precedences_apart_from_the_answers() -> None:
    done = run("check", str(DATA / "precedences.smcdel.txt"), "--json")
    json.loads(done.stdout)
    assert done.stderr.count("note: ") == 7
    assert "line 7, column 14: & and | have the same precedence in SMCDEL" in done.stderr


def test_convert_writes_what_check_answers_alike(tmp_path: Path) -> None:
    target = tmp_path / "muddy.skp"
    run("convert", MUDDY, "-o", target)
    assert run("convert", MUDDY).stdout == target.read_text(encoding="utf-8")
    told, again = (run("check", str(path)).stdout.splitlines() for path in (MUDDY, target))
    worlds = [line.split()[0] for line in told if "  WHERE? " in line]
    assert [line.split()[0] for line in again if "  where? " in line] == worlds
    assert told[-1] == again[-1]


def test_convert_names_a_variable_that_is_there(tmp_path: Path) -> None:
    file = tmp_path / "two.txt"
    file.write_text("VARS 4,7\nLAW Top\nOBS a: 4\n", encoding="utf-8")
    told = run("convert", str(file)).stdout
    assert told.startswith("-- Converted from SMCDEL's text format; variable 4 there is p4 here.\n")
