"""Inputs that once ended in a traceback, or in a message that misled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from math import comb
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from symkripke.cli import group
from symkripke.errors import RuleError, in_digits
from symkripke.play.seats import seated


def run(*arguments: str) -> Result:
    """The command line, with every exception of its own told as an error."""
    result = CliRunner().invoke(group, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_a_value_of_5000_digits(tmp_path: Path) -> None:
    file = tmp_path / "n.skp"
    file.write_text("let n = 3\nagents a\nfluent p(i) for i in 1..n\n", encoding="utf-8")
    result = run("check", str(file), "--set", f"n={'9' * 5_000}")
    assert result.exit_code == 1
    assert "the value of n is a number of 5,000 digits: expected at most 1,000" in result.stderr


@pytest.mark.parametrize("law", ["exactly(85; p(i) for i in 1..171)", "true"])
def test_more_interchangeable_fluents_than_factorials_have_floats(law: str, tmp_path: Path) -> None:
    file = tmp_path / "alike.skp"
    text = f"agents a\nfluent p(i) for i in 1..171\nlaw {law}\nwhere? p(1)\n"
    file.write_text(text, encoding="utf-8")
    result = run("check", str(file), "--json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    worlds = told["start"]["worlds"]
    share = 85 / 171 if law != "true" else 1 / 2
    assert told["steps"][0]["worlds"] == pytest.approx(worlds * share)
    assert worlds == (2**171 if law == "true" else comb(171, 85))


def test_a_number_of_worlds_with_6000_digits(tmp_path: Path) -> None:
    file = tmp_path / "big.txt"
    names = ",".join(map(str, range(20_000)))
    file.write_text(f"VARS {names}\nLAW Top\nOBS a: 1\n", encoding="utf-8")
    result = run("check", str(file))
    assert result.stdout == "about 10^6020 worlds at the beginning\n"
    assert (
        json.loads(run("check", str(file), "--json").stdout)["start"]["worlds"] == "about 10^6020"
    )


def test_numbers_in_digits() -> None:
    assert in_digits(1_234) == "1,234"
    assert in_digits(10**999) == f"{10**999:,}"
    assert in_digits(3 * 10**5_000) == "about 10^5000"
    assert in_digits(-(10**5_000)) == "about -10^5000"


def test_a_name_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that fits is good, also if the file that is written first had a longer one."""
    monkeypatch.chdir(tmp_path)
    game = ("play", "cluedo", "--rules", "study", "--seed", "1", "--brief", "--log")
    fits = f"{'a' * 244}.jsonl"
    assert run(*game, fits).exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == [fits]
    result = run(*game, f"{'a' * 251}.jsonl")
    assert result.exit_code == 1
    assert "File name too long" in result.stderr
    assert "Turn" not in result.stdout  # not after the game
    assert max(map(len, result.stderr.splitlines())) < 200


def test_begin_writes_only_what_can_be_read(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    for game, options, held in (
        ("perudo", ("--set", "dice=2"), "5,5"),
        ("cluedo", ("--rules", "study", "--players", "2", "--size", "3/3/2"), "wren,rope"),
        ("old_maid", ("--rules", "study", "--players", "4"), "ace,ace,king,queen"),
    ):
        log.unlink(missing_ok=True)
        player = "ann"
        result = run("begin", game, str(log), *options, "--player", player, "--holds", held)
        assert result.exit_code == (0 if log.exists() else 1)
        if log.exists():
            assert run("ask", str(log), "true").exit_code == 0


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("cluedo", "expected an event of turn 1 (an accusation) or 2, got one of 5"),
        ("sleuth", "expected an event of turn 1 (a declaration) or 2, got one of turn 5"),
    ],
)
def test_which_turn_comes_next(game: str, message: str, tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    run("play", game, "--rules", "study", "--seed", "1", "--minds", "random", "--log", str(log))
    lines = log.read_text(encoding="utf-8").splitlines()
    second = next(n for n, line in enumerate(lines) if '"turn":2' in line)
    lines[second] = lines[second].replace('"turn":2', '"turn":5')
    log.write_text("\n".join(lines), encoding="utf-8")
    assert message in run("ask", str(log), "true").stderr


def test_a_game_for_one_number_of_players() -> None:
    seats = {"duel": (2, 2), "party": (2, 6)}
    for rules, wanted in (("duel", "2"), ("party", "2 to 6")):
        with pytest.raises(RuleError, match=f"is for {wanted} players, got 7"):
            seated("Chess", seats, rules, 2, 7, None)


def test_what_the_number_of_dice_means_is_told() -> None:
    told = run("games", "perudo").stdout
    assert "after a call still those that were shown" in " ".join(told.split())


def test_m_is_not_explained_as_k() -> None:
    for game in ("cluedo", "kwartet", "perudo"):
        examples = json.loads(run("games", game, "--json").stdout)["examples"]
        (says,) = [
            says
            for formula, says in examples.items()
            if formula.startswith("M[") and ("knows_solution" not in formula)
        ]
        assert "considers it possible that" in says


def test_a_guess_is_not_certain() -> None:
    """What the winner knew before the accusation counts, not what it knows once it was right."""
    study = ("play", "cluedo", "--rules", "study", "--players", "2", "--size", "3/2/2", "--brief")
    guesser = run(*study, "--minds", "higher-order-guesser:0.3", "--seed", "1")
    assert guesser.stdout.splitlines()[-1].endswith("with 2 solutions left.")
    knower = run(*study, "--minds", "higher-order", "--seed", "1")
    assert knower.stdout.splitlines()[-1].endswith("certain.")


def test_the_same_json_with_any_hash_seed() -> None:
    """Also of minds that look at what they have seen in the order of a set."""
    shown = set()
    for seed in ("0", "1", "2"):
        command = ["play", "cluedo", "--rules", "study", "--minds", "first-order", "--seed", "3"]
        done = subprocess.run(
            [sys.executable, "-m", "symkripke", *command, "--json"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        shown.add(done.stdout)
    assert len(shown) == 1


ESCAPE = "\x1b]0;owned\x07\x1b[31m\u202e"


def test_escapes_in_files_do_not_reach_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "escapes.skp"
    text = f'agents a\nfluent p\nlaw "{ESCAPE}why": p\nsay "{ESCAPE}said"\nvalid? K[a] p\n'
    for last in ("", f"true? {ESCAPE}\n"):
        file.write_text(text + last, encoding="utf-8")
        result = run("check", str(file), "--why")
        assert result.exit_code == bool(last)
        printed = result.stdout + result.stderr
        assert not any(sign in printed for sign in ESCAPE if not sign.isprintable())


def test_long_values_are_cut_in_messages(tmp_path: Path) -> None:
    long = "x" * 5_000
    file = tmp_path / "edition.toml"
    for text in (f'suspects = "{long}"', f"suspects = [{', '.join(['12345'] * 3_000)}]"):
        file.write_text(text, encoding="utf-8")
        result = run("play", "cluedo", "--edition", str(file))
        assert result.exit_code == 1
        assert 10 < len(result.stderr) < 1_300
    assert len(str(RuleError(f"expected this, got {long!r} and {long!r} here"))) < 500
    assert str(RuleError("short 'a' and 'b'")) == "short 'a' and 'b'"


@pytest.mark.parametrize("command", [["ask", "", "true"], ["check", ""]])
def test_an_empty_name_of_a_file_is_told(command: list[str]) -> None:
    result = run(*command)
    assert result.exit_code == 1
    assert result.stderr == "Error: cannot read: the name of the file is empty\n"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("=3",), "expected NAME or NAME=VALUE, got '=3'"),
        (("size=1/1/1", "size=2/2/2"), "size is given twice"),
    ],
)
def test_settings_without_a_name_or_given_twice(given: tuple[str, ...], message: str) -> None:
    options = [part for setting in given for part in ("--set", setting)]
    result = run("play", "cluedo", *options)
    assert result.exit_code == 2
    assert message in result.stderr


def test_wrong_usage_is_cut_too() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "symkripke", "puzzle", "muddy_children", "--n", "9" * 5_000],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr) < 500
