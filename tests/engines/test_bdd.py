"""The bdd engine: against the explicit model, against closed forms, and at full size."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from fractions import Fraction
from math import comb, factorial, prod
from random import Random
from typing import Any

import pytest

from symkripke.engines import (
    Answer,
    Budget,
    Combined,
    Evidence,
    Fact,
    Possible,
    Ranged,
    Weighed,
    engine,
)
from symkripke.engines.bdd import BddEngine, law, truth
from symkripke.engines.bdd.batch_knowledge import (
    BatchKnowledge,
    KnowledgeQueries,
    KnowledgeQuery,
    Mode,
)
from symkripke.engines.bdd.diagram import Diagram, Diagrams, minus
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import BudgetExceeded, ImpossibleEvent, InputError, Unsupported
from symkripke.language import Announced, Atom, C, Formula, Iff, K, Kw, M, P, atleast
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional
from symkripke.model import (
    Constraint,
    Fluent,
    KnowledgeStructure,
    Observable,
    Perspective,
    Scene,
    Vocabulary,
    announcement,
    evaluate,
)
from symkripke.play import Table
from symkripke.play.hands import at
from symkripke.testing.random_models import seeded_case
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.knowledge import envelope_atoms, knows_solution


@pytest.fixture(params=["whole", "in parts", "together"])
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Nested knowledge by way of the whole law, and as if that were too large to build.

    And by way of the whole law with even two agents taken as many, at scenes, too.
    """
    if request.param == "together":
        monkeypatch.setattr(truth, "MANY", 2)
    if request.param == "in parts":
        monkeypatch.setattr(law, "small", lambda _: 0)
    return str(request.param)


def outcome(question: Callable[..., Any], *about: Any) -> Any:
    """The answer (as plain truth), or the kind of error."""
    try:
        answer = question(*about)
        return bool(answer) if isinstance(answer, Answer) else answer
    except (InputError, Unsupported) as error:
        return type(error).__name__


def case(seed: int, formulas: int = 6) -> tuple[Scene, tuple[Formula, ...]]:
    """A scene after random events, every other one with announcements about knowledge."""
    judge = ExplicitEngine()
    return seeded_case(
        seed,
        depth=4,
        formulas=formulas,
        judge=(lambda scene, said: bool(judge.holds(scene, said))) if seed % 2 else None,
    )


# ---- against the explicit model -------------------------------------------------------------


@pytest.mark.parametrize("block", range(5))
def test_agrees_with_the_explicit_engine(block: int, size: str) -> None:
    """120 formulas a block and size: at scenes, perspectives, everywhere; probabilities, too."""
    for seed in range(block * 20, block * 20 + 20):
        scene, formulas = case(seed)
        structure = scene.structure
        views = [scene.perspective(agent) for agent in structure.agents]
        bdd, explicit = BddEngine(100_000), ExplicitEngine()
        for formula in formulas:
            about = (seed, str(formula))
            assert bool(bdd.holds(scene, formula)) == bool(explicit.holds(scene, formula)), about
            valid = bool(explicit.valid(structure, formula))
            assert bool(bdd.valid(structure, formula)) == valid, about
            for view in views:
                expected = outcome(explicit.holds, view, formula)
                assert outcome(bdd.holds, view, formula) == expected, (*about, view.agent)
                share = explicit.probability(view, formula)
                assert bdd.probability(view, formula) == share, (*about, view.agent)


def leaves(evidence: Evidence) -> list[Any]:
    if isinstance(evidence, Combined):
        return [leaf for part in evidence.parts for leaf in leaves(part)]
    return [evidence]


def test_counter_worlds_link_up(size: str) -> None:
    """Each world agrees with the one before it on what the agents observe, and shows what it says.

    The explicit engine shows a chain for the same formulas; for common knowledge as short a one.
    """
    chains = refused = 0
    for seed in range(2_000, 2_060):
        scene, formulas = case(seed, 4)
        explicit, bdd = ExplicitEngine(), BddEngine(100_000)
        group = scene.structure.agents
        for formula in (*formulas, *(C(group, part) for part in formulas)):
            answer = bdd.holds(scene, formula)
            expected = outcome(explicit.holds(scene, formula).why)
            evidence = outcome(answer.why)
            if isinstance(evidence, str):
                refused += 1
                assert evidence == expected == "Unsupported", (seed, str(formula))
                continue
            assert evidence.truth == bool(answer)
            assert len(leaves(evidence)) == len(leaves(expected))
            for leaf, other in zip(leaves(evidence), leaves(expected), strict=True):
                if isinstance(leaf, Fact | Ranged | Weighed):
                    assert leaf == other
                    continue
                assert isinstance(leaf, Possible)
                if isinstance(formula, C) and is_propositional(formula.operand):
                    assert len(leaf.worlds) == len(other.worlds)
                here = dict(scene.world)
                for step in leaf.worlds:
                    for observable in set.intersection(
                        *(
                            {o.atom for o in scene.structure.observables[agent]}
                            for agent in step.agent
                        )
                    ):
                        assert evaluate(observable, here) == evaluate(observable, step.world), seed
                    here = dict(step.world)
                    chains += 1
                last = Scene(scene.structure, here)
                assert bool(explicit.holds(last, leaf.worlds[-1].shows)), (seed, str(formula))
    assert chains > 100
    assert refused > 50


def test_knowledge_has_no_sources_here() -> None:
    scene, _, know = muddy(3, 1)
    bdd = BddEngine(1_000)
    with pytest.raises(Unsupported, match="sat engine finds minimal sources"):
        bdd.holds(scene, know).why()
    with pytest.raises(Unsupported, match="minimal sources"):
        bdd.valid(scene.structure, f.TRUE).why()
    shown = bdd.valid(scene.structure, know).why()
    assert isinstance(shown, Possible)
    assert not evaluate(Atom("muddy(child0)"), shown.worlds[0].world)


# ---- Cluedo ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_study_size_games_after_every_event(seed: int) -> None:
    setup = GAME.setup(rules="study")
    table = Table(GAME, setup, ("first-order", "random") * 2, seed)
    bdd, explicit = BddEngine(1_000_000), ExplicitEngine()
    chance = Random(seed)
    solutions = envelope_atoms(setup)

    def check(scene: Scene) -> None:
        assert bdd.worlds(scene.structure) == explicit.worlds(scene.structure)
        for player in setup.players:
            view = scene.perspective(player)
            assert bdd.worlds(view) == explicit.worlds(view)
            assert bdd.sheet(view).marks == explicit.sheet(view).marks
            possible = explicit.possibilities(view, solutions)
            assert bdd.possibilities(view, solutions) == possible
        one, two, three = chance.sample(setup.players, 3)
        card = chance.choice(setup.edition.cards).id
        here = at(card, "envelope")
        for formula in (
            knows_solution(one),
            K(one, M(two, here)),
            M(one, knows_solution(two)),
            K(one, Kw(two, at(card, three))),
            K(one, M(two, K(three, ~here))),
            C(setup.players, ~here),
            P(one, K(two, ~here), ">=", Fraction(1, 2)),
            Announced(~here, M(one, knows_solution(two))),
        ):
            assert bool(bdd.holds(scene, formula)) == bool(explicit.holds(scene, formula))

    check(table.scene)
    for _ in table:
        check(table.scene)


def deals(players: int) -> int:
    """The deals of classic Cluedo: 6 * 6 * 9 solutions, 18 cards dealt as evenly as can be."""
    hands = [18 // players + (seat < 18 % players) for seat in range(players)]
    return 6 * 6 * 9 * factorial(18) // prod(factorial(hand) for hand in hands)


@pytest.mark.parametrize(
    ("players", "number"),
    [
        (3, 5_557_616_064),
        (4, 250_092_722_880),
        (5, 4_168_212_048_000),
        (6, 44_460_928_512_000),
    ],
)
def test_deals_of_the_full_game(players: int, number: int) -> None:
    structure = GAME.structure(GAME.setup(players=players))
    assert deals(players) == number
    assert BddEngine().worlds(structure) == number


def test_six_players_from_each_seat() -> None:
    """Dealt: what a player knows of the solution, and how many deals it allows, in closed form."""
    setup = GAME.setup(players=6)
    table = Table(GAME, setup, ("first-order",), 3)
    bdd = BddEngine()
    assert bdd.nodes(table.scene.structure) < 110_000
    for player in setup.players:
        held = {atom.fluent for atom in table.scene.perspective(player).seen}
        mine = [
            sum(f"location({card.id})" in held for card in category)
            for category in setup.edition.categories
        ]
        left = prod(n - have for n, have in zip((6, 6, 9), mine, strict=True))
        view = table.scene.perspective(player)
        assert bdd.worlds(view) == left * factorial(15) // factorial(3) ** 5
        card = next(c.id for c in setup.edition.categories[2] if f"location({c.id})" not in held)
        share = bdd.probability(view, at(card, "envelope"))
        assert share == Fraction(1, 9 - mine[2])
        assert bool(bdd.holds(view, P(player, at(card, "envelope"), "=", share)))
        assert not bdd.holds(view, knows_solution(player))
    for _, _ in zip(table, range(3), strict=False):
        sheet = bdd.sheet(table.scene.perspective(setup.players[0]))
        assert all(table.scene.world[name] == value for name, value in sheet.known().items())
    one, two, three = setup.players[:3]
    nested = K(one, M(two, K(three, at("rope", "envelope"))))
    assert not bdd.holds(table.scene, nested)


# ---- puzzles ----------------------------------------------------------------------------------


def muddy(number: int, dirty: int) -> tuple[Scene, Formula, Formula]:
    """Muddy children after the father spoke; "nobody knows"; and "all dirty ones know"."""
    names = [f"child{place}" for place in range(number)]
    mud = [Atom(f"muddy({name})") for name in names]
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent(atom.fluent) for atom in mud], names),
        [Constraint(atleast(1, mud), "the father said so")],
        {
            name: [Observable(atom, "on others' foreheads") for atom in mud if atom is not own]
            for name, own in zip(names, mud, strict=True)
        },
    )
    world = {atom.fluent: "true" if place < dirty else "false" for place, atom in enumerate(mud)}
    pairs = list(zip(names, mud, strict=True))
    nobody = f.conjunction(~Kw(name, own) for name, own in pairs)
    know = f.conjunction(K(name, own) for name, own in pairs[:dirty])
    return Scene.of(structure, world), nobody, know


def test_ten_muddy_children_are_counted() -> None:
    bdd = BddEngine()
    scene, nobody, _ = muddy(10, 5)
    structure, counts = scene.structure, [bdd.worlds(scene.structure)]
    for _ in range(9):
        structure = structure.announce(nobody)
        counts.append(bdd.worlds(structure))
    assert counts == [1023, 1013, 968, 848, 638, 386, 176, 56, 11, 1]
    assert counts == [sum(comb(10, m) for m in range(k, 11)) for k in range(1, 11)]


def test_forty_muddy_children() -> None:
    bdd = BddEngine()
    scene, nobody, know = muddy(40, 20)

    def judge(there: Scene, said: Formula) -> bool:
        return bool(bdd.holds(there, said))

    for _ in range(19):
        assert not bdd.holds(scene, know)
        scene = scene.update(announcement(nobody), judge=judge)
    assert bool(bdd.holds(scene, know))
    with pytest.raises(ImpossibleEvent):
        scene.update(announcement(nobody), judge=judge)


def test_muddy_children_inside_a_formula() -> None:
    scene, nobody, know = muddy(8, 4)
    said = know
    for _ in range(3):
        said = f.AnnouncedTrue(nobody, said)
    bdd = BddEngine()
    assert bool(bdd.holds(scene, said))
    assert not bdd.holds(scene, f.AnnouncedTrue(nobody, said))
    assert bool(bdd.holds(scene, Announced(nobody, f.AnnouncedTrue(nobody, ~know))))


@pytest.mark.parametrize("number", [3, 5])
@pytest.mark.parametrize("payer", [None, 0])
def test_dining_cryptographers(number: int, payer: int | None) -> None:
    """Everyone learns whether somebody paid, and nobody who, if it was one of the others."""
    names = [f"c{place}" for place in range(number)]
    paid = [Atom(f"paid({name})") for name in names]
    coins = [Atom(f"coin({place})") for place in range(number)]
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent(atom.fluent) for atom in (*paid, *coins)], names),
        [Constraint(f.atmost(1, paid), "at most one of them paid")],
        {
            name: [Observable(a, "") for a in (paid[i], coins[i], coins[i - 1])]
            for i, name in enumerate(names)
        },
    )
    chance = Random(number)
    world = {atom.fluent: chance.choice(("true", "false")) for atom in coins}
    world |= {a.fluent: "true" if i == payer else "false" for i, a in enumerate(paid)}
    scene = Scene.of(structure, world)
    for i in range(number):  # each says whether its two coins differ, or lies if it paid
        differ = ~Iff(Iff(coins[i], coins[i - 1]), paid[i])
        truth = evaluate(differ, scene.world)
        scene = scene.update(announcement(differ if truth else ~differ))
    bdd = BddEngine()
    somebody = f.disjunction(paid)
    assert bool(bdd.holds(scene, C(names, somebody if payer is not None else ~somebody)))
    if payer is not None:
        secret = [
            ~Kw(name, paid[j]) for name in names[1:] for j in range(number) if name != names[j]
        ]
        assert bool(bdd.holds(scene, f.conjunction(secret)))
        assert bool(bdd.valid(scene.structure, f.Implies(paid[0], f.conjunction(secret))))
        assert bdd.probability(scene.perspective(names[1]), paid[0]) == Fraction(1, number - 1)


# ---- errors and limits ------------------------------------------------------------------------


def test_running_out_of_nodes_is_an_error_and_no_answer() -> None:
    structure = GAME.structure(GAME.setup(players=6))
    small = BddEngine(max_nodes=20_000)
    for _ in range(2):
        with pytest.raises(BudgetExceeded, match="more than 20,000 nodes"):
            small.worlds(structure)
    # A smaller question to the same engine still has its answer.
    easy, _, _ = muddy(5, 2)
    assert small.worlds(easy.structure) == 31
    with pytest.raises(InputError, match="1 or more"):
        BddEngine(max_nodes=0)


def test_running_out_of_time_is_an_error() -> None:
    scene, nobody, know = muddy(12, 3)
    with pytest.raises(BudgetExceeded, match="seconds"):
        BddEngine().holds(scene.update(announcement(nobody), judge=_yes), know, Budget(seconds=0))


def _yes(_: Scene, __: Formula) -> bool:
    return True


def test_perspectives_that_decide_nothing_and_that_contradict() -> None:
    p, q = Atom("p"), Atom("q")
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent("p"), Fluent("q")], ["ann"]),
        [Constraint(p & q, "both")],
        {"ann": [Observable(p, "sees p")]},
    )
    bdd = BddEngine(1_000)
    view = Perspective.of(structure, "ann", [])
    for question in (
        lambda: bdd.holds(view, K("ann", q)),
        lambda: bdd.sheet(view),
        lambda: bdd.probability(view, q),
    ):
        with pytest.raises(ImpossibleEvent, match="contradicts the law"):
            question()
    assert bdd.worlds(view) == 0
    assert bdd.possibilities(view, [p, q]) == frozenset()
    with pytest.raises(InputError, match="none of the worlds"):
        bdd.holds(Scene(structure, {"p": "false", "q": "true"}), p)
    free = KnowledgeStructure.of(Vocabulary.of([Fluent("p")], ["ann"]), [], {})
    with pytest.raises(InputError, match=r"does not decide p; ask K\[ann\] \(p\) instead"):
        bdd.holds(Perspective.of(free, "ann", []), p)


def test_limit_of_possibilities() -> None:
    scene, _, _ = muddy(8, 2)
    view = scene.perspective("child0")
    blind = KnowledgeStructure.of(scene.structure.vocabulary, [], {})
    all_of_it = Perspective.of(blind, "child0", [])
    assert len(BddEngine().possibilities(view, blind.atoms)) == 2
    with pytest.raises(BudgetExceeded, match="256 possibilities"):
        BddEngine().possibilities(all_of_it, blind.atoms, limit=255)
    assert len(BddEngine().possibilities(all_of_it, blind.atoms, limit=256)) == 256


def test_very_deep_formulas() -> None:
    scene, _, _ = muddy(3, 1)
    formula: Formula = Atom("muddy(child0)")
    for depth in range(3_000):
        formula = M(f"child{depth % 3}", ~formula)
    bdd = BddEngine()
    assert bool(bdd.holds(scene, formula)) in (True, False)


def test_diagrams_go_with_their_structures() -> None:
    bdd = BddEngine(10_000)
    scene, nobody, _ = muddy(4, 2)
    bdd.worlds(scene.structure.announce(nobody))
    encoding = weakref.ref(bdd._counter(scene.structure).encoding)
    assert encoding() is not None
    del scene
    gc.collect()
    assert encoding() is None


def test_it_is_an_engine_by_name() -> None:
    assert engine("bdd").name == "bdd"
    assert isinstance(engine("bdd"), BddEngine)


# ---- diagrams -----------------------------------------------------------------------------------


@pytest.mark.parametrize("relation", ["atleast", "atmost", "exactly"])
@pytest.mark.parametrize("bound", range(6))
def test_thresholds_are_small_and_counted(relation: f.Relation, bound: int) -> None:
    diagrams = Diagrams(10_000)
    variables = diagrams.add(4)
    parts = [diagrams.literal(v + 1) for v in variables]
    found = diagrams.number(relation, bound, [*parts, parts[0]])  # one listed twice
    fits = {"atleast": int.__ge__, "atmost": int.__le__, "exactly": int.__eq__}[relation]
    expected = sum(comb(3, k) for first in (0, 1) for k in range(4) if fits(k + 2 * first, bound))
    assert diagrams.count(found, 4) == expected
    assert diagrams.count(found, 3) * 2 == expected or expected % 2


@pytest.mark.parametrize("seed", range(40))
def test_many_looks_together_are_each_alone(seed: int) -> None:
    """On random laws, one after the other: the conjunction is right at the worlds of the law."""
    chance = Random(seed)
    diagrams = Diagrams(100_000)
    variables = diagrams.add(7)
    ways: tuple[Mode, ...] = ("always", "somewhere", "decided")

    def anything(parts: int) -> Diagram:
        return diagrams.some(
            diagrams.cube(chance.choice((v + 1, -v - 1)) for v in chance.sample(variables, 3))
            for _ in range(parts)
        )

    batch = BatchKnowledge(diagrams)
    queries = [
        KnowledgeQuery(
            chance.choice(ways),
            diagrams.cube(v + 1 for v in chance.sample(variables, chance.randint(0, 4))),
            chance.choice((diagrams.literal(chance.choice(variables) + 1), anything(2))),
            chance.random() < 0.5,
        )
        for _ in range(chance.randint(0, 9))
    ]
    law = anything(9)
    sorted_once = KnowledgeQueries(tuple(queries))
    for _ in range(4):
        expected = diagrams.every([look.within(law) for look in queries])
        found = batch.all_of(law, sorted_once, lambda: None)
        assert law & found == law & expected
        law = minus(law, anything(2))
        if chance.random() < 0.3:  # what is remembered stays right when the order changes
            diagrams.add(1, [variables[2]])


def test_many_looks_may_be_stopped_and_forgotten() -> None:
    diagrams = Diagrams(10_000)
    variables = diagrams.add(6)
    law = diagrams.number("atleast", 2, [diagrams.literal(v + 1) for v in variables])
    parts = [
        KnowledgeQuery("decided", diagrams.cube([v + 1]), diagrams.literal(v + 1), False)
        for v in variables
    ]
    batch = BatchKnowledge(diagrams)
    queries = KnowledgeQueries(tuple(parts))

    def stop() -> None:
        raise BudgetExceeded("now")

    with pytest.raises(BudgetExceeded):
        batch.all_of(law, queries, stop)
    nobody = batch.all_of(law, queries, lambda: None)
    assert diagrams.count(law & nobody, 6) == 2**6 - 1 - 6 - 15
    # All of it is remembered; and then nothing is.
    assert batch.all_of(law, queries, stop) == nobody
    assert (
        batch.all_of(law, KnowledgeQueries(tuple(parts)), stop) == nobody
    )  # others of the same words
    batch.forget()
    with pytest.raises(BudgetExceeded):
        batch.all_of(law, queries, stop)


def test_forced_literals_and_the_order() -> None:
    diagrams = Diagrams(10_000)
    one, two, four = diagrams.add(3)
    (three,) = diagrams.add(1, [two])
    assert [diagrams.manager.var_to_level(v) for v in (one, two, three, four)] == [0, 1, 2, 3]
    a, b, c, d = (diagrams.literal(v + 1) for v in (one, two, three, four))
    none = diagrams.true
    assert diagrams.forced(a & ~c, none) == {one + 1, -three - 1}
    assert diagrams.forced((a & b & d) | (~a & d), none) == {four + 1}
    assert diagrams.forced((a & b & d) | (~a & d), diagrams.cube([four + 1])) == frozenset()
    assert diagrams.forced(b.equiv(c), none) == frozenset()
    assert diagrams.cube([1, -1]) == diagrams.cube([0]) == diagrams.false
