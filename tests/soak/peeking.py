"""Nobody peeks: players make the same choices whatever is hidden from them, in games of any size.

After a game, the check draws another deal that a player considers possible at one of its last
decisions. A new player of its kind goes through the whole game again, with the views that it would
have had in that deal. The new player builds up its memory from scratch, and must make the same
choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random
from typing import Any

import click

from symkripke.engines import counter, engine
from symkripke.model import KnowledgeStructure, Perspective, Scene, World
from symkripke.play import Game, Player, Table, View, game
from symkripke.play.strategies import strategy
from tests.soak.common import Found

SETUPS: dict[str, dict[str, Any]] = {
    "cluedo": {"players": 3, "size": "4/4/5"},
    "kwartet": {"players": 4, "groups": 5},
    "old_maid": {"players": 3, "rules": "study", "ranks": 4},
    "perudo": {"players": 3, "dice": 3},
    "sleuth": {"players": 3, "size": "4/3/3"},
}
"""The setup of each game."""

_TURNS = 25
"""Turns after which a game is given up; longer games bring no new kinds of positions."""


@dataclass
class Chosen:
    """A choice of a player, with the scene and the view at that time."""

    scene: Scene
    view: View[Any, Any]
    move: Any


@dataclass
class Observed:
    """A player whose choices are recorded."""

    player: Player[Any, Any]
    table: Table[Any, Any]
    choices: list[Chosen] = field(default_factory=list)

    def choose(self, view: View[Any, Any]) -> Any:
        """Return and record the player's choice."""
        move = self.player.choose(view)
        self.choices.append(Chosen(self.table.scene, view, move))
        return move

    def assess(self, view: View[Any, Any]) -> Any:
        """Return the player's assessment."""
        return self.player.assess(view)


def by_deal(choices: Sequence[Chosen]) -> list[list[int]]:
    """Return the indices of the choices, grouped by deal (one throw of all dice)."""
    deals: dict[KnowledgeStructure, list[int]] = {}
    for number, chosen in enumerate(choices):
        structure = chosen.scene.structure
        while structure.history.before is not None:
            structure = structure.history.before
        deals.setdefault(structure, []).append(number)
    return list(deals.values())


def seen_there(chosen: Chosen, other: World) -> Perspective:
    """Return the player's perspective at that decision if the deal had been the other one."""
    structure = chosen.scene.structure
    world = {name: other[name] for name in structure.vocabulary.fluents}
    return Scene(structure, world).perspective(chosen.view.player)


def other_deals(chosen: Chosen, number: int, chance: Random) -> list[World]:
    """Return worlds that the player considers possible there, without the actual one."""
    drawn = counter(engine("auto")).sample(chosen.view.perspective, number, chance)
    actual = dict(chosen.scene.world)
    return [world for world in drawn if any(actual[name] != world[name] for name in world)]


def compare(
    played: Game[Any, Any],
    mind: str,
    seed: int,
    choices: Sequence[Chosen],
    since: int,
    other: World,
) -> list[str]:
    """Return, in words, the choices that a new player makes differently with that deal.

    The first `since` choices were made before that deal; their hidden facts have all been shown.
    """
    name = choices[0].view.player
    anew = strategy(played, mind)(engine("sat"), Random(f"{seed}/{name}"))
    found = []
    for number, chosen in enumerate(choices, start=1):
        there = seen_there(chosen, other) if number > since else chosen.view.perspective
        where = f"{played.name}, seed {seed}, {name} ({mind}), decision {number}"
        if there.seen != chosen.view.perspective.seen:
            found.append(f"{where}: the other deal does not look the same")
            break
        move = anew.choose(replace(chosen.view, perspective=there))
        if move != chosen.move:
            found.append(f"{where}: chose {chosen.move!r}, with another deal {move!r}")
            break
    return found


def observe(found: Found, name: str, mind: str, seed: int, others: int) -> None:
    """Play a game, and compare the choices of all its players."""
    played = game(name)
    table = Table(played, played.setup(**SETUPS[name]), (mind,), seed, turns=_TURNS)
    watched = {}
    for player in table.setup.players:
        watched[player] = Observed(table.players[player], table)
        table.players[player] = watched[player]
    list(table)
    chance = Random(f"{name}/{mind}/{seed}/others")
    for observed in watched.values():
        choices = observed.choices
        looked_at: set[int] = set()
        for numbers in by_deal(choices):
            # Early decisions have more hidden facts, and later ones more memory.
            for last in sorted({numbers[-1], numbers[len(numbers) // 2]}):
                for other in other_deals(choices[last], others, chance):
                    for told in compare(played, mind, seed, choices[: last + 1], numbers[0], other):
                        found.fault(told)
                    looked_at.update(range(numbers[0], last + 1))
        found.done[f"{name}, {mind}"] += len(looked_at)


@click.command()
@click.option("--positions", type=click.IntRange(1), default=1000, help="The minimum number.")
@click.option("--others", type=click.IntRange(1), default=3, help="Other deals at a position.")
@click.option("--seed", type=int, default=0, help="The first game.")
@click.option("--only", "names", multiple=True, type=click.Choice(list(SETUPS)), help="That game.")
def peeking(positions: int, others: int, seed: int, names: tuple[str, ...]) -> Found:
    """Check that players make the same choices whatever is hidden from them.

    The check covers all minds of all games, with at least one game each.
    """
    found = Found()
    for number in count(seed):
        for name in names or SETUPS:
            for mind in game(name).strategies:
                observe(found, name, mind, number, others)
        if found.done.total() >= positions:
            return found
    raise AssertionError
