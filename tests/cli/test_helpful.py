"""What help says in a game: names of this game, and nothing that cannot work in it."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from symkripke.cli.beginning import Interview
from symkripke.cli.line_reader import LineReader
from symkripke.cli.options import Beginning, Limits
from symkripke.cli.person_dialogue import InTheGame
from symkripke.play import Table, game
from symkripke.play.strategies import character
from tests.cli.support import SMALL, lines, run
from tests.cli.test_table import piped

_OTHERS = re.compile(r"\b(ann|bob|cath|dan)\b", re.IGNORECASE)


def play(name: str, log: Path, *typed: str) -> str:
    """Begin a small game of Xena's, and type something; what is printed."""
    names = ("--human", "xena", "--names", "xena,yuri,zoe", "--seed", "2", "--log", log)
    return run("play", name, *names, *SMALL[name], typed=lines(typed), code=None).output


@pytest.mark.parametrize("name", SMALL)
def test_examples_for_a_person_can_be_typed(name: str, tmp_path: Path) -> None:
    """Every form that help shows is understood, at every decision, and names who plays."""
    log = tmp_path / "game.jsonl"
    play(name, log)
    hosted = Table.open(log)
    decisions = 0
    while hosted.ended is None and len(hosted.steps) < 12:
        if hosted.step() is not None or (who := hosted.waiting_for) is None:
            continue
        view = hosted.seat(who)
        dialogue = InTheGame(hosted, LineReader(""), plain=True, limits=Limits())
        examples = dialogue.helped().partition("Commands:")[0].splitlines()[1:]
        forms = [line.strip() for line in examples if re.match(r"  \S", line)]
        assert forms
        assert not [line for line in examples if _OTHERS.search(line)]
        for form in forms:
            view.read(form)
        decisions += 1
        hosted.choose(who, next(view.menu.moves))
    assert decisions or name == "old_maid"


def test_kwartet_names_its_own_cards(tmp_path: Path) -> None:
    """And has no `who`: there is no answer that somebody could know."""
    out = play("kwartet", tmp_path / "game.jsonl", "help", "who", "quit")
    assert "Fog" not in out.partition("Commands:")[0].partition("for example:")[2]
    assert not re.search(r"^  who ", out, re.MULTILINE)
    assert "Error: Kwartet has no hidden answer that its players look for" in out


@pytest.mark.parametrize(("calza", "shown"), [("no", False), ("yes", True)])
def test_calza_is_shown_where_it_is_an_option(calza: str, shown: bool, tmp_path: Path) -> None:
    """At a real table, and to a person."""
    log = tmp_path / "table.jsonl"
    begun = ("--names", "xena,yuri,zoe", "--player", "xena", "--holds", "1,2,2,5,6")
    code, out, errors = piped("begin", "perudo", log, *begun, "--set", f"calza={calza}")
    assert code == 0, errors
    out = piped("table", log, typed="help\n")[1]
    assert ("calza" in out) is shown
    out = piped("table", log, typed="xena 2 twos\nhelp\n")[1]
    assert ("calza" in out) is shown
    assert not _OTHERS.search(out)


# ---- at the table --------------------------------------------------------------------------------


def test_a_result_that_is_taken_back_is_said(log: Path, tmp_path: Path) -> None:
    """The log of a finished game goes on before its last event."""
    copies = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for copy in copies:
        copy.write_bytes(log.read_bytes())
    out = run("undo", copies[0]).stdout
    assert out.endswith("The game is no longer over: its result is removed, too.\n")
    assert "no longer over" not in run("undo", copies[0]).stdout
    assert "The game is no longer over" in run("table", copies[1], typed="undo\n").stdout


def test_questions_fit_a_narrow_terminal() -> None:
    """The rules that can be changed and the prompts are broken between words."""
    reader = LineReader("")
    asked = Interview(reader, "t", "cluedo", {}, Beginning())
    long = "The cards cannot be dealt evenly: 2 of you got one extra card. Who? [Anna, Lee] "
    assert asked.wrapped(long) == long
    reader.interactive = True
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLUMNS", "50")
        shown = asked.wrapped(long)
    assert max(map(len, shown.split("\n"))) <= 50
    assert shown.split() == long.split()
    assert shown.endswith("Lee] ")


@pytest.mark.parametrize(
    ("command", "names"),
    [
        (("puzzle",), ("dining_cryptographers", "against_false_belief")),
        (("games", "cluedo"), ("higher-order-guesser", "first-order-guesser")),
    ],
)
def test_names_that_are_typed_are_whole_on_a_narrow_terminal(
    command: tuple[str, ...], names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    output = StringIO()
    made = Console(file=output, force_terminal=True, width=40, color_system=None, highlight=False)
    monkeypatch.setattr("symkripke.cli.console.console", lambda: made)
    run(*command)
    for name in names:
        assert name in output.getvalue()


# ---- other commands ------------------------------------------------------------------------------


def test_options_of_cluedo_are_called_so(tmp_path: Path) -> None:
    """Rooms and cards to show are for Cluedo."""
    log = tmp_path / "perudo.jsonl"
    run("play", "perudo", *SMALL["perudo"], "--seed", "1", "--log", log)
    for option in ("--room", "--show"):
        refused = run("suggest", log, "--player", "ann", "--at", "3", option, "hall", code=2)
        assert f"{option} is only for Cluedo, but this is Perudo" in refused.stderr


@pytest.mark.parametrize("name", ["cluedo", "kwartet", "perudo"])
def test_players_of_each_depth_are_told_apart(name: str) -> None:
    """Each has a description of its own."""
    told = [character(game(name), f"depth-{depth}") for depth in range(4)]
    assert len(set(told)) == len(told)
