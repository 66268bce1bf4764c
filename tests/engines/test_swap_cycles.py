"""Exchanges told as clauses, and what follows from guesses: on small deals, against explicit."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.gems import HIDDEN, Deal
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.modal import axioms
from symkripke.engines.sat.modal.normal_form import normalise
from symkripke.engines.sat.swaps.cycles import Cycles
from symkripke.engines.sat.swaps.implicants import Implicants
from symkripke.engines.sat.swaps.law import Law
from symkripke.language import Atom, Formula, conjunction, disjunction, exactly, negation
from symkripke.language import formulas as f
from symkripke.model import Constraint, Fluent, KnowledgeStructure, Observable, Scene, Vocabulary
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula, random_history

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
def test_small_deals_by_the_definition(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exchanges are told at the first refutation: so there are many, at any size."""
    monkeypatch.setattr(axioms, "_OFTEN", 1)
    deal = DEALS[number]
    for seed in range(3):
        chance = Random(f"{seed}/{number}")
        scene, explicit, sat = deal.scene(chance), ExplicitEngine(), SatEngine()
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


def paths_of(structure: KnowledgeStructure) -> Cycles:
    encoding = Encoding()
    law = Law(encoding, Implicants(encoding, {}))
    law.open(structure)
    for stage in structure.history:
        for constraint in encoding.stage(stage):
            law.add(constraint.formula)
    return Cycles(law)


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
    world = {one.name: "cath" for one in fluents} | {fluents[0].name: "ann"}
    scene, sat = Scene.of(structure, world), SatEngine()
    held = fluents[1].equals("cath")
    assert sat.holds(scene, f.K("cath", f.K("ann", held)))
    assert sat.valid(structure, disjunction((f.K("ann", held), f.K("ann", negation(held)))))


def test_the_law_says_the_same_of_cards_that_are_counted_alike() -> None:
    structure, fluents = dealt({"ann": 2, "cath": 2, HIDDEN: 1}, 5)
    told = exactly(1, [fluents[0].equals("cath"), fluents[1].equals("cath")])
    cycles = paths_of(structure.announce(told))
    law = cycles.law

    def kind(card: int, place: int) -> int:
        return cycles.kinds[law.fluents[fluents[card].name][place]]

    assert kind(0, 1) == kind(1, 1) != kind(2, 1) == kind(3, 1)
    assert kind(0, 0) == kind(1, 0) == kind(2, 0)


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
