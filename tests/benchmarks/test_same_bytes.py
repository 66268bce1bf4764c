"""Short runs of two harnesses: the same bytes whatever the hash seed, and nobody peeks."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import determinism, peeking
from benchmarks.__main__ import main
from benchmarks.determinism import Command, Starter, compare
from symkripke.play.strategies import strategy

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def test_the_same_with_other_hash_seeds_and_workers() -> None:
    options = ("--rules", "study", "--players", "2", "--size", "2/2/2", "--seed", "3")
    run = ("simulate", "cluedo", *options, "--games", "3", "--workers", "{workers}")
    person = ("play", "cluedo", *options, "--human", "ann")
    log = "game.jsonl"
    commands = [
        Command("play", "cluedo", ("play", "cluedo", *options, "--json", "--log", log)),
        Command("ask", "cluedo", ("ask", log, "M[ann] knows_solution(bob)", "--why", "--json")),
        Command("sample", "cluedo", ("sample", log, "--player", "ann", "--at", "1", "--json")),
        Command("run", "cluedo", (*run, "--out", "{folder}", "--json"), workers=True),
        Command("person", "cluedo", (*person, "--log", "mine.jsonl"), typed="hint\ntake\nresign\n"),
    ]
    counts = compare(commands, ("0", "5", "77"), (1, 2))
    assert counts.told == []
    assert counts.failed.total() == 0
    assert counts.ran == {"play": 3, "ask": 3, "sample": 3, "run": 4, "person": 3}
    # Exit code, output, errors; a log; three files of a run.
    assert counts.compared == {"play": 8, "ask": 6, "sample": 6, "run": 18, "person": 8}


def test_differences_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    started = Starter.run

    def run(starter: Starter, words: tuple[str, ...], typed: str = "") -> tuple[int, str, str]:
        code, out, err = started(starter, words, typed)
        return code, out + starter.environment["PYTHONHASHSEED"], err

    monkeypatch.setattr(Starter, "run", run)
    counts = compare([Command("games", "", ("games",))], ("0", "1"), (1,))
    assert counts.told == ["output: hash seed 1: games"]


def test_only_times_are_left_out(tmp_path: Path) -> None:
    table = tmp_path / "run.json"
    table.write_text('{"seconds": 4, "rows": 1}', encoding="utf-8")
    assert "seconds" in determinism.rows(table)


def test_nobody_peeks_in_larger_games() -> None:
    counts = peeking.Counts()
    for name, mind in (
        ("cluedo", "first-order"),
        ("kwartet", "first-order"),
        ("old_maid", "random"),
        ("perudo", "odds"),
        ("sleuth", "lead"),
    ):
        peeking.observe(counts, name, mind, 0, 1)
        assert counts.comparisons[name, mind] > 0, name
    assert counts.peeked == []
    assert counts.kinds["cluedo", "show"] > 0


def test_a_choice_that_differs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peeking, "strategy", lambda played, mind: strategy(played, "random"))
    counts = peeking.Counts()
    peeking.observe(counts, "cluedo", "first-order", 0, 1)
    assert "with another deal" in counts.peeked[0]


def test_the_command_of_determinism(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(determinism, "games", lambda names: [Command("games", "", ("games",))])
    monkeypatch.setattr(determinism, "questions", lambda names: [])
    monkeypatch.setattr(determinism, "runs", lambda names, number: [])
    done = CliRunner().invoke(main, ["determinism", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["compared"] == {"games": 6}
