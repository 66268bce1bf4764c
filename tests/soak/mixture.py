"""Questions of all kinds, drawn by chance: ever new ones, about situations of several kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from symkripke.engines import Budget, Engine
from symkripke.errors import SymkripkeError
from symkripke.language import Atom, K, Kw, M, atleast, conjunction, disjunction
from symkripke.model import (
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Soft,
    Vocabulary,
    announcement,
)
from symkripke.play import Table
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.rules import Setup
from tests.soak.questions import about, others


@dataclass(frozen=True)
class Situation:
    """Something to ask about.

    Attributes:
        name: what it is.
        scenes: its moments, each after some of the events.
        names: what formulas are about.
    """

    name: str
    scenes: Sequence[Scene]
    names: Names


def study(seed: int) -> Situation:
    """A small game of Cluedo."""
    return _cluedo("study Cluedo", GAME.setup(rules="study", players=3), seed, 12)


def classic(seed: int) -> Situation:
    """A game of Cluedo at full size."""
    return _cluedo("classic Cluedo", GAME.setup(rules="classic", players=6), seed, 8)


def _cluedo(name: str, setup: Setup, seed: int, turns: int) -> Situation:
    table = Table(GAME, setup, ("random",), seed, turns=turns)
    for _ in table:
        pass
    fluents = GAME.layout(table.setup, table.scene.structure).rows
    first = table.scene.structure.vocabulary.fluents
    names = Names(tuple(first[name] for name in fluents), table.setup.players)
    return Situation(name, table.scenes[:: max(1, turns // 4)], names)


def coins(seed: int) -> Situation:
    """Coins that some see, what they suppose of the others, and what was said of them."""
    chance = Random(f"coins {seed}")
    agents, names = ("ann", "bob", "cath"), [f"coin{number}" for number in range(8)]
    atoms = [Atom(name) for name in names]
    observed = {
        agent: [Observable(atom, "sees it") for atom in chance.sample(atoms, 3)] for agent in agents
    }
    soft = [Soft(chance.choice((atom, ~atom)), chance.randint(1, 3), "usually") for atom in atoms]
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent(name) for name in names], agents),
        [Constraint(atleast(2, atoms), "two lie heads up")],
        observed,
        soft,
    )
    heads = set(chance.sample(names, 4))
    world = {name: "true" if name in heads else "false" for name in names}
    scenes = [Scene.of(structure, world)]
    for _ in range(3):
        true = [atom if atom.fluent in heads else ~atom for atom in chance.sample(atoms, 2)]
        scenes.append(scenes[-1].update(announcement(disjunction(true), "somebody says so")))
    new = Fluent("said")
    ignorant = next(agent for agent in agents if not _sees_all(observed[agent], atoms))
    told = Constraint(~K(ignorant, conjunction(atoms)), "it is not known that all are heads")
    event = Event("told", (told,), (new,))
    scenes.append(scenes[-1].update(event, {"said": "true"}, judge=lambda *_: True))
    return Situation("coins", scenes, Names(tuple(map(Fluent, names)), agents))


def _sees_all(observed: Sequence[Observable], atoms: Sequence[Atom]) -> bool:
    return {observable.atom for observable in observed} >= {*atoms}


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
"""Kinds of questions, with how many there are of each: about so many of a hundred."""

_SIMPLE = (*BOOLEAN, "K", "M", "Kw", "D")
_OPERATORS = (*[_SIMPLE] * 7, (*_SIMPLE, "B"), (*_SIMPLE, "C"))

# What diagrams of the full game, and quantified formulas about it, need seconds for.
_LONG = ("why", "possible_to")


def drawn(
    chance: Random, situation: Situation, *, simple: bool = False
) -> tuple[str, Callable[[Engine], object]]:
    """A question and its kind.

    With `simple`, knowledge is not nested, and nothing is asked that takes long. The results of two
    engines can be compared; a clear refusal is a result, too.
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
