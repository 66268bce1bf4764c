"""The log of a real table, from its first line on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from symkripke.play import Record
from tests.cli.test_commands import run


def test_a_table_is_begun_and_can_be_asked(tmp_path: Path) -> None:
    file = tmp_path / "table.jsonl"
    code, _, errors = run(
        "begin", "cluedo", file, "--player", "Plum", "--holds", "rope, Hall,white"
    )
    assert (code, errors) == (0, f"written to {file}\n")
    seat = json.loads(file.read_text().splitlines()[1])["seat"]
    assert seat == {"player": "plum", "holds": ["rope", "hall", "white"]}
    assert Record.read(file).replay().ask("K[plum] holds(plum, hall)")
    # What follows is written by hand.
    with file.open("a") as log:
        event = {"type": "no-suggestion", "turn": 1, "player": "scarlett"}
        log.write(json.dumps({"event": event}) + "\n")
    assert run("sheet", file, "--player", "plum")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            ("cluedo", "--player", "plum", "--holds", "rope,hlal,white"),
            "unknown card 'hlal'; did you",
        ),
        (("cluedo", "--player", "plam", "--holds", "rope"), "unknown player 'plam'; did you mean"),
        (
            ("cluedo", "--player", "plum", "--holds", "rope,hall"),
            "expected plum to be dealt 3 cards",
        ),
        (("cluedo", "--player", "plum", "--holds", "rope,,hall"), "expected names with commas"),
        (("kwartet", "--player", "ann", "--holds", "fat_cow"), "expected ann to be dealt 13 cards"),
        (
            ("old_maid", "--player", "ann", "--holds", ""),
            "to be dealt 13 cards, got 0",
        ),
        (("cludo", "--player", "ann", "--holds", "rope"), "unknown game 'cludo'"),
        (("cluedo", "--player", "plum", "--holds", "rope", "--minds", "random"), "people play"),
    ],
)
def test_wrong_seats(arguments: tuple[str, ...], problem: str, tmp_path: Path) -> None:
    file = tmp_path / "table.jsonl"
    code, out, errors = run("begin", arguments[0], file, *arguments[1:])
    assert code in (1, 2)
    assert out == ""
    assert problem in errors
    assert not file.exists()


def test_a_log_is_not_replaced_unasked(tmp_path: Path) -> None:
    file = tmp_path / "table.jsonl"
    file.write_text("mine\n")
    arguments = ("begin", "cluedo", file, "--player", "plum", "--holds", "rope,hall,white")
    code, _, errors = run(*arguments)
    assert code == 1
    assert "is there already" in errors
    assert file.read_text() == "mine\n"
    assert run(*arguments, "--force")[0] == 0


def _asked(log: Path, typed: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "symkripke", "table", str(log), "--game", "cluedo", *options]
    return subprocess.run(command, input=typed, capture_output=True, text=True, timeout=30)


@pytest.mark.parametrize("wrong", [("--set", "foo=1"), ("--rules", "chess")])
def test_a_wrong_option_ends_the_questions_of_a_pipe(
    wrong: tuple[str, str], tmp_path: Path
) -> None:
    """Once the same error came again and again, without end."""
    done = _asked(tmp_path / "log", "\n" * 9, *wrong)
    assert done.returncode == 1
    assert done.stderr.count("Error: unknown") == 1


def test_back_asks_for_the_edition_again(tmp_path: Path) -> None:
    done = _asked(tmp_path / "log", "classic\nus\nback\nquit\n")
    assert done.stdout.count("Which edition?") == 2
