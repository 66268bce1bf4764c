"""Counting without a diagram: laws of sums, compared with the explicit model and with diagrams."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from symkripke.engines import Answer
from symkripke.engines.bdd import BddEngine
from symkripke.engines.bdd.tuning import BddTuning
from symkripke.engines.count.sums import Domains, as_sums, count_disjoint
from symkripke.engines.count.tuning import CountingTuning
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import BudgetExceeded, ImpossibleEvent, InputError, Unsupported
from symkripke.explain.evidence import ProbabilityValue
from symkripke.language import Atom, Iff, P, conjunction, disjunction, exactly, negation
from symkripke.model import (
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Likelihood,
    Observable,
    Perspective,
    Scene,
    Vocabulary,
    evaluate,
)
from symkripke.play import Table, game
from symkripke.play.odds import cell_odds
from symkripke.testing.random_models import (
    BOOLEAN,
    Names,
    Seeded,
    all_worlds,
    random_atom,
    random_formula,
    random_scene,
)
from tests.engines.test_steps import listed
from tests.support.situations import HIDDEN, TABLE, at, dealt, told

HANDS = (
    {"ann": 2, "bob": 2, TABLE: 1, HIDDEN: 1},
    {"ann": 3, "bob": 2, HIDDEN: 1},
    {"ann": 2, "bob": 2, "cath": 1, HIDDEN: 1},
)


def small_case(seed: int) -> Scene:
    """Return a small deal after random events of a card game."""
    chance = Random(seed)
    scene = dealt(HANDS[seed % 3], chance)
    for _ in range(chance.randint(0, 4)):
        scene = told(scene, chance)
    return scene


def counted(engine: BddEngine, state: Perspective) -> bool:
    """Return whether the engine counts the state without a diagram."""
    return engine._sum_counter.paths(state) is not None


# ---- sums -------------------------------------------------------------------------------------


def test_sums_are_equivalent_to_the_formula() -> None:
    found = missed = 0
    for seed in range(80):
        choices = Seeded(seed)
        scene = random_scene(choices, 4)
        fluents, names = scene.structure.vocabulary.fluents, Names.of(scene.structure)
        literals = [scene.structure.resolve(random_atom(choices, names)) for _ in range(4)]
        many = exactly(choices.integer(0, 3), literals[1:])
        for formula in (
            scene.structure.resolve(random_formula(choices, names, 2, BOOLEAN)),
            negation(many),
            Iff(literals[0], many),
            negation(Iff(negation(literals[0]), disjunction(literals[1:]))),
            literals[0] >> many,
            negation(literals[0] >> many),
        ):
            sums = as_sums(formula, fluents)
            if sums is None:
                missed += 1
                continue
            found += 1
            sizes = {name: len(fluent.values) for name, fluent in fluents.items()}
            domains = Domains(sizes, sums).left
            for world in all_worlds(list(fluents.values())):
                places = {name: fluents[name].values.index(world[name]) for name in fluents}
                right = all(
                    one.allowed >> sum(adds[places[name]] for name, adds in one.parts.items()) & 1
                    for one in sums
                )
                assert right == evaluate(formula, world), (seed, str(formula))
                assert not right or all(places[name] in domains[name] for name in fluents)
    assert found > 300
    assert missed > 10


def test_independent_sums_are_counted_separately() -> None:
    """Counts are compared with all valuations, or are None exactly if two sums share a fluent."""
    found, left = 0, Counter[str]()
    for seed in range(80):
        choices = Seeded(seed)
        structure = random_scene(choices, 4).structure
        fluents, names = structure.vocabulary.fluents, Names.of(structure)
        literals = [structure.resolve(random_atom(choices, names)) for _ in range(5)]
        formula = conjunction(
            (exactly(choices.integer(0, 2), literals[:2]), disjunction(literals[2:4]))
            if seed % 3
            else literals[: seed % 2]
        )
        sums = as_sums(formula, fluents)
        assert sums is not None
        worlds = [w for w in all_worlds(list(fluents.values())) if evaluate(formula, w)]
        spoken = [name for one in sums for name in one.parts]
        asked = {name for name in fluents if choices.integer(0, 2)}
        for wanted in (None, asked):
            number = count_disjoint(sums, fluents, wanted)
            if len(set(spoken)) < len(spoken):
                left["shared"] += 1
                assert number is None, seed
            elif wanted is not None and not wanted.issuperset(spoken):
                left["not asked"] += 1
                assert number is None, seed
            else:
                told = list(fluents if wanted is None else wanted)
                seen = {tuple(world[name] for name in told) for world in worlds}
                assert number == len(seen), seed
                found += 1
    assert found > 40
    assert min(left["shared"], left["not asked"]) > 8
    fluents = {"p": Fluent("p")}
    assert count_disjoint(as_sums(Atom("p"), fluents) or (), fluents, most=0) is None


# ---- against the explicit model ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("tuning", "seeds"),
    [
        (CountingTuning(), range(12)),
        (CountingTuning(table=0), range(60, 66)),  # states are distinguished by sorting
        (CountingTuning(machine=2), range(66, 72)),  # Python integers, from some level on
        (CountingTuning(machine=30), range(72, 78)),
    ],
)
def test_small_deals_against_the_explicit_model(tuning: CountingTuning, seeds: range) -> None:
    """Counts, probabilities, joint distributions and chains are compared for all seats and none."""
    without = 0
    for seed in seeds:
        scene, chance = small_case(seed), Random(seed)
        bdd, explicit = BddEngine(tuning=BddTuning(counting=tuning)), ExplicitEngine()
        assert bdd.worlds(scene.structure) == explicit.worlds(scene.structure), seed
        names = list(scene.structure.vocabulary.fluents)
        over = chance.sample(names, chance.randint(0, len(names)))
        some = chance.sample(scene.structure.atoms, 4)
        hidden = [at(card, HIDDEN) for card in range(6)]
        asked = exactly(1, some[:3])
        for agent in scene.structure.agents:
            view, about = scene.perspective(agent), (seed, agent)
            without += counted(bdd, view)
            assert bdd.worlds(view) == explicit.worlds(view), about
            assert bdd.worlds(view, over) == explicit.worlds(view, over), about
            assert bdd.marginals(view) == explicit.marginals(view), about
            for atoms in (some, hidden):
                shares = explicit.distribution(view, atoms)
                assert bdd.distribution(view, atoms) == shares, about
            for formula in (asked, asked & some[3] | hidden[0]):
                share = explicit.probability(view, formula)
                assert bdd.probability(view, formula) == share, about
            steps, reference = bdd.steps(view, names), explicit.steps(view, names)
            assert listed(steps) == pytest.approx(listed(reference)), about
    assert without > len(seeds)


# ---- limits -----------------------------------------------------------------------------------


def test_running_out_of_states_is_running_out_of_a_budget() -> None:
    chance, atoms = Random(2), [Atom(f"p{number}") for number in range(24)]
    law = [Constraint(exactly(6, chance.sample(atoms, 12)), "a sum") for _ in range(8)]
    vocabulary = Vocabulary.of([Fluent(atom.fluent) for atom in atoms], ["ann"])
    with pytest.raises(BudgetExceeded, match="more than 200"):
        BddEngine(200).worlds(KnowledgeStructure.of(vocabulary, law, {}))


def test_cases_that_are_left_to_diagrams() -> None:
    """Two-card weights need a diagram; observations that contradict the law leave no worlds."""
    scene = dealt(HANDS[0], Random(3))
    atom = at(0, "bob")
    mixed = conjunction([atom, at(1, HIDDEN)])
    for case, weighting, expected in (
        (atom, "bayes", True),
        (mixed, "equal", True),
        (mixed, "bayes", False),
    ):
        half = Likelihood(((case, Fraction(1, 2)), (negation(case), Fraction(1))))
        there = scene.update(Event("seen", likelihoods=(half,))).perspective("ann")
        engine, explicit = BddEngine(weighting=weighting), ExplicitEngine(weighting=weighting)
        assert counted(engine, there) == expected
        assert engine.probability(there, atom) == explicit.probability(there, atom)
    wrong = Perspective(scene.structure, "ann", frozenset(at(card, "ann") for card in range(6)))
    assert engine.worlds(wrong) == 0
    with pytest.raises(ImpossibleEvent, match="contradicts the law"):
        engine.marginals(wrong)


# ---- events that weigh worlds -------------------------------------------------------------------


def weighed_case(*events: Event) -> Perspective:
    """Return the view of Ann, who sees p, after these events about p, q and r."""
    fluents = [Fluent(name) for name in "pqr"]
    structure = KnowledgeStructure.of(
        Vocabulary.of(fluents, ["ann"]), [], {"ann": [Observable(Atom("p"), "")]}
    )
    for event in events:
        structure = structure.update(event)
    return Perspective.of(structure, "ann", [Atom("p")])


def test_weights_by_more_than_a_number() -> None:
    """The literals affect the weight differently, so their number does not determine it."""
    p, q, r = map(Atom, "pqr")
    choice = Likelihood(
        (
            (p & q & ~r, Fraction(1, 2)),
            (p & ~q & r, Fraction(1, 3)),
            (~((p & q & ~r) | (p & ~q & r)), Fraction(1, 7)),
        ),
        "",
    )
    view = weighed_case(Event("told", likelihoods=(choice,)))
    bdd, explicit = BddEngine(weighting="bayes"), ExplicitEngine(weighting="bayes")
    found = listed(bdd.steps(view, ["p", "q", "r"]))
    assert found == pytest.approx(listed(explicit.steps(view, ["p", "q", "r"])), abs=1e-12)
    assert not bdd.drawn(view.structure)
    unclear = Likelihood(((p & q, Fraction(1, 2)), (q & r, Fraction(1, 2))), "a guess")
    with pytest.raises(InputError, match="a guess: expected exactly one case"):
        bdd.steps(weighed_case(Event("told", likelihoods=(unclear,))), ["p", "q", "r"])
    with pytest.raises(ImpossibleEvent):
        bdd.steps(weighed_case(Event("told", (Constraint(~p, ""),), likelihoods=(choice,))), ["p"])


# ---- parts of a law that are not connected -----------------------------------------------------


def parted_case(seed: int) -> Scene:
    """Return fluents in groups, where each sum and each observed bit is about a single group."""
    chance = Random(seed)
    values = ("one", "two", "three")
    groups = [[f"{letter}{n}" for n in range(chance.randint(1, 3))] for letter in "xyz"]
    fluents = [Fluent(name, values[: chance.randint(2, 3)]) for group in groups for name in group]
    atoms: dict[str, list[Atom]] = {
        fluent.name: [Atom(fluent.name, value) for value in fluent.values] for fluent in fluents
    }
    law = []
    for group in groups:
        some = [chance.choice(atoms[name]) for name in group]
        if chance.random() < 0.7:
            law.append(Constraint(disjunction([*some, chance.choice(atoms[group[0]])]), "a law"))
    seen = [Observable(chance.choice(atoms[name]), "seen") for name in chance.sample([*atoms], 2)]
    vocabulary = Vocabulary.of(fluents, ("ann", "bob"))
    structure = KnowledgeStructure.of(vocabulary, law, {"ann": seen})
    worlds = [w for w in all_worlds(fluents) if all(evaluate(c.formula, w) for c in structure.law)]
    return Scene(structure, chance.choice(worlds))


def weighed(answer: Answer) -> ProbabilityValue | None:
    """Return the evidence of a probability; None if the probability is not defined."""
    try:
        found = answer.why()
    except Unsupported:
        return None
    assert isinstance(found, ProbabilityValue)
    return found


def test_probabilities_of_parts_match_all_worlds() -> None:
    explicit, parts, told = ExplicitEngine(), 0, 0
    for seed in range(12):
        scene, chance = parted_case(seed), Random(f"asked {seed}")
        sums, atoms = BddEngine(tuning=BddTuning(small_atoms=0)), [*scene.structure.atoms]
        for agent in ("ann", "bob"):
            view = scene.perspective(agent)
            for _ in range(4):
                asked = exactly(chance.randint(0, 2), chance.sample(atoms, 3))
                given = disjunction(chance.sample(atoms, 2))
                share = explicit.probability(view, asked)
                assert sums.probability(view, asked) == share
                for formula in (
                    P(agent, asked, ">=", Fraction(1, 3)),
                    negation(P(agent, asked, "=", share)),
                    P(agent, asked, "<", Fraction(1, 2), given),
                ):
                    for state in (scene, view):
                        answer = sums.holds(state, formula)
                        assert bool(answer) == bool(explicit.holds(state, formula))
                        if isinstance(formula, P):
                            found = weighed(BddEngine().holds(state, formula))
                            assert found == weighed(explicit.holds(state, formula))
                            told += found is not None
        assert not sums._counters  # no diagram was needed
        parts += len(sums._sum_counter._components._counts)
    assert parts > 20
    assert told > 100


def test_similar_components_are_counted_once() -> None:
    moment = Table.of(game("perudo"), players=3, seed=4).moment
    engine = BddEngine()
    found = cell_odds(moment, "ann", engine)
    assert len(engine._sum_counter._components._counts) == 1 + 5  # all dice; 1, 2, ... that show
    assert {found["2x3", other] for other in ("bob", "cath")} == {
        1 - Fraction(5, 6) ** 5 - 5 * Fraction(5, 6) ** 4 / 6
    }
