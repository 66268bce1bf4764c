"""Output of the commands for games and logs."""

from __future__ import annotations

import json
import subprocess
import sys
from math import factorial
from pathlib import Path

import pytest

from symkripke.language import parse_question
from symkripke.play import game, game_names
from tests.cli.support import run, run_apart


def test_the_same_seed_plays_the_same_game_with_any_hash_seed() -> None:
    """This includes minds that iterate over sets."""
    command = ("play", "cluedo", "--rules", "study", "--minds", "first-order", "--seed", "3")
    shown = {run_apart(*command, "--json", PYTHONHASHSEED=seed) for seed in ("0", "1")}
    assert shown == {(0, run(*command, "--json").stdout, "")}


def test_step_waits_and_the_end_of_the_input_ends_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    code, out, _ = run_apart("play", "cluedo", "--seed", "1", "--step", "--log", file, typed="\n\n")
    assert code == 130
    assert "interrupted in turn" in out
    # The moves so far are kept, and can be queried.
    assert len(file.read_text().splitlines()) == 2 + 3
    run("ask", file, "K[plum] at(rope, plum)")


def test_games_and_minds_are_described() -> None:
    out = run("games").stdout
    assert "classic: 3-6" in out
    assert "Players of Cluedo" in out
    told = json.loads(run("games", "--json").stdout)[0]
    assert told["minds"][:3] == ["higher-order", "first-order", "random"]
    for mind in told["minds"]:
        assert f"{mind} " in out
        assert told["characters"][mind] in out


@pytest.mark.parametrize("name", game_names())
def test_the_page_of_a_game_shows_example_questions(name: str) -> None:
    out = run("games", name.upper(), COLUMNS="200").stdout
    shown = game(name)
    assert shown.examples
    structure = shown.structure(shown.setup())
    for formula, words in shown.examples.items():
        assert formula in out
        assert words in out
        parse_question(formula, structure.vocabulary)  # raises if invalid
    assert json.loads(run("games", name, "--json").stdout)["examples"] == dict(shown.examples)


def test_deals_are_counted_by_size_and_number_of_players() -> None:
    out = json.loads(run("games", "cluedo", "--deals", "2/2/2,4/4/4", "--json").stdout)
    assert [(row["rules"], row["size"]) for row in out] == [
        *(("classic", size) for size in ("2/2/2", "4/4/4")),
        *(("study", size) for size in ("2/2/2", "4/4/4")),
    ]
    first, *_, last = (row["deals"] for row in out)
    assert first == {"3": 2**3 * factorial(3)}
    assert last == {"2": (4 * 3) ** 3, **dict.fromkeys("3456", factorial(4) ** 3)}
    wrong = run("games", "cluedo", "--deals", "3/3/3,2/2", code=1)
    assert "expected a size like 6/6/9" in wrong.stderr
    run("games", "--deals", "2/2/2", code=2)


def test_ask_with_reasons(log: Path) -> None:
    truth = json.loads(log.read_text().splitlines()[1])["truth"]
    card = next(f for f, place in truth.items() if place == "white").removeprefix("location(")[:-1]
    own, other = f"K[white] at({card}, white)", f"K[mustard] at({card}, white)"
    (source,) = json.loads(run("ask", log, own, "--why", "--json").stdout)["why"]["sources"]
    assert source["origin"] == {"turn": None, "agents": ["white"], "kind": "hand"}
    out = run("ask", log, other, "--why", "--at", "0", "--verbose").stdout
    assert out.splitlines()[0].endswith("(after the deal, engine: sat)")
    assert out.splitlines()[-1] == "  used the sat engine: cards were dealt out"
    data = json.loads(run("ask", log, other, "--why", "--json", "--at", "0").stdout)
    assert (data["holds"], data["why"]["kind"]) == (False, "possible")
    assert data["reason"] == "cards were dealt out"


def test_the_prompt_takes_questions_line_by_line(log: Path) -> None:
    asked = "K[white] knows_solution(white)"
    typed = f"why\nat 0\n{asked}\nwhy\nat 2\nnames\nK[whit] x\nat x\nhelp\nat\nquit\nno"
    done = run("ask", log, typed=typed, code=1)  # a faulty line fails the whole pipe
    assert done.stdout.count(asked) == 2
    assert done.stdout.count("White considers it possible that Miss Scarlett") == 1
    assert "after turn 2" in done.stdout
    assert "at(card, place)" in done.stdout
    assert "nothing has been asked yet" in done.stderr
    assert "did you mean 'white'" in done.stderr
    assert "expected a turn after 'at', got 'x'" in done.stderr


def test_a_log_is_complete_although_the_reader_stops(tmp_path: Path) -> None:
    """The log holds the whole game, although a pipe into `head` closes early."""
    file = tmp_path / "game.jsonl"
    command = f"{sys.executable} -m symkripke play cluedo --seed 1 --log {file} | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Cluedo")
    assert "result" in json.loads(file.read_text().splitlines()[-1])
    run("ask", file, "K[plum] at(rope, plum)")


def test_a_full_disk_gives_no_traceback() -> None:
    command = f"{sys.executable} -m symkripke games >/dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == 1
    assert "cannot write the output" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_ascii_terminal(tmp_path: Path) -> None:
    """Bars use ASCII characters, and only the missing character of a name is replaced."""
    file = tmp_path / "office.toml"
    file.write_text(
        'suspects = ["\u00c9mile", "Bo"]\nweapons = ["A", "B"]\nrooms = ["C", "D", "E"]\n'
    )
    code, out, errors = run_apart(
        "play", "cluedo", "--edition", file, "--players", "3", PYTHONIOENCODING="ascii"
    )
    assert code == 0, errors
    assert "?mile" in out
    assert "####" in out


def test_long_values_in_usage_errors_are_shortened() -> None:
    code, _, errors = run_apart("puzzle", "muddy_children", "--n", "9" * 5_000)
    assert code == 2
    assert len(errors) < 500
