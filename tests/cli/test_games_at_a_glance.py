"""Game-specific output: printed sheets, hand sizes, codes, bids, changes."""

from __future__ import annotations

import json
import re

import pytest

from symkripke.play import Record
from symkripke.play.positions import state_at
from tests.cli.support import run


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Play a game each of Sleuth and of the games in which hands grow and shrink."""
    folder = tmp_path_factory.mktemp("logs")
    found = {}
    for name, more in (
        ("sleuth", ()),
        ("old_maid", ()),
        ("perudo", ("--rules", "study")),
    ):
        found[name] = str(folder / f"{name}.jsonl")
        run("play", name, "--players", "3", "--seed", "3", *more, "--log", found[name])
    return found


def test_only_games_with_a_printed_sheet_have_paper(logs: dict[str, str]) -> None:
    other = run("sheet", logs["old_maid"], "--player", "ann", "--paper", code=1)
    assert "Old Maid has no other printed sheet" in other.stderr
    for more in ("--odds", "--json"):
        run("sheet", logs["sleuth"], "--player", "ann", "--paper", more, code=2)


@pytest.mark.parametrize("name", ["old_maid", "perudo", "sleuth"])
def test_sheets_show_hand_sizes(name: str, logs: dict[str, str]) -> None:
    """The sizes match the state of the game at every turn, and appear only if hands change."""
    record = Record.read(logs[name])
    last = record.replay()
    for turn in range(0, last.turn + 1, max(1, last.turn // 2)):
        moment = last.at(turn)
        state = state_at(record, moment)
        sizes = {
            player: size
            for player in moment.setup.players
            if (size := record.game.standing(moment.setup, state, player).holds) is not None
        }
        at = ("sheet", logs[name], "--player", "ann", "--at", str(turn))
        told = run(*at).stdout.splitlines()[1]
        assert json.loads(run(*at, "--json").stdout).get("sizes", {}) == sizes
        if name == "sleuth":
            assert not sizes
            assert re.search(r"\d", told) is None
            continue
        for player in record.setup.players:
            assert f"{player.title()} {sizes[player]}" in told


def test_impossible_dice_are_explained(logs: dict[str, str]) -> None:
    moment = Record.read(logs["perudo"]).replay().at(0)
    total = sum(1 for _ in moment.structure.vocabulary.fluents)
    asked = f"K[ann] has(bob, 0, 2) | C[*] eT({total}, 2) | dA(bob, 4)"
    told = run("ask", logs["perudo"], asked, "--at", "0", "--why").stdout
    assert "has(bob, 0, 2) is true in all cases: Bob has 5 dice" in told
    assert "dA(bob, 4) is false in all cases: Bob has 5 dice" in told
    assert "eT(" not in told.split("\n")[1]
    told = run("ask", logs["perudo"], "P[ann](has(bob, 5, 2))", "--why").stdout
    number = len(Record.read(logs["perudo"]).outcomes[-1].public.dice["bob"])
    words = f"Bob has {number} {'die' if number == 1 else 'dice'}"
    assert (f"has(bob, 5, 2) is false in all cases: {words}" in told) == (number < 5)
