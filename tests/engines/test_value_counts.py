"""Counting value by value: draws from small decks, compared with the explicit model."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from symkripke.engines.bdd import BddEngine
from symkripke.engines.count.value_counts import ValueCounts
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.errors import BudgetExceeded, FalseConstraint, InputError
from symkripke.language import (
    Atom,
    Implies,
    K,
    P,
    atleast,
    conjunction,
    disjunction,
    exactly,
    negation,
)
from symkripke.model import (
    Change,
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Likelihood,
    Observable,
    Perspective,
    Scene,
    Vocabulary,
)
from symkripke.play.draws import drawn

DECKS = (
    {"a1": 2, "a2": 1, "b1": 2, "b2": 1},
    {"a1": 3, "a2": 2, "b1": 1},
    {"a1": 2, "b1": 2, "b2": 1},
)
PLAYERS = ("ann", "bob")


def sights(card: str, kinds: dict[str, int]) -> list[Observable]:
    return [Observable(Atom(card, kind), "a hand of others") for kind in kinds]


def drawing(seed: int) -> list[Scene]:
    """Return moments of a game with open hands of others, draws, shown cards and hints."""
    chance, kinds = Random(seed), DECKS[seed % len(DECKS)]
    order = [kind for kind, copies in kinds.items() for _ in range(copies)]
    chance.shuffle(order)
    names = [f"card({place})" for place in range(3)]
    law, likelihoods = drawn(kinds, (), names, "the deal")
    seen = {"ann": sights(names[2], kinds), "bob": [*sights(names[0], kinds)]}
    vocabulary = Vocabulary.of([Fluent(name, tuple(kinds)) for name in names], PLAYERS)
    structure = KnowledgeStructure.of(vocabulary, law, seen, likelihoods=likelihoods)
    scenes = [Scene.of(structure, dict(zip(names, order, strict=False)))]
    for turn in range(4):
        card = chance.choice(names)
        kind = scenes[-1].world[card]
        if turn % 2 and len(names) < len(order):
            new = f"card({len(names)})"
            law, likelihoods = drawn(kinds, names, (new,), "a draw")
            shown = {chance.choice(PLAYERS): tuple(sights(new, kinds))}
            event = Event("a draw", law, (Fluent(new, tuple(kinds)),), shown, (), likelihoods)
            scenes.append(scenes[-1].update(event, {new: order[len(names)]}))
            names.append(new)
            continue
        alike = [each for each in kinds if each[turn % 4 // 2] == kind[turn % 4 // 2]]
        said = disjunction(Atom(card, each) for each in alike)
        scenes.append(scenes[-1].update(Event("a hint", (Constraint(said, "a hint"),))))
    return scenes


def by_value(bdd: BddEngine, view: Perspective) -> bool:
    """Return whether the engine counts the state value by value."""
    return isinstance(bdd._sum_counter.paths(view), ValueCounts)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("weighting", ["equal", "bayes"])
def test_all_queries_agree_with_the_explicit_model(seed: int, weighting: str) -> None:
    chance = Random(seed)
    bdd, explicit = BddEngine(weighting=weighting), ExplicitEngine(weighting=weighting)
    for scene in drawing(seed)[1:]:
        assert bdd.worlds(scene.structure) == explicit.worlds(scene.structure)
        view = scene.perspective(PLAYERS[seed % 2])
        assert by_value(bdd, view)
        assert bdd.worlds(view) == explicit.worlds(view)
        assert bdd.marginals(view) == explicit.marginals(view)
        atoms = chance.sample(view.structure.atoms, 8)
        for some in (atoms, atoms[:3]):
            assert bdd.distribution(view, some) == explicit.distribution(view, some)
        same = [Atom(name, atoms[0].value) for name in view.structure.vocabulary.fluents]
        for formula in (
            atoms[0],
            negation(atoms[1]),
            disjunction([conjunction(atoms[:2]), conjunction(atoms[2:4])]),
            Implies(atoms[0], atoms[3]),
            exactly(1, same),
            atleast(1, atoms[:4]),
        ):
            probability = explicit.probability(view, formula)
            assert bdd.probability(view, formula) == probability
            # Small structures are computed differently, with one diagram of all cells.
            assert bdd.holds(view, P(view.agent, formula, "=", probability))


def test_a_card_in_the_place_of_another_is_drawn_from_the_same_deck() -> None:
    """The law of a draw can name the new version of a fluent that changes to an unknown value."""
    kinds = DECKS[0]
    scene = drawing(0)[0]
    before, new = ["card(0)#0", "card(1)", "card(2)"], "card(0)#1"
    law, likelihoods = drawn(kinds, before, (new,), "a draw")
    changes = (Change("card(0)", None),)
    event = Event("a draw", law, (), {"bob": tuple(sights("card(0)", kinds))}, changes, likelihoods)
    left = Counter(kinds) - Counter(scene.world.values())
    (gone, *_), (there, *_) = kinds.keys() - left.keys(), left
    with pytest.raises(FalseConstraint, match="a draw"):
        scene.update(event, {"card(0)": gone})
    scene = scene.update(event, {"card(0)": there})
    for weighting in ("equal", "bayes"):
        bdd, explicit = BddEngine(weighting=weighting), ExplicitEngine(weighting=weighting)
        for player in PLAYERS:
            view = scene.perspective(player)
            assert by_value(bdd, view)
            assert bdd.worlds(view) == explicit.worlds(view)
            assert bdd.marginals(view) == explicit.marginals(view)
    for player, knows in (("ann", False), ("bob", True)):
        assert bool(SatEngine().holds(scene, K(player, Atom("card(0)", there)))) is knows


def test_cards_that_everybody_has_seen_can_be_left_out_of_a_draw() -> None:
    kinds, (scene, *_) = DECKS[1], drawing(1)
    kind = scene.world["card(2)"]
    shown = scene.update(Event("shown", (Constraint(Atom("card(2)", kind), "shown"),)))
    there = next(iter(Counter(kinds) - Counter(scene.world.values())))
    views = []
    for before, seen in (
        (["card(0)", "card(1)"], {kind: 1}),
        ([f"card({n})" for n in range(3)], {}),
    ):
        law, likelihoods = drawn(kinds, before, ("card(3)",), "a draw", seen)
        new = Fluent("card(3)", tuple(kinds))
        after = shown.update(
            Event("a draw", law, (new,), likelihoods=likelihoods), {new.name: there}
        )
        views.append(after.perspective("ann"))
    short, whole = views
    bdd = BddEngine(weighting="bayes")
    assert by_value(bdd, short)
    assert bdd.worlds(short) == bdd.worlds(whole)
    assert bdd.marginals(short) == ExplicitEngine(weighting="bayes").marginals(whole)


def test_a_first_card_is_as_probable_as_its_copies() -> None:
    """In an unknown deck, a kind's probability is its share of the cards; limits still apply."""
    kinds = {"a": 3, "b": 2, "c": 1, **{f"d{number}": 1 for number in range(6)}}
    names = [f"card({number})" for number in range(8)]
    law, likelihoods = drawn(kinds, (), names, "a draw")
    vocabulary = Vocabulary.of([Fluent(name, tuple(kinds)) for name in names], ["i"])
    structure = KnowledgeStructure.of(vocabulary, law, {}, likelihoods=likelihoods)
    view, bdd = Perspective.of(structure, "i", ()), BddEngine(weighting="bayes")
    shares = bdd.marginals(view)
    assert [shares[Atom("card(7)", kind)] * 12 for kind in "abc"] == [3, 2, 1]
    assert by_value(bdd, view)
    law_by_value = bdd._sum_counter._by_value._laws["bayes"].law(structure)
    assert law_by_value is not None
    assert {len(factors) for factors in law_by_value.factors.values()} == {1}
    with pytest.raises(BudgetExceeded, match="more than 1,000"):
        bdd.distribution(view, structure.atoms, 1000)


def test_likelihoods_about_several_values_are_left_to_diagrams() -> None:
    start = drawing(0)[0]
    both = conjunction([Atom("card(0)", "a1"), Atom("card(1)", "a2")])
    half = Likelihood(((both, Fraction(1, 2)), (negation(both), Fraction(1))), "by chance")
    only = Constraint(Implies(Atom("card(0)", "a1"), Atom("card(1)", "a2")), "a rule")
    for event in (Event("mixed", likelihoods=(half,)), Event("tied", (only,))):
        seen = start.perspective("ann").seen
        view = Perspective(start.structure.update(event), "ann", seen)
        bdd = BddEngine(weighting="bayes")
        assert bdd._sum_counter.paths(view) is None
        assert bdd.marginals(view) == ExplicitEngine(weighting="bayes").marginals(view)


@pytest.mark.parametrize(
    ("copies", "before", "new", "says"),
    [
        ({"a": 0}, (), ("c",), "expected 1 copy of 'a' or more, got 0"),
        ({"a": 1.5}, (), ("c",), "the copies of 'a': expected a whole number"),
        ({"a": 2}, ("c",), ("c",), "expected each card to be drawn once, got 'c' twice"),
        ({"a": 1}, ("b",), ("c",), "expected at most 1 drawn cards, as the deck has, got 2"),
    ],
)
def test_impossible_draws_are_refused(
    copies: dict[str, int], before: tuple[str, ...], new: tuple[str, ...], says: str
) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        drawn(copies, before, new, "a draw")
