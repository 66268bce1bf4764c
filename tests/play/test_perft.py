"""Knowledge perft: the recorded numbers of worlds and deals, along seeded games of all sizes.

`tests/data/perft/README.md` says how the numbers were made: without the engine that is tested.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import factorial, prod
from pathlib import Path
from random import Random
from typing import Any

import pytest

from symkripke.engines import Engine, engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.model import Scene
from symkripke.play import Table, game
from symkripke_games.old_maid.knowledge import holds

FOLDER = Path(__file__).parent.parent / "data" / "perft"
SEED = 5

# By the name of the file: the game, its setup, who plays, and how many events (None: all).
GAMES: Mapping[str, tuple[str, dict[str, Any], Sequence[str], int | None]] = {
    "study": ("cluedo", {"rules": "study"}, ("first-order", "higher-order") * 2, None),
    "three": ("cluedo", {"players": 3, "size": "3/3/3"}, ("first-order",), None),
    **{f"classic-{n}": ("cluedo", {"players": n}, ("higher-order",), None) for n in (3, 4, 5, 6)},
    "kwartet-small": ("kwartet", {"groups": 3, "players": 3}, ("random",) * 3, None),
    "kwartet-bluff": (
        "kwartet",
        {"groups": 2, "players": 3, "allow_bluff": True},
        ("random",) * 3,
        None,
    ),
    "kwartet-study": ("kwartet", {"rules": "study"}, ("first-order",) * 3, None),
    "kwartet-classic-3": ("kwartet", {"players": 3}, ("second-order", "random") * 2, 16),
    "kwartet-classic-4": ("kwartet", {"players": 4}, ("random",) * 4, 8),
    "old-maid-study": ("old_maid", {"rules": "study"}, ("logic",), None),
    "old-maid-small": ("old_maid", {"ranks": 5, "players": 4}, ("random",), None),
    "old-maid-classic-3": ("old_maid", {"players": 3}, ("epistemic",), 14),
    "old-maid-classic-2": ("old_maid", {"players": 2}, ("random",), None),
    "sleuth-small": ("sleuth", {"players": 3, "size": "2/2/2"}, ("random",), None),
    "sleuth-small-study": (
        "sleuth",
        {"rules": "study", "players": 3, "size": "2/2/2"},
        (),
        None,
    ),
    "sleuth-classic-3": ("sleuth", {"players": 3}, ("random",), 16),
    "sleuth-classic-4": ("sleuth", {"players": 4}, ("random",), 10),
    "sleuth-classic-5": ("sleuth", {"players": 5}, ("random",), 3),
    "sleuth-study-5": ("sleuth", {"rules": "study", "players": 5}, ("random",), 3),
}
SMALL = ("kwartet-small", "kwartet-bluff", "old-maid-study", "old-maid-small")


def played(name: str) -> Table[Any, Any]:
    """The game of that name, as far as it is recorded."""
    title, options, minds, events = GAMES[name]
    chosen = game(title)
    setup = chosen.setup(**options)
    table = Table(chosen, setup, minds[: len(setup.players)], SEED)
    while (events is None or len(table.steps) < events) and table.step() is not None:
        pass
    return table


def recorded(name: str) -> list[dict[str, Any]]:
    """What is recorded of each event."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


def counted_over(table: Table[Any, Any], kind: str) -> Sequence[str] | None:
    """The fluents over which worlds are counted; None: all."""
    setup = table.setup
    if kind == "hands":
        return [holds(player, rank).fluent for player in setup.players for rank in setup.deck]
    deals = kind == "deals" and table.game.name != "kwartet"
    return tuple(table.moment.layout.rows) if deals else None


def rows_of(name: str) -> list[dict[str, Any]]:
    """What is recorded; of long games of full size every fourth event, and the last."""
    lines = recorded(name)
    return [*lines[:-1:4], lines[-1]] if "classic" in name and len(lines) > 6 else lines


@pytest.mark.parametrize("name", GAMES)
def test_perft(name: str) -> None:
    """By diagrams; where worlds are few by the explicit model; in Sleuth by steps, too."""
    table = played(name)
    engines: list[Engine] = [BddEngine()]
    if name in SMALL:
        engines.append(ExplicitEngine())
    assert recorded(name)[-1]["event"] == len(table.steps) > 2
    for row in rows_of(name):
        scene = table.scenes[row["event"]]
        for player in table.setup.players:
            view, about = scene.perspective(player), (row["event"], player)
            for kind in {"worlds", "deals", "hands"} & row.keys():
                for counting in engines:
                    number = counting.worlds(view, counted_over(table, kind))
                    assert number == row[kind][player], (*about, counting.name)
            if table.game.name == "sleuth":
                gems = counted_over(table, "deals") or ()
                steps = engines[0].steps(view, gems, merged=table.setup.players)
                assert steps.worlds == row["deals"][player], about
                assert steps.total * steps.each == pytest.approx(steps.worlds, rel=1e-12), about


@pytest.mark.parametrize("name", [name for name in GAMES if name.startswith("kwartet")])
def test_closed_forms_of_kwartet(name: str) -> None:
    sizes = played(name).setup.sizes
    for player, number in recorded(name)[0]["deals"].items():
        others = [size for other, size in sizes.items() if other != player]
        assert number == factorial(sum(others)) // prod(map(factorial, others))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_closed_forms_of_sleuth(players: int) -> None:
    """Who holds h of the gems: all ways to hide one of the others and deal the rest."""
    sleuth = game("sleuth")
    setup = sleuth.setup(players=players)
    dealt_otherwise = factorial(setup.hand) ** (players - 1) * factorial(setup.left)
    scene = Scene.of(sleuth.structure(setup), sleuth.deal(setup, Random(1)))
    number = engine("bdd").worlds(scene.perspective(setup.players[0]))
    assert number == factorial(36 - setup.hand) // dealt_otherwise
