"""What help says in a game: names of this game, and nothing that cannot work in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from symkripke.play import Record, Table, game
from symkripke.play.hosted import HostedGame
from symkripke.play.phrases import in_this_game
from tests.cli.test_person import SMALL, command
from tests.cli.test_person import piped as played
from tests.cli.test_table import piped

_PEOPLE = ("xena", "yuri", "zoe", "willi")
_OTHERS = re.compile(r"\b(ann|bob|cath|dan|plum|scarlett|mustard)\b", re.IGNORECASE)


@pytest.mark.parametrize("name", SMALL)
def test_examples_name_who_plays(name: str) -> None:
    """At every position, for a real table: nobody who does not play, and still some examples."""
    played_game = game(name)
    table: Table[Any, Any] = Table.of(
        played_game, players=4, names=_PEOPLE, minds=["random"], seed=3
    )
    record = Record.of(table)
    position = played_game.start(record.setup, None)
    for _ in zip(range(4), table, strict=False):
        pass
    for outcome in Record.of(table).outcomes:
        phrases = [phrase for phrase in played_game.phrases if phrase.when(position)]
        names = played_game.example_names(record.setup, position, None)
        shown = [
            f"{form} {meaning}"
            for phrase in phrases
            for form, meaning in in_this_game(phrase.typed or {}, names)
        ]
        assert shown
        assert not [line for line in shown if _OTHERS.search(line)]
        position = position.follow(outcome)


def test_examples_with_two_players() -> None:
    """What needs a third player is left out."""
    perudo = game("perudo")
    setup = perudo.setup(players=2, names=("xena", "yuri"))
    names = perudo.example_names(setup, perudo.start(setup, None), None)
    assert names == {"Bob": "Xena", "Ann": "Yuri", "Cath": "", "Calza": ""}
    typed = {"bob 3 fours": "Bob's bid", "bob dudo; cath 3": "", "calza": ""}
    assert dict(in_this_game(typed, names)) == {"xena 3 fours": "Xena's bid"}


@pytest.mark.parametrize("name", SMALL)
def test_examples_for_a_person_can_be_typed(name: str, tmp_path: Path) -> None:
    """Every form that help shows is understood, at every decision of a game."""
    from symkripke.cli.line_reader import LineReader
    from symkripke.cli.options import Limits
    from symkripke.cli.person_dialogue import InTheGame

    log = tmp_path / "game.jsonl"
    assert (
        played(command(name, log, human="ann" if name != "cluedo" else "plum"), []).exit_code == 0
    )
    hosted = HostedGame.open(log)
    decisions = 0
    while not hosted.is_over and hosted.events < 12:
        if hosted.step() is not None or (who := hosted.waiting_for) is None:
            continue
        view = hosted.view(who)
        dialogue = InTheGame(hosted, LineReader(""), plain=True, limits=Limits())
        examples = dialogue.helped().partition("Commands:")[0].splitlines()[1:]
        forms = [line.strip() for line in examples if re.match(r"  \S", line)]
        assert forms
        for form in forms:
            view.read(form)
        decisions += 1
        hosted.choose(who, next(view.menu.moves))
    assert decisions or name == "old_maid"


def test_kwartet_names_its_own_cards(tmp_path: Path) -> None:
    """And has no `who`: there is no answer that somebody could know."""
    log = tmp_path / "game.jsonl"
    out = played(command("kwartet", log, human="maria"), ["help", "who", "quit"]).output
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


def test_options_of_programs_are_not_asked_for_at_a_table(tmp_path: Path) -> None:
    """How likely a forgetful player forgets is no rule of a table of people."""
    answers = "kwartet\n\n\n"
    out = piped("table", tmp_path / "t.jsonl", typed=answers)[1]
    assert "Rules that can be changed" in out
    assert "forgets" not in out
