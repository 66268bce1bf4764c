"""Failing players: a single error names the seed, turn and player, and finished games are kept."""

from __future__ import annotations

import csv
import pickle
import shlex
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from symkripke.cli import group
from symkripke.engines import Engine
from symkripke.errors import PlayerError
from symkripke.play import Record, Table, View
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.players import FirstOrder
from symkripke_games.cluedo.rules import Suggest

SETUP = {"rules": "study", "size": "2/3/3"}


class Failing(FirstOrder):
    """A player that fails in turn 3 of some games."""

    def __init__(self, engine: Engine, chance: Random) -> None:
        super().__init__(engine, chance)
        self.lucky = chance.random() < 0.95

    def choose(self, view: View[Any, Any]) -> Any:
        if len(view.record) >= 2 and not self.lucky:
            raise KeyError("no such card")
        return super().choose(view)


class Cheating(FirstOrder):
    """A player that asks for invalid cards."""

    def choose(self, view: View[Any, Any]) -> Any:
        return Suggest(("rope", "rope", "rope"))


@pytest.fixture(autouse=True)
def strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {**GAME.strategies, "failing": Failing, "cheating": Cheating}
    monkeypatch.setattr(type(GAME), "strategies", known)


def first_failing() -> Table[Any, Any]:
    """Return a game in which a player fails."""
    for seed in range(100):
        table = Table.of(GAME, minds=("failing",), seed=seed, **SETUP)
        try:
            for _ in table:
                pass
        except PlayerError:
            return table
    raise AssertionError("no player fails")


def test_the_error_gives_the_place_and_the_cause() -> None:
    seed = first_failing().seed
    table = Table.of(GAME, minds=("failing",), seed=seed, **SETUP)
    with pytest.raises(PlayerError) as caught:
        for _ in table:
            pass
    error = caught.value
    assert isinstance(error.__cause__, KeyError)
    assert (error.game, error.seed, error.turn) == ("cluedo", seed, table.state.turn)
    assert error.player in table.setup.players
    assert str(error) == (
        f"cluedo, seed {seed}, turn {error.turn}: {error.player} (failing) failed: "
        "KeyError: 'no such card'"
    )
    # The earlier steps are kept.
    assert len(table.steps) >= 2
    assert table.record.replay().events == len(table.steps)


def test_the_error_can_be_sent_from_a_worker() -> None:
    error = PlayerError("cluedo", 7, 3, "ann", "mine", "KeyError: 'x'")
    error.add_note("where it was")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.seed, again.__notes__) == (str(error), 7, ["where it was"])


def test_forbidden_moves_are_errors_of_the_player() -> None:
    table = Table.of(GAME, minds=("cheating",), seed=1, **SETUP)
    with pytest.raises(
        PlayerError, match=r"turn 1: ann \(cheating\) failed: UnknownName: .*'rope'"
    ):
        table.step()


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "games.csv").open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def test_the_command_prints_how_to_repeat_the_game(tmp_path: Path) -> None:
    given = ["simulate", "cluedo", "--games", "40", "--seed", "3", "--rules", "study"]
    given += ["--set", "size=2/3/3", "--minds", "failing,first-order,failing,first-order"]
    given += ["--rotate", "--workers", "1", "--out", str(tmp_path / "run")]
    done = CliRunner().invoke(group, given)
    assert done.exit_code == 1
    kept = len(rows(tmp_path / "run"))
    assert f"{kept} games of Cluedo" in done.stdout
    said, counted, again = done.stderr[done.stderr.index("Error: ") :].splitlines()
    assert said.startswith(f"Error: cluedo, seed {3_000_000 + kept}, turn ")
    assert counted == f"{kept} of 40 games are finished and kept"
    command = again.removeprefix("to play that game again: symkripke ")
    log = tmp_path / "game.jsonl"
    replayed = CliRunner().invoke(group, [*shlex.split(command), "--log", str(log)])
    assert replayed.exit_code == 1
    assert said in replayed.stderr
    assert f"to play it again: symkripke {command}" in replayed.stderr
    assert f"written to {log}, up to the last event" in replayed.stderr
    record = Record.read(log)
    assert record.result is None
    assert len(record.outcomes) >= 2
