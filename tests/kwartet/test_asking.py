"""Kwartet on the command line: questions about any turn, with reasons in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from symkripke.cli import group
from symkripke.play import Table
from symkripke.play.dealing import location
from symkripke_games.kwartet import GAME
from symkripke_games.kwartet.rules import Ask, LayDown
from tests.kwartet.test_examples import FULL


def run(*arguments: str) -> Result:
    return CliRunner().invoke(group, arguments, catch_exceptions=False)


@pytest.fixture
def log(tmp_path: Path) -> str:
    """The study's dialogue as a log: no goat, then the pig."""
    setup = GAME.setup(rules="study", names=("diego", "ruben", "tanja"))
    deal = {location(card): player for player, hand in FULL.items() for card in hand.split()}
    table = Table(GAME, setup, ("random",), deal=deal)
    moves = iter([LayDown(), Ask("tanja", "smelly_goat"), Ask("diego", "crazy_pig")])
    for player in table.players.values():
        player.choose = lambda view: next(moves)  # type: ignore[method-assign]
    for _ in range(3):
        table.step()
    file = tmp_path / "dialogue.jsonl"
    table.record.write(file)
    return str(file)


def test_any_turn_can_be_asked_about(log: str) -> None:
    for turn, formula, answer in (
        ("0", "C[*] holds_group(diego, farm_animals)", "no"),
        ("1", "C[*] holds_group(diego, farm_animals)", "yes"),
        ("2", "C[*] holds_group(diego, farm_animals)", "no"),
        ("2", "C[*] at(crazy_pig, tanja)", "yes"),
        ("1", "holds(diego, crazy_pig)", "yes"),
        ("2", "holds(diego, crazy_pig)", "no"),
        ("2", "knows_place(ruben, proud_rooster)", "no"),
        ("2", "K[ruben] K[diego] K[tanja] at(smelly_goat, ruben)", "yes"),
        ("2", "laid_down(farm_animals)", "no"),
    ):
        shown = run("ask", log, formula, "--at", turn).stdout
        assert shown.startswith(f"{answer}  {formula}"), (turn, shown)


def test_reasons_are_in_words(log: str) -> None:
    shown = run("ask", log, "K[tanja] at(smelly_goat, ruben)", "--why").stdout
    assert "turn 1: Diego asked Tanja for Smelly goat, so Diego did not hold that itself" in shown
    assert "Smelly goat was dealt to one player" in shown
    assert "Tanja was not dealt Smelly goat (own hand)" in shown
    shown = run("ask", log, "K[ruben] at(fat_cow, tanja)", "--why").stdout
    assert (
        "Ruben does not know that Tanja was dealt Fat cow, because Ruben considers this possible"
        in shown
    )
    assert "*Fat cow" in shown  # not really there
    shown = run("ask", log, "K[ruben] ~holds_group(diego, farm_animals)", "--why").stdout
    assert "because Ruben considers this possible:\n" in shown


def test_what_all_saw_is_named_where_it_has_no_other_reason(log: str) -> None:
    said = "turn 2: Diego gave Tanja Crazy pig"
    assert (
        f"everybody saw it ({said})"
        in run("ask", log, "K[ruben] at(crazy_pig, tanja)", "--why").stdout
    )
    assert "everybody saw it" not in run("ask", log, "K[ruben] at(elf, diego)", "--why").stdout
    data = json.loads(run("ask", log, "K[ruben] at(crazy_pig, diego)", "--why", "--json").stdout)
    assert data["seen_by_all"] == [said]
    before = run("ask", log, "K[ruben] at(crazy_pig, diego)", "--at", "1", "--why", "--json")
    assert "seen_by_all" not in json.loads(before.stdout)


def test_the_sheet_has_a_column_for_the_table(log: str) -> None:
    data = json.loads(run("sheet", log, "--player", "ruben", "--json").stdout)
    assert data["sheet"]["location(crazy_pig)"] == {
        "diego": "no",
        "ruben": "no",
        "tanja": "yes",
        "table": "no",
    }
    assert data["sheet"]["location(fat_cow)"]["tanja"] == "open"


def test_simulations_count_ties_for_all_winners() -> None:
    done = run(
        *[
            "simulate",
            "kwartet",
            "--rules",
            "study",
            "--games",
            "12",
            "--minds",
            "first-order,second-order,random",
            "--rotate",
            "--results-only",
            "--workers",
            "1",
            "--json",
        ]
    )
    data = json.loads(done.stdout)
    assert data["games"] == 12
    assert data["unfinished"] == data["nobody"] == 0
    assert sum(kind["seats"]["hits"] for kind in data["kinds"]) >= 12


def test_bad_options_are_told() -> None:
    for command, message in (
        ("play kwartet --set forgets=2", "option forgets: expected a number from 0 to 1, got '2'"),
        ("play kwartet --size 6/6/9", "unknown option of Kwartet 'size'"),
        ("play kwartet --players 2", "Kwartet (classic) is for 3 to 6 players, got 2"),
        ("play kwartet --minds clever", "unknown kind of Kwartet player 'clever'"),
    ):
        done = run(*command.split())
        assert done.exit_code != 0
        assert message in done.output


def test_worlds_that_nothing_leads_to_are_no_reason() -> None:
    """Two ways to refute what all of a group know: one of them is taken, the other is left out."""
    table = Table(GAME, GAME.setup(players=3, groups=3), seed=1)
    for _ in table:
        pass
    moment = table.moment
    for turn in range(moment.turn + 1):
        for text in (
            "K[cath] E[ann, cath] knows_place(ann, smelly_goat)",
            "K[bob] E[*] knows_place(cath, smelly_goat)",
        ):
            answer = moment.at(turn).ask(text)
            assert answer.why().truth is bool(answer)
