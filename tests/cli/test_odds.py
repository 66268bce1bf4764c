"""Commands that count: odds, suggest, who, sample, and probabilities in other commands."""

from __future__ import annotations

import json
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from symkripke.play import Advice
from symkripke_games.cluedo.advice import CluedoAdvisor
from tests.cli.support import begun, run

# ---- odds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("weighting", ["equal", "bayes"])
def test_odds_agree_with_ask(log: Path, weighting: str) -> None:
    more = ("--at", "1", "--weighting", weighting, "--json")
    told = json.loads(run("odds", log, "--player", "Mustard", *more).stdout)
    assert (told["player"], told["turn"], told["weighting"]) == ("mustard", 1, weighting)
    assert told["number"] >= len(told["answers"])
    best = told["answers"][0]
    asked = {f"P[mustard]({' & '.join(best['atoms'])})": best}
    for fluent, cells in [*told["cells"].items()][:2]:
        asked[f"P[mustard]({fluent} = envelope)"] = cells["envelope"]
    for question, found in asked.items():
        answer = json.loads(run("ask", log, question, *more).stdout)
        assert answer["probability"] == found["probability"]
        assert float(Fraction(found["probability"])) == found["float"]


def winner(log: Path) -> str:
    """Return the winner."""
    (found,) = json.loads(log.read_text().splitlines()[-1])["result"]["winners"]
    return str(found)


def test_the_sheet_with_odds(log: Path) -> None:
    options = ("--player", "mustard", "--at", "1")
    plain = run("sheet", log, *options).stdout
    out = run("sheet", log, *options, "--odds").stdout
    assert "how probable the rest is, weighting equal:" in out
    assert "%" not in plain
    # Open cells show a number, and no others do.
    for before, after in zip(plain.splitlines()[2:-1], out.splitlines()[2:-1], strict=True):
        assert before.count("?") == after.count("%")
    told = json.loads(run("sheet", log, *options, "--odds", "--json").stdout)
    for row, marks in told["sheet"].items():
        for column, mark in marks.items():
            share = Fraction(told["odds"][row][column]["probability"])
            assert mark == ("yes" if share == 1 else "open" if share else "no")
    assert "odds" not in json.loads(run("sheet", log, *options, "--json").stdout)


# ---- ask ------------------------------------------------------------------------------------


def test_names_are_case_insensitive(log: Path) -> None:
    asked = "P[Mustard](At(Dagger, Envelope) | ~at(dagger, envelope))"
    assert run("ask", log, asked).stdout.startswith(f"1 (100%)  {asked}  (after turn ")


@pytest.mark.parametrize("engine", ["auto", "bdd", "explicit"])
def test_reasons_of_comparisons_with_a_probability(log: Path, engine: str) -> None:
    options = ("--at", "0", "--engine", engine)
    bare = json.loads(run("ask", log, "P[white](murderer = scarlett)", *options, "--json").stdout)
    share = Fraction(bare["probability"])
    asked = "P[white](murderer = scarlett) >= 1/5"
    out = run("ask", log, asked, *options, "--why").stdout
    assert f"Miss Scarlett is in the envelope is at least 1/5: it is {share} (" in out
    told = json.loads(run("ask", log, f"K[white] {asked}", *options, "--why", "--json").stdout)
    assert told["holds"] == (share >= Fraction(1, 5))
    assert told["why"]["kind"] == "combined"
    assert told["why"]["parts"][0]["kind"] == "probability"
    assert told["why"]["parts"][0]["probability"] == str(share)


# ---- who, sample, suggest --------------------------------------------------------------------


def test_who(log: Path, tmp_path: Path) -> None:
    told = json.loads(run("who", log, "--at", "0", "--json").stdout)
    players = ["scarlett", "mustard", "white"]
    assert told == {"turn": 0, "who": {i: dict.fromkeys(players, "no") for i in players}}
    told = json.loads(run("who", log, "--json").stdout)["who"]
    assert {told[i][winner(log)] for i in players} == {"yes"}
    out = run("who", log).stdout
    assert "✓ knows that the other knows it, · knows that the other does not, ? cannot tell" in out
    seat = begun(tmp_path)
    assert list(json.loads(run("who", seat, "--json").stdout)["who"]) == ["cath"]
    refused = run("odds", seat, "--player", "ann", code=1).stderr
    assert "only what Cath saw, so it does not show what Ann knows" in refused


def test_sample(log: Path) -> None:
    options = ("--player", "white", "--at", "1", "--number", "30")
    lines = run("sample", log, *options, "--json").stdout.splitlines()
    assert lines == run("sample", log, *options, "--json").stdout.splitlines()
    assert lines != run("sample", log, *options, "--json", "--seed", "1").stdout.splitlines()
    told = run("sample", log, *options).stdout.splitlines()
    assert len(told) == len(lines)
    assert all(line.startswith("Envelope: ") and line.count("; ") == 3 for line in told)


def test_suggest(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moves = [Advice("Rope", 2.5, "why not", {"card": "Rope"}), Advice("Hall", 1.5, "why", {})]
    monkeypatch.setattr(CluedoAdvisor, "advise", lambda *given: moves[: given[-1]])
    options = ("suggest", log, "--player", "white", "--at", "1")
    first, *lines = run(*options).stdout.splitlines()
    assert (
        first == "The best moves for White after turn 1 if it were White's turn, weighting bayes:"
    )
    assert lines[:3] == [
        "   2.50 bits ████████████████████  Rope",
        "      why not",
        "   1.50 bits ████████████          Hall",
    ]
    (told,) = json.loads(run(*options, "--top", "1", "--json").stdout)["moves"]
    named = {"title": "Rope", "gain": 2.5, "unit": "bits", "reason": "why not"}
    assert told == {**named, "data": {"card": "Rope"}}


# ---- faults ---------------------------------------------------------------------------------


def test_symbols_that_a_terminal_cannot_show(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symkripke.cli.display.can_draw", lambda: False)
    monkeypatch.setattr("symkripke.cli.note_sheet.can_draw", lambda: False)
    for command in (("odds",), ("sheet", "--odds")):
        out = run(command[0], log, "--player", "white", "--at", "1", *command[1:]).stdout
        assert out.isascii()
        assert "X is there, . is not there\n" in out


# ---- play ------------------------------------------------------------------------------------

SMALL = ("play", "cluedo", "--players", "3", "--size", "2/2/3", "--seed", "1")


def test_play_brief() -> None:
    whole, brief = (run(*SMALL, *more).stdout.splitlines() for more in ((), ("--brief",)))
    assert (brief[0], brief[-1]) == (whole[0], whole[-1])
    told = [json.loads(line) for line in run(*SMALL, "--brief", "--json").stdout.splitlines()]
    stories = [line["story"] for line in told[1:-1]]
    assert [line[6:] for line in brief if line[:4].strip().isdecimal()] == stories
    assert all("players" not in line for line in told)


def test_play_worlds(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    out = run(*SMALL, "--worlds", "--log", file).stdout
    told = [json.loads(line) for line in run(*SMALL, "--worlds", "--json").stdout.splitlines()]
    for line in told[:-1]:
        assert all(f"{one['deals']:,} deal" in out for one in line["players"].values())
    for name, one in told[-2]["players"].items():
        last = json.loads(run("odds", file, "--player", name, "--json").stdout)
        assert last["deals"] == one["deals"]


def test_dice_at_a_seat_in_and_out_of_turn(tmp_path: Path) -> None:
    """The truth of a bid has a title, and advice out of turn says so."""
    log = tmp_path / "dice.jsonl"
    seats = ("--names", "ann,bob,cat", "--player", "bob", "--holds", "1,2,2,5,6")
    run("begin", "perudo", log, *seats)
    run("note", log, "ann bids 2 fours")
    assert "if it were Bob's turn" not in run("suggest", log, "--top", "1").output
    output = run("odds", log).output
    assert "the bid of 2 on fours is met" in output
    assert "the bid of 2 on fours is not met" in output
    assert "met(" not in output
    run("note", log, "bob: 3 fours", "cat: 4 fours")
    assert "if it were Bob's turn" in run("suggest", log, "--top", "1").output
    refused = run("suggest", log, "--room", "hall", code=2).stderr
    assert "--room is only for Cluedo, but this is Perudo" in refused


def test_bars_are_side_by_side_if_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = {}
    for width in (80, 130):
        text = StringIO()
        wide = Console(file=text, force_terminal=True, width=width, color_system=None)
        monkeypatch.setattr("symkripke.cli.console.console", lambda stderr=False, out=wide: out)
        run(*SMALL)
        shown[width] = [line.split() for line in text.getvalue().splitlines() if "█" in line]
    # The bars are the same and in the same order, with two per line if they fit.
    assert [word for line in shown[80] for word in line] == [
        word for line in shown[130] for word in line
    ]
    assert len(shown[80]) % 3 == 0
    assert len(shown[130]) == len(shown[80]) * 2 // 3
