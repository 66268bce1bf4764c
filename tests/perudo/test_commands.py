"""The command line, on a game that somebody wrote down at a real table."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from symkripke.cli import group
from symkripke_games.perudo.bidding import Manner
from symkripke_games.perudo.chances import atleast, given, together

# Ann has thrown 1, 2, 2, 5, 6. Nobody knows the dice of the others before they are shown.
LOG = """
{"log":"symkripke","version":1,"game":"perudo","setup":{"rules":"study",
 "players":["ann","bob","cath"],"dice":5,"faces":6,"aces":false,"palifico":false,
 "calza":true,"first":"ann"}}
{"seat":{"player":"ann","holds":["2","6","1","5","2"]}}
{"event":{"type":"bid","turn":1,"player":"ann","quantity":3,"face":2}}
{"event":{"type":"bid","turn":2,"player":"bob","quantity":4,"face":4}}
{"event":{"type":"bid","turn":3,"player":"cath","quantity":5,"face":4}}
{"event":{"type":"call","turn":4,"player":"ann",
 "dice":{"ann":[1,2,2,5,6],"bob":[4,1,4,4,3],"cath":[4,6,1,5,4]}}}
{"event":{"type":"throw","turn":5},"secret":{"dice(ann)":"6 6 1 3"}}
""".replace("\n ", " ")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("perudo") / "table.jsonl"
    path.write_text(LOG, encoding="utf-8")
    return path


def said(command: str, *arguments: str) -> str:
    result = CliRunner().invoke(group, [command, *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def told(command: str, *arguments: str) -> Any:
    return json.loads(said(command, *arguments, "--json"))


def test_sheet(log: Path) -> None:
    """Own dice are known; of the others what the bids were taken to say is believed."""
    lines = said("sheet", str(log), "--player", "ann", "--at", "3").split("\n")
    rows = {line.split()[0]: line.split()[1:] for line in lines[2:8]}
    assert rows["twos"] == ["2", "0-5", "(0-2)", "0-5", "(0-4)"]
    assert rows["fours"] == ["0", "0-5", "(3-5)", "0-5", "(1-5)"]
    assert "how many, from least to most; in brackets as believed" in lines
    data = told("sheet", str(log), "--player", "ann", "--at", "3")
    assert data["sheet"]["2x4"] == {"ann": "no", "bob": "open", "cath": "open"}
    # 4 - (10 - 1)/6 = 5/2, rounded 3; then 5 - (10 - 1 - 3)/6 - 3 = 1.
    assert data["believed"]["3x4"] == {"ann": "no", "bob": "yes", "cath": "open"}
    assert data["believed"]["1x4"] == {"ann": "no", "bob": "yes", "cath": "yes"}
    # After the call all is known, and after the next throw nothing of the others.
    shown = told("sheet", str(log), "--player", "ann", "--at", "4")
    assert shown["sheet"]["3x4"] == {"ann": "no", "bob": "yes", "cath": "no"}
    assert "believed" not in shown
    assert told("sheet", str(log), "--player", "ann")["sheet"]["2x6"]["ann"] == "yes"


def test_odds(log: Path) -> None:
    data = told("odds", str(log), "--player", "ann", "--at", "3")
    assert data["deals"] == 6**10
    assert data["question"] == "answers"
    moves = {move["title"]: move["chances"] for move in data["moves"]}
    assert list(moves) == [
        *("bid 6 aces", "bid 6 twos", "bid 6 threes", "bid 6 fours", "bid 5 fives", "bid 5 sixes"),
        *("dudo: it is not met", "calza: it is exactly met"),
    ]
    dudo = {
        name: Fraction(chance["probability"])
        for name, chance in moves["dudo: it is not met"].items()
    }
    assert dudo["my dice"] == sum(Fraction(comb(10, k) * 5 ** (10 - k), 6**10) for k in range(5))
    fours = [given(5, Manner(6, False), ((4, least),), 4) for least in (3, 1)]
    assert dudo["my dice and the bids"] == 1 - atleast(together(tuple(fours)), 5)
    text = said("odds", str(log), "--player", "ann", "--at", "3")
    assert "Answers possible now: 2" in text
    assert "Ann's moves" in text
    assert "by my dice and the bids" in text
    assert "Moves, were it Ann's turn" in said("odds", str(log), "--player", "ann", "--at", "2")
    assert "moves" not in told("odds", str(log), "--player", "ann", "--at", "4")


def test_suggest(log: Path) -> None:
    data = told("suggest", str(log), "--player", "ann", "--at", "3", "--top", "2")
    assert len(data["moves"]) == 2
    assert data["moves"][0]["gain"] >= data["moves"][1]["gain"]
    text = said("suggest", str(log), "--player", "ann", "--at", "3")
    assert " chance " in text
    assert "% by your dice and the bids" in text
    assert "the chance that it is doubted at once is " in text
    nothing = said("suggest", str(log), "--player", "ann", "--at", "4")
    assert "There is nothing for Ann to do after turn 4." in nothing


def test_first_bids_are_told_with_their_chances(log: Path) -> None:
    moves = told("suggest", str(log), "--player", "ann", "--at", "0", "--top", "6")["moves"]
    dice = [1, 2, 2, 5, 6]
    assert len(moves) == 6
    gains = [move["gain"] for move in moves]
    assert gains == pytest.approx(sorted(gains, reverse=True))
    for move in moves:
        quantity, face = move["data"]["bid"]
        mine = dice.count(face)
        ways = sum(comb(10, k) * 5 ** (10 - k) for k in range(max(0, quantity - mine), 11))
        assert Fraction(move["data"]["chances"]["my dice"]) == Fraction(ways, 6**10)
        assert move["gain"] == move["data"]["keeps"]
        assert 0 <= move["data"]["doubted"] <= 1


def test_ask(log: Path) -> None:
    for formula, holds in (
        ("K[ann] eA(ann, 2, 2) & ~K[ann] eT(3, 2)", True),
        ("B[ann] eA(bob, 3, 4) & B[ann] eT(4, 4) & ~K[ann] eT(1, 4)", True),
        ("B[ann] CB[*] eA(cath, 1, 4)", True),
        ("K[ann] dT(15)", True),
        ("P[ann](met(5, 4)) > 1/20", False),
    ):
        assert told("ask", str(log), formula, "--at", "3")["holds"] is holds, formula
    why = said("ask", str(log), "B[ann] eA(bob, 3, 4)", "--at", "3", "--why")
    assert "turn 2: Bob bid 4 fours: taken to hold 3 fours (believed)" in why
    why = said("ask", str(log), "K[ann] eT(1, 4)", "--at", "3", "--why")
    assert "Ann does not know that 1 or more of all dice show fours, because Ann considers" in why


def test_who_and_sample(log: Path) -> None:
    assert told("who", str(log), "--at", "3")["who"] == {
        "ann": {"ann": "no", "bob": "open", "cath": "open"}
    }
    drawn = said("sample", str(log), "--player", "ann", "--number", "3", "--at", "3").split("\n")
    assert len(drawn) == 4
    assert all(line.endswith("Ann: 1 2 2 5 6") for line in drawn[:3])


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            '"quantity":4',
            '"quantity":2',
            "line 5: 2 fours is no higher bid than 3 twos",
        ),
        ("[4,1,4,4,3]", "[4,1,4,4,3,3]", "line 7: expected bob to have 5 dice, got 6"),
        (
            "[1,2,2,5,6]",
            "[1,1,2,5,6]",
            "line 7: turn 4: Ann doubted the bid: it does not fit what is known",
        ),
        ('"6 6 1 3"', '"6 6 1 3 2"', "line 8: expected ann to have 4 dice, got 5"),
        ('"2","6","1","5","2"', '"2","6","1","5"', "the seat: expected ann to have 5 dice, got 4"),
    ],
)
def test_one_clear_error(tmp_path: Path, old: str, new: str, says: str) -> None:
    path = tmp_path / "wrong.jsonl"
    assert old in LOG
    path.write_text(LOG.replace(old, new), encoding="utf-8")
    result = CliRunner().invoke(group, ["sheet", str(path), "--player", "ann"])
    assert result.exit_code == 1
    fault, *what_to_do = result.stderr.splitlines()
    assert says in fault
    # Of an event that cannot be so, the reason is a command away.
    assert [" diagnose " in line for line in what_to_do] == ([True] if "line" in says else [])
