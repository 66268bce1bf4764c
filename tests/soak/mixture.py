"""Questions of all kinds, drawn by chance: ever new ones, about situations of several kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from symkripke.engines import Engine, counter
from symkripke.engines.base import CannotCount
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.language import (
    Atom,
    B,
    C,
    D,
    Formula,
    K,
    Kw,
    M,
    atleast,
    atmost,
    conjunction,
    disjunction,
    exactly,
    negation,
)
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
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.rules import Setup

Ask: TypeAlias = Callable[[Engine], object]
"""Asks an engine; the results of two engines can be compared."""


@dataclass(frozen=True)
class Situation:
    """Something to ask about.

    Attributes:
        name: what it is.
        scenes: its moments, each after some of the events.
        agents: who is there.
        atoms: the facts of which formulas are made.
    """

    name: str
    scenes: Sequence[Scene]
    agents: Sequence[str]
    atoms: Sequence[Atom]

    def fact(self, chance: Random, depth: int = 2) -> Formula:
        """A formula about facts, most often one that was never asked about before."""
        if not depth:
            atom = chance.choice(self.atoms)
            return atom if chance.random() < 0.5 else negation(atom)
        parts = [self.fact(chance, depth - 1) for _ in range(chance.randint(2, 3))]
        kind = chance.randrange(8)
        if kind < 3:
            return conjunction(parts)
        if kind < 6:
            return disjunction(parts)
        if kind == 6:
            return parts[0] >> parts[1]
        return chance.choice((atleast, atmost, exactly))(1, parts)


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
    first = table.scene.structure
    atoms = [
        atom
        for fluent in GAME.layout(table.setup, first).rows
        for atom in first.vocabulary.fluents[fluent].atoms
    ]
    return Situation(name, table.scenes[:: max(1, turns // 4)], table.setup.players, atoms)


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
    return Situation("coins", scenes, agents, atoms)


def _sees_all(observed: Sequence[Observable], atoms: Sequence[Atom]) -> bool:
    return {observable.atom for observable in observed} >= {*atoms}


# ---- questions ------------------------------------------------------------------------------

KINDS = {
    "facts": 40,
    "text": 16,
    "nested": 8,
    "belief": 10,
    "common": 2,
    "probability": 6,
    "worlds": 2,
    "marginals": 2,
    "joint": 1,
    "sample": 1,
    "valid": 2,
    "sheet": 6,
    "possible": 3,
    "possibilities": 2,
    "witness": 4,
    "why": 1,
}
"""Kinds of questions, with how many there are of each: about so many of a hundred."""

COUNTED = frozenset(("probability", "worlds", "marginals", "joint", "sample"))
"""Those that only an engine answers that counts."""


def drawn(chance: Random, situation: Situation, kinds: Sequence[str] = ()) -> tuple[str, Ask]:
    """A question and its kind: one of these, or of all."""
    chosen = kinds or tuple(KINDS)
    kind = chance.choices(chosen, [KINDS[name] for name in chosen])[0]
    return kind, _honest(_question(kind, chance, situation))


def _honest(ask: Ask) -> Ask:
    """What is asked; a clear refusal is an answer, too."""

    def asked(engine: Engine) -> object:
        try:
            return ask(engine)
        except (Unsupported, BudgetExceeded) as refused:
            return f"{type(refused).__name__}: {refused}"

    return asked


def _question(kind: str, chance: Random, situation: Situation) -> Ask:
    scene = chance.choice(situation.scenes)
    i, j = chance.sample(situation.agents, 2)
    view = scene.perspective(i)
    match kind:
        case "facts":
            fact = situation.fact(chance)
            formula = chance.choice((K(i, fact), M(i, fact), Kw(i, fact), D((i, j), fact)))
            return lambda engine: bool(engine.holds(scene, formula))
        case "text":
            text = str(K(i, situation.fact(chance)))
            return lambda engine: bool(engine.holds(scene, text))
        case "nested":
            fact = situation.fact(chance, 1)
            nested = chance.choice((K(i, M(j, fact)), M(i, K(j, fact)), K(i, Kw(j, fact))))
            return lambda engine: bool(engine.holds(scene, nested))
        case "belief":
            given = situation.fact(chance, 1)
            belief = B(i, situation.fact(chance, 1))
            if chance.random() < 0.5:
                belief = B(i, situation.fact(chance, 1), given)
            return lambda engine: bool(engine.holds(scene, belief))
        case "common":
            common = C((i, j), situation.fact(chance, 1))
            return lambda engine: bool(engine.holds(scene, common))
        case "probability":
            fact = situation.fact(chance)
            return lambda engine: counter(engine).probability(view, fact)
        case "worlds":
            over = chance.sample(sorted({atom.fluent for atom in situation.atoms}), 3)
            return lambda engine: counter(engine).worlds(view, over)
        case "marginals":
            those = chance.sample(situation.atoms, min(len(situation.atoms), 12))
            return lambda engine: dict(counter(engine).marginals(view, those))
        case "joint":
            some = chance.sample(situation.atoms, 3)
            return lambda engine: dict(counter(engine).distribution(view, some))
        case "sample":
            of = sorted({atom.fluent for atom in chance.sample(situation.atoms, 4)})
            seed = chance.randrange(1 << 32)
            return lambda engine: len(counter(engine).sample(view, 5, Random(seed), of))
        case "valid":
            law = situation.fact(chance)
            return lambda engine: bool(engine.valid(scene.structure, M(i, law)))
        case "sheet":
            atoms = chance.sample(situation.atoms, min(len(situation.atoms), 12))
            return lambda engine: tuple(engine.sheet(view, atoms).marks)
        case "possible":
            fact = K(j, situation.fact(chance, 1))
            return lambda engine: engine.possible_to(scene, fact, situation.agents)
        case "possibilities":
            few = chance.sample(situation.atoms, 4)
            return lambda engine: engine.possibilities(view, few)
        case "witness":
            fact = situation.fact(chance)
            return lambda engine: engine.witness(view, fact) is not None
    fact = situation.fact(chance, 1)

    def explained(engine: Engine) -> object:
        answer = engine.holds(scene, K(i, fact))
        return bool(answer), type(answer.why()).__name__

    return explained


def counts(engine: Engine) -> bool:
    """Whether the engine counts."""
    return not isinstance(engine, CannotCount)
