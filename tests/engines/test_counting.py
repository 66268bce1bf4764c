"""Counts, probabilities by both weightings, marginals, distributions, samples."""

from __future__ import annotations

import gc
import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
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
)
from symkripke.explain.evidence import ProbabilityValue
from symkripke.language import TRUE, Atom, K, P
from symkripke.language import formulas as f
from symkripke.model import (
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
from symkripke.testing.random_models import seeded_case
from tests.engines.test_sum_counter import small_case
from tests.engines.test_value_counts import drawing

WEIGHTINGS = ("equal", "bayes")


def case(seed: int, formulas: int = 4) -> tuple[Scene, tuple[f.Formula, ...]]:
    """Return a scene after random events with likelihoods, some with modal announcements."""
    judge = ExplicitEngine()
    return seeded_case(
        seed,
        depth=3,
        formulas=formulas,
        judge=(lambda scene, said: bool(judge.holds(scene, said))) if seed % 2 else None,
        likelihoods=True,
    )


def weight(structure: KnowledgeStructure, world: Any) -> Fraction:
    """Return the product of the likelihoods of all events at a world, by definition."""
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


def test_invalid_likelihoods() -> None:
    with pytest.raises(InputError, match="at least one case"):
        Likelihood(())
    for value in (Fraction(0), Fraction(3, 2), Fraction(-1)):
        with pytest.raises(InputError, match="above 0 and at most 1"):
            Likelihood(((TRUE, value),))
    with pytest.raises(InputError, match="cannot depend on knowledge"):
        Likelihood(((K("ann", TRUE), Fraction(1)),))


def coins() -> Scene:
    """Return two coins and a die; Ann sees the first coin."""
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent("p"), Fluent("q"), Fluent("die", tuple("123456"))], ("ann", "bob")),
        [],
        {"ann": [Observable(Atom("p"), "seen")]},
    )
    return Scene.of(structure, {"p": "true", "q": "false", "die": "6"})


def test_cases_that_overlap_or_omit_worlds() -> None:
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


def test_by_plausibility_likelihoods_do_not_matter() -> None:
    """The test uses cases in which they would change probabilities of facts and of knowledge."""
    differ = 0
    for seed in range(25):
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
    assert differ > 3


@pytest.mark.parametrize("small", [0, 32])
def test_by_plausibility_the_condition_comes_first(small: int) -> None:
    """The most plausible worlds under the condition count, even if it is believed false."""
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
            assert isinstance(why, ProbabilityValue)
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
    with pytest.raises(UnknownName, match="did you mean 'bayes'"):
        engine("bdd", "Bayes")
    with pytest.raises(UnknownName, match="unknown weighting"):
        engine("sat", "fair")


# ---- samples ----------------------------------------------------------------------------------


def moments(kind: str) -> list[Scene]:
    """Return scenes whose worlds are counted by a particular method."""
    if kind == "histories":
        return [case(seed, 0)[0] for seed in range(300, 306)]
    if kind == "sums":
        return [small_case(seed) for seed in range(80, 90)]
    return [drawing(seed)[2] for seed in range(4)]


@pytest.mark.parametrize("kind", ["histories", "sums", "draws"])
@pytest.mark.parametrize("make", [BddEngine, ExplicitEngine])
@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_samples_are_drawn_by_weight(
    kind: str, make: Callable[..., Engine], weighting: str
) -> None:
    """The chi-square of 1,000 draws over the worlds of several cells is within four deviations."""
    degrees, total = 0, 0.0
    for seed, scene in enumerate(moments(kind)):
        view = scene.perspective(scene.structure.agents[-1])
        model = ExplicitEngine().model(scene.structure)
        rows = [int(row) for row in model.matching(view.observation)]
        if not 2 <= len(rows) <= 60:
            continue
        weights = [
            weight(scene.structure, model.table.world(row)) if weighting == "bayes" else Fraction(1)
            for row in rows
        ]
        counts = Counter(
            map(model.row, make(weighting=weighting).sample(view, 1_000, Random(seed)))
        )
        assert counts.keys() <= {*rows}
        for row, share in zip(rows, weights, strict=True):
            expected = float(1_000 * share / sum(weights))
            total += (counts[row] - expected) ** 2 / expected
        degrees += len(rows) - 1
    assert degrees > 10
    assert abs(total - degrees) < 4 * math.sqrt(2 * degrees)


# ---- passes over the nodes ----------------------------------------------------------------------


def test_counts_of_nodes_against_the_library() -> None:
    """Diagrams are random, with complements and gaps, small and beyond machine integers."""
    for seed in range(20):
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


def test_diagrams_are_freed_with_their_engine() -> None:
    """They are freed at once, without waiting for the cyclic garbage collector."""
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
