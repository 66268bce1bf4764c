"""Nested questions where cards move: whole games of Kwartet and Old Maid, facts at random."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from benchmarks.common import check, duration, median, show
from symkripke.engines import Budget, Engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.errors import BudgetExceeded
from symkripke.language import Formula, K, M
from symkripke.model import Scene
from symkripke.play import Table
from symkripke_games import kwartet, old_maid

GAMES: dict[str, Any] = {"kwartet": kwartet.GAME, "old_maid": old_maid.GAME}

# What is asked about; what the other words speak of is public.
_WORDS = {"kwartet": ("holds", "holds_group", "knows_place"), "old_maid": ("holds", "drawn")}

# What the explicit engine can list.
_SMALL: dict[str, dict[str, Any]] = {
    "kwartet": {"players": 3, "groups": 3},
    "old_maid": {"players": 3},
}

SHAPES = ("M K", "K K", "K M K")


def word(game: str, scene: Scene, chance: Random) -> Formula:
    """Some fact, or something that a player knows, in a word of the game."""
    vocabulary, name = scene.structure.vocabulary, chance.choice(_WORDS[game])
    definition = vocabulary.definitions.get(name)
    if definition is not None:
        return definition(*(chance.choice(allowed) for _, allowed in definition.parameters))
    atoms = [one for one in scene.structure.atoms if one.fluent.partition("(")[0] == name]
    if not atoms:  # nothing has been drawn yet
        atoms = [one for one in scene.structure.atoms if one.fluent.startswith(_WORDS[game][0])]
    return chance.choice(atoms)


def question(shape: str, about: Formula, agents: Sequence[str], chance: Random) -> Formula:
    """A question of that shape, about different agents chosen at random."""
    i, j, k = chance.sample(list(agents), 3)
    if shape == SHAPES[0]:
        return M(i, K(j, about))
    return K(i, K(j, about)) if shape == SHAPES[1] else K(i, M(j, K(k, about)))


def moments(game: str, setup: Any, seed: int, every: int) -> Iterator[Scene]:
    """The scenes of a game, after every so many events."""
    table: Table[Any, Any] = Table(GAMES[game], setup, (), seed, turns=1_000)
    for _ in table:
        pass
    yield from table.scenes[::every]


def asked(game: str, scene: Scene, number: int, seed: str) -> Iterator[tuple[str, Formula]]:
    """Questions of each shape, so many of each."""
    chance = Random(seed)
    for shape in SHAPES:
        for _ in range(number):
            about = word(game, scene, chance)
            yield shape, question(shape, about, scene.structure.agents, chance)


def verify(game: str, seeds: Sequence[int]) -> int:
    """The same questions on games of the study's size, against the explicit model."""
    checked = 0
    setup = GAMES[game].setup(rules="study", **_SMALL[game])
    for seed in seeds:
        engines: list[Engine] = [SatEngine(), ExplicitEngine()]
        for place, scene in enumerate(moments(game, setup, seed, 1)):
            for _, formula in asked(game, scene, 4, f"{seed}/{place}"):
                one, other = (bool(engine.holds(scene, formula)) for engine in engines)
                check(one == other, f"{game}, seed {seed}, event {place}: {formula}")
                checked += 1
    return checked


def measure(
    game: str, sizes: Sequence[int], seeds: int, every: int, checks: int, limit: float
) -> None:
    """Ask, and show how long it took. Each moment gets a fresh engine."""
    checked = verify(game, range(checks))
    rows: list[list[str]] = []
    notes = [f"checked: {checked} answers on games of the study's size, against explicit"]
    for number in sizes:
        found: dict[str, list[float]] = {shape: [] for shape in SHAPES}
        slow: list[tuple[float, str]] = []
        gave_up = lemmas = 0
        setup = GAMES[game].setup(players=number)
        for seed in range(1, seeds + 1):
            for place, scene in enumerate(moments(game, setup, seed, every)):
                engine = SatEngine()
                engine.evaluator.modal_solver(scene.structure)
                for shape, formula in asked(game, scene, 4, f"{seed}/{place}"):
                    start = time.process_time()
                    try:
                        engine.holds(scene, formula, Budget(seconds=limit))
                    except BudgetExceeded:
                        gave_up += 1
                    found[shape].append(time.process_time() - start)
                    slow.append(
                        (found[shape][-1], f"seed {seed}, event {place * every}: {formula}")
                    )
                lemmas += engine.evaluator.modal_solver(scene.structure).learned
        for shape, times in found.items():
            rows.append(
                [
                    str(number),
                    shape,
                    str(len(times)),
                    duration(median(times)),
                    duration(sorted(times)[len(times) * 19 // 20]),
                    duration(max(times)),
                ]
            )
        total = sum(map(len, found.values()))
        notes.append(
            f"{number} players: {lemmas / total:.1f} lemmas a question; {gave_up} not answered "
            f"within {limit:g} s; slowest: {max(slow)[1]}"
        )
    show(
        f"Nested questions where cards move: {game}, classic rules, CPU time",
        ["players", "question", "asked", "median", "95 of 100", "worst"],
        rows,
        notes,
    )
