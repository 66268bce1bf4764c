"""Counting value by value: draws from small decks, against the explicit model."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from symkripke.engines.bdd import BddEngine
from symkripke.engines.count.value_counts import ValueCounts
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import BudgetExceeded, InputError
from symkripke.language import (
    Atom,
    Formula,
    Implies,
    P,
    atleast,
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
    Likelihood,
    Perspective,
    Vocabulary,
)
from symkripke.play.draws import drawn
from tests.support.draws import Deck, DrawsTable, moves

DECKS = (
    (Deck(2, (2, 1)), 2, 1),
    (Deck(2, (2, 1)), 2, 2),
    (Deck(1, (3, 2, 1)), 2, 2),
    (Deck(2, (3, 1)), 3, 1),
    (Deck(1, (3, 2, 2, 1)), 2, 2),
    (Deck(2, (2, 2)), 2, 3),
    (Deck(2, (3, 2)), 3, 1),
)


def views(seed: int) -> list[tuple[Perspective, list[Atom]]]:
    """The perspectives of who is to move in a game with a small deck, with atoms of own cards."""
    chance = Random(seed)
    table = DrawsTable(*DECKS[seed % len(DECKS)], chance)
    found = []
    for move, player in moves(table, chance):
        event, values = table.event(move)
        table.scene = table.scene.update(event, values)
        table.make(move)
        own = [atom for card in table.hands[player] for atom in table.atoms(card)]
        found.append((table.scene.perspective(table.players[player]), own))
        if len(table.scene.structure.vocabulary.fluents) >= 7:
            break
    return found


def by_value(bdd: BddEngine, view: Perspective) -> bool:
    """Whether a state is counted value by value."""
    return isinstance(bdd._sum_counter.paths(view), ValueCounts)


def asked_formulas(view: Perspective, chance: Random) -> list[Formula]:
    """Formulas of several forms about the fluents of a state."""
    fluents = list(view.structure.vocabulary.fluents.values())
    some = [chance.choice(chance.choice(fluents).atoms) for _ in range(4)]
    kind = some[0].value
    same = [Atom(fluent.name, kind) for fluent in fluents]
    return [
        some[0],
        negation(some[1]),
        conjunction(some[:2]),
        disjunction([conjunction(some[:2]), conjunction(some[2:])]),
        Implies(some[0], some[3]),
        exactly(1, same),
        atleast(1, some),
    ]


@pytest.mark.parametrize("seed", range(42))
@pytest.mark.parametrize("weighting", ["equal", "bayes"])
def test_all_queries_agree_with_the_explicit_model(seed: int, weighting: str) -> None:
    chance = Random(seed)
    bdd, explicit = BddEngine(weighting=weighting), ExplicitEngine(weighting=weighting)
    for view, own in views(seed)[-4:]:
        assert by_value(bdd, view)
        assert bdd.worlds(view) == explicit.worlds(view)
        assert bdd.marginals(view) == explicit.marginals(view)
        asked = chance.sample(own, min(len(own), 5))
        for atoms in (own, asked):
            assert bdd.distribution(view, atoms) == explicit.distribution(view, atoms)
        for formula in asked_formulas(view, chance):
            probability = explicit.probability(view, formula)
            assert bdd.probability(view, formula) == probability
            # Of a small structure this is another way: by one diagram of all cells.
            assert bdd.holds(view, P(view.agent, formula, "=", probability))


@pytest.mark.parametrize("seed", range(14))
def test_structures_are_counted_by_all_who_see_nothing(seed: int) -> None:
    """All fluents are open, and many are alike."""
    for weighting in ("equal", "bayes"):
        bdd, explicit = BddEngine(weighting=weighting), ExplicitEngine(weighting=weighting)
        structure = views(seed)[-1][0].structure
        assert bdd.worlds(structure) == explicit.worlds(structure)


@pytest.mark.parametrize("seed", range(7))
def test_samples_are_distributed_by_weight(seed: int) -> None:
    """The sum of the squared deviations is within five standard deviations of its mean, and 12."""
    bdd, explicit = BddEngine(weighting="bayes"), ExplicitEngine(weighting="bayes")
    view, own = views(seed)[:3][-1]
    assert by_value(bdd, view)
    expected = explicit.distribution(view, own)
    number = 4000
    seen = Counter(
        frozenset(atom for atom in own if world[atom.fluent] == atom.value)
        for world in bdd.sample(view, number, Random(seed))
    )
    assert seen.keys() <= expected.keys()
    chi = sum(float((seen[s] - number * p) ** 2 / (number * p)) for s, p in expected.items())
    freedom = len(expected) - 1
    assert chi <= freedom + 5 * (2 * freedom) ** 0.5 + 12


def test_a_first_card_is_as_probable_as_its_copies() -> None:
    law, likelihoods = drawn({"a": 3, "b": 2, "c": 1}, (), ("card",), "a draw")
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent("card", ("a", "b", "c"))], ["i"]), law, {}, likelihoods=likelihoods
    )
    view = Perspective.of(structure, "i", ())
    shares = BddEngine(weighting="bayes").marginals(view)
    assert [shares[Atom("card", kind)] for kind in "abc"] == [
        Fraction(1, 2),
        Fraction(1, 3),
        Fraction(1, 6),
    ]


def test_a_whole_game_leaves_one_factor_for_each_kind() -> None:
    chance = Random(3)
    table = DrawsTable(Deck(), 3, 5, chance)
    for move, _ in moves(table, chance):
        event, values = table.event(move)
        table.scene = table.scene.update(event, values)
        table.make(move)
    bdd = BddEngine(weighting="bayes")
    view = table.scene.perspective("p1")
    assert by_value(bdd, view)
    law = bdd._sum_counter._by_value._laws["bayes"].law(view.structure)
    assert law is not None
    assert {len(factors) for factors in law.factors.values()} == {1}


def test_many_possibilities_are_over_the_limit() -> None:
    table = DrawsTable(Deck(), 2, 5, Random(1))
    view = table.scene.perspective("p1")
    own = [atom for card in table.hands[0] for atom in table.atoms(card)]
    with pytest.raises(BudgetExceeded, match="more than 1,000"):
        BddEngine(weighting="bayes").distribution(view, own, 1000)


def test_likelihoods_about_several_values_are_left_to_diagrams() -> None:
    table = DrawsTable(Deck(1, (2, 1, 1)), 2, 1, Random(1))
    both = conjunction([Atom("card(0)", "a1"), Atom("card(1)", "a2")])
    half = Likelihood(((both, Fraction(1, 2)), (negation(both), Fraction(1))), "by chance")
    only = Constraint(Implies(Atom("card(0)", "a1"), Atom("card(1)", "a2")), "a rule")
    for event in (Event("mixed", likelihoods=(half,)), Event("tied", (only,))):
        seen = table.scene.perspective("p1").seen
        view = Perspective(table.scene.structure.update(event), "p1", seen)
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
