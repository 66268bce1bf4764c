"""The program as people run it: what it prints, and one clear error for each mistake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from symkripke.cli import group
from symkripke.language import parse_question
from symkripke.play import game, game_names


def run(*arguments: str | Path, given: str = "", **environment: str) -> tuple[int, str, str]:
    """Run the program: exit code, output, errors."""
    done = CliRunner().invoke(group, [*map(str, arguments)], input=given, env=environment)
    return done.exit_code, done.stdout, done.stderr


def run_apart(*arguments: str | Path, given: str = "", **environment: str) -> tuple[int, str, str]:
    """Run the program in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "symkripke", *map(str, arguments)],
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("logs") / "game.jsonl"
    code, _, errors = run("play", "cluedo", "--players", "6", "--seed", "7", "--log", file)
    assert code == 0, errors
    return file


def test_the_same_seed_writes_the_same_log(log: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.jsonl"
    assert run_apart("play", "cluedo", "--players", "6", "--seed", "7", "--log", again)[0] == 0
    assert again.read_bytes() == log.read_bytes()


def test_play_ends_with_a_certain_winner_and_plain_text() -> None:
    code, out, _ = run("play", "cluedo", "--players", "6", "--seed", "7")
    assert code == 0
    assert out.rstrip().endswith(", certain.")
    assert "\x1b" not in out
    assert "Turn 1\n" in out
    assert "█" in out


def test_play_draws_with_ascii_where_that_is_all_there_is() -> None:
    code, out, _ = run_apart(
        "play", "cluedo", "--players", "3", "--seed", "1", PYTHONIOENCODING="ascii"
    )
    assert code == 0
    assert "####" in out


def test_play_as_json() -> None:
    code, out, _ = run("play", "cluedo", "--rules", "study", "--seed", "2", "--json")
    assert code == 0
    first, *_, last = [json.loads(line) for line in out.splitlines()]
    assert first["turn"] == 0
    assert set(first["players"]) == {"ann", "bob", "cath", "dan"}
    assert first["players"]["ann"]["mind"] == "higher-order"
    assert last["winners"]


def test_step_waits_and_the_end_of_the_input_ends_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    code, out, _ = run_apart("play", "cluedo", "--seed", "1", "--step", "--log", file, given="\n\n")
    assert code == 130
    assert "interrupted in turn" in out
    lines = file.read_text().splitlines()
    # What was played is kept, and can be asked about.
    assert len(lines) == 2 + 3
    assert run("ask", file, "K[plum] at(rope, plum)")[0] == 0


def test_games() -> None:
    code, out, _ = run("games")
    assert code == 0
    assert "cluedo" in out
    assert "classic: 3-6" in out
    code, out, _ = run("games", "--json")
    assert json.loads(out)[0]["minds"][:3] == ["higher-order", "first-order", "random"]


@pytest.mark.parametrize("name", game_names())
def test_the_page_of_a_game_shows_what_can_be_asked(name: str) -> None:
    code, out, _ = run("games", name.upper(), COLUMNS="200")
    assert code == 0
    shown = game(name)
    assert shown.examples
    structure = shown.structure(shown.setup())
    for formula, words in shown.examples.items():
        assert formula in out
        assert words in out
        parse_question(formula, structure.vocabulary)  # or it raises
    assert json.loads(run("games", name, "--json")[1])["examples"] == dict(shown.examples)


def test_the_page_of_a_game_that_is_not_there() -> None:
    code, _, errors = run("games", "cludo")
    assert (code, errors.strip()) == (1, "Error: unknown game 'cludo'; did you mean 'cluedo'?")


def test_sheet(log: Path) -> None:
    code, out, _ = run("sheet", log, "--player", "Plum", "--at", "5")
    assert code == 0
    assert "What Plum can know after turn 5" in out
    assert len([line for line in out.splitlines() if line.startswith("   ")]) >= 21
    code, out, _ = run("sheet", log, "--player", "plum", "--at", "0", "--json")
    sheet = json.loads(out)["sheet"]
    truth = json.loads(log.read_text().splitlines()[1])["truth"]
    for fluent, marks in sheet.items():
        own = truth[fluent] == "plum"
        assert marks["plum"] == ("yes" if own else "no")
        assert set(marks.values()) == ({"yes", "no"} if own else {"no", "open"})


def test_ask_with_reasons(log: Path) -> None:
    truth = json.loads(log.read_text().splitlines()[1])["truth"]
    card = next(f for f, place in truth.items() if place == "green").removeprefix("location(")[:-1]
    code, out, _ = run("ask", log, f"K[green] at({card}, green)", "--why")
    assert code == 0
    assert out.startswith("yes ")
    assert "own hand" in out
    code, out, _ = run("ask", log, f"K[plum] at({card}, green)", "--why", "--at", "0")
    assert out.startswith("no ")
    assert "  Plum does not know that Green holds " in out
    assert "because Plum considers this possible:\n    " in out
    # What differs from the truth, one place a line.
    lines = [line.strip() for line in out.splitlines()]
    assert sum("*" in line for line in lines) >= 2
    assert lines[-1] == "all else as it really is"
    assert "sat" not in out
    code, out, _ = run("ask", log, f"K[plum] at({card}, green)", "--why", "--at", "0", "--verbose")
    assert out.splitlines()[0].endswith("(after the deal, engine: sat)")
    assert out.splitlines()[-1] == "  asked the sat engine: cards were dealt out"
    code, out, _ = run("ask", log, f"K[plum] at({card}, green)", "--why", "--json", "--at", "0")
    data = json.loads(out)
    assert data["holds"] is False
    assert data["why"]["kind"] == "possible"
    assert data["reason"] == "cards were dealt out"
    code, out, _ = run("ask", log, f"K[green] at({card}, green)", "--why", "--json")
    (source,) = json.loads(out)["why"]["sources"]
    assert source["origin"] == {"turn": None, "agents": ["green"], "kind": "hand"}


def test_an_answer_may_take_only_so_long(log: Path) -> None:
    code, out, errors = run("ask", log, "K[plum] K[green] at(rope, envelope)", "--seconds", "0")
    assert (code, out) == (3, "")
    assert "no answer within 0 seconds" in errors
    assert run("ask", log, "K[plum] at(rope, plum)", "--why", "--seconds", "60")[0] == 0


def test_silence_speaks(tmp_path: Path) -> None:
    """Played, written down, and asked: what follows from a silence has it in its story."""
    file = tmp_path / "game.jsonl"
    small = ("--players", "3", "--size", "3/3/3", "--set", "silence_speaks", "--seed", "3")
    code, out, errors = run("play", "cluedo", *small, "--log", file)
    assert code == 0, errors
    assert "Scarlett does not accuse." in out
    assert '"accusers":["scarlett","mustard","white"]' in file.read_text()
    code, out, _ = run("ask", file, "C[*] ~knows_solution(scarlett)", "--at", "0")
    assert (code, out.split()[0]) == (0, "yes")
    assert run("sheet", file, "--player", "white", "--at", "1")[0] == 0
    code, _, errors = run("play", "cluedo", *small, "--minds", "random")
    assert (code, "does not speak: a random mind may know" in errors) == (1, True)
    code, _, errors = run("simulate", "cluedo", *small, "--minds", "random", "--games", "2")
    assert (code, "does not speak: a random mind may know" in errors) == (1, True)


def test_the_prompt_takes_questions_line_by_line(log: Path) -> None:
    questions = "why\nK[plum] at(rope, plum)\nwhy\nat 2\nnames\nK[plm] x\nat x\nhelp\nat\nquit\nno"
    code, out, errors = run("ask", log, given=questions)
    assert code == 1  # faults, as in any other pipe
    assert out.count("K[plum] at(rope, plum)") == 2
    assert (
        out.count("Plum does not know that Plum holds Rope, because Plum considers this possible")
        == 1
    )
    assert "after turn 2" in out
    assert "at(card, place)" in out
    assert "nothing has been asked yet" in errors
    assert "did you mean 'plum'" in errors
    assert "expected a turn after 'at', got 'x'" in errors


FAULTS = {
    "game": (("play", "clued"), 1, "unknown game 'clued'; did you mean 'cluedo'?"),
    "players": (("play", "cluedo", "--players", "7"), 1, "for 3 to 6 players, got 7"),
    "few players": (("play", "cluedo", "--players", "2"), 1, "for 3 to 6 players, got 2"),
    "number": (("play", "cluedo", "--players", "x"), 2, "'x' is not a valid integer"),
    "mind": (("play", "cluedo", "--minds", "clever"), 1, "unknown kind of Cluedo player 'clever'"),
    "minds": (("play", "cluedo", "--minds", "random,random"), 1, "expected 1 or 6 minds"),
    "empty mind": (("play", "cluedo", "--minds", "random,"), 2, "names with commas between"),
    "command": (("plya",), 2, "no such command 'plya'; did you mean 'play'?"),
    "option": (("play", "cluedo", "--sed", "1"), 2, "--seed"),
    "edition": (("play", "cluedo", "--edition", "uk"), 1, "unknown edition 'uk'"),
    "log path": (("play", "cluedo", "--log", "none/game.jsonl"), 1, "cannot write none/game.jsonl"),
    "empty log path": (("play", "cluedo", "--log", ""), 2, "expected a path, got an empty text"),
    "empty folder": (("simulate", "cluedo", "--out", ""), 2, "expected a path, got an empty text"),
    "names alike": (("play", "cluedo", "--names", "Ann,ann,Bob"), 1, "'ann' is given twice"),
    "log": (("ask", "none.jsonl", "true"), 1, "cannot read none.jsonl: No such file"),
    "player": (("sheet", "LOG", "--player", "plumb"), 1, "did you mean 'plum'"),
    "turn": (("sheet", "LOG", "--player", "plum", "--at", "99"), 1, "expected a turn from 0 to"),
    "agent": (("ask", "LOG", "K[plumb] at(rope, plum)"), 1, "unknown agent 'plumb'"),
    "card": (("ask", "LOG", "K[plum] at(roep, plum)"), 1, "unknown card 'roep'; did you mean"),
    "name": (("ask", "LOG", "K[plum] att(rope, plum)"), 1, "unknown proposition 'att'"),
    "operator": (("ask", "LOG", "Know[plum] at(rope, plum)"), 1, "unknown operator 'Know'"),
    "syntax": (("ask", "LOG", "K[plum] at(rope, plum"), 1, "expected ')', ',', got the end"),
    "arguments": (("ask", "LOG", "at(rope)"), 1, "takes 2 arguments, got 1"),
    "value": (("ask", "LOG", "location(rope) = plumb"), 1, "did you mean 'plum'"),
    "engine": (("ask", "LOG", "true", "--engine", "z4"), 1, "unknown engine 'z4'"),
    "too many worlds": (("ask", "LOG", "true", "--engine", "explicit"), 3, "worlds"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_faults(kind: str, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, code, message = FAULTS[kind]
    came = run(*(str(log) if one == "LOG" else one for one in arguments))
    assert came[0] == code, came
    assert message in came[2]
    assert "Traceback" not in came[1] + came[2]
    assert list(tmp_path.iterdir()) == []


def test_formula_errors_show_the_place(log: Path) -> None:
    _, _, errors = run("ask", log, "K[plum] at(roep, plum)")
    lines = errors.splitlines()
    assert lines[-1].index("^") == lines[-2].index("roep")


def test_help_names_every_command() -> None:
    code, out, _ = run("--help")
    assert code == 0
    for command in ("games", "play", "sheet", "ask", "simulate"):
        assert command in out
        assert run(command, "--help")[0] == 0


def test_a_reader_that_goes_away_is_no_fault() -> None:
    command = f"{sys.executable} -m symkripke play cluedo --seed 1 | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.startswith("Cluedo")


def test_a_log_is_kept_when_the_reader_goes_away(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    play = f"{sys.executable} -m symkripke play cluedo --seed 1 --log {file} | head -n 1"
    subprocess.run(["bash", "-c", play], capture_output=True, timeout=60, check=True)
    assert run("ask", file, "K[plum] at(rope, plum)")[0] == 0
    # The whole game is in it: who pipes into `head` has only seen enough.
    assert "result" in json.loads(file.read_text().splitlines()[-1])


def test_a_full_disk_is_no_traceback() -> None:
    for command in ("games", "play cluedo --seed 1 --players 3 --size 3/3/3"):
        done = subprocess.run(
            ["bash", "-c", f"{sys.executable} -m symkripke {command} >/dev/full"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert "Traceback" not in done.stderr, (command, done.stderr)


def test_names_that_the_terminal_cannot_show(tmp_path: Path) -> None:
    file = tmp_path / "office.toml"
    file.write_text('suspects = ["Émile", "Bo"]\nweapons = ["A", "B"]\nrooms = ["C", "D", "E"]\n')
    code, out, errors = run_apart(
        "play", "cluedo", "--edition", file, "--players", "3", PYTHONIOENCODING="ascii"
    )
    assert code == 0, errors
    assert "?mile" in out
