"""Real tables at the terminal: whole games in short forms, slips, kills, plain output."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

from symkripke.play import Record, Table, game
from tests.cli.support import SEAT, begun, lines, run, unmet
from tests.support.terminal import Terminal
from tests.support.typed import Line, typed

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")

GAMES: dict[str, dict[str, Any]] = {
    "cluedo": {"players": 4, "seed": 3},
    "kwartet": {"players": 3, "groups": 3, "seed": 1},
}
"""Cluedo at full size, and a small game in which cards change hands."""


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_typed(name: str, tmp_path: Path) -> None:
    """Short forms, with corrected slips, lead to the same knowledge.

    The game of Cluedo is typed at a terminal, which is killed halfway.
    """
    played: Table[Any, Any] = Table.of(game(name), **GAMES[name])
    list(played)
    record = played.record.seen_by(played.setup.players[1])
    log = tmp_path / "table.jsonl"
    Record(record.game, record.setup, seat=record.seat).write(log)
    slips = min(1.0, 10 / len(record.outcomes))
    entries = list(typed(record, tmp_path / "aside.jsonl", Random(1), slips))
    if name == "cluedo":
        assert {line.kind for line in entries} >= {"event", *SAYS}
        at_a_terminal(log, entries, tmp_path)
    else:
        shown = run("table", log, typed=lines(["sheet off", *(e.text for e in entries)]), code=None)
        for kind, says in SAYS.items():
            assert shown.stdout.count(says) == sum(line.kind == kind for line in entries)
    again = Record.read(log)
    assert again.outcomes == record.outcomes
    assert record.seat is not None
    seat = record.seat.player
    assert again.replay().marks(seat) == record.replay().marks(seat)


SAYS = {"refused": "This is impossible", "undo": "Removed", "edit": "Was: "}


def at_a_terminal(log: Path, entries: Sequence[Line], home: Path) -> None:
    """Type the entries, half of them after the program was killed."""
    before = len(log.read_bytes().splitlines())
    half = len(entries) // 2
    for part in (entries[:half], entries[half:]):
        with Terminal("table", str(log), environment={"XDG_STATE_HOME": str(home)}) as terminal:
            terminal.shown()
            terminal.line("sheet off")
            for line in part:
                shown = terminal.line(line.text)
                assert SAYS.get(line.kind, f"{line.entries}. ") in shown
                # Each event is a line on disk before the next line can be typed.
                assert len(log.read_bytes().splitlines()) == before + line.entries
            terminal.keys("half a li")
            terminal.kill()


# ---- beginning a log -----------------------------------------------------------------------------


ASKED = (
    "game?",
    "rules?",
    "edition?",
    "House rules?",
    "Who plays",
    "are you?",
    "begins?",
    "card. Who?",
)
ANSWERS = ("clu", "", "", "", "Tom, Aunt May, Lee, Bob", "lee", "aunt may", "Tom, Bob")
HAND = {"Lee dealt?": "rope, Mrs White", "and two more:": "plum, study"}


def test_a_log_is_begun_by_asking(tmp_path: Path) -> None:
    """The first to play sits first; anybody may have more cards; Ctrl-C loses nothing."""
    log = tmp_path / "table.jsonl"
    with Terminal("table", str(log), environment={"XDG_STATE_HOME": str(tmp_path)}) as terminal:
        terminal.shown()
        for question, answer in {**dict(zip(ASKED, ANSWERS, strict=True)), **HAND}.items():
            terminal.keys("nonsense\x03")
            assert question in " ".join(terminal.shown().split())
            terminal.line(answer)
        assert "Aunt May asks for" in terminal.line("green rope hall; lee !").replace("\n", " ")
        terminal.keys("half a line\x03")
        assert "Which" not in terminal.shown()
        terminal.keys("\x04")
        assert terminal.process.wait(timeout=60) == 0
    record = Record.read(log)
    assert record.setup.players == ("aunt_may", "lee", "bob", "tom")
    assert record.setup.hands == (4, 4, 5, 5)
    assert record.seat is not None
    assert record.seat.holds == ("rope", "white", "plum", "study")
    assert len(record.outcomes) == 1


def piped(*arguments: object, typed: str = "") -> tuple[int, str, str]:
    """Run a command with piped input; return its exit code, output and errors."""
    result = run(*arguments, typed=typed, code=None)
    return result.exit_code, result.stdout, result.stderr


def test_all_answers_can_be_given_as_options(tmp_path: Path) -> None:
    """The player who begins sits first."""
    log, other = tmp_path / "table.jsonl", tmp_path / "other.jsonl"
    assert TOLD in run("table", log, "--game", "cluedo", *SEAT, typed=f"{ENTRY}\n").stdout
    more = ("--begins", "Bob", "--set", "dealt_more=cath,ann")
    run("begin", "cluedo", other, *SEAT[:-1], "rope,white,plum,study,hall", *more)
    setup = Record.read(other).setup
    assert setup.players == ("bob", "cath", "dan", "ann")
    assert setup.hands == (4, 5, 4, 5)


# ---- commands and events -------------------------------------------------------------------------


ENTRY = "green rope hall; bob !"
TOLD = "1. Ann asks for Reverend Green, Rope, Hall. Bob shows a card."
CONTRARY = ("green rope hall; bob -; cath -; dan -", "green rope hall; bob -; cath !")
NOT_SURE = "yes  M[cath] (at(dagger, bob)) & M[cath] ~(at(dagger, bob))"

# Input lines, the exit code, the expected parts of the output, and after None unexpected parts.
SAID: tuple[tuple[tuple[str, ...], int, tuple[str | None, ...]], ...] = (
    # "ask" starts a formula or a suggestion, depending on the next words; a colon forces a command.
    ((f"ask {ENTRY}", "ask K[cath] at(rope, cath)"), 0, (TOLD, "yes  K[cath] at(rope, cath)")),
    ((ENTRY, ":undo", ":list"), 0, ("Removed: Ann asks", "There are no entries yet")),
    ((":ask green rope hall",), 1, ("Error: expected",)),
    ((":lsit",), 1, ("unknown command: :lsit; did you mean 'list'?",)),
    (("lsit",), 1, ("got 'lsit'; did you mean 'list'?",)),
    # A command with too many or too few words is not an event.
    (("why",), 1, ("'why' is not a command; expected 'why FORMULA': ", None, "a suspect")),
    ((ENTRY, "bob", ":sheet bob"), 1, ("':sheet bob' is not a command; expected 'sheet': ",)),
    ((ENTRY, "bob", "undo 3"), 1, ("expected 'undo': ", "'remove N'", None, "incomplete:")),
    (("hint",), 1, ("there is no command 'hint' here. For good moves, type 'suggest'.",)),
    ((ENTRY, "remove x"), 1, ("expected 'remove N': ", None, "'Revolver'")),
    (("ask holds(cath, bob)",), 1, ("unknown card 'bob'; expected one of ", " others")),
    # Near names are those of the words that are not understood.
    ((ENTRY, "bob: no sugestion"), 1, ("got 'sugestion'; did you mean 'makes no suggestion.'?",)),
    (("green bo hall; bob !",), 1, ("a weapon or a room, got 'bo'", None, "did you mean")),
    ((ENTRY, "ask K[me] at(rope, me)"), 0, ("yes  K[me] at(rope, me)",)),
    (CONTRARY, 1, ("This is impossible: Ann asks", "type it again", "Cath shows Rope.")),
    ((ENTRY, "edit 1"), 1, ("expected the new text of the entry: edit 1 TEXT",)),
    ((ENTRY, "edit 1 green dagger kitchen; bob !"), 0, ("1. Ann asks for Reverend Green, Dagger",)),
    ((ENTRY, "bob: no suggestion", "remove 2", "list"), 0, ("The entry was removed.", TOLD)),
    ((ENTRY, "edit 7 bob !"), 1, ("expected the number of an entry (1 to 1), got 7",)),
    ((ENTRY, "nonsense", "undo"), 1, ("The rejected line was not written. This removes",)),
    (("nonsense", ENTRY, "undo"), 1, ("Removed: Ann asks", None, "The rejected line")),
    ((ENTRY, "ask K[nobody] at(rope, bob)", "undo"), 1, ("Removed", None, "The rejected line")),
    ((ENTRY, "sheet", "odds"), 0, ("What Cath can know after entry 1:", "Probabilities for Cath")),
    ((ENTRY, "suggest", "who"), 0, ("The best moves for Cath", "about who knows the answer")),
    ((ENTRY, "help"), 0, ("remove N",)),
    ((ENTRY, "why K[cath] ~at(rope, bob)"), 0, ("yes  K[cath] ~at(rope, bob)",)),
    (("ask K[cath at",), 1, ("expected",)),
    # An open question says so; `why` then shows the cases.
    (("ask at(dagger, bob)",), 0, ("You cannot tell.", None, NOT_SURE)),
    (("why at(dagger, bob)",), 0, ("You cannot tell.", NOT_SURE)),
    (("ask at(rope, cath)",), 0, ("yes", None, "You cannot tell.")),
)


@pytest.mark.parametrize(("entered", "code", "says"), SAID)
def test_input_at_a_table(
    entered: tuple[str, ...], code: int, says: tuple[str | None, ...], tmp_path: Path
) -> None:
    output = run("table", begun(tmp_path), typed=lines(entered), code=code).output
    assert unmet(output, says) == []


@pytest.mark.parametrize("command", ["list", "table"])
def test_an_invalid_entry_is_listed_as_raw_text(command: str, tmp_path: Path) -> None:
    """One line reports the error in it, and it can be corrected."""
    log = begun(tmp_path)
    piped("note", log, "green rope hall; bob !")
    *before, last = log.read_text().splitlines(keepends=True)
    log.write_text("".join(before) + last.replace('"hall"', '"cellar"'))
    code, out, errors = piped(command, log, typed="list\nedit 1 green rope hall; bob !\n")
    # `list` has shown a faulty log; `table` has corrected it.
    assert code == (1 if command == "list" else 0), errors
    assert '"cellar"' in out
    assert "unknown card among the rooms 'cellar'" in out + errors
    if command == "table":
        assert "1. Ann asks for Reverend Green, Rope, Hall. Bob shows a card." in out


# ---- without a prompt ----------------------------------------------------------------------------


def test_events_are_noted_without_a_prompt(tmp_path: Path) -> None:
    log = begun(tmp_path)
    run("note", log, "green rope hall; bob -; cath !", "bob: green rope study")
    data = json.loads(run("note", log, "!rope", "--json").stdout)
    assert data["pending"] is None
    assert [entry["number"] for entry in data["entries"]] == [2]
    assert json.loads(run("list", log, "--json").stdout)["entries"][1] == data["entries"][0]
    refused = run("note", log, "cath: green rope hall; bob !green", code=1)
    assert "This is impossible: Cath asks" in refused.stderr
    run("edit", log, 2, "bob: no suggestion")
    undone = {"undone": "Bob makes no suggestion.", "entries": 1}
    assert json.loads(run("undo", log, "--json").stdout) == undone
    assert run("edit", log, 1, "").stdout == "Entry 1 was removed.\n"
    run("undo", log, code=1)


# ---- output for all readers ----------------------------------------------------------------------

WIDE: dict[str, dict[str, Any]] = {"cluedo": {"players": 6}, "sleuth": {"players": 5}}


@pytest.mark.parametrize(("name", "columns"), [("cluedo", 60), ("sleuth", 80)])
def test_nothing_is_cut_or_wider_than_the_terminal(
    name: str, columns: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: Table[Any, Any] = Table.of(game(name), seed=1, **WIDE[name])
    for _ in zip(range(12), played, strict=False):
        pass
    log = tmp_path / "game.jsonl"
    played.record.seen_by(played.setup.players[2]).write(log)
    layout = played.moment.layout
    rows = {word for title in layout.rows.values() for word in title.split()}
    places = {word for title in layout.columns.values() for word in title.split()}
    players = {layout.person(player) for player in played.setup.players}
    for command in ("sheet", "sheet --odds", "sheet --plain", "who", "who --plain", "odds"):
        output = StringIO()
        made = Console(
            file=output, force_terminal=True, width=columns, color_system=None, highlight=False
        )
        monkeypatch.setattr("symkripke.cli.console.console", lambda made=made: made)
        word, *more = command.split()
        run(word, log, *more)
        shown = output.getvalue()
        assert max(map(len, shown.splitlines())) <= columns, shown
        words = set(re.findall(r"[^\s,.;:]+", shown))
        assert players <= words, shown
        assert word == "who" or places | rows <= words, shown


@pytest.mark.parametrize("command", ["sheet", "sheet --odds", "odds", "who", "table"])
def test_plain_output_is_sentences(command: str, tmp_path: Path) -> None:
    """Plain output has no grids, symbols or trailing blanks."""
    log = begun(tmp_path)
    piped("note", log, "green rope hall; bob -; cath !")
    word, *more = command.split()
    code, out, _ = piped(word, log, *more, "--plain", typed="sheet\nodds\nwho\nsuggest\n")
    assert code == 0
    assert out.isascii()
    for line in out.splitlines():
        assert line == line.rstrip()
        assert "  ?  " not in line
        assert "##" not in line
    if word == "sheet":
        assert "Cath has Mrs White, Professor Plum, Rope and Study; nothing else." in out
        assert re.search(r"^Bob may have .*Hall|^Bob may have ", out, re.MULTILINE)


def test_plain_lines_are_not_redrawn(tmp_path: Path) -> None:
    log = begun(tmp_path)
    here = {"NO_COLOR": "1", "LC_ALL": "C"}
    with Terminal("table", str(log), "--plain", ready="ask for? ", environment=here) as terminal:
        shown = terminal.shown()
        assert "Cath has Mrs White" in shown
        assert not re.search(r"[^?] +$", shown, re.MULTILINE)
        shown = terminal.line("green rope hall; bob -; cath !")
        assert "1. Ann asks for Reverend Green, Rope, Hall." in shown
        assert terminal.end() == 0
        assert not re.search(r"\x1b\[([0-9]+;)*3[0-9]", terminal.raw())
        assert terminal.raw().isascii()


# ---- problems of newcomers -----------------------------------------------------------------------


def test_a_log_with_the_truth_needs_a_player(log: Path, tmp_path: Path) -> None:
    """Undoing a result prints a message."""
    assert "--player NAME" in run("table", log, typed="sheet\n", code=1).stderr
    assert run("list", log).stdout.splitlines()[-1].startswith("The game is over: ")
    copy = tmp_path / "game.jsonl"
    for words, line in ((("undo", copy), ""), (("table", copy), "undo\n")):
        copy.write_bytes(log.read_bytes())
        for is_over in (True, False):
            shown = run(*words, typed=line).stdout
            assert ("The game is no longer over" in shown) is is_over


def test_slips_in_a_piped_interview_are_asked_again(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    answers = (
        *("clu", "", "", "", "Tom, Anna and Kim, Lee", "Tom, Anna, Aunt May, Bob"),
        *("nobody", "tom", "?", "tom", ""),
        *("?", "Rope, Hall", "Rope, Hall, Mrs. Whtie", "Rope, Hall, Mrs. White, study, dagger"),
        "quit",
    )
    code, out, errors = piped("table", log, typed=lines(answers))
    assert code == 0, errors
    says = (
        "expected a comma, and no 'and'",
        "Tom, Anna, Aunt May, Bob (type 'back' if",
        "'Mrs White'?",
    )
    assert unmet(errors, says) == []
    assert (
        unmet(out, ("Possible answers: Tom, Anna, Aunt May, Bob.", "for example rope, hall")) == []
    )
    seat = Record.read(log).seat
    assert seat is not None
    assert seat.holds == ("rope", "hall", "white", "study", "dagger")


def test_gems_that_lie_face_up_are_shown_as_one_item(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    holds = ("--player", "ann", "--holds", "rps gdp gdc yds ypc bdc bop bpc")
    run("begin", "sleuth", log, "--names", "ann,bob,cath,dan", *holds)
    assert run("note", log, "rpp gos boc; -").stdout.count("New: Face up") == 1


def test_dice_at_the_table(tmp_path: Path) -> None:
    """Dice are not called cards, "1 ace" is singular, and a call shows the old dice."""
    log = tmp_path / "table.jsonl"
    run(
        "begin", "perudo", log, "--names", "ann,bob,cath", "--player", "ann", "--holds", "1,2,2,6,6"
    )
    lines = "4 fives\nsheet\nsuggest\nbob 4 fours\nbob dudo; cath 11111\nxx yy\nbob 22222\nsheet\n"
    code, out, errors = piped("table", log, "--plain", typed=lines)
    assert code == 1
    for part in (
        "Ann (5 dice) has 1 ace, 2 twos, no threes, no fours, no fives, 2 sixes.",
        "Ann has nothing to decide after entry 1.",
        "1. entry 2: Bob bids 4 fours.",
        "So far: Bob doubts it: dudo! All show: Cath 1 1 1 1 1 ...",
        "This entry is incomplete: Bob doubts it",
        "Ann has 1 ace, 2 twos",
    ):
        assert part in out, out
    assert '{"type"' not in out + errors
    # The caret is below the error.
    assert "  xx yy\n  ^\n" in out
