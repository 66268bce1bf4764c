"""Logs: whole games, and one player's own table."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from symkripke.cli import group
from symkripke.engines.sat import SatEngine
from symkripke.errors import LogError
from symkripke.model import Scene
from symkripke.play import Outcome, Record, Table
from symkripke.play.dealing import location
from symkripke.play.session.course import Seat
from symkripke_games.sleuth import GAME
from symkripke_games.sleuth.gems import HIDDEN
from symkripke_games.sleuth.rules import Declaration, Declare, Opening, Question, Silent


def played(rules: str = "classic", seed: int = 3, guess: bool = False) -> Table[Any, Any]:
    table = Table(GAME, GAME.setup(rules=rules, players=3, size="3/2/2"), ("random",), seed)
    if guess:
        first = table.players["ann"]
        choose = first.choose

        def rash(view: Any) -> Any:
            move = choose(view)
            wrong = next(
                gem for gem in view.setup.edition.gems if table.deal[location(gem.id)] != HIDDEN
            )
            return Declare(wrong.id) if isinstance(move, Silent) and table.state.turn == 3 else move

        first.choose = rash  # type: ignore[method-assign]
    for _ in table:
        pass
    return table


def own_log(table: Table[Any, Any], me: str, *, cards: bool = True) -> Record[Any, Any]:
    """What `me` would write down at a real table; with or without the question cards."""
    dealt = tuple(name[len("location(") : -1] for name, p in table.deal.items() if p == me)
    outcomes = []
    for step in table.steps:
        public, secret = step.outcome.public, dict(step.outcome.secret)
        if not isinstance(public, Question) or public.player != me:
            secret = {}
        if isinstance(public, Declaration) and not public.right and public.player == me:
            secret = {name: place for name, place in table.deal.items() if place == HIDDEN}
        if not cards and isinstance(public, Opening):
            public = Opening(turn=0, up=public.up)
        if not cards and isinstance(public, Question):
            public = Question(
                turn=public.turn,
                player=public.player,
                asked=public.asked,
                elements=public.elements,
                number=public.number,
            )
        outcomes.append(Outcome(public, secret))
    record: Record[Any, Any] = Record(GAME, table.setup, tuple(outcomes), seat=Seat(me, dealt))
    return Record.parse("\n".join(record.lines()))


@pytest.mark.parametrize("rules", ["classic", "study"])
def test_ones_own_table_without_question_cards(rules: str) -> None:
    """After every event the player knows just what it knows in the scene."""
    table = played(rules)
    for me in table.setup.players:
        moment = own_log(table, me, cards=False).replay()
        engine = SatEngine()
        for state, scene in zip(moment.states, table.scenes, strict=True):
            assert not isinstance(state, Scene)
            here, there = engine.sheet(state), engine.sheet(scene.perspective(me))
            assert here.marks == there.marks


def test_who_was_wrong_tells_what_it_saw() -> None:
    table = played(guess=True)
    wrong = [
        one.outcome.public for one in table.steps if isinstance(one.outcome.public, Declaration)
    ]
    assert not wrong[0].right
    moment = own_log(table, "ann").replay()
    assert moment.ask("knows_gem(ann)")
    record = own_log(table, "ann")
    silent = [
        Outcome(one.public, {} if isinstance(one.public, Declaration) else one.secret)
        for one in record.outcomes
    ]
    with pytest.raises(LogError, match="saw something that is not told"):
        Record(GAME, table.setup, tuple(silent), seat=record.seat).replay()


def changed(record: Record[Any, Any], number: int, public: Any, secret: dict[str, str]) -> str:
    outcomes = list(record.outcomes)
    outcomes[number] = Outcome(public, secret)
    return "\n".join(Record(GAME, record.setup, tuple(outcomes), seat=record.seat).lines())


BOB = location("rds"), location("rdp")


@pytest.mark.parametrize(
    ("rules", "number", "secret", "message"),
    [
        ("classic", 1, {}, "ann saw something that is not told; add what it saw"),
        (
            "classic",
            1,
            {BOB[0]: "bob", BOB[1]: "bob"},
            "expected the 1 gems that were shown to ann, got 2",
        ),
        ("classic", 1, {location("gds"): "bob"}, r"cannot have shown location\(gds\) = bob"),
        ("classic", 1, {BOB[0]: "cath"}, r"cannot have shown location\(rds\) = cath"),
        ("classic", 1, {"answer(1)": "gems", BOB[0]: "bob"}, "expected the 1 gems"),
        ("study", None, {}, r'not told; add what it saw, as in "secret":\{"answer\(1\)"'),
        ("study", None, {BOB[0]: "bob"}, 'expected "answer'),
        ("study", None, {"answer(1)": "nothing", BOB[0]: "bob"}, 'expected "answer'),
        ("study", None, {"answer(1)": "gems"}, 'expected "answer'),
        ("classic", 4, {}, r"red diamond gems bob has \(0 to 2\), got 4"),
    ],
)
def test_ones_own_table_with_faults(
    rules: str, number: int | None, secret: dict[str, str], message: str
) -> None:
    """Ann, with the green diamonds and the red opals, asks bob for red diamonds."""
    setup = GAME.setup(rules=rules, players=3, size="3/2/2")
    asked = Question(turn=1, player="ann", asked="bob", elements=("red", "diamond"), number=number)
    outcomes = (
        Outcome(Opening(turn=0, up=("yos", "yop")), {}),
        Outcome(asked, secret),
    )
    seat = Seat("ann", ("gos", "gop", "ros"))
    record: Record[Any, Any] = Record(GAME, setup, outcomes, seat=seat)
    with pytest.raises(LogError, match=message) as error:
        record.replay()
    assert "event 2" in str(error.value)


def test_what_cannot_be_given_what_is_known() -> None:
    setup = GAME.setup(players=3, size="3/2/2")
    asked = Question(turn=1, player="ann", asked="bob", elements=("red", "opal"), number=1)
    secret = {location("ros"): "bob"}
    outcomes = (Outcome(Opening(turn=0, up=("yos", "yop")), {}), Outcome(asked, secret))
    record: Record[Any, Any] = Record(
        GAME, setup, outcomes, seat=Seat("ann", ("gos", "gop", "ros"))
    )
    with pytest.raises(LogError, match="it does not fit what is known"):
        record.replay()


def test_all_commands(tmp_path: Path) -> None:
    """On one log: no command needs to know the game."""
    log = str(tmp_path / "g.jsonl")
    setup = ["--players", "3", "--size", "3/2/2"]
    commands = {
        "play": ["play", "sleuth", *setup, "--seed", "2", "--log", log, "--worlds"],
        "sheet": ["sheet", log, "--player", "bob", "--odds"],
        "odds": ["odds", log, "--player", "bob", "--at", "2"],
        "suggest": ["suggest", log, "--player", "bob", "--at", "2", "--top", "2"],
        "who": ["who", log, "--at", "2"],
        "sample": ["sample", log, "--player", "bob", "--at", "2", "--number", "2"],
        "ask": ["ask", log, "K[ann] RDS | K[bob] ~RDS | M[cath] holds(ann, rds)"],
        "simulate": ["simulate", "sleuth", *setup, "--games", "2", "--workers", "1"],
    }
    for name, command in commands.items():
        result = CliRunner().invoke(group, command)
        assert result.exit_code == 0, (name, result.output)
        assert result.stdout
    told = CliRunner().invoke(group, ["play", "sleuth", *setup, "--seed", "2", "--json"]).stdout
    lines = [json.loads(line) for line in told.splitlines()]
    assert any("tells" in line.get("reason", "") for line in lines)
    # Names without arguments are told in words.
    why = CliRunner().invoke(group, ["ask", log, "--at", "0", "K[ann] RDS", "--why"]).stdout
    assert re.search("knows? that the Red Diamond Solitaire is not the hidden gem", why)
    moves = json.loads(CliRunner().invoke(group, [*commands["suggest"], "--json"]).stdout)["moves"]
    assert len(moves) == 2
    assert moves[0]["title"] == "stay silent"  # Bob has asked, and may declare.
    assert moves[1]["title"].startswith("next turn: ask ")
    assert {"asked", "elements", "card", "open", "deal"} <= set(moves[1]["data"])
    assert "tells" in moves[1]["reason"]
