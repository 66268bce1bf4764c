"""What help says in a game: names of this game, and nothing that cannot work in it."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from symkripke.play import Table, game
from symkripke.play.acts import in_this_game
from tests.cli.test_person import SMALL, command
from tests.cli.test_person import piped as played
from tests.cli.test_table import at_table, begun, piped

_PEOPLE = ("xena", "yuri", "zoe", "willi")
_OTHERS = re.compile(r"\b(ann|bob|cath|dan|plum|scarlett|mustard)\b", re.IGNORECASE)


@pytest.mark.parametrize("name", SMALL)
def test_examples_name_who_plays(name: str) -> None:
    """At every position, for a real table: nobody who does not play, and still some examples."""
    played_game = game(name)
    table: Table[Any, Any] = Table.of(
        played_game, players=4, names=_PEOPLE, minds=["random"], seed=3
    )
    record = table.record
    position = played_game.start(record.setup, None)
    for _ in zip(range(4), table, strict=False):
        pass
    for outcome in table.record.outcomes:
        phrases = [act for act in played_game.acts if act.when(position)]
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
    assert names == {"Ann": "Xena", "Bob": "Yuri", "Cath": "", "Calza": ""}
    typed = {"ann 3 fours": "Ann's bid", "ann dudo; cath 3": "", "calza": ""}
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


# ---- at the table --------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["ask", "why"])
def test_who_cannot_tell_is_told_so_at_the_table(word: str, tmp_path: Path) -> None:
    """As in a game with minds; the cases are shown for `why`."""
    code, out, errors = at_table(tmp_path, f"{word} at(dagger, bob)")
    assert (code, errors) == (0, "")
    assert "You cannot tell.\n" in out
    assert ("yes  M[cath] (at(dagger, bob)) & M[cath] ~(at(dagger, bob))" in out) is (word == "why")
    code, out, errors = at_table(tmp_path, f"{word} at(rope, cath)")
    assert code == 0
    assert "You cannot tell." not in out


def test_only_a_refused_event_is_no_entry_to_be_taken_back(tmp_path: Path) -> None:
    """A question that is refused is none."""
    lines = ("green rope hall; bob !", "ask K[nobody] at(rope, bob)", "undo")
    _, out, _ = at_table(tmp_path, *lines)
    assert "Taken back: Ann asks" in out
    assert "The refused line" not in out


def test_nothing_told_is_said(tmp_path: Path) -> None:
    """And is wrong usage."""
    log = begun(tmp_path)
    for events in ([""], [" ;; "], ["", "\n"]):
        code, _, errors = piped("note", log, *events)
        assert code == 2
        assert "expected an event, got an empty text" in errors


def test_a_result_that_is_taken_back_is_said(tmp_path: Path) -> None:
    """The log of a finished game goes on before its last event."""
    log = tmp_path / "game.jsonl"
    assert piped("play", "cluedo", "--seed", "1", "--players", "3", "--log", log)[0] == 0
    again = tmp_path / "again.jsonl"
    again.write_bytes(log.read_bytes())
    code, out, _ = piped("undo", log)
    assert code == 0
    assert out.endswith("The game is no longer over: its result is taken back, too.\n")
    assert "no longer over" not in piped("undo", log)[1]
    assert "The game is no longer over" in piped("table", again, typed="undo\n")[1]


def test_a_control_character_is_near_to_no_card(tmp_path: Path) -> None:
    """Of a sign nothing is proposed."""
    errors = piped("note", begun(tmp_path), "ann: plum\x1b[2J revolver hall; nobody")[2]
    assert "did you mean" not in errors


def test_questions_fit_a_narrow_terminal() -> None:
    """The rules that can be changed and the prompts are broken between words."""
    from symkripke.cli.beginning import Interview
    from symkripke.cli.line_reader import LineReader
    from symkripke.cli.options import Beginning

    lines = LineReader("")
    asked = Interview(lines, "t", "cluedo", {}, Beginning())
    long = "The cards cannot be dealt evenly: 2 of you got one card more. Who? [Anna, Lee] "
    assert asked.wrapped(long) == long
    lines.interactive = True
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
    assert piped(*command)[0] == 0
    for name in names:
        assert name in output.getvalue()


def test_nobody_is_called_you(tmp_path: Path) -> None:
    """Sentences would be wrong: "You passes."."""
    for name in ("you", "You"):
        code, _, errors = piped("play", "cluedo", "--human", name, "--log", tmp_path / "log")
        assert code == 1
        assert errors == "Error: expected the name of a player, got 'you'\n"


# ---- other commands ------------------------------------------------------------------------------


def test_options_of_cluedo_are_called_so(tmp_path: Path) -> None:
    """Rooms and cards to show are for Cluedo; who shows a card is not who asks for it."""
    log = tmp_path / "perudo.jsonl"
    assert piped("play", "perudo", "--seed", "1", "--players", "3", "--log", log)[0] == 0
    for option in ("--room", "--show"):
        code, _, errors = piped("suggest", log, "--player", "ann", "--at", "3", option, "hall")
        assert code == 2
        assert f"{option} is for Cluedo, and this is Perudo" in errors
    code, _, errors = piped("suggest", begun(tmp_path), "--show", "cath,rope,hall,plum")
    assert code == 2
    assert "--show: Cath is the one who shows; expected who asks first" in errors


def test_a_file_of_another_kind_is_no_experiment(tmp_path: Path) -> None:
    """What is expected is a file that ends in .toml."""
    file = tmp_path / "my.skp"
    file.write_text("fluent p\n")
    errors = piped("experiment", "run", file, "--out", tmp_path / "x")[2]
    assert "expected an experiment in a file that ends in .toml, got " in errors


def test_an_unknown_puzzle_is_told_where_the_list_is() -> None:
    """If no name is near."""
    assert piped("puzzle", "foo")[2] == (
        "Error: unknown puzzle 'foo'; `symkripke puzzle` lists all puzzles\n"
    )


def test_the_moves_of_several_parts_have_a_line_for_each(tmp_path: Path) -> None:
    """Whom, and for which card."""
    log = tmp_path / "game.jsonl"
    out = played(command("kwartet", log, human="maria"), ["moves", "quit"]).output
    assert re.search(r"^  ask for a card:\n    Which player\? \w.*\n    Which card\? \w", out, re.M)


@pytest.mark.parametrize("name", ["cluedo", "kwartet", "perudo"])
def test_players_of_each_depth_are_told_apart(name: str) -> None:
    """Each has a description of its own."""
    from symkripke.play.strategies import character

    told = [character(game(name), f"depth-{depth}") for depth in range(4)]
    assert len(set(told)) == len(told)
