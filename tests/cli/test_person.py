"""People at the keyboard: at a pseudo-terminal, through a pipe, with invalid input, with a quiz."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from click import Argument, Context
from click.testing import Result

from symkripke.cli import group
from symkripke.cli.quiz import _share
from symkripke.play import Record
from tests.cli.support import SMALL, lines, run
from tests.support.terminal import Terminal


def command(name: str, log: Path, *more: str, human: str = "ann", seed: int = 2) -> list[str]:
    begun = ["play", name, "--human", human, "--seed", str(seed), "--log", str(log)]
    return [*begun, *SMALL[name], *more]


def piped(arguments: Sequence[str], typed: Sequence[str], code: int | None = None) -> Result:
    return run(*arguments, typed=lines(typed), code=code)


# ---- whole games -----------------------------------------------------------------------------


def test_a_whole_game_at_a_terminal(tmp_path: Path) -> None:
    """The test follows hints until the game is over; after many turns the person resigns."""
    log = tmp_path / "game.jsonl"
    here = {"XDG_STATE_HOME": str(tmp_path)}
    with Terminal(*command("cluedo", log, human="scarlett"), environment=here) as terminal:
        for word in ("hint", "take", "hint", "take", "resign", "yes"):
            assert terminal.waits()
            terminal.keys(f"{word}\r")
        assert terminal.process.wait(timeout=60) == 0
        shown = terminal.raw()
    assert "You were dealt" in shown
    assert "The game is over" in shown
    assert Record.read(log).result is not None


@pytest.mark.parametrize("name", SMALL)
def test_a_game_of_each_kind_is_played_left_and_resumed(name: str, tmp_path: Path) -> None:
    whole, log = tmp_path / "whole.jsonl", tmp_path / "log.jsonl"
    human = "scarlett" if name == "cluedo" else "ann"
    moves = ["", "hint", "take", "usual", "hint", "take", "resign", "yes"]
    piped(command(name, whole, human=human, seed=3), moves)
    left = piped(command(name, log, human=human, seed=3), moves[:3])
    if Record.read(log).result is None:
        assert f"Saved. To continue: symkripke play --resume {log}" in left.stdout
        assert "The game continues: " in piped(["play", "--resume", str(log)], moves[3:]).stdout
    assert Record.read(log).outcomes == Record.read(whole).outcomes
    assert Record.read(log).result is not None


def test_several_people_each_see_their_own_view(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    people = command("perudo", log, "--human", "jo", human="maria", seed=1)
    shown = piped(people, ["hint", "take"] * 9, 0).stdout
    assert shown.index("You are Maria.") < shown.index("--- Jo ---") < shown.index("You are Jo.")


# ---- nothing is revealed ------------------------------------------------------------------------


SHOWS_ALL: dict[str, list[str]] = {
    "ask": ["true"],
    "diagnose": [],
    "draw": ["--near", "1"],
    "edit": ["1", ""],
    "export": ["true", "--format", "dimacs"],
    "list": [],
    "note": ["no"],
    "odds": ["--player", "bob"],
    "review": ["--player", "ann"],
    "sample": ["--player", "bob"],
    "sheet": ["--player", "bob"],
    "suggest": ["--player", "bob"],
    "table": [],
    "undo": [],
    "who": [],
}


def test_an_unfinished_game_is_revealed_only_on_request(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    piped(command("cluedo", log, "--names", "ann,bob,cath"), ["mustard dagger ballroom", "no"])
    text = log.read_bytes()
    with_log = [
        name
        for name in group.list_commands(Context(group))
        if name != "begin"
        and (found := group.get_command(Context(group), name)) is not None
        and any(isinstance(given, Argument) and given.name == "log" for given in found.params)
    ]
    assert {*with_log, "draw", "export"} == set(SHOWS_ALL)
    for name, more in SHOWS_ALL.items():
        refused = piped([name, str(log), *more], [])
        assert (refused.exit_code, refused.stdout) == (2, ""), name
        assert "Ann is still playing this game: add --spoil" in refused.stderr, name
    assert log.read_bytes() == text
    for name in ("odds", "sample", "sheet", "suggest"):
        assert piped([name, str(log)], []).exit_code == 0, name
    assert "Cath shows Ballroom" in piped(["list", str(log), "--spoil"], []).stdout
    with Terminal("sheet", str(log), "--player", "bob", ready="[y/N]: ") as terminal:
        assert "Ann is still playing this game. Show the hidden cards?" in terminal.shown()
        assert terminal.end("n") == 0
        assert "Bob can know" not in terminal.raw_so_far()
    piped(["play", "--resume", str(log)], ["resign"])
    assert piped(["list", str(log)], []).exit_code == 0


# ---- invalid input ------------------------------------------------------------------------------

WRONG = {
    "cluedo": [
        *("rope", "mustard rope", "white plum hall", "suggest", "show rope", "no", "done"),
        *("accuse", "accuse white", "mustard dagger ballroom kitchen", "mustard mustard dagger"),
    ],
    "perudo": [
        *("0 fours", "9 fours", "2", "2 tens", "fours", "dudo", "calza", "ann", "bob 2 fours"),
        *("-1 twos", "2 2 2"),
    ],
}
EVERYWHERE = [
    *("banana", "take 7", "why", ":nonsense", "ask K[", "why M[zoe] x", "???", "note", "undo")
]


@pytest.mark.parametrize("name", WRONG)
def test_invalid_input_gets_one_line_each_and_the_game_continues(name: str, tmp_path: Path) -> None:
    wrong = [*WRONG[name], *EVERYWHERE]
    human = "scarlett" if name == "cluedo" else "ann"
    log = tmp_path / "game.jsonl"
    piped(command(name, log, human=human, seed=3), [], 0)
    content = log.read_bytes()
    resume = ["play", "--resume", str(log), "--brief"]
    # Undo what a line may have begun, such as an event of several parts.
    result = piped(resume, [word for line in wrong for word in (line, "undo")])
    assert "bug in this program" not in result.output
    assert log.read_bytes() == content
    told = re.findall(r"^(?:Not understood|Not possible now|Error): .*$", result.output, re.M)
    assert len(told) >= len(wrong)
    assert all(20 < len(line) < 250 for line in told)
    piped(resume, [*wrong, "undo", "hint", "take"], 1)
    assert log.read_bytes() != content


def test_without_a_log_option_a_game_is_saved_in_the_state_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for number in (1, 2):
        result = piped(["play", "perudo", "--human", "ann", "--seed", "4"], ["quit"])
        path = tmp_path / "symkripke" / "games" / f"perudo-4-{number}.jsonl"
        assert f"Written to {path}." in result.stdout.replace("\n", "")
        assert path.exists()


def test_minds_apply_to_the_other_players(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    for minds in ("odds,random", "odds,study,random"):
        piped(command("perudo", log, "--minds", minds, "--force", human="bob"), ["quit"])
        assert Record.read(log).minds == ("odds", "human", "random")


# ---- predict, then see -----------------------------------------------------------------------


def test_a_quiz_while_playing(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    lines = ["mustard dagger ballroom", "yes", "no", "open", "", "maybe", "no", "resign"]
    result = piped(command("cluedo", log, "--quiz", human="scarlett"), lines)
    assert "Quiz: To Scarlett's knowledge, is " in result.stdout
    assert re.search(r"^(Right|Wrong)\.$", result.stdout, re.M)
    assert re.search(r"^It is (yes|no|open):$", result.stdout, re.M)
    quizzed = result.stdout.index("Quiz:")
    assert "New:" not in result.stdout[:quizzed]
    assert re.search(r"^Score: \d of \d right", result.stdout, re.M)


def test_a_quiz_while_watching() -> None:
    watched = ["play", "kwartet", *SMALL["kwartet"], "--seed", "1", "--quiz"]
    shown = piped(watched, ["yes", "no", "what", "open"]).stdout
    assert "Expected yes, no or open, got 'what'." in shown
    assert re.search(r"^Score: \d of 3 right, 1 not answered\.$", shown, re.M)


def test_a_quiz_on_a_problem(tmp_path: Path) -> None:
    file = tmp_path / "two.txt"
    file.write_text(
        "agents a, b\nfluent p, q\na sees p\nactual p\ntrue? K[a] p\ntrue? K[b] p\nwhere? K[a] p\n"
    )
    result = piped(["check", str(file), "--quiz"], ["yes", "yes", "two", "2"])
    told = [line for line in result.stdout.splitlines() if line in ("Right.", "Wrong.")]
    assert told == ["Right.", "Wrong.", "Right."]
    assert "Expected a whole number, got 'two'." in result.stdout
    assert "because b considers this possible" in result.stdout
    assert "Score: 2 of 3 right." in result.stdout
    assert result.stdout.index("Quiz: true? K[a] p") < result.stdout.index("yes  true? K[a] p")


def test_a_quiz_on_a_logged_game(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    piped(["play", "kwartet", "--players", "3", "--seed", "1", "--brief", "--log", str(log)], [])
    chance = "P[ann](holds(bob, fat_cow))"
    asked = ["ask", str(log), "--at", "0", chance]
    share = Fraction(json.loads(piped([*asked, "--json"], []).stdout)["probability"])
    for away, verdict in ((0, "Right."), (Fraction(1, 25), "Right."), (Fraction(1, 10), "Wrong.")):
        assert f"{verdict}\n" in piped([*asked, "--quiz"], [str(share + away)]).stdout
    session = piped(
        ["ask", str(log), "--quiz"], ["K[ann] holds(bob, fat_cow) | true", "yes", "quit"]
    )
    assert "Right.\n" in session.stdout
    assert "Score: 1 of 1 right." in session.stdout


@pytest.mark.parametrize(
    ("told", "share"), [("40", "2/5"), ("0.4", "2/5"), ("2/5", "2/5"), ("100", "1"), ("x", "")]
)
def test_probabilities_are_read_in_the_forms_that_people_use(told: str, share: str) -> None:
    assert str(_share(told) or "") == share


def test_a_game_with_a_cut_off_last_line_continues_with_a_note(tmp_path: Path) -> None:
    log, whole = tmp_path / "game.jsonl", tmp_path / "whole.jsonl"
    piped(["play", "perudo", "--players", "2", "--seed", "2", "--brief", "--log", str(whole)], [])
    log.write_bytes(whole.read_bytes()[:-400])
    result = piped(["play", "--resume", str(log), "--brief"], [])
    assert "Note: the last line of game.jsonl was cut off, and is ignored." in result.output
    assert log.read_bytes() == whole.read_bytes()
