"""Lemmas of one case are used in all cases that are like it: answers stay right, and come soon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product

import pytest

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.modal import symmetry
from symkripke.engines.sat.modal.abstraction import Abstraction
from symkripke.engines.sat.modal.normal_form import normalise
from symkripke.engines.sat.modal.proxy import Proxy
from symkripke.engines.sat.modal.symmetry import Symmetries
from symkripke.engines.sat.solver import Solver
from symkripke.engines.sat.swaps.lemma import Lemma
from symkripke.engines.sat.tuning import Tuning
from symkripke.language import Atom, Formula, K, conjunction, disjunction, exactly, negation
from symkripke.language.formulas import C, D
from symkripke.model import (
    Constraint,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Vocabulary,
    announcement,
)
from symkripke.play import Table
from symkripke.testing.random_models import Seeded, some
from symkripke_games.sleuth import GAME as SLEUTH
from tests.support.tables import KINDS

AGENTS = ("a", "b", "c")
PLACES = (*AGENTS, "hidden")


def dealt(hands: Sequence[int]) -> tuple[KnowledgeStructure, dict[str, str]]:
    """So many cards with each agent, the last ones hidden; each agent sees its own; and a deal."""
    cards = [f"card{number}" for number in range(sum(hands))]
    law = [
        Constraint(exactly(number, [Atom(card, place) for card in cards]), f"{number} at {place}")
        for place, number in zip(PLACES, hands, strict=True)
    ]
    sees = {agent: [Observable(Atom(card, agent), "own") for card in cards] for agent in AGENTS}
    vocabulary = Vocabulary.of([Fluent(card, PLACES) for card in cards], AGENTS)
    places = [place for place, number in zip(PLACES, hands, strict=True) for _ in range(number)]
    structure = KnowledgeStructure.of(vocabulary, law, sees)
    return structure, dict(zip(cards, places, strict=True))


def knows_hidden(agent: str, cards: Sequence[str]) -> Formula:
    """Whether the agent knows one of the hidden cards."""
    return disjunction(K(agent, Atom(card, "hidden")) for card in cards)


def question(choices: Seeded, cards: Sequence[str], depth: int) -> Formula:
    """A random question; many say the same of all cards, or of most of them."""
    if depth == 0:
        chosen = some(choices, cards, 1, 3)
        place = PLACES[choices.integer(0, 3)]
        atoms = [Atom(card, place) for card in (cards if choices.integer(0, 1) else chosen)]
        return (disjunction(atoms), conjunction(map(negation, atoms)), exactly(1, atoms))[
            choices.integer(0, 2)
        ]
    inner = question(choices, cards, depth - 1)
    agent, other = AGENTS[choices.integer(0, 2)], AGENTS[choices.integer(0, 2)]
    found = (
        K(agent, knows_hidden(other, cards)),
        K(agent, negation(knows_hidden(other, some(choices, cards, 4, 6)))),
        K(agent, inner) | negation(K(other, inner)),
        D(tuple({agent, other}), inner),
        C(tuple({agent, other}), inner) | knows_hidden(other, cards),
    )[choices.integer(0, 4)]
    return negation(found) if choices.integer(0, 1) else found


@pytest.mark.parametrize("seed", range(30))
def test_answers_are_those_of_the_definitions(seed: int) -> None:
    """In structures with kinds of cards of which the law says the same."""
    choices = Seeded(seed)
    structure, world = dealt((2, 2, 1, 1) if seed % 2 else (2, 1, 1, 2))
    cards = list(world)
    scene = Scene.of(structure, world)
    for _ in range(choices.integer(0, 3)):
        group = some(choices, cards, 2, 5)
        place = PLACES[choices.integer(0, 3)]
        number = sum(world[card] == place for card in group)
        scene = scene.update(announcement(exactly(number, [Atom(card, place) for card in group])))
    sat, explicit = SatEngine(tuning=Tuning(lemmas_before_images=1)), ExplicitEngine()
    for _ in range(12):
        asked = question(choices, cards, 1 + choices.integer(0, 2))
        assert bool(sat.holds(scene, asked)) == bool(explicit.holds(scene, asked)), asked
        expected = bool(explicit.valid(scene.structure, asked))
        assert bool(sat.valid(scene.structure, asked)) == expected, asked


@pytest.mark.parametrize("seed", range(100, 112))
def test_images_are_withdrawn_when_something_happens(
    seed: int,
) -> None:
    """The same questions after each event, to one engine: an event may tell cards apart."""
    choices = Seeded(seed)
    structure, world = dealt((2, 2, 1, 1) if seed % 2 else (1, 2, 1, 2))
    cards, scene = list(world), Scene.of(structure, world)
    questions = [question(choices, cards, 2 + choices.integer(0, 1)) for _ in range(6)]
    sat, explicit = SatEngine(tuning=Tuning(lemmas_before_images=1)), ExplicitEngine()
    for _ in range(4):
        for asked in questions:
            assert bool(sat.holds(scene, asked)) == bool(explicit.holds(scene, asked)), asked
            expected = bool(explicit.valid(scene.structure, asked))
            assert bool(sat.valid(scene.structure, asked)) == expected, asked
        group = some(choices, cards, 1, 4)
        place = PLACES[choices.integer(0, 3)]
        number = sum(world[card] == place for card in group)
        scene = scene.update(announcement(exactly(number, [Atom(card, place) for card in group])))


@dataclass
class Counts:
    """How many images were wanted and found, and how often a solver was called.

    `stated`: how many patterns were stated with all their images; `refuted`: those of lemmas from
    counter-worlds among them.
    """

    wanted: int = 0
    found: int = 0
    calls: int = 0
    stated: int = 0
    refuted: int = 0


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    """What is counted from now on."""
    counted = Counts()
    image, run, at_least = Symmetries.image, Solver._run, Abstraction.at_least
    refute = Symmetries.refute_images

    def wanted(symmetries: Symmetries, proxy: Proxy, world: int) -> Lemma | None:
        lemma = image(symmetries, proxy, world)
        counted.wanted += 1
        counted.found += lemma is not None
        assert lemma is None or lemma.applies(world)
        return lemma

    def called(solver: Solver, assumptions: Sequence[int], conflicts: int) -> bool | None:
        counted.calls += 1
        return run(solver, assumptions, conflicts)

    def counted_once(abstraction: Abstraction, literals: frozenset[int], number: int) -> int:
        counted.stated += 1
        return at_least(abstraction, literals, number)

    def refuted(symmetries: Symmetries, proxy: Proxy, unless: Sequence[int]) -> None:
        before = counted.stated
        refute(symmetries, proxy, unless)
        counted.refuted += counted.stated > before

    monkeypatch.setattr(Symmetries, "image", wanted)
    monkeypatch.setattr(Symmetries, "refute_images", refuted)
    monkeypatch.setattr(Solver, "_run", called)
    monkeypatch.setattr(Abstraction, "at_least", counted_once)
    return counted


def test_images_are_found_in_small_structures(
    counts: Counts,
) -> None:
    """So that the answers above rest on them."""
    for seed in range(12):
        test_answers_are_those_of_the_definitions(seed)
    assert counts.found > 15
    assert counts.stated > 10
    assert counts.refuted > 5


def test_counter_worlds_have_images_too(counts: Counts) -> None:
    """Sleuth: without images, 300 lemmas from counter-worlds and 7,000 calls."""
    table = Table(SLEUTH, SLEUTH.setup(players=5), (KINDS["sleuth"].mind,), 1)
    for _ in islice(table, 8):
        pass
    scene = table.scenes[6]
    counts.calls = 0
    asked = "Kw[dan] M[cath] M[dan] K[cath] ~(location(rps) = bob | location(bps) = hidden)"
    assert bool(SatEngine().holds(scene, scene.structure.parse(asked))) is True
    assert counts.refuted > 0
    assert counts.calls < 3_000


def test_all_images_of_a_pattern_are_stated_at_once(counts: Counts) -> None:
    """Sleuth: of 14,000 images, one by one, there was no end in ten seconds."""
    table = Table(SLEUTH, SLEUTH.setup(players=4), (KINDS["sleuth"].mind,), 2)
    for _ in islice(table, 5):
        pass
    scene = table.scenes[3]
    asked = scene.structure.parse("Kw[ann] ~Kw[dan] M[ann] Kv[cath] hidden_gem")
    assert bool(SatEngine().holds(scene, asked)) is True
    assert 0 < counts.stated < 100
    assert counts.calls < 2_000


@pytest.mark.parametrize(
    ("conditions", "exclude"),
    [
        ([[(0, True)]], True),
        ([[(0, True)], [(1, True)]], True),
        ([[(0, True)], [(0, False)]], True),
        ([[(0, True)], [(1, False)]], False),
        ([[(0, False)], [(1, False)]], False),
        ([[(0, True)], [(1, True)], [(1, False)]], False),
        ([[(0, False), (1, False)]], True),
        ([[(0, True)], [(0, False), (1, False)]], True),
        ([[(0, False), (1, False)], [(2, True)]], False),
        ([[(0, False), (1, False)], [(0, False), (2, False)]], False),
    ],
)
def test_which_conditions_a_card_cannot_meet_together(
    conditions: list[list[tuple[int, bool]]], exclude: bool
) -> None:
    """Only then the cards that meet each of them can be counted apart."""
    assert symmetry._exclude_each_other(list(map(frozenset, conditions))) is exclude


def test_conditions_that_a_card_meets_together_are_found_by_listing() -> None:
    """Two conditions exclude each other iff no value meets both."""
    values = [
        frozenset((place, place == value) for place in range(3))
        for value in range(3)  # what is so of the three variables of a fluent
    ]
    parts = [(place, truth) for place in range(3) for truth in (True, False)]
    single = [frozenset((part,)) for part in parts]
    pairs = [one | other for one, other in combinations(single, 2)]
    possible = [some for some in (*single, *pairs) if any(some <= value for value in values)]
    for one, other in combinations(possible, 2):
        exclude = not any(one | other <= value for value in values)
        # A condition may imply another one by a value that is left: that is not looked for.
        assert exclude or not symmetry._exclude_each_other([one, other])


def test_a_literal_for_all_of_some() -> None:
    """It is true where all are true, and may be true or false elsewhere."""
    encoding = Encoding()
    abstraction = Abstraction(encoding)
    literals = [encoding.fresh(), -encoding.fresh()]
    every = abstraction.all_of(literals)
    assert abstraction.all_of(reversed(literals)) == every
    assert abstraction.all_of(literals[:1]) == literals[0]
    for signs in product((1, -1), repeat=2):
        here = [sign * literal for sign, literal in zip(signs, literals, strict=True)]
        assert abstraction.refuted([*here, -every]) is (signs == (1, 1))
        assert not abstraction.refuted([*here, every])


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_literal_for_at_least_so_many(number: int) -> None:
    """It is true where so many are true, and may be true or false elsewhere."""
    encoding = Encoding()
    abstraction = Abstraction(encoding)
    literals = [encoding.fresh(), -encoding.fresh(), encoding.fresh()]
    many = abstraction.at_least(frozenset(literals), number)
    assert abstraction.at_least(frozenset(literals), number) == many
    for signs in product((1, -1), repeat=3):
        here = [sign * literal for sign, literal in zip(signs, literals, strict=True)]
        assert abstraction.refuted([*here, -many]) is (signs.count(1) >= number)
        assert not abstraction.refuted([*here, many])


@pytest.mark.parametrize(
    ("operand", "kinds"),
    [
        ("K[c] card0 = hidden | K[c] card1 = hidden", [{"card0", "card1"}, {"card2", "card3"}]),
        ("atleast(1; card0 = a, card1 = a, card2 = a)", [{"card0", "card1"}]),
        ("K[b] (card0 = a -> card1 = a)", [{"card2", "card3"}]),
        ("card0 = a & card2 = b", []),
        ("B[a] card0 = a", []),
    ],
)
def test_which_cards_are_alike(operand: str, kinds: list[set[str]]) -> None:
    """The law tells apart cards that an announcement names; the operand those that it names."""
    structure, world = dealt((1, 1, 1, 1))
    told = exactly(1, [Atom("card0", "a"), Atom("card1", "a")])
    scene = Scene.of(structure, world).update(announcement(told))
    symmetries = Symmetries(SatEngine().evaluator.modal_solver(scene.structure))
    symmetries._kinds = symmetries._of_law()
    assert set(map(frozenset, symmetries._kinds)) == {
        frozenset({"card0", "card1"}),
        frozenset({"card2", "card3"}),
    }
    found = symmetries._of_operand(normalise(scene.structure.parse(operand), scene.structure))
    assert sorted(map(sorted, found)) == sorted(map(sorted, kinds))
