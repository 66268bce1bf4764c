"""Real tables at the terminal: whole games in short forms, slips, kills, and who hears them."""

from __future__ import annotations

import json
import os
import re
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

from symkripke.play import Record, Table, game
from symkripke.testing.typed import Line, typed
from tests.cli.test_commands import run
from tests.support.golden import log_file

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")

GAMES: dict[str, dict[str, Any]] = {
    "cluedo": {"players": 4},
    "kwartet": {"players": 4},
    "sleuth": {"players": 4},
    "old_maid": {"players": 4},
    "perudo": {"players": 3},
}
SEEDS = {"cluedo": 3, "kwartet": 1, "sleuth": 1, "old_maid": 1, "perudo": 2}
"""Games that do not take long to be typed."""
MOST_TYPED = {"cluedo": 14, "kwartet": 10, "sleuth": 20, "old_maid": 3, "perudo": 4}
"""So many characters an event (median) takes at most."""


def seat_log(name: str, seed: int, seat: int = 1) -> Record[Any, Any]:
    """A whole game of the classic rules at full size, as one player saw it."""
    played: Table[Any, Any] = Table.of(game(name), seed=seed, **GAMES[name])
    for _ in played:
        pass
    return played.record.seen_by(played.setup.players[seat])


def begin(record: Record[Any, Any], log: Path) -> None:
    """A log of the same seat, with nothing entered."""
    record_begun = Record(record.game, record.setup, seat=record.seat)
    record_begun.write(log)


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_typed_at_a_terminal(name: str, tmp_path: Path) -> None:
    """In short forms, with slips that are mended, and kills: it ends in the same knowledge."""
    from tests.support.terminal import Terminal

    record = seat_log(name, SEEDS[name])
    assert record.seat is not None
    log = tmp_path / "table.jsonl"
    begin(record, log)
    before = len(log.read_bytes().splitlines())
    slips = min(1.0, 10 / len(record.outcomes))
    lines = list(typed(record, tmp_path / "aside.jsonl", Random(1), slips))
    kinds = {line.kind for line in lines}
    assert {"event", "refused", "undo", "edit"} <= kinds
    lengths = sorted(len(line.text) for line in lines if line.kind == "event")
    assert lengths[len(lengths) // 2] <= MOST_TYPED[name]
    here = {"XDG_STATE_HOME": str(tmp_path)}
    killed = len(lines) // 2
    terminal = Terminal("table", str(log), environment=here)
    try:
        terminal.shown()
        terminal.line("sheet off")
        for number, line in enumerate(lines):
            if number == killed:
                terminal.keys(line.text[:5])
                terminal.kill()
                terminal = Terminal("table", str(log), environment=here)
                terminal.shown()
                terminal.line("sheet off")
            check_line(terminal.line(line.text), line)
            # On disk before the next line can be typed: each event is a line.
            assert len(log.read_bytes().splitlines()) == before + line.entries
        assert terminal.end() == 0
    finally:
        terminal.kill()
    assert Record.read(log).outcomes == record.outcomes
    seat = record.seat.player
    assert Record.read(log).replay().marks(seat) == record.replay().marks(seat)


def check_line(shown: str, line: Line) -> None:
    """The terminal says what came of a line."""
    says = {"refused": "This cannot be so", "undo": "Taken back", "edit": "Was: "}
    assert says.get(line.kind, f"{line.entries}. ") in shown, shown


# ---- a log is begun ------------------------------------------------------------------------------

ANSWERS = (
    ("Which game?", "clu"),
    ("Which rules?", ""),
    ("Which edition?", ""),
    ("Rules of the house?", ""),
    ("Who plays", "Tom, Aunt May, Lee, Bob"),
    ("Which of them are you?", "lee"),
    ("Who begins?", "aunt may"),
    ("one card more. Who?", "Tom, Bob"),
    ("Which cards was Lee dealt?", "rope, Mrs White"),
    ("Rope, Mrs White, and two more:", "plum, study"),
)


def test_a_log_is_begun_by_asking(tmp_path: Path) -> None:
    """Who begins sits first; who was dealt more can be anybody; nothing is lost by Ctrl-C."""
    from tests.support.terminal import Terminal

    log = tmp_path / "table.jsonl"
    with Terminal("table", str(log), environment={"XDG_STATE_HOME": str(tmp_path)}) as terminal:
        terminal.shown()
        for question, answer in ANSWERS:
            terminal.keys("nonsense\x03")
            assert question in " ".join(terminal.shown().split())
            shown = terminal.line(answer)
        assert "you are Lee" in shown
        shown = terminal.line("green rope hall")
        assert "What does Aunt May ask for?" in shown
        shown = terminal.line("!")
        assert "Aunt May asks for Reverend Green, Rope, Hall. Lee shows Rope." in shown
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
    """Run a command with a pipe as its input: its exit code, what it prints, and its errors."""
    from click.testing import CliRunner

    from symkripke.cli import group

    result = CliRunner().invoke(group, [str(word) for word in arguments], input=typed)
    return result.exit_code, result.stdout, result.stderr


BEGIN = (
    *("--rules", "classic", "--names", "ann,bob,cath,dan", "--player", "cath"),
    *("--holds", "rope,white,plum,study"),
)


def begun(tmp_path: Path) -> Path:
    log = tmp_path / "table.jsonl"
    assert piped("begin", "cluedo", log, *BEGIN)[0] == 0
    return log


def test_all_of_it_can_be_given(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    code, out, _ = piped("table", log, "--game", "cluedo", *BEGIN, typed="green rope hall; bob !\n")
    assert code == 0
    assert "1. Ann asks for Reverend Green, Rope, Hall. Bob shows a card." in out
    assert len(Record.read(log).outcomes) == 1
    code, _, errors = piped("table", log, "--game", "cluedo")
    assert code == 2
    assert "is there already" in errors


def test_who_begins_sits_first(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    more = ("--begins", "Bob", "--set", "dealt_more=cath,ann")
    five = (*BEGIN[:-1], "rope,white,plum,study,hall")
    assert piped("begin", "cluedo", log, *five, *more)[0] == 0
    setup = Record.read(log).setup
    assert setup.players == ("bob", "cath", "dan", "ann")
    assert setup.hands == (4, 5, 4, 5)


@pytest.mark.parametrize(
    ("more", "problem"),
    [("ann", "expected 2 players"), ("ann,eve", "unknown player"), ("ann,ann", "given twice")],
)
def test_who_was_dealt_more_is_checked(more: str, problem: str, tmp_path: Path) -> None:
    code, _, errors = piped(
        "begin", "cluedo", tmp_path / "t", *BEGIN, "--set", f"dealt_more={more}"
    )
    assert code == 1
    assert problem in errors


# ---- commands and events -------------------------------------------------------------------------


def at_table(tmp_path: Path, *lines: str) -> tuple[int, str, str]:
    """What a table of Cluedo says to these lines."""
    log = tmp_path / "table.jsonl"
    if not log.exists():
        begun(tmp_path)
    return piped("table", log, typed="".join(f"{line}\n" for line in lines))


def test_a_command_is_a_whole_line(tmp_path: Path) -> None:
    """ "ask" is a formula's command or a suggestion's word, by what follows; a colon decides."""
    code, out, _ = at_table(tmp_path, "ask green rope hall; bob !", "ask K[cath] at(rope, cath)")
    assert code == 0
    assert "1. Ann asks for Reverend Green, Rope, Hall. Bob shows a card." in out
    assert "yes  K[cath] at(rope, cath)" in out
    code, out, errors = at_table(tmp_path, ":ask green rope hall", ":undo", ":list", ":lost")
    assert code == 1
    assert "Taken back: Ann asks" in out
    assert "There are no entries yet." in out
    assert "there is no such command: :lost" in errors


def test_titles_that_are_commands(tmp_path: Path) -> None:
    """Cards called List, Undo and Sheet: `note` says that a line is an event."""
    cards = {
        "suspects": ["List", "Ann Other", "Undo"],
        "weapons": ["Sheet", "Show", "Rope"],
        "rooms": ["Hall", "Odds", "Who"],
    }
    edition = tmp_path / "odd.toml"
    edition.write_text(
        'title = "odd"\n'
        + "".join(f"{kind} = {json.dumps(names)}\n" for kind, names in cards.items())
    )
    log = tmp_path / "table.jsonl"
    code, out, errors = piped(
        *("table", log, "--game", "cluedo", "--rules", "classic"),
        *("--names", "ann,bob,cath", "--player", "bob"),
        *("--edition", edition, "--holds", "rope,hall"),
        typed="note list\nsheet\nnote sheet\nnote who\ncath !\n",
    )
    assert code == 0, errors
    assert "1. Ann asks for List, Sheet, Who. Bob passes. Cath shows a card." in out


def test_a_contradiction_is_told_with_what_to_do(tmp_path: Path) -> None:
    code, out, _ = at_table(
        tmp_path, "green rope hall; bob -; cath -; dan -", "green rope hall; bob -; cath !"
    )
    assert code == 1
    assert "This cannot be so: Ann asks for Reverend Green, Rope, Hall." in out
    assert "`edit N`" in out or "type it again" in out
    assert "1. Ann asks for Reverend Green, Rope, Hall. Bob passes. Cath shows Rope." in out


def test_entries_are_changed(tmp_path: Path) -> None:
    code, out, errors = at_table(
        tmp_path,
        "green dagger hall; bob !",
        "bob: no suggestion",
        "edit 1",
        "edit 1 green dagger kitchen; bob !",
        "remove 2",
        "edit 7 bob !",
        "list",
    )
    assert code == 1
    assert "expected the entry anew: edit 1 TEXT" in errors
    assert "1. Ann asks for Reverend Green, Dagger, Kitchen. Bob shows a card." in out
    assert "It is taken out." in out
    assert "expected the number of an entry (1 to 1), got 7" in errors
    assert len(Record.read(tmp_path / "table.jsonl").outcomes) == 1


def test_questions_are_answered(tmp_path: Path) -> None:
    code, out, errors = at_table(
        tmp_path,
        *("green dagger hall; bob !", "sheet", "odds", "suggest", "who", "help"),
        *("why K[cath] ~at(rope, bob)", "ask K[cath at"),
    )
    assert code == 1
    assert "expected" in errors
    for part in (
        "What Cath can know after entry 1:",
        "What Cath considers probable",
        "The best moves for Cath",
        "after entry 1 about who knows the answer",
        "remove N",
        "yes  K[cath] ~at(rope, bob)",
    ):
        assert part in out


@pytest.mark.parametrize("command", ["list", "table"])
def test_an_entry_that_has_no_words_is_listed_as_it_stands(command: str, tmp_path: Path) -> None:
    """It is told what is wrong with it in one line, and can be mended."""
    log = begun(tmp_path)
    piped("note", log, "green rope hall; bob !")
    *before, last = log.read_text().splitlines(keepends=True)
    log.write_text("".join(before) + last.replace('"hall"', '"cellar"'))
    code, out, errors = piped(command, log, typed="list\nedit 1 green rope hall; bob !\n")
    # `list` has shown a faulty log; `table` has mended it.
    assert code == (1 if command == "list" else 0), errors
    assert '"cellar"' in out
    assert "unknown card among the rooms 'cellar'" in out + errors
    if command == "table":
        assert "1. Ann asks for Reverend Green, Rope, Hall. Bob shows a card." in out


def test_a_refused_line_is_not_what_undo_takes_back(tmp_path: Path) -> None:
    _, out, _ = at_table(tmp_path, "green rope hall; bob !", "nonsense", "undo", "green rope hall")
    assert "The refused line was not written. This takes back the entry before it.\n" in out
    _, out, _ = at_table(tmp_path, "undo", "nonsense", "green rope hall; bob !", "undo")
    assert "The refused line" not in out


def test_me_is_the_seat_of_the_log(tmp_path: Path) -> None:
    _, out, _ = at_table(tmp_path, "green rope hall; bob !", "ask K[me] at(rope, me)")
    assert "yes  K[me] at(rope, me)" in out
    log = tmp_path / "table.jsonl"
    assert piped("ask", log, "K[me] at(rope, cath)", "--json")[0] == 0
    code, mine, _ = piped("sheet", log, "--player", "me")
    assert code == 0
    assert mine == piped("sheet", log, "--player", "cath")[1]


def test_players_have_titles_when_the_game_is_over(tmp_path: Path) -> None:
    log = tmp_path / "over.jsonl"
    Record.read(log_file("cluedo-classic-6")).seen_by("plum").write(log)
    code, out, errors = piped("list", log)
    assert code == 0, errors
    assert out.splitlines()[-1] == "The game is over: Green wins in turn 28."


def test_a_log_of_the_truth_is_nobodys(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    assert run("play", "cluedo", "--seed", "1", "--players", "3", "--log", log)[0] == 0
    code, _, errors = piped("table", log, typed="sheet\n")
    assert code == 1
    assert "--player NAME" in errors
    code, _, errors = piped("sheet", log)
    assert code == 2
    assert "--player" in errors


# ---- without a prompt ----------------------------------------------------------------------------


def test_events_are_noted_without_a_prompt(tmp_path: Path) -> None:
    log = begun(tmp_path)
    code, out, _ = piped("note", log, "green rope hall; bob -; cath !", "bob: green rope study")
    assert code == 0
    assert out == (
        "1. Ann asks for Reverend Green, Rope, Hall. Bob passes. Cath shows Rope.\n"
        "New: Bob does not have Reverend Green or Hall.\n"
        "So far: Bob asks for Reverend Green, Rope, Study. Does Cath show a card?\n"
    )
    code, out, _ = piped("note", log, "!rope", "--json")
    data = json.loads(out)
    assert data["pending"] is None
    assert [entry["number"] for entry in data["entries"]] == [2]
    assert json.loads(piped("list", log, "--json")[1])["entries"][1] == data["entries"][0]
    code, out, errors = piped("note", log, "cath: green rope hall; bob !green")
    assert code == 1
    assert "This cannot be so: Cath asks" in errors
    assert piped("edit", log, 2, "bob: no suggestion")[1] == "2. Bob makes no suggestion.\n"
    assert json.loads(piped("undo", log, "--json")[1]) == {
        "undone": "Bob makes no suggestion.",
        "entries": 1,
    }
    assert piped("edit", log, 1, "")[1] == "Entry 1 is taken out.\n"
    assert piped("undo", log)[0] == 1
    assert piped("note", log, "gibberish")[0] == 1
    assert piped("note", log)[0] == 2
    assert piped("list", tmp_path / "none")[0] == 1


@pytest.mark.parametrize("command", ["sheet", "odds", "suggest", "sample"])
def test_the_seat_is_the_default(command: str, tmp_path: Path) -> None:
    log = begun(tmp_path)
    piped("note", log, "green rope hall; bob -; cath !", "bob: no suggestion")
    assert piped(command, log) == piped(command, log, "--player", "cath")
    assert piped(command, log)[0] == 0


# ---- for every eye -------------------------------------------------------------------------------

WIDE: dict[str, dict[str, Any]] = {"cluedo": {"players": 6}, "sleuth": {"players": 5}}


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("name", WIDE)
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
        assert run(word, log, *more)[0] == 0
        shown = output.getvalue()
        assert max(map(len, shown.splitlines())) <= columns, shown
        words = set(re.findall(r"[^\s,.;:]+", shown))
        assert players <= words, shown
        assert word == "who" or places | rows <= words, shown


@pytest.mark.parametrize("command", ["sheet", "sheet --odds", "odds", "who", "table"])
def test_plain_is_sentences(command: str, tmp_path: Path) -> None:
    """No grids, no signs, no trailing blanks."""
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


def test_plain_lines_are_not_drawn_anew(tmp_path: Path) -> None:
    from tests.support.terminal import Terminal

    log = begun(tmp_path)
    with Terminal("table", str(log), "--plain", ready="ask for? ") as terminal:
        shown = terminal.shown()
        assert "Cath has Mrs White" in shown
        assert not re.search(r"[^?] +$", shown, re.MULTILINE)
        shown = terminal.line("green rope hall; bob -; cath !")
        assert "1. Ann asks for Reverend Green, Rope, Hall." in shown
        assert terminal.end() == 0


def test_no_colour_where_none_is_wanted(tmp_path: Path) -> None:
    from tests.support.terminal import Terminal

    log = begun(tmp_path)
    with Terminal("sheet", str(log), environment={"NO_COLOR": "1", "LC_ALL": "C"}) as terminal:
        assert terminal.process.wait(timeout=60) == 0
        shown = terminal.raw()
    assert "Mrs White" in shown
    assert not re.search(r"\x1b\[([0-9]+;)*3[0-9]", shown)
    assert shown.isascii()


# ---- what newcomers stumbled over ----------------------------------------------------------------


def test_slips_in_a_piped_interview_are_asked_again(tmp_path: Path) -> None:
    """Names are shown as they are written, help is there, and a hand may be told anew."""
    log = tmp_path / "table.jsonl"
    answers = (
        *("clu", "", "", "", "Tom, Anna and Kim, Lee", "Tom, Anna, Aunt May, Bob"),
        *("nobody", "tom", "?", "tom", ""),
        *("?", "Rope, Hall", "Rope, Hall, Mrs. Whtie", "Rope, Hall, Mrs. White, study, dagger"),
        *("list", "quit"),
    )
    code, out, errors = piped("table", log, typed="\n".join(answers) + "\n")
    assert code == 0, errors
    assert "expected a comma, and no 'and', in 'Anna and Kim'" in errors
    assert "expected one of Tom, Anna, Aunt May, Bob ('back', if a name is wrong)" in errors
    assert "did you mean 'Mrs White'?" in errors
    for part in (
        "It can be: Tom, Anna, Aunt May, Bob.",
        "for example rope, hall, white",
        "Rope, H",
    ):
        assert part in out
    assert "There are no entries yet." in out
    seat = Record.read(log).seat
    assert seat is not None
    assert seat.holds == ("rope", "hall", "white", "study", "dagger")


def test_an_interview_that_ends_in_a_slip_fails(tmp_path: Path) -> None:
    code, out, errors = piped("table", tmp_path / "table.jsonl", typed="clu\n\n\n\n\n")
    assert code == 1
    assert "expected names with commas between them" in errors
    assert "Nothing was written." in out


def test_a_hand_may_be_told_with_blanks(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    holds = ("--player", "ann", "--holds", "1 2 2 6 6")
    assert piped("begin", "perudo", log, "--names", "ann,bob,cath", *holds)[0] == 0
    seat = Record.read(log).seat
    assert seat is not None
    assert seat.holds == ("1", "2", "2", "6", "6")


def test_dice_at_the_table(tmp_path: Path) -> None:
    """Dice are no cards, one ace is no aces; after a call the old dice lie there."""
    log = tmp_path / "table.jsonl"
    holds = ("--player", "ann", "--holds", "1,2,2,6,6")
    assert piped("begin", "perudo", log, "--names", "ann,bob,cath", *holds)[0] == 0
    lines = "4 fives\nsheet\nsuggest\nbob 4 fours\nbob dudo; cath 11111\nxx yy\nbob 22222\nsheet\n"
    code, out, errors = piped("table", log, "--plain", typed=lines)
    assert code == 1
    for part in (
        "Ann (5 dice) has 1 ace, 2 twos, no threes, no fours, no fives, 2 sixes.",
        "There is nothing for Ann to do after entry 1.",
        "1. entry 2: Bob bids 4 fours.",
        "So far: Bob doubts it: dudo! All show: Cath 1 1 1 1 1 ...",
        "A begun event is not finished: Bob doubts it",
        "Ann has 1 ace, 2 twos",
    ):
        assert part in out, out
    assert '{"type"' not in out + errors
    # The caret stands under the place.
    assert "  xx yy\n  ^\n" in out


def test_gems_that_lie_face_up_are_no_wall(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    holds = ("--player", "ann", "--holds", "rps gdp gdc yds ypc bdc bop bpc")
    assert piped("begin", "sleuth", log, "--names", "ann,bob,cath,dan", *holds)[0] == 0
    code, out, _ = piped("note", log, "rpp gos boc; -")
    assert code == 0
    news = [line for line in out.splitlines() if line.startswith("New: Face up")]
    assert len(news) == 1
    assert news[0].endswith("; nothing else.")
    assert "does not have" not in news[0]
    assert piped("note", log, "bob: ann diamond")[0] == 1
    assert piped("note", log, "ann: bob diamond")[0] == 0
    code, _, errors = piped("note", log, "cath: dan red 2")
    assert code == 1
    assert "A begun event is not finished: Ann asks Bob for Diamond" in errors


@pytest.mark.parametrize(
    ("learned", "marks", "says"),
    [
        ("yn.", "yn?", "Ann has A; does not have B."),
        ("yn.", "yny", "Ann has A; does not have B."),
        ("yn.", "ynn", "Ann has A; nothing else."),
        ("y..", "ynn", "Ann has A."),
        (".n.", "ynn", "Ann does not have B."),
    ],
)
def test_nothing_else_is_said_where_all_is_named(learned: str, marks: str, says: str) -> None:
    """And not where something else is known from before."""
    from symkripke.engines import Mark
    from symkripke.play import Layout
    from symkripke.play.sentences import news_in_sentences

    layout = Layout({"things": {row: row.upper() for row in "abc"}}, {"ann": "Ann"})
    signs = {"y": Mark.YES, "n": Mark.NO, "?": Mark.OPEN}
    new, known = (
        {(row, "ann"): signs[sign] for row, sign in zip("abc", word, strict=True) if sign != "."}
        for word in (learned, marks)
    )
    assert list(news_in_sentences(layout, new, known)) == [says]


def test_a_loss_is_told_although_others_are_known_to_have_the_same() -> None:
    """In Old Maid several players can have cards of one rank."""
    from symkripke.engines import Mark
    from symkripke.play import Layout
    from symkripke.play.sentences import news_in_sentences

    layout = Layout({"ranks": {"eight": "Eight"}}, {"ann": "Ann", "bob": "Bob"})
    new = {("eight", "ann"): Mark.NO}
    assert list(news_in_sentences(layout, new, {**new, ("eight", "bob"): Mark.YES})) == [
        "Ann does not have Eight."
    ]


def test_a_header_that_is_cut_off_is_no_empty_log(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_text('{"symkripke": 1, "game": "clu')
    code, *told = run("table", str(path))
    assert code == 1
    assert f"{path}, line 1: this is not JSON, or it is cut off" in "".join(map(str, told))
