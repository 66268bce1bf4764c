"""The command `simulate`: text, JSON and wrong usage."""

from __future__ import annotations

import json
from csv import DictReader
from pathlib import Path

import pytest
from click.testing import CliRunner

from symkripke.cli.simulate import simulate

MINDS = "first-order,first-order,higher-order,higher-order"
STUDY = ["cluedo", "--rules", "study", "--size", "2/3/3", "--workers", "1", "--games", "4"]


def test_command_prints_json(tmp_path: Path) -> None:
    result = CliRunner().invoke(simulate, [*STUDY, "--json", "--out", str(tmp_path / "run")])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["games"], told["planned"], told["interrupted"]) == (4, 4, False)
    assert told["kinds"][0]["mind"] == "higher-order"
    assert told["kinds"][0]["games"] == {"hits": 4, "of": 4, "rate": 1.0} | {
        "low": pytest.approx(0.5101092),
        "high": 1.0,
    }
    assert [seat["seat"] for seat in told["seats"]] == [1, 2, 3, 4]
    assert told["files"] == [
        str(tmp_path / "run" / name) for name in ("games.csv", "events.csv", "run.json")
    ]


def test_simulate_counts_deals(tmp_path: Path) -> None:
    small = ("--players", "3", "--size", "2/2/3", "--workers", "1", "--games", "2", "--worlds")
    result = CliRunner().invoke(simulate, ["cluedo", *small, "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    for row in DictReader((tmp_path / "events.csv").read_text().splitlines()):
        assert int(row["deals"]) >= (int(row["open"]) if row["event"] == "0" else 1)


def test_games_with_a_single_loser_count_losses() -> None:
    """In Old Maid, one of the three players in each game is left with the queen."""
    old_maid = ["old_maid", "--rules", "study", "--workers", "1", "--games", "6", "--results-only"]
    minds = ["--minds", "logic,random,random", "--rotate"]
    result = CliRunner().invoke(simulate, [*old_maid, *minds])
    assert result.exit_code == 0, result.output
    assert "Players left with the queen by kind of player, with 95% intervals" in result.stdout
    assert "Wins" not in result.stdout
    told = json.loads(CliRunner().invoke(simulate, [*old_maid, *minds, "--json"]).stdout)
    assert sum(kind["lost_seats"]["hits"] for kind in told["kinds"]) == 6
    assert [kind["lost_seats"]["of"] for kind in told["kinds"]] == [6, 12]
