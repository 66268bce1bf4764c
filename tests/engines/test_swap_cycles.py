"""Exchanges told as clauses, and what follows from guesses: on small deals, against explicit."""

from __future__ import annotations

from itertools import islice, product
from random import Random
from typing import Any

import pytest
from pysat.solvers import Minicard

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.bits import mask_of
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.modal.normal_form import normalise
from symkripke.engines.sat.solver import Solver
from symkripke.engines.sat.swaps.cycles import Cycles, Statements
from symkripke.engines.sat.swaps.implicants import Implicants
from symkripke.engines.sat.swaps.law import Law
from symkripke.engines.sat.swaps.projection import Projections
from symkripke.engines.sat.tuning import Tuning
from symkripke.language import Atom, Formula, conjunction, disjunction, exactly, negation
from symkripke.language import formulas as f
from symkripke.language.walk import atoms
from symkripke.model import (
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Vocabulary,
    evaluate,
)
from symkripke.play.session.table import Table
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula, random_history
from tests.support.gems import HIDDEN, Deal
from tests.support.tables import KINDS

DEALS = (
    Deal((2, 2), 3, 1),
    Deal((2, 3), 2, 2),
    Deal((3, 2), 3, 1),
    Deal((2, 2, 2), 3, 2),
    Deal((2, 2, 2), 2, 3),
    Deal((2, 3), 4, 1),
)
DEEP = (*BOOLEAN, "K", "M", "Kw", "E", "D", "C")


def question(deal: Deal, depth: int, chance: Random) -> Formula:
    """About where cards are, and who knows that; or which is hidden."""
    places = [*deal.agents, HIDDEN]
    if depth == 0:
        atoms = [
            deal.at(chance.choice(deal.cards), chance.choice(places))
            for _ in range(chance.choice((1, 1, 2, 3)))
        ]
        parts = [one if chance.random() < 0.5 else negation(one) for one in atoms]
        return chance.choice((disjunction, conjunction))(parts)
    agent = chance.choice(deal.agents)
    if depth == 1 and chance.random() < 0.3:
        return disjunction(f.K(agent, deal.at(card, HIDDEN)) for card in deal.cards)
    inner = question(deal, depth - 1, chance)
    if chance.random() < 0.3:
        inner = negation(inner)
    if chance.random() < 0.2:
        inner = disjunction([inner, question(deal, chance.randrange(depth), chance)])
    pair = tuple(chance.sample(deal.agents, 2))
    return chance.choice(
        (
            f.K(agent, inner),
            f.M(agent, inner),
            f.Kw(agent, inner),
            f.E(pair, inner),
            f.D(pair, inner),
            f.C(pair, inner),
        )
    )


@pytest.mark.parametrize("number", range(len(DEALS)))
def test_small_deals_by_the_definition(number: int) -> None:
    """Cyclic swaps are stated at the second candidate, so they matter at this size, too."""
    deal = DEALS[number]
    for seed in range(3):
        chance = Random(f"{seed}/{number}")
        sat = SatEngine(tuning=Tuning(candidates_before_swaps=1))
        scene, explicit = deal.scene(chance), ExplicitEngine()
        if deal.up and chance.random() < 0.7:
            scene = scene.update(deal.table_seen(scene))
        told = deal.questions(scene, chance)
        for _ in range(4):
            hint = chance.random() < 0.25
            scene = scene.update(deal.hint(scene, chance) if hint else next(told))
            for _ in range(5):
                asked = question(deal, chance.choice((2, 2, 3)), chance)
                expected = bool(explicit.holds(scene, asked))
                assert bool(sat.holds(scene, asked)) is expected, f"{number} {seed} {asked}"
                everywhere = bool(explicit.valid(scene.structure, asked))
                assert bool(sat.valid(scene.structure, asked)) is everywhere, f"{number} {seed}"


def dealt(hands: dict[str, int], cards: int) -> tuple[KnowledgeStructure, list[Fluent]]:
    """So many cards; each agent sees its own."""
    fluents = [Fluent(f"at(c{number})", tuple(hands)) for number in range(cards)]
    law = [
        Constraint(exactly(size, [one.equals(place) for one in fluents]), place)
        for place, size in hands.items()
    ]
    agents = tuple(place for place in hands if place != HIDDEN)
    seen = {agent: [Observable(_atom(one, agent), "own") for one in fluents] for agent in agents}
    return KnowledgeStructure.of(Vocabulary.of(fluents, agents), law, seen), fluents


def _atom(fluent: Fluent, value: str) -> Atom:
    atom = fluent.equals(value)
    assert isinstance(atom, Atom)
    return atom


def test_a_card_does_not_leave_a_hand_for_the_same_hand() -> None:
    """Cath holds all cards that Ann does not, so Ann knows of each of them that Cath holds it."""
    structure, fluents = dealt({"ann": 1, "cath": 3}, 4)
    world: dict[str, str] = {one.name: "cath" for one in fluents}
    world[fluents[0].name] = "ann"
    scene, sat = Scene.of(structure, world), SatEngine()
    held = fluents[1].equals("cath")
    assert sat.holds(scene, f.K("cath", f.K("ann", held)))
    assert sat.valid(structure, disjunction((f.K("ann", held), f.K("ann", negation(held)))))


PLACES = ("ann", "bob", "cath", HIDDEN)


def told(structure: KnowledgeStructure, world: dict[str, str], cards: int, chance: Random) -> Event:
    """An event of a card game that is true at a world: passes, shown cards, looks, hints.

    A card that is shown is added to the world.
    """

    def at(card: int, place: str) -> Atom:
        return Atom(f"at(c{card})", place)

    some = chance.sample(range(cards), 3)
    kind = chance.choice(("pass", "show", "show", "look", "either", "not both", "count", "mixed"))
    place = chance.choice(PLACES)
    if kind == "pass":
        said = conjunction(negation(at(card, place)) for card in some)
    elif kind == "show":
        shower, asker = chance.sample(PLACES[:3], 2)
        held = [card for card in some if world[f"at(c{card})"] == shower]
        if held:
            name = f"shown({len(structure.stages)})"
            fluent = Fluent(name, tuple(f"c{card}" for card in some))
            world[name] = f"c{chance.choice(held)}"
            atoms = {card: _atom(fluent, f"c{card}") for card in some}
            law = [f.Implies(atom, at(card, shower)) for card, atom in atoms.items()]
            seen = tuple(Observable(atom, "seen") for atom in atoms.values())
            return Event(
                "show",
                tuple(Constraint(one, "show") for one in law),
                (fluent,),
                {shower: seen, asker: seen},
            )
        said = conjunction(negation(at(card, shower)) for card in some)
    elif kind == "look":
        looks = tuple(Observable(at(some[0], one), "look") for one in PLACES)
        return Event("look", (), (), {chance.choice(PLACES[:3]): looks})
    elif kind == "either":
        said = disjunction(at(card, place) for card in some)
    elif kind == "not both":
        said = disjunction(negation(at(card, place)) for card in some[:2])
    elif kind == "count":
        said = exactly(sum(world[f"at(c{c})"] == place for c in some), [at(c, place) for c in some])
    else:
        parts = [at(card, chance.choice(PLACES)) for card in some]
        said = disjunction(part if chance.random() < 0.5 else negation(part) for part in parts)
    return Event(kind, (Constraint(said, kind),) if evaluate(said, world) else ())


def worlds_of(structure: KnowledgeStructure) -> list[dict[str, str]]:
    """All worlds, by going through all values of all fluents."""
    fluents = structure.vocabulary.fluents
    law = [constraint.formula for stage in structure.stages for constraint in stage.law.added]
    found: list[dict[str, str]] = [{}]
    for name, fluent in fluents.items():
        known = {*found[0], name} if found else set()
        ready = [one for one in law if {atom.fluent for atom in atoms(one)} <= known]
        law = [one for one in law if one not in ready]
        found = [
            world
            for start in found
            for value in fluent.values
            if (world := {**start, name: value}) and all(evaluate(one, world) for one in ready)
        ]
    return found


@pytest.mark.parametrize("seed", range(16))
def test_no_clause_excludes_what_is_known(seed: int) -> None:
    """At every world, and after every event. And few other guesses are left."""
    chance = Random(f"{seed}/cycles")
    hands = ({"ann": 2, "bob": 2, "cath": 1, HIDDEN: 1}, {"ann": 2, "bob": 1, "cath": 2, HIDDEN: 1})
    structure, fluents = dealt(chance.choice(hands), 6)
    first = chance.choice(worlds_of(structure))
    encoding, solver = Encoding(), Minicard()
    state = Law(encoding, Implicants(encoding, {}))
    statements = Statements(encoding.fresh)
    cycles: dict[tuple[str, bool], Cycles] = {}
    stages = 0
    asked: list[Formula] = []
    known_of: dict[object, int] = {}
    false = excluded = 0
    for _ in range(5):
        state.open(structure)
        for stage in structure.stages[stages:]:
            for constraint in encoding.stage(stage):
                state.add(constraint.formula)
        stages = len(structure.stages)
        projections, worlds = Projections.stated(state), worlds_of(structure)
        observed = {
            agent: [one.atom for one in structure.observables[agent]] for agent in PLACES[:3]
        }
        asked += [
            disjunction(
                one if chance.random() < 0.5 else negation(one)
                for one in (Atom(chance.choice(fluents).name, chance.choice(PLACES)) for _ in "12")
            )
            if chance.random() < 0.4
            else Atom(chance.choice(fluents).name, chance.choice(PLACES))
            for _ in range(3)
        ]
        places = state.bits(one.name for one in fluents)
        for agent, whole in product(PLACES[:3], (False, True)):
            fixed = mask_of(encoding.observed(structure, (agent,)))
            law = state if whole else projections.of(fixed | places)
            if (agent, whole) not in cycles:
                cycles[agent, whole] = Cycles(statements, law, fixed)
            swaps = cycles[agent, whole]
            swaps.move(law, fixed)
            for fact in asked:
                known = known_of.setdefault((agent, whole, fact), 0) or encoding.fresh()
                known_of[agent, whole, fact] = known
                swaps.state(known, fact)
                views: dict[tuple[bool, ...], list[dict[str, str]]] = {}
                for world in worlds:
                    looks = [world[a.fluent] == a.value for a in observed[agent]]
                    views.setdefault(tuple(looks), []).append(world)
                for alike in views.values():
                    is_known = all(evaluate(fact, world) for world in alike)
                    for world in alike:
                        there = [
                            encoding.atom(atom) * (1 if world[atom.fluent] == atom.value else -1)
                            for fluent in structure.vocabulary.fluents.values()
                            for atom in fluent.atoms
                        ]
                        switch = swaps.switch
                        solver.append_formula(statements.clauses)
                        statements.clauses.clear()
                        possible = solver.solve([known, switch, *there])
                        assert solver.solve([known, -statements.used, *there])
                        assert possible or not is_known, f"{seed}: {agent}, {fact} at {world}"
                        false += not is_known and evaluate(fact, world)
                        excluded += not possible and evaluate(fact, world)
        structure = structure.update(told(structure, first, 6, chance))
    assert excluded > 0.4 * false, f"{excluded} of {false}"


def test_common_knowledge_in_a_game_of_seven_takes_few_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sleuth: from case to case there was no answer in ten seconds."""
    kind = KINDS["sleuth"]
    table = Table(kind.game, kind.game.setup(players=7), (kind.mind,), 2)
    for _ in islice(table, 20):
        pass
    scene, asked = table.scenes[20], "K[cath] K[ann] ~C[fay, gus] Kv[eve] hidden_gem"
    calls, run = [], Solver._run

    def counted(self: Solver, *arguments: Any, **options: Any) -> Any:
        calls.append(self)
        return run(self, *arguments, **options)

    monkeypatch.setattr(Solver, "_run", counted)
    assert bool(SatEngine().holds(scene, asked)) is True
    assert len(calls) < 500


def test_introspection_is_taken_out_of_knowledge_and_changes_nothing() -> None:
    explicit = ExplicitEngine()
    shorter = 0
    for seed in range(60):
        choices = Seeded(seed)
        scene = random_history(choices, most_events=1)
        names = Names.of(scene.structure)
        for _ in range(6):
            inner = random_formula(choices, names, 3, DEEP)
            group = tuple(names.agents[: choices.integer(1, 3)])
            for asked in (f.K(names.agents[0], inner), f.D(group, inner), f.C(group, inner)):
                resolved = scene.structure.resolve(asked)
                plain = normalise(resolved, scene.structure)
                shorter += not isinstance(plain, f.K | f.D | f.C)
                same = explicit.valid(scene.structure, f.Iff(asked, plain))
                assert same, f"{seed}: {asked} is not {plain}"
    assert shorter > 100
