"""`symkripke export`, `symkripke convert`, and `symkripke check` with SMCDEL's files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from symkripke.cli import group
from tests.support.solvers import by_sat, by_smt

DATA = Path(__file__).parent.parent / "data" / "smcdel"
MUDDY = str(DATA / "muddy_children.smcdel.txt")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(group, arguments)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("games") / "game.jsonl"
    played = run(
        "play", "cluedo", "--rules", "study", "--players", "3", "--seed", "3", "--log", str(path)
    )
    assert played.exit_code == 0
    return str(path)


@pytest.mark.parametrize("who", [(), ("--player", "ann"), ("--player", "Ann")])
def test_export_writes_the_question_of_a_logged_game(log: str, who: tuple[str, ...]) -> None:
    asked = "K[ann] at(dagger, envelope)"
    ours = run("ask", log, asked, "--at", "2", "--json")
    for form, solver in (("dimacs", by_sat), ("smtlib", by_smt)):
        done = run("export", log, asked, "--format", form, "--at", "2", *who)
        assert done.exit_code == 0, done.output
        assert solver(done.stdout) is json.loads(ours.stdout)["holds"]


def test_export_writes_a_file_whole_or_not_at_all(log: str, tmp_path: Path) -> None:
    target = tmp_path / "question.qdimacs"
    arguments = ("export", log, "K[ann] M[bob] at(dagger, ann)", "--at", "1", "--format")
    assert run(*arguments, "qdimacs", "-o", str(target)).output == ""
    text = target.read_text(encoding="utf-8")
    assert run(*arguments, "qdimacs").stdout == text
    refused = run(*arguments, "dimacs", "-o", str(target), "--force")
    assert refused.exit_code == 1
    assert "export it as qdimacs or smtlib" in refused.stderr
    assert target.read_text(encoding="utf-8") == text
    assert list(tmp_path.iterdir()) == [target]
    assert run(*arguments, "qdimacs", "-o", str(tmp_path / "no" / "file")).exit_code == 1


@pytest.mark.parametrize(
    "arguments", [("convert", MUDDY), ("export", MUDDY, "K[Ann] p1", "--format", "dimacs")]
)
def test_no_file_that_is_there_is_replaced_unasked(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    target = tmp_path / "mine"
    target.write_text("notes of a year", encoding="utf-8")
    refused = run(*arguments, "-o", str(target))
    assert refused.exit_code == 1
    assert "is there already: choose another file, or replace it with --force" in refused.stderr
    assert target.read_text(encoding="utf-8") == "notes of a year"
    assert run(*arguments, "-o", str(target), "--force").exit_code == 0
    assert target.read_text(encoding="utf-8") == run(*arguments).stdout
    assert list(tmp_path.iterdir()) == [target]


def test_export_asks_a_problem_file_after_what_happens_there() -> None:
    for at, answer in ((("--at", "0"), False), ((), True)):  # at the end all three know
        done = run("export", MUDDY, "K[Ann] p1", "--format", "dimacs", *at)
        assert done.exit_code == 0, done.output
        assert "at every world of the law" in done.stdout
        assert by_sat(done.stdout) is answer
    assert "graph worlds" in run("export", MUDDY, "p1", "--format", "dot").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((MUDDY, "K[Ann] p9", "--format", "smtlib"), "unknown"),
        ((MUDDY, "p1", "--format", "smt"), "did you mean 'smtlib'"),
        ((MUDDY, "p1", "--format", "dot", "--at", "9"), "expected --at from 0 to 3"),
        ((MUDDY, "K[Ann] p1", "--format", "dot", "--player", "Ann"), "has no actual world"),
        (("/no/such/file", "p", "--format", "dot"), "cannot read"),
        ((MUDDY, "p1", "--format", "dot", "--valid", "--player", "Ann"), "expected one of them"),
    ],
)
def test_export_says_what_is_wrong(arguments: tuple[str, ...], message: str) -> None:
    done = run("export", *arguments)
    assert done.exit_code in (1, 2)
    assert message in done.stderr
    assert done.stdout == ""


def test_check_knows_smcdels_files_by_their_content() -> None:
    done = run("check", MUDDY)
    assert done.exit_code == 0
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
    assert "line 7, column 14: & and | bind alike in SMCDEL" in done.stderr


def test_check_says_what_is_wrong_with_formats(tmp_path: Path) -> None:
    ours = tmp_path / "ours.skp"
    ours.write_text("agents a\nfluent p\nvalid? p | ~p\n", encoding="utf-8")
    for arguments, message in (
        ((str(ours), "--format", "smcdel"), "expected 'VARS', got 'agents'"),
        ((MUDDY, "--format", "symkripke"), "unknown statement 'VARS'"),
        ((MUDDY, "--format", "smdcel"), "did you mean 'smcdel'"),
        ((MUDDY, "--set", "n=3"), "no names to set"),
        ((str(tmp_path),), "cannot read"),
    ):
        done = run("check", *arguments)
        assert done.exit_code == 1, done.output
        assert message in done.stderr


def test_convert_writes_what_check_answers_alike(tmp_path: Path) -> None:
    target = tmp_path / "muddy.skp"
    assert run("convert", MUDDY, "-o", str(target)).exit_code == 0
    assert run("convert", MUDDY).stdout == target.read_text(encoding="utf-8")
    told, again = (run("check", str(path)).stdout.splitlines() for path in (MUDDY, target))
    worlds = [line.split()[0] for line in told if "  WHERE? " in line]
    assert [line.split()[0] for line in again if "  where? " in line] == worlds
    assert told[-1] == again[-1]
    wrong = run("convert", str(target))
    assert wrong.exit_code == 1
    assert "expected 'VARS'" in wrong.stderr


def test_convert_names_a_variable_that_is_there(tmp_path: Path) -> None:
    file = tmp_path / "two.txt"
    file.write_text("VARS 4,7\nLAW Top\nOBS a: 4\n", encoding="utf-8")
    told = run("convert", str(file)).stdout
    assert told.startswith("-- Converted from SMCDEL's text format; variable 4 there is p4 here.\n")


def test_what_is_replaced_stays_as_secret_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "secret.skp"
    target.write_text("", encoding="utf-8")
    target.chmod(0o600)
    assert run("convert", MUDDY, "-o", str(target), "--force").exit_code == 0
    assert target.read_text(encoding="utf-8")
    assert target.stat().st_mode & 0o777 == 0o600
