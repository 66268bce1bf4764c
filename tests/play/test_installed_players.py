"""Strategies from other packages: they are found and played; broken ones give errors."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from symkripke.cli import group
from symkripke.errors import InputError, PlayerError, SymkripkeError, UnknownName
from symkripke.play import Table
from symkripke.play.runs.run import RunStopped, carry_out
from symkripke.play.runs.tournament import plan
from symkripke.play.strategies import character, names, strategy
from symkripke_games import cluedo, kwartet

MODULE = '''
"""A player of another package."""

from symkripke_games.cluedo.players import FirstOrder


class Mine(FirstOrder):
    """Plays as first-order players do."""


class Named(FirstOrder):
    """Takes a name."""

    @classmethod
    def tuned(cls, text):
        return {"ann": cls}.get(text) or int(text)


class Failing(FirstOrder):
    """Fails when it knows a lot."""

    def choose(self, view):
        if self.chance.random() < 0.02:
            raise ZeroDivisionError("one over nought")
        return super().choose(view)


NOTHING = 4
'''
SETUP = {"rules": "study", "size": "2/3/3"}


def install(folder: Path, package: str, *entries: str) -> None:
    """Install a package with these entry points into a folder."""
    metadata = folder / f"{package}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = ["[symkripke.players]", *entries]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder on the path, with a module of players."""
    place = tmp_path / "installed"
    place.mkdir()
    (place / "players_of_mine.py").write_text(MODULE)
    monkeypatch.syspath_prepend(place)
    return place


def test_a_player_from_another_package(folder: Path) -> None:
    install(folder, "mine", "cluedo.mine = players_of_mine:Mine")
    assert names(cluedo.GAME) == (*cluedo.GAME.strategies, "mine")
    assert names(kwartet.GAME) == tuple(kwartet.GAME.strategies)
    assert character(cluedo.GAME, "mine") == "Plays as first-order players do"
    made = Table.of(cluedo.GAME, minds=("mine",), seed=5, **SETUP)
    own = Table.of(cluedo.GAME, minds=("first-order",), seed=5, **SETUP)
    assert [str(step) for step in made] == [str(step) for step in own] != []
    with pytest.raises(InputError, match="mine players cannot be tuned, got 'mine:3'"):
        strategy(cluedo.GAME, "mine:3")
    with pytest.raises(UnknownName, match=r"unknown kind of Cluedo player 'mini'.*'mine'"):
        strategy(cluedo.GAME, "mini")
    with pytest.raises(UnknownName):
        strategy(kwartet.GAME, "mine")


def test_commands_find_it(folder: Path) -> None:
    install(folder, "mine", "cluedo.mine = players_of_mine:Mine")
    listed = CliRunner().invoke(group, ["games", "cluedo"])
    assert "Plays as first-order players do" in listed.stdout
    data = json.loads(CliRunner().invoke(group, ["games", "cluedo", "--json"]).stdout)
    assert data["minds"][-1] == "mine"
    given = ["play", "cluedo", "--minds", "mine", "--players", "3", "--size", "3/3/3", "--brief"]
    played = CliRunner().invoke(group, given)
    assert played.exit_code == 0, played.output
    assert "(all mine)" in played.stdout


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_find_it_and_send_its_errors(workers: int, folder: Path, tmp_path: Path) -> None:
    install(
        folder,
        "mine",
        "cluedo.mine = players_of_mine:Mine",
        "cluedo.failing = players_of_mine:Failing",
    )
    done = carry_out(plan("cluedo", SETUP, games=4, minds=("mine",)), workers=workers)
    assert done.summary.games == 4
    run = plan("cluedo", SETUP, games=60, minds=("failing", "mine", "mine", "mine"), seed=1)
    with pytest.raises(RunStopped, match="of 60 games are finished and kept") as caught:
        carry_out(run, workers=workers, folder=tmp_path / "run")
    failed = caught.value.__cause__
    assert isinstance(failed, PlayerError)
    number = run.number_of(failed.seed)
    assert "ann (failing) failed: ZeroDivisionError: one over nought" in str(caught.value)
    with (tmp_path / "run" / "games.csv").open(encoding="utf-8", newline="") as text:
        kept = [int(row["game"]) for row in csv.DictReader(text)]
    if workers == 1:
        assert kept == list(range(number))
    # With two workers, a game before the failed one may be unfinished.
    assert kept == sorted(kept)
    assert number not in kept
    assert len(kept) == caught.value.done.summary.games > 0
    if workers == 2:
        # An error that cannot be sent is replaced by one with a note of its traceback.
        assert "players_of_mine.py" in failed.__notes__[0]
    else:
        assert isinstance(failed.__cause__, ZeroDivisionError)


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (("cluedo.mine = nowhere:Mine",), "'cluedo.mine' .*package other cannot be loaded: Module"),
        (("cluedo.mine = players_of_mine:Yours",), "cannot be loaded: AttributeError"),
        (("cluedo.mine = players_of_mine:NOTHING",), "does not create players: 4 cannot be called"),
        (
            ("cluedo.random = players_of_mine:Mine",),
            "'cluedo.random' .*package other has the name of a kind of player that Cluedo",
        ),
    ],
)
def test_broken_entry_points(folder: Path, entries: tuple[str, ...], message: str) -> None:
    install(folder, "other", *entries)
    with pytest.raises(SymkripkeError, match=message):
        strategy(cluedo.GAME, "mine")
    listed = CliRunner().invoke(group, ["games", "cluedo"])
    assert listed.exit_code == 1
    assert listed.stderr.startswith("Error: entry point 'cluedo.")
    # The game's own players do not need the entry points.
    assert strategy(cluedo.GAME, "random") is cluedo.GAME.strategies["random"]


def test_two_packages_with_one_name(folder: Path) -> None:
    for package in ("first", "second"):
        install(folder, package, "cluedo.mine = players_of_mine:Mine")
    with pytest.raises(SymkripkeError, match=r"in the package \w+ has the name of entry point"):
        strategy(cluedo.GAME, "mine")


def test_entry_points_are_not_read_for_own_players() -> None:
    """Reading the entry points would slow down the start."""
    code = (
        "import symkripke.play as p, symkripke.play.strategies as s; cluedo = p.game('cluedo')\n"
        "s.entry_points = None\n"
        "next(iter(p.Table.of(cluedo, minds=('first-order',), players=3)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_class_is_named_on_the_command_line_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "guesser.py").write_text("raise SystemExit('loaded')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-m", "symkripke", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)

    setup = ("cluedo", "--rules", "study", "--seed", "1")
    log = ("--log", "game.jsonl")
    assert run("play", *setup, "--minds", "mine:Mine", "--brief", *log).returncode == 0
    many = run("simulate", *setup, "--minds", "mine:Mine", "--games", "4", "--workers", "2")
    assert many.returncode == 0, many.stderr
    # A log also names the class, but loading the log does not import it.
    told = run("ask", "game.jsonl", "true")
    assert told.returncode == 1
    assert "'mine:Mine': no file can load a class" in told.stderr
    seated = ("play", *setup, "--players", "3", "--brief", "--minds")
    assert run(*seated, "mine:Named:ann*2,first-order").returncode == 0
    assert "mine:Named:bob: invalid literal" in run(*seated, "mine:Named:bob").stderr
    assert "mine:Mine players cannot be tuned" in run(*seated, "mine:Mine:ann").stderr
    assert "expected at least one kind of player" in run(*seated, "first-order*0").stderr
    # The game's own minds take precedence.
    tuned = run("play", *setup, "--minds", "first-order-guesser:0.4", "--brief")
    assert tuned.returncode == 0
    refused = run("play", *setup, "--minds", "mine:Nobody")
    assert refused.returncode == 1
    assert "mine:Nobody" in refused.stderr
    assert "Traceback" not in refused.stderr
