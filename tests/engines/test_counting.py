"""Counts, probabilities by both weightings, marginals, distributions, samples."""

from __future__ import annotations

import gc
import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any
from weakref import ref

import pytest

from symkripke.engines import Engine, engine
from symkripke.engines.auto import AutoEngine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.bdd.diagram import Diagrams
from symkripke.engines.bdd.tuning import BddTuning
from symkripke.engines.count.nodes import Nodes
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import (
    BudgetExceeded,
    ImpossibleEvent,
    InputError,
    UnknownName,
    Unsupported,
)
from symkripke.explain.evidence import Weighed
from symkripke.language import TRUE, Atom, K, P, exactly
from symkripke.language import formulas as f
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
    Soft,
    Vocabulary,
    evaluate,
)
from symkripke.play import Table
from symkripke.play.hands import at
from symkripke.testing.random_models import seeded_case
from symkripke_games.cluedo import GAME
from tests.support.cluedo_deals import Dealing

WEIGHTINGS = ("equal", "bayes")


def case(seed: int, formulas: int = 4) -> tuple[Scene, tuple[f.Formula, ...]]:
    """A scene after random events with likelihoods, every other one with modal announcements."""
    judge = ExplicitEngine()
    return seeded_case(
        seed,
        depth=3,
        formulas=formulas,
        judge=(lambda scene, said: bool(judge.holds(scene, said))) if seed % 2 else None,
        likelihoods=True,
    )


def weight(structure: KnowledgeStructure, world: Any) -> Fraction:
    """The product of the likelihoods of all events at a world: the definition."""
    product = Fraction(1)
    for stage in structure.stages:
        for likelihood in stage.likelihoods.added:
            (value,) = (v for formula, v in likelihood.cases if evaluate(formula, world))
            product *= value
    return product


# ---- the definition -------------------------------------------------------------------------


def test_the_explicit_engine_weighs_by_the_definition() -> None:
    weighed = 0
    for seed in range(30):
        scene, _ = case(seed, 0)
        structure = scene.structure
        bayes, equal = ExplicitEngine(weighting="bayes"), ExplicitEngine()
        model = equal.model(structure)
        for agent in structure.agents:
            view = scene.perspective(agent)
            cell = [model.table.world(int(row)) for row in model.matching(view.observation)]
            weights = [weight(structure, world) for world in cell]
            for atom in structure.atoms:
                resolved = structure.resolve(atom)
                true = [evaluate(resolved, world) for world in cell]
                share = Fraction(sum(true), len(true))
                assert equal.probability(view, atom) == share
                by_weight = sum(w for w, here in zip(weights, true, strict=True) if here)
                assert bayes.probability(view, atom) == Fraction(by_weight) / sum(weights)
                weighed += bayes.probability(view, atom) != share
    assert weighed > 25


# ---- what the weightings mean ---------------------------------------------------------------


@pytest.mark.parametrize("make", [BddEngine, ExplicitEngine, AutoEngine])
def test_a_card_shown_by_chance(make: Callable[..., Engine]) -> None:
    """Green holds one, two or three of three cards, and shows Plum the first of them.

    For White, who does not see which, a deal with k of them is k worlds; with bayes all seven
    deals count the same. For Plum the four deals with that card are a world each, and count 1/k.
    """
    holds = [Atom(f"holds({card})") for card in ("rope", "hall", "white")]
    card = Fluent("shown(1)", ("rope", "hall", "white"))
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent(atom.fluent) for atom in holds], ("plum", "green", "scarlett")),
        [],
        {"green": [Observable(atom, "own hand") for atom in holds]},
    )
    show = Event(
        "green showed a card",
        tuple(
            Constraint(f.Implies(Atom("shown(1)", value), atom), "it held what it showed")
            for value, atom in zip(card.values, holds, strict=True)
        ),
        (card,),
        {agent: tuple(Observable(a, "seen") for a in card.atoms) for agent in ("plum", "green")},
        likelihoods=(
            Likelihood(tuple((exactly(k, holds), Fraction(1, max(1, k))) for k in range(4))),
        ),
    )
    scene = Scene.of(structure, {atom.fluent: "true" for atom in holds})
    scene = scene.update(show, {"shown(1)": "rope"})
    deal = [atom.fluent for atom in holds]
    every = f.conjunction(holds)
    for weighting, others, own in (
        ("equal", Fraction(3, 12), Fraction(1, 4)),
        ("bayes", Fraction(1, 7), Fraction(1, 3) / (1 + Fraction(1, 2) * 2 + Fraction(1, 3))),
    ):
        asked = make(weighting=weighting)
        third, saw, self = (scene.perspective(x) for x in ("scarlett", "plum", "green"))
        assert asked.worlds(third) == 12
        assert asked.worlds(third, deal) == 7
        assert asked.worlds(saw) == asked.worlds(saw, deal) == 4
        assert asked.worlds(self) == asked.worlds(self, deal) == 1
        assert asked.probability(third, every) == others
        assert asked.probability(saw, every) == own
        assert asked.probability(self, every) == 1
        assert bool(asked.holds(scene, P("scarlett", every, "=", others)))
        assert bool(asked.holds(scene, K("green", P("plum", every, "=", own))))


def test_likelihoods_that_are_none() -> None:
    with pytest.raises(InputError, match="at least one case"):
        Likelihood(())
    for value in (Fraction(0), Fraction(3, 2), Fraction(-1)):
        with pytest.raises(InputError, match="above 0 and at most 1"):
            Likelihood(((TRUE, value),))
    with pytest.raises(InputError, match="cannot depend on knowledge"):
        Likelihood(((K("ann", TRUE), Fraction(1)),))


def coins() -> Scene:
    """Two coins; ann sees the first."""
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent("p"), Fluent("q"), Fluent("die", tuple("123456"))], ("ann", "bob")),
        [],
        {"ann": [Observable(Atom("p"), "seen")]},
    )
    return Scene.of(structure, {"p": "true", "q": "false", "die": "6"})


def test_cases_that_overlap_or_leave_something_out() -> None:
    p, q = Atom("p"), Atom("q")
    half = Fraction(1, 2)
    scene = coins()
    for cases in (((p, half), (q, half)), ((p & q, half), (p & ~q, half))):
        event = Event("noise", likelihoods=(Likelihood(cases, "a guess"),))
        after = scene.update(event)
        for asked in (BddEngine(1_000, "bayes"), ExplicitEngine(weighting="bayes")):
            with pytest.raises(InputError, match="a guess: expected exactly one case"):
                asked.probability(after.perspective("bob"), p)
        assert BddEngine(1_000).probability(after.perspective("bob"), p) == half
    wrong = Event("noise", likelihoods=(Likelihood(((~p, half), (p & q, half)), "a guess"),))
    with pytest.raises(ImpossibleEvent, match="a guess: expected one case"):
        scene.update(wrong)
    with pytest.raises(UnknownName, match="fluent 'r'"):
        scene.structure.update(Event("noise", likelihoods=(Likelihood(((Atom("r"), half),)),)))


def test_a_likelihood_speaks_about_the_world_before_the_change() -> None:
    p = Atom("p")
    heard = Likelihood(((p, Fraction(1, 4)), (~p, Fraction(1))))
    event = Event("turned", changes=(Change("p", (("true", ~p),)),), likelihoods=(heard,))
    after = coins().update(event).perspective("bob")
    for asked in (BddEngine(1_000, "bayes"), ExplicitEngine(weighting="bayes")):
        assert asked.probability(after, p) == Fraction(4, 5)


def test_by_plausibility_likelihoods_do_not_matter() -> None:
    """Where they would: to probabilities of facts and of knowledge, as numbers and in formulas."""
    differ = 0
    for seed in range(60):
        scene, formulas = case(seed)
        agent, other = scene.structure.agents[:2]
        view = scene.perspective(agent)
        explicit = ExplicitEngine(weighting="plausible")
        for asked in (*formulas, *(K(other, atom) for atom in scene.structure.atoms[:2])):
            expected = explicit.probability(view, asked)
            for small in (0, 32):
                bdd = BddEngine(200_000, "plausible", tuning=BddTuning(small_atoms=small))
                assert bdd.probability(view, asked) == expected, seed
                assert bdd.holds(scene, P(agent, asked, "=", expected)), seed
            differ += BddEngine(200_000, "bayes").probability(view, asked) != expected
    assert differ > 10


@pytest.mark.parametrize("small", [0, 32])
def test_by_plausibility_what_is_given_comes_first(small: int) -> None:
    """The most plausible worlds with what is given count, even if none is believed possible."""
    p, q = Atom("p"), Atom("q")
    vocabulary = Vocabulary.of([Fluent("p"), Fluent("q")], ["ann"])
    soft = [Soft(f.negation(p), 1), Soft(q)]
    view = Perspective.of(KnowledgeStructure.of(vocabulary, [], {}, soft), "ann", ())
    bdd = BddEngine(10_000, "plausible", tuning=BddTuning(small_atoms=small))
    for engine_asked in (bdd, ExplicitEngine(weighting="plausible")):
        for fact, share in ((q, 1), (p & q, 1), (f.negation(q), 0)):
            answer = engine_asked.holds(view, P("ann", fact, "=", Fraction(share), p))
            assert answer
            why = answer.why()
            assert isinstance(why, Weighed)
            assert why.share == share
        assert not engine_asked.holds(view, P("ann", q, "<", Fraction(1), p))


# ---- names, limits, errors --------------------------------------------------------------------


def test_names_and_limits() -> None:
    view = coins().perspective("bob")
    faces = view.structure.vocabulary.fluents["die"].atoms
    for asked in (BddEngine(1_000), ExplicitEngine(), AutoEngine()):
        assert asked.worlds(view, ()) == 1
        assert asked.worlds(view, ["die", "die"]) == 6
        assert asked.marginals(view, ()) == {}
        assert asked.entropy(view, faces) == pytest.approx(math.log2(6))
        assert asked.distribution(view, faces, limit=6)[frozenset([faces[0]])] == Fraction(1, 6)
        assert asked.sample(view, 0, Random(1)) == []
        with pytest.raises(BudgetExceeded, match="more than 5"):
            asked.distribution(view, faces, limit=5)
        with pytest.raises(UnknownName, match="did you mean 'die'"):
            asked.worlds(view, ["dye"])
        with pytest.raises(UnknownName, match="did you mean 'die'"):
            asked.sample(view, 1, Random(1), ["dye"])
        with pytest.raises(UnknownName):
            asked.marginals(view, [Atom("die", "7")])
        with pytest.raises(InputError, match="0 or more, got -1"):
            asked.sample(view, -1, Random(1))
    for name in ("auto", "bdd", "explicit"):
        made = engine(name, "bayes")
        assert isinstance(made, AutoEngine | BddEngine | ExplicitEngine)
        assert made.weighting == "bayes"
        with pytest.raises(UnknownName, match="did you mean 'bayes'"):
            engine(name, "Bayes")
    for name in ("sat", "smt"):
        with pytest.raises(UnknownName, match="unknown weighting"):
            engine(name, "fair")
        with pytest.raises(Unsupported, match="does not weigh"):
            engine(name, "bayes")
        plain = engine(name)
        for refused in (
            partial(plain.worlds, view, ["die"]),
            partial(plain.marginals, view),
            partial(plain.distribution, view, faces),
            partial(plain.entropy, view, faces),
            partial(plain.sample, view, 1, Random(1)),
        ):
            with pytest.raises(Unsupported, match="does not count"):
                refused()


def test_changed_fluents_go_by_their_plain_names() -> None:
    scene = coins().update(Event("set", changes=(Change("p", "false"),)))
    scene = scene.update(Event("turned", changes=(Change("q", (("true", ~Atom("q")),)),)))
    view = scene.perspective("bob")
    for asked in (BddEngine(1_000), ExplicitEngine()):
        assert asked.worlds(view) == 24
        assert asked.worlds(view, ["p"]) == 1
        assert asked.worlds(view, ["p", "q"]) == 2
        assert asked.marginals(view, [Atom("p"), Atom("q")]) == {
            Atom("p"): Fraction(0),
            Atom("q"): Fraction(1, 2),
        }
        (world,) = asked.sample(view, 1, Random(2), ["p", "q"])
        assert world.keys() == {"p", "q"}
        assert world["p"] == "false"


# ---- samples ----------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [BddEngine, ExplicitEngine])
@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_samples_are_drawn_by_weight(make: Callable[..., Engine], weighting: str) -> None:
    """Chi-square of 4,000 draws, over the worlds of several cells: within four deviations."""
    degrees, total = 0, 0.0
    for seed in range(300, 308):
        scene, _ = case(seed, 0)
        view = scene.perspective(scene.structure.agents[-1])
        model = ExplicitEngine().model(scene.structure)
        rows = [int(row) for row in model.matching(view.observation)]
        if not 2 <= len(rows) <= 60:
            continue
        weights = [
            weight(scene.structure, model.table.world(row)) if weighting == "bayes" else Fraction(1)
            for row in rows
        ]
        drawn = make(weighting=weighting).sample(view, 4_000, Random(seed))
        counts = Counter(model.row(world) for world in drawn)
        assert counts.keys() <= set(rows)
        for row, share in zip(rows, weights, strict=True):
            expected = float(4_000 * share / sum(weights))
            total += (counts[row] - expected) ** 2 / expected
        degrees += len(rows) - 1
    assert degrees > 30
    assert abs(total - degrees) < 4 * math.sqrt(2 * degrees)


def test_the_same_seed_draws_the_same_deal() -> None:
    """On every machine: from a golden record."""
    setup = GAME.setup(players=6)
    scene = Scene.of(GAME.structure(setup), GAME.deal(setup, Random(7)))
    view = scene.perspective(setup.players[0])
    (world,) = BddEngine().sample(view, 1, Random(11), GAME.layout(setup, scene.structure).rows)
    inside = {name for name, place in world.items() if place == "envelope"}
    assert inside == GOLDEN
    held = {name for name, place in world.items() if place == setup.players[0]}
    assert held == {x for x, place in scene.world.items() if place == setup.players[0]}


GOLDEN = {"location(mustard)", "location(revolver)", "location(lounge)"}


# ---- the passes over the nodes ----------------------------------------------------------------


def test_counts_of_nodes_against_the_library() -> None:
    """Random diagrams with complements and gaps, small and beyond the machine's integers."""
    for seed in range(40):
        chance = Random(seed)
        size = chance.choice((6, 90))
        diagrams = Diagrams(100_000)
        variables = diagrams.add(size)
        parts = [diagrams.literal(chance.choice((1, -1)) * (v + 1)) for v in variables]
        made = chance.choice(parts)
        for _ in range(12):
            one = chance.choice(parts)
            made = chance.choice((made & one, made | one, made.equiv(one), ~made))
        if not made.satisfiable():
            continue
        nodes = Nodes(diagrams, made)
        whole = diagrams.count(made, size)
        assert nodes.total << (size - len(nodes.variables)) == whole
        for variable, share in nodes.marginals.items():
            true = diagrams.count(made & diagrams.literal(variable + 1), size)
            assert share == Fraction(true, whole), (seed, variable)
    assert Nodes(diagrams, diagrams.true).marginals == {}


def test_distributions_against_a_list() -> None:
    for seed in range(400, 412):
        scene, _ = case(seed, 0)
        view = scene.perspective("ann")
        some = scene.structure.atoms[:8]
        expected = ExplicitEngine(weighting="bayes").distribution(view, some)
        ours = BddEngine(200_000, "bayes")
        assert ours.distribution(view, some) == expected, seed


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_full_size_against_a_dynamic_programme(weighting: str) -> None:
    """Six players: shares in a game under way, by a second exact method without any formulas."""
    setup = GAME.setup(players=6)
    table = Table(GAME, setup, ("first-order",), 3)
    bdd = BddEngine(weighting=weighting)
    for _, player in zip(table, setup.players[:3], strict=False):
        view = table.scene.perspective(player)
        record = [step.outcome.public for step in table.steps]
        dealing = Dealing(setup, player, table.scene.world, record, weighting)
        card, place = setup.edition.rooms[3].id, setup.players[4]
        assert bdd.probability(view, at(card, place)) == dealing.share(card, place)
        assert bdd.probability(view, at(card, "envelope")) == dealing.share(card, "envelope")


def test_diagrams_are_freed_with_their_engine() -> None:
    """At once, and not when Python next looks for objects that refer to each other."""
    scene, _ = seeded_case(1, depth=2, likelihoods=True)
    view = scene.perspective(scene.structure.agents[0])
    engine = BddEngine(weighting="bayes", tuning=BddTuning(small_atoms=0))
    engine.distribution(view, list(scene.structure.atoms)[:3])
    (counter,) = map(ref, engine._counters.values())
    gc.disable()
    try:
        del engine
        assert counter() is None
    finally:
        gc.enable()
