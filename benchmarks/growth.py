"""`growth`: encoding and question times as the number of cards grows."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import click
from msgspec.structs import replace

from benchmarks.cluedo import all_atoms, setup_of, stand, suggested
from benchmarks.common import Table, Tables, check, clocked, measurement, median, quiet
from benchmarks.reference import ReferenceSolver
from symkripke.engines import Engine, Mark, engine
from symkripke.language import K
from symkripke.model import Perspective, Scene
from symkripke_games.cluedo import GAME, knowledge
from symkripke_games.cluedo.editions import sized
from symkripke_games.cluedo.rules import Happening, Setup

PLAYERS = 6
_LAST = 10
"""The number of final events that are timed as updates."""


def size_of(cards: int) -> tuple[int, int, int]:
    """Return the numbers of suspects, weapons and rooms: 6, 6, 9 for 21 cards, otherwise thirds."""
    if cards == 21:
        return 6, 6, 9
    third = cards // 3
    return third, third, cards - 2 * third


def large_setup(cards: int) -> Setup:
    """Return the classic game with `cards` cards, possibly too many to finish a game."""
    real = setup_of("classic", PLAYERS)
    return replace(real, edition=sized(real.edition, size_of(cards), most=cards))


@dataclass(frozen=True)
class Game:
    """A game of random suggestions, half as many as there are cards."""

    cards: int
    setup: Setup
    scenes: list[Scene]
    events: list[Happening]
    player: str

    @property
    def perspective(self) -> Perspective:
        """A new object for the player's perspective at the end, which no engine has cached."""
        return self.scenes[-1].perspective(self.player)


def game_of(cards: int, seed: int) -> Game:
    """Return the game with `cards` cards."""
    setup = large_setup(cards)
    scenes, events = suggested(setup, seed, cards // 2)
    return Game(cards, setup, scenes, events, setup.players[1])


def verify(game: Game, asked: Engine, sample: int, seed: int) -> None:
    """Raise `WrongAnswer` unless a sample of answers (all atoms at 21 cards) is right.

    The reference solver decides: CaDiCaL over clauses for the real game, and Gluecard with native
    constraints for hand sizes beyond it.
    """
    real = game.cards <= 21
    perspective = game.perspective
    atoms = all_atoms(game.setup)
    if not real:
        atoms = Random(seed).sample(atoms, min(sample, len(atoms)))
    marks = asked.sheet(perspective, atoms).marks
    with ReferenceSolver(game.setup, game.events, large=not real) as reference:
        for atom, mark in zip(atoms, marks, strict=True):
            right = reference.mark(perspective, atom)
            where = f"{game.cards} cards, {game.player}, {atom}"
            check(mark is right, f"{where}: {mark}, expected {right}")
            check(
                bool(asked.holds(perspective, K(game.player, atom))) is (right is Mark.YES),
                f"{where}: K is wrong",
            )


WHAT = (
    "law, without events",
    "one player's solver",
    "K question, cold",
    "K question, warm",
    "an event",
    "a player's sheet",
    "sheet, an atom",
)


def measure(game: Game, sample: int, seed: int) -> list[float]:
    """Return the times in the order of `WHAT`, each with a separate engine."""
    structure, _ = clocked(lambda: GAME.structure(game.setup))
    atoms = all_atoms(game.setup)
    chosen = Random(seed).sample(atoms, min(sample, len(atoms)))
    formulas = [K(game.player, atom) for atom in chosen]

    single = engine("sat")
    perspective = game.perspective
    solver, _ = clocked(lambda: stand(single, perspective))

    def ask() -> None:
        for formula in formulas:
            single.holds(perspective, formula)

    with quiet():
        cold, _ = clocked(ask)
        warm, _ = clocked(ask)

    batch, perspective_of_batch = engine("sat"), game.perspective
    stand(batch, perspective_of_batch)
    with quiet():
        sheet, _ = clocked(lambda: batch.sheet(perspective_of_batch, atoms))

    updates = []
    moving = engine("sat")
    last = game.scenes[-_LAST - 1 :]
    events = game.events[-_LAST:]
    stand(moving, last[0].perspective(game.player))
    for (before, after), public in zip(pairwise(last), events, strict=True):
        secret = {name: value for name, value in after.world.items() if name not in before.world}

        def follow(
            at: Scene = last[0], public: Happening = public, secret: dict[str, str] = secret
        ) -> Scene:
            scene = at.update(knowledge.event(game.setup, public), secret)
            moving.holds(scene.perspective(game.player), formulas[0])
            return scene

        took, last[0] = clocked(follow)
        updates.append(took)
    asked = len(formulas)
    each = [cold / asked, warm / asked]
    return [structure, solver, *each, median(updates), sheet, sheet / len(atoms)]


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Return the slope b of the least-squares line log(value) = a + b log(size): 1 if linear."""
    logs = [(math.log(x), math.log(y)) for x, y in zip(sizes, values, strict=True)]
    if len({x for x, _ in logs}) < 2:
        return float("nan")
    return statistics.linear_regression(*zip(*logs, strict=True)).slope


@measurement("growth")
@click.option(
    "--cards",
    type=click.IntRange(12),
    multiple=True,
    default=(21, 60, 120, 300, 1000),
    help="A size; may be given several times.",
)
@click.option("--sample", type=click.IntRange(1), default=300, help="Atoms asked about.")
@click.option(
    "--checked", type=click.IntRange(1), default=30, help="Atoms checked beyond the real game."
)
@click.option("--rounds", type=click.IntRange(1), default=3, help="Games of each size.")
@click.option("--seed", default=7, help="The first seed of the games.")
def growth(cards: Sequence[int], sample: int, checked: int, rounds: int, seed: int) -> Tables:
    """How do encoding, questions, events and sheets grow from 21 to 1,000 cards?"""
    results = []
    for size in cards:
        games = [game_of(size, seed + number) for number in range(rounds)]
        verify(games[0], engine("sat"), checked, seed)
        runs = [measure(game, sample, seed) for game in games]
        results.append([median(times) for times in zip(*runs, strict=True)])
    rows: list[list[object]] = [
        [f"{size:,}", *times] for size, times in zip(cards, results, strict=True)
    ]
    fitted = [exponent(cards, times) for times in zip(*results, strict=True)]
    yield Table(
        f"Growth with the number of cards: classic rules, {PLAYERS} players, after cards/2 "
        f"random suggestions (CPU, medians of {rounds} games)",
        ["cards", *WHAT],
        [*rows, ["growth exponent", *(f"{slope:.2f}" for slope in fitted)]],
        "against clauses straight from the rules, all atoms of a player at 21 cards by CaDiCaL "
        "and sequential counters, a sample at the others by Gluecard",
        [
            "K question: each of a random sample of atoms; cold: first asked, the solver stands "
            "there; warm: asked again; an event: structure, scene and one question of one player",
            "a sheet has cards x 7 atoms: its exponent is one more than that of one atom",
            "growth exponent: least squares on logarithms; 1 is linear",
        ],
    )
