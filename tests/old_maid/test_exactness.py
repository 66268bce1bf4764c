"""The sat engine against the explicit model, after every event of whole games."""

from __future__ import annotations

from itertools import permutations

import pytest

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.language import K, Kw, M
from symkripke.model import Scene, evaluate
from symkripke.play import Table
from symkripke_games.old_maid import GAME
from symkripke_games.old_maid.knowledge import holds
from symkripke_games.old_maid.rules import Setup

MIXED = ("epistemic", "logic", "random")

# Name, setup, minds, games: 220 games in all.
KINDS = (
    ("the study's: 3 players, 4 ranks", {"rules": "study"}, MIXED, 100),
    ("2 players, 5 ranks", {"rules": "study", "ranks": 5, "players": 2}, ("epistemic",), 40),
    ("classic, 3 players, 3 ranks", {"ranks": 3, "players": 3}, ("random",), 40),
    ("classic, 4 players, 3 ranks", {"ranks": 3, "players": 4}, ("logic",), 40),
)
BLOCKS = [
    pytest.param(setup, minds, range(start, min(start + 20, games)), id=f"{name}, {start}-")
    for name, setup, minds, games in KINDS
    for start in range(0, games, 20)
]


@pytest.mark.parametrize(("options", "minds", "seeds"), BLOCKS)
def test_whole_games(options: dict[str, object], minds: tuple[str, ...], seeds: range) -> None:
    setup = GAME.setup(**options)  # type: ignore[arg-type]
    explicit = ExplicitEngine()
    for seed in seeds:
        table = Table(GAME, setup, minds, seed)
        sat = SatEngine()
        check(setup, table.scene, sat, explicit, seed)
        for step in table:
            check(setup, table.scene, sat, explicit, seed + step.number)
        assert table.state.result is not None


def check(setup: Setup, scene: Scene, sat: SatEngine, explicit: ExplicitEngine, seed: int) -> None:
    """K and M of every hand; K K, K M and M K of two players and one of them in turn."""
    atoms = [holds(player, rank) for player in setup.players for rank in setup.deck]
    for player in setup.players:
        view = scene.perspective(player)
        sheet = explicit.sheet(view, atoms)
        assert sat.sheet(view, atoms).marks == sheet.marks, (seed, player)
        for atom, mark in sheet:
            # The true world is never lost.
            truth = evaluate(scene.structure.resolve(atom), scene.world)
            assert mark.value != ("no" if truth else "yes"), (seed, player)
    pairs = list(permutations(setup.players, 2))
    one, two = pairs[seed % len(pairs)]
    atom = atoms[seed % len(atoms)]
    questions = (
        K(one, K(two, atom)),
        K(one, M(two, atom)),
        M(one, K(two, atom)),
        M(one, ~M(two, atom)),
        K(one, Kw(two, atom)),
    )
    # Three of them after each event, other ones after the next.
    for question in (questions[(seed + n) % len(questions)] for n in range(3)):
        truth = bool(explicit.holds(scene, question))
        assert bool(sat.holds(scene, question)) == truth, (seed, str(question))
