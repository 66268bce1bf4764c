"""Games of Perudo: nobody rules out the true dice or believes anything impossible."""

from __future__ import annotations

from random import Random

import click

from symkripke.engines import Engine, Mark
from symkripke.language import TRUE, Atom, K
from symkripke.play import Table
from symkripke_games.perudo import GAME
from symkripke_games.perudo.bidding import kept, needed
from symkripke_games.perudo.knowledge import dice, shows
from symkripke_games.perudo.rules import Call, Happening, State
from symkripke_games.perudo.throws import Setup
from tests.soak.common import Found

PerudoTable = Table[Setup, Happening]


def look(found: Found, table: PerudoTable, player: str, asked: Engine) -> None:
    """Check the current knowledge and beliefs of a player."""
    assert isinstance(table.state, State)
    scene, left = table.scene, table.state.now.dice
    view = scene.perspective(player)
    where = f"game {table.seed}, event {len(table.steps)}, {player}"
    atoms = [atom for face in range(1, table.setup.faces + 1) for atom in dice(left, face)]
    atoms = [atom for atom in atoms if atom.fluent in scene.world]
    for atom, mark in asked.sheet(view, atoms):
        assert isinstance(atom, Atom)
        truth = scene.world[atom.fluent] == atom.value
        found.check(mark is not (Mark.NO if truth else Mark.YES), f"{where}: lost {atom}")
    believing = view.believing(asked.believed(view).kept)
    possible = asked.witness(believing, TRUE) is not None
    found.check(possible, f"{where}: believes the impossible")
    for other, number in left.items():
        least = sum(
            bool(asked.holds(believing, K(player, shows({other: number}, k, (face,)))))
            for face in range(1, table.setup.faces + 1)
            for k in range(1, number + 1)
        )
        told = f"{where}: believes that {other} has {least} of {number} dice"
        found.check(least <= number, told)
    found.done["looks at what a player knows and believes"] += 1


def check_beliefs(found: Found, table: PerudoTable) -> None:
    """Check the meanings of bids in a finished game; count calls and beliefs."""
    state = GAME.start(table.setup, table.deal)
    for step in table.steps:
        assert isinstance(state, State)
        public = step.outcome.public
        if isinstance(public, Call):
            assert public.verdict is not None
            found.done["calls"] += 1
            found.done["calls that were right"] += public.verdict.right
            believed = kept(state.said, state.now.dice, state.manner)
            for one in {one[:3]: one for one in believed}.values():
                so = state.manner.counted(public.dice[one.player], one.face) >= one.holds
                found.done["beliefs about bids"] += 1
                found.done["beliefs about bids that were true"] += so
            for player, number in state.now.dice.items():
                mine = [one for one in believed if one.player == player]
                few = needed(mine, state.manner) <= number
                found.check(few, f"game {table.seed}: {player} is believed to have too many dice")
        state = state.follow(step.outcome)


def play(found: Found, setup: Setup, seed: int, every: int) -> None:
    """Play a game with random minds, and check a player every `every` events."""
    chance = Random(f"{seed}/minds")
    minds = [chance.choice([*GAME.strategies]) for _ in setup.players]
    table: PerudoTable = Table(GAME, setup, minds, seed)
    while (step := table.step()) is not None:
        if step.number % every == seed % every:
            look(found, table, chance.choice(setup.players), table.engine)
    found.check(table.state.result is not None, f"game {seed} did not end")
    check_beliefs(found, table)
    found.done["games"] += 1


@click.command()
@click.option("--games", type=click.IntRange(1), default=2_000, help="The number of games.")
@click.option("--players", type=click.IntRange(2, 6), default=3, help="How many play.")
@click.option("--dice", "number", type=click.IntRange(1, 20), default=5, help="Dice each.")
@click.option(
    "--every", type=click.IntRange(1), default=7, help="The number of events between two looks."
)
@click.option("--seed", type=int, default=0, help="The seed of the first game.")
def perudo_invariants(games: int, players: int, number: int, every: int, seed: int) -> Found:
    """Play games with all kinds of minds, half of them classic and half study.

    By the sat engine, no player may know that the true dice are false, or believe that anybody
    holds more dice than they have.
    """
    found = Found()
    for place in range(games):
        rules = GAME.rules[place % len(GAME.rules)]
        setup = GAME.setup(rules=rules, players=players, dice=number)
        play(found, setup, seed + place, every)
    return found
