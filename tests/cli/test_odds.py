"""The commands that count: odds, suggest, who, sample, and probabilities elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from symkripke.engines import Engine
from symkripke.play import Advice, View
from symkripke_games.cluedo.advice import CluedoAdvisor
from tests.cli.support import begun, run

# ---- odds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("weighting", ["equal", "bayes"])
def test_odds_agree_with_ask(log: Path, weighting: str) -> None:
    more = ("--at", "1", "--weighting", weighting, "--json")
    told = json.loads(run("odds", log, "--player", "Mustard", *more).stdout)
    assert (told["player"], told["turn"], told["weighting"]) == ("mustard", 1, weighting)
    for fluent, cells in told["cells"].items():
        assert sum(Fraction(one["probability"]) for one in cells.values()) == 1
        for one in cells.values():
            assert float(Fraction(one["probability"])) == one["float"]
        card = fluent[len("location(") : -1]
        asked = f"P[mustard](at({card}, envelope))"
        answer = json.loads(run("ask", log, asked, *more).stdout)
        assert answer["probability"] == cells["envelope"]["probability"]
    assert told["question"] == "solutions"
    assert told["number"] >= len(told["answers"])
    best = told["answers"][0]
    together = " & ".join(best["atoms"])
    answer = json.loads(run("ask", log, f"P[mustard]({together})", *more).stdout)
    assert answer["probability"] == best["probability"]


def test_odds_as_text(log: Path) -> None:
    out = run("odds", log, "--player", "mustard", "--at", "1", "--top", "2").stdout
    assert out.startswith("Probabilities for Mustard after turn 1, weighting equal:")
    assert "\x1b" not in out
    assert "✓ is there" in out
    assert "Deals possible now: " in out
    lines = out.splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith("Solutions possible now"))
    assert "remaining uncertainty" in lines[place]
    assert len(lines) == place + 4
    assert "the other " in lines[-1]
    # No answers are asked for: only how many there are.
    out = run("odds", log, "--player", "mustard", "--at", "1", "--top", "0").stdout
    assert "100%  the other " in out


def winner(log: Path) -> str:
    """Who won."""
    (found,) = json.loads(log.read_text().splitlines()[-1])["result"]["winners"]
    return str(found)


def test_the_sheet_with_odds(log: Path) -> None:
    options = ("--player", "mustard", "--at", "1")
    plain = run("sheet", log, *options).stdout
    out = run("sheet", log, *options, "--odds").stdout
    assert "how probable the rest is, weighting equal:" in out
    assert "%" not in plain
    # Where the sheet is open there is a number, and nowhere else.
    for before, after in zip(plain.splitlines()[2:-1], out.splitlines()[2:-1], strict=True):
        assert before.count("?") == after.count("%")
    told = json.loads(run("sheet", log, *options, "--odds", "--json").stdout)
    for row, marks in told["sheet"].items():
        for column, mark in marks.items():
            share = Fraction(told["odds"][row][column]["probability"])
            assert mark == ("yes" if share == 1 else "open" if share else "no")
    assert "odds" not in json.loads(run("sheet", log, *options, "--json").stdout)


# ---- ask ------------------------------------------------------------------------------------


def test_a_bare_probability(log: Path) -> None:
    asked = "P[Mustard](At(Dagger, Envelope) | ~at(dagger, envelope))"
    assert run("ask", log, asked).stdout.startswith(f"1 (100%)  {asked}  (after turn ")
    out = run("ask", log, "P[mustard](at(dagger, envelope))", "--at", "0", "--why").stdout
    truth = json.loads(log.read_text().splitlines()[1])["truth"]
    if truth["location(dagger)"] == "mustard":
        assert out.startswith("0 (0%)  ")
    assert "(after the deal, weighting equal)" in out
    assert "a probability counts every case that " in out


@pytest.mark.parametrize("engine", ["auto", "bdd", "explicit"])
def test_why_a_probability_compares_so(log: Path, engine: str) -> None:
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
    for i in players:
        for j in players:
            for kind, says in (("K", "yes"), ("M", ("yes", "open"))):
                answer = run("ask", log, f"{kind}[{i}] knows_solution({j})").stdout
                assert answer.startswith("yes") == (told[i][j] in says)
    out = run("who", log).stdout
    assert out.startswith("What each player (row) knows after turn ")
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
    sheet = json.loads(run("sheet", log, *options[:4], "--json").stdout)["sheet"]
    for line in lines:
        deal = json.loads(line)
        assert set(deal) == set(sheet)
        assert all(sheet[fluent][place] != "no" for fluent, place in deal.items())
    told = run("sample", log, *options).stdout.splitlines()
    assert len(told) == len(lines)
    assert all(line.startswith("Envelope: ") and line.count("; ") == 3 for line in told)


def advise(
    advisor: CluedoAdvisor, view: View[Any, Any], engine: Engine, number: int
) -> Sequence[Advice]:
    """Three moves that know nothing."""
    names = ("Rope", "Hall", "Study")
    return [
        Advice(name, 2.5 - place, f"number {place}", {"card": name})
        for place, name in enumerate(names)
    ][:number]


def test_suggest(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CluedoAdvisor, "advise", advise)
    lines = run("suggest", log, "--player", "white", "--at", "1").stdout.splitlines()
    assert lines[0] == (
        "The best moves for White after turn 1 if it were White's turn, weighting bayes:"
    )
    assert lines[1] == "   2.50 bits ████████████████████  Rope"
    assert lines[2] == "      number 0"
    assert len(lines) == 7
    arguments = ("suggest", log, "--player", "white", "--at", "1", "--top", "1", "--json")
    told = json.loads(run(*arguments).stdout)
    assert told["moves"] == [
        {
            "title": "Rope",
            "gain": 2.5,
            "unit": "bits",
            "reason": "number 0",
            "data": {"card": "Rope"},
        }
    ]


def test_nothing_to_suggest(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CluedoAdvisor, "advise", lambda *_: [])
    assert run("suggest", log, "--player", "white").stdout.startswith("White has nothing to decide")


# ---- faults ---------------------------------------------------------------------------------


def test_signs_that_a_terminal_cannot_show(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symkripke.cli.display.can_draw", lambda: False)
    monkeypatch.setattr("symkripke.cli.note_sheet.can_draw", lambda: False)
    for command in ("odds", "sheet"):
        more = ("--odds",) if command == "sheet" else ()
        out = run(command, log, "--player", "white", "--at", "1", *more).stdout
        assert out.isascii()
        assert "X is there, . is not there\n" in out


# ---- play ------------------------------------------------------------------------------------

SMALL = ("play", "cluedo", "--players", "3", "--size", "2/2/3", "--seed", "1")


def test_play_brief() -> None:
    whole, brief = run(*SMALL).stdout.splitlines(), run(*SMALL, "--brief").stdout.splitlines()
    assert brief[0] == whole[0]
    assert brief[-1] == whole[-1]
    stories = [line.strip() for line in whole if " asks for " in line or " accuses " in line]
    assert [line[6:] for line in brief if line[:4].strip().isdecimal()] == stories
    assert not any("█" in line or "locates" in line for line in brief)
    told = [json.loads(line) for line in run(*SMALL, "--brief", "--json").stdout.splitlines()]
    assert [line["story"] for line in told[1:-1]] == stories
    assert all("players" not in line for line in told)


def test_play_worlds(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    out = run(*SMALL, "--worlds", "--log", file).stdout
    assert "; behind them, deals." in out
    assert " deals" in out
    assert "  1 deal" in out
    told = [json.loads(line) for line in run(*SMALL, "--worlds", "--json").stdout.splitlines()]
    for line in told[:-1]:
        for one in line["players"].values():
            assert one["deals"] >= one["solutions"]
            assert f"{one['deals']:,} deal" in out
    for name, one in told[-2]["players"].items():
        last = json.loads(run("odds", file, "--player", name, "--json").stdout)
        assert last["deals"] == one["deals"]


def test_dice_at_a_seat_that_has_its_turn_and_has_not(tmp_path: Path) -> None:
    """The truth of a bid has its name, and moves are told to be for another turn."""
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


def test_bars_stand_side_by_side_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = {}
    for width in (80, 130):
        text = StringIO()
        wide = Console(file=text, force_terminal=True, width=width, color_system=None)
        monkeypatch.setattr("symkripke.cli.console.console", lambda stderr=False, out=wide: out)
        run(*SMALL)
        shown[width] = [line.split() for line in text.getvalue().splitlines() if "█" in line]
    # The same bars in the same order: two in a line where two fit.
    assert [word for line in shown[80] for word in line] == [
        word for line in shown[130] for word in line
    ]
    assert len(shown[80]) % 3 == 0
    assert len(shown[130]) == len(shown[80]) * 2 // 3
