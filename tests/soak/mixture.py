"""Random questions of all kinds, always new, about situations of several kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from symkripke.engines import Budget, Engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import SymkripkeError
from symkripke.language import K, Kw, M
from symkripke.model import Scene
from symkripke.play import Table
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula, random_history
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.rules import Setup
from tests.soak.questions import about, others


@dataclass(frozen=True)
class Situation:
    """A situation to ask about.

    Attributes:
        name: the name of the situation.
        scenes: its moments, each after some of the events.
        names: the names that formulas use.
    """

    name: str
    scenes: Sequence[Scene]
    names: Names


def study(seed: int) -> Situation:
    """Return a small game of Cluedo."""
    return _cluedo("study Cluedo", GAME.setup(rules="study", players=3), seed, 12)


def classic(seed: int) -> Situation:
    """Return a game of Cluedo at full size."""
    return _cluedo("classic Cluedo", GAME.setup(rules="classic", players=6), seed, 8)


def _cluedo(name: str, setup: Setup, seed: int, turns: int) -> Situation:
    table = Table(GAME, setup, ("random",), seed, turns=turns)
    list(table)
    fluents = GAME.layout(table.setup, table.scene.structure).rows
    first = table.scene.structure.vocabulary.fluents
    names = Names(tuple(first[name] for name in fluents), table.setup.players)
    return Situation(name, table.scenes[:: max(1, turns // 4)], names)


def story(seed: int) -> Situation:
    """Return a random story with observations, soft constraints and announcements of knowledge."""
    asked = ExplicitEngine()
    scene = random_history(
        Seeded(seed), 5, 8, lambda at, said: bool(asked.holds(at, said)), beliefs=True
    )
    return Situation("story", [scene], Names.of(scene.structure))


# ---- questions ------------------------------------------------------------------------------

KINDS = {
    "holds": 70,
    "why": 2,
    "probability": 6,
    "worlds over some": 2,
    "marginals": 2,
    "distribution": 1,
    "sample over some": 1,
    "valid": 2,
    "sheet": 6,
    "possible_to": 3,
    "possibilities": 2,
    "witness": 4,
}
"""The kinds of questions, with their frequencies out of about a hundred."""

_SIMPLE = (*BOOLEAN, "K", "M", "Kw", "D")
_OPERATORS = (*[_SIMPLE] * 7, (*_SIMPLE, "B"), (*_SIMPLE, "C"))

# Kinds that take seconds for diagrams of the full game, and for quantified formulas about it.
_LONG = ("why", "possible_to")


def drawn(
    chance: Random, situation: Situation, *, simple: bool = False
) -> tuple[str, Callable[[Engine], object]]:
    """Return the kind of a random question, and a function that asks it.

    With `simple`, knowledge is not nested, and no question takes long. Results of two engines can
    be compared; a clear refusal is a result, too.
    """
    kinds = [kind for kind in KINDS if not (simple and kind in _LONG)]
    kind = chance.choices(kinds, [KINDS[name] for name in kinds])[0]
    scene, agent = chance.choice(situation.scenes), chance.choice(situation.names.agents)
    choices, view = Seeded(chance.randrange(2**32)), scene.perspective(agent)
    if simple:
        formula = random_formula(choices, situation.names, 3, BOOLEAN)
        if kind != "witness":
            formula = chance.choice((K, M, Kw))(agent, formula)
    else:
        operators = BOOLEAN if kind == "witness" else chance.choice(_OPERATORS)
        formula = random_formula(choices, situation.names, 3, operators)
    ask = dict([*about(scene, view, formula), *others(view, chance, 5)])[kind]

    def asked(engine: Engine) -> object:
        try:
            found: Any = ask(engine, Budget())
        except SymkripkeError as refused:
            return f"{type(refused).__name__}: {refused}"
        match kind:
            case "holds" | "valid":
                return bool(found)
            case "why":
                return type(found).__name__
            case "witness":
                return found is not None
            case "sheet":
                return tuple(found.marks)
            case "sample over some":
                return len(found)
        return found

    return kind, asked
