"""`symkripke export`, `symkripke convert`, and `symkripke check` with SMCDEL's files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import begun, run
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


def test_export_reads_the_formulas_of_a_seat(tmp_path: Path) -> None:
    log = begun(tmp_path)
    done = run("export", log, "K[me] at(rope, me)", "--format", "dimacs")
    assert by_sat(done.stdout) is True
    refused = run("export", log, "at(rope, me)", "--format", "dimacs", code=1)
    assert "export K[cath] (location(rope) = cath) instead" in refused.stderr
    refused = run("export", log, "P[me](at(rope, me))", "--format", "dimacs", code=1)
    assert "got a probability" in refused.stderr


def test_export_uses_a_problem_file_after_its_events() -> None:
    for at, answer in ((("--at", "0"), False), ((), True)):  # at the end, all three children know
        done = run("export", MUDDY, "K[Ann] p1", "--format", "dimacs", *at)
        assert "at every world of the law" in done.stdout
        assert by_sat(done.stdout) is answer
    assert "graph worlds" in run("export", MUDDY, "p1", "--format", "dot").stdout


def test_check_prints_warnings_of_precedence_separately() -> None:
    done = run("check", str(DATA / "precedences.smcdel.txt"), "--json")
    json.loads(done.stdout)
    assert done.stderr.count("note: ") == 7
    assert "line 7, column 14: & and | have the same precedence in SMCDEL" in done.stderr
