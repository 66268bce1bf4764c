"""Counting without a diagram: laws of sums, against the explicit model and against diagrams."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from symkripke.engines import Answer
from symkripke.engines.bdd import BddEngine
from symkripke.engines.bdd.tuning import BddTuning
from symkripke.engines.count.sums import Domains, as_sums, count_disjoint
from symkripke.engines.count.tuning import CountingTuning
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import BudgetExceeded, ImpossibleEvent, InputError, Unsupported
from symkripke.explain.evidence import Weighed
from symkripke.language import Atom, Iff, K, P, conjunction, disjunction, exactly, negation
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
from symkripke.play.dealing import location
from symkripke.play.odds import cell_odds
from symkripke.testing.random_models import (
    BOOLEAN,
    Names,
    Seeded,
    all_worlds,
    random_atom,
    random_formula,
    random_scene,
    seeded_case,
)
from symkripke_games.cluedo import GAME
from tests.engines.test_unrolling import listed
from tests.support.gems import HIDDEN, SLEUTH, Deal


class Diagrams(BddEngine):
    """The engine as if no law were one of sums."""

    def __init__(self) -> None:
        super().__init__()
        self._sum_counter._law = lambda structure: None  # type: ignore[method-assign]


def small_case(seed: int) -> tuple[Deal, Scene]:
    """A small deal after some questions and hints."""
    chance = Random(seed)
    kinds = chance.choice(((2, 3), (2, 2, 2), (3, 3), (7,)))
    number = 1
    for size in kinds:
        number *= size
    players = chance.randint(2, 3)
    deal = Deal(kinds, players, chance.randint(1, (number - 1) // players))
    scene = deal.scene(chance)
    if deal.up and chance.random() < 0.5:
        scene = scene.update(deal.table_seen(scene))
    questions = deal.questions(scene, chance)
    for _ in range(chance.randint(0, 4)):
        scene = scene.update(next(questions))
        if chance.random() < 0.5:
            scene = scene.update(deal.hint(scene, chance))
    return deal, scene


def counted(engine: BddEngine, state: Perspective) -> bool:
    """Whether it needs no diagram there."""
    return engine._sum_counter.paths(state) is not None


# ---- sums -------------------------------------------------------------------------------------


def test_sums_say_the_same_as_the_formula() -> None:
    found = missed = 0
    for seed in range(200):
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
    assert found > 750
    assert missed > 25


def test_sums_apart_are_counted_one_by_one() -> None:
    """Against all valuations; and None exactly where two sums speak of one fluent."""
    found, left = 0, Counter[str]()
    for seed in range(200):
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
    assert found > 100
    assert min(left["shared"], left["not asked"]) > 20
    fluents = {"p": Fluent("p")}
    assert count_disjoint(as_sums(Atom("p"), fluents) or (), fluents, most=0) is None


# ---- against the explicit model ---------------------------------------------------------------


def test_small_deals_against_the_explicit_model() -> None:
    """Counts, shares, joint distributions and chains, from every seat and from none."""
    without = 0
    for seed in range(25):
        deal, scene = small_case(seed)
        bdd, explicit = BddEngine(), ExplicitEngine()
        chance = Random(seed)
        assert bdd.worlds(scene.structure) == explicit.worlds(scene.structure), seed
        names = list(scene.structure.vocabulary.fluents)
        over = chance.sample(names, chance.randint(0, len(names)))
        some = chance.sample(scene.structure.atoms, 4)
        hidden = [deal.at(card, HIDDEN) for card in deal.cards]
        asked = exactly(1, some[:3])
        for agent in deal.agents:
            view, about = scene.perspective(agent), (seed, agent)
            without += counted(bdd, view)
            assert bdd.worlds(view) == explicit.worlds(view), about
            assert bdd.worlds(view, over) == explicit.worlds(view, over), about
            assert bdd.marginals(view) == explicit.marginals(view), about
            assert bdd.distribution(view, some) == explicit.distribution(view, some), about
            assert bdd.distribution(view, hidden) == explicit.distribution(view, hidden), about
            assert bdd.probability(view, asked) == explicit.probability(view, asked), about
            mixed = asked & some[3] | hidden[0]
            assert bdd.probability(view, mixed) == explicit.probability(view, mixed), about
            steps, reference = bdd.steps(view, names), explicit.steps(view, names)
            assert listed(steps) == pytest.approx(listed(reference)), about
    assert without > 35


def test_random_situations_without_a_diagram() -> None:
    """Whatever the law says: where it is a law of sums, of all kinds of fluents."""
    without = 0
    for seed in range(80):
        scene, _ = seeded_case(seed, depth=2)
        for weighting in ("equal", "bayes"):
            bdd, explicit = BddEngine(weighting=weighting), ExplicitEngine(weighting=weighting)
            for events in range(len(scene.structure.stages)):
                there = scene.after(events)
                names = [x for x in there.structure.vocabulary.fluents if "#" not in x]
                over = Random(seed).sample(names, len(names) // 2)
                for agent in there.structure.agents:
                    view = there.perspective(agent)
                    if not counted(bdd, view):
                        continue
                    without += events > 0
                    assert bdd.worlds(view, over) == explicit.worlds(view, over), (seed, events)
                    assert bdd.marginals(view) == explicit.marginals(view), (seed, events)
    assert without > 25


def test_little_room_in_tables() -> None:
    """States told apart by sorting: the same counts."""
    tuning = BddTuning(counting=CountingTuning(table=0))
    for seed in range(60, 75):
        deal, scene = small_case(seed)
        for agent in deal.agents:
            view = scene.perspective(agent)
            sorting = BddEngine(tuning=tuning)
            assert sorting.marginals(view) == ExplicitEngine().marginals(view), seed


@pytest.mark.parametrize("machine", [2, 30, 1000])
def test_counts_of_any_size(machine: int) -> None:
    """Integers of Python from some level on, or from the first: the same counts."""
    tuning = BddTuning(counting=CountingTuning(machine=machine))
    for seed in range(100, 112):
        deal, scene = small_case(seed)
        for agent in deal.agents:
            view = scene.perspective(agent)
            ours = BddEngine(tuning=tuning)
            assert ours.worlds(view) == ExplicitEngine().worlds(view), seed
            assert ours.marginals(view) == ExplicitEngine().marginals(view), seed


def test_deals_are_drawn_evenly() -> None:
    """Chi-square of 3,000 draws over the worlds of several cells: within four deviations."""
    degrees, total = 0, 0.0
    for seed in range(80, 100):
        _, scene = small_case(seed)
        view = scene.perspective("p1")
        model = ExplicitEngine().model(scene.structure)
        rows = {int(row) for row in model.matching(view.observation)}
        bdd = BddEngine()
        if not 2 <= len(rows) <= 60 or not counted(bdd, view):
            continue
        drawn = Counter(model.row(world) for world in bdd.sample(view, 3_000, Random(seed)))
        assert drawn.keys() <= rows
        expected = 3_000 / len(rows)
        total += sum((drawn[row] - expected) ** 2 / expected for row in rows)
        degrees += len(rows) - 1
    assert degrees > 50
    assert abs(total - degrees) < 4 * sqrt(2 * degrees)


# ---- what it is for ---------------------------------------------------------------------------


@pytest.mark.parametrize("players", SLEUTH)
def test_closed_forms_of_36_gems(players: int) -> None:
    deal = Deal.of_sleuth(players)
    assert BddEngine().worlds(deal.structure()) == deal.number == CLOSED[players]


CLOSED = {
    3: 2_924_408_242_818_316_800,
    4: 23_458_584_603_161_127_420_000,
    5: 114_388_526_826_842_830_848_000,
    6: 1_038_165_104_004_523_627_353_661_440,
    7: 1_038_165_104_004_523_627_353_661_440,
}


@pytest.mark.parametrize("players", [3, 5])
def test_full_size_against_diagrams(players: int) -> None:
    deal = Deal.of_sleuth(players)
    chance = Random(players)
    scene = deal.scene(chance)
    questions = deal.questions(scene, chance)
    bdd, diagrams = BddEngine(), Diagrams()
    for turn in range(9):
        scene = scene.update(next(questions))
        if turn % 4 == 3:
            view = scene.perspective(deal.agents[turn % players])
            assert counted(bdd, view)
            assert bdd.worlds(view) == diagrams.worlds(view)
            assert bdd.marginals(view) == diagrams.marginals(view)


def test_seven_players_add_up() -> None:
    """From one of seven seats after 14 questions: each card is somewhere, each hand is full."""
    deal = Deal.of_sleuth(7)
    chance = Random(1)
    scene = deal.scene(chance)
    questions = deal.questions(scene, chance)
    for _ in range(14):
        scene = scene.update(next(questions))
    bdd, view = BddEngine(), scene.perspective("p3")
    shares = bdd.marginals(view)
    for card in deal.cards:
        places = [deal.at(card, place) for place in (*deal.agents, HIDDEN)]
        assert sum(shares[atom] for atom in places) == 1
    for agent in deal.agents:
        assert sum(shares[deal.at(card, agent)] for card in deal.cards) == 5
    atom = max(shares, key=lambda atom: (0 < shares[atom] < 1, shares[atom]))
    assert bdd.probability(view, atom) == shares[atom]
    whole = bdd.worlds(view)
    for truth in (atom, negation(atom)):
        event = Event("told", (Constraint(truth, "told"),))
        part = bdd.worlds(Perspective(scene.structure.update(event), "p3", view.seen))
        assert Fraction(part, whole) == (shares[atom] if truth is atom else 1 - shares[atom])
    (drawn,) = bdd.sample(view, 1, Random(5))
    assert all(evaluate(constraint.formula, drawn) for constraint in scene.structure.law)


def test_running_out_of_states_is_running_out_of_a_budget() -> None:
    deal = Deal.of_sleuth(7)
    scene = deal.scene(Random(2))
    questions = deal.questions(scene, Random(2))
    for _ in range(10):
        scene = scene.update(next(questions))
    with pytest.raises(BudgetExceeded, match="more than 2,000"):
        BddEngine(2_000).worlds(scene.perspective("p1"))


def test_what_is_left_to_diagrams() -> None:
    """Weights of several values, private fluents left out, announcements about knowledge."""
    deal = Deal((2, 3), 2, 2)
    scene = deal.scene(Random(3))
    view = scene.perspective("p1")
    names = tuple(scene.structure.vocabulary.fluents)
    atom = deal.at(deal.cards[0], "p2")
    mixed = conjunction([atom, deal.at(deal.cards[1], HIDDEN)])
    for case, weighting, expected in (
        (atom, "equal", True),
        (atom, "bayes", True),
        (mixed, "equal", True),
        (mixed, "bayes", False),
    ):
        half = Likelihood(((case, Fraction(1, 2)), (negation(case), Fraction(1))))
        told = scene.update(Event("seen", likelihoods=(half,)))
        engine = BddEngine(weighting=weighting)
        assert counted(engine, told.perspective("p1")) == expected
        explicit = ExplicitEngine(weighting=weighting)
        there = told.perspective("p1")
        assert engine.probability(there, atom) == explicit.probability(there, atom)
    said = scene.structure.announce(negation(K("p2", deal.at(deal.cards[0], HIDDEN))))
    engine = BddEngine()
    assert not counted(engine, Perspective(said, "p1", view.seen))
    new = Fluent("told", ("no", "some"))
    some = [deal.at(card, "p2") for card in deal.cards[:3]]
    loose = Event("a secret", fluents=(new,))
    defined = Event(
        "whether", (Constraint(Iff(Atom("told", "some"), disjunction(some)), "told"),), (new,)
    )
    shown = Event("shown", (Constraint(Atom("told", "some") >> disjunction(some), "told"),), (new,))
    for event, way in ((loose, True), (defined, True), (shown, False)):
        after = Perspective(scene.structure.update(event), "p1", view.seen)
        assert (engine._sum_counter.number(after, names) is not None) == way
        assert engine.worlds(after) == ExplicitEngine().worlds(after)
        assert engine.worlds(after, names) == ExplicitEngine().worlds(after, names)


def test_no_world() -> None:
    deal = Deal((2, 3), 2, 2)
    scene = deal.scene(Random(4))
    held = [deal.at(card, "p1") for card in deal.cards]
    view = scene.perspective("p1")
    wrong = Perspective(scene.structure, "p1", frozenset(held))
    engine = BddEngine()
    assert engine.worlds(wrong) == 0
    assert engine.worlds(view) > 0
    with pytest.raises(ImpossibleEvent, match="contradicts the law"):
        engine.marginals(wrong)


def test_sums_that_exclude_each_other() -> None:
    """Each of the three can be so, but not all: no state is left after the last step."""
    names = Vocabulary.of([Fluent(name) for name in "pqr"], ["ann"])
    view = Perspective.of(KnowledgeStructure.of(names, [], {}), "ann", [])
    p, q, r = (Atom(name) for name in "pqr")
    odd = conjunction(exactly(1, pair) for pair in ([p, q], [q, r], [p, r]))
    engine = BddEngine()
    assert engine.probability(view, odd) == 0
    assert engine.probability(view, negation(odd)) == 1


def test_states_are_counted_for_nodes() -> None:
    setup = GAME.setup(players=6)
    structure = GAME.structure(setup)
    engine = BddEngine()
    assert engine.worlds(structure) == 44_460_928_512_000
    assert 0 < engine.nodes(structure) < Diagrams().nodes(structure) / 10


# ---- events that weigh worlds -------------------------------------------------------------------


@pytest.mark.parametrize("weighting", ["equal", "bayes"])
def test_cards_shown_are_summed_up_without_a_diagram(weighting: str) -> None:
    """Whoever saw them or not: the chain has the shares of the explicit model."""
    compared = 0
    for seed in range(3):
        table = Table(GAME, GAME.setup(rules="study", players=3, size="3/3/4"), seed=seed)
        names = [location(card.id) for card in table.setup.edition.cards]
        for _ in table:
            pass
        for events in range(0, len(table.scenes), 2):
            bdd, explicit = BddEngine(weighting=weighting), ExplicitEngine(weighting=weighting)
            for player in table.setup.players:
                view = table.scenes[events].perspective(player)
                steps, reference = bdd.steps(view, names), explicit.steps(view, names)
                assert listed(steps) == pytest.approx(listed(reference), abs=1e-12), (seed, player)
                compared += 1
            assert not bdd.drawn(view.structure)
    assert compared > 20


def weighed_case(*events: Event) -> Perspective:
    """What Ann, who sees p, considers possible after these events about p, q and r."""
    fluents = [Fluent(name) for name in "pqr"]
    structure = KnowledgeStructure.of(
        Vocabulary.of(fluents, ["ann"]), [], {"ann": [Observable(Atom("p"), "")]}
    )
    for event in events:
        structure = structure.update(event)
    return Perspective.of(structure, "ann", [Atom("p")])


def test_weights_by_more_than_a_number() -> None:
    """Literals that count differently: no two truths of them are one number."""
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


# ---- parts of a law that are not connected  -----------------------------------------------------


def parted_case(seed: int) -> Scene:
    """Some fluents in groups; each sum, and each bit that somebody sees, is about one group."""
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


def weighed(answer: Answer) -> Weighed | None:
    """The evidence of a probability; None if it is not defined."""
    try:
        found = answer.why()
    except Unsupported:
        return None
    assert isinstance(found, Weighed)
    return found


def test_shares_of_parts_are_those_of_all_worlds() -> None:
    explicit, parts, told = ExplicitEngine(), 0, 0
    for seed in range(20):
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
                            assert found == weighed(Diagrams().holds(state, formula))
                            told += found is not None
        assert not sums._counters  # no diagram was needed
        parts += len(sums._sum_counter._components._counts)
    assert parts > 40
    assert told > 200


def test_components_that_are_alike_are_counted_once() -> None:
    moment = Table.of(game("perudo"), players=3, seed=4).moment
    engine = BddEngine()
    found = cell_odds(moment, "ann", engine)
    assert len(engine._sum_counter._components._counts) == 1 + 5  # of five dice; one, two, ... show
    assert {found["2x3", other] for other in ("bob", "cath")} == {
        1 - Fraction(5, 6) ** 5 - 5 * Fraction(5, 6) ** 4 / 6
    }
